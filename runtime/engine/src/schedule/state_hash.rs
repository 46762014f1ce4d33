//! The state of a run: a search through all orders of steps remembers it, so that it continues from no state twice.
//!
//! Two orders of steps that have led to the same events with the same partners have the same future: what may be picked,
//! and whether real objects could have done it, follows from happens-before and not from the order in which events were
//! recorded; and what a thread does next follows from the answers it has got. So the second order need not be followed.
//! This is the definition of a sequence and no more: it does not depend on races and variants.

use std::mem::discriminant;

use crate::Engine;
use crate::ids::{EventId, Id as _, ProcessId, ThreadId};
use crate::mixer;
use crate::record::event::Event;
use crate::schedule::chance::Chance;

impl Engine {
    /// Whether another order of steps has reached this state, in a search that remembers states: the run is to be left.
    pub(crate) fn is_repeated_state(&mut self) -> bool {
        let Some(Chance::Listed(list)) = &self.schedule.chance else { return false };
        // A poll that is being tested leaves no event; and the only result of such a run is a fact.
        if !list.is_lost() || self.polls.are_tested {
            return false;
        }
        let here = self.state_hash(&list.begun);
        let Some(Chance::Listed(list)) = &mut self.schedule.chance else { return false };
        list.reaches(here)
    }

    /// A hash of all events so far, and of the state of each thread, whatever the order in which they were reached.
    fn state_hash(&self, begun: &[u32]) -> u128 {
        let events = self.run.events.iter().map(|event| self.trace(event));
        let threads = self.threads.ids().map(|thread| self.stand(thread, begun));
        // A sum, since addition is commutative.
        events.chain(threads).fold(0, u128::wrapping_add)
    }

    /// An event, by names that do not depend on the order of the run.
    fn trace(&self, event: &Event) -> u128 {
        let name = |event: Option<EventId>| event.map(|it| (self.run.at(it).process, self.run.at(it).index));
        let Event { process, index, op, pick, prev, also, .. } = *event;
        let subject = self.run.subject(event);
        let partners: Vec<Option<(ProcessId, u32)>> =
            self.run.partners(event).iter().map(|&partner| name(Some(partner))).collect();
        mixer::with(0, &(process, index, op, subject, discriminant(&pick), name(prev), name(also), partners))
    }

    /// The state of a thread: how much of its program it has done, and its position within the current operation. Some
    /// operations are no events, so the operations begun are counted too.
    fn stand(&self, thread: ThreadId, begun: &[u32]) -> u128 {
        let t = &self.threads[thread];
        let at = (t.process, self.events_of(t.process), begun.get(thread.place()).copied().unwrap_or(0));
        let waits =
            (discriminant(&t.status), discriminant(&t.waits_for), t.calling, t.call_timed_out, t.over);
        mixer::with(1, &(at, waits, self.schedule.timed_waits.contains(&thread)))
    }
}
