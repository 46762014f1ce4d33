//! Happens-before of a finished run: by bit sets if it is short, which is fastest, else by clocks, whose memory grows with
//! the number of events and not with its square.

use super::bits::Bits;
use super::clocks::Clocks;
use super::order::HappensBefore;
use insyn_engine::ids::EventId;
use insyn_engine::record::run::RecordedRun;

/// The pasts of all events of a run. Kept by the worker and filled anew for each run.
#[derive(Default, Debug)]
pub(crate) struct Pasts {
    /// Nothing is in them if the run is long.
    bits: Bits,
    clocks: Clocks,
}

/// The pasts of a run, in the form that they have.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form<'a> {
    Bits(&'a Bits),
    Clocks(&'a Clocks),
}

/// The maximal number of words of a bit set.
const MOST_WORDS: usize = 8;

impl Pasts {
    /// Computes the past of every event, each in at least this many words.
    pub(crate) fn compute(&mut self, run: &RecordedRun, least_words: usize) {
        match words_of(run, least_words) {
            Some(words) => self.bits.compute(run, words),
            None => self.compute_clocks(run),
        }
    }

    /// As [`compute`](Self::compute), where the first `same` events are those of another run whose pasts are known.
    pub(crate) fn compute_after(
        &mut self,
        known: &Pasts,
        same: usize,
        run: &RecordedRun,
        least_words: usize,
    ) {
        match words_of(run, least_words) {
            Some(words) => self.bits.compute_after(&known.bits, same, run, words),
            None => self.compute_clocks(run),
        }
    }

    fn compute_clocks(&mut self, run: &RecordedRun) {
        self.bits.clear();
        self.clocks.compute(run);
    }

    /// How many bytes they take.
    pub(crate) fn bytes(&self) -> usize {
        match self.form() {
            Form::Bits(bits) => bits.bytes(),
            Form::Clocks(clocks) => clocks.bytes(),
        }
    }

    /// The form that they have.
    #[inline]
    pub(crate) fn form(&self) -> Form<'_> {
        if self.bits.words() > 0 { Form::Bits(&self.bits) } else { Form::Clocks(&self.clocks) }
    }

    /// The pasts as one word each, if the run is short enough for that.
    #[inline]
    pub(crate) fn as_words(&self) -> Option<&[u64]> {
        self.bits.as_words()
    }
}

impl HappensBefore for Pasts {
    #[inline]
    fn before(&self, a: EventId, b: EventId) -> bool {
        match self.form() {
            Form::Bits(bits) => bits.before(a, b),
            Form::Clocks(clocks) => clocks.before(a, b),
        }
    }
}

/// Whether a run is analysed as a long one, if its sets take at least this many words.
pub(crate) fn is_long(run: &RecordedRun, least_words: usize) -> bool {
    words_of(run, least_words).is_none()
}

/// How many words a set of the events of a run takes; none if those are too many.
fn words_of(run: &RecordedRun, least: usize) -> Option<usize> {
    Some((run.events.len() + 1).div_ceil(64).max(least)).filter(|&words| words <= MOST_WORDS)
}
