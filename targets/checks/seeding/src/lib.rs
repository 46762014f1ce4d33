//! Applies unified diffs, to the letter: no line is searched for elsewhere, and none is passed over.

use std::fmt;

/// Why a patch cannot be applied.
#[derive(Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are the parts of the message")]
pub enum PatchError {
    /// A hunk does not say where it begins.
    NoLineNumber { hunk: String },
    /// An unchanged line must begin with a space.
    EmptyLine,
    /// A change comes before any hunk.
    OutsideHunk { line: String },
    /// The text has something else there.
    Differs { number: usize, there: String, expected: String },
    /// The text ends before a line of the patch.
    TextEnds { expected: String },
    /// A line is neither kept, taken away nor added.
    NoSign { line: String },
    /// There is no hunk.
    ChangesNothing,
}

impl fmt::Display for PatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PatchError::NoLineNumber { hunk } => write!(f, "no line number in `{hunk}`"),
            PatchError::EmptyLine => f.write_str("an empty line; an unchanged one begins with a space"),
            PatchError::OutsideHunk { line } => write!(f, "`{line}` comes before any `@@`"),
            PatchError::Differs { number, there, expected } => {
                write!(f, "line {number} is `{there}`, not `{expected}`")
            }
            PatchError::TextEnds { expected } => write!(f, "the text ends before `{expected}`"),
            PatchError::NoSign { line } => {
                write!(f, "`{line}` begins with none of `+`, `-` and a space")
            }
            PatchError::ChangesNothing => f.write_str("it changes nothing"),
        }
    }
}

impl std::error::Error for PatchError {}

/// Applies a patch, as `diff -u` writes it, to a text.
///
/// # Errors
/// Where the text is not the one that the patch was made of, or the patch is none.
pub fn apply(text: &str, patch: &str) -> Result<String, PatchError> {
    let mut old = text.lines().enumerate();
    let mut new = String::new();
    let mut keep = |line: &str| {
        new.push_str(line);
        new.push('\n');
    };
    let mut hunks = 0;
    for line in patch.lines().filter(|line| !is_header(line)) {
        if let Some(range) = line.strip_prefix("@@ -") {
            let start = range.split([',', ' ']).next().unwrap_or_default();
            let start: usize =
                start.parse().map_err(|_| PatchError::NoLineNumber { hunk: line.to_owned() })?;
            // The lines between two hunks stay.
            while old.clone().next().is_some_and(|(number, _)| number + 1 < start) {
                keep(old.next().map_or("", |(_, line)| line));
            }
            hunks += 1;
            continue;
        }
        let (sign, content) = line.split_at_checked(1).ok_or(PatchError::EmptyLine)?;
        if hunks == 0 {
            return Err(PatchError::OutsideHunk { line: line.to_owned() });
        }
        match sign {
            "+" => keep(content),
            " " | "-" => match old.next() {
                Some((_, there)) if there == content => {
                    if sign == " " {
                        keep(content);
                    }
                }
                Some((number, there)) => {
                    let (there, expected) = (there.to_owned(), content.to_owned());
                    return Err(PatchError::Differs { number: number + 1, there, expected });
                }
                None => return Err(PatchError::TextEnds { expected: content.to_owned() }),
            },
            _ => return Err(PatchError::NoSign { line: line.to_owned() }),
        }
    }
    if hunks == 0 {
        return Err(PatchError::ChangesNothing);
    }
    old.for_each(|(_, line)| keep(line));
    Ok(new)
}

/// The lines that a patch takes away and adds, each with `-` or `+` before it.
pub fn changes(patch: &str) -> Vec<&str> {
    patch.lines().filter(|line| line.starts_with(['-', '+']) && !is_header(line)).collect()
}

fn is_header(line: &str) -> bool {
    line.starts_with("--- ") || line.starts_with("+++ ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a\nb\nc\nd\ne\nf\n";

    #[test]
    fn hunks_are_applied() {
        let patch = "--- old\n+++ new\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n@@ -5,2 +5,3 @@\n e\n+between\n f\n";
        assert_eq!(apply(TEXT, patch).as_deref(), Ok("a\nB\nc\nd\ne\nbetween\nf\n"));
        assert_eq!(changes(patch), ["-b", "+B", "+between"]);
    }

    #[test]
    fn another_text_is_refused() {
        let refusal = |patch: &str| apply(TEXT, patch).map_err(|error| error.to_string());
        let patch = "--- old\n+++ new\n@@ -2,2 +2,1 @@\n-b\n-x\n";
        assert_eq!(refusal(patch), Err("line 3 is `c`, not `x`".to_owned()));
        let longer = "--- old\n+++ new\n@@ -6,2 +6,2 @@\n f\n g\n";
        assert_eq!(refusal(longer), Err("the text ends before `g`".to_owned()));
    }

    #[test]
    fn what_is_no_patch_is_refused() {
        assert_eq!(apply(TEXT, ""), Err(PatchError::ChangesNothing));
        assert_eq!(apply(TEXT, "+x\n"), Err(PatchError::OutsideHunk { line: "+x".to_owned() }));
        assert!(apply(TEXT, "@@ -x @@\n").is_err());
        assert!(apply(TEXT, "@@ -1,1 +1,1 @@\n*a\n").is_err());
    }
}
