//! Disturbances of workers, which show nothing about a mutant: signals from outside, and workers that hang.

use std::fmt;
use std::process::ExitStatus;

/// How many workers are tried if they are disturbed, including the first.
pub(crate) const ATTEMPTS: u32 = 3;

/// Why the end of a worker shows nothing about its mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Disturbance {
    /// It was killed from outside, by the signal of this name.
    Killed(String),
    /// It hung and had to be ended.
    Hangs(Hang),
}

/// How a worker neither answers nor ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hang {
    /// A signal has stopped it.
    Stopped,
    /// All its threads wait, including those that should report progress.
    Asleep,
    /// It computes, and does not report progress.
    Busy,
    /// It has closed the stream of its answers.
    Deaf,
}

/// The message when every worker was disturbed, the last one by this.
impl fmt::Display for Disturbance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = match self {
            Disturbance::Killed(signal) => {
                return write!(
                    f,
                    "its process was killed in each of {ATTEMPTS} attempts, last by {signal}; this signal comes from outside, \
                     unless a program sends it to itself, and decides nothing (if memory ran out, use fewer `--workers` or less \
                     `--memory`)"
                );
            }
            Disturbance::Hangs(Hang::Stopped) => "was stopped by a signal, and not continued,",
            Disturbance::Hangs(Hang::Asleep) => "slept, with all its threads,",
            Disturbance::Hangs(Hang::Busy) => "computed without an answer",
            Disturbance::Hangs(Hang::Deaf) => "closed its link to this command, and did not end,",
        };
        write!(f, "its process {how} in each of {ATTEMPTS} attempts, which decides nothing")
    }
}

/// The name of the signal that has killed a process from outside. None if the process ended by itself, or by a signal that
/// its own code caused.
///
/// Only signals that the code of a process can cause count as its own: it aborts, or the processor faults. (The journal
/// of a worker records if another process has sent such a signal.) All others come from people, from the system or from
/// limits that were set for the process: the out-of-memory killer, `kill`, the end of a session, `ulimit -t`. A process
/// may send such a signal to itself, but that cannot be distinguished from one that another process has sent.
#[cfg(unix)]
pub(crate) fn killer(status: ExitStatus) -> Option<String> {
    use nix::libc::{SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};

    let number = std::os::unix::process::ExitStatusExt::signal(&status)?;
    let is_own = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP].contains(&number);
    (!is_own).then(|| name(number))
}

#[cfg(not(unix))]
pub(crate) fn killer(_: ExitStatus) -> Option<String> {
    None
}

/// The name of a signal. Real-time signals, which programs send to each other, have only a number.
pub(crate) fn name(number: i32) -> String {
    #[cfg(unix)]
    if let Ok(signal) = nix::sys::signal::Signal::try_from(number) {
        return signal.as_str().to_owned();
    }
    format!("signal {number}")
}

/// How a process ended, in words that are the same on every machine: whether it left a core behind depends on settings.
pub(crate) fn ending(status: ExitStatus) -> String {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        if let Some(signal) = status.signal() {
            return ExitStatus::from_raw(signal).to_string();
        }
    }
    status.to_string()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use super::*;

    /// The status that `wait` returns for a process that a signal has ended; with another bit set if it left a core.
    fn ended_by(signal: i32, core: bool) -> ExitStatus {
        ExitStatus::from_raw(signal | if core { 0x80 } else { 0 })
    }

    #[test]
    fn what_a_process_does_to_itself_is_no_killing() {
        use nix::libc::{SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
        for signal in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] {
            for core in [false, true] {
                assert_eq!(killer(ended_by(signal, core)), None, "{signal}");
            }
        }
        for code in [0, 1, 86, 101, 137] {
            assert_eq!(killer(ExitStatus::from_raw(code << 8)), None, "{code}");
        }
    }

    #[test]
    fn what_others_do_to_it_is() {
        use nix::libc::{SIGHUP, SIGINT, SIGKILL, SIGPIPE, SIGQUIT, SIGTERM, SIGUSR1, SIGXCPU, SIGXFSZ};
        let all = [SIGHUP, SIGINT, SIGKILL, SIGPIPE, SIGQUIT, SIGTERM, SIGUSR1, SIGXCPU, SIGXFSZ];
        let names = "SIGHUP SIGINT SIGKILL SIGPIPE SIGQUIT SIGTERM SIGUSR1 SIGXCPU SIGXFSZ";
        for (signal, name) in all.into_iter().zip(names.split(' ')) {
            assert_eq!(killer(ended_by(signal, false)).as_deref(), Some(name));
        }
        assert_eq!(killer(ended_by(SIGQUIT, true)).as_deref(), Some("SIGQUIT"));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn signals_without_a_name_have_a_number() {
        assert_eq!(killer(ended_by(40, false)).as_deref(), Some("signal 40"));
    }

    #[test]
    fn an_end_is_told_the_same_with_and_without_a_core() {
        assert_eq!(ending(ended_by(6, true)), ending(ended_by(6, false)));
        assert!(ending(ended_by(6, true)).contains("SIGABRT"), "{}", ending(ended_by(6, true)));
        assert_eq!(ending(ExitStatus::from_raw(1 << 8)), "exit status: 1");
    }
}
