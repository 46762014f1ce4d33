//! Requests to stop: Ctrl-C, SIGTERM, and SIGHUP unless `nohup` makes the process ignore it. The first request is recorded,
//! and ends the child processes; this process goes on just long enough to show or keep what is known. The second request
//! ends this process at once.

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

/// From now on the first interrupt is recorded, and the second ends the process.
pub(crate) fn listen() {
    // Without a handler an interrupt ends the process at once, which is the usual behaviour.
    let noted = || {
        if INTERRUPTED.swap(true, Ordering::SeqCst) {
            std::process::exit(Exit::Interrupted as i32);
        }
        GROUPS.lock().unwrap_or_else(PoisonError::into_inner).iter().for_each(|&leader| end_group(leader));
    };
    let _ = system::keeping_nohup(|| ctrlc::set_handler(noted));
}

/// Whether this process was interrupted.
pub(crate) fn happened() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// Fails if this process was interrupted.
pub(crate) fn check(message: &str) -> Result<()> {
    if happened() { Err(Ended::new(Exit::Interrupted, message).into()) } else { Ok(()) }
}

/// The process group of a child that was started [`apart`](system::apart). Until this value is dropped, an interrupt ends
/// the whole group. Drop it before the child is waited for, since another process may get its number then. An interrupt
/// reaches the child in no other way, so its end is never mistaken for something that it did itself.
#[derive(Debug)]
pub(crate) struct Group(u32);

impl Group {
    pub(crate) fn of(child: &Child) -> Group {
        let leader = child.id();
        GROUPS.lock().unwrap_or_else(PoisonError::into_inner).insert(leader);
        // An interrupt that came earlier has missed this group.
        if happened() {
            end_group(leader);
        }
        Group(leader)
    }

    /// Ends all processes that are left in the group.
    pub(crate) fn end(&self) {
        end_group(self.0);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        GROUPS.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0);
    }
}

/// Runs a command to its end and reads its output; an interrupt ends the command.
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
