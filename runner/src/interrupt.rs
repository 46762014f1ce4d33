//! Requests to stop: Ctrl-C, SIGTERM, and SIGHUP unless `nohup` has it ignored. The first one is noted, and ends the processes that this one waits for; this
//! process goes on just long enough to show or keep what is known. The second one ends this process at once.

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::Result;

use crate::exit::{Ended, Exit};
use crate::system::{self, end_group};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The process groups that an interrupt ends, by their leaders.
static GROUPS: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// From now on the first interrupt is noted, and the second ends the process.
pub(crate) fn listen() {
    // Without a handler an interrupt ends the process at once, which is no worse than usual.
    let noted = || {
        if INTERRUPTED.swap(true, Ordering::SeqCst) {
            std::process::exit(Exit::Interrupted as i32);
        }
        GROUPS.lock().unwrap_or_else(PoisonError::into_inner).iter().for_each(|&leader| end_group(leader));
    };
    let _ = system::keeping_nohup(|| ctrlc::set_handler(noted));
}

/// Whether somebody wants this process to end.
pub(crate) fn happened() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// Fails if somebody wants this process to end.
pub(crate) fn check(message: &str) -> Result<()> {
    if happened() { Err(Ended::new(Exit::Interrupted, message).into()) } else { Ok(()) }
}

/// A child that was started [`apart`](system::apart), with all that it has started itself. An interrupt ends them all, as long as this
/// lives; it must not outlive the moment when the child is waited for, since another process may have its number then.
/// That an interrupt reaches it only so has its end never taken for something that it did itself.
#[derive(Debug)]
pub(crate) struct Group(u32);

impl Group {
    pub(crate) fn of(child: &Child) -> Group {
        let leader = child.id();
        GROUPS.lock().unwrap_or_else(PoisonError::into_inner).insert(leader);
        // An interrupt that came before has not seen it.
        if happened() {
            end_group(leader);
        }
        Group(leader)
    }

    /// Ends all that are left of it.
    pub(crate) fn end(&self) {
        end_group(self.0);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        GROUPS.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0);
    }
}

/// Runs a command to its end and reads what it says; an interrupt ends it.
pub(crate) fn output(command: &mut Command) -> io::Result<Output> {
    let command = system::apart(command).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let group = Group::of(&child);
    let errors = child.stderr.take().map(|stderr| thread::spawn(move || read(stderr)));
    let stdout = read(child.stdout.take().expect("it is piped"))?;
    let stderr = errors.and_then(|reader| reader.join().ok()).unwrap_or(Ok(Vec::new()))?;
    drop(group);
    Ok(Output { status: child.wait()?, stdout, stderr })
}

fn read(mut stream: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes)?;
    Ok(bytes)
}
