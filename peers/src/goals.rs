//! What `--check` asks for, and whether it was met.

use crate::comparison::Row;
use insyn_peers::outcome::Outcome;

/// insyn is to be at least this many times as fast as TraceForge with mailboxes, which deliver as insyn's channels do.
const TIMES_MAILBOXES: f64 = 10.0;
/// insyn is to be at least this many times as fast as TraceForge with its own delivery, which asks for less.
const TIMES_TRACEFORGE: f64 = 8.0;
/// insyn is to take at most this many times what the floor takes, where there is one.
const TIMES_FLOOR: f64 = 7.0;

/// Every goal that `rows` miss, as a sentence each.
pub(crate) fn missed(rows: &[Row]) -> Vec<String> {
    rows.iter().flat_map(missed_by).collect()
}

fn missed_by(row: &Row) -> Vec<String> {
    let title = row.program.title();
    let mut missed = Vec::new();

    let counting =
        [("insyn", Some(row.insyn)), ("TraceForge", Some(row.traceforge)), ("the floor", row.floor)];
    for (tool, outcome) in counting {
        let expected = row.program.sequences();
        match outcome {
            Some(Outcome::Finished { runs, .. }) if runs != expected => {
                missed.push(format!("{title}: {tool} counts {runs} sequences, not {expected}"));
            }
            Some(Outcome::Cut { .. } | Outcome::Impossible(_)) => {
                missed.push(format!("{title}: {tool} did not finish"));
            }
            Some(Outcome::Finished { .. }) | None => {}
        }
    }
    // The others report executions only; fewer of them than behaviours means another program.
    for (tool, outcome) in [("loom", row.loom), ("shuttle", row.shuttle)] {
        if let Outcome::Finished { runs, .. } = outcome
            && runs < row.program.sequences()
        {
            missed.push(format!(
                "{title}: {tool} is done after {runs} executions, fewer than there are sequences"
            ));
        }
    }

    let traceforge = [
        ("TraceForge with mailboxes", row.mailboxes, TIMES_MAILBOXES),
        ("TraceForge", row.traceforge, TIMES_TRACEFORGE),
    ];
    for (tool, outcome, goal) in traceforge {
        if let Some(times) = row.times_insyn(outcome)
            && times < goal
        {
            missed.push(format!("{title}: {times:.1} times as fast as {tool}, not {goal}"));
        }
    }
    if let Some(times) = row.times_floor()
        && times > TIMES_FLOOR
    {
        missed.push(format!("{title}: {times:.1} times the floor, not {TIMES_FLOOR}"));
    }
    missed
}
