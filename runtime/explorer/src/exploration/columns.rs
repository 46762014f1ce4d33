//! The columns of a race table, as far as they have been found, and the row that was produced last.
//!
//! A row has a digit for each column, and rows are counted up like numbers ([`Columns::count_up`]). A change of an event is
//! allowed only if the event is not in the own past of another changed event, the past of its new partner holds no changed
//! event, and no partner chosen so far happens after it. So every combination reached is a valid row, and no row is
//! generated and discarded.

use super::past::Pasts;
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
        self.words = (run.open.len() - looked_at).div_ceil(64).max(1);
        self.own.clear();
        self.partner.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.digits.len()
    }

    /// Whether there may be another column.
    pub(crate) fn may_be_more(&self, run: &RecordedRun) -> bool {
        self.looked_at < run.open.len()
    }

    /// Finds the next column of a run with its pasts; false if there is none.
    pub(crate) fn find(&mut self, run: &RecordedRun, pasts: &Pasts, settings: &Settings) -> bool {
        while let Some(&event) = run.open.get(self.looked_at) {
            self.looked_at += 1;
            if let Some(column) = self.races.find(event, run, pasts, settings) {
                self.relate(column, run, pasts);
                return true;
            }
        }
        false
    }

    /// Records the relations of the column that was found last to the others.
    fn relate(&mut self, last: Column, run: &RecordedRun, pasts: &Pasts) {
        let (n, w) = (self.len(), self.words);
        let (before, its) = self.races.candidates.split_at(last.first as usize);
        let is_partner = |event: EventId, candidate: &Candidate| {
            self.races.partners(*candidate).iter().any(|&partner| pasts.up_to(event, Some(partner)))
        };
        for (set, candidate) in self.partner.chunks_exact_mut(w).zip(before) {
            if is_partner(last.event, candidate) {
                insert(set, n);
            }
        }
        self.digits.push(0);
        self.own.resize((n + 1) * w, 0);
        self.partner.resize(self.races.candidates.len() * w, 0);
        let own = &mut self.own[n * w..];
        let partner = &mut self.partner[before.len() * w..];
        for (k, column) in self.races.columns[..n].iter().enumerate() {
            // Events in the own past of an event come before it, so no earlier column has this one in its own past.
            if pasts.in_own(run, column.event, last.event) {
                insert(own, k);
            }
            for (set, candidate) in partner.chunks_exact_mut(w).zip(its) {
                if is_partner(column.event, candidate) {
                    insert(set, k);
                }
            }
        }
    }

    /// Advances to the next row, where all columns before `first` are left; false if there is none, and then all are left.
    pub(crate) fn count_up(&mut self, first: usize, rules: &Rules) -> bool {
        // The first column is the lowest digit: a change to an early event leads to the most variants, and such a variant
        // is best given to another worker first.
        for k in first..self.digits.len() {
            let old = std::mem::take(&mut self.digits[k]);
            for digit in old + 1..=self.races.columns[k].len {
                if self.may_change(k, digit, rules) {
                    self.digits[k] = digit;
                    return true;
                }
            }
        }
        false
    }

    /// Whether a column may be changed in addition to the changed ones; all columns before it are unchanged.
    #[inline]
    fn may_change(&self, k: usize, digit: u32, rules: &Rules) -> bool {
        (k + 1..self.digits.len()).filter(|&j| self.digits[j] > 0).all(|j| {
            let (candidate, chosen) = (self.candidate(k, digit), self.candidate(j, self.digits[j]));
            // The own past of a changed event must stay as it is, or the event would not be reached; so must the past of
            // its partner, or the partner would not be there.
            let own_past_intact = !has(&self.own[j * self.words..], k);
            let partners_present = || {
                !has(&self.partner[candidate * self.words..], j)
                    && !has(&self.partner[chosen * self.words..], k)
            };
            (own_past_intact || !rules.has(Rule::OwnPastIntact))
                && (!rules.has(Rule::PartnerPresent) || partners_present())
        })
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
    pub(crate) fn row(&self) -> Vec<i64> {
        let removed = |k: usize| {
            let mut changed = (0..self.digits.len()).filter(|&j| self.digits[j] > 0);
            changed.any(|j| has(&self.own[k * self.words..], j))
        };
        self.digits
            .iter()
            .enumerate()
            .map(|(k, &digit)| if digit == 0 && removed(k) { -1 } else { i64::from(digit) })
            .collect()
    }
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
