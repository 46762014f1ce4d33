//! The text of a source file, by lines and columns.

use quote::ToTokens;

use crate::extent::{Extent, Position};

/// The mark that some editors begin a file with. The compiler does not count it.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The text of a file, and where its lines begin.
#[derive(Clone, Debug)]
pub(crate) struct Text<'a> {
    source: &'a str,
    lines: Vec<usize>,
}

impl<'a> Text<'a> {
    pub(crate) fn new(source: &'a str) -> Self {
        let first = if source.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 };
        let lines = [first].into_iter().chain(source.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Text { source, lines }
    }

    /// The offset of the byte after a position; none if there is no such line or column.
    pub(crate) fn offset(&self, at: Position) -> Option<usize> {
        let line = *self.lines.get((at.line as usize).checked_sub(1)?)?;
        let rest = &self.source[line..];
        let width = rest.find('\n').unwrap_or(rest.len());
        let column = (at.column as usize).checked_sub(1)?;
        rest[..width].char_indices().map(|(at, _)| at).chain([width]).nth(column).map(|column| line + column)
    }

    /// The bytes of an extent.
    pub(crate) fn range(&self, extent: Extent) -> Option<std::ops::Range<usize>> {
        let (start, end) = (self.offset(extent.start)?, self.offset(extent.end)?);
        (start <= end).then_some(start..end)
    }

    /// The text of an extent; empty if the file has no such place.
    pub(crate) fn slice(&self, extent: Extent) -> &'a str {
        self.range(extent).map_or("", |range| &self.source[range])
    }

    /// The text of a piece of syntax, as it was written.
    pub(crate) fn of(&self, syntax: &impl ToTokens) -> &'a str {
        Extent::of(syntax).map_or("", |extent| self.slice(extent))
    }

    /// The position before a byte.
    pub(crate) fn position(&self, offset: usize) -> Position {
        let line = self.lines.partition_point(|start| *start <= offset).max(1);
        let start = self.lines[line - 1].min(offset);
        let column = self.source[start..offset].chars().count();
        Position { line: line as u32, column: column as u32 + 1 }
    }

    pub(crate) fn source(&self) -> &'a str {
        self.source
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_characters() {
        let text = Text::new("\u{feff}ab\r\nö\tx\n");
        let at = |line, column| Position { line, column };
        assert_eq!(text.offset(at(1, 1)), Some(3));
        assert_eq!(text.offset(at(2, 3)), Some(10));
        assert_eq!(text.offset(at(2, 6)), None);
        assert_eq!(text.offset(at(9, 1)), None);
        assert_eq!(text.position(10), at(2, 3));
        assert_eq!(text.slice(Extent { start: at(2, 1), end: at(2, 2) }), "ö");
    }
}
