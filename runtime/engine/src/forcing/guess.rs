//! Which thread of a forced program goes on next: a guess, which does no harm if it is wrong.

use crate::Engine;
use crate::ids::ThreadId;
use crate::threads::Thread;
use crate::threads::progress::Progress;

impl Engine {
    /// Chooses the thread that goes on: preferably one that is likely to do the next step, judging by earlier runs; else
    /// one about which nothing is known; last, one that would only wait for a later turn. A good guess finds a feasible
    /// sequence in few executions, and a bad one does no harm: the exploration goes on from any run.
    #[cold]
    #[inline(never)]
    pub(crate) fn likely_ready(&mut self) -> Option<ThreadId> {
        // A thread that only polls must not keep all others waiting.
        const FAIR: u32 = 16;
        let forcing = self.turns.forcing.clone()?;
        let next = self.next_step();
        let known = forcing.wanted();
        let unlikely = |&n: &usize| {
            let thread = &self.threads[self.schedule.ready[n]];
            let Progress { taking, claimed, wanted, .. } = thread.progress;
            let id = self.processes.id(thread.process);
            match known.get(id).and_then(|all| all.get(wanted as usize)) {
                _ if taking || claimed.is_some() => 0,
                Some(steps) if steps.contains(&next) => 0,
                None => 1,
                Some(_) => 2,
            }
        };
        let (last, times) = self.turns.chosen.unzip();
        let times = times.unwrap_or(0);
        // Among equals, the thread that has just given way: others would get in the way of what it has begun.
        let likely = (0..self.schedule.ready.len())
            .min_by_key(|n| (unlikely(n), Some(self.schedule.ready[*n]) != last))?;
        let place = if Some(self.schedule.ready[likely]) == last && times >= FAIR { 0 } else { likely };
        let thread = self.schedule.ready.remove(place)?;
        self.turns.chosen = Some((thread, if Some(thread) == last { times + 1 } else { 1 }));
        Some(thread)
    }

    /// A thread wants a turn for one of these steps.
    pub(crate) fn note_wanted(&mut self, thread: ThreadId, steps: &[u32]) {
        let Some(forcing) = self.turns.forcing.clone() else { return };
        let Thread { process, progress, .. } = &mut self.threads[thread];
        let mut known = forcing.wanted();
        let all = known.entry(self.processes.id(*process).to_owned()).or_default();
        match all.get_mut(progress.wanted as usize) {
            Some(known) => *known = steps.to_vec(),
            None => all.push(steps.to_vec()),
        }
        progress.wanted += 1;
    }
}
