//! Workers that are killed from outside show nothing about their mutants.

use std::fs;
use std::path::Path;
use std::process::Command;

use nix::sys::signal::Signal::{self, SIGKILL, SIGTERM};
use serde_json::Value;

use crate::running::{Running, children, known, one_slot, send};
use crate::support::{self, place};
use crate::{Crate, document, mutant, reckless, textbook};

fn send_all(processes: &[u32], signal: Signal) {
    for process in processes {
        send(*process, signal);
    }
}

/// On several workers at once.
#[test]
fn the_same_bytes_if_some_of_many_are_killed() {
    let it = textbook();
    let whole = it.directory("unkilled");
    assert_eq!(it.say(&one_slot(&whole, "3")).code, Some(0));
    let whole = document(&whole);
    for after in [0, 5, 20, 50] {
        let out = it.directory("killed-many");
        let mut run = Running::start(support::command(&it.root, &one_slot(&out, "3")));
        let id = run.id();
        let results = Path::new(&out).join("results.jsonl");
        // All workers, twice: no mutant can have been hit more often.
        for more in [0, 6] {
            run.wait_until(|| results.exists() && known(&out) >= after + more && !children(id).is_empty());
            send_all(&children(id), SIGKILL);
        }
        let said = run.end();
        assert_eq!(said.code, Some(0), "{}", said.err);
        assert_eq!(document(&out), whole, "killed after {after} mutants");
    }
}

/// One mutant of a program in which nothing else is mutated.
fn only(it: &Crate, program: &str, code: i32, more: impl FnOnce(&mut Command)) -> (Value, String) {
    let out = it.directory("only");
    let args = ["mutate", program, "--operators", "GBS", "--format", "json", "--out", &out];
    let mut command = support::command(&it.root, &args);
    more(&mut command);
    let said = support::listen(command);
    assert_eq!(said.code, Some(code), "{}{}", said.out, said.err);
    (serde_json::from_str(&said.out).expect("a document"), out)
}

#[track_caller]
fn is_undecided(mutant: &Value, words: &[&str]) {
    assert_eq!(mutant["status"], "undecided", "{mutant}");
    let reason = mutant["reason"].as_str().expect("a reason");
    for word in words {
        assert!(reason.contains(word), "{word:?} is not said: {reason}");
    }
}

/// A signal that a mutant sends to itself cannot be distinguished from one that another process sends.
#[test]
fn a_mutant_that_kills_itself_is_undecided() {
    let it = reckless();
    for (program, signal) in [("kills_itself", "SIGKILL"), ("terminates_itself", "SIGTERM")] {
        let (campaign, out) = only(&it, program, 5, |_| {});
        is_undecided(mutant(&campaign, "leave", "GBS", "told >= 3"), &["3 attempts", signal, "from outside"]);
        // Such a result is not kept: the mutant is tried again, with the same result.
        let before = document(&out);
        let args = ["mutate", program, "--operators", "GBS", "--out", &out];
        assert_eq!(it.say(&args).code, Some(5));
        assert_eq!(document(&out), before);
    }
}

