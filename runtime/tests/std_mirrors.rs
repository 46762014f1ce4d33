//! The mirrors of `std::sync`, `std::thread`, `std::panic` and `std::time`: outside a program under test they do what the standard
//! library does, inside every behaviour that it allows.

#[path = "std_mirrors/alike.rs"]
mod alike;
#[path = "std_mirrors/arcs.rs"]
mod arcs;
#[path = "std_mirrors/atomics.rs"]
mod atomics;
#[path = "std_mirrors/foreign.rs"]
mod foreign;
#[path = "std_mirrors/locals.rs"]
mod locals;
#[path = "std_mirrors/locks.rs"]
mod locks;
#[path = "std_mirrors/once.rs"]
mod once;
#[path = "std_mirrors/panics.rs"]
mod panics;
#[path = "std_mirrors/polling.rs"]
mod polling;
#[path = "std_mirrors/threads.rs"]
mod threads;
#[path = "std_mirrors/time.rs"]
mod time;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use insyn::{Exploration, Explorer};

/// What a panic says.
#[track_caller]
fn panic_of<R>(f: impl FnOnce() -> R) -> String {
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(_) => panic!("it does not panic"),
        Err(payload) => match payload.downcast::<String>() {
            Ok(message) => *message,
            Err(payload) => payload.downcast::<&str>().expect("a message").to_string(),
        },
    }
}

/// Explores a program: what came out, and how many sequences each output has.
fn explored<F, R>(explorer: Explorer, program: F) -> (Exploration, BTreeMap<String, u64>)
where
    F: Fn() -> R + Send + Sync + 'static,
    R: serde::Serialize + 'static,
{
    let seen = Arc::new(Mutex::new(BTreeMap::<u32, BTreeMap<String, u64>>::new()));
    let shared = seen.clone();
    let found = explorer
        .observe(move |ended| {
            if ended.counted() {
                let output = ended.output().unwrap_or_else(|| format!("{:?}", ended.termination()));
                *shared.lock().unwrap().entry(ended.round()).or_default().entry(output).or_default() += 1;
            }
        })
        .explore(program);
    // What was found out before the exploration started again does not count.
    let outputs = seen.lock().unwrap().pop_last().map(|(_, outputs)| outputs).unwrap_or_default();
    assert_eq!(outputs.values().sum::<u64>(), found.sequences, "{found}");
    (found, outputs)
}

/// Explores a program that must not fail; how many sequences each output has.
#[track_caller]
fn outputs<F, R>(program: F) -> BTreeMap<String, u64>
where
    F: Fn() -> R + Send + Sync + 'static,
    R: serde::Serialize + 'static,
{
    let (found, outputs) = explored(Explorer::new(), program);
    found.assert_ok();
    outputs
}

/// As [`outputs`], with many orders of choosing freely and with many workers: all must come to the same.
#[track_caller]
fn steady_outputs<F, R>(program: F) -> BTreeMap<String, u64>
where
    F: Fn() -> R + Clone + Send + Sync + 'static,
    R: serde::Serialize + 'static,
{
    let expected = outputs(program.clone());
    for seed in 0..20 {
        let (found, outputs) = explored(Explorer::new().seed(seed), program.clone());
        found.assert_ok();
        assert_eq!(outputs, expected, "seed {seed}");
    }
    let (found, outputs) = explored(Explorer::new().workers(3), program);
    found.assert_ok();
    assert_eq!(outputs, expected, "with three workers");
    expected
}

/// Outputs and how many sequences each has, to compare with.
fn counts<const N: usize>(expected: [(&str, u64); N]) -> BTreeMap<String, u64> {
    expected.into_iter().map(|(output, n)| (output.to_string(), n)).collect()
}
