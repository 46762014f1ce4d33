//! The cause of a failure, where it can be told: a pattern of the failing sequence that is the failure itself (threads that wait
//! for each other's locks), or one that [decides](crate::failing::Difference::decides) by all interleavings of the program.
//!
//! Each cause has a definition, at the top of its file, that says exactly when it is named. Nothing is guessed: a failure that no
//! definition fits has no cause here.
//!
//! | cause | file |
//! |---|---|
//! | opposite lock order, a lock taken twice, circular wait | `causes/locks.rs` |
//! | missed wakeup | `causes/wakeup.rs` |
//! | lost update | `causes/update.rs` |
//! | uses of a lock that are not atomic | `causes/atomicity.rs` |
//! | dropped sender, dropped receiver | `causes/dropped.rs` |
//! | kept sender, full channel | `causes/kept.rs` |
//! | double receive | `causes/twice.rs` |
//! | forgotten reply | `causes/reply.rs` |

mod atomicity;
mod dropped;
mod kept;
mod locks;
mod reply;
mod twice;
mod update;
mod wakeup;

use crate::failing::{Failing, Wait, Waiting};
use crate::order::Order;
use crate::scene::Scene;
use crate::sequence::{EventRef, Op, Sequence};
use crate::termination::Termination;

/// The cause of a failure. Threads and objects are processes of the sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// Threads hold one lock each and wait for that of the next, in a circle.
    LockOrder {
        /// Of each thread: what it holds and what it waits for.
        circle: Vec<Link>,
    },
    /// A thread waits for a lock that it holds itself.
    LockedTwice {
        /// The thread.
        thread: usize,
        /// The lock.
        lock: usize,
    },
    /// Threads wait for each other in a circle: for a lock, a reply or the end of the next.
    CircularWait {
        /// The threads; each waits for the next, and the last for the first.
        threads: Vec<usize>,
    },
    /// A notification came before the wait that it was meant for.
    MissedWakeup {
        /// The wait, as an event of its thread.
        wait: EventRef,
        /// The notification, as an event of the condition variable.
        notification: EventRef,
    },
    /// A variable is written by a thread that has not seen what another one wrote since it looked.
    LostUpdate {
        /// The load.
        load: EventRef,
        /// The write that is lost, as an event of the variable.
        lost: EventRef,
        /// The write that overwrites it, as an event of the variable.
        store: EventRef,
    },
    /// A thread takes a lock between two uses by another one.
    NotAtomic {
        /// The first use, as an event of the lock.
        first: EventRef,
        /// The use between them, as an event of the lock.
        between: EventRef,
        /// The call for the second use, as an event of its thread.
        second: EventRef,
    },
    /// A receive finds its channel closed.
    DroppedSender {
        /// The receive.
        receive: EventRef,
        /// The end of the channel.
        end: EventRef,
    },
    /// A send finds that nobody can receive any more.
    DroppedReceiver {
        /// The send.
        send: EventRef,
        /// The drop of the receiver, or the end of all of them.
        drop: EventRef,
    },
    /// A thread waits for a message, and all that could still have a sender wait for the thread.
    KeptSender {
        /// The thread.
        thread: usize,
        /// The channel.
        channel: usize,
        /// The threads that wait for it to end.
        waiting: Vec<usize>,
    },
    /// A thread waits for room in a channel, and all others have ended or wait for the thread.
    FullChannel {
        /// The thread.
        thread: usize,
        /// The channel.
        channel: usize,
    },
    /// A thread waits for a message that another one has taken, which had one already.
    DoubleReceive {
        /// The channel.
        channel: usize,
        /// The first message that the other thread took, as an event of the channel.
        first: EventRef,
        /// The second, as an event of the channel.
        second: EventRef,
        /// The call that waits.
        waits: EventRef,
    },
    /// A server accepts a call, does not reply, and waits for something else or has ended.
    ForgottenReply {
        /// The call.
        call: EventRef,
        /// The event that accepted it.
        accept: EventRef,
    },
}

/// A thread of a circle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The thread.
    pub thread: usize,
    /// The lock that it holds.
    pub holds: usize,
    /// The lock that it waits for.
    pub wants: usize,
}

/// The cause of a failing sequence, if it can be told.
pub fn of(sequence: &Sequence, failing: &Failing) -> Option<Cause> {
    let order = Order::of(sequence).ok()?;
    cause(&Scene::of(&order, failing))
}

