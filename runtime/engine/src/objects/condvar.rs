//! A condition variable: threads that wait, of which a notification wakes one or all.

use insyn_sequences::Op;

use super::{Answer, Argument, Behaviour, Call, Completion, Effect, Enabled, Liberties, Outcome};
use crate::ids::EventId;

/// The completed waits of the waiting threads, the longest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct State {
    waiters: Vec<EventId>,
}

/// How many threads wait. A completion records separately which ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Snapshot {
    waiting: u32,
}

impl State {
    /// The waits, the longest first.
    #[inline]
    pub fn waiters(&self) -> &[EventId] {
        &self.waiters
    }

    /// The longest waiter, which stops waiting.
    pub(crate) fn release_first(&mut self) -> Option<EventId> {
        (!self.waiters.is_empty()).then(|| self.waiters.remove(0))
    }

    fn release(&mut self, waiter: EventId) {
        self.waiters.retain(|&it| it != waiter);
    }
}

impl Behaviour for State {
    type Snapshot = Snapshot;

    #[inline]
    fn snapshot(&self) -> Snapshot {
        Snapshot { waiting: self.waiters.len() as u32 }
    }

    #[inline]
    fn enabled(condvar: Snapshot, call: &Call, _: &Liberties) -> Enabled {
        match call.op {
            Op::NotifyOne if condvar.waiting > 0 => Enabled::WithWaiter,
            Op::Expire => Enabled::WhileWaiting,
            _ => Enabled::NOW,
        }
    }

    #[inline]
    fn complete(&mut self, call: &Completion<'_>) -> Outcome {
        match (call.op, call.argument) {
            (Op::Wait, _) => {
                self.waiters.push(call.event);
                return Outcome::with(Answer::Yes, Effect::Waits);
            }
            (Op::NotifyOne, _) => {
                if let [_, waiter] = *call.partners {
                    self.release(waiter);
                    return Outcome::with(Answer::Yes, Effect::Notifies(waiter));
                }
            }
            (Op::NotifyAll, _) => return Outcome::with(Answer::Yes, Effect::NotifiesAll),
            (Op::Expire, Argument::Wait(wait)) => self.release(wait),
            _ => {}
        }
        Outcome::YES
    }

    fn restart(&mut self, _: Self) {
        self.waiters.clear();
    }
}
