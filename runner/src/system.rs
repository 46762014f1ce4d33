//! What the command asks of the operating system about processes. `docs/systems.md` lists what each system provides, and
//! what is lost where it does not.

use std::process::{Child, Command};
use std::time::Duration;

/// What a process is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// It runs, would run if it got a processor, waits for a disk, or is held by a debugger.
    Running,
    /// All its threads wait for something.
    Asleep,
    /// A signal has stopped it.
    Stopped,
}

/// A process as observed from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) state: State,
    /// The processor time that it has used.
    pub(crate) processor: Duration,
}

/// Observes a process; none where the system does not allow that.
#[cfg(target_os = "linux")]
pub(crate) fn observe(process: u32) -> Option<Seen> {
    use std::fs;

    // Clock ticks per second, the same on all current systems.
    const TICKS: u64 = 100;
    // The name of a process may contain any character; the fields come after it.
    let fields = |path: String| {
        let text = fs::read_to_string(path).ok()?;
        Some(text.rsplit_once(") ")?.1.split(' ').map(str::to_owned).collect::<Vec<_>>())
    };
    let about = fields(format!("/proc/{process}/stat"))?;
    let ticks = |n: usize| about.get(n)?.parse::<u64>().ok();
    let processor = Duration::from_millis((ticks(11)? + ticks(12)?) * (1_000 / TICKS));
    let mut state = State::Asleep;
    for task in fs::read_dir(format!("/proc/{process}/task")).ok()?.flatten() {
        // A thread that has ended meanwhile counts as idle.
        let about = fields(format!("{}/stat", task.path().display())).unwrap_or_default();
        match about.first().map(String::as_str) {
            Some("R" | "D" | "t") => return Some(Seen { state: State::Running, processor }),
            Some("T") => state = State::Stopped,
            _ => {}
        }
    }
    Some(Seen { state, processor })
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn observe(_: u32) -> Option<Seen> {
    None
}

/// How many bytes of memory a process has; none where the system does not report it.
pub(crate) fn resident(process: u32) -> Option<u64> {
    #[cfg(target_os = "linux")]
    {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.trim().strip_suffix("kB")?.trim_end().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = process;
        None
    }
}

/// Whether a child has ended. The child stays a zombie, so that no other process gets its number.
pub(crate) fn has_ended(child: &mut Child) -> bool {
    #[cfg(unix)]
    {
        use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
        use nix::unistd::Pid;

        let id = Id::Pid(Pid::from_raw(child.id() as i32));
        let seen = waitid(id, WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT);
        // If the child cannot be waited for, it was waited for before.
        !matches!(seen, Ok(WaitStatus::StillAlive))
    }
    #[cfg(not(unix))]
    !matches!(child.try_wait(), Ok(None))
}

/// Gives a command a process group of its own, which a Ctrl-C in the terminal does not reach.
pub(crate) fn apart(command: &mut Command) -> &mut Command {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    command
}

/// Ends all processes of a group. On systems without groups, Ctrl-C reaches them too, and each is ended by itself.
pub(crate) fn end_group(leader: u32) {
    #[cfg(unix)]
    {
        use nix::sys::signal::{Signal, killpg};
        use nix::unistd::Pid;

        if let Ok(leader) = leader.try_into() {
            // It is fine if no process is left.
            let _ = killpg(Pid::from_raw(leader), Signal::SIGKILL);
        }
    }
    #[cfg(not(unix))]
    let _ = leader;
}

/// Runs `change`, which changes how SIGHUP is handled. If the signal was ignored before, it still is afterwards: `nohup`
/// makes a process ignore it permanently.
pub(crate) fn keeping_nohup<T>(change: impl FnOnce() -> T) -> T {
    #[cfg(unix)]
    {
        use std::{mem, ptr};

        use nix::libc;
        use nix::sys::signal::{SigSet, Signal};

        // SAFETY: all zeroes are an action, and the call only fills it in.
        let before = unsafe {
            let mut before: libc::sigaction = mem::zeroed();
            libc::sigaction(libc::SIGHUP, ptr::null(), &raw mut before);
            before
        };
        if before.sa_sigaction != libc::SIG_IGN {
            return change();
        }
        // A signal that arrives meanwhile stays pending, and is dropped when the signal is ignored again.
        let hangup = SigSet::from(Signal::SIGHUP);
        let _ = hangup.thread_block();
        let result = change();
        // SAFETY: the system has reported that this is how the signal was handled.
        unsafe { libc::sigaction(libc::SIGHUP, &raw const before, ptr::null_mut()) };
        let _ = hangup.thread_unblock();
        result
    }
    #[cfg(not(unix))]
    change()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::Stdio;
    use std::thread;
    use std::time::Instant;

    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    use super::*;

    /// Observes a process until it is in this state.
    #[track_caller]
    fn comes_to(process: u32, state: State) -> Seen {
        let begin = Instant::now();
        loop {
            match observe(process) {
                Some(seen) if seen.state == state => return seen,
                seen => assert!(begin.elapsed() < Duration::from_secs(60), "{seen:?}"),
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn states_of_a_process() {
        let mut command = Command::new("sh");
        command.args(["-c", "read line; while :; do :; done"]).stdin(Stdio::piped());
        let mut child = apart(&mut command).spawn().expect("there is a shell");
        let process = child.id();
        let send = |signal| kill(Pid::from_raw(process as i32), signal).expect("it is there");
        let asleep = comes_to(process, State::Asleep);
        send(Signal::SIGSTOP);
        comes_to(process, State::Stopped);
        send(Signal::SIGCONT);
        comes_to(process, State::Asleep);
        drop(child.stdin.take());
        comes_to(process, State::Running);
        assert!(resident(process).is_some_and(|bytes| (100 << 10..1 << 30).contains(&bytes)));
        let begin = Instant::now();
        while observe(process).is_some_and(|seen| seen.processor == asleep.processor) {
            assert!(begin.elapsed() < Duration::from_secs(60), "it takes nothing of the processor");
        }
        assert!(!has_ended(&mut child));
        end_group(process);
        while !has_ended(&mut child) {
            assert!(begin.elapsed() < Duration::from_secs(60), "it does not end");
        }
        // The child can still be waited for.
        assert!(has_ended(&mut child));
        assert_eq!(
            std::os::unix::process::ExitStatusExt::signal(&child.wait().expect("it has ended")),
            Some(9)
        );
        assert_eq!(observe(process), None);
    }
}
