//! The columns of a race table, as far as they have been found, and the row that was produced last.
//!
//! A row has a digit for each column, and rows are counted up like numbers ([`Columns::count_up`]). A change of an event is
//! allowed only if the event is not in the own past of another changed event, the past of its new partner holds no changed
//! event, and no partner chosen so far happens after it. So every combination reached is a valid row, and no row is
//! generated and discarded.

use super::order::{HappensBefore, Order};
use super::past::{Form, Pasts};
use super::races::{Candidate, Column, Races};
use insyn_engine::Settings;
use insyn_engine::ids::EventId;
use insyn_engine::record::run::RecordedRun;
use insyn_engine::rules::{Rule, Rules};

/// Columns in the order of the run, each with its digit.
#[derive(Default, Debug)]
pub(crate) struct Columns {
    /// The events of the columns, and their race sets.
    pub races: Races,
    /// How many receiving events that can still change have been checked.
    looked_at: usize,
    /// Per column: zero to leave it, else one more than the candidate it is changed to.
    digits: Vec<u32>,
    /// How the columns are related.
    relations: Relations,
}

/// How columns are related, each relation as a set of columns; nothing is in them for a long run, of which happens-before is
/// asked when it matters.
#[derive(Default, Debug)]
struct Relations {
    /// How many words a set of columns takes, however many will be found.
    words: usize,
    /// Per column: which columns are in its own past.
    own: Vec<u64>,
    /// Per candidate: which columns are its partners, or in their past.
    partner: Vec<u64>,
}

impl Columns {
    /// Starts without columns. The first `looked_at` receiving events of the run that can still change have no race set.
    pub(crate) fn start(&mut self, run: &RecordedRun, looked_at: usize) {
        self.races.clear();
        self.looked_at = looked_at;
        self.digits.clear();
        self.relations.words = (run.open.len() - looked_at).div_ceil(64).max(1);
        self.relations.own.clear();
        self.relations.partner.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.digits.len()
    }

    /// Finds the next column of a run with its pasts; false if there is none.
    pub(crate) fn find(&mut self, run: &RecordedRun, pasts: &Pasts, settings: &Settings) -> bool {
        match pasts.form() {
            Form::Bits(bits) => self.find_by(run, bits, settings),
            Form::Clocks(clocks) => self.find_by(run, clocks, settings),
        }
    }

    fn find_by<O: Order>(&mut self, run: &RecordedRun, pasts: &O, settings: &Settings) -> bool {
        while let Some(&event) = run.open.get(self.looked_at) {
            self.looked_at += 1;
            if let Some(column) = self.races.find(event, run, pasts, settings) {
                if O::RELATES {
                    self.relations.add(&self.races, column, run, pasts);
                }
                self.digits.push(0);
                return true;
            }
        }
        false
    }

    /// Advances to the next row, where all columns before `first` are left; false if there is none, and then all are left.
    pub(crate) fn count_up(&mut self, first: usize, run: &RecordedRun, pasts: &Pasts, rules: &Rules) -> bool {
        // The first column is the lowest digit: a change to an early event leads to the most variants, and such a variant
        // is best given to another worker first.
        for k in first..self.digits.len() {
            let old = std::mem::take(&mut self.digits[k]);
            for digit in old + 1..=self.races.columns[k].len {
                if self.may_change(k, digit, run, pasts, rules) {
                    self.digits[k] = digit;
                    return true;
                }
            }
        }
        false
    }

    /// Whether a column may be changed in addition to the changed ones; all columns before it are unchanged.
    #[inline]
    fn may_change(&self, k: usize, digit: u32, run: &RecordedRun, pasts: &Pasts, rules: &Rules) -> bool {
        (k + 1..self.digits.len()).filter(|&j| self.digits[j] > 0).all(|j| {
            let (candidate, chosen) = (self.candidate(k, digit), self.candidate(j, self.digits[j]));
            // The own past of a changed event must stay as it is, or the event would not be reached; so must the past of
            // its partner, or the partner would not be there.
            let own_past_intact = !self.is_in_own(k, j, run, pasts);
            let partners_present = || !self.is_up_to(j, candidate, pasts) && !self.is_up_to(k, chosen, pasts);
            (own_past_intact || !rules.has(Rule::OwnPastIntact))
                && (!rules.has(Rule::PartnerPresent) || partners_present())
        })
    }

