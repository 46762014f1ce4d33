//! How long a failing run is: its steps up to the failure. The shortest failure at a place is the one that is shown.
//!
//! A *step* is something that threads do: an operation of a thread, with its completion if it has one; what several threads
//! complete together (a rendezvous, a barrier) is one step. For a panic only the steps that happen before it count, since what
//! follows is teardown or happens beside it.

use super::Termination;
use super::fatal::fatal_panic;
use insyn_engine::ids::{EventId, Id as _, ThreadId};
use insyn_engine::record::event::{Event, Kind};
use insyn_engine::{Engine, PanicInfo};

/// The number of steps up to the failure of the run that has just ended.
pub(crate) fn steps(engine: &Engine, termination: Termination) -> usize {
    let panic = if termination == Termination::Panic { fatal_panic(engine) } else { None };
    match panic {
        Some(panic) => count(engine, before(engine, panic)),
        None => count(engine, engine.run.events.ids()),
    }
}

fn count(engine: &Engine, events: impl Iterator<Item = EventId>) -> usize {
    let (mut operations, mut together) = (0, 0);
    for i in events {
        let event = engine.run.at(i);
        if event.op.is_turn() {
            continue;
        }
        if is_of_thread(engine, event) {
            operations += 1;
        } else if !event.op.leaves_waiting() {
            let partners = engine.run.partners(event).iter();
            let calls = partners.filter(|&&call| is_of_thread(engine, engine.run.at(call))).count();
            together += calls.saturating_sub(1);
        }
    }
    operations - together
}

fn is_of_thread(engine: &Engine, event: &Event) -> bool {
    engine.processes.kind(event.process) == Kind::Thread
}

/// The events that happen before a panic.
fn before(engine: &Engine, panic: &PanicInfo) -> impl Iterator<Item = EventId> {
    let run = &engine.run;
    let mut is_before = vec![false; run.events.len() + 1];
    let mut open = last_before(engine, panic.thread, panic.after);
    while let Some(i) = open.pop() {
        if !std::mem::replace(&mut is_before[i.place()], true) {
            let event = run.at(i);
            open.extend(run.own(event));
            open.extend_from_slice(run.partners(event));
        }
    }
    run.events.ids().filter(move |i| is_before[i.place()])
}

/// What happens directly before a thread that has had this many events goes on: the last of them, with its completion; or
/// what its creator had done, if it has had none.
fn last_before(engine: &Engine, thread: ThreadId, count: u32) -> Vec<EventId> {
    let (run, process) = (&engine.run, engine.threads[thread].process);
    let mut own = run.events.pairs().filter(|(_, event)| event.process == process);
    let Some(last) = count.checked_sub(1) else {
        return match own.next() {
            Some((_, first)) => run.own(first).collect(),
            None => engine.threads[thread].prev.into_iter().collect(),
        };
    };
    let Some((i, event)) = own.nth(last as usize) else { return Vec::new() };
    let completion = event.taken_by.filter(|&by| !is_of_thread(engine, run.at(by)));
    std::iter::once(i).chain(completion).collect()
}
