//! Threads ask for permits, some of them without patience.

#[allow(unreachable_pub, dead_code, reason = "it is the text of a whole crate")]
mod seeded {
    include!("../target/seeded.rs");
}

use serde::Deserialize;

/// How many wait for a permit however long it takes, how many for no more than one interval, and how many permits each
/// wants.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    patient: usize,
    impatient: usize,
    permits: usize,
}

impl Default for Config {
    fn default() -> Self {
        Config { patient: 2, impatient: 1, permits: 1 }
    }
}

const INTERVAL: std::time::Duration = std::time::Duration::from_millis(10);

/// The output is the number of the interval in which each thread's permits are good; the impatient may have none.
#[insyn::test(spec = "specs/rate_limiter.yaml", tests = "specs/rate_limiter.tests.yaml")]
fn rate_limiter(config: Config) -> Vec<Vec<u128>> {
    run(config)
}

#[insyn::instrument]
fn run(config: Config) -> Vec<Vec<u128>> {
    let start = std::time::Instant::now();
    let limiter = rate_limiter::limiter::Limiter::new(INTERVAL);
    let number = |permit: rate_limiter::limiter::Permit| {
        assert!(std::time::Instant::now() >= permit.good_from(), "too early");
        permit.good_from().duration_since(start).as_nanos() / INTERVAL.as_nanos()
    };
    let patient = || (0..config.permits).map(|_| number(limiter.acquire())).collect();
    let impatient = || {
        let asked = (0..config.permits).map(|_| limiter.acquire_within(INTERVAL));
        asked.flatten().map(number).collect()
    };
    let all: Vec<Vec<u128>> = std::thread::scope(|scope| {
        let mut threads: Vec<_> = (0..config.patient).map(|_| scope.spawn(patient)).collect();
        threads.extend((0..config.impatient).map(|_| scope.spawn(impatient)));
        threads.into_iter().map(|thread| thread.join().expect("permits are good")).collect()
    });
    let mut numbers: Vec<u128> = all.iter().flatten().copied().collect();
    numbers.sort_unstable();
    assert!(numbers.windows(2).all(|two| two[0] < two[1]), "two permits in one interval: {all:?}");
    all
}

#[insyn::test(spec = "specs/rate_limiter.yaml", tests = "specs/lost_update.tests.yaml")]
#[should_panic(expected = "two permits in one interval")]
fn lost_update(config: Config) -> Vec<u128> {
    let start = std::time::Instant::now();
    let limiter = seeded::limiter::Limiter::new(INTERVAL);
    let acquire = || limiter.acquire().good_from().duration_since(start).as_nanos() / INTERVAL.as_nanos();
    let mut numbers: Vec<u128> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..config.patient).map(|_| scope.spawn(acquire)).collect();
        threads.into_iter().map(|thread| thread.join().expect("permits are good")).collect()
    });
    numbers.sort_unstable();
    assert!(numbers.windows(2).all(|two| two[0] < two[1]), "two permits in one interval");
    numbers
}

mod checks {
    #[test]
    fn counts_are_as_expected() {
        target_checks::counts(env!("CARGO_MANIFEST_DIR"));
    }

    #[test]
    fn verdicts_are_as_expected() {
        target_checks::verdicts(env!("CARGO_MANIFEST_DIR"), &["lost_update"]);
    }

    #[test]
    fn the_count_is_confirmed() {
        target_checks::confirm(2, || super::run(super::Config { patient: 1, impatient: 1, permits: 1 }));
        target_checks::confirm(6, || super::run(super::Config { patient: 2, impatient: 1, permits: 1 }));
    }

    #[test]
    fn the_bug_is_replayed() {
        target_checks::replays("lost_update");
    }

    #[test]
    fn only_attributes_were_added() {
        target_checks::sources(env!("CARGO_MANIFEST_DIR"));
    }
}
