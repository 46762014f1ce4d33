//! Compares the three texts of a realistic program: as it was first written, annotated, and with a bug.

use std::fs;
use std::path::Path;

use similar::{ChangeTag, TextDiff};

/// How many lines a bug may take.
const BUG: usize = 16;

/// Checks the texts in the directory `root`: `src/lib.rs` is `plain/lib.rs` with attributes of insyn added, and
/// `seeded/lib.rs` differs from `src/lib.rs` in a few lines of code.
///
/// # Panics
/// If that is not so.
pub fn sources(root: &str) {
    let read = |path: &str| {
        let path = Path::new(root).join(path);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let (plain, annotated, seeded) = (read("plain/lib.rs"), read("src/lib.rs"), read("seeded/lib.rs"));
    let added = changes(&plain, &annotated);
    assert!(!added.is_empty(), "nothing is annotated");
    let others: Vec<&String> = added.iter().filter(|change| !is_attribute(change)).collect();
    assert!(others.is_empty(), "more than attributes: {others:#?}");
    let bug = changes(&code(&annotated), &code(&seeded));
    assert!((1..=BUG).contains(&bug.len()), "one bug, of a few lines: {bug:#?}");
}

/// The lines that differ, each with `+` or `-` before it.
fn changes(old: &str, new: &str) -> Vec<String> {
    let diff = TextDiff::from_lines(old, new);
    let differ = diff.iter_all_changes().filter(|change| change.tag() != ChangeTag::Equal);
    differ.map(|change| format!("{}{}", change.tag(), change.value().trim())).collect()
}

fn is_attribute(change: &str) -> bool {
    change.starts_with("+#[insyn::") && change.ends_with(']')
}

/// A text without its comments that stand on lines of their own.
fn code(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_told_from_other_changes() {
        let changes = changes("mod a {\n}\n", "#[insyn::instrument]\nmod a {\n    use b;\n}\n");
        assert_eq!(changes, ["+#[insyn::instrument]", "+use b;"]);
        assert_eq!(changes.iter().map(|it| is_attribute(it)).collect::<Vec<_>>(), [true, false]);
    }

    #[test]
    fn comments_are_no_code() {
        assert_eq!(
            code("//! Why.\nfn f() {\n    // How.\n    g(); // Here.\n}\n"),
            "fn f() {\n    g(); // Here.\n}\n"
        );
    }
}
