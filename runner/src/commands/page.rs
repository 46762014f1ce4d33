//! What the pages of `explore` and `check` have in common.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::output::near;

/// The names of packages, each once; of many, the first, and how many more there are.
pub(super) fn packages<'r>(all: impl Iterator<Item = &'r str>) -> String {
    const MOST: usize = 4;
    let all: BTreeSet<&str> = all.collect();
    let shown: Vec<&str> = all.iter().take(MOST).copied().collect();
    match all.len().saturating_sub(MOST) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// The sequence that was saved in a file; nothing if it was not.
pub(super) fn saved(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

/// How to run a saved sequence again.
pub(super) fn replay(path: &Path) -> String {
    format!("cargo insyn replay {}", near(path))
}

/// A text without the colours of a terminal.
pub(super) fn plain(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('m').map_or(part, |(_, rest)| rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_left_out_and_packages_counted() {
        assert_eq!(plain("a \u{1b}[1;31mred\u{1b}[0m b"), "a red b");
        assert_eq!(plain("plain"), "plain");
        assert_eq!(packages(["b", "a", "b"].into_iter()), "a, b");
        assert_eq!(packages(["a", "b", "c", "d", "e", "f"].into_iter()), "a, b, c, d and 2 more");
    }
}
