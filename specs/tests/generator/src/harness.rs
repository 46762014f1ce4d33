//! Reads many texts, and counts.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::{Tape, damage, peak};

/// Reading one text takes less than a millisecond. If it takes this long, it never ends: the process prints the text and aborts, since
/// nothing else would show the text.
const ENDLESS: Duration = Duration::from_secs(300);

/// The percentage of texts that are damaged.
const DAMAGED: u8 = 30;

/// The memory that reading a text may take, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// For any text.
    pub base: usize,
    /// In addition, for each byte of the text.
    pub per_byte: usize,
}

/// Reads texts that `generate` makes: `INSYN_INPUTS` of them, or 10,000. `read` returns the value of a text if it is accepted, in
/// bounded memory. `accept` uses the value; it also gets what `generate` meant, and whether the text is undamaged. Texts are the
/// same in every run.
///
/// # Panics
/// With a text, as short as can be found, for which `read` or `accept` panics, or that takes too much memory; and if less than
/// half of the texts are accepted.
pub fn check<I, V>(
    what: &str,
    limit: Limit,
    generate: impl Fn(&mut Tape<'_>) -> (String, I),
    read: impl Fn(&str) -> Option<V>,
    accept: impl Fn(&str, V, &I, bool),
) {
    let cases = std::env::var("INSYN_INPUTS").map_or(10_000, |it| it.parse().expect("a number of inputs"));
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 4000, ..Config::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let (accepted, damaged, most) = (Cell::new(0_u64), Cell::new(0_u64), Cell::new(0_usize));
    let watch = Watch::begin(what);
    let bytes = prop::collection::vec(any::<u8>(), 0..400);
    let result = TestRunner::new_with_rng(config, rng).run(&bytes, |bytes| {
        let mut tape = Tape::new(&bytes);
        let is_damaged = tape.chance(DAMAGED);
        let (text, meant) = generate(&mut tape);
        let text = if is_damaged { damage(&mut tape, &text) } else { text };
        watch.look_at(&text);
        let (value, memory) = shown(&text, || peak(|| read(&text)));
        let bound = limit.base + limit.per_byte * text.len();
        prop_assert!(memory <= bound, "{memory} bytes for these {}:\n{text}", text.len());
        accepted.set(accepted.get() + u64::from(value.is_some()));
        damaged.set(damaged.get() + u64::from(is_damaged));
        most.set(most.get().max(memory));
        if let Some(value) = value {
            shown(&text, || accept(&text, value, &meant, !is_damaged));
        }
        Ok(())
    });
    drop(watch);
    if let Err(error) = result {
        panic!("{what}: {error}");
    }
    let (accepted, cases) = (accepted.get(), u64::from(cases));
    let share = accepted * 100 / cases.max(1);
    report(&format!(
        "{what}: {cases} inputs, {accepted} accepted ({share} %), {} damaged, at most {} KiB",
        damaged.get(),
        most.get() >> 10
    ));
    assert!(accepted * 2 > cases, "{what}: only {accepted} of {cases} inputs are accepted");
}

#[expect(clippy::print_stderr, reason = "the share is what a person wants to see of a test that passes")]
fn report(line: &str) {
    eprintln!("{line}");
}

/// Runs a closure, and adds the text to the message of a panic.
fn shown<R>(text: &str, act: impl FnOnce() -> R) -> R {
    panic::catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().map(String::as_str);
        let message = message.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
        panic!("{message}\nfor this text:\n{text}\nwhich is {text:?}")
    })
}

/// Aborts the process if reading a text does not end.
struct Watch {
    text: Arc<Mutex<(u64, String)>>,
    _end: mpsc::Sender<()>,
}

impl Watch {
    fn begin(what: &str) -> Watch {
        let text = Arc::new(Mutex::new((0, String::new())));
        let (end, ended) = mpsc::channel::<()>();
        let (what, seen) = (what.to_owned(), Arc::clone(&text));
        thread::spawn(move || {
            let mut last = 0;
            while ended.recv_timeout(ENDLESS) == Err(RecvTimeoutError::Timeout) {
                let seen = seen.lock().expect("nothing panics while it is held");
                if seen.0 == last && last > 0 {
                    report(&format!("{what}: reading has no end:\n{}", seen.1));
                    std::process::abort();
                }
                last = seen.0;
            }
        });
        Watch { text, _end: end }
    }

    fn look_at(&self, text: &str) {
        let mut seen = self.text.lock().expect("nothing panics while it is held");
        seen.0 += 1;
        seen.1.clear();
        seen.1.push_str(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANY: Limit = Limit { base: usize::MAX, per_byte: 0 };

    fn number(tape: &mut Tape<'_>) -> (String, i64) {
        let number = tape.integer();
        (number.to_string(), number)
    }

    #[test]
    fn what_is_made_is_read() {
        check(
            "numbers",
            ANY,
            number,
            |text| text.parse().ok(),
            |_, found: i64, meant, is_whole| {
                assert!(!is_whole || found == *meant);
            },
        );
    }

    /// Each property of a reader is one that a reader can fail.
    #[test]
    fn bad_readers_fail() {
        let fails = |read: fn(&str) -> Option<i64>| {
            let check = || {
                check("numbers", ANY, number, read, |_, found, meant, is_whole| {
                    assert!(!is_whole || found == *meant, "another number");
                })
            };
            let panic = panic::catch_unwind(check).expect_err("the reader is bad");
            panic.downcast_ref::<String>().expect("it has a message").clone()
        };
        assert!(fails(|text| Some(text.trim().parse().expect("a panic"))).contains("a panic"));
        assert!(fails(|text| text.parse::<i32>().ok().map(i64::from).filter(|it| *it < 3)).contains("only "));
        let negative = fails(|text| text.parse::<i64>().ok().map(i64::wrapping_abs));
        assert!(negative.contains("another number"), "{negative}");
    }
}
