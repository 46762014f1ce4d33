//! Which thread waits for which: circles of threads, and threads that nothing can wake.

use insyn_sequences::Op;

use insyn_engine::ids::{EventId, ObjectId, ThreadId, Values};
use insyn_engine::objects::Holders;
use insyn_engine::record::event::{Event, Pick};
use insyn_engine::threads::Status;
use insyn_engine::{Engine, WaitFor};

/// The threads that hold a lock or a monitor, and so block another thread in this operation.
pub(super) fn holders(engine: &Engine, object: ObjectId, op: Op) -> Vec<ThreadId> {
    match engine.objects[object].state.holders() {
        Holders::None => Vec::new(),
        Holders::Owner(owner) => vec![owner],
        // Readers block no other reader, unless a writer waits.
        Holders::Readers { behind_writer: false, .. } if matches!(op, Op::Read | Op::TryRead) => Vec::new(),
        Holders::Readers { count, .. } => readers(engine, object, count),
    }
}

/// The threads that hold a lock for reading and have not released it. (The lock itself only counts them.)
fn readers(engine: &Engine, lock: ObjectId, count: u32) -> Vec<ThreadId> {
    let mut readers = Vec::new();
    for e in engine.run.events.iter().filter(|e| e.object == Some(lock) && e.pick == Pick::Partners) {
        let thread = e.by();
        match e.op {
            Op::Read | Op::TryRead | Op::Downgrade => readers.push(thread),
            Op::UnlockRead => {
                if let Some(at) = readers.iter().position(|&t| t == thread) {
                    readers.remove(at);
                }
            }
            _ => {}
        }
    }
    // No reader is named if not all of them were found.
    if readers.len() as u32 != count {
        return Vec::new();
    }
    readers.sort_unstable();
    readers.dedup();
    readers
}

/// Whether a thread's call of an entry waits to be accepted.
pub(super) fn is_unaccepted(engine: &Engine, t: ThreadId, entry: ObjectId) -> bool {
    let is_mine = |&call: &EventId| engine.run.events[call].thread == Some(t);
    engine.objects[entry].unreceived.iter().any(is_mine)
}

/// The thread that a call waits for: the one that has accepted the call; else the only thread that has ever accepted from
/// the entry, if there is just one.
pub(super) fn server(engine: &Engine, caller: ThreadId, entry: ObjectId) -> Option<ThreadId> {
    let run = &engine.run;
    let accepts = || run.events.iter().filter(|e| e.op == Op::Accept && e.object == Some(entry));
    let is_mine = |call: &EventId| run.at(*call).thread == Some(caller);
    let mut servers = accepts().map(Event::by);
    if !is_unaccepted(engine, caller, entry) {
        let accepted = accepts().rfind(|e| run.partners(e).iter().any(is_mine));
        return accepted.map(Event::by);
    }
    let first = servers.next()?;
    servers.all(|t| t == first).then_some(first)
}

/// Whether threads that are not blocked may still do something.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Others {
    /// Nothing can move any more. Only the thread that has served an entry so far is expected to serve it, and threads that
    /// poll have been shown not to give up.
    Stand,
    /// Some threads were stopped by a bound. Any of them could still accept a call, and a thread that polls may give up.
    Run,
}

/// Threads that nothing can wake, whatever others still do: they wait for each other in a circle, for a thread in such a
/// circle, or for a lock whose holder ended without releasing it. (Which threads could still send to a channel is not
/// known, so a thread that waits for a message may always be woken.)
pub(super) fn locked_up(engine: &Engine) -> Vec<ThreadId> {
    let mut awaited_by = Values::of(engine.threads.len(), Vec::new());
    for t in engine.threads.ids() {
        awaited_by[t] = awaited(engine, t, Others::Run);
    }
    // A blocked thread may go on if it waits for no thread in particular, or only for threads that may go on. Only threads
    // that want a lock which it never released wait for a thread that has ended.
    let mut may_go_on = Values::of(engine.threads.len(), false);
    let is_awaited_in_vain = |t: ThreadId, may_go_on: &Values<ThreadId, bool>| match engine.threads[t].status
    {
        Status::Ready => false,
        Status::Blocked => !may_go_on[t],
        Status::Finished => true,
    };
    while let Some(t) = engine
        .threads
        .ids()
        .find(|&t| !may_go_on[t] && !awaited_by[t].iter().any(|&other| is_awaited_in_vain(other, &may_go_on)))
    {
        may_go_on[t] = true;
    }
    engine.threads.ids().filter(|&t| engine.threads[t].status == Status::Blocked && !may_go_on[t]).collect()
}

/// The threads that a blocked thread waits for: the holders of a lock or monitor, the thread that it joins, or its server.
fn awaited(engine: &Engine, t: ThreadId, others: Others) -> Vec<ThreadId> {
    if engine.threads[t].status != Status::Blocked {
        return Vec::new();
    }
    match engine.threads[t].waits_for {
        WaitFor::Join { thread } => vec![thread],
        WaitFor::Completion { op, .. } if others == Others::Run && !waits_for_good(op) => Vec::new(),
        WaitFor::Completion { object, op } => holders(engine, object, op),
        WaitFor::Urgent { object } => holders(engine, object, Op::Reenter),
        WaitFor::Reply { object } if others == Others::Stand => {
            server(engine, t, object).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a call of a lock or a monitor waits until it succeeds, rather than being repeated or given up.
fn waits_for_good(op: Op) -> bool {
    matches!(op, Op::Lock | Op::Read | Op::Write | Op::Enter | Op::Reenter)
}

/// Threads that wait for each other in a circle, through locks, monitors, joins and calls of each other's entries.
pub(super) fn circle(engine: &Engine, others: Others) -> Vec<ThreadId> {
    let mut is_done = Values::of(engine.threads.len(), false);
    for start in engine.threads.ids() {
        // The path so far, with the threads that are still to be tried at each of its threads.
        let mut path = vec![(start, awaited(engine, start, others))];
        while let Some((t, ahead)) = path.last_mut() {
            if ahead.is_empty() || is_done[*t] {
                is_done[*t] = true;
                path.pop();
                continue;
            }
            let next = ahead.remove(0);
            if let Some(at) = path.iter().position(|(t, _)| *t == next) {
                return path.split_off(at).into_iter().map(|(t, _)| t).collect();
            }
            path.push((next, awaited(engine, next, others)));
        }
    }
    Vec::new()
}
