//! Operations that wait for a limited time, and locks that can be shared.

insyn::instrumented! {

use std::sync::{Condvar, Mutex, RwLock};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{bounded, select};

const LIMIT: Duration = Duration::from_millis(5);

/// Waits for messages that no thread sends.
pub fn wait() -> u32 {
    thread::park_timeout(LIMIT);
    let (value, changed) = (Mutex::new(1), Condvar::new());
    let guard = value.lock().unwrap();
    let guard = changed.wait_timeout(guard, LIMIT).unwrap().0;
    *guard
}

/// Sends to a channel that no thread receives from, and to two of which one has room.
pub fn send() -> [bool; 3] {
    let ((some, _some), (none, _none)) = (bounded(1), bounded(0));
    let sent = none.send_timeout(1, LIMIT).is_ok();
    let nowhere = select! {
        send(none, 1) -> sent => sent.is_ok(),
        default(LIMIT) => false,
    };
    let somewhere = select! {
        send(some, 1) -> sent => sent.is_ok(),
        default => false,
    };
    [sent, nowhere, somewhere]
}

/// Takes from one, and adds to another.
pub fn share() -> [u32; 2] {
    let (from, to) = (RwLock::new(1), RwLock::new(2));
    let taken = *from.read().unwrap();
    *to.write().unwrap() += taken;
    [from.into_inner().unwrap(), to.into_inner().unwrap()]
}

}
