//! A test binary that runs one of its programs as a worker process.

mod process;
mod stream;
mod vigil;

use std::io::{self, IsTerminal as _};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use insyn_sequences::harmless;
use insyn_verdicts::protocol::{
    self, Answer, Explored, Journal, LEAST_PATIENCE, Request, STALLED, Stall, VERSION,
};

use crate::disturbance::{self, ATTEMPTS};
use crate::exit::{self, Ended, Exit};
use crate::programs::Program;
use crate::{file, interrupt};
use process::{End, Next, Process};

/// Tries something with a worker. If the worker is disturbed, tries again with another. If every worker was disturbed,
/// returns the last error.
pub(crate) fn persist<T>(mut attempt: impl FnMut() -> Result<T>) -> Result<T> {
    for _ in 1..ATTEMPTS {
        match attempt() {
            Err(error) if exit::disturbance(&error).is_some() => {}
            result => return result,
        }
    }
    attempt()
}

/// How a worker is to be run.
#[derive(Clone, Copy, Debug)]
enum Role<'j> {
    /// For a user, who waits for it.
    Alone,
    /// In a campaign, without mutants; with a journal.
    Original { journal: &'j Path },
    /// For mutants: with a limit on memory (in megabytes), a patience (in seconds), and a journal.
    Mutants { memory: u64, patience: Option<u64>, journal: &'j Path },
}

/// A running worker. Dropping it ends it.
#[derive(Debug)]
pub(crate) struct Worker {
    program: String,
    process: Process,
    /// How the process ended.
    end: Option<End>,
    /// How the mutant stalls, if the worker ended because of that.
    stall: Option<Stall>,
    pub(crate) takes_input: bool,
    /// Whether its attribute names a specification or tests.
    pub(crate) has_oracle: bool,
    /// Whether it is expected to fail, by `#[should_panic]`.
    pub(crate) should_panic: bool,
}

impl Worker {
    /// Starts the binary of a program and waits until it reports that it is ready.
    pub(crate) fn start(program: &Program) -> Result<Worker> {
        Worker::start_as(program, Role::Alone)
    }

    /// As [`start`](Self::start), in a campaign.
    pub(crate) fn start_for_original(program: &Program, journal: &Path) -> Result<Worker> {
        Worker::start_as(program, Role::Original { journal })
    }

    /// As [`start`](Self::start), for mutants.
    pub(crate) fn start_for_mutants(
        program: &Program,
        memory: u64,
        patience: Option<u64>,
        journal: &Path,
    ) -> Result<Worker> {
        Worker::start_as(program, Role::Mutants { memory, patience, journal })
    }

    /// A process that ends before it is ready has not received a request yet; most likely it was killed. So another one is
    /// tried.
    fn start_as(program: &Program, role: Role<'_>) -> Result<Worker> {
        for _ in 1..ATTEMPTS {
            match Worker::start_once(program, role) {
                Err(error) if exit::of(&error) == Exit::WorkerDied => {}
                result => return result,
            }
        }
        Worker::start_once(program, role)
    }

    fn start_once(program: &Program, role: Role<'_>) -> Result<Worker> {
        let binary = &program.binary;
        let mut command = protocol::command(&binary.path, &program.test());
        command
            .current_dir(&binary.root)
            .env("CARGO_MANIFEST_DIR", &binary.root)
            .env("CARGO_PKG_NAME", &binary.package)
            .env("CARGO_PKG_VERSION", &binary.version);
        // A user may pause a worker; a campaign replaces a paused one.
        let (patience, journal) = match role {
            Role::Alone => (None, None),
            Role::Original { journal } => (Some(LEAST_PATIENCE), Some(journal)),
            Role::Mutants { patience, journal, .. } => {
                (Some(patience.unwrap_or(LEAST_PATIENCE)), Some(journal))
            }
        };
        if let Some(journal) = journal {
            file::replace(journal, &Journal::EMPTY)
                .with_context(|| format!("{} cannot be written", journal.display()))?;
            command.env(protocol::JOURNAL, journal);
        }
        let mut hear: fn(&[u8]) = tell_stalled;
        if let Role::Mutants { memory, .. } = role {
            command.env(protocol::MEMORY, memory.to_string());
            // A long backtrace would push the reason of a death out of the last words.
            command.env("RUST_BACKTRACE", "0");
            // A worker whose mutant makes no progress ends, and that is the result: no warning is needed.
            hear = |_| {};
        }
        let process = Process::start(command, hear, patience.map(Duration::from_secs), journal);
        let process = process
            .with_context(|| format!("the test binary {} cannot be started", binary.path.display()))?;
        let program = program.path();
        let mut worker = Worker {
            program,
            process,
            end: None,
            stall: None,
            takes_input: false,
            has_oracle: false,
            should_panic: false,
        };
        match worker.answer()? {
            Answer::Hello { version: VERSION, takes_input, has_oracle, should_panic } => {
                worker.takes_input = takes_input;
                worker.has_oracle = has_oracle;
                worker.should_panic = should_panic;
                worker.process.is_ready();
                Ok(worker)
            }
            other => {
                let theirs = match other {
                    Answer::Hello { version, .. } => format!("version {version}"),
                    _ => "something else".to_owned(),
                };
                let message = format!(
                    "program `{}` was built with another release of insyn: this command speaks version {VERSION} of \
                     its protocol, the program {theirs}; use the same release for both",
                    worker.program
                );
                Err(Ended::new(Exit::Refused, message).into())
            }
        }
    }

    /// Sends a request and waits for the answer; `progress` is called with the number of sequences and executions so far.
    pub(crate) fn ask(&mut self, request: &Request, mut progress: impl FnMut(u64, u64)) -> Result<Answer> {
        self.ask_and_see(request, |found| progress(found.sequences, found.executions))
    }

    /// As [`ask`](Self::ask); `progress` is called with all counts so far, and with each failure once.
    pub(crate) fn ask_and_see(
        &mut self,
        request: &Request,
        mut progress: impl FnMut(Explored),
    ) -> Result<Answer> {
        self.process.ask(serde_json::to_string(request).context("a request cannot be written")?);
        loop {
            match self.answer()? {
                // Workers report their progress many times a second, whatever the program does.
                Answer::Progress(_) if interrupt::happened() => return Err(self.died()),
                Answer::Progress(found) => progress(found),
                Answer::Refused { message } => return Err(Ended::new(Exit::Refused, message).into()),
                answer => return Ok(answer),
            }
        }
    }

    /// The next answer.
    fn answer(&mut self) -> Result<Answer> {
        loop {
            match self.process.next() {
                Next::Answer(answer) => match *answer {
                    // The worker is about to end.
                    Answer::Stalled(stall) => self.stall = Some(stall),
                    answer => return Ok(answer),
                },
                Next::TooLong => {
                    let message = format!("program `{}` gives an answer that is too long", self.program);
                    return Err(Ended::new(Exit::Refused, message).into());
                }
                Next::Nothing => return Err(self.died()),
            }
        }
    }

    /// From now on the worker is idle.
    pub(crate) fn rest(&mut self) {
        self.process.rest();
    }

    /// Whether its process can take another request, and uses no processor time while it is idle.
    pub(crate) fn is_fit(&mut self) -> bool {
        self.process.is_alive() && self.process.is_quiet()
    }

    /// How many bytes of memory its process has; 0 if the system does not report it.
    pub(crate) fn memory(&self) -> u64 {
        self.process.memory()
    }

    /// The error for a process that has ended, or that is ended now.
    fn died(&mut self) -> anyhow::Error {
        let end = self.process.end();
        if interrupt::happened() {
            return Ended::new(Exit::Interrupted, "interrupted").into();
        }
        let mut message = format!("the test binary of program `{}` died: ", self.program);
        let mut disturbance = None;
        match end {
            Ok(end) => {
                message.push_str(&end.status.to_string());
                if !end.words.is_empty() {
                    let words = harmless::lines(&end.words);
                    message = format!("{message}\nits last words were\n{words}");
                }
                disturbance.clone_from(&end.disturbance);
                self.end = Some(end);
            }
            Err(error) => message.push_str(&error.to_string()),
        }
        Ended { disturbance, ..Ended::new(Exit::WorkerDied, message) }.into()
    }

    /// How the process of a mutant ended.
    pub(crate) fn how_it_died(&self, patience: Option<u64>) -> Death {
        match self.stall {
            Some(Stall::Loops) => {
                let least = patience.unwrap_or(LEAST_PATIENCE);
                return Death::Looped(format!(
                    "it did nothing that insyn can see for {least} s or more: a loop without synchronization"
                ));
            }
            Some(Stall::Waits) => {
                let how = "it waits in a lock, a channel or a call that is not under control, and does nothing else";
                return Death::Undecided(how.to_owned());
            }
            Some(Stall::Grows) => {
                return Death::Undecided("it shares more memory than a worker may have".to_owned());
            }
            None => {}
        }
        Death::Died(match &self.end {
            Some(end) if end.words.contains("memory allocation of") => "it ran out of memory".to_owned(),
            Some(end) => format!("the process died: {}", disturbance::ending(end.status)),
            None => "the process died".to_owned(),
        })
    }
}

/// How the process of a mutant ended, in words that are the same on every run.
#[derive(Debug)]
pub(crate) enum Death {
    /// It looped until the limit.
    Looped(String),
    /// It had to be ended, which shows nothing.
    Undecided(String),
    /// It did something that the process did not survive.
    Died(String),
}

/// Prints the warning of a program that makes no progress. Such a program cannot be stopped from inside, so the user should
/// know at once why nothing happens.
fn tell_stalled(line: &[u8]) {
    if line.starts_with(STALLED.as_bytes()) {
        // On a terminal there may be a progress bar in the line.
        let clear = if io::stderr().is_terminal() { "\r\x1b[K" } else { "" };
        exit::say(&format!("{clear}{}", String::from_utf8_lossy(line).trim_end()));
    }
}
