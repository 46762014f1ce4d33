//! *Kept sender*: a thread cannot go on because it waits for a message of a channel, and every other thread has ended, or waits
//! (by joins, directly or through others) for this one to end. So whatever sender keeps the channel open is held by the thread
//! itself or by one that waits for it.
//!
//! *Full channel*: the same with a thread that waits for room in a channel.

use super::{Cause, blocked, waits_through_joins};
use crate::failing::{Wait, Waiting};
use crate::scene::Scene;
use crate::sequence::{Kind, Op};

pub(super) fn find(scene: &Scene<'_>) -> Option<Cause> {
    let all = blocked(scene);
    let sequence = scene.order.sequence();
    let is_channel =
        |kind: Kind| matches!(kind, Kind::Channel | Kind::Bounded | Kind::Rendezvous | Kind::Port);
    for waiting in all {
        let ([id], true) = (&waiting.on[..], matches!(waiting.wait, Wait::Message | Wait::Completion)) else {
            continue;
        };
        let (thread, channel) = (scene.process(&waiting.thread)?, scene.process(id));
        let Some(channel) = channel.filter(|&it| is_channel(sequence.processes[it].kind)) else { continue };
        let waits_for_it = |it: &Waiting| waits_through_joins(all, it).thread == waiting.thread;
        if !all.iter().all(waits_for_it) {
            continue;
        }
        let last = sequence.processes[thread].events.last().map(|event| event.op);
        let others = all.iter().filter(|it| it.thread != waiting.thread);
        let others: Vec<usize> = others.filter_map(|it| scene.process(&it.thread)).collect();
        return match (waiting.wait, last) {
            (Wait::Message, _) | (_, Some(Op::Take)) => {
                Some(Cause::KeptSender { thread, channel, waiting: others })
            }
            (_, Some(Op::Put)) => Some(Cause::FullChannel { thread, channel }),
            _ => None,
        };
    }
    None
}
