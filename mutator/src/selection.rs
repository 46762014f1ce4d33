//! A choice of operators, by the names of operators and families.

use std::collections::BTreeSet;

use crate::operator::{Family, Operator};
use crate::spelling;

/// A name that is neither an operator nor a family.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.message())]
pub struct UnknownOperator {
    /// What was written.
    pub written: String,
    /// The most similar name, if one is similar enough.
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
    /// Chooses operators by code, by family, or all of them by `all`. A minus before a name excludes it; if every name
    /// has a minus, they are excluded from all operators. Names are separated by commas or spaces, in upper or lower
    /// case.
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
