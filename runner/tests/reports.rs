//! `cargo insyn report` and `cargo insyn show`: what they print for results, and what they refuse.

#[allow(dead_code, reason = "other tests use the rest")]
mod support;

use std::fs;
use std::path::Path;

use insyn_mutator::Family;
use insyn_reports::document;
use insyn_verdicts::Status;
use insyn_verdicts::campaign::{Campaign, Mutant, VERSION};
use support::Said;
use tempfile::TempDir;

const FORMATS: [&str; 7] = ["text", "html", "json", "stryker", "junit", "markdown", "github"];

/// A campaign of these mutants, counted as the command does.
fn campaign_of(details: Vec<Mutant>) -> Campaign {
    let mut campaign = Campaign { version: VERSION, package: "bank".into(), details, ..Campaign::default() };
    campaign.tally(&Family::ALL.map(Family::name));
    campaign
}

fn campaign() -> Campaign {
    campaign_of(vec![Mutant {
        id: "GBS-5c0d93f1".into(),
        file: "src/lib.rs".into(),
        start: (1, 2),
        end: (1, 3),
        description: "`<` replaced by `<=`".into(),
        status: Status::Survived,
        ..Mutant::default()
    }])
}

/// A directory with these files.
fn directory(files: &[(&str, &str)]) -> TempDir {
    let directory = tempfile::tempdir().expect("it can be made");
    for (name, text) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("it has one")).expect("it can be made");
        fs::write(path, text).expect("it can be written");
    }
    directory
}

/// There is nothing to build, so the target directory must be that of the place itself.
fn insyn(here: &Path, args: &[&str]) -> Said {
    let mut command = support::command(here, args);
    command.env_remove("CARGO_TARGET_DIR");
    support::listen(command)
}

#[track_caller]
fn refused(here: &Path, args: &[&str], words: &[&str]) {
    support::refused(&insyn(here, args), 2, words);
}

