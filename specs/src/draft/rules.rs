//! Rules that all executions of a program keep: candidates are tried one by one, and those that another one implies are left out.

use std::collections::{BTreeMap, BTreeSet};

use super::Letter;
use crate::problem::Problem;
use crate::spec::Orders;

/// No more rules about two events than this are in a draft.
const MOST_PAIRS: usize = 12;

/// How two events are related, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Relation {
    Alternates,
    PrecedesEach,
    Precedes,
}

impl Relation {
    const ALL: [Relation; 3] = [Relation::Alternates, Relation::PrecedesEach, Relation::Precedes];

    fn sentence(self, a: &str, b: &str) -> String {
        match self {
            Relation::Alternates => format!("{a} alternates with {b}"),
            Relation::PrecedesEach => format!("{a} precedes each {b}"),
            Relation::Precedes => format!("{a} precedes {b}"),
        }
    }
}

/// The rules, as sentences: what comes before what, then how often events happen.
pub(super) fn find(
    letters: &[Letter<'_>],
    orders: &BTreeSet<Orders>,
    holds: &impl Fn(&[String]) -> Result<bool, Problem>,
) -> Result<Vec<String>, Problem> {
    let mut rules = pairs(letters, holds)?;
    let most = |event: usize| {
        let count = |orders: &Orders| orders.letters().iter().filter(|it| it.event == event).count();
        orders.iter().map(count).max().unwrap_or(0)
    };
    for (event, letter) in letters.iter().enumerate() {
        let (name, most) = (&letter.name, most(event));
        let each = letter.argument.as_ref().map(|_| format!("at most 1 {name}(x)"));
        match each {
            Some(each) if most > 1 && holds(std::slice::from_ref(&each))? => rules.push(each),
            _ => rules.push(format!("at most {most} {name}")),
        }
    }
    Ok(rules)
}

fn pairs(
    letters: &[Letter<'_>],
    holds: &impl Fn(&[String]) -> Result<bool, Problem>,
) -> Result<Vec<String>, Problem> {
    let mut found: BTreeMap<(usize, usize), (Relation, String)> = BTreeMap::new();
    for a in 0..letters.len() {
        for b in 0..letters.len() {
            if a == b || found.contains_key(&(b, a)) {
                continue;
            }
            // The same argument on both sides says more than none.
            let same = letters[a].argument.is_some() && letters[a].argument == letters[b].argument;
            let with = [(same, "(x)"), (true, "")];
            'found: for suffix in with.iter().filter(|(is, _)| *is).map(|(_, suffix)| suffix) {
                let [left, right] = [a, b].map(|it| format!("{}{suffix}", letters[it].name));
                // Of events that happen once, the weakest relation says as much as the others, and more simply.
                let once = holds(&[format!("at most 1 {left}"), format!("at most 1 {right}")])?;
                for relation in Relation::ALL.into_iter().skip(if once { 2 } else { 0 }) {
                    let rule = relation.sentence(&left, &right);
                    if holds(std::slice::from_ref(&rule))? {
                        found.insert((a, b), (relation, rule));
                        break 'found;
                    }
                }
            }
        }
    }
    let is_implied = |(a, b): (usize, usize), relation: Relation| {
        (0..letters.len()).any(|c| match (found.get(&(a, c)), found.get(&(c, b))) {
            // A chain says no more about each event than its weakest part, and never that two alternate.
            (Some((first, _)), Some((second, _))) => {
                relation >= Relation::PrecedesEach.max(*first.max(second))
            }
            _ => false,
        })
    };
    let kept =
        found.iter().filter(|(pair, (relation, rule))| rule.contains('(') || !is_implied(**pair, *relation));
    let mut kept: Vec<_> = kept.collect();
    kept.sort_by_key(|(pair, (relation, _))| (*relation, **pair));
    Ok(kept.into_iter().take(MOST_PAIRS).map(|(_, (_, rule))| rule.clone()).collect())
}
