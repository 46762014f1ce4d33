//! The meaning of properties on a trace: finite, or with a part that repeats for ever.

use super::formula::{Atoms, Formula};

/// What is observed on a run, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The observations.
    pub observations: Vec<Atoms>,
    /// The position from which on they repeat for ever; none if the trace is finite. It is below the number of observations.
    pub repeats_from: Option<usize>,
}

impl Trace {
    /// A finite trace.
    pub fn finite(observations: impl IntoIterator<Item = Atoms>) -> Trace {
        Trace { observations: observations.into_iter().collect(), repeats_from: None }
    }

    /// A trace that ends with a part that repeats; finite if that part is empty.
    pub fn lasso(stem: impl IntoIterator<Item = Atoms>, cycle: impl IntoIterator<Item = Atoms>) -> Trace {
        let mut observations: Vec<Atoms> = stem.into_iter().collect();
        let from = observations.len();
        observations.extend(cycle);
        let repeats_from = (observations.len() > from).then_some(from);
        Trace { observations, repeats_from }
    }

    /// Whether a property holds of the trace.
    pub fn satisfies(&self, property: &Formula) -> bool {
        let values = self.values(property);
        values.at.first().copied().unwrap_or(values.end)
    }

    /// The position of what violates a property: the first that must not be as it is, or the first whose consequence never comes. None if
    /// the property holds, or if no position is wrong but something never comes.
    pub fn violation(&self, property: &Formula) -> Option<usize> {
        if self.satisfies(property) {
            return None;
        }
        let first = |p: &Formula, wanted: bool| self.values(p).at.iter().position(|&value| value == wanted);
        match property {
            Formula::And(all) => all.iter().find(|it| !self.satisfies(it)).and_then(|it| self.violation(it)),
            Formula::Always(p) => first(p, false),
            Formula::Never(p) => first(p, true),
            Formula::LeadsTo(p, q) => first(&p.clone().implies(q.clone().eventually()), false),
            // Without a first position that has the other one, every such position is wrong.
            Formula::Precedes(_, q) => first(q, true),
            Formula::Until(p, q) => first(&Formula::Or(vec![(**p).clone(), (**q).clone()]), false),
            Formula::Eventually(_) => None,
            _ => (!self.observations.is_empty()).then_some(0),
        }
    }

    fn values(&self, formula: &Formula) -> Values {
        let count = self.observations.len();
        match formula {
            Formula::Constant(value) => Values { at: vec![*value; count], end: *value },
            Formula::Atom(atom) => {
                Values { at: self.observations.iter().map(|it| it.contains(*atom)).collect(), end: false }
            }
            Formula::Not(p) => self.values(p).map(|it| !it),
            Formula::And(all) => self.fold(all, true, |a, b| a && b),
            Formula::Or(all) => self.fold(all, false, |a, b| a || b),
            Formula::Implies(p, q) => self.values(p).zip(&self.values(q), |p, q| !p || q),
            Formula::Next(p) => {
                let p = self.values(p);
                let at = (0..count).map(|i| self.after(i).is_some_and(|next| p.at[next])).collect();
                Values { at, end: false }
            }
            Formula::Always(p) => self.fix(&self.values(p), true, |p, behind| p && behind),
            Formula::Never(p) => self.fix(&self.values(p), true, |p, behind| !p && behind),
            Formula::Eventually(p) => self.fix(&self.values(p), false, |p, behind| p || behind),
            Formula::Until(p, q) => {
                let (p, q) = (self.values(p), self.values(q));
                self.solve(false, |i, behind| q.at[i] || p.at[i] && behind)
            }
            Formula::LeadsTo(p, q) => {
                let q = self.fix(&self.values(q), false, |q, behind| q || behind);
                let follows = self.values(p).zip(&q, |p, q| !p || q);
                self.fix(&follows, true, |it, behind| it && behind)
            }
            Formula::Precedes(p, q) => {
                let (p, q) = (self.values(p), self.values(q));
                self.solve(true, |i, behind| p.at[i] || !q.at[i] && behind)
            }
        }
    }

    /// The position behind another.
    fn after(&self, position: usize) -> Option<usize> {
        if position + 1 < self.observations.len() { Some(position + 1) } else { self.repeats_from }
    }

    fn fold(&self, all: &[Formula], of_none: bool, with: impl Fn(bool, bool) -> bool) -> Values {
        let none = Values { at: vec![of_none; self.observations.len()], end: of_none };
        all.iter().fold(none, |values, it| values.zip(&self.values(it), &with))
    }

    fn fix(&self, p: &Values, end: bool, with: impl Fn(bool, bool) -> bool) -> Values {
        self.solve(end, |i, behind| with(p.at[i], behind))
    }

    /// Solves value(i) = with(i, value(i + 1)). Behind the end of a finite trace the value is `end`; where a trace repeats, it is the
    /// solution that is `end` wherever it can be: the least for "eventually", the greatest for "always".
    fn solve(&self, end: bool, with: impl Fn(usize, bool) -> bool) -> Values {
        let mut at = vec![end; self.observations.len()];
        loop {
            let before = at.clone();
            for i in (0..at.len()).rev() {
                at[i] = with(i, self.after(i).map_or(end, |next| at[next]));
            }
            if at == before {
                return Values { at, end };
            }
        }
    }
}

/// Whether a formula holds, at each position and behind the last.
struct Values {
    at: Vec<bool>,
    end: bool,
}

impl Values {
    fn map(self, f: impl Fn(bool) -> bool) -> Values {
        Values { at: self.at.into_iter().map(&f).collect(), end: f(self.end) }
    }

    fn zip(self, other: &Values, with: impl Fn(bool, bool) -> bool) -> Values {
        let at = self.at.iter().zip(&other.at).map(|(&a, &b)| with(a, b)).collect();
        Values { at, end: with(self.end, other.end) }
    }
}
