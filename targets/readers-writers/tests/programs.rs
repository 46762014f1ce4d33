//! Everybody reads or writes once. A program's output is what each reader read: how many had written by then.

use readers_writers::monitor_sc::MonitorSc;
use readers_writers::monitor_su::MonitorSu;
use readers_writers::select::Server;
use readers_writers::semaphores::Semaphores;
use readers_writers::{Access, Preference};
use serde::Deserialize;

/// How many read and write, and who goes first.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    readers: u32,
    writers: u32,
    /// If nobody says, it is what it is in the papers.
    preference: Option<Preferred>,
}

impl Default for Config {
    fn default() -> Self {
        Config { readers: 2, writers: 2, preference: None }
    }
}

/// [`Preference`] as an input.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Preferred {
    Readers,
    Writers,
    Neither,
}

impl Config {
    fn preference(self, in_the_papers: Preference) -> Preference {
        match self.preference {
            None => in_the_papers,
            Some(Preferred::Readers) => Preference::Readers,
            Some(Preferred::Writers) => Preference::Writers,
            Some(Preferred::Neither) => Preference::Neither,
        }
    }
}

/// What is read and written, and how many are at it. It is a real mutex, and no part of a sequence: who is inside is up
/// to the solution alone.
#[derive(Default)]
struct Data(std::sync::Mutex<Inside>);

#[derive(Default)]
struct Inside {
    readers: i32,
    writers: i32,
    written: u32,
}

impl Data {
    /// Readers and writers come or go.
    fn change(&self, readers: i32, writers: i32) {
        let mut inside = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        inside.readers += readers;
        inside.writers += writers;
        let alone = inside.writers == 0 || (inside.writers == 1 && inside.readers == 0);
        assert!(alone, "{} writers and {} readers at a time", inside.writers, inside.readers);
    }

    fn write(&self) {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).written += 1;
    }

    fn read(&self) -> u32 {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).written
    }
}

/// Starts all readers, then all writers. Others get the chance to come in while somebody is inside.
#[insyn::instrument]
fn read_and_write(config: Config, access: &impl Access) -> Vec<u32> {
    let data = &Data::default();
    let read = || {
        access.start_read();
        insyn::label!("start_read");
        data.change(1, 0);
        std::thread::yield_now();
        let seen = data.read();
        data.change(-1, 0);
        insyn::label!("end_read");
        access.end_read();
        seen
    };
    let write = || {
        access.start_write();
        insyn::label!("start_write");
        data.change(0, 1);
        std::thread::yield_now();
        data.write();
        data.change(0, -1);
        insyn::label!("end_write");
        access.end_write();
    };
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..config.readers).map(|_| scope.spawn(read)).collect();
        for _ in 0..config.writers {
            scope.spawn(write);
        }
        readers.into_iter().map(|reader| reader.join().expect("nobody is in the way")).collect()
    })
}

#[insyn::test(spec = "specs/readers_writers.yaml", tests = "specs/readers_writers.tests.yaml")]
fn select(config: Config) -> Vec<u32> {
    let server = Server::start(config.preference(Preference::Neither));
    let read = read_and_write(config, &server);
    server.stop();
    read
}

#[insyn::test(spec = "specs/readers_writers.yaml", tests = "specs/readers_writers.tests.yaml")]
fn semaphores(config: Config) -> Vec<u32> {
    read_and_write(config, &Semaphores::new(config.preference(Preference::Readers)))
}

#[insyn::test(spec = "specs/readers_writers.yaml", tests = "specs/readers_writers.tests.yaml")]
fn monitor_su(config: Config) -> Vec<u32> {
    read_and_write(config, &MonitorSu::new(config.preference(Preference::Readers)))
}

#[insyn::test(spec = "specs/readers_writers.yaml", tests = "specs/readers_writers.tests.yaml")]
fn monitor_sc(config: Config) -> Vec<u32> {
    read_and_write(config, &MonitorSc::new(config.preference(Preference::Readers)))
}

mod checks {
    #[test]
    fn counts_are_as_expected() {
        target_checks::counts(env!("CARGO_MANIFEST_DIR"));
    }

    #[test]
    fn verdicts_are_as_expected() {
        target_checks::verdicts(env!("CARGO_MANIFEST_DIR"), &[]);
    }

    /// What a preference forbids is infeasible, and feasible where another is chosen.
    #[test]
    fn preferences_forbid_what_others_allow() {
        let force = |program: &str, file: &str| {
            let forced =
                target_checks::executions(env!("CARGO_MANIFEST_DIR"), program, &format!("specs/{file}"));
            assert!(!forced.is_empty(), "{program}: {file} has no tests");
        };
        for program in ["semaphores", "monitor_su", "monitor_sc"] {
            force(program, "preference.tests.yaml");
        }
        for program in ["semaphores", "monitor_su"] {
            force(program, "turns.tests.yaml");
        }
        force("monitor_sc", "no_preference.tests.yaml");
        force("select", "server.tests.yaml");
    }

    /// One sequence of a program that has more than 20,000 is found in a few executions. That none is what another test
    /// says takes an exploration, which serves all others; then a few executions show what stands in the way.
    #[test]
    fn a_sequence_of_many_is_found_at_once() {
        const FEW: u64 = 12;
        let file = "specs/many_sequences.tests.yaml";
        for (test, executions) in target_checks::executions(env!("CARGO_MANIFEST_DIR"), "semaphores", file) {
            let before = if test.starts_with("before all is known") { 256 + 4 } else { 0 };
            assert!(executions <= before + FEW, "{test}: {executions} executions");
        }
    }
}
