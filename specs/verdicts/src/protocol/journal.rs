//! The journal of a worker: a file that shows where the worker was when it died.

use serde::{Deserialize, Serialize};

/// The environment variable that names the file of the journal.
pub const JOURNAL: &str = "INSYN_JOURNAL";

/// The contents of a journal: five numbers in the byte order of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Journal {
    /// Where the worker is.
    pub moment: Moment,
    /// Why the end of the worker does not follow from what the program does, if so.
    pub foreign: Option<Foreign>,
}

/// An end of a worker that does not follow from what the program does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foreign {
    /// Another process sent this signal. Only signals that a program could also cause itself are recorded.
    Signal(i32),
    /// The link to the command is broken.
    Link,
}

impl Foreign {
    const LINK: u64 = u64::MAX;

    /// Its number in the file; 0 is none.
    pub fn number(self) -> u64 {
        match self {
            Foreign::Signal(signal) => signal.unsigned_abs().into(),
            Foreign::Link => Foreign::LINK,
        }
    }

    fn of(number: u64) -> Option<Foreign> {
        match number {
            0 => None,
            Foreign::LINK => Some(Foreign::Link),
            signal => i32::try_from(signal).ok().map(Foreign::Signal),
        }
    }
}

/// A moment in the run of a worker that tries a mutant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// The mutant that was on; 0 is the original.
    pub mutant: u32,
    /// How many runs had been started since the mutant was first switched on.
    pub run: u64,
    /// The number of events in the last run.
    pub events: u64,
    /// Whether the run was over, and its remains were being cleaned up.
    pub over: bool,
}

impl Journal {
    /// The contents of the file before a worker writes to it.
    pub const EMPTY: [u8; 40] = [0; 40];

    /// Reads what is in the file; none if it is not a journal.
    pub fn of(bytes: &[u8]) -> Option<Journal> {
        let number = |n: usize| Some(u64::from_ne_bytes(bytes.get(n * 8..n * 8 + 8)?.try_into().ok()?));
        let moment =
            Moment { mutant: number(0)? as u32, run: number(1)?, events: number(2)?, over: number(3)? != 0 };
        Some(Journal { moment, foreign: Foreign::of(number(4)?) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_ends_are_read_as_they_were_written() {
        for foreign in [None, Some(Foreign::Signal(6)), Some(Foreign::Link)] {
            let mut bytes = Journal::EMPTY;
            bytes[32..].copy_from_slice(&foreign.map_or(0, Foreign::number).to_ne_bytes());
            assert_eq!(Journal::of(&bytes).map(|it| it.foreign), Some(foreign));
        }
        assert_eq!(Journal::of(&Journal::EMPTY[1..]), None);
    }
}
