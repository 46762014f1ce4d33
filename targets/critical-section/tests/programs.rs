//! Two threads enter a critical section so many times each.

use std::sync::{Mutex as Plain, PoisonError};

use critical_section::intend::Intend;
use critical_section::turn::Turn;
use serde::Deserialize;

/// How often each thread wants to enter, and how often it stands back before it gives up.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    entries: [u32; 2],
    patience: u32,
}

impl Default for Config {
    fn default() -> Self {
        Config { entries: [1, 1], patience: 1 }
    }
}

/// Who is inside. It is a real mutex, and no part of a sequence: who may enter is up to the attempt alone.
#[derive(Default)]
struct Section(Plain<Option<usize>>);

impl Section {
    fn come(&self, me: usize) {
        let before = self.0.lock().unwrap_or_else(PoisonError::into_inner).replace(me);
        assert_eq!(before, None, "both are inside");
    }

    fn go(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

#[insyn::instrument]
fn take_turns(config: Config) {
    let (turn, section) = (Turn::default(), Section::default());
    let enter = |me: usize| {
        for _ in 0..config.entries[me] {
            turn.enter(me);
            section.come(me);
            insyn::label!("enter", me);
            std::thread::yield_now();
            insyn::label!("leave", me);
            section.go();
            turn.leave(me);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| enter(0));
        scope.spawn(|| enter(1));
    });
}

/// As long as both come equally often, all is well.
#[insyn::test(input = "{entries: [2, 2]}", spec = "specs/turn.yaml", tests = "specs/turn.tests.yaml")]
fn turn(config: Config) {
    take_turns(config);
}

/// Thread 0 comes once too often, and waits for a turn that nobody gives it.
#[insyn::test(input = "{entries: [3, 1]}", spec = "specs/turn.yaml", tests = "specs/livelock.tests.yaml")]
#[should_panic(expected = "deadlock")]
fn livelock(config: Config) {
    take_turns(config);
}

#[insyn::instrument]
fn stand_back(config: Config) -> [u32; 2] {
    let (intend, section) = (Intend::new(config.patience), Section::default());
    let enter = |me: usize| {
        let mut entered = 0;
        for _ in 0..config.entries[me] {
            if intend.enter(me).is_ok() {
                section.come(me);
                insyn::label!("enter", me);
                std::thread::yield_now();
                insyn::label!("leave", me);
                section.go();
                intend.leave(me);
                entered += 1;
            }
        }
        entered
    };
    std::thread::scope(|scope| {
        let threads = [scope.spawn(|| enter(0)), scope.spawn(|| enter(1))];
        threads.map(|thread| thread.join().expect("there is never more than one inside"))
    })
}

/// The output is how often each thread has entered.
#[insyn::test(spec = "specs/intend.yaml", tests = "specs/intend.tests.yaml")]
fn intend(config: Config) -> [u32; 2] {
    stand_back(config)
}

#[insyn::test(spec = "specs/starvation.yaml", tests = "specs/starvation.tests.yaml")]
#[should_panic(expected = "a thread starves")]
fn starvation(config: Config) {
    assert_eq!(stand_back(config), config.entries, "a thread starves");
}

mod checks {
    #[test]
    fn counts_are_as_expected() {
        target_checks::counts(env!("CARGO_MANIFEST_DIR"));
    }

    #[test]
    fn verdicts_are_as_expected() {
        target_checks::verdicts(env!("CARGO_MANIFEST_DIR"), &["livelock", "starvation"]);
    }
}
