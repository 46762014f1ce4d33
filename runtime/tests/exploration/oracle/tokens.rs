//! Converts a sequence of the library into the form of the enumeration.

use insyn_sequences::{Event, EventRef, Kind, Op, Pick, Process, Sequence};

use super::enumerate::{Behaviour, End};

/// The behaviour of a sequence.
pub(crate) fn behaviour(sequence: &Sequence, end: End) -> Behaviour {
    let mut lines: Vec<String> = Vec::new();
    for process in sequence.processes.iter().filter(|process| !process.events.is_empty()) {
        let mut line = format!("{}:", process.id);
        for event in &process.events {
            line.push_str(" | ");
            line.push_str(&text(sequence, process, event));
        }
        lines.push(line);
    }
    lines.sort();
    Behaviour { lines, end }
}

/// An event of a process.
pub(crate) fn text(sequence: &Sequence, process: &Process, event: &Event) -> String {
    let mut text = String::from(event.op.word());
    if let Some(object) = event.object
        && let id = &sequence.processes[object].id
        && (process.kind == Kind::Thread || is_elsewhere(&process.id, id))
    {
        text.push(' ');
        text.push_str(id);
    }
    text.push_str(&pick(sequence, event.op, &event.pick));
    text
}

/// Whether a completion is not on the object itself but on one that it is joined with. (The ends of channels are
/// processes of their own, whose events are about nothing else.)
fn is_elsewhere(process: &str, object: &str) -> bool {
    process != object && !process.ends_with("/end") && !process.ends_with("/hang-up")
}

/// What was picked. The disconnects that a select saw are sorted; a pair has an order of its own.
fn pick(sequence: &Sequence, op: Op, pick: &Pick) -> String {
    match pick {
        Pick::None => String::new(),
        Pick::Nothing => String::from(" = nothing"),
        Pick::Partners(partners) => {
            let name = |at: &EventRef| format!("{}#{}", sequence.processes[at.process].id, at.index);
            let mut names: Vec<String> = partners.iter().map(name).collect();
            if matches!(op, Op::Accept | Op::Receive) {
                names.sort();
            }
            format!(" = {}", names.join(" + "))
        }
    }
}
