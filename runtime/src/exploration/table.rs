//! The race table of a run, row by row. Each row chooses, for every receiving event that has a race set, to leave it
//! or to change it to a member of the set; a row with at least one change is a variant.
//!
//! Rows are produced one at a time ([`Table::next`]), like the digits of a number. A change is allowed only if no changed
//! event has it in its own past, its new partner's past holds no changed event, and no partner chosen so far happens
//! after it; so every combination reached is a valid row and nothing is generated in vain.

use super::past::Pasts;
use super::races::{Candidate, Races};
use crate::execution::event::{Ix, Run};
use crate::execution::script::Whole;
use crate::rules::{Rule, Rules};

/// A run with its race sets and the row that was produced last.
#[derive(Default, Debug)]
pub(crate) struct Table {
    pub(crate) recorded: Box<Run>,
    /// The script of a variant that keeps all of it.
    pub(crate) whole: Whole,
    pub(crate) races: Races,
    /// Happens-before of the run, if that is small enough to be kept.
    pub(crate) pasts: Pasts,
    /// Per column: zero to leave it, else one more than the candidate it is changed to.
    digits: Vec<u32>,
    words: usize,
    /// Per column: which columns are in its own past.
    own: Vec<u64>,
    /// Per candidate: which columns are its partners, or in their past.
    partner: Vec<u64>,
    /// Rows produced so far: the place of a row among its siblings.
    pub(crate) produced: u64,
    exhausted: bool,
}

impl Table {
    /// Starts the table of the recorded run with the race sets in `self.races`.
    pub(crate) fn start(&mut self, pasts: &mut Pasts, processes: usize) {
        self.whole.fill(&self.recorded, processes);
        let columns = &self.races.columns;
        let n = columns.len();
        self.words = n.div_ceil(64).max(1);
        self.produced = 0;
        self.exhausted = n == 0;
        self.digits.clear();
        self.digits.resize(n, 0);
        self.own.clear();
        self.own.resize(n * self.words, 0);
        self.partner.clear();
        self.partner.resize(self.races.candidates.len() * self.words, 0);
        let w = self.words;
        for (k, column) in columns.iter().enumerate() {
            let (event, bit, word) = (column.event, 1u64 << (k % 64), k / 64);
            for (j, other) in columns.iter().enumerate() {
                if pasts.in_own(&self.recorded, event, other.event) {
                    self.own[j * w + word] |= bit;
                }
            }
            for (c, candidate) in self.races.candidates.iter().enumerate() {
                if self.races.mates(*candidate).iter().any(|&m| pasts.up_to(event, m)) {
                    self.partner[c * w + word] |= bit;
                }
            }
        }
        if pasts.are_small() {
            std::mem::swap(&mut self.pasts, pasts);
        } else {
            self.pasts.clear();
        }
    }

    /// Whether [`next`](Self::next) may find another row.
    pub(crate) fn has_more(&self) -> bool {
        !self.exhausted
    }

    /// Goes to the next row; false if there is none.
    pub(crate) fn next(&mut self, rules: &Rules) -> bool {
        if self.exhausted {
            return false;
        }
        // Count up. The first column is the lowest digit: a change to an early event leads to the most variants, and what
        // leads furthest is best given away first.
        for k in 0..self.digits.len() {
            let old = std::mem::take(&mut self.digits[k]);
            for digit in old + 1..=self.races.columns[k].len {
                if self.may_change(k, digit, rules) {
                    self.digits[k] = digit;
                    self.produced += 1;
                    return true;
                }
            }
        }
        self.exhausted = true;
        false
    }

    /// Whether a column may be changed beside those that are; all before it are left as they are.
    #[inline]
    fn may_change(&self, k: usize, digit: u32, rules: &Rules) -> bool {
        (k + 1..self.digits.len()).filter(|&j| self.digits[j] > 0).all(|j| {
            let (candidate, chosen) = (self.candidate(k, digit), self.candidate(j, self.digits[j]));
            // What is in the own past of a changed one must stay as it is, for that to come up at all; and what is in a
            // partner's past, for that to be there.
            let own_past_intact = !has(&self.own[j * self.words..], k);
            let partners_present = || {
                !has(&self.partner[candidate * self.words..], j)
                    && !has(&self.partner[chosen * self.words..], k)
            };
            (own_past_intact || !rules.has(Rule::OwnPastIntact))
                && (!rules.has(Rule::PartnerPresent) || partners_present())
        })
    }

    /// What a digit of a column stands for.
    #[inline]
    fn candidate(&self, k: usize, digit: u32) -> usize {
        (self.races.columns[k].first + digit - 1) as usize
    }

    /// The changes of the current row: the event and its new partners (none: NOTHING), in the order of the run.
    pub(crate) fn changes(&self) -> impl Iterator<Item = (Ix, Candidate)> + '_ {
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
