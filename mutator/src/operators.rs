//! Mutation operators by name: what there is, and which of them are chosen.
//!
//! What an operator does is in the file of its family, in [`families`](crate::families).

use std::collections::BTreeSet;
use std::fmt;

use crate::families;
use crate::spelling;

/// A mutation operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Operator {
    /// Three letters, as in the literature where it has it.
    pub code: &'static str,
    /// The family it belongs to.
    pub family: Family,
    /// What it does: before → after.
    pub change: &'static str,
    /// Whether what it makes is of another type than what was there, so that both cannot be the branches of one `if`.
    pub(crate) retypes: bool,
}

impl Operator {
    pub(crate) const fn new(code: &'static str, family: Family, change: &'static str) -> Self {
        Operator { code, family, change, retypes: false }
    }

    pub(crate) const fn retyping(self) -> Self {
        Operator { retypes: true, ..self }
    }

    /// All operators, family by family.
    pub fn all() -> impl Iterator<Item = Operator> {
        let families = [
            families::guards::OPERATORS,
            families::operators::OPERATORS,
            families::channels::OPERATORS,
            families::locks::OPERATORS,
            families::threads::OPERATORS,
        ];
        families.into_iter().flatten().copied()
    }

    /// The operator with a code.
    pub fn find(code: &str) -> Option<Operator> {
        Self::all().find(|operator| operator.code.eq_ignore_ascii_case(code))
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code)
    }
}

/// What operators have to do with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// Conditions of selects, loops and ifs.
    Guards,
    /// Expressions and statements of any program.
    Operators,
    /// Messages, and the selects that wait for them.
    Channels,
    /// Critical sections, and conditions that are waited for.
    Locks,
    /// Semaphores, barriers, threads, timeouts and atomics.
    Threads,
}

impl Family {
    /// All families, in order.
    pub const ALL: [Family; 5] =
        [Family::Guards, Family::Operators, Family::Channels, Family::Locks, Family::Threads];

    /// The name that it is chosen by.
    pub fn name(self) -> &'static str {
        match self {
            Family::Guards => "guards",
            Family::Operators => "operators",
            Family::Channels => "channels",
            Family::Locks => "locks",
            Family::Threads => "threads",
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The name of an operator or a family that is not there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.message())]
pub struct UnknownOperator {
    /// What was written.
    pub written: String,
    /// What may have been meant.
    pub nearest: Option<&'static str>,
}

impl UnknownOperator {
    fn message(&self) -> String {
        match self.nearest {
            Some(nearest) => format!("unknown operator `{}`; did you mean `{nearest}`?", self.written),
            None => format!(
                "unknown operator `{}`; there are the families {} and the operators {}",
                self.written,
                Family::ALL.map(Family::name).join(", "),
                Operator::all().map(|operator| operator.code).collect::<Vec<_>>().join(", ")
            ),
        }
    }
}

/// A choice of operators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection(BTreeSet<&'static str>);

impl Default for Selection {
    /// All of them.
    fn default() -> Self {
        Selection(Operator::all().map(|operator| operator.code).collect())
    }
}

impl Selection {
    /// Chooses operators by code, by family, or all of them by `all`. A name after a minus is left out; if all names
    /// are, they are left out of all. Names are separated by commas or spaces, in large or small letters.
    ///
    /// ```
    /// use insyn_mutator::{Operator, Selection};
    ///
    /// let chosen = Selection::parse("guards, CND, -GSC").unwrap();
    /// assert!(chosen.contains(Operator::find("GNG").unwrap()));
    /// assert!(!chosen.contains(Operator::find("GSC").unwrap()));
    /// assert_eq!(
    ///     Selection::parse("gaurds").unwrap_err().to_string(),
    ///     "unknown operator `gaurds`; did you mean `guards`?"
    /// );
    /// ```
    pub fn parse(names: &str) -> Result<Self, UnknownOperator> {
        let names: Vec<&str> =
            names.split([',', ' ', '\t']).map(str::trim).filter(|name| !name.is_empty()).collect();
        let only_less = names.iter().all(|name| name.starts_with('-'));
        let mut chosen = if only_less { Self::default().0 } else { BTreeSet::new() };
        for name in names {
            match name.strip_prefix('-') {
                Some(name) => chosen = &chosen - &named(name)?,
                None => chosen.extend(named(name)?),
            }
        }
        Ok(Selection(chosen))
    }

    /// Whether an operator is chosen.
    pub fn contains(&self, operator: Operator) -> bool {
        self.0.contains(operator.code)
    }
}

/// The codes that a name stands for.
fn named(name: &str) -> Result<BTreeSet<&'static str>, UnknownOperator> {
    let all = name.eq_ignore_ascii_case("all");
    let is_meant = |operator: &Operator| {
        all || operator.code.eq_ignore_ascii_case(name) || operator.family.name().eq_ignore_ascii_case(name)
    };
    let codes: BTreeSet<&str> = Operator::all().filter(is_meant).map(|operator| operator.code).collect();
    if !codes.is_empty() {
        return Ok(codes);
    }
    let names =
        Family::ALL.map(Family::name).into_iter().chain(Operator::all().map(|operator| operator.code));
    let nearest = spelling::nearest(name, names.chain(["all"]));
    Err(UnknownOperator { written: name.to_owned(), nearest })
}
