//! No thread has a branch, yet the result depends on who is received from first.

insyn::instrumented! {

use std::sync::mpsc;
use std::thread;

/// Sends `a` and `b` from a thread each, and returns the first minus the second that a third one receives.
pub fn cp(a: i64, b: i64) -> i64 {
    let (m, port) = mpsc::sync_channel(0);
    let also_m = m.clone();
    let thread1 = thread::spawn(move || m.send(a).expect("the receiver waits for both"));
    let thread2 = thread::spawn(move || also_m.send(b).expect("the receiver waits for both"));
    let x: i64 = port.recv().expect("two threads send");
    let y: i64 = port.recv().expect("two threads send");
    thread1.join().expect("a sender does not panic");
    thread2.join().expect("a sender does not panic");
    x - y
}

}
