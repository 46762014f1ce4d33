//! What is measured: every program, and how far it is explored.

use crate::program::Program;
use crate::{alone, on_insyn};

/// How far a program is explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Exhaustively: it has this many sequences.
    All(u64),
    /// The first executions, this many: the program has too many sequences to run them all.
    First(u64),
}

/// A program and how far it is explored.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// What commands and files call the program.
    pub key: &'static str,
    /// What tables call the program.
    pub title: &'static str,
    /// How far the program is explored.
    pub extent: Extent,
    body: fn(),
}

/// Of a long program, the first run and a few dozen variants.
const FIRST: u64 = 40;

impl Measured {
    /// Everything that is measured, in the order of tables.
    pub fn all() -> Vec<Measured> {
        let compared = Program::ALL.into_iter().map(|program| Measured {
            key: key_of(program),
            title: program.title(),
            extent: Extent::All(program.sequences()),
            body: on_insyn::body(program),
        });
        let alone = [
            Measured {
                key: "polling",
                title: "polling 2 × 2, 11 polls",
                extent: Extent::All(alone::POLLING_SEQUENCES),
                body: alone::polling,
            },
            Measured {
                key: "long-channel",
                title: "1,000 messages + 3",
                extent: Extent::First(FIRST),
                body: alone::long_channel,
            },
            Measured {
                key: "long-lock",
                title: "1,000 + 1,000 locks",
                extent: Extent::First(FIRST),
                body: alone::long_lock,
            },
        ];
        compared.chain(alone).collect()
    }

    /// Explores the program once.
    ///
    /// # Panics
    /// If the program fails, or has another number of sequences than it should: what was measured would be another program.
    pub fn explore(&self) {
        let explorer = match self.extent {
            Extent::All(_) => on_insyn::explorer(),
            Extent::First(executions) => on_insyn::explorer().max_executions(executions),
        };
        let exploration = explorer.explore(self.body);
        assert!(exploration.failures.is_empty(), "{} fails: {:?}", self.title, exploration.failures);
        let (explored, expected) = match self.extent {
            Extent::All(sequences) => (exploration.sequences, sequences),
            Extent::First(executions) => (exploration.executions, executions),
        };
        assert_eq!(explored, expected, "{}: as many as expected", self.title);
    }
}

fn key_of(program: Program) -> &'static str {
    match program {
        Program::FanIn6 => "fan-in-6",
        Program::FanIn7 => "fan-in-7",
        Program::ProdCons => "prod-cons",
        Program::BufferMonitor => "buffer-monitor",
        Program::BufferServer => "buffer-server",
        Program::RequestReply => "request-reply",
        Program::Philosophers => "philosophers",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_has_the_sequences_it_should_have() {
        Measured::all().iter().for_each(Measured::explore);
    }
}
