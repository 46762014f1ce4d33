//! Threads that cannot go on, and what each of them waits for, in the words of the program.

use insyn_sequences::failing::{Wait, Waiting};
use insyn_sequences::{Location, Op};

use super::circles::{holders, is_unaccepted};
use super::{Blocked, shown};
use insyn_engine::guard::Guard;
use insyn_engine::ids::{ObjectId, ThreadId};
use insyn_engine::live::Object;
use insyn_engine::record::event::Event;
use insyn_engine::threads::Status;
use insyn_engine::threads::progress::Want;
use insyn_engine::{Engine, WaitFor};

/// The threads that have not ended.
pub(super) fn blocked_threads(engine: &Engine) -> impl Iterator<Item = ThreadId> + '_ {
    engine.threads.ids().filter(|&t| engine.threads[t].status != Status::Finished)
}

/// Why a run that was forced could not go on.
pub(crate) struct Stuck {
    /// The events that were not allowed because it was not their turn.
    pub instead: Vec<String>,
    /// The other threads that could not go on; those that wait for others to end come last.
    pub(crate) blocked: Vec<Blocked>,
    /// How many of them only wait for a thread that waits for its turn.
    pub(crate) held_up: usize,
}

pub(crate) fn stuck(engine: &Engine) -> Stuck {
    let mut stuck = Stuck { instead: Vec::new(), blocked: Vec::new(), held_up: 0 };
    // A call that would wait could not happen.
    let could_happen = |t: ThreadId| match engine.wants_turn_for(t) {
        Some(Want::Event(_)) => true,
        Some(Want::Call(op, object)) => engine.would_complete(t, op, object),
        None => false,
    };
    let (waiting, mut others): (Vec<ThreadId>, Vec<ThreadId>) =
        blocked_threads(engine).partition(|&t| could_happen(t));
    others.sort_by_key(|&t| matches!(engine.threads[t].waits_for, WaitFor::Join { .. }));
    for t in waiting {
        let told = engine.wants_turn_for(t).map(|want| engine.describe(t, want)).unwrap_or_default();
        if !stuck.instead.contains(&told) {
            stuck.instead.push(told);
        }
    }
    for t in others {
        let holders = match waits_for(engine, t) {
            WaitFor::Completion { object, op } => holders(engine, object, op),
            _ => Vec::new(),
        };
        stuck.held_up += usize::from(holders.into_iter().any(|it| engine.wants_turn_for(it).is_some()));
        stuck.blocked.push(describe_blocked(engine, t));
    }
    stuck
}

/// What keeps a call from being accepted: the guard of the select that the server is in, or was in when it took an event
/// that is not next.
fn refused_by(engine: &Engine, entry: ObjectId) -> Option<&'static Guard> {
    let decides = |t: ThreadId| match engine.wants_turn_for(t) {
        Some(Want::Event(event)) => matches!(engine.run.at(event).op, Op::Accept | Op::Receive),
        Some(Want::Call(..)) => false,
        None => matches!(engine.threads[t].waits_for, WaitFor::Message { .. }),
    };
    let servers = blocked_threads(engine).filter(|&t| decides(t));
    servers.flat_map(|t| engine.threads[t].closed_arms.iter()).find(|arm| arm.0 == entry).map(|arm| arm.1)
}

/// What a thread waits for. A thread that waits for its turn to make a call counts as waiting for the call.
fn waits_for(engine: &Engine, t: ThreadId) -> WaitFor {
    match engine.wants_turn_for(t) {
        Some(Want::Call(op, object)) => WaitFor::Completion { object, op },
        _ => engine.threads[t].waits_for,
    }
}

/// A thread that cannot go on, in words.
pub(super) fn describe_blocked(engine: &Engine, t: ThreadId) -> Blocked {
    let object = |o: ObjectId| shown(&object_name(engine, o));
    let thread = |t: ThreadId| shown(&thread_name(engine, t));
    let waits_for = match waits_for(engine, t) {
        WaitFor::Nothing => "its turn".to_string(),
        WaitFor::Event(name) => format!("event {} of {}", name.index, engine.processes.id(name.process)),
        WaitFor::Message { .. } => {
            let is_open = |&o: &ObjectId| engine.objects[o].receiver == Some(t);
            let open: Vec<String> = engine.objects.ids().filter(is_open).map(object).collect();
            format!("a message on {}", open.join(" or "))
        }
        WaitFor::Completion { object: o, op: Op::Select } => {
            let host = engine.run.objects[o].host;
            let mine = engine.objects[host].pending.iter().filter(|call| call.thread == Some(t));
            let offers: Vec<String> =
                mine.map(|call| format!("{} on {}", call.op.word(), object(call.object))).collect();
            offers.join(" or ")
        }
        WaitFor::ReceiverDrop { object: o } => format!("the receiver of {} to be dropped", object(o)),
        WaitFor::Completion { object: o, .. } if engine.awaits_change_behind(t) => {
            format!("a change of what {} protects", object(o))
        }
        WaitFor::Completion { object: o, op } => {
            format!("{} on {}{}", op.word(), object(o), held_by(engine, o, op))
        }
        WaitFor::Notification { object: o } => format!("a notification of {}", object(o)),
        WaitFor::Signal { object: o } => format!("a signal in {}", object(o)),
        WaitFor::Urgent { object: o } => format!("{}, behind the thread it signalled", object(o)),
        WaitFor::Reply { object: o } if is_unaccepted(engine, t, o) => {
            let guard = refused_by(engine, o).map(|guard| format!(" while {guard} is false"));
            format!("its call of {} to be accepted{}", object(o), guard.unwrap_or_default())
        }
        WaitFor::Reply { object: o } => format!("the reply to its call of {}", object(o)),
        WaitFor::Handles { object: o } => format!("every handle of {} to be dropped", object(o)),
        WaitFor::Version { object: o } => format!("a new value of {}", object(o)),
        WaitFor::Handover { object: o, .. } => format!("the message that was put into {}", object(o)),
        WaitFor::Forever => "nothing that could come".to_string(),
        WaitFor::Join { thread: t } => format!("the end of thread {}", thread(t)),
    };
    let location = since(engine, t);
    Blocked { thread: thread_name(engine, t), waits_for, location, waiting: waiting(engine, t) }
}

