//! What `cargo insyn init` changes in a Cargo.toml. All else stays as it was written.

use anyhow::{Context, Result, bail};
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, TableLike, Value};

/// Where insyn comes from.
#[derive(Clone, Debug)]
pub(super) enum Source {
    Version(String),
    Path(String),
}

/// The switch of `#[insyn::instrument]`.
const SWITCH: &str = "instrument";

/// The name of the package that a Cargo.toml is of.
pub(super) fn name(text: &str) -> Option<String> {
    let document: DocumentMut = text.parse().ok()?;
    document.get("package")?.get("name")?.as_str().map(str::to_owned)
}

/// A Cargo.toml with insyn among its dependencies, the switch of the attributes on in tests, and a target for the first
/// program if cargo would not find it.
pub(super) fn with_insyn(text: &str, source: &Source) -> Result<String> {
    let mut document: DocumentMut = text.parse().context("it cannot be read as TOML")?;
    let normal = dependencies(&mut document, "dependencies")?;
    if !normal.contains_key("insyn") {
        normal.insert("insyn", Item::Value(requirement(source, false)));
    }
    let inherited = normal.get("insyn").and_then(|it| it.get("workspace")).is_some();
    let of_tests = dependencies(&mut document, "dev-dependencies")?;
    if !of_tests.contains_key("insyn") {
        let mut requirement = requirement(source, true);
        if inherited && let Value::InlineTable(table) = &mut requirement {
            table.remove("path");
            table.remove("version");
            table.insert("workspace", true.into());
        }
        of_tests.insert("insyn", Item::Value(requirement));
    }
    target(&mut document)?;
    Ok(document.to_string())
}

/// One of the tables of dependencies.
fn dependencies<'d>(document: &'d mut DocumentMut, name: &str) -> Result<&'d mut dyn TableLike> {
    let there = document.entry(name).or_insert_with(|| Item::Table(Table::new()));
    there.as_table_like_mut().with_context(|| format!("`{name}` is not a table"))
}

fn requirement(source: &Source, in_tests: bool) -> Value {
    let mut table = InlineTable::new();
    match source {
        Source::Version(version) if !in_tests => return version.as_str().into(),
        Source::Version(version) => table.insert("version", version.as_str().into()),
        Source::Path(path) => table.insert("path", path.as_str().into()),
    };
    if in_tests {
        table.insert("features", Value::Array(Array::from_iter([SWITCH])));
    }
    table.into()
}

/// Names `tests/insyn.rs` where cargo was told not to look for tests.
fn target(document: &mut DocumentMut) -> Result<()> {
    let looks = document.get("package").and_then(|it| it.get("autotests")).and_then(Item::as_bool);
    if looks != Some(false) {
        return Ok(());
    }
    let targets = document.entry("test").or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    let Some(targets) = targets.as_array_of_tables_mut() else { bail!("`test` is not an array of tables") };
    let named = |table: &Table| table.get("name").and_then(Item::as_str) == Some("insyn");
    if !targets.iter().any(named) {
        let mut target = Table::new();
        target.insert("name", "insyn".into());
        target.insert("path", "tests/insyn.rs".into());
        targets.push(target);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version() -> Source {
        Source::Version("1.2.3".to_owned())
    }

    #[test]
    fn the_rest_stays_as_it_was_written() {
        let old = "\
# Ours.
[package]
name = 'bank'   # short

[dependencies]
serde={version=\"1\"}

[profile.dev]
opt-level = 1
";
        let new = with_insyn(old, &version()).expect("it can be read");
        let expected = "\
# Ours.
[package]
name = 'bank'   # short

[dependencies]
serde={version=\"1\"}
insyn = \"1.2.3\"

[profile.dev]
opt-level = 1

[dev-dependencies]
insyn = { version = \"1.2.3\", features = [\"instrument\"] }
";
        assert_eq!(new, expected);
        assert_eq!(with_insyn(&new, &version()).expect("it can be read"), new);
    }

    #[test]
    fn what_is_there_is_kept() {
        let old = "\
[package]
name = \"bank\"
[dependencies]
insyn.workspace = true
";
        let new = with_insyn(old, &version()).expect("it can be read");
        let added = "\n[dev-dependencies]\ninsyn = { features = [\"instrument\"], workspace = true }\n";
        assert_eq!(new, format!("{old}{added}"));
    }

    #[test]
    fn tests_are_named_where_cargo_does_not_look() {
        let old = "[package]\nname = \"bank\"\nautotests = false\n";
        let new = with_insyn(old, &Source::Path("../insyn/runtime".to_owned())).expect("it can be read");
        assert!(new.ends_with("[[test]]\nname = \"insyn\"\npath = \"tests/insyn.rs\"\n"), "{new}");
        assert!(new.contains("insyn = { path = \"../insyn/runtime\" }"), "{new}");
        assert_eq!(with_insyn(&new, &version()).expect("it can be read"), new);
    }

    #[test]
    fn damaged_ones_are_refused() {
        for text in ["[package", "dependencies = 1\n", "[package]\nautotests = false\n[test]\n"] {
            assert!(with_insyn(text, &version()).is_err(), "{text}");
        }
    }
}
