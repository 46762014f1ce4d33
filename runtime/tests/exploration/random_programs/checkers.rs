//! Checks of the checkers: the oracle is right where the answer is known, and no construct is left out of the programs.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{Setting, compare, report, seeds};
use crate::oracle::constructs;
use crate::oracle::enumerate::{self, Fact, Options, Walk};
use crate::oracle::generate::{Family, generate};
use crate::oracle::known::{self, Known};
use crate::oracle::program::{Object, Op, Program, Thread};

/// The oracle itself is right where the answer is known.
fn oracle_counts(all: Vec<Known>) {
    for known in all {
        let truth = enumerate::behaviours(&known.program, known.options).expect("not too many states");
        report(&format!("{}: {} behaviours in {} states", known.name, truth.behaviours.len(), truth.states));
        assert_eq!(truth.behaviours.len(), known.behaviours, "{}:\n{}", known.name, known.program);
    }
}

#[test]
fn the_oracle_counts_small_programs() {
    oracle_counts(known::small());
    oracle_counts(known::papers());
}

#[test]
fn the_oracle_counts_what_was_worked_out_by_hand() {
    oracle_counts(known::messages());
    oracle_counts(known::memory());
    oracle_counts(known::flows());
    oracle_counts(known::panics());
}

#[test]
fn the_oracle_counts_large_programs() {
    oracle_counts(known::large());
}

/// So is the engine.
#[test]
fn the_engine_agrees_on_what_was_worked_out_by_hand() {
    let mut wrong = String::new();
    let all = [known::papers(), known::messages(), known::memory(), known::flows(), known::panics()];
    for known in all.into_iter().flatten() {
        let Options {
            longest_waiter,
            spurious_wakeups,
            spurious_failures,
            ordered_loads,
            waiting_writers_block,
            max_states,
        } = known.options;
        let setting = Setting {
            choices: None,
            longest_waiter,
            spurious_wakeups,
            spurious_failures,
            ordered_loads,
            waiting_writers_block,
            patient_polling: true,
            workers: 1,
            words: 1,
            max_states,
        };
        let compared = compare(&known.program, setting, &|explorer| explorer).expect("not too many states");
        if let Err(differences) = compared {
            write!(wrong, "{}:\n{}{differences}", known.name, known.program).expect("a string takes it");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A completion that had to take something new took nothing where all it could do was to keep a reader waiting, so that the
/// sequences in which it does were missed.
#[test]
fn the_only_new_choice_keeps_a_reader_waiting() {
    for first in [Op::Read(0), Op::TryRead(0)] {
        let threads = [
            (0, vec![Op::Spawn(1), first.clone(), Op::Read(0)]),
            (0, vec![Op::Read(0), Op::Spawn(2), Op::Lock(1)]),
            (1, vec![Op::Lock(1), Op::Write(0)]),
        ];
        let threads = threads.map(|(parent, ops)| Thread { parent, ops }).to_vec();
        let program = Program { objects: vec![Object::RwLock, Object::Mutex], threads, scoped: false };
        for seed in 0..30 {
            let setting = Setting { workers: 1, ..Setting::of(Family::Readers, seed) };
            let compared = compare(&program, setting, &|explorer| explorer).expect("not too many states");
            assert!(compared.is_ok(), "{program}{}", compared.err().unwrap_or_default());
        }
    }
}

/// The facts about a program do not depend on where the enumeration discovers them.
#[test]
fn facts_do_not_depend_on_the_walk() {
    let mut programs = 0;
    for family in [Family::Flows, Family::Choices, Family::Carriers, Family::Jumble, Family::Readers] {
        for seed in 0..25 {
            let program = generate(family, seed);
            let options = Options { max_states: 1_500, ..Options::DEFAULT };
            let facts =
                |walk| enumerate::behaviours_by(&program, options, walk).map(|enumeration| enumeration.facts);
            if let (Some(one), Some(other)) = (facts(Walk::LastFirst), facts(Walk::FirstFirst)) {
                assert_eq!(one, other, "{family:?}, seed {seed}:\n{program}");
                programs += usize::from(!one.is_empty());
            }
        }
    }
    assert!(programs > 20, "there are facts about {programs} of the programs");
}

/// Of the rwlocks that several threads read and some thread writes, many are written only while no thread reads; and many are
/// not.
#[test]
fn readers_meet_writers_or_not() {
    let (mut met, mut unmet) = (0, 0);
    for seed in seeds(Family::Readers) {
        let program = generate(Family::Readers, seed);
        let options = Setting::of(Family::Readers, seed).options();
        let Some(truth) = enumerate::behaviours(&program, options) else { continue };
        for (o, _) in program.objects.iter().enumerate().filter(|(_, it)| matches!(it, Object::RwLock)) {
            let reads = |op: &Op| matches!(op, Op::Read(of) | Op::TryRead(of) if *of == o);
            let writes = |op: &Op| matches!(op, Op::Write(of) | Op::TryWrite(of) if *of == o);
            let readers = program.threads.iter().filter(|thread| thread.ops.iter().any(reads)).count();
            if readers < 2 || !program.threads.iter().any(|thread| thread.ops.iter().any(writes)) {
                continue;
            }
            *if truth.facts.contains(&Fact::Met(o)) { &mut met } else { &mut unmet } += 1;
        }
    }
    report(&format!("{met} locks whose readers meet a writer, {unmet} whose readers do not"));
    assert!(met >= 10 && unmet >= 10, "{met} and {unmet}");
}

/// Weak updates fail spuriously in many of the programs with atomics.
#[test]
fn weak_updates_fail() {
    let mut failing = 0;
    for seed in seeds(Family::Atomics) {
        let program = generate(Family::Atomics, seed);
        let options = Setting::of(Family::Atomics, seed).options();
        let count = |options| enumerate::behaviours(&program, options).map(|it| it.behaviours.len());
        let strong = count(Options { spurious_failures: false, ..options });
        failing += u64::from(options.spurious_failures && count(options) > strong);
    }
    report(&format!("{failing} programs with spurious failures"));
    assert!(failing >= 20, "{failing}");
}

/// Every construct of the first families is in at least one of twenty of their programs, every one of the last in one of
/// sixty of theirs, and every other in one of 125 of all.
#[test]
fn every_construct_comes_up() {
    let first: Vec<Family> = Family::ALL.into_iter().filter(|family| family.is_first()).collect();
    // The last one is about what others have too.
    let is_last = |family: &Family| (Family::Panics..Family::Readers).contains(family);
    let last: Vec<Family> = Family::ALL.into_iter().filter(is_last).collect();
    for (families, names, share) in [
        (&first[..], constructs::FIRST, 20),
        (&Family::ALL[..], constructs::MORE, 125),
        (&last[..], constructs::LAST, 60),
    ] {
        let mut counts: BTreeMap<&str, usize> = names.iter().map(|name| (*name, 0)).collect();
        let mut programs = 0;
        let all = families.iter().flat_map(|&family| seeds(family).map(move |seed| (family, seed)));
        for (family, seed) in all {
            programs += 1;
            for name in constructs::constructs(&generate(family, seed)) {
                let all = [constructs::FIRST, constructs::MORE, constructs::LAST];
                assert!(all.iter().any(|names| names.contains(&name)), "{name}");
                counts.entry(name).and_modify(|count| *count += 1);
            }
        }
        for (name, count) in &counts {
            report(&format!("{name}: {} %", 100 * count / programs));
        }
        let rare: Vec<_> = counts.iter().filter(|(_, count)| **count * share < programs).collect();
        assert!(rare.is_empty(), "of {programs} programs, too few have these: {rare:?}");
    }
}
