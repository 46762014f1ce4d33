//! Limits on time and on records: they hold in the middle of an execution, and nothing follows from what they cut.

use std::time::Duration;

use insyn::std::sync::Mutex;
use insyn::std::sync::mpsc::channel;
use insyn::std::thread;
use insyn::{Bound, Exploration, Explorer, Termination};

/// Programs that never end: one thread alone; two that wait for each other all the time, so that no turn is long; one that only
/// yields, and is not to wait.
const ENDLESS: [fn(); 3] = [alone, ping_pong, yielding];

fn alone() {
    let lock = Mutex::new(0_u64);
    loop {
        *lock.lock().unwrap() += 1;
    }
}

fn ping_pong() {
    let ((ping, pings), (pong, pongs)) = (channel(), channel());
    thread::spawn(move || pings.iter().for_each(|n: u64| pong.send(n).unwrap()));
    for n in 0.. {
        ping.send(n).unwrap();
        assert_eq!(pongs.recv(), Ok(n));
    }
}

fn yielding() {
    loop {
        thread::yield_now();
    }
}

fn endless() -> Explorer {
    Explorer::new().max_steps(u64::MAX).patient_polling(false)
}

/// The exploration was cut, and says no more than that.
#[track_caller]
fn assert_undecided(exploration: &Exploration, bound: Bound) {
    assert_eq!(exploration.bound, Some(bound), "{exploration}");
    assert_eq!((exploration.sequences, exploration.executions), (0, 0), "{exploration}");
    assert!(exploration.failures.is_empty() && exploration.lost == 0, "{exploration}");
    assert!(!exploration.is_complete() && exploration.oversight().is_none(), "{exploration}");
}

#[test]
fn the_time_limit_ends_an_endless_execution() {
    for program in ENDLESS {
        for workers in [1, 2] {
            let explorer = endless().time_limit(Duration::from_millis(20)).workers(workers);
            assert_undecided(&explorer.explore(program), Bound::Time);
        }
        assert_undecided(&endless().time_limit(Duration::from_millis(20)).sample(3, program), Bound::Time);
    }
}

#[test]
fn the_limit_on_records_ends_an_endless_execution() {
    for program in [alone, ping_pong] {
        let explorer = endless().record_limit(1 << 20).workers(1);
        assert_undecided(&explorer.explore(program), Bound::Records);
        assert_undecided(&explorer.sample(3, program), Bound::Records);
    }
}

#[test]
fn a_single_run_that_reaches_the_limit_on_records_says_so() {
    let execution = endless().record_limit(3 << 20).run(alone);
    let failure = execution.failure.expect("it was cut");
    assert_eq!(failure.termination, Termination::StepBound);
    assert!(failure.message.starts_with("more than 3 MiB of records after "), "{}", failure.message);
    assert!(failure.message.contains("`record_limit`"), "{}", failure.message);
}

/// Executions whose variants have not all been run are kept, and count.
#[test]
fn kept_executions_count() {
    let program = || {
        let (sender, receiver) = channel();
        for _ in 0..2 {
            let sender = sender.clone();
            thread::spawn(move || (0..1_000).for_each(|n| sender.send(n).unwrap()));
        }
        (0..2_000).for_each(|_| assert!(receiver.recv().unwrap() < 1_000));
    };
    let explorer = Explorer::new().workers(1).record_limit(4 << 20);
    let exploration = explorer.explore(program);
    assert_eq!(exploration.bound, Some(Bound::Records), "{exploration}");
    assert!(exploration.sequences > 1 && exploration.failures.is_empty(), "{exploration}");
    // Twice the memory is enough for about twice as many of them.
    let more = explorer.record_limit(8 << 20).explore(program);
    assert!(
        more.sequences > exploration.sequences * 3 / 2,
        "{} and {}",
        exploration.sequences,
        more.sequences
    );
}

/// The advice is not to do what would not fit.
#[test]
fn more_steps_are_advised_only_where_they_fit() {
    let message = |limit: usize| {
        let execution = endless().max_steps(2_000).record_limit(limit).run(alone);
        execution.failure.expect("it was cut").message
    };
    let [fits, does_not_fit] = [message(64 << 20), message(2 << 20)];
    assert!(fits.contains("raise `max_steps` if the program ends later"), "{fits}");
    assert!(!does_not_fit.contains("raise `max_steps`"), "{does_not_fit}");
    assert!(does_not_fit.contains("look for a loop that does not end"), "{does_not_fit}");
}

/// What a loop does is shown once.
#[test]
fn the_report_of_a_loop_is_short() {
    let report = endless().max_steps(3_000).workers(1).explore(alone).failures[0].to_string();
    assert!(report.contains("… these 2 steps 1499 more times"), "{report}");
    assert!(report.lines().count() < 20, "{report}");
}
