//! The command on a crate outside of this workspace: every command, every exit code, and the output.

#[path = "commands/applied.rs"]
mod applied;
#[path = "commands/drafts.rs"]
mod drafts;
#[path = "commands/expected.rs"]
mod expected;
#[path = "commands/failures.rs"]
mod failures;
#[path = "commands/hostile.rs"]
mod hostile;
#[path = "commands/many.rs"]
mod many;
#[path = "commands/oracles.rs"]
mod oracles;
#[allow(dead_code, reason = "other tests use the rest")]
mod support;
#[cfg(target_os = "linux")]
#[path = "commands/terminal.rs"]
mod terminal;
#[path = "commands/unseen.rs"]
mod unseen;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;
use support::Said;

/// A copy of `tests/fixture` outside of this workspace, built once for all tests of a process.
fn fixture() -> &'static Path {
    static FIXTURE: OnceLock<PathBuf> = OnceLock::new();
    FIXTURE.get_or_init(|| {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixture");
        let to = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fixture");
        let files =
            ["src/lib.rs", "src/buffer.rs", "inputs/two.yaml", "buffer/spec.yaml", "buffer/tests.yaml"];
        support::copy_crate(&from, &files, include_str!("fixture/Cargo.toml"), &to);
        to
    })
}

fn say(args: &[&str]) -> Said {
    support::say(fixture(), args)
}

#[track_caller]
fn json(args: &[&str], code: i32) -> Value {
    support::json(fixture(), args, code)
}

#[track_caller]
fn refused(args: &[&str], code: i32, words: &[&str]) {
    support::refused(&say(args), code, words);
}

