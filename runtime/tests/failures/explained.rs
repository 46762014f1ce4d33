//! The text of failures: as committed in `explained/`, for terminals of several widths, with and without colours and characters
//! beyond ASCII. `UPDATE_GOLDEN=1` writes the files anew.

insyn::instrumented! {
    mod programs;
}

use std::path::Path;
use std::{env, fs};

use insyn::sequences::causes::{self, Cause};
use insyn::sequences::harmless;
use insyn::sequences::report::Style;
use insyn::{Exploration, Explorer, Failure};

use insyn_test_support::only_failure;

/// Compares a text with the committed one.
#[track_caller]
fn assert_golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/failures/explained").join(name);
    if env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    let expected = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(text == expected, "{} is not what is committed:\n{text}", path.display());
}

/// Explores a program that fails in one way, with any number of workers alike.
#[track_caller]
fn explained(program: fn()) -> Exploration {
    let found = Explorer::new().workers(1).explain(program);
    let again = Explorer::new().workers(4).explain(program);
    assert_eq!(found, again, "the number of workers changes nothing");
    found
}

fn cause(failure: &Failure) -> Option<Cause> {
    causes::of(&failure.sequence, &failure.facts())
}

macro_rules! explained {
    ($($name:ident: $cause:pat,)*) => {
        $(
            #[test]
            fn $name() {
                let found = explained(programs::$name);
                let failure = only_failure(&found);
                assert_golden(concat!(stringify!($name), ".txt"), &failure.to_string());
                let cause = cause(failure);
                assert!(matches!(cause, Some($cause)), "{cause:?}");
            }
        )*
    };
}

explained! {
    opposite_locks: Cause::LockOrder { .. },
    philosophers: Cause::LockOrder { .. },
    kept_sender: Cause::KeptSender { .. },
    forgotten_reply: Cause::ForgottenReply { .. },
    missed_wakeup: Cause::MissedWakeup { .. },
    lost_update: Cause::LostUpdate { .. },
    not_atomic: Cause::NotAtomic { .. },
    dropped_sender: Cause::DroppedSender { .. },
    double_receive: Cause::DoubleReceive { .. },
    repeats: Cause::KeptSender { .. },
}

#[test]
fn terminals_of_several_widths() {
    let found = explained(programs::opposite_locks);
    let failure = only_failure(&found);
    let mut text = String::new();
    for width in [40, 80, 120] {
        let report = failure.report(&Style { width, wrap: true, ..Style::default() });
        assert!(report.lines().all(|line| line.chars().count() <= width), "{width} columns:\n{report}");
        text.push_str(&format!("{width} columns\n{report}\n"));
    }
    assert_golden("widths.txt", &text);
}

#[test]
fn colours_and_characters() {
    let found = explained(programs::opposite_locks);
    let failure = only_failure(&found);
    let ascii = failure.report(&Style { unicode: false, ..Style::default() });
    assert!(ascii.is_ascii(), "{ascii}");
    assert_golden("ascii.txt", &ascii);
    let colours = failure.report(&Style { colour: true, ..Style::default() });
    assert_golden("colours.txt", &colours.replace('\u{1b}', "ESC"));
    let bare: String = colours
        .split('\u{1b}')
        .map(|part| part.split_once('m').filter(|_| part.starts_with('[')).map_or(part, |it| it.1))
        .collect();
    assert_eq!(bare, failure.to_string(), "colours change nothing else");
}

/// What is left out is there when everything is shown, and steps keep their numbers.
#[test]
fn everything_can_be_shown() {
    let found = explained(programs::dropped_sender);
    let failure = only_failure(&found);
    let (brief, full) = (failure.to_string(), failure.report(&Style { full: true, ..Style::default() }));
    assert!(brief.contains("not shown") && !full.contains("not shown"), "{brief}\n{full}");
    assert!(full.lines().count() > brief.lines().count(), "{full}");
    assert_golden("full.txt", &full);
}

#[test]
fn hostile_names_are_cut_and_harmless() {
    let found = explained(programs::hostile_names);
    let failure = only_failure(&found);
    for width in [20, 40, 80, 120] {
        for unicode in [false, true] {
            let report = failure.report(&Style { width, unicode, wrap: true, ..Style::default() });
            assert!(report.chars().all(|c| c == '\n' || !harmless::acts(c)), "{report}");
            assert!(report.len() < 2_000, "{} bytes: {report}", report.len());
            assert!(unicode || report.is_ascii(), "{report}");
        }
    }
    assert_golden("hostile_names.txt", &failure.to_string());
}

/// Of an exploration that was ended early, the text says so.
#[test]
fn what_was_not_explored_is_said() {
    let found = Explorer::new().stop_at_first_failure(true).explain(programs::opposite_locks);
    let text = only_failure(&found).to_string();
    assert!(
        text.starts_with(&format!("deadlock in 1 of {} interleavings explored so far", found.sequences)),
        "{text}"
    );
    let run = Explorer::new().replay(&only_failure(&found).sequence, programs::opposite_locks).unwrap();
    let text = run.failure.unwrap().to_string();
    assert!(text.starts_with("deadlock after 4 steps\n"), "{text}");
}
