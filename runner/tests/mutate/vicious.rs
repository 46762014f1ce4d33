//! Mutants that do harm: whatever one does to its process, its streams or the machine, it gets a sensible verdict in bounded
//! time, and nothing else is affected.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use insyn_verdicts::protocol::{self, Answer};
use nix::sys::signal::Signal::SIGKILL;
use serde_json::Value;

use crate::running::{MARK, Running, children, is_running, left_over, marked, states};
use crate::support;
use crate::{Crate, copy, document, mutant};

fn vicious() -> Crate {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vicious");
    let manifest = include_str!("../reckless/Cargo.toml").replace("reckless", "vicious");
    copy("vicious", &from, &["src/lib.rs", "src/plain.rs"], &manifest)
}

const DIED: &str = "the process died: signal: 6 (SIGABRT)";
const LOOPS: &str = "it did nothing that insyn can see for 1 s or more: a loop without synchronization";
const WAITS: &str = "it waits in a lock, a channel or a call that is not under control";
const SAME: &str = "all its sequences and their results are those of the original";
const NO_MEMORY: &str = "it ran out of memory";

/// The result of each kind that does not use up memory: the verdict, and how its reason begins.
const KINDS: [(&str, &str, &str); 43] = [
    ("aborts", "killed", DIED),
    ("exits", "killed", "the process died: exit status: 0"),
    ("exits_as_before", "killed", "the process died: exit status: 86"),
    ("exits_with_87", "killed", "the process died: exit status: 87"),
    ("prints_lines", "killed", LOOPS),
    ("prints_without_end", "killed", LOOPS),
    ("shouts_lines", "killed", LOOPS),
    ("shouts_without_end", "killed", LOOPS),
    ("forges_answers", "equivalent", SAME),
    ("loops", "killed", LOOPS),
    ("leaves_threads_running", "equivalent", SAME),
    ("leaves_a_child", "killed", DIED),
    ("waits_for_a_child", "undecided", WAITS),
    ("leaves_a_daemon", "killed", DIED),
    ("becomes_another", "undecided", "its process"),
    ("holds_stdout", "equivalent", SAME),
    ("holds_stderr_and_loops", "killed", LOOPS),
    ("holds_stdout_and_sleeps", "undecided", WAITS),
    ("stops_itself", "undecided", "its process was stopped by a signal"),
    ("stops_its_group", "undecided", "its process was stopped by a signal"),
    ("segfaults", "killed", "the process died: signal: 11 (SIGSEGV)"),
    ("traps", "killed", "the process died: signal: 5 (SIGTRAP)"),
    ("raises_abort", "killed", DIED),
    ("kills_itself", "undecided", "its process was killed in each of 3 attempts, last by SIGKILL"),
    ("terminates_itself", "undecided", "its process was killed in each of 3 attempts, last by SIGTERM"),
    ("sleeps", "undecided", WAITS),
    ("deadlocks_outside", "undecided", WAITS),
    ("leaves_a_lock", "equivalent", SAME),
    ("needs_the_lock", "equivalent", SAME),
    ("closes_all", "undecided", "its process closed its link to this command"),
    ("closes_all_and_loops", "undecided", "its process closed its link to this command"),
    ("reads_input", "equivalent", SAME),
    ("forks", "equivalent", SAME),
    ("catches_signals", "killed", DIED),
    ("ends_its_thread", "killed", DIED),
    ("innocent", "killed", "returns 0, which the original never does"),
    ("panics_in_drop", "killed", "panic at src/lib.rs"),
    ("unwinds_into_drop", "killed", DIED),
    ("panics_at_length", "killed", "panic at src/lib.rs"),
    ("returns_at_length", "killed", "returns \"3xxx"),
    ("overflows", "killed", "stack overflow"),
    ("locks_forever", "killed", "step bound reached"),
    ("spawns_forever", "killed", ""),
];

/// The results of those that use up memory.
const GREEDY: [(&str, &str, &str); 3] = [
    ("allocates_forever", "killed", NO_MEMORY),
    ("allocates_at_once", "killed", NO_MEMORY),
    ("shares_memory", "undecided", "it shares more memory than a worker may have"),
];

/// Kilobytes of memory that a process has, by the system's name for the figure.
fn kilobytes(process: u32, what: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(what)).unwrap_or_default();
    line.trim_start_matches(':').trim().trim_end_matches(" kB").parse().unwrap_or(0)
}

