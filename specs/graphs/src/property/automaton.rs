//! Automata from formulas. A state is a set of obligations: formulas that must hold from the next observation on.
//!
//! Reading an observation, each obligation is either settled by it or turned into obligations for the next one; where there is a choice,
//! the automaton has several ways to go on. A finite trace is accepted if the obligations that are left at its end hold there,
//! that is, if none of them wants more. An endless trace is accepted if no "until" is *postponed* for ever: if again and
//! again a step does not postpone it. A state without obligations accepts everything.

use std::collections::BTreeMap;
use std::rc::Rc;

use thiserror::Error;

use super::formula::{Atoms, Formula};
use crate::interner::Interner;

/// A property has too many parts, or an atom of too great a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "the property is too long: it may have {MOST} different parts, {UNTILS} of which wait for something, and atoms below 64"
)]
pub struct TooLong;

const MOST: usize = 128;
const UNTILS: usize = 63;

/// A formula in negation normal form; parts are named by their numbers.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Part {
    Constant(bool),
    /// Whether an atom holds, or does not.
    Literal(u8, bool),
    And(Vec<u32>),
    Or(Vec<u32>),
    /// A delayed part becomes an obligation. If the next position must be there, this does not hold behind the last.
    Next(u32, bool),
    /// What must hold at this position, which must be there or need not.
    Delayed(u32, bool),
    Until(u32, u32),
    /// The second holds until both do, or for ever.
    Release(u32, u32),
}

/// The states behind an observation, each with the marks of what is postponed.
pub(crate) type Ways = Rc<[(u32, u64)]>;

/// An automaton that is made as it is used. States are named by numbers.
pub(crate) struct Automaton {
    parts: Vec<Part>,
    /// For each part its mark, if it is an "until".
    marks: Vec<u64>,
    states: Interner<u128>,
    known: BTreeMap<(u32, Atoms), Ways>,
    initial: u32,
}

impl Automaton {
    /// The automaton of a formula, or of what violates it.
    pub(crate) fn of(formula: &Formula, holds: bool) -> Result<Automaton, TooLong> {
        let mut parts = Interner::default();
        let root = part(formula, holds, &mut parts)?;
        let parts = parts.finish();
        let mut marks = vec![0; parts.len()];
        let untils = parts.iter().enumerate().filter(|it| matches!(it.1, Part::Until(..)));
        for (mark, (place, _)) in untils.enumerate() {
            if mark == UNTILS {
                return Err(TooLong);
            }
            marks[place] = 1 << mark;
        }
        let mut states = Interner::default();
        let initial = states.id(1 << root).ok_or(TooLong)?;
        Ok(Automaton { parts, marks, states, known: BTreeMap::new(), initial })
    }

    pub(crate) fn initial(&self) -> u32 {
        self.initial
    }

    /// Whether every trace is accepted from here on.
    pub(crate) fn accepts_everything(&self, state: u32) -> bool {
        *self.states.get(state) == 0
    }

    /// Whether the trace may end here.
    pub(crate) fn accepts_end(&self, state: u32) -> bool {
        members(*self.states.get(state)).all(|part| self.holds_at_end(part))
    }

    fn holds_at_end(&self, part: u32) -> bool {
        match &self.parts[part as usize] {
            Part::Constant(value) => *value,
            Part::Literal(_, positive) => !positive,
            Part::And(all) => all.iter().all(|&it| self.holds_at_end(it)),
            Part::Or(all) => all.iter().any(|&it| self.holds_at_end(it)),
            Part::Next(_, must_be) | Part::Delayed(_, must_be) => !must_be,
            Part::Until(..) => false,
            Part::Release(..) => true,
        }
    }

    /// Reads an observation.
    pub(crate) fn next(&mut self, state: u32, observed: Atoms) -> Ways {
        if let Some(known) = self.known.get(&(state, observed)) {
            return Rc::clone(known);
        }
        let mut ways = Vec::new();
        let now: Vec<u32> = members(*self.states.get(state)).collect();
        self.expand(Way { now, done: 0, next: 0, postponed: 0 }, observed, &mut ways);
        ways.sort_unstable_by_key(|&(next, postponed): &(u128, u64)| {
            (next.count_ones(), postponed.count_ones(), next, postponed)
        });
        // A way with fewer obligations accepts all that another one does.
        let mut best: Vec<(u128, u64)> = Vec::new();
        for (next, postponed) in ways {
            if !best.iter().any(|&(less, marks)| less & !next == 0 && marks & !postponed == 0) {
                best.push((next, postponed));
            }
        }
        let number =
            |(next, postponed)| (self.states.id(next).expect("there are fewer than products"), postponed);
        let best: Ways = best.into_iter().map(number).collect();
        self.known.insert((state, observed), Rc::clone(&best));
        best
    }

