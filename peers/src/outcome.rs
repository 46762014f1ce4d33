//! What one tool made of one program.

use std::time::Duration;

/// The result of running one program on one tool once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The tool says it has seen everything.
    Finished {
        /// How many executions it took. For insyn, TraceForge and the floor this is the number of sequences.
        runs: u64,
        /// How long all of them took.
        time: Duration,
    },
    /// The tool was stopped before it had seen everything.
    Cut {
        /// How many executions it had done.
        runs: u64,
        /// How long those took: less than the whole would have taken.
        time: Duration,
    },
    /// The tool cannot run the program.
    Impossible(&'static str),
}

impl Outcome {
    /// Of two repetitions the faster one; one that did not get to the end loses against one that did.
    pub fn better(self, other: Outcome) -> Outcome {
        match (self, other) {
            (Outcome::Finished { time: a, .. }, Outcome::Finished { time: b, .. })
            | (Outcome::Cut { time: a, .. }, Outcome::Cut { time: b, .. }) => {
                if b < a {
                    other
                } else {
                    self
                }
            }
            (Outcome::Finished { .. }, _) => self,
            (_, Outcome::Finished { .. }) => other,
            _ => self,
        }
    }

    /// Microseconds for each of the program's `sequences`; for a tool that was cut a lower bound of it.
    pub fn micros_per_sequence(self, sequences: u64) -> Option<f64> {
        match self {
            Outcome::Finished { time, .. } | Outcome::Cut { time, .. } => {
                Some(time.as_secs_f64() * 1e6 / sequences as f64)
            }
            Outcome::Impossible(_) => None,
        }
    }

    /// As a line of text, for the result of another process.
    pub fn to_line(self) -> String {
        match self {
            Outcome::Finished { runs, time } => format!("finished {runs} {}", time.as_nanos()),
            Outcome::Cut { runs, time } => format!("cut {runs} {}", time.as_nanos()),
            Outcome::Impossible(why) => format!("impossible {why}"),
        }
    }

    /// What [`Outcome::to_line`] wrote, or nothing if it is not that.
    pub fn from_line(line: &str) -> Option<Outcome> {
        let (word, rest) = line.split_once(' ')?;
        if word == "impossible" {
            // A reason is a few words, read once in the life of the process.
            return Some(Outcome::Impossible(rest.to_owned().leak()));
        }
        let (runs, nanos) = rest.split_once(' ')?;
        let runs = runs.parse().ok()?;
        let time = Duration::from_nanos(nanos.parse().ok()?);
        match word {
            "finished" => Some(Outcome::Finished { runs, time }),
            "cut" => Some(Outcome::Cut { runs, time }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let time = Duration::from_nanos(12_345);
        for outcome in [
            Outcome::Finished { runs: 720, time },
            Outcome::Cut { runs: 20_000, time },
            Outcome::Impossible("at most 5 threads"),
        ] {
            assert_eq!(Outcome::from_line(&outcome.to_line()), Some(outcome));
        }
        assert_eq!(Outcome::from_line("panicked"), None);
    }
}
