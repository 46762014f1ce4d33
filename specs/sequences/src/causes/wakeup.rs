//! *Missed wakeup*: a thread cannot go on because it waits for a notification of a condition variable; another thread notified
//! the variable before that wait, and nobody notifies it after; and it decides whether the wait comes before that notification.

use super::{Cause, blocked, events_of, thread_of};
use crate::failing::Wait;
use crate::scene::Scene;
use crate::sequence::{EventRef, Op};

pub(super) fn find(scene: &Scene<'_>) -> Option<Cause> {
    let sequence = scene.order.sequence();
    for waiting in blocked(scene).iter().filter(|it| it.wait == Wait::Notification) {
        let (thread, condvar) = (scene.process(&waiting.thread)?, scene.process(waiting.on.first()?)?);
        let own = &sequence.processes[thread].events;
        let is_wait = |index: &usize| own[*index].op == Op::Wait && own[*index].object == Some(condvar);
        let Some(index) = (0..own.len()).rev().find(is_wait) else { continue };
        let wait = EventRef { process: thread, index };
        let Some(began) = scene.order.completion(wait) else { continue };
        let is_notified = |at: &EventRef| matches!(sequence.event(*at).op, Op::NotifyOne | Op::NotifyAll);
        if events_of(scene, condvar).skip(began.index + 1).any(|at| is_notified(&at)) {
            continue;
        }
        let decisive = scene.deciding().find(|it| {
            it.event.process == condvar
                && it.event.index < began.index
                && is_notified(&it.event)
                && thread_of(scene, it.event) != thread
                && it.instead.contains(&wait)
        });
        if let Some(decisive) = decisive {
            return Some(Cause::MissedWakeup { wait, notification: decisive.event });
        }
    }
    None
}
