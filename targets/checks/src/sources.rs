//! Checks the texts of a realistic program: as it is annotated, and the patch that seeds a bug into it.

use std::fs;
use std::path::Path;

/// How many lines a bug may take.
const BUG: usize = 16;

/// Checks the texts in the directory `root`: without its attributes nothing of insyn is left in `src/lib.rs`, and
/// `seeded.patch` changes a few lines of its code.
///
/// # Panics
/// If that is not so.
pub fn sources(root: &str) {
    let read = |path: &str| {
        let path = Path::new(root).join(path);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let (annotated, patch) = (read("src/lib.rs"), read("seeded.patch"));
    let plain = plain(&annotated);
    assert_ne!(plain, annotated, "nothing is annotated");
    let others: Vec<&str> = plain.lines().filter(|line| line.contains("insyn")).collect();
    assert!(others.is_empty(), "more than attributes: {others:#?}");
    let bug: Vec<&str> =
        target_seeding::changes(&patch).into_iter().filter(|line| is_code(&line[1..])).collect();
    assert!((1..=BUG).contains(&bug.len()), "one bug, of a few lines: {bug:#?}");
    assert!(bug.iter().all(|line| !line.contains("insyn")), "the bug is the program's own: {bug:#?}");
}

/// The program as it was before it was annotated: without the attributes of insyn, which stand on lines of their own.
fn plain(annotated: &str) -> String {
    let lines = annotated.lines().filter(|line| !is_attribute(line.trim()));
    lines.map(|line| format!("{line}\n")).collect()
}

fn is_attribute(line: &str) -> bool {
    line.starts_with("#[insyn::") && line.ends_with(']')
}

/// Whether a line is more than a comment.
fn is_code(line: &str) -> bool {
    !line.trim_start().starts_with("//")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_taken_away() {
        let annotated =
            "#[insyn::instrument]\nmod a {\n    #[insyn::instrument(skip)]\n    use b;\n    insyn::c();\n}\n";
        assert_eq!(plain(annotated), "mod a {\n    use b;\n    insyn::c();\n}\n");
    }

    #[test]
    fn comments_are_no_code() {
        assert!(!is_code("//! Why.") && !is_code("    // How."));
        assert!(is_code("    g(); // Here."));
    }
}
