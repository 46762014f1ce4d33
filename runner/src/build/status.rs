//! What cargo prints while it builds mutants. Its errors are about mutants that do not compile, which is no failure; its status
//! lines are passed on.

use std::io::{BufRead as _, BufReader, Read};

use insyn_sequences::harmless;

use crate::display::Paint;
use crate::progress;

/// The column in which cargo's status words end.
const COLUMN: usize = 12;

/// Reads all that cargo prints, and passes status lines on as they come.
pub(super) fn heard(stream: impl Read) -> String {
    let mut text = String::new();
    let mut lines = BufReader::new(stream);
    let mut bytes = Vec::new();
    // An unreadable stream ends like any other: cargo's exit code counts.
    while lines.read_until(b'\n', &mut bytes).is_ok_and(|n| n > 0) {
        let line = String::from_utf8_lossy(&bytes);
        if let Some((word, rest)) = status(&line) {
            progress::status(Paint::Good, word, &harmless::line(rest));
        }
        text.push_str(&line);
        bytes.clear();
    }
    text
}

/// The word and the rest of a status line: `   Compiling bank v0.1.0`.
fn status(line: &str) -> Option<(&str, &str)> {
    let words = line.trim_end();
    let (word, rest) = words.trim_start().split_once(' ')?;
    let is_aligned = words.len() - words.trim_start().len() + word.len() == COLUMN;
    (is_aligned && word.starts_with(|c: char| c.is_ascii_uppercase())).then_some((word, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_no_status() {
        assert_eq!(
            status("   Compiling bank v0.1.0 (/home/bank)\n"),
            Some(("Compiling", "bank v0.1.0 (/home/bank)"))
        );
        assert_eq!(
            status("    Blocking waiting for file lock on build directory\n"),
            Some(("Blocking", "waiting for file lock on build directory"))
        );
        for line in [
            "error: could not compile `bank`\n",
            "warning: unused\n",
            "  process didn't exit\n",
            "\n",
            "Caused by:\n",
        ] {
            assert_eq!(status(line), None, "{line}");
        }
        assert_eq!(heard(&b"   Compiling bank\nerror: \xff\n"[..]), "   Compiling bank\nerror: \u{fffd}\n");
    }
}
