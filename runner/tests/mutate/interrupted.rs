//! A campaign that is interrupted reports so, keeps what is known, and can be continued.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use nix::sys::signal::Signal::{self, SIGHUP, SIGINT, SIGKILL, SIGTERM};

use crate::running::{Running, is_running, known, one_slot};
use crate::support::{self, Said, place};
use crate::{Crate, document, reckless, textbook};

/// All signals that ask a process to stop.
const SIGNALS: [Signal; 3] = [SIGINT, SIGTERM, SIGHUP];

/// The two numbers in `12 mutants are known, 3 are pending`.
#[track_caller]
fn known_and_pending(said: &str) -> (usize, usize) {
    let several = said.replace("mutant is", "mutants are").replace("is pending", "are pending");
    let number = |before: &str| -> usize {
        let found = several.split_once(before).and_then(|(text, _)| text.rsplit(' ').next()?.parse().ok());
        found.unwrap_or_else(|| panic!("no number of{before}: {said}"))
    };
    (number(" mutants are known"), number(" are pending"))
}

/// What an interrupted campaign with this many pending mutants must have left behind.
#[track_caller]
fn is_interrupted(it: &Crate, out: &str, said: &Said, all: usize) {
    assert_eq!(said.code, Some(130), "{}", said.err);
    let (now_known, pending) = known_and_pending(&said.err);
    assert_eq!((now_known, now_known + pending), (known(out), all), "{}", said.err);
    assert!(said.err.contains("run the same command again to continue"), "{}", said.err);
    assert!(!Path::new(out).join("campaign.json").exists(), "it is not over");
    assert!(!Path::new(out).join("report.html").exists(), "it is not over");
    // An incomplete campaign is neither reported nor merged.
    let merged = it.directory("merged-interrupted");
    for args in [&["report", out][..], &["merge", out, "--out", &merged]] {
        let refused = it.say(args);
        assert_eq!((refused.code, known_and_pending(&refused.err)), (Some(2), (now_known, pending)));
        assert!(refused.err.contains("was interrupted"), "{}", refused.err);
    }
    assert!(!Path::new(&merged).exists(), "nothing is written");
}

/// While mutants run one after the other, each quickly: the current worker may well answer before the command checks whether
/// to go on.
#[test]
fn among_mutants_that_are_soon_known() {
    let it = textbook();
    let whole = it.directory("uninterrupted");
    assert_eq!(it.say(&one_slot(&whole, "2")).code, Some(0));
    let all = known(&whole);
    let whole = document(&whole);
    let mut interrupted = 0;
    for (round, after) in [1, 3, 10, 25, 40, 55].into_iter().enumerate() {
        let out = it.directory("interrupted");
        let mut run = Running::start(support::command(&it.root, &one_slot(&out, "2")));
        run.wait_until(|| known(&out) >= after);
        run.signal(SIGNALS[round % 3]);
        let said = run.end();
        // The signal may have come too late, but then all results are known.
        if said.code == Some(130) {
            is_interrupted(&it, &out, &said, all);
            interrupted += 1;
            let said = it.say(&one_slot(&out, "2"));
            assert_eq!(said.code, Some(0), "{}", said.err);
        }
        assert_eq!(document(&out), whole, "interrupted after {after} mutants");
    }
    assert!(interrupted > 2, "it was interrupted only {interrupted} times");
}

/// Starts the command on a program that waits at a gate once this many mutants have results. Returns when the program waits.
fn gated(it: &Crate, out: &str, after: usize, workers: &str, more: &[&str]) -> Running {
    gated_within(it, out, after, workers, more, |command| command)
}

/// As above, with the command inside another.
fn gated_within(
    it: &Crate,
    out: &str,
    after: usize,
    workers: &str,
    more: &[&str],
    within: impl Fn(Command) -> Command,
) -> Running {
    let [gate, waits] = ["gate", "waiting"].map(|name| Path::new(out).join(name));
    // Results are written a little later, so all mutants may have passed the gate before. That is rare.
    for _ in 0..20 {
        fs::create_dir_all(out).expect("it can be made");
        fs::write(&gate, after.to_string()).expect("it can be written");
        let mut command = within(support::command(&it.root, &[&waiting(out, workers)[..], more].concat()));
        command.env("GATE", out);
        let mut run = Running::start(command);
        if run.wait_until(|| waits.exists()) {
            return run;
        }
        let _ = fs::remove_dir_all(out);
    }
    panic!("nobody waits");
}

