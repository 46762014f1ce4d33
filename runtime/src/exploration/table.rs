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
    /// The columns that are changed.
    changed: Vec<u64>,
    /// The columns in the own past of a changed one, which must stay as they are for it to come up at all.
    in_own_past: Vec<u64>,
    /// The columns in the past of a chosen partner, which must stay as they are for it to be there.
    in_partners_past: Vec<u64>,
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
        for bits in [&mut self.changed, &mut self.in_own_past, &mut self.in_partners_past] {
            bits.clear();
            bits.resize(self.words, 0);
        }
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
            let old = self.digits[k];
            if old > 0 {
                self.set(k, 0);
            }
            let len = self.races.columns[k].len;
            for digit in old + 1..=len {
                if self.may_change(k, digit, rules) {
                    self.set(k, digit);
                    self.produced += 1;
                    return true;
                }
            }
        }
        self.exhausted = true;
        false
    }

    fn may_change(&self, k: usize, digit: u32, rules: &Rules) -> bool {
        let w = self.words;
        let candidate = (self.races.columns[k].first + digit - 1) as usize;
        let has = |bits: &[u64]| bits[k / 64] >> (k % 64) & 1 != 0;
        if rules.has(Rule::OwnPastIntact) && has(&self.in_own_past) {
            return false;
        }
        let partner = &self.partner[candidate * w..(candidate + 1) * w];
        let meets_change = partner.iter().zip(&self.changed).any(|(a, b)| a & b != 0);
        !rules.has(Rule::PartnerPresent) || !meets_change && !has(&self.in_partners_past)
    }

    /// Sets a digit; every lower one is zero.
    fn set(&mut self, k: usize, digit: u32) {
        self.digits[k] = digit;
        let bit = 1u64 << (k % 64);
        if digit == 0 {
            self.changed[k / 64] &= !bit;
            self.in_own_past.fill(0);
            self.in_partners_past.fill(0);
            for j in k + 1..self.digits.len() {
                self.need(j);
            }
        } else {
            self.changed[k / 64] |= bit;
            self.need(k);
        }
    }

    /// Notes which columns a changed one needs to stay as they are.
    fn need(&mut self, k: usize) {
        if self.digits[k] > 0 {
            let w = self.words;
            let candidate = (self.races.columns[k].first + self.digits[k] - 1) as usize;
            for (n, p) in self.in_partners_past.iter_mut().zip(&self.partner[candidate * w..]) {
                *n |= p;
            }
            for (n, o) in self.in_own_past.iter_mut().zip(&self.own[k * w..]) {
                *n |= o;
            }
        }
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
        let w = self.words;
        let removed =
            |k: usize| self.own[k * w..(k + 1) * w].iter().zip(&self.changed).any(|(a, b)| a & b != 0);
        self.digits
            .iter()
            .enumerate()
            .map(|(k, &digit)| if digit == 0 && removed(k) { -1 } else { i64::from(digit) })
            .collect()
    }
}
