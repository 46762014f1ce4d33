//! What an event of a sequence may take in any program, whatever happened before.

use insyn_sequences::{EventRef, Op, Pick, Sequence};

/// Whether an event of this kind can take such partners.
pub(super) fn can_be(sequence: &Sequence, at: EventRef) -> bool {
    let event = sequence.event(at);
    let ops = event.pick.partners().iter().map(|&it| sequence.event(it).op);
    let is_nothing = event.pick == Pick::Nothing;
    if !sequence.is_thread(at.process) {
        return match event.op {
            // These events follow from drops, or happen when a timer fires, and take nothing.
            Op::Disconnect | Op::Fire => event.pick == Pick::None,
            // A hang-up follows from drops too; and its completion, which has the same name, takes it.
            Op::HangUp => !is_nothing,
            _ => !event.pick.partners().is_empty(),
        };
    }
    let ops: Vec<Op> = ops.collect();
    match event.op {
        Op::Send | Op::Call => is_nothing || matches!(ops[..], [Op::DropReceiver | Op::HangUp]),
        Op::Receive | Op::Accept => match ops[..] {
            [] => is_nothing,
            [Op::Send | Op::Call | Op::Fire] => true,
            _ => ops.iter().all(|&op| op == Op::Disconnect),
        },
        Op::Load => match event.pick.partners() {
            [] => is_nothing,
            [write] => !sequence.is_thread(write.process),
            _ => false,
        },
        Op::Read | Op::TryRead | Op::UnlockRead => match event.pick.partners() {
            [] => true,
            [last] => !sequence.is_thread(last.process) && sequence.event(*last).object == event.object,
            _ => false,
        },
        _ => event.pick == Pick::None,
    }
}
