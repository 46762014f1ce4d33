//! Threads that cannot go on, and what each of them waits for, in the words of the program.

use insyn_specs::{Location, Op};

use super::circles::holders;
use super::{Blocked, shown};
use crate::execution::event::Event;
use crate::execution::forcing::Want;
use crate::execution::ids::{EventId, ObjectId, ThreadId};
use crate::execution::objects::Object;
use crate::execution::threads::Status;
use crate::execution::{Execution, WaitFor};
use crate::select::Guard;

/// The threads that have not come to their end.
pub(super) fn blocked_threads(x: &Execution) -> impl Iterator<Item = ThreadId> + '_ {
    x.threads.ids().filter(|&t| x.threads[t].status != Status::Finished)
}

/// Why a run that was forced could not go on.
pub(crate) struct Stuck {
    /// What wanted to happen when it was not its turn.
    pub(crate) instead: Vec<String>,
    /// The threads that could not go on otherwise; those that wait for others to end come last.
    pub(crate) blocked: Vec<Blocked>,
    /// How many of them only wait for one that waits for its turn.
    pub(crate) held_up: usize,
}

pub(crate) fn stuck(x: &Execution) -> Stuck {
    let mut stuck = Stuck { instead: Vec::new(), blocked: Vec::new(), held_up: 0 };
    // A call that would wait is nothing that could happen.
    let could_happen = |t: ThreadId| match x.wants_turn_for(t) {
        Some(Want::Event(_)) => true,
        Some(Want::Call(op, object)) => x.would_complete(t, op, object),
        None => false,
    };
    let (waiting, mut others): (Vec<ThreadId>, Vec<ThreadId>) =
        blocked_threads(x).partition(|&t| could_happen(t));
    others.sort_by_key(|&t| matches!(x.threads[t].waits_for, WaitFor::Join { .. }));
    for t in waiting {
        let told = x.wants_turn_for(t).map(|want| x.tell(t, want)).unwrap_or_default();
        if !stuck.instead.contains(&told) {
            stuck.instead.push(told);
        }
    }
    for t in others {
        let holders = match waits_for(x, t) {
            WaitFor::Completion { object, op } => holders(x, object, op),
            _ => Vec::new(),
        };
        stuck.held_up += usize::from(holders.into_iter().any(|it| x.wants_turn_for(it).is_some()));
        stuck.blocked.push(describe_blocked(x, t));
    }
    stuck
}

/// What keeps a call from being accepted: the guard of the select that the server is in, or was in when it took what is
/// not next.
fn refused_by(x: &Execution, entry: ObjectId) -> Option<&'static Guard> {
    let decides = |t: ThreadId| match x.wants_turn_for(t) {
        Some(Want::Event(event)) => matches!(x.run().at(event).op, Op::Accept | Op::Receive),
        Some(Want::Call(..)) => false,
        None => matches!(x.threads[t].waits_for, WaitFor::Message { .. }),
    };
    let servers = blocked_threads(x).filter(|&t| decides(t));
    servers.flat_map(|t| x.threads[t].closed_arms.iter()).find(|arm| arm.0 == entry).map(|arm| arm.1)
}

/// Whether a thread's call of an entry waits to be accepted.
pub(super) fn is_unaccepted(x: &Execution, t: ThreadId, entry: ObjectId) -> bool {
    let is_mine = |&call: &EventId| x.run().events[call].thread == Some(t);
    x.objects[entry].unreceived.iter().any(is_mine)
}

/// What a thread waits for; one that waits for its turn to make a call, for that call.
fn waits_for(x: &Execution, t: ThreadId) -> WaitFor {
    match x.wants_turn_for(t) {
        Some(Want::Call(op, object)) => WaitFor::Completion { object, op },
        _ => x.threads[t].waits_for,
    }
}