    fn expand(&self, mut way: Way, observed: Atoms, ways: &mut Vec<(u128, u64)>) {
        while let Some(part) = way.now.pop() {
            if way.done >> part & 1 == 1 {
                continue;
            }
            way.done |= 1 << part;
            match &self.parts[part as usize] {
                Part::Constant(true) => {}
                Part::Constant(false) => return,
                Part::Literal(atom, positive) => {
                    if observed.contains(*atom) != *positive {
                        return;
                    }
                }
                Part::And(all) => way.now.extend(all),
                Part::Or(all) => {
                    for &it in all {
                        let mut other = way.clone();
                        other.now.push(it);
                        self.expand(other, observed, ways);
                    }
                    return;
                }
                Part::Next(p, _) => way.next |= 1 << p,
                Part::Delayed(p, _) => way.now.push(*p),
                &Part::Until(p, q) => {
                    let mut later = way.clone();
                    later.now.push(p);
                    later.next |= 1 << part;
                    later.postponed |= self.marks[part as usize];
                    self.expand(later, observed, ways);
                    way.now.push(q);
                }
                // What is released from nothing is settled.
                &Part::Release(_, q) if self.parts[q as usize] == Part::Constant(true) => {}
                &Part::Release(p, q) => {
                    let mut later = way.clone();
                    later.now.push(q);
                    later.next |= 1 << part;
                    self.expand(later, observed, ways);
                    way.now.extend([p, q]);
                }
            }
        }
        ways.push((way.next, way.postponed));
    }
}

/// A choice that is being made.
#[derive(Clone)]
struct Way {
    now: Vec<u32>,
    done: u128,
    next: u128,
    postponed: u64,
}

fn members(set: u128) -> impl Iterator<Item = u32> {
    (0..128).filter(move |it| set >> it & 1 == 1)
}

/// The number of a formula, or of its negation, in negation normal form.
fn part(formula: &Formula, positive: bool, parts: &mut Interner<Part>) -> Result<u32, TooLong> {
    let (yes, no) = (number_of(Part::Constant(true), parts)?, number_of(Part::Constant(false), parts)?);
    let made = match formula {
        Formula::Constant(value) => Part::Constant(*value == positive),
        Formula::Atom(atom) if *atom < 64 => Part::Literal(*atom, positive),
        Formula::Atom(_) => return Err(TooLong),
        Formula::Not(p) => return part(p, !positive, parts),
        Formula::And(all) | Formula::Or(all) => {
            let all = all.iter().map(|it| part(it, positive, parts)).collect::<Result<_, TooLong>>()?;
            if matches!(formula, Formula::And(_)) == positive { Part::And(all) } else { Part::Or(all) }
        }
        Formula::Implies(p, q) => {
            let all = vec![part(p, !positive, parts)?, part(q, positive, parts)?];
            if positive { Part::Or(all) } else { Part::And(all) }
        }
        Formula::Next(p) => {
            let p = part(p, positive, parts)?;
            Part::Next(number_of(Part::Delayed(p, positive), parts)?, positive)
        }
        Formula::Always(p) => globally(part(p, positive, parts)?, positive, yes, no),
        Formula::Never(p) => globally(part(p, !positive, parts)?, positive, yes, no),
        Formula::Eventually(p) => globally(part(p, positive, parts)?, !positive, yes, no),
        Formula::Until(p, q) => {
            let (p, q) = (part(p, positive, parts)?, part(q, positive, parts)?);
            if positive { Part::Until(p, q) } else { Part::Release(p, q) }
        }
        Formula::LeadsTo(p, q) => {
            let follows = p.clone().implies(q.clone().eventually());
            globally(part(&follows, positive, parts)?, positive, yes, no)
        }
        // `p` releases "`p` or not `q`"; and of its negation, "not `p`" holds until "`q` and not `p`".
        Formula::Precedes(p, q) => {
            let free = Formula::Or(vec![(**p).clone(), (**q).clone().not()]);
            let (p, free) = (part(p, positive, parts)?, part(&free, positive, parts)?);
            if positive { Part::Release(p, free) } else { Part::Until(p, free) }
        }
    };
    number_of(made, parts)
}

fn number_of(part: Part, parts: &mut Interner<Part>) -> Result<u32, TooLong> {
    parts.id(part).filter(|&number| (number as usize) < MOST).ok_or(TooLong)
}

/// Always, or else eventually.
fn globally(p: u32, always: bool, yes: u32, no: u32) -> Part {
    if always { Part::Release(no, p) } else { Part::Until(yes, p) }
}
