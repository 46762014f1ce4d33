//! Virtual time. A thread's clock is a function of its causal past: it stands still while the thread computes, passes when
//! it sleeps or loses patience, and is never behind what the thread has heard of.

use super::event::NONE;
use super::of;

/// What a look at the clock takes, so that a loop that waits for a time comes to an end.
const LOOK: u64 = 1_000;

/// Nanoseconds since the program began, by the running thread's clock.
pub(crate) fn now(stamp: u64) -> u64 {
    pass(stamp, LOOK);
    let x = of(stamp);
    let run = &x.done.run;
    for i in x.times.len()..run.events.len() {
        let event = run.at(i as u32);
        let before = run.own(event).chain(run.mates(event).iter().copied());
        let heard = before.map(|p| x.times[p as usize]).max().unwrap_or(0);
        let slept = x.slept.get(&(event.chain, event.index)).copied().unwrap_or(0);
        x.times.push(heard.saturating_add(slept));
    }
    let thread = &x.threads[x.running as usize];
    let at = |p: u32| if p == NONE { 0 } else { x.times[p as usize] };
    let next = (thread.process, x.chain_len(thread.process));
    let slept = x.slept.get(&next).copied().unwrap_or(0);
    at(thread.prev).max(at(thread.also)).saturating_add(slept)
}

/// Time passes for the running thread, before whatever it does next.
pub(crate) fn pass(stamp: u64, nanos: u64) {
    let x = of(stamp);
    let chain = x.threads[x.running as usize].process;
    let next = (chain, x.chain_len(chain));
    let slept = x.slept.entry(next).or_insert(0);
    *slept = slept.saturating_add(nanos);
}
