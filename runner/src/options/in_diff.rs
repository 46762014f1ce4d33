//! The lines that a unified diff adds or changes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Changed lines by file; files are named as in the diff, without `a/` and `b/`.
#[derive(Debug, Default)]
pub(crate) struct Lines(BTreeMap<String, BTreeSet<u32>>);

impl Lines {
    /// Reads a diff. Text outside of the diff is ignored, as `patch` does.
    pub(crate) fn read(diff: &str) -> Lines {
        let mut lines = Lines::default();
        let (mut file, mut at) = (None::<String>, 0_u32);
        // How many lines of a hunk are still to come, old and new: a line of it may look like a header.
        let mut left = (0_u32, 0_u32);
        for line in diff.lines() {
            if left == (0, 0) {
                if let Some(name) = line.strip_prefix("+++ ") {
                    file = file_of(name);
                } else if let Some((old, (start, new))) = line.strip_prefix("@@ ").and_then(hunk) {
                    (at, left) = (start, (old, new));
                }
                continue;
            }
            match line.as_bytes().first() {
                Some(b'+') => {
                    if let Some(file) = &file {
                        lines.0.entry(file.clone()).or_default().insert(at);
                    }
                    at = at.saturating_add(1);
                    left.1 = left.1.saturating_sub(1);
                }
                Some(b'-') => {
                    // The line after a deleted one counts as changed.
                    if let Some(file) = &file {
                        lines.0.entry(file.clone()).or_default().insert(at);
                    }
                    left.0 = left.0.saturating_sub(1);
                }
                Some(b'\\') => {}
                _ => {
                    at = at.saturating_add(1);
                    left = (left.0.saturating_sub(1), left.1.saturating_sub(1));
                }
            }
        }
        lines
    }

    /// Whether the diff changes one of these lines of a file. `file` is relative to the root of its package; the diff
    /// names it relative to some directory above, usually the root of the repository.
    pub(crate) fn touch(&self, root: &Path, file: &str, first: u32, last: u32) -> bool {
        let is_it = |name: &str| match name.strip_suffix(file) {
            // Relative to the package, unless the repository has another file with this name.
            Some("") => !root
                .ancestors()
                .skip(1)
                .any(|above| above.join(".git").exists() && above.join(file).exists()),
            Some(before) => before.ends_with('/') && root.ends_with(before),
            None => false,
        };
        self.0
            .iter()
            .filter(|(name, _)| is_it(name))
            .any(|(_, lines)| lines.range(first..=last).next().is_some())
    }
}

/// The file that a line `+++ …` names, without its `b/`; none if the file is deleted.
fn file_of(text: &str) -> Option<String> {
    let name = match text.strip_prefix('"') {
        Some(quoted) => unquote(quoted),
        None => text.split('\t').next().unwrap_or(text).trim().to_owned(),
    };
    (name != "/dev/null").then(|| name.strip_prefix("b/").unwrap_or(&name).to_owned())
}

/// A name that git has quoted because of its characters, up to the closing quote: bytes that are not printable ASCII are
/// octal.
fn unquote(text: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), text.bytes().peekable());
    while let Some(byte) = rest.next() {
        match (byte, rest.peek()) {
            (b'"', _) => break,
            (b'\\', Some(b'0'..=b'7')) => {
                let digits = std::iter::from_fn(|| rest.next_if(|it| matches!(it, b'0'..=b'7')));
                let value = digits.take(3).fold(0_u32, |value, digit| value * 8 + u32::from(digit - b'0'));
                bytes.push(value as u8);
            }
            (b'\\', Some(_)) => bytes.extend(rest.next().map(|escape| match escape {
                b'a' => 7,
                b'b' => 8,
                b't' => b'\t',
                b'n' => b'\n',
                b'v' => 11,
                b'f' => 12,
                b'r' => b'\r',
                other => other,
            })),
            (other, _) => bytes.push(other),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Input: `-3,2 +3,4 @@ fn f`. Output: the number of old lines, and the first new line and the number of new lines.
fn hunk(text: &str) -> Option<(u32, (u32, u32))> {
    let mut parts = text.split(' ');
    let (old, new) = (parts.next()?.strip_prefix('-')?, parts.next()?.strip_prefix('+')?);
    let read = |part: &str| match part.split_once(',') {
        Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
        None => Some((part.parse().ok()?, 1)),
    };
    Some((read(old)?.1, read(new)?))
}

#[cfg(test)]
mod generated;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_a_diff_adds_or_changes() {
        let diff = "diff --git a/x/src/lib.rs b/x/src/lib.rs\n--- a/x/src/lib.rs\n+++ b/x/src/lib.rs\n@@ -3,4 +3,5 @@ fn f\n same\n-old\n\
                    +new\n+++ i\n same\n same\n@@ -20 +21,0 @@\n-gone\n--- a/y.rs\n+++ /dev/null\n@@ -1 +0,0 @@\n-y\n";
        let lines = Lines::read(diff);
        let root = Path::new("repository/x");
        let touch = |file, first, last| lines.touch(root, file, first, last);
        assert!(touch("src/lib.rs", 4, 4) && touch("src/lib.rs", 5, 5));
        assert!(!touch("src/lib.rs", 3, 3) && !touch("src/lib.rs", 6, 20));
        assert!(touch("src/lib.rs", 1, 30) && touch("src/lib.rs", 21, 21));
        assert!(!touch("rc/lib.rs", 4, 4) && !touch("y.rs", 1, 1));
        // The same name in another package is another file.
        assert!(!lines.touch(Path::new("repository/z"), "src/lib.rs", 4, 4));
        assert!(lines.touch(Path::new("repository"), "x/src/lib.rs", 4, 4));
    }

    /// git quotes names that are not plain ASCII, unless `core.quotePath` is off.
    #[test]
    fn quoted_names() {
        for (written, name) in [
            ("\"b/src/caf\\303\\251.rs\"", "src/café.rs"),
            ("b/src/café.rs", "src/café.rs"),
            ("\"b/a\\\"b\\\\c\\td.rs\"", "a\"b\\c\td.rs"),
            ("\"b/no end\\", "no end\\"),
            ("\"b/no text\\377\"", "no text\u{fffd}"),
        ] {
            let lines = Lines::read(&format!("--- a/x\n+++ {written}\n@@ -0,0 +1 @@\n+new\n"));
            assert!(lines.touch(Path::new("repository"), name, 1, 1), "{written}: {lines:?}");
        }
    }

    /// No file has such line numbers, but a diff may contain them.
    #[test]
    fn numbers_at_the_end_of_their_range() {
        let hunk = |start: &str, counts: &str| {
            format!(
                "--- a/x.rs\n+++ b/x.rs\n@@ -{start},{counts} +{start},{counts} @@\n same\n-old\n+new\n+newer\n same\n"
            )
        };
        for start in ["4294967295", "4294967294", "4294967296", "18446744073709551616", "0"] {
            for counts in ["3", "0", "4294967295", "4294967296"] {
                let lines = Lines::read(&hunk(start, counts).repeat(2));
                assert!(!lines.touch(Path::new("repository"), "x.rs", 10, 20), "{start},{counts}");
            }
        }
    }
}
