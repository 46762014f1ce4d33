//! Channels of the standard library and of crossbeam mean under control what they mean outside, and everything possible
//! is explored.

#![allow(
    dropping_copy_types,
    unused_braces,
    clippy::into_iter_on_ref,
    clippy::never_loop,
    clippy::type_complexity,
    clippy::unnecessary_literal_unwrap,
    clippy::unnecessary_operation,
    reason = "every form is written down that the real crates accept"
)]

mod litmus;
mod mpsc;

#[cfg(feature = "crossbeam-channel")]
mod crossbeam;
#[cfg(feature = "crossbeam-channel")]
mod crossbeam_litmus;
#[cfg(feature = "crossbeam-channel")]
mod macros;
#[cfg(feature = "crossbeam-channel")]
mod ready;
#[cfg(feature = "crossbeam-channel")]
mod selects;
#[cfg(feature = "crossbeam-channel")]
mod timers;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use insyn::std::thread;
use insyn::{Exploration, Explorer, Sequence, Termination};
use serde::Serialize;

/// What a program returned in each of its sequences, and how often; an execution that did not return counts by how it ended.
struct Outcomes {
    of: BTreeMap<String, u64>,
    found: Exploration,
}

impl Outcomes {
    /// The different outcomes, sorted.
    fn all(&self) -> Vec<&str> {
        self.of.keys().map(String::as_str).collect()
    }
}

/// The outcome of an execution.
fn outcome(termination: Termination, output: Option<String>) -> String {
    match termination {
        Termination::Normal => output.unwrap(),
        other => format!("{other:?}"),
    }
}

/// What an observer has recorded of the last round.
#[derive(Default)]
struct Seen {
    round: u32,
    of: BTreeMap<String, u64>,
    /// Some of the sequences, and their outcomes.
    sequences: Vec<(Sequence, String)>,
}

/// Explores a program completely. Its sequences are all different, can be replayed one by one, and are the same whatever
/// choice comes first.
#[track_caller]
fn outcomes<R: Serialize + 'static>(program: impl Fn() -> R + Send + Sync + 'static) -> Outcomes {
    let program = Arc::new(program);
    let explore = |explorer: Explorer| {
        let seen: Arc<Mutex<Seen>> = Arc::default();
        let observed = seen.clone();
        let explorer = explorer.observe(move |ended| {
            let mut seen = observed.lock().unwrap();
            if ended.round() > seen.round {
                *seen = Seen { round: ended.round(), ..Seen::default() };
            }
            if ended.counted() {
                let outcome = outcome(ended.termination(), ended.output());
                *seen.of.entry(outcome.clone()).or_default() += 1;
                if seen.sequences.len() < 100 {
                    seen.sequences.push((ended.sequence().without_locations(), outcome));
                }
            }
        });
        let program = program.clone();
        let found = explorer.explore(move || program());
        assert!(found.is_complete(), "{found}");
        let seen = std::mem::take(&mut *seen.lock().unwrap());
        assert_eq!(seen.of.values().sum::<u64>(), found.sequences, "{found}");
        (found, seen)
    };
    let (found, seen) = explore(Explorer::new().workers(1));
    let distinct: BTreeSet<&Sequence> = seen.sequences.iter().map(|(sequence, _)| sequence).collect();
    assert_eq!(distinct.len(), seen.sequences.len(), "a sequence was counted twice");
    for (sequence, expected) in &seen.sequences {
        let program = program.clone();
        let again = Explorer::new().replay(sequence, move || program()).unwrap_or_else(|e| panic!("{e}"));
        assert!(again.sequence.same_behaviour(sequence));
        assert_eq!(&outcome(again.termination, again.output), expected);
    }
    let (_, by_chance) = explore(Explorer::new().workers(1).seed(1));
    assert_eq!(by_chance.of, seen.of, "{found}");
    Outcomes { of: seen.of, found }
}

/// Asserts that a program has exactly these outcomes, each in this many sequences.
#[track_caller]
fn assert_outcomes<R: Serialize + 'static>(
    program: impl Fn() -> R + Send + Sync + 'static,
    expected: &[(&str, u64)],
) {
    let outcomes = outcomes(program);
    let got: Vec<(&str, u64)> = outcomes.of.iter().map(|(output, n)| (output.as_str(), *n)).collect();
    assert_eq!(got, expected, "{}", outcomes.found);
}

/// Runs a part of the program in a thread of its own.
fn go<R: Send + 'static>(part: impl FnOnce() -> R + Send + 'static) -> thread::JoinHandle<R> {
    thread::spawn(part)
}

/// The error's name, or the message.
fn say<T: std::fmt::Debug, E: std::fmt::Debug>(result: Result<T, E>) -> String {
    match result {
        Ok(message) => format!("{message:?}"),
        Err(error) => format!("{error:?}"),
    }
}

/// Runs the same calls on the real channels, on ours outside a program under test, and on ours inside one, and asserts
/// that they have the same results. `$name` is the module of the channels, `log!` records a result.
macro_rules! same {
    ($(#[$meta:meta])* $test:ident, $name:ident: $real:path, $ours:path, $body:block) => {
        $(#[$meta])*
        #[test]
        fn $test() {
            #[allow(unused_macros)]
            mod real {
                use $real as $name;
                #[allow(unused_imports)]
                use std::{thread, time::{Duration, Instant}};
                crate::channels::same!(@run $body);
            }
            #[allow(unused_macros)]
            mod ours {
                use $ours as $name;
                #[allow(unused_imports)]
                use insyn::std::{thread, time::{Duration, Instant}};
                crate::channels::same!(@run $body);
            }
            let expected = real::run();
            assert!(!expected.is_empty());
            assert_eq!(ours::run(), expected, "outside a program under test");
            let json = serde_json::to_string(&expected).unwrap();
            crate::channels::assert_outcomes(ours::run, &[(&json, 1)]);
        }
    };
    (@run $body:block) => {
        pub(super) fn run() -> Vec<String> {
            let log = std::cell::RefCell::new(Vec::new());
            #[allow(unused_macros)]
            macro_rules! log {
                ($e:expr) => {{
                    let result = $e;
                    log.borrow_mut().push(format!("{}: {result:?}", stringify!($e)));
                }};
            }
            $body
            log.into_inner()
        }
    };
}
use same;
