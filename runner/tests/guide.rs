//! The guide, followed step by step: the commands print what it shows.

#[allow(dead_code, reason = "other tests use the rest")]
mod documents;
#[allow(dead_code, reason = "other tests use the rest")]
mod support;

use std::fs;
use std::path::Path;
use std::process::Command;

use documents::{blocks, is_shown, shown, words, workspace};
use support::{copy_target, say};

fn guide() -> String {
    fs::read_to_string(workspace().join("docs/guide.md")).expect("it is there")
}

/// The target directory has another name here than for a reader of the guide.
fn as_in_the_guide(text: &str) -> String {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target directory");
    text.replace(&target.display().to_string(), "target")
}

#[track_caller]
fn assert_shown(command: &str, output: &[&str], text: &str) {
    let text = as_in_the_guide(text);
    let said: Vec<&str> = text.lines().collect();
    let output: Vec<&str> = output.to_vec();
    assert!(is_shown(&output, &said), "`{command}` is not as in the guide, but:\n{text}");
}

/// Sections 1 and 2: a crate is set up, has a bug, and the bug is fixed.
#[test]
fn the_bank_goes_as_the_guide_says() {
    let directory = tempfile::tempdir().expect("a directory");
    let root = directory.path().join("bank");
    let new = ["new", "--quiet", "--vcs", "none", "--lib", "bank"];
    let made = Command::new(env!("CARGO")).current_dir(directory.path()).args(new).status();
    assert!(made.expect("cargo runs").success());
    support::lock(&root);
    let guide = guide();
    let blocks = blocks(&guide);
    let code: Vec<String> =
        blocks.iter().filter(|(language, _)| *language == "rust,ignore").map(|it| it.1.join("\n")).collect();
    let [accounts, tests, ..] = code.as_slice() else { panic!("the guide has a bank") };
    let faulty = format!("{accounts}\n\n{tests}\n");
    let two_lines = "let balance = *account.lock().unwrap();
                    *account.lock().unwrap() = balance + 1;";
    let right = faulty.replace(two_lines, "*account.lock().unwrap() += 1;");
    assert_ne!(right, faulty);
    let commands: Vec<_> =
        blocks.iter().filter(|it| it.0 == "console").flat_map(|it| shown(&it.1)).take(4).collect();
    let names: Vec<&str> = commands.iter().map(|(command, _)| *command).collect();
    assert_eq!(names, ["init", "explore", "explore payments", "explore payments"]);
    for (n, (command, output)) in commands.iter().enumerate() {
        match n {
            2 => {
                fs::write(root.join("src/lib.rs"), &faulty).expect("it can be written");
                let manifest = fs::read_to_string(root.join("Cargo.toml")).expect("it is there");
                let manifest = manifest + "serde = { version = \"1\", features = [\"derive\"] }\n";
                assert!(manifest.contains("[dev-dependencies]\ninsyn"), "{manifest}");
                fs::write(root.join("Cargo.toml"), manifest).expect("it can be written");
            }
            3 => fs::write(root.join("src/lib.rs"), &right).expect("it can be written"),
            _ => {}
        }
        let args = words(command);
        let said = say(&root, &args.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(said.code, Some(i32::from(n == 2)), "{}{}", said.out, said.err);
        assert_shown(command, output, &said.out);
    }
}

/// The commands on the textbook's buffer except for campaigns, on a copy of it.
#[test]
fn the_buffer_goes_as_the_guide_says() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("guide/textbook-buffer");
    copy_target("textbook-buffer", "textbook-buffer", &root);
    let guide = guide();
    let mut tried = Vec::new();
    for (command, output) in blocks(&guide).iter().flat_map(|it| shown(&it.1)) {
        let is_campaign = ["mutate", "report", "merge"].iter().any(|word| command.starts_with(word));
        if !command.contains("textbook-buffer") || is_campaign {
            continue;
        }
        // The copy represents the whole repository.
        let place = "targets/textbook-buffer/";
        let args = words(&command.replace(place, ""));
        let said = say(&root, &args.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(said.code, Some(0), "{command}: {}{}", said.out, said.err);
        let output: Vec<String> = output.iter().map(|line| line.replace(place, "")).collect();
        assert_shown(command, &output.iter().map(String::as_str).collect::<Vec<_>>(), &said.out);
        tried.push(args[0].clone());
    }
    assert_eq!(tried, ["list", "events", "spec", "spec", "check", "force", "suggest", "record", "mutants"]);
}

/// The exploration of section 3, on a copy of the bounded buffer: the papers' 12.
#[test]
fn the_bounded_buffer_is_explored_as_the_guide_says() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("guide/bounded-buffer");
    copy_target("bounded-buffer", "bounded-buffer", &root);
    let guide = guide();
    let blocks = blocks(&guide);
    let command = "explore -p bounded-buffer semaphores --input '{producers: 2, consumers: 2, slots: 2}'";
    let shown = blocks.iter().flat_map(|it| shown(&it.1)).find(|it| it.0 == command);
    let (_, output) = shown.expect("the guide shows it");
    let args = words(command);
    let said = say(&root, &args.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    assert!(said.out.contains(" 12 "), "{}", said.out);
    assert_shown(command, &output, &said.out);
}

/// The output of campaigns and checks of targets is committed, and compared by other tests.
#[test]
fn the_results_in_the_guide_are_those_that_are_committed() {
    let golden = |file: &str| fs::read_to_string(workspace().join("reports/golden").join(file)).expect(file);
    let guide = guide();
    let blocks = blocks(&guide);
    let shown: Vec<_> = blocks.iter().flat_map(|it| shown(&it.1)).collect();
    let find = |command: &str| shown.iter().find(|it| it.0 == command).unwrap_or_else(|| panic!("{command}"));
    let (command, output) = find("mutate -p textbook-buffer buffer");
    let (summary, rest) = output.split_at(output.len() - 2);
    assert_shown(command, summary, &format!("{}\n", golden("textbook-buffer/summary.txt")));
    assert!(rest[0].starts_with("builds: "), "{rest:?}");
    assert_eq!(rest[1], "report: target/insyn/mutate/textbook-buffer/report.html");
    let (command, output) = find("report --format markdown");
    assert_shown(command, output, &golden("textbook-buffer/summary.md"));
    let (command, output) = find("check -p bounded-buffer faulty");
    let checks = golden("bounded-buffer/check.txt");
    let check = checks.split("\n\n").position(|part| part.starts_with("faulty: ")).expect("it is checked");
    let check: Vec<&str> = checks.split("\n\n").skip(check).collect();
    assert_shown(command, output, &format!("bounded-buffer {}", check.join("\n\n")));
}

#[test]
fn what_is_left_out_may_be_anything() {
    for (shown, said, expected) in [
        (vec!["a", "…"], vec!["a", "b", "c"], true),
        (vec!["a", "…", "c"], vec!["a", "b", "c"], true),
        (vec!["a", "…", "d"], vec!["a", "b", "c"], false),
        (vec!["a"], vec!["a", "b"], false),
        (vec!["a", "b"], vec!["a"], false),
        (vec!["b", "…"], vec!["a", "b"], false),
    ] {
        assert_eq!(is_shown(&shown, &said), expected, "{shown:?} {said:?}");
    }
}
