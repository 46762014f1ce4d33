//! Runs every program on every tool and keeps the best time of each.

use crate::floor::Floor;
use crate::{insyn_programs, loom_process, shuttle_programs, traceforge_programs};
use insyn_peers::outcome::Outcome;
use insyn_peers::program::Program;
use std::time::{Duration, Instant};
use traceforge::ConsType;

/// Every tool takes part in at least this many rounds, the first of which is a warm-up and not counted.
const MIN_ROUNDS: u32 = 8;
/// Short programs take part in more rounds, until this much time has gone by.
const ROUNDS_TIME: Duration = Duration::from_secs(1);
/// In each round a tool explores again until it has had this long: one short exploration would pay for the caches that the
/// tool before it has filled.
const TURN_TIME: Duration = Duration::from_millis(10);

/// One program on every tool.
pub(crate) struct Row {
    /// The program.
    pub(crate) program: Program,
    /// On insyn, one worker.
    pub(crate) insyn: Outcome,
    /// On TraceForge, one thread, as it comes: a channel keeps the order of each sender.
    pub(crate) traceforge: Outcome,
    /// On TraceForge with mailboxes: a channel keeps the order of all senders, as std's and insyn's do.
    pub(crate) mailboxes: Outcome,
    /// On loom.
    pub(crate) loom: Outcome,
    /// On shuttle's exhaustive scheduler.
    pub(crate) shuttle: Outcome,
    /// As a bare loop over coroutines, where there is one.
    pub(crate) floor: Option<Outcome>,
}

/// Runs every program everywhere.
pub(crate) fn compare_all() -> anyhow::Result<Vec<Row>> {
    let loom = loom_process::explore_all()?;
    Program::ALL.into_iter().zip(loom).map(|(program, loom)| Ok(compare(program, loom)?)).collect()
}

/// Runs `program` everywhere but on loom.
///
/// insyn, TraceForge and the floor take turns, so that what else the machine does meets all of them alike. loom and
/// shuttle run once: they take seconds, and nobody asks whether they are five or six hundred times slower.
fn compare(program: Program, loom: Outcome) -> std::io::Result<Row> {
    let mut floor = floor_of(program)?;
    let mut best: Option<(Outcome, Outcome, Outcome, Option<Outcome>)> = None;
    let start = Instant::now();
    let mut rounds = 0;
    while rounds < MIN_ROUNDS || start.elapsed() < ROUNDS_TIME {
        let this = (
            turn(|| insyn_programs::explore(program)),
            turn(|| traceforge_programs::explore(program, ConsType::FIFO)),
            turn(|| traceforge_programs::explore(program, ConsType::Mailbox)),
            floor.as_mut().map(|floor| turn(|| floor.explore())),
        );
        if rounds > 0 {
            best = Some(match best {
                None => this,
                Some(best) => (
                    best.0.better(this.0),
                    best.1.better(this.1),
                    best.2.better(this.2),
                    best.3.zip(this.3).map(|(best, this)| best.better(this)),
                ),
            });
        }
        rounds += 1;
    }
    let (insyn, traceforge, mailboxes, floor) = best.expect("there is more than one round");
    let shuttle = shuttle_programs::explore(program);
    Ok(Row { program, insyn, traceforge, mailboxes, loom, shuttle, floor })
}

/// The best of as many explorations as fit into one turn of a tool, of at least one.
fn turn(mut explore: impl FnMut() -> Outcome) -> Outcome {
    let start = Instant::now();
    let mut best = explore();
    while start.elapsed() < TURN_TIME {
        best = best.better(explore());
    }
    best
}

/// A bare loop for the program; there is one for fan-in only.
fn floor_of(program: Program) -> std::io::Result<Option<Floor>> {
    match program {
        Program::FanIn6 => Floor::new(6).map(Some),
        Program::FanIn7 => Floor::new(7).map(Some),
        _ => Ok(None),
    }
}

impl Row {
    /// How many times as long as insyn `peer` takes: a lower bound if it was cut.
    pub(crate) fn times_insyn(&self, peer: Outcome) -> Option<f64> {
        let sequences = self.program.sequences();
        Some(peer.micros_per_sequence(sequences)? / self.insyn_micros()?)
    }

    /// How many times as long as the floor insyn takes.
    pub(crate) fn times_floor(&self) -> Option<f64> {
        Some(self.insyn_micros()? / self.floor?.micros_per_sequence(self.program.sequences())?)
    }

    /// What ratios are made with: nothing if insyn did not run exactly the sequences there are.
    fn insyn_micros(&self) -> Option<f64> {
        let sequences = self.program.sequences();
        match self.insyn {
            Outcome::Finished { runs, .. } if runs == sequences => self.insyn.micros_per_sequence(sequences),
            _ => None,
        }
    }
}
