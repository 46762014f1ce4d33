//! A numbered list of mutants, in memory and as text: which mutants are compiled in, and the number that switches each on.
//!
//! The first line names the kind of the file and the package; then there is a line for each mutant, with tabs between its
//! number, operator, file, extent and replacement, and a last word if it is compiled apart. The number 0 is the original.

use std::fmt::Write;

use crate::extent::{Extent, Position};
use crate::mutant::Mutant;
use crate::operator::Operator;

/// How the text form begins.
const HEADER: &str = "insyn mutants 1";

/// The end of the line of a mutant that is compiled apart.
const APART: &str = "\tapart";

/// A mutant and the number that switches it on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbered {
    /// From one.
    pub number: u32,
    /// The mutant.
    pub mutant: Mutant,
    /// Whether it gets its own copy of the function's body: moves and borrows in one branch affect all code after it, so
    /// mutants that compile alone may not compile together.
    pub apart: bool,
}

/// Numbers mutants in their order, from one.
pub fn number(mutants: impl IntoIterator<Item = Mutant>) -> Vec<Numbered> {
    (1..).zip(mutants).map(|(number, mutant)| Numbered { number, mutant, apart: false }).collect()
}

/// The text form of a list of mutants of a package.
pub fn write_list<'a>(package: &str, list: impl IntoIterator<Item = &'a Numbered>) -> String {
    let mut text = format!("{HEADER}\t{}\n", escape(package));
    for Numbered { number, mutant, apart } in list {
        let Mutant { file, extent, operator, replacement, .. } = mutant;
        let (file, replacement) = (escape(file), escape(replacement));
        let apart = if *apart { APART } else { "" };
        let _ = writeln!(text, "{number}\t{operator}\t{file}\t{extent}\t{replacement}{apart}");
    }
    text
}

/// An error in the text form of a list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ListError {
    /// It is no list, or one of another version.
    #[error("not a list of mutants of this version: it begins with `{0}`, not with `{HEADER}`")]
    Header(String),
    /// A line lacks a field.
    #[error("line {line} of the list of mutants has no {missing}")]
    Line {
        /// Which line.
        line: usize,
        /// What it lacks.
        missing: &'static str,
    },
}

/// Reads the text form of a list: the package, and its mutants. Functions and reasons are not in it.
pub fn read_list(text: &str) -> Result<(String, Vec<Numbered>), ListError> {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let Some(package) = first.strip_prefix(HEADER).and_then(|rest| rest.strip_prefix('\t')) else {
        return Err(ListError::Header(first.chars().take(40).collect()));
    };
    let read = |(at, line)| read_line(line).map_err(|missing| ListError::Line { line: at + 2, missing });
    Ok((unescape(package), lines.enumerate().map(read).collect::<Result<_, _>>()?))
}

fn read_line(line: &str) -> Result<Numbered, &'static str> {
    let (line, apart) = line.strip_suffix(APART).map_or((line, false), |line| (line, true));
    let mut parts = line.split('\t');
    let mut next = |missing| parts.next().ok_or(missing);
    let number = next("number")?.parse().ok().filter(|number| *number > 0).ok_or("number")?;
    let operator = Operator::find(next("operator")?).ok_or("known operator")?;
    let file = unescape(next("file")?);
    let extent = read_extent(next("extent")?).ok_or("extent")?;
    let replacement = unescape(next("replacement")?);
    let (function, skipped) = (String::new(), None);
    let mutant = Mutant { file, extent, operator, replacement, function, skipped };
    Ok(Numbered { number, mutant, apart })
}

/// Input: `3:5-3:9`.
fn read_extent(text: &str) -> Option<Extent> {
    let position = |text: &str| {
        let (line, column) = text.split_once(':')?;
        Some(Position { line: line.parse().ok()?, column: column.parse().ok()? })
    };
    let (start, end) = text.split_once('-')?;
    Some(Extent { start: position(start)?, end: position(end)? })
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
}

fn unescape(text: &str) -> String {
    let mut letters = text.chars();
    let mut plain = String::new();
    while let Some(letter) = letters.next() {
        plain.push(match letter {
            '\\' => match letters.next() {
                Some('t') => '\t',
                Some('n') => '\n',
                Some('r') => '\r',
                Some(other) => other,
                None => '\\',
            },
            letter => letter,
        });
    }
    plain
}