/// A thread that cannot go on, by ids.
fn waiting(engine: &Engine, t: ThreadId) -> Waiting {
    let id_of = |t: ThreadId| engine.processes.id(engine.threads[t].process).to_owned();
    let object_id = |o: ObjectId| engine.processes.id(engine.run.objects[o].process).to_owned();
    let mut held = Vec::new();
    let mut unless = None;
    let (wait, on) = match waits_for(engine, t) {
        WaitFor::Message { .. } => {
            let open = engine.objects.ids().filter(|&o| engine.objects[o].receiver == Some(t));
            (Wait::Message, open.map(object_id).collect())
        }
        WaitFor::Completion { object, op: Op::Select } => {
            let host = engine.run.objects[object].host;
            let mine = engine.objects[host].pending.iter().filter(|call| call.thread == Some(t));
            (Wait::Select, mine.map(|call| object_id(call.object)).collect())
        }
        WaitFor::Completion { object, .. } if engine.awaits_change_behind(t) => {
            (Wait::Change, vec![object_id(object)])
        }
        WaitFor::Completion { object, op } => {
            held = holders(engine, object, op);
            (Wait::Completion, vec![object_id(object)])
        }
        WaitFor::Notification { object } => (Wait::Notification, vec![object_id(object)]),
        WaitFor::Signal { object } => (Wait::Signal, vec![object_id(object)]),
        WaitFor::Reply { object } if is_unaccepted(engine, t, object) => {
            unless = refused_by(engine, object).map(ToString::to_string);
            (Wait::Accept, vec![object_id(object)])
        }
        WaitFor::Reply { object } => (Wait::Reply, vec![object_id(object)]),
        WaitFor::Handles { object } => (Wait::Handles, vec![object_id(object)]),
        WaitFor::Version { object } => (Wait::Change, vec![object_id(object)]),
        WaitFor::Join { thread } => (Wait::Join, vec![id_of(thread)]),
        WaitFor::Urgent { object } => {
            held = holders(engine, object, Op::Reenter);
            (Wait::Other, vec![object_id(object)])
        }
        WaitFor::ReceiverDrop { object } | WaitFor::Handover { object, .. } => {
            (Wait::Other, vec![object_id(object)])
        }
        WaitFor::Nothing | WaitFor::Event(_) | WaitFor::Forever => (Wait::Other, Vec::new()),
    };
    let holders = held.into_iter().map(id_of).collect();
    Waiting { thread: id_of(t), wait, on, holders, unless, location: since(engine, t) }
}

/// The threads that hold a lock or a monitor that another thread wants, if there are any.
fn held_by(engine: &Engine, object: ObjectId, op: Op) -> String {
    let names: Vec<String> =
        holders(engine, object, op).into_iter().map(|t| shown(&thread_name(engine, t))).collect();
    match &names[..] {
        [] => String::new(),
        [name] => format!(", held by thread {name}"),
        [names @ .., last] => format!(", held by threads {} and {last}", names.join(", ")),
    }
}

/// An operation, with its object if it has one.
pub(super) fn operation(engine: &Engine, event: &Event) -> String {
    let word = event.op.word();
    match event.object {
        None => word.to_string(),
        Some(object) => format!("{word} on {}", shown(&object_name(engine, object))),
    }
}

/// Where a thread is blocked.
pub(super) fn since(engine: &Engine, thread: ThreadId) -> Option<Location> {
    let at = engine.threads[thread].since?;
    engine
        .source_place_at(thread, at)
        .map(crate::sequence::source_place)
        .or_else(|| crate::sequence::location(at))
}

/// The name of a thread for users.
pub(super) fn thread_name(engine: &Engine, thread: ThreadId) -> String {
    let t = &engine.threads[thread];
    let title = t.title();
    let is_only = engine.threads.iter().filter(|it| it.title() == title).count() == 1;
    called(title.as_deref(), engine.processes.id(t.process), is_only)
}

fn object_name(engine: &Engine, object: ObjectId) -> String {
    let o = &engine.objects[object];
    let same = |other: &&Object| other.names == o.names;
    let is_only = engine.objects.iter().filter(same).count() == 1;
    called(o.title().as_deref(), engine.processes.id(engine.run.objects[object].process), is_only)
}

/// How to refer to a thread or an object: by its name, with its id if another has the same name; without a name, by its id.
fn called(name: Option<&str>, id: &str, is_only: bool) -> String {
    match name {
        Some(name) if is_only => name.to_owned(),
        Some(name) => format!("{name} ({id})"),
        None => id.to_owned(),
    }
}