/// Runs a campaign to its end, and checks that no process is left and that it never took more memory than its workers may.
/// Output: its document.
fn campaign(it: &Crate, mark: &str, args: &[&str]) -> Value {
    let out = it.directory(mark);
    let common = ["mutate", "--operators", "GBS", "--memory", "512", "--workers", "2", "--out", &out];
    let mut command = support::command(&it.root, &[&common, args].concat());
    command.env(MARK, mark);
    let mut run = Running::start(command);
    let id = run.id();
    let mut most = BTreeMap::new();
    while !run.has_ended() {
        let workers = children(id);
        let sum = |what| workers.iter().map(|worker| kilobytes(*worker, what)).sum::<u64>();
        for (what, now) in [
            ("this command", kilobytes(id, "VmRSS")),
            ("its workers", sum("RssAnon")),
            ("what they share", sum("RssShmem")),
        ] {
            let most = most.entry(what).or_insert(0);
            *most = now.max(*most);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let said = run.end();
    assert_eq!(said.code, Some(5), "{}", said.err);
    // A process that a mutant has made independent is not ended.
    assert_eq!(left_over(mark, |command| command == "sleep 30"), []);
    assert!(document(&out).len() < 4 << 20, "the document has {} bytes", document(&out).len());
    // Two workers of 512 MB, and the memory of idle ones.
    assert!(most["this command"] < 300 << 10, "{most:?}");
    assert!(most["its workers"] < (3 * 512) << 10, "{most:?}");
    assert!(most["what they share"] < (4 * 512) << 10, "{most:?}");
    serde_json::from_str(&document(&out)).expect("a document")
}

/// The verdict on the mutant of a kind, and the reason for it.
fn found<'c>(campaign: &'c Value, kind: &str) -> (&'c Value, &'c str) {
    let replacement = if kind == "locks_forever" { LOCKED } else { "told >= 3" };
    let found = mutant(campaign, kind, "GBS", replacement);
    let text = found["reason"].as_str().unwrap_or_default();
    assert!(text.len() < 2_000, "{kind} has a reason of {} bytes", text.len());
    (&found["status"], text)
}

fn check(campaign: &Value, kinds: &[(&str, &str, &str)]) {
    let mut wrong = Vec::new();
    for (kind, status, reason) in kinds {
        let (found, text) = found(campaign, kind);
        if found != status || !text.starts_with(reason) {
            wrong.push(format!("{kind}: {found} because {text}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn each_kind_has_its_verdict() {
    let it = vicious();
    let names = KINDS.map(|(name, ..)| name);
    let campaign = campaign(&it, "each_kind", &[&names[..], &["--patience", "1"]].concat());
    check(&campaign, &KINDS);
}

/// Using up memory takes time, on some machines more than on others: with little patience, that time would be decisive.
#[test]
fn memory_is_bounded() {
    let it = vicious();
    let names = GREEDY.map(|(name, ..)| name);
    let campaign = campaign(&it, "memory", &[&names[..], &["starts_threads", "--patience", "600"]].concat());
    check(&campaign, &GREEDY);
    // Whichever thread is the first to run out of memory: one of the mutant, which fails, or one that the worker needs.
    let (status, reason) = found(&campaign, "starts_threads");
    assert!(status == "killed" || status == "undecided" && reason.starts_with(DIED), "{status}: {reason}");
    assert_eq!(
        campaign["details"].as_array().map(Vec::len),
        Some(KINDS.len() + GREEDY.len() + 1),
        "every kind is in one of the tests"
    );
}

/// A worker ends with its command, whatever it does and whatever it holds.
#[test]
fn no_worker_outlives_its_command() {
    let it = vicious();
    let out = it.directory("orphans");
    for (kind, state) in [
        ("holds_stderr_and_loops", 'R'),
        ("holds_stdout_and_sleeps", 'S'),
        ("stops_itself", 'T'),
        ("prints_without_end", 'R'),
    ] {
        let args = ["mutate", kind, "--operators", "GBS", "--patience", "600", "--fresh", "--out", &out];
        let mut command = support::command(&it.root, &args);
        command.env(MARK, kind);
        let mut run = Running::start(command);
        let journal = Path::new(&out).join("journal0-0");
        // The mutant is on.
        let is_on = || fs::read(&journal).is_ok_and(|bytes| bytes.len() > 8 && bytes[..8] != [0; 8]);
        let works = || {
            marked(kind)
                .iter()
                .any(|(process, command)| command.contains("--exact") && states(*process).contains(&state))
        };
        assert!(run.wait_until(|| is_on() && works()), "{kind} ends by itself");
        run.signal(SIGKILL);
        run.end();
        assert_eq!(left_over(kind, |_| false), [], "{kind}");
    }
}

/// Without a parent to die with, a worker ends when its requests do.
#[test]
fn no_worker_outlives_its_requests() {
    let it = vicious();
    let out = it.directory("requests");
    let args = ["mutate", "innocent", "--operators", "GBS", "--patience", "1", "--out", &out];
    assert_eq!(it.say(&args).code, Some(0));
    let programs = fs::read_dir(Path::new(&out).join("programs")).expect("it is there");
    let program = programs.flatten().next().expect("there is one").path();
    for behaviour in ["nothing", "hold and loop", "hold and sleep"] {
        let mut command = protocol::command(&program, "tests::misbehaves");
        command.env("MISBEHAVE", behaviour).stderr(Stdio::null());
        let mut worker = command.spawn().expect("it can be started");
        let mut answers = BufReader::new(worker.stdout.take().expect("it is piped")).lines();
        let mut next = || answers.find_map(|line| protocol::answer(&line.expect("it is text")));
        assert!(matches!(next(), Some(Answer::Hello { .. })));
        let mut requests = worker.stdin.take().expect("it is piped");
        writeln!(requests, r#"{{"request":"explore"}}"#).expect("it listens");
        // The worker is busy, or done.
        assert!(matches!(next(), Some(Answer::Progress(_) | Answer::Explored(_))), "{behaviour}");
        assert!(worker.try_wait().expect("it can be asked").is_none(), "{behaviour}");
        drop(requests);
        assert!(!is_running(worker.id()), "{behaviour}");
        assert_eq!(worker.wait().expect("it has ended").code(), Some(0), "{behaviour}");
    }
}

const LOCKED: &str = "*shared.lock().unwrap() >= 3";
