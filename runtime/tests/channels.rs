//! Channels of the standard library and of crossbeam mean under control what they mean outside, and everything that can
//! happen to them does.

#[path = "channels/litmus.rs"]
mod litmus;
#[path = "channels/mpsc.rs"]
mod mpsc;

#[cfg(feature = "crossbeam-channel")]
#[path = "channels/crossbeam.rs"]
mod crossbeam;
#[cfg(feature = "crossbeam-channel")]
#[path = "channels/crossbeam_litmus.rs"]
mod crossbeam_litmus;
#[cfg(feature = "crossbeam-channel")]
#[path = "channels/macros.rs"]
mod macros;
#[cfg(feature = "crossbeam-channel")]
#[path = "channels/selects.rs"]
mod selects;
#[cfg(feature = "crossbeam-channel")]
#[path = "channels/timers.rs"]
mod timers;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use insyn::std::thread;
use insyn::{Exploration, Explorer, Termination};
use serde::Serialize;

/// What a program returned in each of its sequences, and how often; what did not return counts by how it ended.
struct Outcomes {
    of: BTreeMap<String, u64>,
    found: Exploration,
}

impl Outcomes {
    /// The different things that came out, sorted.
    fn all(&self) -> Vec<&str> {
        self.of.keys().map(String::as_str).collect()
    }
}

/// Explores a program to the end.
#[track_caller]
fn outcomes<R: Serialize + 'static>(program: impl Fn() -> R + Send + Sync + 'static) -> Outcomes {
    let seen: Arc<Mutex<(u32, BTreeMap<String, u64>)>> = Arc::default();
    let observed = seen.clone();
    let explorer = Explorer::new().workers(1).observe(move |ended| {
        let mut seen = observed.lock().unwrap();
        if ended.round() > seen.0 {
            *seen = (ended.round(), BTreeMap::new());
        }
        if ended.counted() {
            let output = match ended.termination() {
                Termination::Normal => ended.output().unwrap(),
                other => format!("{other:?}"),
            };
            *seen.1.entry(output).or_default() += 1;
        }
    });
    let found = explorer.explore(program);
    assert!(found.is_complete(), "{found}");
    let of = seen.lock().unwrap().1.clone();
    assert_eq!(of.values().sum::<u64>(), found.sequences, "{found}");
    Outcomes { of, found }
}

/// Asserts that a program has exactly these outcomes, each in so many sequences.
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
/// that they have the same results. `$name` is the module of the channels, `log!` notes a result.
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
                crate::same!(@run $body);
            }
            #[allow(unused_macros)]
            mod ours {
                use $ours as $name;
                #[allow(unused_imports)]
                use insyn::std::{thread, time::{Duration, Instant}};
                crate::same!(@run $body);
            }
            let expected = real::run();
            assert!(!expected.is_empty());
            assert_eq!(ours::run(), expected, "outside a program under test");
            let json = serde_json::to_string(&expected).unwrap();
            crate::assert_outcomes(ours::run, &[(&json, 1)]);
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
