//! *Not atomic*: a thread takes a lock, releases it and takes it again; another thread takes the lock between them; and it
//! decides whether the first thread comes next instead. Named only if this is true of no other thread and lock: else it is not
//! clear whose two uses belong together.

use std::collections::BTreeSet;

use super::{Cause, events_of, takes_lock, thread_of};
use crate::scene::Scene;
use crate::sequence::{EventRef, Op};

pub(super) fn find(scene: &Scene<'_>) -> Option<Cause> {
    scene.fatal()?;
    let sequence = scene.order.sequence();
    let mut found: Option<Cause> = None;
    let mut divided: BTreeSet<(usize, usize)> = BTreeSet::new();
    for it in scene.deciding() {
        let between = it.event;
        let (lock, event) = (between.process, sequence.event(between));
        let &[second] = &it.instead[..] else { continue };
        if sequence.is_thread(lock) || !takes_lock(event.op) || !takes_lock(sequence.event(second).op) {
            continue;
        }
        let thread = second.process;
        if thread_of(scene, between) == thread {
            continue;
        }
        let own: Vec<EventRef> =
            events_of(scene, lock).take(between.index).filter(|&at| thread_of(scene, at) == thread).collect();
        let first = own.iter().rev().find(|&&at| takes_lock(sequence.event(at).op));
        let is_released = own.last().is_some_and(|&at| sequence.event(at).op == Op::Unlock);
        if let (Some(&first), true) = (first, is_released) {
            divided.insert((thread, lock));
            found.get_or_insert(Cause::NotAtomic { first, between, second });
        }
    }
    found.filter(|_| divided.len() == 1)
}
