//! Jobs are submitted, their results fetched, and the pool is shut down.

#[allow(unreachable_pub, dead_code, reason = "it is the text of a whole crate")]
mod seeded {
    include!("../target/seeded.rs");
}

use serde::{Deserialize, Serialize};

/// The size of the pool and of its task.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    workers: usize,
    jobs: usize,
}

impl Default for Config {
    fn default() -> Self {
        Config { workers: 2, jobs: 2 }
    }
}

#[derive(Serialize)]
struct Output {
    results: Vec<usize>,
    /// How many jobs each worker has run.
    done: Vec<usize>,
}

#[insyn::test(spec = "specs/worker_pool.yaml", tests = "specs/worker_pool.tests.yaml")]
fn worker_pool(config: Config) -> Output {
    run(config)
}

#[insyn::instrument]
fn run(config: Config) -> Output {
    let pool = worker_pool::pool::Pool::new(config.workers);
    let submit = |n| {
        insyn::label!("submit", n);
        pool.submit(move || {
            insyn::label!("run", n);
            n * n
        })
    };
    let tickets: Vec<_> = (0..config.jobs).map(submit).collect();
    let fetch = |(n, ticket): (usize, worker_pool::pool::Ticket<usize>)| {
        let result = ticket.wait().expect("no job panics");
        insyn::label!("fetch", n);
        result
    };
    let results: Vec<usize> = tickets.into_iter().enumerate().map(fetch).collect();
    let done = pool.shutdown().expect("no job panics");
    assert_eq!(
        results,
        (0..config.jobs).map(|n| n * n).collect::<Vec<_>>(),
        "each ticket has its own result"
    );
    assert_eq!(done.iter().sum::<usize>(), config.jobs, "every job runs once");
    Output { results, done }
}

#[insyn::test(
    input = "{workers: 1, jobs: 1}",
    spec = "specs/worker_pool.yaml",
    tests = "specs/missed_wakeup.tests.yaml"
)]
#[should_panic(expected = "deadlock")]
fn missed_wakeup(config: Config) -> Vec<usize> {
    let pool = seeded::pool::Pool::new(config.workers);
    let submit = |n| {
        insyn::label!("submit", n);
        pool.submit(move || {
            insyn::label!("run", n);
            n * n
        })
    };
    let tickets: Vec<_> = (0..config.jobs).map(submit).collect();
    for (n, ticket) in tickets.into_iter().enumerate() {
        ticket.wait().expect("no job panics");
        insyn::label!("fetch", n);
    }
    pool.shutdown().expect("no job panics")
}

mod checks {
    #[test]
    fn counts_are_as_expected() {
        target_checks::counts(env!("CARGO_MANIFEST_DIR"));
    }

    #[test]
    fn verdicts_are_as_expected() {
        target_checks::verdicts(env!("CARGO_MANIFEST_DIR"), &["missed_wakeup"]);
    }

    #[test]
    fn the_count_is_confirmed() {
        target_checks::confirm(6, || super::run(super::Config { workers: 1, jobs: 1 }));
        target_checks::confirm(26, || super::run(super::Config { workers: 1, jobs: 2 }));
        target_checks::confirm(164, || super::run(super::Config { workers: 2, jobs: 1 }));
    }

    #[test]
    fn the_bug_is_replayed() {
        target_checks::replays("missed_wakeup");
    }

    #[test]
    fn only_attributes_were_added() {
        target_checks::sources(env!("CARGO_MANIFEST_DIR"));
    }
}
