//! A test binary that runs one of its programs for us, as a process of its own.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, IsTerminal as _, Read as _, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};

use anyhow::{Context, Result};
use insyn_verdicts::protocol::{
    self, Answer, Explored, LEAST_PATIENCE, Request, STALLED, STUCK, VERSION, WAITS,
};

use crate::exit::{self, Ended, Exit};
use crate::interrupt::{self, Group};
use crate::programs::Program;
use crate::signals;

/// How much of what a worker says on standard error is kept: its end.
const LAST_WORDS: usize = 16 << 10;

/// How often a worker that is killed from outside is replaced by another, the first counted.
pub(crate) const ATTEMPTS: u32 = 3;

/// Does something with a worker. If that is killed from outside, nothing follows from it, and it is done again with another.
/// The error is the last one, if every worker was killed.
pub(crate) fn persist<T>(mut attempt: impl FnMut() -> Result<T>) -> Result<T> {
    for _ in 1..ATTEMPTS {
        match attempt() {
            Err(error) if exit::killer(&error).is_some() => {}
            result => return result,
        }
    }
    attempt()
}

/// What is said when every worker was killed from outside, the last one by this signal.
pub(crate) fn killed(signal: &str) -> String {
    format!(
        "its process was killed in each of {ATTEMPTS} attempts, last by {signal}; this signal comes from outside, unless a \
         program sends it to itself, and decides nothing (if memory ran out, use fewer `--workers` or less `--memory`)"
    )
}

/// A running worker. Dropping it ends it.
#[derive(Debug)]
pub(crate) struct Worker {
    program: String,
    child: Child,
    /// An interrupt ends it, until it is known to be no more.
    group: Option<Group>,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    last_words: Option<JoinHandle<Vec<u8>>>,
    /// How the process ended, and what it said last.
    end: Option<(ExitStatus, String)>,
    pub(crate) takes_input: bool,
    /// Whether its attribute names a specification or tests.
    pub(crate) has_oracle: bool,
}

impl Worker {
    /// Starts the binary of a program and waits for it to say that it is ready.
    pub(crate) fn start(program: &Program) -> Result<Worker> {
        Worker::start_with(program, tell_stalled, |_| {})
    }

    /// The same, for mutants: with no more than so many megabytes of memory, and a journal of what it does.
    pub(crate) fn start_for_mutants(program: &Program, memory: u64, journal: &Path) -> Result<Worker> {
        // One that makes no progress ends, and that is its result.
        Worker::start_with(
            program,
            |_| {},
            |command| {
                command.env(protocol::MEMORY, memory.to_string()).env(protocol::JOURNAL, journal);
                // A long backtrace would push the reason of its death out of its last words.
                command.env("RUST_BACKTRACE", "0");
            },
        )
    }

