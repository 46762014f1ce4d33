//! Where a run stands: what a search through all orders of steps remembers, so that it goes on from nowhere twice.
//!
//! Two orders of steps that have led to the same events with the same partners have the same future: what may be picked, and
//! whether real objects could have done it, follows from happens-before and not from the order in which events were
//! recorded; and what a thread does next follows from what it has been told. So the second need not be followed. This is
//! the definition of a sequence and no more: it knows nothing of races and variants.

use std::mem::discriminant;

use crate::engine::Engine;
use crate::engine::ids::{EventId, Id as _, ProcessId, ThreadId};
use crate::engine::record::event::Event;
use crate::engine::schedule::chance::Chance;
use crate::mixer;

impl Engine {
    /// Whether another order of steps has led here, in a search that remembers: the run is to be left.
    pub(crate) fn is_here_again(&mut self) -> bool {
        let Some(Chance::Listed(list)) = &self.schedule.chance else { return false };
        // Threads whose patience is put to the test do not show it in events; and such a run shows a fact, nothing else.
        if !list.is_lost() || self.polls.are_tested {
            return false;
        }
        let here = self.whereabouts(&list.begun);
        let Some(Chance::Listed(list)) = &mut self.schedule.chance else { return false };
        list.comes_to(here)
    }

    /// A fingerprint of all events so far, and of where each thread stands, whatever the order in which that came about.
    fn whereabouts(&self, begun: &[u32]) -> u128 {
        let events = self.run.events.iter().map(|event| self.trace(event));
        let threads = self.threads.ids().map(|thread| self.stand(thread, begun));
        // A sum, since it has no order.
        events.chain(threads).fold(0, u128::wrapping_add)
    }

    /// An event, by names that hold whatever comes first.
    fn trace(&self, event: &Event) -> u128 {
        let name = |event: Option<EventId>| event.map(|it| (self.run.at(it).process, self.run.at(it).index));
        let Event { process, index, op, pick, prev, also, .. } = *event;
        let subject = self.run.subject(event);
        let partners: Vec<Option<(ProcessId, u32)>> =
            self.run.partners(event).iter().map(|&partner| name(Some(partner))).collect();
        mixer::with(0, &(process, index, op, subject, discriminant(&pick), name(prev), name(also), partners))
    }

    /// Where a thread stands: how far it has come in its program, and within the operation it is at. Some operations are no
    /// events, so those begun are counted too.
    fn stand(&self, thread: ThreadId, begun: &[u32]) -> u128 {
        let t = &self.threads[thread];
        let at = (t.process, self.events_of(t.process), begun.get(thread.place()).copied().unwrap_or(0));
        let waits = (discriminant(&t.status), discriminant(&t.waits_for), t.calling, t.impatient, t.over);
        mixer::with(1, &(at, waits, self.schedule.patient.contains(&thread)))
    }
}
