//! The kinds of objects that complete calls, one module each: its state, when a call is enabled, what completing it does,
//! how it fails, and which threads hold it.
//!
//! Nothing here depends on the engine: a state is a value, and a step of an object is a function of its state and a call.
//! So the running program and the analysis of races afterwards call the same function ([`Snapshot::enabled`]), the program
//! with the current state, the analysis with a state that a completion has recorded. What a completion does beyond its
//! object, such as waking a thread, is a request to the engine ([`Effect`]).
//!
//! A new kind of object is a new module, and a line in the list of `kinds`.

mod answer;
pub mod arc;
pub mod atomic;
pub mod barrier;
mod call;
pub mod channel;
pub mod condvar;
pub mod end;
pub mod monitor;
pub mod mutex;
pub mod once;
pub mod parker;
pub mod reentrant;
pub mod rendezvous;
pub mod rwlock;
pub mod semaphore;
pub mod timer;
pub mod turns;

use std::fmt::Debug;
use std::hash::Hash;

use insyn_sequences::Op;

use crate::ids::ThreadId;
pub use answer::{Answer, Argument, Completion, Outcome, Pointer};
pub(crate) use answer::{Effect, Update};
pub(crate) use call::Enabled;
pub use call::{Call, When};

/// Choices of the exploration that concern objects.
#[derive(Clone, Copy, Debug)]
pub struct Liberties {
    /// Only the longest waiter is ever notified.
    pub longest_waiter: bool,
    /// Threads may wake spuriously.
    pub spurious_wakeups: bool,
    /// A weak `compare_exchange` may fail spuriously.
    pub spurious_failures: bool,
    /// A reader may wait behind a waiting writer.
    pub waiting_writers_block: bool,
}

/// The threads that block others from an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holders {
    /// No thread holds the object, or it is not known which one does.
    None,
    /// The owner of a lock or a monitor.
    Owner(ThreadId),
    /// This many readers, which block writers; and other readers too, if a writer waits.
    Readers {
        /// How many readers there are.
        count: u32,
        /// A writer waits.
        behind_writer: bool,
    },
}

/// The state of one kind of object.
pub trait Behaviour: Clone + Eq + Hash + Debug {
    /// The part of the state that decides which calls are enabled.
    type Snapshot: Copy + Eq + Hash + Debug;

    /// The part of the state that decides which calls are enabled.
    fn snapshot(&self) -> Self::Snapshot;

    /// Whether a call can be completed in a state, and with what.
    fn enabled(snapshot: Self::Snapshot, call: &Call, liberties: &Liberties) -> Enabled;

    /// Completes a call that is enabled.
    fn complete(&mut self, call: &Completion<'_>) -> Outcome;

    /// Whether a call that has found the object in one state would find the same in another, so that a thread which only
    /// repeats the call has learned nothing.
    fn finds_the_same(found: Self::Snapshot, now: Self::Snapshot, _op: Op) -> bool {
        found == now
    }

    /// The threads that block others from the object.
    fn holders(&self) -> Holders {
        Holders::None
    }

    /// Whether a call is known before it is made, and can be made later without an observable difference: whatever the
    /// state is then, it leads to the same event.
    fn is_sure(_op: Op) -> bool {
        false
    }

    /// Becomes `fresh`, and reuses the memory of the old state.
    fn restart(&mut self, fresh: Self) {
        *self = fresh;
    }
}

/// Lists the kinds, and dispatches each request to the module of the object's kind.
macro_rules! kinds {
    ($($Kind:ident => $module:ident,)*) => {
        /// The state of an object.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub enum State {
            /// A port: its receives are events of threads, and nothing is ever completed on it.
            Port,
            $($Kind($module::State),)*
        }

        /// The part of an object's state that decides which calls are enabled.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Snapshot {
            /// The snapshot of a port.
            Port,
            $($Kind(<$module::State as Behaviour>::Snapshot),)*
        }