/// A thread that cannot go on, in words.
pub(super) fn describe_blocked(x: &Execution, t: ThreadId) -> Blocked {
    let object = |o: ObjectId| shown(&object_name(x, o));
    let thread = |t: ThreadId| shown(&thread_name(x, t));
    let waits_for = match waits_for(x, t) {
        WaitFor::Nothing => "its turn".to_string(),
        WaitFor::Event(name) => format!("event {} of {}", name.index, x.processes.id(name.process)),
        WaitFor::Message { .. } => {
            let is_open = |&o: &ObjectId| x.objects[o].receiver == Some(t);
            let open: Vec<String> = x.objects.ids().filter(is_open).map(object).collect();
            format!("a message on {}", open.join(" or "))
        }
        WaitFor::Completion { object: o, op: Op::Select } => {
            let host = x.objects[o].host;
            let mine = x.objects[host].pending.iter().filter(|call| call.thread == Some(t));
            let offers: Vec<String> =
                mine.map(|call| format!("{} on {}", call.op.word(), object(call.object))).collect();
            offers.join(" or ")
        }
        WaitFor::ReceiverDrop { object: o } => format!("the receiver of {} to be dropped", object(o)),
        WaitFor::Completion { object: o, op } => {
            format!("{} on {}{}", op.word(), object(o), held_by(x, o, op))
        }
        WaitFor::Notification { object: o } => format!("a notification of {}", object(o)),
        WaitFor::Signal { object: o } => format!("a signal in {}", object(o)),
        WaitFor::Urgent { object: o } => format!("{}, behind the thread it signalled", object(o)),
        WaitFor::Reply { object: o } if is_unaccepted(x, t, o) => {
            let guard = refused_by(x, o).map(|guard| format!(" while {guard} is false"));
            format!("its call of {} to be accepted{}", object(o), guard.unwrap_or_default())
        }
        WaitFor::Reply { object: o } => format!("the reply to its call of {}", object(o)),
        WaitFor::Version { object: o } => format!("a new value of {}", object(o)),
        WaitFor::Handover { object: o, .. } => format!("the message that was put into {}", object(o)),
        WaitFor::Forever => "nothing that could come".to_string(),
        WaitFor::Join { thread: t } => format!("the end of thread {}", thread(t)),
    };
    let location = since(x, t);
    Blocked { thread: thread_name(x, t), waits_for, location }
}

/// Who holds a lock or a monitor that somebody wants, if anybody does.
fn held_by(x: &Execution, object: ObjectId, op: Op) -> String {
    let names: Vec<String> = holders(x, object, op).into_iter().map(|t| shown(&thread_name(x, t))).collect();
    match &names[..] {
        [] => String::new(),
        [name] => format!(", held by thread {name}"),
        [names @ .., last] => format!(", held by threads {} and {last}", names.join(", ")),
    }
}

/// An operation, on its object if it is about one.
pub(super) fn operation(x: &Execution, event: &Event) -> String {
    let word = event.op.word();
    match event.object {
        None => word.to_string(),
        Some(object) => format!("{word} on {}", shown(&object_name(x, object))),
    }
}

/// Where a thread is blocked.
pub(super) fn since(x: &Execution, thread: ThreadId) -> Option<Location> {
    let at = x.threads[thread].since?;
    x.told_by(thread, at).map(crate::sequence::told).or_else(|| crate::sequence::location(at))
}

/// What people call a thread.
pub(super) fn thread_name(x: &Execution, thread: ThreadId) -> String {
    let t = &x.threads[thread];
    let title = t.title();
    let is_only = x.threads.iter().filter(|it| it.title() == title).count() == 1;
    called(title.as_deref(), x.processes.id(t.process), is_only)
}

fn object_name(x: &Execution, object: ObjectId) -> String {
    let o = &x.objects[object];
    let same = |other: &&Object| other.names == o.names;
    let is_only = x.objects.iter().filter(same).count() == 1;
    called(o.title().as_deref(), x.processes.id(o.process), is_only)
}

/// What a thread or an object is called: by its name, with its id where another has the same name, or else by its id.
fn called(name: Option<&str>, id: &str, is_only: bool) -> String {
    match name {
        Some(name) if is_only => name.to_owned(),
        Some(name) => format!("{name} ({id})"),
        None => id.to_owned(),
    }
}
