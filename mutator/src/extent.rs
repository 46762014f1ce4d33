//! Where code is, counted as the compiler counts: lines and columns from one, columns in characters.
//!
//! An extent goes from the first to the last token, because inside a macro the compiler does not join spans. So it is the
//! same for the text of a file and for the tokens that a macro gets.

use std::fmt;

use proc_macro2::{Delimiter, LineColumn, TokenStream, TokenTree};
use quote::ToTokens;

/// A place between two characters: before the one at this line and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from one.
    pub line: u32,
    /// The column in characters, from one.
    pub column: u32,
}

impl From<LineColumn> for Position {
    fn from(place: LineColumn) -> Self {
        Position { line: place.line as u32, column: place.column as u32 + 1 }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A piece of text, from one position up to (not including) another. Both are the same for an insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Extent {
    /// Where it begins.
    pub start: Position,
    /// Where it ends.
    pub end: Position,
}

impl Extent {
    /// The extent of a piece of syntax; none if it has no tokens.
    pub fn of(syntax: &impl ToTokens) -> Option<Self> {
        Self::of_tokens(syntax.to_token_stream())
    }

    pub(crate) fn of_tokens(tokens: TokenStream) -> Option<Self> {
        let mut tokens = tokens.into_iter();
        let first = tokens.next()?;
        let last = tokens.last();
        let first = Self::of_token(&first);
        match last {
            Some(last) => Some(Extent { start: first.start, end: Self::of_token(&last).end }),
            None => Some(first),
        }
    }

    pub(crate) fn of_token(token: &TokenTree) -> Self {
        match token {
            TokenTree::Group(group) => match group.delimiter() {
                Delimiter::None => Self::of_tokens(group.stream()).unwrap_or_else(|| Self::at(group.span())),
                _ => Extent { start: group.span_open().start().into(), end: group.span_close().end().into() },
            },
            other => Self::at(other.span()),
        }
    }

    fn at(span: proc_macro2::Span) -> Self {
        Extent { start: span.start().into(), end: span.end().into() }
    }

    /// The empty extent at a position.
    pub(crate) fn empty(at: Position) -> Self {
        Extent { start: at, end: at }
    }

    /// From the beginning of one to the end of another.
    pub(crate) fn to(self, last: Extent) -> Self {
        Extent { start: self.start, end: last.end }
    }

    /// The smallest extent that contains both.
    pub(crate) fn around(self, other: Extent) -> Self {
        Extent { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Whether this extent contains the other.
    pub fn contains(&self, other: &Extent) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The part between the delimiters, which are one character each.
    pub(crate) fn inside(self) -> Self {
        Extent {
            start: Position { column: self.start.column + 1, ..self.start },
            end: Position { column: self.end.column.saturating_sub(1), ..self.end },
        }
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.start, self.end)
    }
}
