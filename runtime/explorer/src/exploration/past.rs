//! Happens-before of a finished run, as one bit set per event: everything that happened before it.

use insyn_engine::ids::{EventId, Id as _};
use insyn_engine::record::run::RecordedRun;

/// The pasts of all events of a run. Kept by the worker and filled anew for each run.
#[derive(Default, Debug)]
pub(crate) struct Pasts {
    words: usize,
    bits: Vec<u64>,
}

impl Pasts {
    /// Computes the past of every event, each in at least this many words.
    pub(crate) fn compute(&mut self, run: &RecordedRun, least_words: usize) {
        self.bits.clear();
        self.words = words_of(run, least_words);
        self.compute_rest(run);
    }

    /// As [`compute`](Self::compute), where the first `same` events are those of another run whose pasts are known.
    pub(crate) fn compute_after(
        &mut self,
        known: &Pasts,
        same: usize,
        run: &RecordedRun,
        least_words: usize,
    ) {
        self.bits.clear();
        self.words = words_of(run, least_words);
        if known.words == self.words {
            self.bits.extend_from_slice(&known.bits[..(same + 1) * self.words]);
        }
        self.compute_rest(run);
    }

    /// Computes the pasts that are missing. The order of recording is topological, so one pass is enough.
    fn compute_rest(&mut self, run: &RecordedRun) {
        if self.words == 1 {
            self.compute_small(run);
        } else {
            self.compute_large(run);
        }
    }

    /// At most 63 events: a past is one word.
    fn compute_small(&mut self, run: &RecordedRun) {
        // The first entry belongs to no event.
        let known = self.bits.len().max(1);
        self.bits.resize(run.events.len() + 1, 0);
        let bits = &mut self.bits[..];
        for (i, event) in run.events.pairs_after(known - 1) {
            let mut past = up_to(bits, event.prev) | up_to(bits, event.also) | up_to(bits, event.partner);
            if event.partners.len > 1 {
                run.partners(event).iter().for_each(|&p| past |= up_to(bits, Some(p)));
            }
            run.drops(event).iter().for_each(|&p| past |= up_to(bits, Some(p)));
            bits[i.place()] = past;
        }
    }

    fn compute_large(&mut self, run: &RecordedRun) {
        let w = self.words;
        let known = (self.bits.len() / w).max(1);
        self.bits.resize((run.events.len() + 1) * w, 0);
        for (i, event) in run.events.pairs_after(known - 1) {
            let (before, rest) = self.bits.split_at_mut(i.place() * w);
            let mine = &mut rest[..w];
            for p in run.own(event).chain(run.partners(event).iter().copied()) {
                let p = p.place();
                let past = &before[p * w..(p + 1) * w];
                for (m, b) in mine.iter_mut().zip(past) {
                    *m |= b;
                }
                mine[p / 64] |= 1 << (p % 64);
            }
        }
    }

    /// How many words a set of events takes.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// Whether any of a set of events happens before `b`.
    #[inline]
    pub(crate) fn any_before(&self, set: &[u64], b: EventId) -> bool {
        let past = &self.bits[b.place() * self.words..];
        set.iter().zip(past).any(|(a, b)| a & b != 0)
    }

    pub(crate) fn clear(&mut self) {
        self.words = 0;
        self.bits.clear();
    }

    /// Whether pasts have been computed, and are small enough to keep with each table.
    pub(crate) fn are_known(&self) -> bool {
        self.words > 0
    }

    pub(crate) fn are_small(&self) -> bool {
        self.words <= 8
    }

    /// The pasts as one word each, if the run is short enough for that.
    pub(crate) fn as_words(&self) -> Option<&[u64]> {
        (self.words == 1).then_some(&self.bits)
    }

    /// All that happens before `b`, as a set of events.
    #[inline]
    pub(crate) fn of(&self, b: EventId) -> &[u64] {
        &self.bits[b.place() * self.words..][..self.words]
    }

    /// Whether `a` happens before `b`.
    #[inline]
    pub(crate) fn before(&self, a: EventId, b: EventId) -> bool {
        let (a, b) = (a.place(), b.place());
        self.bits[b * self.words + a / 64] >> (a % 64) & 1 != 0
    }

    /// Whether `a` is `b` or happens before it; false if there is no `b`.
    #[inline]
    pub(crate) fn up_to(&self, a: EventId, b: Option<EventId>) -> bool {
        b.is_some_and(|b| a == b || self.before(a, b))
    }

    /// Whether `a` is in the own past of event `i`: before it, and not only through its partners.
    #[inline]
    pub(crate) fn in_own(&self, run: &RecordedRun, a: EventId, i: EventId) -> bool {
        let event = &run.events[i];
        self.up_to(a, event.prev) || self.up_to(a, event.also)
    }
}

/// How many words a set of the events of a run takes.
fn words_of(run: &RecordedRun, least: usize) -> usize {
    (run.events.len() + 1).div_ceil(64).max(least)
}

/// An event and all that happens before it, by pasts of one word each. Without an event, only bit 0, which stands for no
/// event.
#[inline]
pub(crate) fn up_to(pasts: &[u64], event: Option<EventId>) -> u64 {
    // Entry 0 is empty, and its bit stands for no event: so `None` needs no branch.
    let place = event.map_or(0, EventId::place);
    pasts[place] | 1u64.wrapping_shl(place as u32)
}
