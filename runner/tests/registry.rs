//! Crates from the registry, unchanged except for the annotation: they compile, their own tests pass with the feature off
//! and on, and a scenario of each is explored.
//!
//! No copy of them is kept here. Cargo reports where their sources are, and [`annotate`] changes a copy: a dependency in the
//! manifest, one macro around the items of `lib.rs`, and a file of programs beside their own tests.
//!
//! A scenario is modelled on a test of the crate rather than being that test: the tests have four threads and more jobs, or
//! poll, so that there are too many sequences to explore, or infinitely many.

#[allow(dead_code, reason = "other tests use the rest")]
mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cargo_metadata::MetadataCommand;
use serde_json::Value;
use support::{lock, place, workspace};

/// A crate of the registry, and what is checked about it.
struct Subject {
    name: &'static str,
    version: &'static str,
    /// A test in the file `tests/explored.rs` of the copy, modelled on one of the crate's own.
    scenario: &'static str,
    /// How many sequences the scenario has.
    sequences: u64,
}

/// Modelled on its tests of leaving and of full buses: two readers take the only seat, and the writer wants it back.
///
/// No read and no write in it has to wait. To wait, `bus` polls several objects between turns of a foreign `SpinWait`, and
/// there would be a behaviour for every number of turns.
const BUS: Subject = Subject {
    name: "bus",
    version: "2.4.1",
    scenario: r"
extern crate bus;
extern crate insyn;

#[insyn::test]
fn scenario() -> bool {
    let mut bus = bus::Bus::new(1);
    let mut first = bus.add_rx();
    let mut second = bus.add_rx();
    assert_eq!(bus.try_broadcast(1), Ok(()));
    let reader = std::thread::spawn(move || assert_eq!(first.recv(), Ok(1)));
    assert_eq!(second.recv(), Ok(1));
    let again = bus.try_broadcast(2).is_ok();
    reader.join().unwrap();
    again
}
",
    sequences: 8,
};

/// Modelled on its test of jobs that send: two workers, two jobs. The test itself has four of each.
const THREADPOOL: Subject = Subject {
    name: "threadpool",
    version: "1.8.1",
    scenario: r"
extern crate insyn;
extern crate threadpool;

#[insyn::test]
fn scenario() -> u32 {
    let pool = threadpool::ThreadPool::new(2);
    let (done, results) = std::sync::mpsc::channel();
    for _ in 0..2 {
        let done = done.clone();
        pool.execute(move || done.send(1).unwrap());
    }
    let sum = results.iter().take(2).sum();
    assert_eq!(sum, 2);
    sum
}
",
    sequences: 7728,
};

/// Modelled on its smoke test: two workers, two borrowed items, once. The test itself has four workers, five items, six times.
const SCOPED_THREADPOOL: Subject = Subject {
    name: "scoped_threadpool",
    version: "0.1.9",
    scenario: r"
extern crate insyn;
extern crate scoped_threadpool;

#[insyn::test]
fn scenario() -> Vec<u32> {
    let mut pool = scoped_threadpool::Pool::new(2);
    let mut items = vec![1, 2];
    pool.scoped(|scope| {
        for item in &mut items {
            scope.execute(move || *item += 10);
        }
    });
    assert_eq!(items, [11, 12]);
    items
}
",
    sequences: 32,
};

#[test]
#[ignore = "its tests depend on time: run with --run-ignored"]
fn bus_passes_its_tests_with_the_switch_off() {
    passes_its_tests(&BUS, &[]);
}

#[test]
#[ignore = "its tests depend on time: run with --run-ignored"]
fn bus_passes_its_tests_with_the_switch_on() {
    passes_its_tests(&BUS, ON);
}

#[test]
fn bus_is_explored() {
    is_explored(&BUS);
}

#[test]
#[ignore = "builds the crate once more without the switch: run with --run-ignored"]
fn threadpool_passes_its_tests_with_the_switch_off() {
    passes_its_tests(&THREADPOOL, &[]);
}

#[test]
#[ignore = "its tests sleep for 23 s, and give threads 1 s to start: run with --run-ignored"]
fn threadpool_passes_its_tests_with_the_switch_on() {
    passes_its_tests(&THREADPOOL, ON);
}

#[test]
fn threadpool_is_explored() {
    is_explored(&THREADPOOL);
}

#[test]
#[ignore = "builds the crate once more without the switch: run with --run-ignored"]
fn scoped_threadpool_passes_its_tests_with_the_switch_off() {
    passes_its_tests(&SCOPED_THREADPOOL, &[]);
}

#[test]
fn scoped_threadpool_passes_its_tests_with_the_switch_on() {
    passes_its_tests(&SCOPED_THREADPOOL, ON);
}

#[test]
fn scoped_threadpool_is_explored() {
    is_explored(&SCOPED_THREADPOOL);
}

