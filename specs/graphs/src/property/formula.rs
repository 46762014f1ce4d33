//! The language of properties.

use std::fmt;

/// A set of atomic predicates, by their numbers below 64: those that hold in an observation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Atoms(pub u64);

impl Atoms {
    /// Whether a predicate holds.
    pub fn contains(self, atom: u8) -> bool {
        atom < 64 && self.0 >> atom & 1 == 1
    }
}

impl FromIterator<u8> for Atoms {
    fn from_iter<I: IntoIterator<Item = u8>>(atoms: I) -> Atoms {
        Atoms(atoms.into_iter().filter(|&it| it < 64).fold(0, |all, atom| all | 1 << atom))
    }
}

/// A property of a trace, seen from one of its positions. A property holds of a trace if it holds from its first position.
///
/// Behind the last position of a finite trace nothing is observed: no atom holds there and there is no next position, everything
/// "always" holds and nothing "eventually".
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Formula {
    /// It holds (or never does, if false).
    Constant(bool),
    /// The atomic predicate of this number, below 64, holds here.
    Atom(u8),
    /// It does not hold.
    Not(Box<Formula>),
    /// All of them hold.
    And(Vec<Formula>),
    /// One of them holds.
    Or(Vec<Formula>),
    /// If the first holds, so does the second.
    Implies(Box<Formula>, Box<Formula>),
    /// There is a next position, and it holds there.
    Next(Box<Formula>),
    /// It holds here and at all later positions.
    Always(Box<Formula>),
    /// It holds neither here nor at any later position.
    Never(Box<Formula>),
    /// It holds here or at some later position.
    Eventually(Box<Formula>),
    /// The second holds here or later, and the first at all positions before that.
    Until(Box<Formula>, Box<Formula>),
    /// Whenever the first holds, the second holds at the same position or later.
    LeadsTo(Box<Formula>, Box<Formula>),
    /// Whenever the second holds, the first holds at the same position or has held before.
    Precedes(Box<Formula>, Box<Formula>),
}

impl Formula {
    /// Not this.
    #[must_use]
    #[expect(clippy::should_implement_trait, reason = "it reads like the others, and no operator does")]
    pub fn not(self) -> Formula {
        Formula::Not(Box::new(self))
    }

    /// If this holds, so does the other.
    #[must_use]
    pub fn implies(self, other: Formula) -> Formula {
        Formula::Implies(Box::new(self), Box::new(other))
    }

    /// At the next position.
    #[must_use]
    pub fn next(self) -> Formula {
        Formula::Next(Box::new(self))
    }

    /// Always.
    #[must_use]
    pub fn always(self) -> Formula {
        Formula::Always(Box::new(self))
    }

    /// Never.
    #[must_use]
    pub fn never(self) -> Formula {
        Formula::Never(Box::new(self))
    }

    /// Eventually.
    #[must_use]
    pub fn eventually(self) -> Formula {
        Formula::Eventually(Box::new(self))
    }

    /// Until the other holds, which it must.
    #[must_use]
    pub fn until(self, other: Formula) -> Formula {
        Formula::Until(Box::new(self), Box::new(other))
    }

    /// Whenever this holds, the other follows.
    #[must_use]
    pub fn leads_to(self, other: Formula) -> Formula {
        Formula::LeadsTo(Box::new(self), Box::new(other))
    }

    /// The other holds only once this has held.
    #[must_use]
    pub fn precedes(self, other: Formula) -> Formula {
        Formula::Precedes(Box::new(self), Box::new(other))
    }

    /// All atoms in it.
    pub fn atoms(&self) -> Atoms {
        match self {
            Formula::Constant(_) => Atoms(0),
            Formula::Atom(atom) => [*atom].into_iter().collect(),
            Formula::Not(p)
            | Formula::Next(p)
            | Formula::Always(p)
            | Formula::Never(p)
            | Formula::Eventually(p) => p.atoms(),
            Formula::And(all) | Formula::Or(all) => Atoms(all.iter().fold(0, |set, it| set | it.atoms().0)),
            Formula::Implies(p, q)
            | Formula::Until(p, q)
            | Formula::LeadsTo(p, q)
            | Formula::Precedes(p, q) => Atoms(p.atoms().0 | q.atoms().0),
        }
    }

    /// The property made stronger in one place, so that it holds only where that place never matters; with what was there. A property
    /// that holds even so holds vacuously: the second part of an implication and of "leads to" becomes false, and so do the first part
    /// of "precedes" and what always holds; what never holds becomes true.
    pub(super) fn strengthened(&self) -> Vec<(Formula, Formula)> {
        let no = || Box::new(Formula::Constant(false));
        match self {
            Formula::And(all) => {
                let in_place = |(i, it): (usize, &Formula)| {
                    let stronger = it.strengthened().into_iter();
                    stronger
                        .map(|(part, it)| {
                            let mut all = all.clone();
                            all[i] = it;
                            (part, Formula::And(all))
                        })
                        .collect::<Vec<_>>()
                };
                all.iter().enumerate().flat_map(in_place).collect()
            }
            Formula::Always(p) => {
                let inner = p.strengthened().into_iter().map(|(part, p)| (part, p.always()));
                std::iter::once(((**p).clone(), Formula::Always(no()))).chain(inner).collect()
            }
            Formula::Never(p) => vec![((**p).clone(), Formula::Constant(true).never())],
            Formula::Implies(p, q) => vec![((**q).clone(), Formula::Implies(p.clone(), no()))],
            Formula::LeadsTo(p, q) => vec![((**q).clone(), Formula::LeadsTo(p.clone(), no()))],
            Formula::Precedes(p, q) => vec![((**p).clone(), Formula::Precedes(no(), q.clone()))],
            _ => Vec::new(),
        }
    }
}

/// With atoms as `p0`, `p1` and so on.
impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, all: &[Formula], word: &str, none: &str| {
            if all.is_empty() {
                return f.write_str(none);
            }
            f.write_str("(")?;
            for (i, it) in all.iter().enumerate() {
                write!(f, "{}{it}", if i == 0 { "" } else { word })?;
            }
            f.write_str(")")
        };
        match self {
            Formula::Constant(value) => write!(f, "{value}"),
            Formula::Atom(atom) => write!(f, "p{atom}"),
            Formula::Not(p) => write!(f, "not {p}"),
            Formula::And(all) => list(f, all, " and ", "true"),
            Formula::Or(all) => list(f, all, " or ", "false"),
            Formula::Implies(p, q) => write!(f, "({p} implies {q})"),
            Formula::Next(p) => write!(f, "next {p}"),
            Formula::Always(p) => write!(f, "always {p}"),
            Formula::Never(p) => write!(f, "never {p}"),
            Formula::Eventually(p) => write!(f, "eventually {p}"),
            Formula::Until(p, q) => write!(f, "({p} until {q})"),
            Formula::LeadsTo(p, q) => write!(f, "({p} leads to {q})"),
            Formula::Precedes(p, q) => write!(f, "({p} precedes {q})"),
        }
    }
}