fn waiting<'a>(out: &'a str, workers: &'a str) -> [&'a str; 10] {
    ["mutate", "waits", "--operators", "guards", "--patience", "600", "--workers", workers, "--out", out]
}

/// Opens the gate permanently.
fn open_gate(out: &str) {
    fs::remove_file(Path::new(out).join("gate")).expect("it is there");
    fs::remove_file(Path::new(out).join("waiting")).expect("somebody waited");
}

/// While the programs run without mutants, and while a mutant runs for long.
#[test]
fn while_a_program_or_a_mutant_runs_for_long() {
    let it = reckless();
    let whole = it.directory("ungated");
    let code = it.say(&waiting(&whole, "1")).code;
    assert!(matches!(code, Some(0 | 5)), "{code:?}");
    let all = known(&whole);
    assert!(all > 10, "{all}");
    let whole = document(&whole);
    for (round, after) in [0, 1, all / 2].into_iter().enumerate() {
        for workers in ["1", "2"] {
            let out = it.directory("gated");
            let mut run = gated(&it, &out, after, workers, &[]);
            run.signal(SIGNALS[round % 3]);
            let said = run.end();
            if after == 0 {
                let words = ["interrupted", "no mutant was run", "are pending", "run the same command again"];
                support::refused(&said, 130, &words);
                assert!(!Path::new(&out).join("campaign.json").exists(), "it is not over");
            } else {
                is_interrupted(&it, &out, &said, all);
            }
            open_gate(&out);
            assert_eq!(it.say(&waiting(&out, workers)).code, code);
            assert_eq!(document(&out), whole, "interrupted after {after} mutants, {workers} workers");
        }
    }
}

/// If the terminal was closed, messages go nowhere; that changes nothing.
#[test]
fn without_a_terminal() {
    let it = reckless();
    let out = it.directory("hung-up");
    let mut run = gated(&it, &out, 2, "1", &[]);
    run.stop_listening();
    run.signal(SIGHUP);
    assert_eq!(run.end().code, Some(130));
    assert!(known(&out) >= 2);
}

/// `nohup` makes a process ignore hangups, and the command respects that; everything else is unchanged.
#[test]
fn under_nohup() {
    let it = reckless();
    let out = it.directory("nohup");
    let ignoring = |command| support::through_shell(&command, "trap '' HUP");
    let mut run = gated_within(&it, &out, 2, "1", &[], ignoring);
    run.signal(SIGHUP);
    open_gate(&out);
    let said = run.end();
    assert!(matches!(said.code, Some(0 | 5)), "{}", said.err);
    assert!(Path::new(&out).join("campaign.json").exists());
    let again = it.directory("nohup-terminated");
    let mut run = gated_within(&it, &again, 2, "1", &[], ignoring);
    run.signal(SIGHUP);
    run.signal(SIGTERM);
    assert_eq!(run.end().code, Some(130));
}

/// Only one campaign uses a directory at a time, and others report which.
#[test]
fn a_directory_that_is_in_use() {
    let it = reckless();
    let out = it.directory("in-use");
    let mut run = gated(&it, &out, 1, "1", &[]);
    let holder = format!("is in use by process {} (cargo insyn mutate waits", run.id());
    let going_on = format!("is still going on, in process {} (cargo insyn mutate waits", run.id());
    for args in [&waiting(&out, "1")[..], &["merge", &out, "--out", &out]] {
        // A directory is not merged before its campaign is complete.
        let refused = it.say(args);
        let words = if args[0] == "merge" { &going_on } else { &holder };
        support::refused(&refused, 2, &[words]);
    }
    support::refused(&it.say(&["report", &out]), 2, &[&going_on, "known, ", " pending; wait for its end"]);
    let whole = it.directory("not-in-use");
    assert!(matches!(it.say(&waiting(&whole, "1")).code, Some(0 | 5)));
    support::refused(&it.say(&["merge", &whole, "--out", &out]), 2, &[&holder, "--out"]);
    // However a process ends, it no longer holds the directory.
    run.signal(SIGKILL);
    run.end();
    open_gate(&out);
    assert!(matches!(it.say(&waiting(&out, "1")).code, Some(0 | 5)));
    assert_eq!(document(&out), document(&whole));
}

