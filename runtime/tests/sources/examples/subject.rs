//! The crate that all examples are compiled in.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::found::Example;
use super::reasons::{ENDLESS, SMALLER};

/// What came of an example.
pub(crate) enum Verdict {
    /// All its behaviours end as they should.
    Holds { sequences: u64 },
    /// It has no end of behaviours, and all that end within some steps end as they should.
    Endless { sequences: u64 },
    /// Some do not.
    Fails { sequences: u64, failing: u64, how: String },
    /// It does not compile.
    Refused { message: String },
}

/// An example with more behaviours than this is to be made smaller.
const MOST: u64 = 20_000;

/// How many steps an example may do that has no end of behaviours.
const STEPS: u64 = 60;

const MANIFEST: &str = r#"
[package]
name = "documented-examples"
edition = "2024"

[dependencies]
crossbeam-channel = "0.5"
insyn = { path = {runtime}, features = ["instrument"] }

[workspace]
"#;

/// Runs an example in all its behaviours, and says in one line what came of it.
const HARNESS: &str = r#"
#![allow(warnings)]

trait Ends {
    fn end(self);
}

impl Ends for () {
    fn end(self) {}
}

impl<E: std::fmt::Debug> Ends for Result<(), E> {
    fn end(self) {
        self.unwrap()
    }
}

fn explored<R: Ends + 'static>(number: usize, should_panic: bool, steps: u64, main: fn() -> R) {
    let explorer = insyn::Explorer::new().workers(1).ignore_detached(true).max_executions({most});
    let explorer = if steps > 0 { explorer.max_steps(steps) } else { explorer };
    let found = explorer.explore(move || main().end());
    let good = if should_panic { insyn::Termination::Panic } else { insyn::Termination::Normal };
    let cut = if steps > 0 { found.ended(insyn::Termination::StepBound) } else { 0 };
    let is_good = |ended| ended == good || steps > 0 && ended == insyn::Termination::StepBound;
    let first = found.failures.iter().find(|failure| !is_good(failure.termination));
    let how = match found.bound {
        Some(bound) => format!("not all behaviours were run: {bound:?}"),
        None => first.map_or(String::new(), |failure| failure.message.replace('\n', " ")),
    };
    let sequences = found.sequences - cut;
    eprintln!("\nVERDICT\t{number}\t{sequences}\t{}\t{how}", sequences - found.ended(good));
}

"#;

/// Explores them all.
pub(crate) fn explore(examples: &[Example]) -> BTreeMap<String, Verdict> {
    let mut verdicts = BTreeMap::new();
    let mut left: BTreeSet<usize> = (0..examples.len()).collect();
    // The compiler does not see all errors at once.
    let package = loop {
        let (package, places) = write(examples, &left);
        let refused = refused(&package, &places);
        if refused.is_empty() {
            break package;
        }
        for (number, message) in refused {
            left.remove(&number);
            verdicts.insert(examples[number].name.clone(), Verdict::Refused { message });
        }
    };
    let output = cargo(&package, "run").output().expect("cargo runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    for line in said.lines().filter_map(|line| line.strip_prefix("VERDICT\t")) {
        let mut parts = line.splitn(4, '\t');
        let mut part = || parts.next().expect("four parts");
        let mut number = || part().parse::<u64>().expect("a number");
        let (example, sequences, failing) = (number(), number(), number());
        let how = part().to_owned();
        let name = &examples[usize::try_from(example).expect("it is small")].name;
        let verdict = if failing == 0 && how.is_empty() {
            if is_endless(name) { Verdict::Endless { sequences } } else { Verdict::Holds { sequences } }
        } else {
            Verdict::Fails { sequences, failing, how }
        };
        verdicts.insert(name.clone(), verdict);
    }
    verdicts
}

fn is_endless(name: &str) -> bool {
    ENDLESS.iter().any(|(example, _)| *example == name)
}

/// Writes the crate, and says at which lines each example is.
fn write(examples: &[Example], left: &BTreeSet<usize>) -> (PathBuf, BTreeMap<usize, Range<usize>>) {
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("examples");
    let mut text = HARNESS.replace("{most}", &MOST.to_string());
    let mut places = BTreeMap::new();
    let mut calls = String::new();
    for &number in left {
        let Example { name, code, should_panic } = &examples[number];
        let mut code: String =
            code.lines().filter(|line| !line.starts_with("#![")).map(|line| format!("{line}\n")).collect();
        for (_, big, small) in SMALLER.iter().filter(|(example, ..)| example == name) {
            assert!(code.contains(big), "there is no `{big}` in `{name}`");
            code = code.replace(big, small);
        }
        let code = code.replacen("fn main()", "pub fn main()", 1);
        let start = 1 + text.lines().count();
        _ = writeln!(text, "#[insyn::instrument]\nmod e{number} {{\n{code}\n}}");
        places.insert(number, start..text.lines().count() + 1);
        let steps = if is_endless(name) { STEPS } else { 0 };
        _ = writeln!(calls, "    explored({number}, {should_panic}, {steps}, e{number}::main);");
    }
    _ = writeln!(text, "fn main() {{\n{calls}}}");
    let runtime = format!("{:?}", env!("CARGO_MANIFEST_DIR"));
    fs::create_dir_all(package.join("src")).expect("it can be made");
    fs::write(package.join("Cargo.toml"), MANIFEST.replace("{runtime}", &runtime))
        .expect("it can be written");
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("Cargo.lock");
    fs::copy(lock, package.join("Cargo.lock")).expect("it can be written");
    fs::write(package.join("src/main.rs"), text).expect("it can be written");
    (package, places)
}

/// The examples that do not compile, with the first error of each.
fn refused(package: &Path, places: &BTreeMap<usize, Range<usize>>) -> BTreeMap<usize, String> {
    let output = cargo(package, "check").arg("--message-format=json").output().expect("cargo runs");
    let mut refused = BTreeMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(said) = serde_json::from_str::<Value>(line) else { continue };
        if said["message"]["level"] != "error" {
            continue;
        }
        for span in said["message"]["spans"].as_array().into_iter().flatten() {
            let at =
                span["line_start"].as_u64().and_then(|line| usize::try_from(line).ok()).unwrap_or_default();
            if let Some((number, _)) = places.iter().find(|(_, lines)| lines.contains(&at)) {
                let message = said["message"]["rendered"].as_str().unwrap_or_default();
                refused.entry(*number).or_insert_with(|| message.to_owned());
            }
        }
    }
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() || !refused.is_empty(), "{said}");
    refused
}

fn cargo(package: &Path, what: &str) -> Command {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target directory");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args([what, "--quiet"]).current_dir(package).env("CARGO_TARGET_DIR", target).stdin(Stdio::null());
    cargo
}
