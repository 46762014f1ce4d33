//! The classical programs have exactly their known numbers of sequences, and nothing goes wrong in any.

use insyn::Explorer;
use insyn_test_support::programs::bounded_buffer::{self as bb, config};
use insyn_test_support::programs::{dining_philosophers as dp, others, readers_writers as rw};
use serde::Serialize;

/// What an exploration must have found.
#[derive(Debug, PartialEq, Eq)]
struct Counts {
    sequences: u64,
    repeats: u64,
    inconsistent: u64,
}

/// This many sequences, each found by the only execution that led to it.
fn exactly(sequences: u64) -> Counts {
    Counts { sequences, repeats: 0, inconsistent: 0 }
}

#[track_caller]
fn assert_counts<R: Serialize + 'static>(expected: Counts, program: impl Fn() -> R + Send + Sync + 'static) {
    assert_counts_with(&Explorer::new(), expected, program);
}

#[track_caller]
fn assert_counts_with<R: Serialize + 'static>(
    explorer: &Explorer,
    expected: Counts,
    program: impl Fn() -> R + Send + Sync + 'static,
) {
    let found = explorer.explore(program);
    assert!(found.failures.is_empty(), "{found}");
    assert!(found.is_complete(), "{found}");
    assert_eq!((found.deadlocks, found.panics, found.leaked), (0, 0, 0), "{found}");
    let counts =
        Counts { sequences: found.sequences, repeats: found.repeats, inconsistent: found.inconsistent };
    assert_eq!(counts, expected, "{found}");
    assert_eq!(found.executions, found.sequences + found.repeats + found.inconsistent, "{found}");
}

// ---- bounded buffer ------------------------------------------------------------------------------------------------

#[test]
fn bounded_buffer_with_selective_wait() {
    assert_counts(exactly(144), bb::selective_wait(config(3, 3, 2)));
}

#[test]
fn bounded_buffer_with_semaphores() {
    assert_counts(exactly(12), bb::semaphores(config(2, 2, 2)));
    assert_counts(exactly(324), bb::semaphores(config(3, 3, 2)));
}

#[test]
fn bounded_buffer_with_su_monitor() {
    assert_counts(exactly(720), bb::su_monitor(config(3, 3, 2)));
}

#[test]
fn bounded_buffer_with_condvars_and_notify_all() {
    assert_counts(exactly(12_096), bb::sc_notify_all(config(3, 3, 2)));
}

#[test]
fn bounded_buffer_with_condvars_and_notify_one() {
    let longest = Explorer::new().longest_waiter(true);
    assert_counts_with(&longest, exactly(5_076), bb::sc_notify_one(config(3, 3, 2)));
}

/// Which waiter is woken makes the difference: without the option there are more.
#[test]
fn bounded_buffer_with_condvars_and_notify_any() {
    assert_counts(exactly(10_584), bb::sc_notify_one(config(3, 3, 2)));
}

/// A monitor wakes its longest waiter, so it behaves like a mutex with condition variables that do.
#[test]
fn bounded_buffer_with_sc_monitor() {
    assert_counts(exactly(5_076), bb::sc_monitor(config(3, 3, 2), false));
    assert_counts(exactly(12_096), bb::sc_monitor(config(3, 3, 2), true));
}

// ---- readers and writers -------------------------------------------------------------------------------------------

#[test]
fn readers_and_writers_with_semaphores() {
    assert_counts(exactly(608), rw::semaphores(2, 2));
}

#[test]
fn readers_and_writers_with_semaphores_and_three_writers() {
    assert_counts(exactly(12_816), rw::semaphores(2, 3));
}

#[test]
fn readers_and_writers_with_semaphores_and_three_readers() {
    assert_counts(exactly(21_744), rw::semaphores(3, 2));
}

#[test]
fn readers_and_writers_with_su_monitor() {
    assert_counts(exactly(13_320), rw::su_monitor(3, 2));
}

#[test]
fn readers_and_writers_with_selective_wait() {
    assert_counts(exactly(768), rw::selective_wait(3, 2));
}

// ---- dining philosophers -------------------------------------------------------------------------------------------

#[test]
fn three_and_four_dining_philosophers() {
    assert_counts(exactly(30), dp::su_monitor(3));
    assert_counts(exactly(624), dp::su_monitor(4));
}

#[test]
fn five_dining_philosophers() {
    assert_counts(exactly(19_330), dp::su_monitor(5));
}

// ---- others --------------------------------------------------------------------------------------------------------

#[test]
fn prod_cons() {
    assert_counts(exactly(420), others::prod_cons());
}

#[test]
fn fan_in() {
    let mut factorial = 1;
    for n in 1..=7 {
        factorial *= n;
        assert_counts(exactly(factorial), others::fan_in(n as usize));
    }
}
