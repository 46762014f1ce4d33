//! Happens-before of a run of a few hundred events: for each, everything that happens before it, as a bit set.

use insyn_engine::ids::{EventId, Id as _};
use insyn_engine::record::run::RecordedRun;

/// The pasts of all events of a run.
#[derive(Default, Debug)]
pub(crate) struct Bits {
    words: usize,
    bits: Vec<u64>,
}

impl Bits {
    /// Computes the past of every event, each in this many words. The first events, this many, are those of another run
    /// whose pasts are known.
    pub(crate) fn compute_after(&mut self, known: &Bits, same: usize, run: &RecordedRun, words: usize) {
        self.bits.clear();
        self.words = words;
        if known.words == words {
            self.bits.extend_from_slice(&known.bits[..(same + 1) * words]);
        }
        self.compute_rest(run);
    }

    /// As [`compute_after`](Self::compute_after), where nothing is known.
    pub(crate) fn compute(&mut self, run: &RecordedRun, words: usize) {
        self.bits.clear();
        self.words = words;
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
        // The first past is that of no event.
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

    pub(crate) fn clear(&mut self) {
        self.words = 0;
        self.bits.clear();
    }

    /// As many words as a set of events takes; none if nothing has been computed.
    #[inline]
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// How many bytes they take.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.bits[..])
    }

    /// The pasts as one word each, if the run is short enough for that.
    pub(crate) fn as_words(&self) -> Option<&[u64]> {
        (self.words == 1).then_some(&self.bits)
    }

    /// Whether any of a set of events happens before `b`.
    #[inline]
    pub(crate) fn any_before(&self, set: &[u64], b: EventId) -> bool {
        let past = &self.bits[b.place() * self.words..];
        set.iter().zip(past).any(|(a, b)| a & b != 0)
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
}

/// An event and all that happens before it, by pasts of one word each; nothing but the bit of no event if there is none.
#[inline]
pub(crate) fn up_to(pasts: &[u64], event: Option<EventId>) -> u64 {
    // The past of no event is empty, and its bit stands for nothing: so none needs no comparison of its own.
    let place = event.map_or(0, EventId::place);
    pasts[place] | 1u64.wrapping_shl(place as u32)
}
