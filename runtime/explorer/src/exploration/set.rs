//! Sets of events, a bit for each.

use insyn_engine::ids::{EventId, Id as _};

/// A set of the events of a run.
#[derive(Default, Debug)]
pub(super) struct Set(Vec<u64>);

impl Set {
    /// Empties the set, and makes room for this many events.
    #[inline]
    pub(super) fn clear_for(&mut self, events: usize) {
        self.0.clear();
        self.0.resize((events + 1).div_ceil(WORD), 0);
    }

    #[inline]
    pub(super) fn insert(&mut self, event: EventId) {
        self.0[event.place() / WORD] |= 1 << (event.place() % WORD);
    }

    /// Adds all of another set.
    #[inline]
    pub(super) fn add(&mut self, other: &Set) {
        self.add_words(&other.0);
    }

    /// As [`add`](Self::add), for a set that is kept elsewhere.
    #[inline]
    pub(super) fn add_words(&mut self, other: &[u64]) {
        self.0.iter_mut().zip(other).for_each(|(mine, theirs)| *mine |= theirs);
    }

    /// Whether an event is in the set.
    #[inline]
    pub(super) fn has(&self, event: EventId) -> bool {
        self.0[event.place() / WORD] >> (event.place() % WORD) & 1 != 0
    }
}

/// How many events a word has bits for.
const WORD: usize = u64::BITS as usize;

/// The events in a set, the first one first.
#[inline]
pub(super) fn members(set: &[u64]) -> impl Iterator<Item = EventId> + '_ {
    (0..)
        .step_by(WORD)
        .zip(set)
        .flat_map(|(first, &word)| bits(word).filter_map(move |bit| EventId::at(first + bit)))
}

/// The bits that are set in a word, the lowest first.
#[inline]
pub(super) fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = word.trailing_zeros();
        word &= word.wrapping_sub(1);
        (lowest < u64::BITS).then_some(lowest as usize)
    })
}