        impl State {
            /// The part that decides which calls are enabled.
            #[inline]
            pub(crate) fn snapshot(&self) -> Snapshot {
                match self {
                    State::Port => Snapshot::Port,
                    $(State::$Kind(state) => Snapshot::$Kind(state.snapshot()),)*
                }
            }

            /// Completes a call that is enabled.
            #[inline]
            pub fn complete(&mut self, call: &Completion<'_>) -> Outcome {
                match self {
                    State::Port => unreachable!("nothing is completed on a port"),
                    $(State::$Kind(state) => state.complete(call),)*
                }
            }

            /// The threads that block others from the object.
            pub fn holders(&self) -> Holders {
                match self {
                    State::Port => Holders::None,
                    $(State::$Kind(state) => state.holders(),)*
                }
            }

            /// Whether a call is known before it is made, and can be made later without an observable difference.
            pub fn is_sure(&self, op: Op) -> bool {
                match self {
                    State::Port => false,
                    $(State::$Kind(_) => $module::State::is_sure(op),)*
                }
            }

            /// Becomes `fresh`, and reuses the memory of the old state if it is of the same kind.
            #[inline]
            pub(crate) fn restart(&mut self, fresh: State) {
                match (self, fresh) {
                    $((State::$Kind(state), State::$Kind(fresh)) => state.restart(fresh),)*
                    (state, fresh) => *state = fresh,
                }
            }
        }

        impl Snapshot {
            /// Whether a call can be completed, and with what.
            #[inline]
            pub(crate) fn enabled(self, call: &Call, liberties: &Liberties) -> Enabled {
                match self {
                    Snapshot::Port => Enabled::No,
                    $(Snapshot::$Kind(snapshot) => $module::State::enabled(snapshot, call, liberties),)*
                }
            }

            /// Whether a call that has found the object in this state would find the same in another.
            pub(crate) fn finds_the_same(self, now: Snapshot, op: Op) -> bool {
                match (self, now) {
                    $((Snapshot::$Kind(found), Snapshot::$Kind(now)) => {
                        $module::State::finds_the_same(found, now, op)
                    })*
                    (found, now) => found == now,
                }
            }
        }
    };
}

kinds! {
    Arc => arc,
    Atomic => atomic,
    Barrier => barrier,
    Channel => channel,
    Condvar => condvar,
    End => end,
    Monitor => monitor,
    Mutex => mutex,
    Once => once,
    Parker => parker,
    ReentrantLock => reentrant,
    Rendezvous => rendezvous,
    RwLock => rwlock,
    Semaphore => semaphore,
    Timer => timer,
    Turns => turns,
}

impl State {
    /// The state of a channel that holds messages.
    pub fn channel_mut(&mut self) -> Option<&mut channel::State> {
        if let State::Channel(channel) = self { Some(channel) } else { None }
    }

    /// The state of a condition variable.
    pub fn condvar(&self) -> Option<&condvar::State> {
        if let State::Condvar(condvar) = self { Some(condvar) } else { None }
    }

    /// The state of a condition variable.
    pub(crate) fn condvar_mut(&mut self) -> Option<&mut condvar::State> {
        if let State::Condvar(condvar) = self { Some(condvar) } else { None }
    }

    /// The state of a monitor.
    ///
    /// # Panics
    /// If the snapshot is of another kind of object.
    #[track_caller]
    pub(crate) fn monitor_mut(&mut self) -> &mut monitor::State {
        if let State::Monitor(monitor) = self { monitor } else { unreachable!("it is a monitor") }
    }
}

impl Snapshot {
    /// For a lock: the state after a reader has failed because of a waiting writer.
    pub(crate) fn behind_writer(self) -> Self {
        if let Snapshot::RwLock(lock) = self { Snapshot::RwLock(lock.behind_writer()) } else { self }
    }

    /// For objects that messages are taken from: there is no message.
    pub fn is_empty(self) -> bool {
        match self {
            Snapshot::Channel(channel) => channel.is_empty(),
            Snapshot::Timer(timer) => timer.fire.is_none(),
            _ => true,
        }
    }
}
