//! The first line of a file that tells editors its schema, so that they complete and check what is typed.

use std::path::{self, Path};

use super::output::relative;

/// The checkout that this command was built from.
const BUILT_FROM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The schema of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Schema {
    Spec,
    Tests,
}

impl Schema {
    fn file(self) -> &'static str {
        match self {
            Schema::Spec => "specs/schema/spec.schema.json",
            Schema::Tests => "specs/schema/tests.schema.json",
        }
    }
}

/// A text for a file, after the line for editors.
pub(super) fn prepend(schema: Schema, file: &Path, text: &str) -> String {
    within(schema, file, Path::new(BUILT_FROM)).map_or_else(|| text.to_owned(), |line| line + text)
}

/// The same for a file whose text says of which kind it is; others stay as they are.
pub(super) fn of_kind(file: &Path, text: &str) -> String {
    let is = |kind: &str| text.lines().any(|line| line.strip_prefix("insyn: ") == Some(kind));
    match (is("spec"), is("tests")) {
        (true, false) => prepend(Schema::Spec, file, text),
        (false, true) => prepend(Schema::Tests, file, text),
        _ => text.to_owned(),
    }
}

/// The line, with the path to the schema in a checkout of insyn: relative, as that of the dependency is. None if the
/// checkout is not there.
fn within(schema: Schema, file: &Path, checkout: &Path) -> Option<String> {
    let schema = checkout.join(schema.file()).canonicalize().ok()?;
    let directory = path::absolute(file).ok()?.parent()?.to_path_buf();
    // It may not have been made yet, and links in its path would lead elsewhere.
    let directory = directory.canonicalize().unwrap_or(directory);
    let path = relative(&directory, &schema).to_str()?.replace('\\', "/");
    (!path.chars().any(char::is_control)).then(|| format!("# yaml-language-server: $schema={path}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_leads_to_the_schema() {
        let directory = tempfile::tempdir().expect("a directory");
        for (schema, kind) in [(Schema::Spec, "spec"), (Schema::Tests, "tests")] {
            let file = directory.path().join("a.yaml");
            let text = prepend(schema, &file, "insyn: x\n");
            let (line, rest) = text.split_once('\n').expect("two lines");
            assert_eq!(rest, "insyn: x\n");
            let path = line.strip_prefix("# yaml-language-server: $schema=").expect("a modeline");
            assert!(path.starts_with("../"), "{path}");
            let schema =
                std::fs::read_to_string(directory.path().canonicalize().expect("it is there").join(path));
            let schema: serde_json::Value = serde_json::from_str(&schema.expect("the schema")).expect("JSON");
            assert_eq!(schema["properties"]["insyn"]["const"], kind);
        }
        assert_eq!(within(Schema::Spec, Path::new("a.yaml"), directory.path()), None);
    }
}