    /// Starts it; `hear` is given every line that it says on standard error, as it is said.
    fn start_with(program: &Program, hear: fn(&[u8]), set: impl FnOnce(&mut Command)) -> Result<Worker> {
        let binary = &program.binary;
        let mut command = protocol::command(&binary.path, &program.test());
        set(&mut command);
        let mut child = interrupt::apart(&mut command)
            .current_dir(&binary.root)
            .env("CARGO_MANIFEST_DIR", &binary.root)
            .env("CARGO_PKG_NAME", &binary.package)
            .env("CARGO_PKG_VERSION", &binary.version)
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("the test binary {} cannot be started", binary.path.display()))?;
        let group = Some(Group::of(&child));
        let requests = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().expect("it is piped"));
        let errors = child.stderr.take().expect("it is piped");
        let last_words = Some(thread::spawn(move || end_of(BufReader::new(errors), hear)));
        let program = program.path();
        let mut worker = Worker {
            program,
            child,
            group,
            requests,
            answers,
            last_words,
            end: None,
            takes_input: false,
            has_oracle: false,
        };
        match worker.answer()? {
            Answer::Hello { version: VERSION, takes_input, has_oracle } => {
                worker.takes_input = takes_input;
                worker.has_oracle = has_oracle;
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

    /// Asks something and waits for the answer; `progress` sees how many sequences in how many executions there were so far.
    pub(crate) fn ask(&mut self, request: &Request, mut progress: impl FnMut(u64, u64)) -> Result<Answer> {
        self.ask_and_see(request, |found| progress(found.sequences, found.executions))
    }

    /// The same; `progress` sees what was found so far, and each failure once.
    pub(crate) fn ask_and_see(
        &mut self,
        request: &Request,
        mut progress: impl FnMut(Explored),
    ) -> Result<Answer> {
        let line = serde_json::to_string(request).context("a request cannot be written")?;
        let sent = match &mut self.requests {
            Some(requests) => writeln!(requests, "{line}").and_then(|()| requests.flush()),
            None => Ok(()),
        };
        if sent.is_err() {
            return Err(self.died());
        }
        loop {
            match self.answer()? {
                // Workers say this many times in a second, whatever the program does.
                Answer::Progress(_) if interrupt::happened() => return Err(self.died()),
                Answer::Progress(found) => progress(found),
                Answer::Refused { message } => return Err(Ended::new(Exit::Refused, message).into()),
                answer => return Ok(answer),
            }
        }
    }

    /// The next answer; what the program prints itself is passed over.
    fn answer(&mut self) -> Result<Answer> {
        let mut line = Vec::new();
        loop {
            line.clear();
            match self.answers.read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => return Err(self.died()),
                Ok(_) => {}
            }
            if let Some(answer) = std::str::from_utf8(&line).ok().and_then(protocol::answer) {
                return Ok(answer);
            }
        }
    }

    /// The worker, if its process is still there to be asked something.
    pub(crate) fn alive(mut self) -> Option<Worker> {
        matches!(self.child.try_wait(), Ok(None)).then_some(self)
    }

    /// The process is no more.
    fn died(&mut self) -> anyhow::Error {
        (self.requests, self.group) = (None, None);
        if interrupt::happened() {
            let _ = self.child.kill();
            let _ = self.child.wait();
            return Ended::new(Exit::Interrupted, "interrupted").into();
        }
        let how = self.child.wait();
        let words = self.last_words.take().and_then(|reader| reader.join().ok()).unwrap_or_default();
        let words = String::from_utf8_lossy(&words).trim_end().to_owned();
        let mut message = format!("the test binary of program `{}` died: ", self.program);
        let mut killer = None;
        match how {
            Ok(status) => {
                message.push_str(&status.to_string());
                killer = signals::killer(status);
                self.end = Some((status, words.clone()));
            }
            Err(error) => message.push_str(&error.to_string()),
        }
        if !words.is_empty() {
            message = format!("{message}\nits last words were\n{words}");
        }
        Ended { killer, ..Ended::new(Exit::WorkerDied, message) }.into()
    }

    /// How the process of a mutant came to its end.
    pub(crate) fn how_it_died(&self, patience: Option<u64>) -> Death {
        let died = match &self.end {
            Some((status, _)) if status.code() == Some(STUCK) => {
                let least = patience.unwrap_or(LEAST_PATIENCE);
                return Death::Looped(format!(
                    "it did nothing that insyn can see for {least} s or more: a loop without synchronization"
                ));
            }
            Some((status, _)) if status.code() == Some(WAITS) => return Death::Waited,
            Some((_, words)) if words.contains("memory allocation of") => "it ran out of memory".to_owned(),
            Some((status, _)) => format!("the process died: {}", signals::ending(*status)),
            None => "the process died".to_owned(),
        };
        Death::Died(died)
    }
}

/// How the process of a mutant came to its end, in words that are the same on every run.
#[derive(Debug)]
pub(crate) enum Death {
    /// It looped until nobody had patience any more.
    Looped(String),
    /// It waited for something that is not under control.
    Waited,
    /// It did something that the process did not survive.
    Died(String),
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Without requests it ends by itself; one that is in the middle of something must be made to.
        (self.requests, self.group) = (None, None);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A program that makes no progress cannot be stopped from inside: whoever waits for it should know why, and at once.
fn tell_stalled(line: &[u8]) {
    if line.starts_with(STALLED.as_bytes()) {
        // On a terminal there may be a bar in the line.
        let clear = if io::stderr().is_terminal() { "\r\x1b[K" } else { "" };
        exit::say(&format!("{clear}{}", String::from_utf8_lossy(line).trim_end()));
    }
}

/// Reads to the end, has every line heard, and keeps the last part.
fn end_of(mut errors: impl BufRead, hear: fn(&[u8])) -> Vec<u8> {
    let mut kept = VecDeque::with_capacity(LAST_WORDS);
    let mut line = Vec::new();
    // A line without an end is read in parts.
    while let Ok(1..) = errors.by_ref().take(LAST_WORDS as u64).read_until(b'\n', &mut line) {
        hear(&line);
        kept.extend(line.drain(..));
        kept.drain(..kept.len().saturating_sub(LAST_WORDS));
    }
    kept.into()
}