#[test]
fn every_format_is_written() {
    let here = directory(&[("results/campaign.json", &document::write(&campaign()))]);
    for format in FORMATS {
        let file = format!("report.{format}");
        let said = insyn(here.path(), &["report", "results", "--format", format, "--out", &file]);
        assert_eq!((said.code, said.out), (Some(0), format!("{file}\n")), "{format}: {}", said.err);
        let text = fs::read_to_string(here.path().join(&file)).expect("it was written");
        assert!(text.contains("GBS-5c0d93f1"), "{format}: {text}");
        assert!(!text.contains('\u{1b}'), "{format}");
    }
    let said = insyn(here.path(), &["report", "results"]);
    assert!(said.out.starts_with("bank: score 0.0 %\n"), "{}", said.out);
    // The file itself is enough, and HTML goes beside it.
    let said = insyn(here.path(), &["report", "results/campaign.json", "--format", "html"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(here.path().join("results/report.html").is_file());
}

#[test]
fn campaigns_without_mutants_have_reports_too() {
    let nothing = campaign_of(Vec::new());
    let here = directory(&[("campaign.json", &document::write(&nothing))]);
    for format in FORMATS {
        let said = insyn(here.path(), &["report", ".", "--format", format]);
        assert_eq!(said.code, Some(0), "{format}: {}", said.err);
    }
}

#[test]
fn the_only_campaign_is_found() {
    let document = document::write(&campaign());
    let manifest = "[package]\nname = \"bank\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n";
    let here = directory(&[("Cargo.toml", manifest), ("src/lib.rs", "")]);
    refused(here.path(), &["report"], &["there are no results in", "cargo insyn mutate"]);
    let results = here.path().join("target/insyn/mutate");
    fs::create_dir_all(results.join("bank")).expect("it can be made");
    fs::write(results.join("bank/campaign.json"), &document).expect("it can be written");
    let said = insyn(here.path(), &["report"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.out.contains("GBS-5c0d93f1"), "{}", said.out);
    // Its program failed before any mutant was run.
    fs::create_dir_all(results.join("failed/programs")).expect("it can be made");
    assert_eq!(insyn(here.path(), &["report"]).code, Some(0));
    fs::create_dir_all(results.join("till")).expect("it can be made");
    fs::write(results.join("till/results.jsonl"), "").expect("it can be written");
    refused(here.path(), &["report"], &["several", "mutate/bank", "mutate/till"]);
}

/// GitHub knows files by their paths in the repository, wherever the package is in it.
#[test]
fn annotations_have_paths_in_the_repository() {
    let document = document::write(&campaign());
    let package = "[package]\nname = \"bank\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    let workspace = "[workspace]\nmembers = [\"crates/bank\"]\nresolver = \"3\"\n";
    let here = directory(&[
        (".git/HEAD", ""),
        ("rust/Cargo.toml", workspace),
        ("rust/crates/bank/Cargo.toml", package),
        ("rust/crates/bank/src/lib.rs", ""),
        ("rust/whole/campaign.json", &document),
    ]);
    let said = insyn(&here.path().join("rust"), &["report", "whole", "--format", "github"]);
    assert!(
        said.out.starts_with("::warning file=rust/crates/bank/src/lib.rs,line=1,"),
        "{}{}",
        said.out,
        said.err
    );
    // Without the package there is nothing to add.
    let said = insyn(here.path(), &["report", "rust/whole", "--format", "github"]);
    assert!(said.out.starts_with("::warning file=src/lib.rs,line=1,"), "{}{}", said.out, said.err);
}

#[test]
fn what_is_no_result_of_a_campaign_is_refused() {
    let whole = document::write(&campaign());
    let here = directory(&[
        ("other/notes.txt", "nothing"),
        ("blank/campaign.json", ""),
        ("partial/campaign.json", &whole[..whole.len() / 2]),
        ("damaged/campaign.json", &whole.replace("\"details\": [", "\"details\": [[")),
        ("newer/campaign.json", &whole.replacen("\"version\": 2", "\"version\": 3", 1)),
    ]);
    fs::create_dir(here.path().join("empty")).expect("it can be made");
    fs::create_dir(here.path().join("binary")).expect("it can be made");
    fs::write(here.path().join("binary/campaign.json"), [0xff, 0xfe, 0]).expect("it can be written");
    for (place, words) in [
        ("empty", "empty is empty"),
        ("other", "other has no campaign.json"),
        ("blank", "campaign.json: it is empty"),
        ("partial", "campaign.json: it is cut off"),
        ("damaged", "campaign.json: line"),
        ("newer", "campaign.json: it has version 3, but only version 2 is supported"),
        ("binary", "campaign.json is damaged"),
        ("nowhere", "nowhere cannot be read"),
    ] {
        refused(here.path(), &["report", place], &[words]);
    }
}

#[test]
fn what_cannot_be_written_is_said() {
    let here = directory(&[("campaign.json", &document::write(&campaign())), ("a file", "")]);
    for out in ["no/such/place.html", "a file/report.html"] {
        refused(here.path(), &["report", ".", "--format", "html", "--out", out], &[out, "cannot be written"]);
    }
    refused(here.path(), &["report", ".", "--out", "."], &["is a directory"]);
    refused(here.path(), &["report", ".", "--open", "--format", "text"], &["only the HTML report"]);
}

/// A directory that no user can write to, not even an administrator.
#[cfg(target_os = "linux")]
#[test]
fn a_read_only_place_is_refused_and_named() {
    let here = directory(&[("campaign.json", &document::write(&campaign())), ("sequence.yaml", SEQUENCE)]);
    for args in [
        ["report", ".", "--format", "html", "--out", "/proc/insyn/report.html"].as_slice(),
        &["report", ".", "--format", "json", "--out", "/proc/report.json"],
        &["merge", ".", "--out", "/proc/insyn"],
        &["show", "sequence.yaml", "--svg", "/proc/sequence.svg"],
    ] {
        refused(here.path(), args, &["/proc/", "cannot be"]);
    }
}

/// The command asks the system to open the report, and notices if the system cannot.
#[cfg(target_os = "linux")]
#[test]
fn the_report_is_opened() {
    use std::os::unix::fs::PermissionsExt;

    let stub = "#!/bin/sh\nprintf '%s' \"$1\" > opened\n";
    let here = directory(&[
        ("campaign.json", &document::write(&campaign())),
        ("bin/xdg-open", stub),
        ("broken/xdg-open", "#!/bin/sh\nexit 3\n"),
    ]);
    for bin in ["bin", "broken"] {
        let path = here.path().join(bin).join("xdg-open");
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("it is ours");
    }
    let open = |bin: &str| {
        let mut command = support::command(here.path(), &["report", ".", "--open"]);
        command.env("PATH", here.path().join(bin));
        support::listen(command)
    };
    let said = open("bin");
    assert_eq!((said.code, said.out.as_str()), (Some(0), "./report.html\n"), "{}", said.err);
    assert_eq!(fs::read_to_string(here.path().join("opened")).expect("it was started"), "./report.html");
    for bin in ["broken", "empty"] {
        support::refused(&open(bin), 2, &["no browser could be started", "open ./report.html yourself"]);
    }
}

const SEQUENCE: &str = "insyn: sequence
version: 1
about:
  program: greeting
processes:
- id: main
  kind: thread
  events:
  - {op: receive, on: main/channel1, from: main/thread1#0, at: src/main.rs:7:9}
- {id: main/channel1, kind: channel}
- id: main/thread1
  kind: thread
  name: greeter
  events:
  - {op: send, on: main/channel1, from: nothing, at: src/main.rs:4:12}
";

#[test]
fn a_sequence_is_drawn() {
    let here = directory(&[("sequence.yaml", SEQUENCE)]);
    let said = insyn(here.path(), &["show", "sequence.yaml", "--svg", "sequence.svg"]);
    let expected = "\
program: greeting

main
│  greeter
│  │
│  ●  1  send channel1                     src/main.rs:4:12
●◀─┤  2  receive channel1, from 1 greeter  src/main.rs:7:9
";
    assert_eq!((said.code, said.out.as_str()), (Some(0), expected), "{}", said.err);
    let svg = fs::read_to_string(here.path().join("sequence.svg")).expect("it was written");
    assert!(svg.starts_with("<svg ") && svg.contains("program: greeting"), "{svg}");
}

/// Notes come from the program: nothing in them affects a terminal, and long ones are cut.
#[test]
fn notes_of_a_sequence_are_harmless() {
    let long = "x".repeat(10_000);
    let note = format!("about:\n  message: \"\\e[31m🦀 'quoted' \\u202eturned {long}\"\n");
    let here = directory(&[("sequence.yaml", &SEQUENCE.replace("about:\n", &note))]);
    let said = insyn(here.path(), &["show", "sequence.yaml"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.out.contains("message: \\u{1b}[31m🦀 'quoted' \\u{202e}turned xxx"), "{}", said.out);
    assert!(said.out.contains("more characters)\n") && said.out.len() < 2_000, "{}", said.out);
}

/// Races are shown too, for a file that contains them.
#[test]
fn a_sequence_is_shown_with_its_races() {
    let races = "races:\n  columns:\n  - {event: main#0, instead: [nothing]}\n  rows:\n  - [1]\n";
    let here = directory(&[("sequence.yaml", &format!("{SEQUENCE}{races}"))]);
    let said = insyn(here.path(), &["show", "sequence.yaml"]);
    let expected = "
What could have been taken instead
2  receive channel1, from 1 greeter: nothing

Variants (a number is taken instead; · as it was; - does not come up)
        [2]
V1  nothing
";
    assert!(said.out.ends_with(expected), "{}{}", said.out, said.err);
}

/// For a sequence with shared variables: its reads and writes with versions, and its RV diagram.
#[test]
fn versions_of_shared_variables_are_shown() {
    let text = "\
insyn: sequence
version: 1
processes:
- id: main
  kind: thread
  events:
  - {op: load, on: main/atomic1, from: nothing}
- id: main/atomic1
  kind: atomic
  name: ready
  events:
  - {op: store, from: main/thread1#0}
- id: main/thread1
  kind: thread
  events:
  - {op: store, on: main/atomic1}
";
    let here = directory(&[("sequence.yaml", text), ("messages.yaml", SEQUENCE)]);
    let said = insyn(here.path(), &["show", "sequence.yaml", "--versions", "--dot", "versions.dot"]);
    let expected = "
Reads and writes of shared variables, with versions
S[main] = (R(ready,0))
S[thread1] = (W(ready,1))

RV diagram
index of (main, thread1), version of (ready)
(0,0) (0)
├─ main: R(ready,0)  (1,0) (0)
│  └─ thread1: W(ready,1)  (1,1) (1)
└─ thread1: W(ready,1)  (0,1) (1)
   └─ main: R(ready,1)  (1,1) (1)  race variant N1
";
    assert!(said.code == Some(0) && said.out.ends_with(expected), "{}{}", said.out, said.err);
    let dot = fs::read_to_string(here.path().join("versions.dot")).expect("it was written");
    assert!(dot.starts_with("digraph"), "{dot}");
    refused(here.path(), &["show", "messages.yaml", "--versions"], &["no shared variable"]);
}

#[test]
fn what_is_no_sequence_is_not_drawn() {
    let circle = "insyn: sequence\nversion: 1\nprocesses:\n- id: main\n  kind: thread\n  events:\n  - {op: join, after: main#0}\n";
    let here = directory(&[
        ("sequence.yaml", SEQUENCE),
        ("empty.yaml", ""),
        ("newer.yaml", &SEQUENCE.replace("version: 1", "version: 9")),
        ("circle.yaml", circle),
    ]);
    for (file, words) in [
        ("empty.yaml", "empty.yaml: "),
        ("newer.yaml", "only version 1 is supported"),
        ("circle.yaml", "circle.yaml: malformed sequence"),
        ("nowhere.yaml", "nowhere.yaml cannot be read"),
    ] {
        refused(here.path(), &["show", file], &[words]);
    }
    refused(here.path(), &["show", "sequence.yaml", "--svg", "no/such/place.svg"], &["cannot be written"]);
}
