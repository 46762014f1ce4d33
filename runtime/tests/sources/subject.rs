//! The crate that other people's code is compiled in, under `#[insyn::instrument]`, to be run in every behaviour that it has.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use serde_json::Value;

/// The parts of the crate that differ between its users.
pub(crate) struct Subject {
    pub(crate) name: &'static str,
    pub(crate) edition: &'static str,
    /// How much the compiler optimizes, which is worth it for long explorations.
    pub(crate) opt_level: u8,
    /// Beside the modules.
    pub(crate) support: &'static str,
}

/// A module of the crate.
pub(crate) struct Module {
    pub(crate) code: String,
    pub(crate) programs: Vec<Program>,
}

/// A function that is explored.
pub(crate) struct Program {
    /// No other has the same.
    pub(crate) name: String,
    /// Its path in the module.
    pub(crate) function: String,
    pub(crate) should_panic: bool,
    /// It has infinitely many behaviours, and is stopped after this many steps.
    pub(crate) endless: Option<u64>,
}

/// The result of a program.
pub(crate) enum Verdict {
    /// All its behaviours end as they should.
    Holds { sequences: u64 },
    /// It has infinitely many behaviours, and all that end within some steps end as they should.
    Endless { sequences: u64 },
    /// Some behaviours do not.
    Fails { sequences: u64, failing: u64, how: String },
    /// Its module does not compile.
    Refused { message: String },
}

/// A program with more behaviours than this is to be made smaller.
const MOST: u64 = 20_000;

const MANIFEST: &str = r#"
[package]
name = "{name}"
edition = "{edition}"

[dependencies]
crossbeam-channel = "0.5"
insyn = { path = {runtime}, features = ["instrument"] }

[profile.dev]
opt-level = {opt_level}

[workspace]
"#;

/// Runs a program in all its behaviours, and prints the result in one line. With an argument, only those whose name contains
/// it.
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

fn explored<R: Ends + 'static>(number: usize, name: &str, should_panic: bool, steps: u64, main: fn() -> R) {
    if std::env::args().nth(1).is_some_and(|part| !name.contains(&part)) {
        return;
    }
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

/// Explores all programs of some modules.
pub(crate) fn explore(subject: &Subject, modules: &[Module]) -> BTreeMap<String, Verdict> {
    let mut verdicts = BTreeMap::new();
    let mut left: BTreeSet<usize> = (0..modules.len()).collect();
    // The compiler does not see all errors at once.
    let package = loop {
        let (package, places) = write(subject, modules, &left);
        let refused = refused(&package, &places);
        if refused.is_empty() {
            break package;
        }
        for (number, message) in refused {
            left.remove(&number);
            for program in &modules[number].programs {
                let message = message.clone();
                verdicts.insert(program.name.clone(), Verdict::Refused { message });
            }
        }
    };
    let output = cargo(&package, "run").output().expect("cargo runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let programs: Vec<&Program> = modules.iter().flat_map(|module| &module.programs).collect();
    for line in said.lines().filter_map(|line| line.strip_prefix("VERDICT\t")) {
        let mut parts = line.splitn(4, '\t');
        let mut part = || parts.next().expect("four parts");
        let mut number = || part().parse::<u64>().expect("a number");
        let (program, sequences, failing) = (number(), number(), number());
        let how = part().to_owned();
        let Program { name, endless, .. } = programs[usize::try_from(program).expect("it is small")];
        let verdict = match (failing == 0 && how.is_empty(), endless) {
            (true, None) => Verdict::Holds { sequences },
            (true, Some(_)) => Verdict::Endless { sequences },
            (false, _) => Verdict::Fails { sequences, failing, how },
        };
        verdicts.insert(name.clone(), verdict);
    }
    verdicts
}

/// Writes the crate, and says at which lines each module is.
fn write(
    subject: &Subject,
    modules: &[Module],
    left: &BTreeSet<usize>,
) -> (PathBuf, BTreeMap<usize, Range<usize>>) {
    let Subject { name, edition, opt_level, support } = subject;
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let mut text = HARNESS.replace("{most}", &MOST.to_string()) + support;
    let mut places = BTreeMap::new();
    let mut calls = String::new();
    let mut count = 0;
    for (number, Module { code, programs }) in modules.iter().enumerate() {
        let first = count;
        count += programs.len();
        if !left.contains(&number) {
            continue;
        }
        let code: String =
            code.lines().filter(|line| !line.starts_with("#![")).map(|line| format!("{line}\n")).collect();
        let start = 1 + text.lines().count();
        _ = writeln!(text, "#[insyn::instrument]\nmod e{number} {{\n{code}\n}}");
        places.insert(number, start..text.lines().count() + 1);
        for (program, Program { name, function, should_panic, endless }) in (first..).zip(programs) {
            let steps = endless.unwrap_or(0);
            _ = writeln!(
                calls,
                "    explored({program}, {name:?}, {should_panic}, {steps}, e{number}::{function});"
            );
        }
    }
    _ = writeln!(text, "fn main() {{\n{calls}}}");
    let runtime = format!("{:?}", env!("CARGO_MANIFEST_DIR"));
    let manifest = MANIFEST
        .replace("{runtime}", &runtime)
        .replace("{name}", name)
        .replace("{edition}", edition)
        .replace("{opt_level}", &opt_level.to_string());
    fs::create_dir_all(package.join("src")).expect("it can be made");
    fs::write(package.join("Cargo.toml"), manifest).expect("it can be written");
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("Cargo.lock");
    fs::copy(lock, package.join("Cargo.lock")).expect("it can be written");
    fs::write(package.join("src/main.rs"), text).expect("it can be written");
    (package, places)
}

/// The modules that do not compile, with the first error of each.
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

/// Where cargo has the sources of crossbeam's channels, and their version.
pub(crate) fn crossbeam() -> (PathBuf, String) {
    let metadata =
        cargo_metadata::MetadataCommand::new().cargo_path(env!("CARGO")).exec().expect("cargo runs");
    let package = metadata.packages.iter().find(|package| package.name.as_str() == "crossbeam-channel");
    let package = package.expect("the mirror depends on it");
    let directory = package.manifest_path.parent().expect("it is in a directory");
    (directory.into(), package.version.to_string())
}

/// Compares a document with what it should be; `INSYN_BLESS` rewrites it.
pub(crate) fn same_document(name: &str, text: &str) {
    let file = document(name);
    if env::var_os("INSYN_BLESS").is_some() {
        fs::write(&file, text).expect("it can be written");
    }
    let is = fs::read_to_string(&file).unwrap_or_default();
    let differing = is.lines().zip(text.lines()).find(|(is, should)| is != should);
    assert!(is == text, "docs/{name} is out of date: run this test with INSYN_BLESS=1; {differing:?}");
}

/// Where a document is.
pub(crate) fn document(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").join("docs").join(name)
}
