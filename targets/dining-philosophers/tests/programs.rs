//! Each philosopher eats once.

use std::sync::{Mutex as Plain, PoisonError};

use dining_philosophers::Table;
use dining_philosophers::deadlocking::Deadlocking;
use dining_philosophers::monitor_su::MonitorSu;
use dining_philosophers::ordered_locks::OrderedLocks;
use serde::Deserialize;

/// How many dine.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    philosophers: usize,
}

impl Default for Config {
    fn default() -> Self {
        Config { philosophers: 3 }
    }
}

/// Who holds which fork. It is a real mutex, and no part of a sequence: who may eat is up to the table alone.
struct Forks(Plain<Vec<Option<usize>>>);

impl Forks {
    fn both(&self, seat: usize, change: impl Fn(&mut Option<usize>)) {
        let mut forks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let seats = forks.len();
        change(&mut forks[seat]);
        change(&mut forks[(seat + 1) % seats]);
    }

    fn take(&self, seat: usize) {
        self.both(seat, |fork| {
            assert_eq!(*fork, None, "the fork is in use");
            *fork = Some(seat);
        });
    }

    fn lay_back(&self, seat: usize) {
        self.both(seat, |fork| *fork = None);
    }
}

/// Seats all, lets others go on while somebody eats, and checks that no fork is used by two.
#[insyn::instrument]
fn dine(config: Config, table: &impl Table) {
    let forks = &Forks(Plain::new(vec![None; config.philosophers]));
    std::thread::scope(|scope| {
        for seat in 0..config.philosophers {
            let eat = move || {
                forks.take(seat);
                insyn::label!("eat", seat);
                std::thread::yield_now();
                insyn::label!("rise", seat);
                forks.lay_back(seat);
            };
            scope.spawn(move || table.dine(seat, &eat));
        }
    });
}

#[insyn::test(spec = "specs/philosophers.yaml", tests = "specs/philosophers.tests.yaml")]
fn monitor_su(config: Config) {
    dine(config, &MonitorSu::new(config.philosophers));
}

#[insyn::test(spec = "specs/philosophers.yaml", tests = "specs/philosophers.tests.yaml")]
fn ordered_locks(config: Config) {
    dine(config, &OrderedLocks::new(config.philosophers));
}

#[insyn::test(spec = "specs/philosophers.yaml", tests = "specs/deadlocking.tests.yaml")]
#[should_panic(expected = "deadlock")]
fn deadlocking(config: Config) {
    dine(config, &Deadlocking::new(config.philosophers));
}

mod checks {
    #[test]
    fn counts_are_as_expected() {
        target_checks::counts(env!("CARGO_MANIFEST_DIR"));
    }

    #[test]
    fn verdicts_are_as_expected() {
        target_checks::verdicts(env!("CARGO_MANIFEST_DIR"), &["deadlocking"]);
    }
}
