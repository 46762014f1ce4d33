//! Words: total orders of the events of a specification. A specification accepts or rejects words, generates valid ones, and
//! programs are forced to follow them.

use std::fmt;
use std::sync::Arc;

use insyn_sequences::Value;

/// An event of a specification, with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Letter {
    /// Its place among the events of the specification.
    pub event: usize,
    /// Its name there.
    pub name: Arc<str>,
    /// Its arguments, in the order of their declaration. Letters are copied often, and share them.
    pub arguments: Arc<[Value]>,
}

/// As in a test: `deposit`, `deposit(3)`.
impl fmt::Display for Letter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (i, argument) in self.arguments.iter().enumerate() {
            write!(f, "{}{argument}", if i == 0 { "(" } else { ", " })?;
        }
        if self.arguments.is_empty() { Ok(()) } else { f.write_str(")") }
    }
}

/// Events of a specification in a total order.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Word(pub Vec<Letter>);

/// The events with spaces between them; a dash if there are none.
impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, letter) in self.0.iter().enumerate() {
            write!(f, "{}{letter}", if i == 0 { "" } else { " " })?;
        }
        if self.0.is_empty() { f.write_str("-") } else { Ok(()) }
    }
}
