//! One mutant: a change of the text at one place.

use std::fmt;
use std::ops::Range;

use crate::extent::{Extent, Position};
use crate::operator::Operator;
use crate::text::Text;

/// A mutant. Its identity is the file, the operator, the extent and the replacement. It depends neither on the order in
/// which mutants are found nor on other mutants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// The file, from the root of the package, with `/` between its parts.
    pub file: String,
    /// What was replaced.
    pub extent: Extent,
    /// The operator that made it.
    pub operator: Operator,
    /// The new text.
    pub replacement: String,
    /// The function it is in, with the type it belongs to. No part of the identity.
    pub function: String,
    /// The reason, from a comment in the source, why it is skipped, if it is. No part of the identity.
    pub skipped: Option<String>,
}

/// The order of lists: by file, position, operator and replacement.
impl Ord for Mutant {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let key = |mutant: &Self| (mutant.extent, mutant.operator.family, mutant.operator.code);
        self.file
            .cmp(&other.file)
            .then_with(|| key(self).cmp(&key(other)))
            .then_with(|| self.replacement.cmp(&other.replacement))
    }
}

impl PartialOrd for Mutant {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Mutant {
    /// A short name that stays the same as long as the identity does, such as `GBS-5c0d93f1`.
    pub fn id(&self) -> String {
        let identity = format!("{}\0{}\0{}\0{}", self.file, self.operator, self.extent, self.replacement);
        format!("{}-{:08x}", self.operator.code, hash(identity.as_bytes()))
    }

    /// Applies the mutant to the text of its file. Everything else stays as it is, byte for byte.
    pub fn apply(&self, source: &str) -> Result<String, Misplaced> {
        let range = self.range(source)?;
        Ok([&source[..range.start], &self.replacement, &source[range.end..]].concat())
    }

    /// The change in one line: the text before and after it.
    pub fn change(&self, source: &str) -> Result<String, Misplaced> {
        Ok(change(&one_line(self.replaced(source)?), &one_line(&self.replacement)))
    }

    /// Where the mutant is, in which function, and what it changes: `` src/lib.rs:1:47 in f: `<` replaced by `>` ``. Long texts are
    /// cut in the middle.
    pub fn describe(&self, source: &str) -> Result<String, Misplaced> {
        let function = match self.function.is_empty() {
            true => String::new(),
            false => format!(" in {}", self.function),
        };
        let change = change(&brief(self.replaced(source)?), &brief(&self.replacement));
        Ok(format!("{}:{}{function}: {change}", self.file, self.extent.start))
    }

    /// What the mutant replaces in the text of its file.
    pub fn replaced<'s>(&self, source: &'s str) -> Result<&'s str, Misplaced> {
        Ok(&source[self.range(source)?])
    }

    fn range(&self, source: &str) -> Result<Range<usize>, Misplaced> {
        Text::new(source).range(self.extent).ok_or_else(|| Misplaced {
            file: self.file.clone(),
            position: self.extent.start,
            id: self.id(),
        })
    }

    /// The change as a unified diff with three lines around it.
    #[cfg(feature = "packages")]
    pub fn diff(&self, source: &str) -> Result<String, Misplaced> {
        let mutated = self.apply(source)?;
        let header = format!("{} {}", self.file, self.id());
        Ok(similar::TextDiff::from_lines(source, mutated.as_str())
            .unified_diff()
            .context_radius(3)
            .header(&self.file, &header)
            .to_string())
    }
}

/// `src/buffer.rs:12:17: GBS replaced by <=`
impl fmt::Display for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mutant { file, extent, operator, replacement, .. } = self;
        write!(f, "{file}:{}: {operator} ", extent.start)?;
        let replacement = one_line(replacement);
        match (replacement.is_empty(), extent.start == extent.end) {
            (true, _) => write!(f, "deleted"),
            (false, true) => write!(f, "inserted `{replacement}`"),
            (false, false) => write!(f, "replaced by `{replacement}`"),
        }
    }
}

fn change(before: &str, after: &str) -> String {
    match (before.is_empty(), after.is_empty()) {
        (_, true) => format!("`{before}` deleted"),
        (true, false) => format!("`{after}` inserted"),
        (false, false) => format!("`{before}` replaced by `{after}`"),
    }
}

/// A text on one line, without its middle if it is long.
fn brief(text: &str) -> String {
    const MOST: usize = 60;
    const ENDS: [usize; 2] = [40, 16];
    let text = one_line(text);
    let length = text.chars().count();
    if length <= MOST {
        return text;
    }
    let start: String = text.chars().take(ENDS[0]).collect();
    let end: String = text.chars().skip(length - ENDS[1]).collect();
    format!("{} … {}", start.trim_end(), end.trim_start())
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The mutant does not fit the text that it was applied to.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{file}:{position}: the file has no such place, so it is not the one that the mutant {id} was found in; find mutants again"
)]
pub struct Misplaced {
    /// The file.
    pub file: String,
    /// Where the mutant should be.
    pub position: Position,
    /// The mutant.
    pub id: String,
}

/// FNV-1a, folded to 32 bits: the same hash on every machine and in every release.
fn hash(bytes: &[u8]) -> u32 {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    });
    (hash ^ (hash >> 32)) as u32
}
