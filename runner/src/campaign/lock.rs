//! Directories that only one process uses at a time. The operating system releases the lock when the process that holds it
//! ends, however it ends; the lock file names that process.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use insyn_sequences::harmless;

use crate::exit::{Ended, Exit};
use crate::interrupt;

/// The name of the lock file.
pub(crate) const LOCK: &str = "lock";

/// How often to check whether another process has released a lock.
const WAIT: Duration = Duration::from_millis(50);

/// At most this much of the holder's command line is shown.
const LONGEST: usize = 200;

/// A lock on a directory: until it is dropped, no other process uses the directory.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Locks a directory, which must exist.
    ///
    /// # Errors
    /// If another process uses the directory: the message names that process.
    pub(crate) fn take(directory: &Path) -> Result<Lock> {
        match attempt(directory)? {
            Ok(lock) => Ok(lock),
            Err(holder) => {
                let message = format!(
                    "{} is in use by {holder}; wait until it has ended, or name another directory with `--out`",
                    directory.display()
                );
                Err(Ended::new(Exit::Refused, message).into())
            }
        }
    }

    /// Waits until no other process uses a directory; if one does, `held` is called with its description. An interrupt ends
    /// the wait, with a message.
    pub(crate) fn wait(directory: &Path, interrupted: &str, held: impl FnOnce(&str)) -> Result<Lock> {
        let mut held = Some(held);
        loop {
            match (attempt(directory)?, held.take()) {
                (Ok(lock), _) => return Ok(lock),
                (Err(holder), Some(held)) => held(&holder),
                (Err(_), None) => {}
            }
            interrupt::check(interrupted)?;
            thread::sleep(WAIT);
        }
    }
}

/// A description of the process that uses a directory now, if one does. The directory is not changed.
pub(crate) fn holder(directory: &Path) -> Option<String> {
    let mut file = File::open(directory.join(LOCK)).ok()?;
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => Some(description(&mut file)),
        _ => None,
    }
}

/// The process that has written into a lock file.
fn description(file: &mut File) -> String {
    let mut holder = String::new();
    let _ = Read::by_ref(file).take(4 * LONGEST as u64).read_to_string(&mut holder);
    let holder: String = harmless::line(holder.trim_end()).chars().take(LONGEST).collect();
    if holder.is_empty() { "another process".to_owned() } else { holder }
}

/// The lock of a directory, or a description of the process that holds it.
fn attempt(directory: &Path) -> Result<Result<Lock, String>> {
    let path = directory.join(LOCK);
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    // If the file is a link, its target must not be overwritten.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, nix::libc::O_NOFOLLOW);
    let mut file = options.open(&path).with_context(|| format!("{} cannot be written", path.display()))?;
    match file.try_lock() {
        Ok(()) => {
            let command = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
            let holder = format!("process {} (cargo {command})\n", std::process::id());
            // If the file cannot be written, other processes cannot name the holder, but the lock is held all the same.
            let _ =
                file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(holder.as_bytes()));
            Ok(Ok(Lock { _file: file }))
        }
        Err(TryLockError::WouldBlock) => Ok(Err(description(&mut file))),
        Err(TryLockError::Error(error)) => {
            Err(error).with_context(|| format!("{} cannot be locked", path.display()))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_lock_is_held_by_one_who_is_named() {
        let directory = tempfile::tempdir().expect("it can be made");
        let lock = Lock::take(directory.path()).expect("nobody else uses it");
        let error = Lock::take(directory.path()).expect_err("it is in use").to_string();
        let process = format!("is in use by process {} (cargo", std::process::id());
        assert!(error.contains(&process) && error.contains("--out"), "{error}");
        assert!(holder(directory.path()).is_some_and(|it| it.contains("(cargo")));
        drop(lock);
        assert_eq!(holder(directory.path()), None);
        drop(Lock::take(directory.path()).expect("nobody else uses it any more"));
        // The previous content does not matter.
        fs::write(directory.path().join(LOCK), [0xff; 5000]).expect("it can be written");
        let lock = Lock::take(directory.path()).expect("nobody else uses it");
        let mut named = String::new();
        let told = Lock::wait(directory.path(), "", |it| {
            named = it.to_owned();
            drop(lock);
        });
        assert!(told.is_ok() && named.contains(&std::process::id().to_string()), "{named}");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_not_followed() {
        let directory = tempfile::tempdir().expect("it can be made");
        let victim = directory.path().join("victim");
        fs::write(&victim, "precious").expect("it can be written");
        std::os::unix::fs::symlink(&victim, directory.path().join(LOCK)).expect("it can be made");
        assert!(Lock::take(directory.path()).is_err());
        assert_eq!(fs::read(&victim).expect("it is there"), b"precious");
    }
}
