//! Each rule of the exploration is needed: without it the engine gets some program wrong, and the comparison shows which.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use insyn::{Explorer, Rule};

use super::{Setting, first_disagreement, report, seeds_asked_for};
use crate::oracle::generate::{Family, generate};
use crate::oracle::interpret;

/// Seeds that show that a rule is needed. For most other programs that would need one of these, another rule decides, or
/// they are never inconsistent.
fn where_it_shows(rule: Rule) -> (&'static [Family], Range<u64>) {
    match rule {
        Rule::DisconnectAfterSomeDrop => (&[Family::Selects], 1270..1400),
        Rule::InconsistentExplored | Rule::EmptyBeforeSends => (&[Family::Counts], 10..200),
        Rule::QueueOrder | Rule::SentBeforeDrop => (&[Family::Pointers], 15..200),
        Rule::UnreceivedLast => (&[Family::Tangled], 40..200),
        Rule::LoadBeforeNextWrite => (&[Family::Atomics], 5..200),
        _ => (&Family::ALL, 0..200),
    }
}

#[test]
fn each_rule_is_needed() {
    for &rule in Rule::ALL.iter().filter(|&&rule| rule != Rule::InconsistentDropped) {
        let (families, seeds) = where_it_shows(rule);
        let wrong = first_that_needs(rule, families, seeds);
        report(&format!("without {rule:?}: {wrong:?}"));
        assert!(wrong.is_some(), "the comparison does not notice that {rule:?} is switched off");
    }
}

/// A variant that is dropped before it is run leads to nothing real: without the rule, only the number of runs changes.
#[test]
fn what_is_dropped_as_inconsistent_is_work_alone() {
    let without = |explorer: Explorer| explorer.without(Rule::InconsistentDropped);
    let families = [Family::Atomics, Family::Counts, Family::Tangled];
    assert_eq!(first_disagreement(&families, 0..40, without), None);
    let spared: Vec<(Family, u64)> = (0..40)
        .flat_map(|seed| families.map(|family| (family, seed)))
        .filter(|&(family, seed)| makes_a_difference(Rule::InconsistentDropped, family, seed))
        .collect();
    report(&format!("without InconsistentDropped more is run of {spared:?}"));
    assert!(!spared.is_empty(), "the rule is never at work");
}

/// The first program that the engine gets wrong without a rule. (Programs on which the rule makes no difference are
/// not compared.)
fn first_that_needs(rule: Rule, families: &[Family], seeds: Range<u64>) -> Option<(Family, u64)> {
    let mut all = seeds.flat_map(|seed| families.iter().map(move |&family| (family, seed)));
    all.find(|&(family, seed)| {
        makes_a_difference(rule, family, seed)
            && first_disagreement(&[family], seed..seed + 1, |explorer| explorer.without(rule)).is_some()
    })
}

/// Whether the engine itself does anything different without a rule, which is quick to check.
fn makes_a_difference(rule: Rule, family: Family, seed: u64) -> bool {
    let program = generate(family, seed);
    let setting = Setting { workers: 1, ..Setting::of(family, seed) };
    let explore = |explorer: Explorer| {
        let program = program.clone();
        let explorer = explorer.max_executions(2_000);
        catch_unwind(AssertUnwindSafe(|| explorer.explore(move || interpret::run(&program)))).ok()
    };
    explore(setting.explorer()) != explore(setting.explorer().without(rule))
}

/// Searches for the first program that needs the rule in `INSYN_RULE`, or each rule, with the seeds in `INSYN_SEEDS`.
#[test]
#[ignore = "takes as long as it is told to"]
fn where_rules_are_needed() {
    let wanted = std::env::var("INSYN_RULE").ok();
    for &rule in Rule::ALL {
        if wanted.as_ref().is_none_or(|wanted| *wanted == format!("{rule:?}")) {
            let wrong = first_that_needs(rule, &Family::ALL, seeds_asked_for());
            report(&format!("without {rule:?}: {wrong:?}"));
        }
    }
}