/// What happens each time that a mutant is run.
fn with_kills<'a>(it: &Crate, calls: &'a [&'a str]) -> impl FnOnce(&mut Command) + use<'a> {
    let file = it.root.join("kills");
    place(&file, &calls.iter().map(|call| format!("{call}\n")).collect::<String>());
    move |command| {
        command.env("KILLS", file);
    }
}

#[test]
fn a_mutant_is_run_again_until_it_is_not_killed() {
    let it = reckless();
    let (campaign, _) = only(&it, "flickers", 0, with_kills(&it, &["kill", "kill"]));
    assert_eq!(mutant(&campaign, "flicker", "GBS", "told >= 3")["status"], "equivalent");
    let (campaign, out) = only(&it, "flickers", 5, with_kills(&it, &["kill", "kill", "kill"]));
    is_undecided(mutant(&campaign, "flicker", "GBS", "told >= 3"), &["3 attempts", "SIGKILL"]);
    // Another run gets another chance.
    let again = ["mutate", "flickers", "--operators", "GBS", "--format", "json", "--out", &out];
    assert_eq!(mutant(&it.json(&again, 0), "flicker", "GBS", "told >= 3")["status"], "equivalent");
}

/// The same holds for the witness of a mutant that has died.
#[test]
fn a_witness_is_called_again_until_it_is_not_killed() {
    let it = reckless();
    let (campaign, _) = only(&it, "vanishes", 0, with_kills(&it, &["live", "kill", "kill"]));
    let vanished = mutant(&campaign, "vanish", "GBS", "told >= 3");
    assert_eq!(vanished["status"], "killed", "{vanished}");
    assert_eq!(vanished["reason"], "the process died: signal: 6 (SIGABRT)");
    let (campaign, _) = only(&it, "vanishes", 5, with_kills(&it, &["live", "kill", "kill", "kill"]));
    let words = ["the process died", "when it was run again", "3 attempts", "SIGKILL"];
    is_undecided(mutant(&campaign, "vanish", "GBS", "told >= 3"), &words);
}

/// A program that is killed without a mutant each time is an error, but no failure of the program.
#[test]
fn programs_without_mutants_are_run_again() {
    let it = reckless();
    let out = it.directory("killed-originals");
    fs::create_dir_all(&out).expect("it can be made");
    let gate = Path::new(&out).join("gate");
    let waiting = Path::new(&out).join("waiting");
    let args = ["mutate", "waits", "--operators", "GBS", "--out", &out];
    let killed = |times: usize, signal: Signal| {
        fs::write(&gate, "0").expect("it can be written");
        let mut command = support::command(&it.root, &[&args[..], &["--fresh"]].concat());
        command.env("GATE", &out);
        let mut run = Running::start(command);
        let id = run.id();
        let mut last = Vec::new();
        for _ in 0..times {
            let _ = fs::remove_file(&waiting);
            run.wait_until(|| waiting.exists() && !children(id).is_empty() && children(id) != last);
            last = children(id);
            send_all(&last, signal);
        }
        fs::remove_file(&gate).expect("it is there");
        run.end()
    };
    let said = killed(2, SIGTERM);
    assert!(matches!(said.code, Some(0 | 5)), "{}", said.err);
    let said = killed(3, SIGKILL);
    support::refused(&said, 4, &["program `reckless::tests::waits` died", "3 attempts", "SIGKILL"]);
}

/// The memory limit of workers is recorded, and another limit makes another campaign.
#[test]
fn the_limit_on_memory_is_written_down() {
    let it = reckless();
    let out = it.directory("limited");
    let state = Path::new(&out).join("state.json");
    for (more, megabytes) in [(&[][..], 2048), (&["--memory", "512"], 512)] {
        let args = ["mutate", "flickers", "--operators", "GBS", "--out", &out];
        assert_eq!(it.say(&[&args[..], more].concat()).code, Some(0));
        let state: Value =
            serde_json::from_slice(&fs::read(&state).expect("it is there")).expect("a document");
        let state = &state["content"];
        assert_eq!(
            (&state["limits"]["memory"], &state["pending"]),
            (&megabytes.into(), &1.into()),
            "{state}"
        );
    }
}

/// Shards that were run with different limits are merged, but with a warning.
#[test]
fn shards_with_different_limits_are_named() {
    let it = reckless();
    let shard = |n: &str, more: &[&str]| {
        let out = it.directory(&format!("limits{n}"));
        let args = ["mutate", "waits", "--operators", "GBS", "--shard", &format!("{n}/2"), "--out", &out];
        assert!(matches!(it.say(&[&args[..], more].concat()).code, Some(0 | 5)));
        out
    };
    let (first, second) = (shard("1", &[]), shard("2", &["--memory", "512", "--patience", "3"]));
    let merged = it.directory("limits-merged");
    let merge = |parts: [&str; 2]| it.say(&["merge", parts[0], parts[1], "--out", &merged]);
    let said = merge([&first, &second]);
    assert!(matches!(said.code, Some(0 | 5)), "{}", said.err);
    for word in
        ["warning: ", &first, "`--memory 2048`", &second, "`--memory 512 --patience 3`", "another verdict"]
    {
        assert!(said.err.contains(word), "{word:?} is not said: {}", said.err);
    }
    let same = shard("2", &[]);
    assert_eq!(merge([&first, &same]).err, "");
}
