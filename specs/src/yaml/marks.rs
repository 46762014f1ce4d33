//! The second pass over a YAML text: the positions of its nodes, and nothing else.
//!
//! This is the only file that names the library with positions. Aliases are not followed: a node behind an alias has the position
//! of the alias. If this library rejects a text that the other one has read, the positions found so far are
//! used.

use std::collections::BTreeSet;

use saphyr_parser::{Event, Parser, Span};

/// The position of a node, from 1, and of the nodes inside it: the items of a list, or the keys and values of a mapping in turn.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) line: usize,
    pub(super) column: usize,
    /// For a text that appears verbatim on one line: the column of its first character.
    pub(super) verbatim: Option<usize>,
    pub(super) inner: Vec<Mark>,
    /// For a mapping with a duplicate key: the position of the second one.
    pub(super) twice: Option<(usize, usize)>,
    /// For a mapping that has not ended: its keys.
    keys: Option<BTreeSet<String>>,
}

impl Mark {
    fn at(span: Span) -> Mark {
        Mark { line: span.start.line(), column: span.start.col() + 1, ..Mark::default() }
    }

    /// Records the next scalar, if it is a key.
    fn add_key(&mut self, value: &str, at: (usize, usize)) {
        let is_key = self.inner.len().is_multiple_of(2);
        if let Some(keys) = self.keys.as_mut().filter(|_| is_key)
            && !keys.insert(value.to_owned())
        {
            self.twice.get_or_insert(at);
        }
    }

    /// The position of the first duplicate key in the document.
    pub(super) fn first_twice(&self) -> Option<(usize, usize)> {
        self.inner.iter().filter_map(Mark::first_twice).chain(self.twice).min()
    }
}

/// The positions of the nodes in the first document of a text.
pub(super) fn of(text: &str) -> Mark {
    let mut rest = Rest { text, index: 0 };
    // Nodes that have started and not ended; the outermost one holds the document.
    let mut open = vec![Mark { line: 1, column: 1, ..Mark::default() }];
    for event in Parser::new_from_str(text) {
        let Ok((event, span)) = event else { break };
        let done = match event {
            Event::SequenceStart(..) => {
                open.push(Mark::at(span));
                continue;
            }
            Event::MappingStart(..) => {
                open.push(Mark { keys: Some(BTreeSet::new()), ..Mark::at(span) });
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => open.pop(),
            Event::Scalar(value, ..) => {
                let mark = Mark::at(span);
                if let Some(outer) = open.last_mut() {
                    outer.add_key(&value, (mark.line, mark.column));
                }
                Some(Mark { verbatim: rest.verbatim(&value, span, mark.column), ..mark })
            }
            Event::Alias(_) => Some(Mark::at(span)),
            Event::DocumentEnd => break,
            _ => continue,
        };
        if let (Some(done), Some(outer)) = (done, open.last_mut()) {
            outer.inner.push(done);
        }
    }
    while let Some(last) = open.pop() {
        match open.last_mut() {
            Some(outer) => outer.inner.push(last),
            None => {
                return last.inner.into_iter().next().unwrap_or(Mark {
                    line: 1,
                    column: 1,
                    ..Mark::default()
                });
            }
        }
    }
    unreachable!("there is always the outermost")
}

/// The part of the text that has not been passed yet. Scalars come in the order of the text, so the text is passed once.
struct Rest<'t> {
    text: &'t str,
    /// How many characters have been passed.
    index: usize,
}

impl Rest<'_> {
    /// The column at which a value appears verbatim in its line, bare or in quotes.
    fn verbatim(&mut self, value: &str, span: Span, column: usize) -> Option<usize> {
        let skip = span.start.index().checked_sub(self.index)?;
        let start = self.text.char_indices().nth(skip)?.0;
        (self.text, self.index) = (&self.text[start..], span.start.index());
        match self.text.strip_prefix(['"', '\'']) {
            Some(quoted) => quoted.starts_with(value).then_some(column + 1),
            None => self.text.starts_with(value).then_some(column),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(mark: &Mark) -> (usize, usize) {
        (mark.line, mark.column)
    }

    #[test]
    fn every_node_has_its_place() {
        let mark = of("a: &g 1\nb:\n  - x\n  - {c: 'd e', f: *g}\nh: |\n  text\n");
        let places: Vec<_> = mark.inner.iter().map(place).collect();
        assert_eq!(places[..3], [(1, 1), (1, 4), (2, 1)]);
        let list = &mark.inner[3];
        assert_eq!(place(&list.inner[0]), (3, 5));
        let map = &list.inner[1];
        assert_eq!(map.inner.iter().map(place).collect::<Vec<_>>(), [(4, 6), (4, 9), (4, 16), (4, 19)]);
        assert_eq!(map.inner[1].verbatim, Some(10));
    }

    #[test]
    fn what_is_refused_later_is_marked_up_to_there() {
        let mark = of("a: 1\nb: [1, 2\n");
        assert_eq!(place(&mark.inner[2]), (2, 1));
    }
}
