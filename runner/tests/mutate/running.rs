//! A command that is disturbed while it runs.

use std::fs;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{SigHandler, Signal, kill, signal};
use nix::unistd::Pid;

use crate::support::Said;

/// Longer than any step may take.
const LONG: Duration = Duration::from_secs(300);

/// A command that runs.
pub(crate) struct Running {
    child: Child,
    /// Its standard error, until the test stops listening.
    err: Option<ChildStderr>,
}

impl Running {
    pub(crate) fn start(mut command: Command) -> Running {
        // The command must not inherit the signals that this process ignores.
        // SAFETY: a child may call this between its start and the command's.
        unsafe {
            command.pre_exec(|| {
                for heeded in [Signal::SIGHUP, Signal::SIGINT, Signal::SIGTERM] {
                    signal(heeded, SigHandler::SigDfl)?;
                }
                Ok(())
            })
        };
        let mut child =
            command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the command is there");
        let err = child.stderr.take();
        Running { child, err }
    }

    /// From now on, its standard error is not read.
    pub(crate) fn stop_listening(&mut self) {
        self.err = None;
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("it can be asked").is_some()
    }

    /// Waits for something that certainly happens while the command runs; false if the command has ended before.
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
        // A failing test leaves no process behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a signal to a process, which may have ended.
pub(crate) fn send(process: u32, signal: Signal) -> bool {
    kill(Pid::from_raw(process.try_into().expect("a process")), signal).is_ok()
}

fn processes() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").expect("it is there").flatten();
    entries.filter_map(|it| it.file_name().to_str()?.parse::<u32>().ok())
}

/// The processes that another one has started.
pub(crate) fn children(parent: u32) -> Vec<u32> {
    let is_child = |process: &u32| {
        let about = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        // The name may contain any character; the state and the parent come after it.
        let parent_of = about.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1));
        parent_of.is_some_and(|it| it == parent.to_string())
    };
    processes().filter(is_child).collect()
}

/// The states of the threads of a process, as letters; none if there is no such process.
pub(crate) fn states(process: u32) -> Vec<char> {
    let state = |task: fs::DirEntry| {
        let about = fs::read_to_string(task.path().join("stat")).ok()?;
        about.rsplit_once(") ")?.1.chars().next()
    };
    let tasks = fs::read_dir(format!("/proc/{process}/task"));
    tasks.into_iter().flatten().flatten().filter_map(state).collect()
}

/// Whether a process that should have ended is still running. A zombie does not count as running.
pub(crate) fn is_running(process: u32) -> bool {
    let begin = Instant::now();
    loop {
        if states(process).iter().all(|state| matches!(state, 'Z' | 'X')) {
            return false;
        }
        if begin.elapsed() > Duration::from_secs(60) {
            return true;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// A mark in the environment of a command and all that it starts, so that leftover processes can be found.
pub(crate) const MARK: &str = "INSYN_TEST_MARK";

/// The processes that have a mark, with their command lines.
pub(crate) fn marked(mark: &str) -> Vec<(u32, String)> {
    let wanted = format!("{MARK}={mark}");
    let read = |process: u32, what: &str| fs::read(format!("/proc/{process}/{what}")).unwrap_or_default();
    let is_marked =
        |process: &u32| read(*process, "environ").split(|byte| *byte == 0).any(|it| it == wanted.as_bytes());
    let started_as = |process| {
        let command = read(process, "cmdline");
        String::from_utf8_lossy(&command).replace('\0', " ").trim_end().to_owned()
    };
    processes().filter(is_marked).map(|process| (process, started_as(process))).collect()
}

/// Waits until no process with a mark is left except those that may be. Output: those that do not end.
pub(crate) fn left_over(mark: &str, may_be: impl Fn(&str) -> bool) -> Vec<(u32, String)> {
    let begin = Instant::now();
    loop {
        let left: Vec<_> = marked(mark).into_iter().filter(|(_, command)| !may_be(command)).collect();
        // Killed processes take some time to end.
        if left.is_empty() || begin.elapsed() > Duration::from_secs(10) {
            return left;
        }
        thread::sleep(Duration::from_millis(10));
    }
}

/// How many mutants have results in the directory of a campaign.
pub(crate) fn known(directory: &str) -> usize {
    let text = fs::read(Path::new(directory).join("results.jsonl")).unwrap_or_default();
    text.iter().filter(|byte| **byte == b'\n').count()
}

/// The arguments of a campaign that takes little time.
pub(crate) fn one_slot<'a>(out: &'a str, workers: &'a str) -> [&'a str; 6] {
    ["mutate", "one_slot", "--workers", workers, "--out", out]
}