/// Turns the feature on.
const ON: &[&str] = &["--features", "insyn/instrument"];

/// All tests of the crate, those in its documentation and the scenario included.
#[track_caller]
fn passes_its_tests(subject: &Subject, switch: &[&str]) {
    let mut cargo = Command::new(env!("CARGO"));
    // Many of these tests do nothing but sleep.
    cargo.arg("test").args(switch).env("RUST_TEST_THREADS", "8");
    let (passed, out) = run(&mut cargo, &annotated(subject));
    assert!(passed, "{out}");
    assert!(out.contains("test scenario ... ok"), "the scenario was not run: {out}");
}

/// The scenario has this many sequences, all of which end normally, with one worker and with two.
#[track_caller]
fn is_explored(subject: &Subject) {
    let package = annotated(subject);
    for workers in ["1", "2"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-insyn"));
        command.args(["insyn", "explore", "scenario", "--format", "json", "--workers", workers]);
        let (passed, out) = run(&mut command, &package);
        assert!(passed, "{out}");
        let document: Value = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}"));
        let program = &document["programs"][0];
        assert_eq!(program["package"], subject.name);
        assert_eq!(program["complete"], true, "{out}");
        assert_eq!(program["sequences"], subject.sequences, "{workers} workers");
        assert_eq!(program["terminations"]["normal"], subject.sequences, "{workers} workers");
    }
}

/// Runs it in the directory; returns whether it succeeded and its output; standard error only if it failed.
fn run(command: &mut Command, directory: &Path) -> (bool, String) {
    // In this workspace's target directory, so that shared dependencies are built once.
    command.env("CARGO_TARGET_DIR", tmp().parent().expect("the target directory"));
    // The variables of this package are not those of the copy.
    command.env_remove("CARGO_MANIFEST_DIR").env_remove("CARGO_PKG_NAME");
    let output = command.current_dir(directory).output().expect("it runs");
    let mut said = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        said.push_str(&String::from_utf8_lossy(&output.stderr));
    }
    (output.status.success(), said)
}

/// The directory of the annotated copy.
fn annotated(subject: &Subject) -> PathBuf {
    let original = original(subject);
    let copy = tmp().join("registry").join(subject.name);
    copy_files(&original, &copy, &|path, text| annotate(path, text));
    place(&copy.join("tests/explored.rs"), subject.scenario);
    lock(&copy);
    copy
}

/// A file of the package as it is in the copy.
fn annotate(path: &Path, text: String) -> String {
    if path == Path::new("Cargo.toml") {
        let runtime = workspace().join("runtime");
        return format!("{text}\n[dependencies.insyn]\npath = {runtime:?}\n\n[workspace]\n");
    }
    if path == Path::new("src/lib.rs") {
        // Inner attributes and comments stay in front; everything else goes into the macro.
        let in_front = |line: &&str| {
            let is_comment = line.starts_with("//") && !line.starts_with("///");
            is_comment || line.starts_with("#![") || line.trim().is_empty()
        };
        let front: usize = text.split_inclusive('\n').take_while(in_front).map(str::len).sum();
        let (front, items) = text.split_at(front);
        return format!("{front}extern crate insyn;\ninsyn::instrumented! {{\n{items}}}\n");
    }
    text
}

/// Where cargo has the sources of the crate.
fn original(subject: &Subject) -> PathBuf {
    let (name, version) = (subject.name, subject.version);
    let asking = tmp().join("registry").join(format!("asks-for-{name}"));
    place(
        &asking.join("Cargo.toml"),
        &format!(
            "[package]\nname = \"asks\"\nedition = \"2024\"\n\n[dependencies]\n{name} = \"={version}\"\n\n[workspace]\n"
        ),
    );
    place(&asking.join("src/lib.rs"), "");
    lock(&asking);
    let metadata = MetadataCommand::new().cargo_path(env!("CARGO")).current_dir(&asking).exec();
    let metadata = metadata.unwrap_or_else(|error| {
        panic!("cargo cannot get {name} {version}; this test needs the registry: {error}")
    });
    let package = metadata.packages.iter().find(|package| package.name.as_str() == name);
    let manifest = &package.expect("it was asked for").manifest_path;
    manifest.parent().expect("a directory").into()
}

/// Copies the manifest and all Rust files under the directory, each as `change` makes it.
fn copy_files(from: &Path, to: &Path, change: &dyn Fn(&Path, String) -> String) {
    let mut directories = vec![from.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(&directory).expect("it can be read") {
            let path = entry.expect("it can be read").path();
            let inside = path.strip_prefix(from).expect("it is inside");
            if path.is_dir() {
                directories.push(path);
            } else if inside == Path::new("Cargo.toml") || path.extension().is_some_and(|end| end == "rs") {
                let text = fs::read_to_string(&path).expect("it can be read");
                place(&to.join(inside), &change(inside, text));
            }
        }
    }
}

fn tmp() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}