    /// Whether a column is in the own past of another.
    #[inline]
    fn is_in_own(&self, k: usize, j: usize, run: &RecordedRun, pasts: &Pasts) -> bool {
        match pasts.form() {
            Form::Bits(_) => has(&self.relations.own[j * self.relations.words..], k),
            Form::Clocks(clocks) => {
                let columns = &self.races.columns;
                clocks.in_own(run, columns[k].event, columns[j].event)
            }
        }
    }

    /// Whether a column is a partner of a candidate, or in the past of one.
    #[inline]
    fn is_up_to(&self, k: usize, candidate: usize, pasts: &Pasts) -> bool {
        match pasts.form() {
            Form::Bits(_) => has(&self.relations.partner[candidate * self.relations.words..], k),
            Form::Clocks(clocks) => is_partner(
                &self.races,
                clocks,
                self.races.columns[k].event,
                &self.races.candidates[candidate],
            ),
        }
    }

    /// The meaning of a digit of a column.
    #[inline]
    fn candidate(&self, k: usize, digit: u32) -> usize {
        (self.races.columns[k].first + digit - 1) as usize
    }

    /// The changes of the current row: the event and its new partners (none: NOTHING), in the order of the run.
    pub(crate) fn changes(&self) -> impl Iterator<Item = (EventId, Candidate)> + '_ {
        self.races
            .columns
            .iter()
            .zip(&self.digits)
            .filter(|(_, digit)| **digit > 0)
            .map(|(column, digit)| (column.event, self.races.candidates[(column.first + digit - 1) as usize]))
    }

    /// The digits of the current row as the textbook writes them: -1 for an event that the row removes.
    pub(crate) fn row(&self, run: &RecordedRun, pasts: &Pasts) -> Vec<i64> {
        let removed = |k: usize| {
            let mut changed = (0..self.digits.len()).filter(|&j| self.digits[j] > 0);
            changed.any(|j| self.is_in_own(j, k, run, pasts))
        };
        self.digits
            .iter()
            .enumerate()
            .map(|(k, &digit)| if digit == 0 && removed(k) { -1 } else { i64::from(digit) })
            .collect()
    }
}

impl Relations {
    /// Records the relations of the column that was found last to the others.
    fn add(&mut self, races: &Races, last: Column, run: &RecordedRun, pasts: &impl HappensBefore) {
        let (n, w) = (races.columns.len() - 1, self.words);
        let (before, its) = races.candidates.split_at(last.first as usize);
        for (set, candidate) in self.partner.chunks_exact_mut(w).zip(before) {
            if is_partner(races, pasts, last.event, candidate) {
                insert(set, n);
            }
        }
        self.own.resize((n + 1) * w, 0);
        self.partner.resize(races.candidates.len() * w, 0);
        let own = &mut self.own[n * w..];
        let partner = &mut self.partner[before.len() * w..];
        for (k, column) in races.columns[..n].iter().enumerate() {
            // What is in the own past of an event comes before it, so no other column has this one there.
            if pasts.in_own(run, column.event, last.event) {
                insert(own, k);
            }
            for (set, candidate) in partner.chunks_exact_mut(w).zip(its) {
                if is_partner(races, pasts, column.event, candidate) {
                    insert(set, k);
                }
            }
        }
    }
}

/// Whether an event is a partner of a candidate, or in the past of one.
#[inline]
fn is_partner(races: &Races, pasts: &impl HappensBefore, event: EventId, candidate: &Candidate) -> bool {
    races.partners(*candidate).iter().any(|&partner| pasts.up_to(event, Some(partner)))
}

/// Whether a set of columns has one.
#[inline]
fn has(set: &[u64], column: usize) -> bool {
    set[column / 64] >> (column % 64) & 1 != 0
}

/// Adds a column to a set.
#[inline]
fn insert(set: &mut [u64], column: usize) {
    set[column / 64] |= 1 << (column % 64);
}
