//! *Double receive*: a thread cannot go on because it waits to take a message of a channel; another thread has taken two messages of
//! this channel; and it decides whether the second of them goes to the thread that waits.

use super::{Cause, blocked, events_of, thread_of};
use crate::scene::Scene;
use crate::sequence::{EventRef, Op};

pub(super) fn find(scene: &Scene<'_>) -> Option<Cause> {
    let sequence = scene.order.sequence();
    let is_take = |at: EventRef| matches!(sequence.event(at).op, Op::Take | Op::TryTake | Op::TakeTimeout);
    for waiting in blocked(scene) {
        let Some(waits) = scene.last_of(waiting).filter(|&at| is_take(at) && scene.order.is_open(at)) else {
            continue;
        };
        let Some(channel) = sequence.event(waits).object else { continue };
        for it in scene.deciding().filter(|it| it.event.process == channel) {
            let second = it.event;
            let taker = thread_of(scene, second);
            let is_first = |at: &EventRef| is_take(*at) && thread_of(scene, *at) == taker && *at < second;
            let first = events_of(scene, channel).filter(is_first).last();
            if let Some(first) = first
                && is_take(second)
                && taker != waits.process
                && it.instead.contains(&waits)
            {
                return Some(Cause::DoubleReceive { channel, first, second, waits });
            }
        }
    }
    None
}
