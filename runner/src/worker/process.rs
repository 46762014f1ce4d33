//! The process of a worker: its streams, and its end.

use std::io::{self, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};
use std::{fs, thread};

use insyn_verdicts::protocol::{Answer, Foreign, Journal, PARENT};

use super::stream::{self, Heard, LastWords};
use super::vigil::{INTERVAL, Vigil};
use crate::disturbance::{self, Disturbance, Hang};
use crate::interrupt::{self, Group};
use crate::system::{self, State};

/// The stream of answers and the process end together. At this many checks, at most, only one of them may have ended.
const LINGERING: u32 = 20;

/// An idle process takes less processor time than this; or only a small part of the elapsed time.
const QUIET: Duration = Duration::from_millis(200);

/// What a process sends next.
#[derive(Debug)]
pub(super) enum Next {
    Answer(Box<Answer>),
    /// An answer that is too long to be kept.
    TooLong,
    /// The process has ended, or hangs, or this process was interrupted.
    Nothing,
}

/// How a process ended.
#[derive(Debug)]
pub(super) struct End {
    pub(super) status: ExitStatus,
    /// The last part of its standard error.
    pub(super) words: String,
    /// Why its end shows nothing, if so.
    pub(super) disturbance: Option<Disturbance>,
}

/// A running process. Dropping this value ends the process and all that it has started.
///
/// The process also ends with the thread that has started it, so this value stays on that thread.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// An interrupt ends it, until it is known to have ended.
    group: Option<Group>,
    requests: Option<Sender<String>>,
    answers: Receiver<Heard>,
    words: Option<LastWords>,
    vigil: Option<Vigil>,
    hang: Option<Hang>,
    /// Since when it has been idle, and the processor time that it had used then.
    rests: Option<(Instant, Duration)>,
    /// The journal of its position, in case it dies.
    journal: Option<PathBuf>,
    on_its_thread: PhantomData<*const ()>,
}

impl Process {
    /// Starts a process; `hear` is called with every line of its standard error, as it comes.
    pub(super) fn start(
        mut command: Command,
        hear: fn(&[u8]),
        patience: Option<Duration>,
        journal: Option<&Path>,
    ) -> io::Result<Process> {
        let (words, errors) = LastWords::listen(hear)?;
        command.env(PARENT, std::process::id().to_string());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(errors);
        let mut child = system::apart(&mut command).spawn()?;
        let group = Some(Group::of(&child));
        let (requests, lines) = mpsc::channel::<String>();
        let mut input = child.stdin.take().expect("it is piped");
        // A stopped process reads nothing, and must not block this one.
        thread::spawn(move || lines.into_iter().try_for_each(|line| input.write_all(line.as_bytes())));
        let answers = stream::answers(child.stdout.take().expect("it is piped"));
        Ok(Process {
            child,
            group,
            requests: Some(requests),
            answers,
            words: Some(words),
            vigil: patience.map(Vigil::new),
            hang: None,
            rests: None,
            journal: journal.map(Path::to_owned),
            on_its_thread: PhantomData,
        })
    }

    /// Sends a line.
    pub(super) fn ask(&mut self, line: String) {
        if let Some(vigil) = &mut self.vigil {
            vigil.begin();
        }
        if let Some(requests) = &self.requests {
            // If the process has ended, its stream of answers ends too.
            let _ = requests.send(line + "\n");
        }
    }

    /// From now on the process reports progress while it works on a request.
    pub(super) fn is_ready(&mut self) {
        if let Some(vigil) = &mut self.vigil {
            vigil.may_sleep = false;
        }
    }

    /// Waits for the next answer.
    pub(super) fn next(&mut self) -> Next {
        let (mut lingering, mut pause) = (0, Duration::from_millis(1));
        loop {
            let is_closed = match self.answers.recv_timeout(INTERVAL) {
                Ok(heard) => {
                    if let Some(vigil) = &mut self.vigil {
                        vigil.begin();
                    }
                    return match heard {
                        Heard::Answer(answer) => Next::Answer(answer),
                        Heard::TooLong => Next::TooLong,
                    };
                }
                Err(RecvTimeoutError::Timeout) => false,
                Err(RecvTimeoutError::Disconnected) => true,
            };
            let has_ended = system::has_ended(&mut self.child);
            if interrupt::happened() || has_ended && is_closed {
                return Next::Nothing;
            }
            let seen = if has_ended { None } else { system::observe(self.child.id()) };
            if let (Some(vigil), Some(seen)) = (&mut self.vigil, seen) {
                // Once the stream is closed, no answer can come any more, however the process goes on.
                self.hang = vigil.look(seen).map(|hang| if is_closed { Hang::Deaf } else { hang });
            }
            if is_closed {
                // Most likely the process is about to end.
                thread::sleep(pause);
                pause = INTERVAL.min(pause * 2);
            }
            if has_ended {
                // A process that it has started keeps the stream open.
                self.end_group();
            }
            if (has_ended || is_closed) && seen.is_none_or(|seen| seen.state != State::Running) {
                lingering += 1;
            }
            if lingering > LINGERING && !has_ended {
                self.hang = Some(Hang::Deaf);
            }
            if lingering > LINGERING || self.hang.is_some() {
                return Next::Nothing;
            }
        }
    }

    /// From now on the process is idle.
    pub(super) fn rest(&mut self) {
        self.rests = system::observe(self.child.id()).map(|seen| (Instant::now(), seen.processor));
    }

    /// Whether it uses no processor time while it is idle. Threads that a mutant has left behind may run forever.
    pub(super) fn is_quiet(&self) -> bool {
        let (Some((since, before)), Some(now)) = (self.rests, system::observe(self.child.id())) else {
            return true;
        };
        let taken = now.processor.saturating_sub(before);
        taken < QUIET || taken < since.elapsed() / 20
    }

    /// How many bytes of memory it has; 0 if the system does not report it.
    pub(super) fn memory(&self) -> u64 {
        system::resident(self.child.id()).unwrap_or(0)
    }

    /// Whether it can still take a request.
    pub(super) fn is_alive(&mut self) -> bool {
        !system::has_ended(&mut self.child)
    }

    /// Ends the process, if it has not ended by itself, and returns how it ended.
    pub(super) fn end(&mut self) -> io::Result<End> {
        self.requests = None;
        self.end_group();
        self.group = None;
        let status = self.child.wait()?;
        let words = self.words.take().map(LastWords::take).unwrap_or_default();
        let disturbance = self
            .hang
            .map(Disturbance::Hangs)
            .or_else(|| disturbance::killer(status).map(Disturbance::Killed))
            .or_else(|| self.foreign());
        Ok(End { status, words, disturbance })
    }

    /// The disturbance that its journal records, if any.
    fn foreign(&self) -> Option<Disturbance> {
        let bytes = fs::read(self.journal.as_ref()?).ok()?;
        Some(match Journal::of(&bytes)?.foreign? {
            Foreign::Signal(signal) => Disturbance::Killed(disturbance::name(signal)),
            Foreign::Link => Disturbance::Hangs(Hang::Deaf),
        })
    }

    /// Ends the process and all that it has started.
    fn end_group(&mut self) {
        if let Some(group) = &self.group {
            group.end();
            let _ = self.child.kill();
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.requests = None;
        self.end_group();
        self.group = None;
        let _ = self.child.wait();
    }
}
