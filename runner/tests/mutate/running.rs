//! A command that somebody disturbs while it runs.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::support::Said;

/// So long something may take that nobody doubts.
const LONG: Duration = Duration::from_secs(300);

/// A command that runs.
pub(crate) struct Running {
    child: Child,
    /// What it says on standard error, as long as anybody listens.
    err: Option<ChildStderr>,
}

impl Running {
    pub(crate) fn start(mut command: Command) -> Running {
        let mut child =
            command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the command is there");
        let err = child.stderr.take();
        Running { child, err }
    }

    /// From now on, nobody hears what it says.
    pub(crate) fn stop_listening(&mut self) {
        self.err = None;
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("it can be asked").is_some()
    }

    /// Waits for something that surely happens while the command runs; false if the command has ended before.
    #[track_caller]
    pub(crate) fn wait_until(&mut self, mut happens: impl FnMut() -> bool) -> bool {
        let begin = Instant::now();
        while !happens() {
            if self.has_ended() {
                return false;
            }
            assert!(begin.elapsed() < LONG, "it never happens");
            thread::sleep(Duration::from_millis(1));
        }
        true
    }

    /// Sends a signal to the command, unless it has ended.
    pub(crate) fn signal(&mut self, signal: Signal) {
        if !self.has_ended() {
            send(self.child.id(), signal);
        }
    }

    /// Waits for the end.
    #[track_caller]
    pub(crate) fn end(mut self) -> Said {
        let begin = Instant::now();
        while !self.has_ended() {
            assert!(begin.elapsed() < LONG, "it never ends");
            thread::sleep(Duration::from_millis(1));
        }
        let status = self.child.wait().expect("it has ended");
        let mut err = String::new();
        if let Some(stderr) = &mut self.err {
            stderr.read_to_string(&mut err).expect("it is text");
        }
        Said { code: status.code(), out: String::new(), err }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // A test that fails leaves nothing behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a signal to a process, which may have ended.
pub(crate) fn send(process: u32, signal: Signal) -> bool {
    kill(Pid::from_raw(process.try_into().expect("a process")), signal).is_ok()
}

/// How many mutants are known in the directory of a campaign.
pub(crate) fn known(directory: &str) -> usize {
    let text = fs::read(Path::new(directory).join("results.jsonl")).unwrap_or_default();
    text.iter().filter(|byte| **byte == b'\n').count()
}

/// The arguments of a campaign that takes little time.
pub(crate) fn one_slot<'a>(out: &'a str, workers: &'a str) -> [&'a str; 6] {
    ["mutate", "one_slot", "--workers", workers, "--out", out]
}
