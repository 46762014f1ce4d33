//! The race table of a run, row by row. Each row chooses, for every receiving event that has a race set, to leave it
//! or to change it to a member of the set; a row with at least one change is a variant.
//!
//! Rows are produced one at a time ([`Table::next`]), like the digits of a number, and so are columns: the next race set is
//! looked for when all rows that change earlier events have been produced ([`Table::find_column`]). A change is allowed only
//! if no changed event has it in its own past, its new partner's past holds no changed event, and no partner chosen so far
//! happens after it; so every combination reached is a valid row and nothing is generated in vain.

use super::past::Pasts;
use super::races::{Candidate, Column, Races, changeable};
use crate::execution::Settings;
use crate::execution::event::{Ix, Run};
use crate::execution::objects::Object;
use crate::execution::script::Whole;
use crate::rules::{Rule, Rules};

/// A run with its race sets and the row that was produced last.
#[derive(Default, Debug)]
pub(crate) struct Table {
    pub(crate) recorded: Box<Run>,
    /// The objects of the run, as it left them.
    pub(crate) objects: Vec<Object>,
    /// The script of a variant that keeps all of it.
    pub(crate) whole: Whole,
    /// The columns that have been found.
    pub(crate) races: Races,
    /// Happens-before of the run, if that is small enough to be kept.
    pub(crate) pasts: Pasts,
    /// From here on columns are still to be found.
    rest: Ix,
    /// Per column: zero to leave it, else one more than the candidate it is changed to.
    digits: Vec<u32>,
    /// How many words a set of columns takes, whatever their number.
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
    /// Starts the table of the recorded run. No event before `first` has a race set.
    pub(crate) fn start(&mut self, first: Ix, processes: usize, settings: &Settings) {
        self.whole.fill(&self.recorded, processes);
        self.races.clear();
        self.pasts.clear();
        self.rest = first;
        self.digits.clear();
        self.words = changeable(&self.recorded, first, settings).count().div_ceil(64).max(1);
        self.own.clear();
        self.partner.clear();
        self.produced = 0;
        self.exhausted = false;
    }

    /// Keeps happens-before of the run, which was needed to find the first column, for the others; unless that is too large.
    pub(crate) fn keep(&mut self, pasts: &mut Pasts) {
        if pasts.are_small() {
            std::mem::swap(&mut self.pasts, pasts);
        }
    }

    /// Finds the next column of the recorded run, with its objects and its pasts; false if there is none.
    pub(crate) fn find_column(&mut self, objects: &[Object], pasts: &Pasts, settings: &Settings) -> bool {
        let Table { recorded, races, rest, .. } = self;
        let mut found = None;
        for i in changeable(recorded, *rest, settings) {
            *rest = i + 1;
            found = races.find(i, recorded, objects, pasts, settings);
            if found.is_some() {
                break;
            }
        }
        found.inspect(|column| self.relate(column, pasts)).is_some()
    }

    /// Notes how the column that was found last stands to the others.
    fn relate(&mut self, last: &Column, pasts: &Pasts) {
        let (n, w) = (self.digits.len(), self.words);
        let (bit, word) = (1u64 << (n % 64), n / 64);
        for candidate in 0..last.first as usize {
            if self.is_partner(last.event, self.races.candidates[candidate], pasts) {
                self.partner[candidate * w + word] |= bit;
            }
        }
        self.digits.push(0);
        self.own.resize((n + 1) * w, 0);
        self.partner.resize(self.races.candidates.len() * w, 0);
        for k in 0..=n {
            let event = self.races.columns[k].event;
            let (bit, word) = (1u64 << (k % 64), k / 64);
            // What is in the own past of an event comes before it.
            if pasts.in_own(&self.recorded, event, last.event) {
                self.own[n * w + word] |= bit;
            }
            for candidate in last.first as usize..self.races.candidates.len() {
                if self.is_partner(event, self.races.candidates[candidate], pasts) {
                    self.partner[candidate * w + word] |= bit;
                }
            }
        }
    }

    /// Whether an event is a partner of a candidate, or in the past of one.
    #[inline]
    fn is_partner(&self, event: Ix, candidate: Candidate, pasts: &Pasts) -> bool {
        self.races.mates(candidate).iter().any(|&mate| pasts.up_to(event, mate))
    }

    /// Whether [`next`](Self::next) may find another row.
    pub(crate) fn has_more(&self) -> bool {
        !self.exhausted
    }

    /// Goes to the next row; false if there is none. Where it takes another column and the pasts have not been kept, they
    /// are computed in `memory`.
    pub(crate) fn next(&mut self, settings: &Settings, memory: &mut Pasts) -> bool {
        if self.exhausted {
            return false;
        }
        // Count up. The first column is the lowest digit: a change to an early event leads to the most variants, and what
        // leads furthest is best given away first.
        for k in 0.. {
            if k == self.digits.len() && !self.find_next_column(settings, memory) {
                break;
            }
            let old = std::mem::take(&mut self.digits[k]);
            for digit in old + 1..=self.races.columns[k].len {
                if self.may_change(k, digit, &settings.rules) {
                    self.digits[k] = digit;
                    self.produced += 1;
                    return true;
                }
            }
        }
        self.exhausted = true;
        false
    }

    fn find_next_column(&mut self, settings: &Settings, memory: &mut Pasts) -> bool {
        if changeable(&self.recorded, self.rest, settings).next().is_none() {
            return false;
        }
        let objects = std::mem::take(&mut self.objects);
        let kept = std::mem::take(&mut self.pasts);
        let pasts = if kept.are_known() {
            &kept
        } else {
            memory.compute(&self.recorded, settings.least_words);
            memory
        };
        let found = self.find_column(&objects, pasts, settings);
        self.objects = objects;
        self.pasts = kept;
        found
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
