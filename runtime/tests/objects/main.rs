//! Every kind of object means under control what it means outside: the replacements of `std::sync`, `std::thread`,
//! `std::panic`, `std::time` and of crossbeam's channels and wait groups do what the real ones do, and show every behaviour those allow.

mod alike;
mod arcs;
mod atomics;
mod channels;
mod foreign;
mod locals;
mod locks;
mod once;
mod outside;
mod panics;
mod polling;
mod selecting;
mod threads;
mod time;
mod wait_groups;
mod weak_updates;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use insyn::{Exploration, Explorer};

/// The message of a panic.
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

/// Explores a program: its outputs, and how many sequences each has.
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
    // Results from before the exploration started again do not count.
    let outputs = seen.lock().unwrap().pop_last().map(|(_, outputs)| outputs).unwrap_or_default();
    assert_eq!(outputs.values().sum::<u64>(), found.sequences, "{found}");
    (found, outputs)
}

/// Explores a program that must not fail; returns how many sequences each output has.
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

/// As [`outputs`], with many orders of free choices and with many workers: all must give the same result.
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

/// Outputs and how many sequences each has, for comparison.
fn counts<const N: usize>(expected: [(&str, u64); N]) -> BTreeMap<String, u64> {
    expected.into_iter().map(|(output, n)| (output.to_string(), n)).collect()
}
