//! What `cargo insyn init` changes in a Cargo.toml. The rest stays as it was written.

use anyhow::{Context, Result, bail};
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, Value};

/// The feature flags for `#[insyn::instrument]` and for specifications, which the first program has.
const FEATURES: [&str; 2] = ["instrument", "specs"];

/// The name of the package in a Cargo.toml.
pub(super) fn name(text: &str) -> Option<String> {
    let document: DocumentMut = text.parse().ok()?;
    document.get("package")?.get("name")?.as_str().map(str::to_owned)
}

/// A Cargo.toml with insyn among the dependencies of tests, with its feature flags. Other builds do not depend on insyn.
///
/// `path` is where the crate `insyn` is; without a path, insyn must be among the dependencies already.
pub(super) fn with_insyn(text: &str, path: Option<&str>) -> Result<String> {
    let mut document: DocumentMut = text.parse().context("it cannot be read as TOML")?;
    let there = document.get("dependencies");
    let there = there.map(|it| it.as_table_like().context("`dependencies` is not a table")).transpose()?;
    let there = there.and_then(|it| it.get("insyn")).cloned();
    let of_tests = dependencies(&mut document, "dev-dependencies")?;
    if of_tests.contains_key("insyn") {
        return Ok(document.to_string());
    }
    let required = match (there, path) {
        (Some(there), _) => there,
        (None, Some(path)) => Item::Value(InlineTable::from_iter([("path", path)]).into()),
        (None, None) => bail!(
            "insyn is not on the registry yet, and the checkout that this command was built from is gone; name one \
             with `--path`"
        ),
    };
    of_tests.insert("insyn", Item::Value(in_tests(&required)?));
    Ok(document.to_string())
}

/// The same crate with the features that tests need.
fn in_tests(required: &Item) -> Result<Value> {
    let mut table = InlineTable::new();
    if let Some(version) = required.as_str() {
        table.insert("version", version.into());
    } else {
        let there = required.as_table_like().context("`dependencies.insyn` is not a table")?;
        for (key, item) in there.iter().filter(|(key, _)| !["optional", "features"].contains(key)) {
            table.insert(
                key,
                item.as_value().cloned().context("`dependencies.insyn` is not a table of values")?,
            );
        }
    }
    table.insert("features", Value::Array(Array::from_iter(FEATURES)));
    table.fmt();
    Ok(table.into())
}

/// One of the tables of dependencies.
fn dependencies<'d>(document: &'d mut DocumentMut, name: &str) -> Result<&'d mut dyn TableLike> {
    let there = document.entry(name).or_insert_with(|| Item::Table(Table::new()));
    there.as_table_like_mut().with_context(|| format!("`{name}` is not a table"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: Option<&str> = Some("../insyn/runtime");

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
        let new = with_insyn(old, PATH).expect("it can be read");
        let expected = "\
# Ours.
[package]
name = 'bank'   # short

[dependencies]
serde={version=\"1\"}

[profile.dev]
opt-level = 1

[dev-dependencies]
insyn = { path = \"../insyn/runtime\", features = [\"instrument\", \"specs\"] }
";
        assert_eq!(new, expected);
        assert_eq!(with_insyn(&new, PATH).expect("it can be read"), new);
    }

    #[test]
    fn what_is_there_is_kept() {
        for (there, in_tests) in [
            ("insyn.workspace = true", "workspace = true"),
            ("insyn = \"1\"", "version = \"1\""),
            ("insyn = { path = '../other', optional = true }", "path = '../other'"),
            ("[dependencies.insyn]\ngit = 'https://example.org/insyn'", "git = 'https://example.org/insyn'"),
        ] {
            let old = format!("[package]\nname = \"bank\"\n[dependencies]\n{there}\n");
            let added = format!(
                "\n[dev-dependencies]\ninsyn = {{ {in_tests}, features = [\"instrument\", \"specs\"] }}\n"
            );
            for path in [PATH, None] {
                assert_eq!(with_insyn(&old, path).expect("it can be read"), format!("{old}{added}"));
            }
        }
    }

    #[test]
    fn headings_stand_apart() {
        let old = "[package]\nname = \"bank\"\n\n[dev-dependencies.rand]\nversion = \"0.9\"\n";
        let new = with_insyn(old, PATH).expect("it can be read");
        let headings: Vec<usize> = new.match_indices("\n[").map(|(at, _)| at).collect();
        assert_eq!(headings.len(), 2, "{new}");
        assert!(headings.iter().all(|&at| new[..at].ends_with('\n')), "{new}");
        assert_eq!(with_insyn(&new, PATH).expect("it can be read"), new);
    }

    #[test]
    fn there_must_be_a_place_to_take_it_from() {
        let refused = with_insyn("[package]\nname = \"bank\"\n", None).expect_err("there is no insyn");
        assert!(refused.to_string().contains("name one with `--path`"), "{refused}");
    }

    #[test]
    fn damaged_ones_are_refused() {
        for text in
            ["[package", "dependencies = 1\n", "dev-dependencies = 1\n", "[dependencies]\ninsyn = []\n"]
        {
            assert!(with_insyn(text, PATH).is_err(), "{text}");
        }
    }
}