/// An old report is not mistaken for that of a campaign that was interrupted.
#[test]
fn reports_from_before_are_gone() {
    let it = reckless();
    let out = it.directory("again");
    let code = it.say(&waiting(&out, "1")).code;
    let all = known(&out);
    let whole = document(&out);
    // While the program runs without mutants, it is not known yet whether the report is still valid.
    let mut run = gated(&it, &out, all, "1", &[]);
    run.signal(SIGTERM);
    support::refused(&run.end(), 130, &[&format!("{all} results of an earlier run are kept")]);
    assert_eq!(document(&out), whole);
    open_gate(&out);
    // With `--fresh`, mutants are to be run.
    fs::remove_file(Path::new(&out).join("results.jsonl")).expect("it is there");
    let mut run = gated(&it, &out, 2, "1", &["--fresh"]);
    run.signal(SIGTERM);
    is_interrupted(&it, &out, &run.end(), all);
    open_gate(&out);
    assert_eq!(it.say(&waiting(&out, "1")).code, code);
    assert_eq!(document(&out), whole);
}

/// A shard that was interrupted, or does not exist, is reported as missing.
#[test]
fn parts_that_are_missing_are_missed() {
    let it = reckless();
    let parts: Vec<String> = (1..=2).map(|n| it.directory(&format!("shard{n}"))).collect();
    let whole = it.directory("all-shards");
    let code = it.say(&waiting(&whole, "1")).code;
    let first = [&waiting(&parts[0], "1")[..], &["--shard", "1/2"]].concat();
    assert!(matches!(it.say(&first).code, Some(0 | 5)));
    let merged = it.directory("merged-shards");
    let merge = |parts: &[&String]| {
        let parts: Vec<&str> = parts.iter().map(|it| it.as_str()).collect();
        it.say(&[&["merge"], &parts[..], &["--out", &merged]].concat())
    };
    support::refused(&merge(&[&parts[0]]), 2, &["not the whole mutation run", "are pending", "all shards"]);
    let mut run = gated(&it, &parts[1], 1, "1", &["--shard", "2/2"]);
    run.signal(SIGINT);
    let said = run.end();
    let (now_known, pending) = known_and_pending(&said.err);
    assert_eq!((said.code, now_known), (Some(130), known(&parts[1])), "{}", said.err);
    let words = [&parts[1], "was interrupted", &format!("known, {pending} ")];
    support::refused(&merge(&[&parts[0], &parts[1]]), 2, &words);
    assert!(!Path::new(&merged).exists(), "nothing is written");
    open_gate(&parts[1]);
    let second = [&waiting(&parts[1], "1")[..], &["--shard", "2/2"]].concat();
    assert!(matches!(it.say(&second).code, Some(0 | 5)));
    assert_eq!(merge(&[&parts[0], &parts[1]]).code, code);
    assert_eq!(document(&merged), document(&whole));
}

/// While cargo reports metadata, and while it builds: cargo and all that it has started end, too.
#[test]
fn while_cargo_works() {
    let it = reckless();
    let stub = it.root.join("stub");
    // The real cargo serves every other request.
    place(
        &stub.join("cargo"),
        "#!/bin/sh\ncase \"$1\" in\n\"$STUCK\") sleep 300 & echo $! > \"$STUB/new\" && mv \"$STUB/new\" \"$STUB/child\" \
         && wait ;;\n*) exec \"$REAL\" \"$@\" ;;\nesac\n",
    );
    fs::set_permissions(stub.join("cargo"), fs::Permissions::from_mode(0o755)).expect("it can be set");
    let out = it.directory("unbuilt");
    for (round, what) in ["metadata", "build"].into_iter().enumerate() {
        for signal in SIGNALS {
            let child = stub.join("child");
            let _ = fs::remove_file(&child);
            let mut command = support::command(&it.root, &waiting(&out, "1"));
            command.env("STUCK", what).env("STUB", &stub).env("CARGO", stub.join("cargo"));
            command.env("REAL", std::env::var_os("CARGO").unwrap_or("cargo".into()));
            let mut run = Running::start(command);
            assert!(run.wait_until(|| child.exists()), "it ends");
            run.signal(signal);
            let said = run.end();
            let words =
                [["before anything was built", ""], ["while the programs were built", "no mutant was run"]];
            support::refused(&said, 130, &words[round]);
            let child = fs::read_to_string(&child).expect("it is there");
            assert!(!is_running(child.trim().parse().expect("a process")), "{child}");
            assert!(!Path::new(&out).join("campaign.json").exists());
        }
    }
}
