//! The positions of the parts of an input in its test file. Programs read an input from its text form, and report
//! errors by a column of the text form.

use crate::problem::Position;
use crate::reader::Reader;
use crate::yaml::{Content, Node};

/// The positions of the parts of an input, by where they start in its text form.
#[derive(Clone, Debug, Default)]
pub struct Places(Vec<(usize, Position)>);

impl Places {
    /// The positions for an input that has been read. Its text form is JSON on one line.
    pub(super) fn of(reader: &Reader, node: &Node) -> Places {
        let mut writer = Writer { reader, length: 0, places: Vec::new() };
        writer.write(node);
        Places(writer.places)
    }

    /// The position of the part at a column of the text form, from 1.
    pub fn at(&self, column: usize) -> Option<&Position> {
        let after = self.0.partition_point(|(start, _)| *start < column);
        after.checked_sub(1).map(|last| &self.0[last].1)
    }
}

/// Goes through an input in the order of its text form, and notes the number of characters before each part.
struct Writer<'r> {
    reader: &'r Reader,
    length: usize,
    places: Vec<(usize, Position)>,
}

impl Writer<'_> {
    fn write(&mut self, node: &Node) {
        self.places.push((self.length, self.reader.position(node)));
        match &node.content {
            Content::List(all) => self.group(all, |writer, it| writer.write(it)),
            Content::Map(all) => {
                let mut sorted: Vec<_> = all.iter().collect();
                sorted.sort_by_key(|(key, _)| &key.text);
                self.group(&sorted, |writer, (key, it)| {
                    writer.places.push((writer.length, writer.reader.key(key)));
                    writer.pass(&serde_json::Value::from(key.text.as_str()));
                    writer.length += 1;
                    writer.write(it);
                });
            }
            _ => self.pass(&node.to_data()),
        }
    }

    /// Items in brackets, separated by commas.
    fn group<T>(&mut self, all: &[T], mut one: impl FnMut(&mut Self, &T)) {
        self.length += 1;
        for (n, it) in all.iter().enumerate() {
            self.length += usize::from(n > 0);
            one(self, it);
        }
        self.length += 1;
    }

    fn pass(&mut self, data: &serde_json::Value) {
        self.length += data.to_string().chars().count();
    }
}