#[test]
fn lists_all_programs() {
    let said = say(&["list"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let expected = "\
package  program             in   input
fixture  buffer              lib  yes
fixture  dies                lib  none
fixture  fan_in              lib  yes
fixture  fan_in_from_a_file  lib  yes
fixture  has_no_end          lib  none
fixture  helped              lib  none
fixture  needs_an_input      lib  yes
fixture  overfull_buffer     lib  yes
fixture  panics              lib  none
fixture  prints              lib  none
fixture  timid_buffer        lib  yes
fixture  tests::transfer     lib  none
fixture  inner::transfer     lib  none
";
    assert_eq!(said.out, expected);
    let document = json(&["list", "--format", "json"], 0);
    assert_eq!(document["programs"][2]["path"], "fixture::tests::fan_in");
    assert_eq!(document["programs"][2]["takes_input"], true);
}

/// `.init_array` is what this system calls it.
#[cfg(target_os = "linux")]
#[test]
fn lists_the_others_if_a_program_cannot_be_started() {
    let said = say(&["list", "--features", "unstartable"]);
    assert_eq!(said.code, Some(4), "{}", said.err);
    assert!(said.out.contains("fixture  never_starts        lib  cannot be started\n"), "{}", said.out);
    assert!(said.out.contains("fixture  inner::transfer     lib  none\n"), "{}", said.out);
    assert!(said.out.contains("fixture never_starts: the test binary of program"), "{}", said.out);
    assert!(said.out.contains("exit status: 9"), "{}", said.out);
}

#[test]
fn explores_with_the_input_of_the_attribute_and_with_others() {
    let document = json(&["explore", "fan_in", "--format", "json"], 0);
    let program = &document["programs"][0];
    assert_eq!(document["version"], 1);
    assert_eq!(program["package"], "fixture");
    assert_eq!(program["name"], "fan_in");
    assert_eq!(program["input"], serde_json::json!({"senders": 3}));
    for (key, expected) in [("sequences", 6), ("executions", 6), ("repeats", 0), ("inconsistent", 0)] {
        assert_eq!(program[key], expected, "{key}");
    }
    let terminations = &program["terminations"];
    for (key, expected) in [("normal", 6), ("deadlock", 0), ("panic", 0), ("bound", 0)] {
        assert_eq!(terminations[key], expected, "{key}");
    }
    let more =
        json(&["explore", "fan_in", "--input", "{senders: 4}", "--format", "json", "--workers", "2"], 0);
    assert_eq!(more["programs"][0]["sequences"], 24);
    let file = json(&["explore", "fan_in_from_a_file", "--format", "json"], 0);
    assert_eq!(file["programs"][0]["sequences"], 2);
    let at = json(&["explore", "fan_in", "--input", "@inputs/two.yaml", "--format", "json"], 0);
    assert_eq!(at["programs"][0]["sequences"], 2);
}

#[test]
fn panics_and_endless_runs_are_failures() {
    let document = json(&["explore", "panics", "has_no_end", "--format", "json"], 1);
    let programs = document["programs"].as_array().expect("a list");
    let ended = |name: &str| {
        let program = programs.iter().find(|program| program["name"] == name).expect("it was explored");
        program["terminations"].clone()
    };
    assert_eq!(ended("panics")["panic"], 1);
    assert_eq!(ended("panics")["normal"], 1);
    assert_eq!(ended("has_no_end")["bound"], 1);
}

#[test]
fn what_a_program_prints_is_passed_over() {
    let document = json(&["explore", "prints", "--format", "json"], 0);
    assert_eq!(document["programs"][0]["sequences"], 2);
}

#[test]
fn bounds_are_reported() {
    let args = ["explore", "fan_in", "--max-sequences", "4", "--format", "json"];
    let program = &json(&args, 0)["programs"][0];
    assert_eq!(program["sequences"], 4);
    assert_eq!(program["complete"], false);
    assert_eq!(program["bound"], "the bound on sequences was reached");
}

#[test]
fn what_cannot_be_done_is_refused() {
    refused(&["explore", "fan_on"], 2, &["no program `fan_on`", "did you mean `fan_in`?"]);
    refused(&["explore", "zzz"], 2, &["no program `zzz`", "cargo insyn list"]);
    refused(&["explore", "-p", "fixtur"], 2, &["no package `fixtur`", "did you mean `fixture`?"]);
    refused(&["explore", "fan_in", "--input", "{senders: two}"], 2, &["--input:1:11", "expected u32\n"]);
    refused(&["explore", "fan_in", "--input", "{sender: 2}"], 2, &["unknown field `sender`"]);
    refused(&["explore", "fan_in", "--input", "{"], 2, &["--input:"]);
    refused(&["explore", "prints", "--input", "{}"], 2, &["takes no input"]);
    refused(&["explore", "needs_an_input"], 2, &["needs an input", "missing field `senders`", "--input"]);
    refused(&["explore", "fan_in", "--input", "@nowhere.yaml"], 2, &["nowhere.yaml"]);
    refused(&["explore", "--workers", "0"], 2, &["--workers"]);
    refused(&["replay", "nowhere.yaml"], 2, &["nowhere.yaml cannot be read"]);
    refused(&["replay", "Cargo.toml"], 2, &["Cargo.toml", "sequence file"]);
    refused(&["dance"], 2, &["dance"]);
}

#[test]
fn the_correct_buffer_has_four_valid_words_and_no_others() {
    let program = &json(&["check", "tests::buffer", "--format", "json"], 0)["programs"][0];
    for (key, expected) in
        [("feasible_valid", 4), ("feasible_invalid", 0), ("infeasible_valid", 0), ("infeasible_invalid", 2)]
    {
        assert_eq!(program[key], expected, "{key}");
    }
    assert_eq!(program["comparison"]["valid_words_feasible"], 4);
    assert_eq!(program["comparison"]["answer"], "correct");
    let tests = program["tests"].as_array().expect("a list");
    assert_eq!(tests.len(), 5);
    for test in tests {
        assert_eq!(test["passed"], true, "{test}");
        assert_eq!(test["verdict"], test["expected"], "{test}");
    }
    for (test, step, entry) in [(1, "step 3, `deposit`", "deposit"), (2, "step 1, `withdraw`", "withdraw")] {
        let why = tests[test]["why"].as_str().expect("a text");
        assert!(why.starts_with(step), "{why}");
        let guard = if entry == "deposit" {
            "`has_room` (src/buffer.rs:"
        } else {
            "`full_slots > 0` (src/buffer.rs:"
        };
        let expected = format!("waits for its call of {entry} to be accepted while {guard}");
        assert!(why.lines().any(|line| line.contains(&expected)), "{why}");
        assert!(!why.contains("main/entry"), "names, not ids: {why}");
    }
}

#[test]
fn valid_words_are_forced_where_the_exploration_is_not_complete() {
    let args = ["check", "tests::buffer", "--max-sequences", "1", "--format", "json"];
    let program = &json(&args, 0)["programs"][0];
    assert_eq!(program["complete"], false);
    assert_eq!(program["comparison"]["valid_words_feasible"], 4);
    assert_eq!(program["comparison"]["undecided"], 0);
    assert_eq!(program["comparison"]["answer"], "unknown");
}

#[test]
fn a_guard_that_is_too_weak_gives_an_invalid_sequence() {
    let args = ["check", "overfull_buffer", "--format", "json"];
    let program = &json(&args, 1)["programs"][0];
    assert_eq!((&program["feasible_valid"], &program["feasible_invalid"]), (&4.into(), &1.into()));
    assert_eq!(program["comparison"]["conditions"], serde_json::json!([4, 0, 1, 0]));
    let witness = &program["comparison"]["witnesses"][0];
    assert_eq!(witness["word"], "deposit deposit deposit withdraw withdraw withdraw");
    assert_eq!(witness["output"], serde_json::json!(["C", "B", "C"]));
    let said = say(&["check", "overfull_buffer", "--input", "{items: [C, B, C], guard: TooWeak}"]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(said.out.contains("(iv) coincidentally correct"), "{}", said.out);
    assert!(
        said.out.contains("FAIL  three deposits into two slots: feasible, expected infeasible"),
        "{}",
        said.out
    );
}

/// Tests without an input use that of the attribute, and show nothing about the program with another input.
#[test]
fn tests_with_another_input_do_not_count_for_this_one() {
    let args = ["check", "tests::buffer", "--input", "{guard: TooWeak}", "--format", "json"];
    let program = &json(&args, 1)["programs"][0];
    let verdicts: Vec<&Value> =
        program["tests"].as_array().expect("a list").iter().map(|it| &it["verdict"]).collect();
    assert_eq!(verdicts, ["feasible", "infeasible", "infeasible", "feasible", "feasible"]);
    assert_eq!((&program["feasible_invalid"], &program["infeasible_invalid"]), (&1.into(), &0.into()));
}

#[test]
fn what_a_check_finds_is_saved_and_run_again() {
    let out = tempfile::tempdir().expect("a directory");
    let directory = out.path().display().to_string();
    let said = say(&["check", "overfull_buffer", "--out", &directory]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    let word = "deposit deposit deposit withdraw withdraw withdraw";
    let mut lines = said.out.lines().skip_while(|line| *line != word).skip(1);
    let file = lines.next().and_then(|line| line.strip_prefix("replay  cargo insyn replay "));
    let again = say(&["replay", file.expect("it says how to see it again")]);
    assert_eq!(again.code, Some(0), "{}", again.err);
    assert!(again.out.contains(r#"output: ["C","B","C"]"#), "{}", again.out);
    let document = fs::read_to_string(out.path().join("check.json")).expect("it was written");
    let document: Value = serde_json::from_str(&document).expect("a document");
    let named = &document["programs"][0]["comparison"]["witnesses"][0]["file"];
    assert_eq!(named.as_str(), file);
}

#[test]
fn a_test_that_names_what_never_exists_fails_whatever_it_expects() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("tests.yaml");
    let tests = "insyn: tests\nversion: 1\nprogram: tests::buffer\ntests:\n\
        - {name: thread, prefix: [{op: accept, thread: sever}], expect: infeasible}\n\
        - {name: object, prefix: [{op: accept, on: deposti}], expect: infeasible}\n\
        - {name: label, prefix: [deposit], expect: infeasible}\n";
    fs::write(&path, tests).expect("it can be written");
    let said = say(&["force", &path.display().to_string(), "--spec", "buffer/spec.yaml"]);
    assert_eq!(said.code, Some(1), "{}{}", said.out, said.err);
    for words in [
        "tests.yaml:5:27: nothing in the program is named `sever`; did you mean `server`?",
        "tests.yaml:6:27: nothing in the program is named `deposti`; did you mean `deposit`?",
        "FAIL  label: feasible, expected infeasible",
    ] {
        assert!(said.out.contains(words), "{words:?} is not said: {}", said.out);
    }
}

/// A thread that exists in few executions is found all the same, in recorded tests as well as in others.
#[test]
fn a_test_may_name_what_is_not_always_there() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("tests.yaml");
    let recorded = |id: &str| {
        format!(
            "recorded: {{processes: [{{id: main, kind: thread, events: []}}, {{id: {id}, kind: thread, events: []}}]}}"
        )
    };
    let tests = format!(
        "insyn: tests\nversion: 1\nprogram: helped\ntests:\n\
        - {{name: early, prefix: [{{op: send, thread: helper}}, {{op: receive, thread: main}}], expect: infeasible}}\n\
        - {{name: idle, {}, expect: infeasible}}\n\
        - {{name: nobody, {}, expect: infeasible}}\n\
        - {{name: end, prefix: [{{op: disconnect}}]}}\n",
        recorded("main/thread3"),
        recorded("main/thread99"),
    );
    fs::write(&path, tests).expect("it can be written");
    let path = path.display().to_string();
    let said = say(&["force", &path]);
    assert_eq!(said.code, Some(1), "{}{}", said.out, said.err);
    for words in [
        "ok    early: infeasible",
        "ok    idle: infeasible",
        "FAIL  nobody: infeasible, but it names something that does not exist",
        "tests.yaml:7:3: nothing in the program is named `main/thread99`; use one of helper, main",
        "FAIL  end: unknown, expected feasible",
        "tests.yaml:8:3: `disconnect on main/channel1` is done by no thread",
    ] {
        assert!(said.out.contains(words), "{words:?} is not said: {}", said.out);
    }
    // Then the names of all threads are not known, nor the names of their events.
    let bounded = json(&["force", &path, "--test", "early", "--max-executions", "1", "--format", "json"], 1);
    assert_eq!(bounded["programs"][0]["tests"][0]["verdict"], "unknown");
}

/// Steps in a partial order can be done in some order that agrees with it, or in none.
#[test]
fn steps_need_not_come_one_after_the_other() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("tests.yaml");
    let test = |name: &str, capacity: u32, first: u32, expect: &str| {
        format!(
            "- name: {name}\n  input: {{capacity: {capacity}}}\n  sequence: [deposit, deposit, deposit, \
             {{event: withdraw, after: {first}}}, withdraw, {{event: withdraw, after: [3, 5]}}]\n  expect: {expect}\n"
        )
    };
    let tests = format!(
        "insyn: tests\nversion: 1\nprogram: tests::buffer\ntests:\n{}{}{}",
        test("loose", 1, 1, "{termination: normal, output: [A, B, C]}"),
        test("full", 2, 3, "infeasible"),
        test("tight", 1, 2, "infeasible"),
    );
    fs::write(&path, tests).expect("it can be written");
    let said = say(&["force", &path.display().to_string(), "--spec", "buffer/spec.yaml"]);
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    for words in [
        "ok    loose: feasible",
        "step 3, `deposit` (",
        "in none of 3 orders; in the one that comes furthest, step 2, `deposit` (",
    ] {
        assert!(said.out.contains(words), "{words:?} is not said: {}", said.out);
    }
}

#[test]
fn a_guard_that_is_too_strong_makes_valid_sequences_infeasible() {
    let program = &json(&["check", "timid_buffer", "--format", "json"], 1)["programs"][0];
    assert_eq!((&program["feasible_valid"], &program["infeasible_valid"]), (&1.into(), &3.into()));
    let missing = program["comparison"]["missing"][0]["why"].as_str().expect("a text");
    assert!(missing.starts_with("step 2, `deposit`, cannot happen"), "{missing}");
}

#[test]
fn plain_tests_judge_too() {
    let tmp = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut command = Command::new(env!("CARGO"));
    command.args([
        "test",
        "--quiet",
        "--tests",
        "--features",
        "insyn/instrument,insyn/specs",
        "--",
        "buffer",
        "needs_an_input",
    ]);
    command.current_dir(fixture()).env("CARGO_TARGET_DIR", tmp.parent().expect("the target directory"));
    command.env_remove("CARGO_MANIFEST_DIR").env_remove("CARGO_PKG_NAME");
    let output = command.output().expect("it runs");
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(!output.status.success(), "{out}");
    for words in [
        "1 passed; 3 failed",
        "fixture::tests::overfull_buffer: 5 sequences in 5 executions",
        "`deposit` may happen only when full < capacity",
        "FAIL  three deposits into two slots: feasible, expected infeasible",
        "synchronization failure, valid but infeasible: 3",
        "step 2, `deposit`, cannot happen",
        "needs an input",
    ] {
        assert!(out.contains(words), "{words:?} is not said: {out}");
    }
    // They all fail at their own places, and not somewhere inside insyn.
    let places: Vec<&str> = out.lines().filter(|line| line.contains(" panicked at ")).collect();
    assert_eq!(places.len(), 3, "{places:?}");
    assert!(places.iter().all(|line| line.contains("panicked at src/lib.rs:")), "{places:?}");
}

#[test]
fn recorded_sequences_can_be_forced() {
    let directory = tempfile::tempdir().expect("a directory");
    for (program, tests, spec) in
        [("tests::buffer", 4, Some("fixture/buffer/spec.yaml")), ("tests::fan_in", 6, None)]
    {
        let path = directory.path().join(format!("{}.yaml", program.replace("::", ".")));
        let path = path.display().to_string();
        let said = say(&["record", program, "--out", &path]);
        assert_eq!(said.code, Some(0), "{}", said.err);
        assert!(said.out.contains(&format!("{tests} tests, all there are")), "{}", said.out);
        let text = fs::read_to_string(&path).expect("it was written");
        let named = text.lines().find_map(|line| line.strip_prefix("spec: "));
        assert_eq!(named.is_some(), spec.is_some(), "{text}");
        if let (Some(named), Some(spec)) = (named, spec) {
            let found = directory.path().join(named.trim_matches('"')).canonicalize().expect("it is there");
            assert!(found.ends_with(spec), "{named}");
        }
        refused(&["record", program, "--out", &path], 2, &["exists already"]);
        let forced = &json(&["force", &path, "--format", "json"], 0)["programs"][0];
        assert_eq!(forced["tests"].as_array().map(Vec::len), Some(tests));
        let one = json(&["force", &path, "--test", "sequence 2", "--format", "json"], 0);
        assert_eq!(one["programs"][0]["tests"][0]["name"], "sequence 2");
    }
}

#[test]
fn what_cannot_be_checked_is_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = |name: &str, text: &str| {
        let path = directory.path().join(name);
        fs::write(&path, text).expect("it can be written");
        path.display().to_string()
    };
    refused(&["check", "panics"], 2, &["nothing to check", "--spec"]);
    refused(&["check", "tests::buffer", "--spec", "nowhere.yaml"], 2, &["nowhere.yaml cannot be read"]);
    let spec = file("spec.yaml", "insyn: spec\nversion: 1\nevents:\n  d: {match: {entri: d}}\n");
    refused(&["check", "tests::buffer", "--spec", &spec], 2, &["spec.yaml:4:15", "did you mean `entry`?"]);
    refused(&["check", "tests::buffer", "--input", "{capacity: two}"], 2, &["--input:1:12"]);
    refused(
        &["force", "buffer/tests.yaml", "--test", "x"],
        2,
        &["no test `x`", "three deposits into two slots"],
    );
    let tests = |program: &str, test: &str| {
        file("tests.yaml", &format!("insyn: tests\nversion: 1\n{program}tests:\n- {{name: a, {test}}}\n"))
    };
    refused(&["force", &tests("", "sequence: []")], 2, &["--program"]);
    let of = "program: tests::buffer\n";
    refused(&["force", &tests(of, "sequence: [deposi]")], 2, &["tests.yaml:5:24", "did you mean `deposit`?"]);
    let wrong = tests(of, "sequence: [], input: {slots: 2}");
    refused(&["force", &wrong], 2, &["tests.yaml:5:35", "test `a`", "unknown field `slots`"]);
}

#[test]
fn a_crate_that_does_not_compile_shows_the_compilers_errors() {
    refused(&["list", "--features", "broken"], 3, &["error[E0308]", "src/lib.rs:5", "the build failed"]);
}

/// A module in a file of its own is rebuilt when that file has changed.
#[test]
fn a_file_that_was_read_is_read_again() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reread");
    let manifest = include_str!("reckless/Cargo.toml").replace("reckless", "reread");
    support::copy_crate(&root, &[], &manifest, &root);
    support::place(
        &root.join("src/lib.rs"),
        "#[insyn::instrument(path = \"server.rs\")]
        pub mod server {}
        #[insyn::test]
        fn serve() -> usize {
            server::serve()
        }",
    );
    for (clients, sequences) in [(2, 2), (3, 6)] {
        let server = "pub fn serve() -> usize {
            let (sender, receiver) = std::sync::mpsc::channel();
            for client in 0..CLIENTS {
                let sender = sender.clone();
                std::thread::spawn(move || sender.send(client));
            }
            drop(sender);
            receiver.iter().count()
        }";
        support::place(&root.join("src/server.rs"), &server.replace("CLIENTS", &clients.to_string()));
        let explored = support::json(&root, &["explore", "--format", "json"], 0);
        assert_eq!(explored["programs"][0]["sequences"], sequences, "{explored}");
    }
}
