//! Virtual time. A thread's clock is a function of its causal past: it stands still while the thread computes, passes when
//! it sleeps or loses patience, and is never behind what the thread has heard of.

use super::event::NONE;
use super::{Execution, of};

/// What a look at the clock takes, so that a loop that waits for a time comes to an end.
const LOOK: u64 = 1_000;

/// Nanoseconds since the program began, by the running thread's clock.
#[track_caller]
pub(crate) fn now(stamp: u64) -> u64 {
    pass(stamp, LOOK);
    let x = of(stamp);
    x.time_of(x.running)
}

/// Time passes for the running thread, before whatever it does next.
#[track_caller]
pub(crate) fn pass(stamp: u64, nanos: u64) {
    of(stamp).sleep(nanos);
}

impl Execution {
    fn sleep(&mut self, nanos: u64) {
        let chain = self.threads[self.running as usize].process;
        let next = (chain, self.chain_len(chain));
        let slept = self.slept.entry(next).or_insert(0);
        *slept = slept.saturating_add(nanos);
    }

    /// What the clock of a thread shows.
    fn time_of(&mut self, thread: u32) -> u64 {
        let run = &self.done;
        for i in self.times.len()..run.events.len() {
            let event = run.at(i as u32);
            let before = run.own(event).chain(run.mates(event).iter().copied());
            let heard = before.map(|p| self.times[p as usize]).max().unwrap_or(0);
            let slept = self.slept.get(&(event.chain, event.index)).copied().unwrap_or(0);
            self.times.push(heard.saturating_add(slept));
        }
        let t = &self.threads[thread as usize];
        let at = |p: u32| if p == NONE { 0 } else { self.times[p as usize] };
        at(t.prev).max(at(t.also)).saturating_add(self.slept_since(thread))
    }

    /// How long a thread has slept since its last event.
    fn slept_since(&self, thread: u32) -> u64 {
        let chain = self.threads[thread as usize].process;
        self.slept.get(&(chain, self.chain_len(chain))).copied().unwrap_or(0)
    }

    /// A thread that has just been started begins at its creator's time. (Starting is no event, so what the creator has
    /// slept before it is in no event yet.)
    #[inline(always)]
    pub(super) fn hand_down_time(&mut self, creator: u32, child: u32) {
        if !self.slept.is_empty() {
            self.hand_down_sleep(creator, child);
        }
    }

    #[cold]
    fn hand_down_sleep(&mut self, creator: u32, child: u32) {
        let slept = self.slept_since(creator);
        if slept > 0 {
            self.slept.insert((self.threads[child as usize].process, 0), slept);
        }
    }

    /// The running thread hears of the end of another, which may have slept after its last event.
    pub(super) fn hear_of_end(&mut self, thread: u32) {
        if self.slept.is_empty() || self.slept_since(thread) == 0 {
            return;
        }
        let (end, now) = (self.time_of(thread), self.time_of(self.running));
        self.sleep(end.saturating_sub(now));
    }
}