/// As [`of`].
pub(crate) fn cause(scene: &Scene<'_>) -> Option<Cause> {
    let all: [fn(&Scene<'_>) -> Option<Cause>; 9] = [
        locks::find,
        locks::find_circle,
        reply::find,
        wakeup::find,
        twice::find,
        kept::find,
        dropped::find,
        update::find,
        atomicity::find,
    ];
    all.iter().find_map(|find| find(scene))
}

impl Cause {
    /// The cause in a sentence, with the numbers of steps.
    pub(crate) fn text(&self, scene: &Scene<'_>) -> String {
        let name = |process: usize| scene.labels[process].as_str();
        let by = |at: EventRef| name(thread_of(scene, at));
        let at = |at: EventRef| step(scene, at);
        let on = |at: EventRef| scene.order.sequence().event(at).object.map_or("", name);
        match self {
            Cause::LockOrder { circle } => locks::text(scene, circle),
            Cause::LockedTwice { thread, lock } => {
                format!("locked twice: {} waits for {}, which it holds itself", name(*thread), name(*lock))
            }
            Cause::CircularWait { threads } => {
                let next = threads.iter().cycle().skip(1);
                let links = threads.iter().zip(next);
                let links =
                    links.map(|(&thread, &next)| format!("{} waits for {}", name(thread), name(next)));
                format!("circular wait: {}", links.collect::<Vec<_>>().join(", "))
            }
            Cause::MissedWakeup { wait, notification } => format!(
                "missed wakeup: {} notifies {}{} before {} waits for that{}, and nobody notifies again",
                by(*notification),
                name(notification.process),
                at(*notification),
                by(*wait),
                at(*wait)
            ),
            Cause::LostUpdate { load, lost, store } => format!(
                "lost update: {}'s write of {}{} is overwritten by {}{}, which had read the value before it{}",
                by(*lost),
                name(lost.process),
                at(*lost),
                by(*store),
                at(*store),
                at(*load)
            ),
            Cause::NotAtomic { first, between, second } => format!(
                "not atomic: {} takes {}{} between two uses of it by {}{}",
                by(*between),
                name(between.process),
                at(*between),
                by(*first),
                steps(scene, *first, *second)
            ),
            Cause::DroppedSender { receive, end } => {
                let after = &scene.order.sequence().event(*end).after;
                let last = after.iter().max_by_key(|&&drop| scene.step(drop));
                let dropped = last.map(|&drop| format!(": {} dropped its last sender{}", by(drop), at(drop)));
                format!(
                    "dropped sender: {} finds {} closed{}{}",
                    by(*receive),
                    on(*receive),
                    at(*receive),
                    dropped.unwrap_or_default()
                )
            }
            Cause::DroppedReceiver { send, drop } => {
                let who = if scene.order.sequence().is_thread(drop.process) { by(*drop) } else { "nobody" };
                let why = match who {
                    "nobody" => "all its receivers are gone".to_owned(),
                    who => format!("{who} dropped its receiver{}", at(*drop)),
                };
                format!("dropped receiver: {} sends on {}{}: {why}", by(*send), on(*send), at(*send))
            }
            Cause::KeptSender { thread, channel, waiting } => {
                let (thread, channel) = (name(*thread), name(*channel));
                let waiting: Vec<&str> = waiting.iter().map(|&it| name(it)).collect();
                let holder = match waiting[..] {
                    [] => format!("{thread} itself"),
                    _ => format!("{} (waiting for {thread}) or {thread} itself", waiting.join(" or ")),
                };
                format!(
                    "kept sender: {thread} waits for {channel}, which never closes, since {holder} still has a sender"
                )
            }
            Cause::FullChannel { thread, channel } => format!(
                "full channel: {} waits for room in {}, and no other thread is left to take from it",
                name(*thread),
                name(*channel)
            ),
            Cause::DoubleReceive { channel, first, second, waits } => format!(
                "double receive: {} takes from {} twice{}, and nothing is left for {}",
                by(*second),
                name(*channel),
                steps(scene, *first, *second),
                by(*waits)
            ),
            Cause::ForgottenReply { call, accept } => format!(
                "forgotten reply: {} accepted the call of {} by {}{} and never replied",
                by(*accept),
                on(*call),
                by(*call),
                at(*accept)
            ),
        }
    }
}

/// The number of the step of an event, in parentheses; nothing if the step is not shown.
pub(crate) fn step(scene: &Scene<'_>, at: EventRef) -> String {
    scene.number(at).map(|number| format!(" (step {number})")).unwrap_or_default()
}

/// As [`step`], of two.
fn steps(scene: &Scene<'_>, first: EventRef, second: EventRef) -> String {
    match (scene.number(first), scene.number(second)) {
        (Some(first), Some(second)) => format!(" (steps {first} and {second})"),
        _ => String::new(),
    }
}

/// The thread of an event; of a completion, that of the call.
pub(crate) fn thread_of(scene: &Scene<'_>, at: EventRef) -> usize {
    if scene.order.sequence().is_thread(at.process) {
        return at.process;
    }
    scene.order.completed(at).next().map_or(at.process, |call| call.process)
}

/// The events of an object, in order.
fn events_of(scene: &Scene<'_>, object: usize) -> impl Iterator<Item = EventRef> {
    (0..scene.order.sequence().processes[object].events.len())
        .map(move |index| EventRef { process: object, index })
}

/// The threads that cannot go on, if that is the failure.
fn blocked<'a>(scene: &Scene<'a>) -> &'a [Waiting] {
    if scene.failing.termination != Termination::Deadlock {
        return &[];
    }
    &scene.failing.waiting
}

/// The thread whose end a thread waits for, directly or through others; the thread itself if it waits for something else.
fn waits_through_joins<'a>(all: &'a [Waiting], of: &'a Waiting) -> &'a Waiting {
    let mut at = of;
    // As many steps as there are threads: then they wait for each other in a circle.
    for _ in all {
        let next = match (at.wait, at.on.first()) {
            (Wait::Join, Some(thread)) => all.iter().find(|it| it.thread == *thread),
            _ => None,
        };
        match next {
            Some(next) => at = next,
            None => break,
        }
    }
    at
}

/// Whether a thread takes a lock with this operation.
fn takes_lock(op: Op) -> bool {
    matches!(op, Op::Lock | Op::TryLock | Op::Write | Op::TryWrite)
}
