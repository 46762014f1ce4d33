//! A program that loops without synchronizing cannot be stopped, but the user learns why.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;

use insyn::Explorer;
use insyn::std::sync::Mutex;
#[cfg(unix)]
use insyn_engine::system::processor_time;
use insyn_engine::watchdog::longest_silence;

/// Runs the endless test below in a process of its own, and ends that process when it has printed the warning. (If it never
/// does, this test never ends: no timeout decides.)
#[test]
fn a_loop_without_synchronization_is_told() {
    let mut child = Command::new(std::env::current_exe().expect("this test has a path"))
        .args(["--exact", "--ignored", "--nocapture", "watchdog::loops_without_synchronization"])
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("it can be run");
    let said = BufReader::new(child.stderr.take().expect("it is piped"));
    let line = said.lines().map_while(Result::ok).find(|line| line.starts_with("insyn:"));
    child.kill().expect("it is still running");
    child.wait().expect("it has ended");
    let line = line.expect("it warns before it ends");
    assert!(line.contains("watchdog.rs:") && line.contains("loops without synchronizing"), "{line}");
}

#[test]
#[ignore = "endless; run by a_loop_without_synchronization_is_told"]
#[expect(clippy::empty_loop, reason = "that is the point")]
fn loops_without_synchronization() {
    fn program() {
        drop(Mutex::new(()).lock());
        loop {}
    }
    let _ = Explorer::new().workers(1).warn_after(Duration::from_millis(200)).explore(program);
}

/// Uses this much processor time.
#[cfg(unix)]
fn compute(time: Duration) {
    let start = processor_time().expect("the system counts it");
    while processor_time().expect("the system counts it") - start < time {
        std::hint::spin_loop();
    }
}

#[cfg(unix)]
#[test]
fn silence_is_measured_by_the_processor() {
    let silent = |work: fn()| {
        let explore = || Explorer::new().explore(move || insyn::std::thread::spawn(work).join().unwrap());
        longest_silence(explore).1
    };
    assert!(silent(|| compute(Duration::from_millis(300))) >= Duration::from_millis(200));
    // A program that only waits uses none.
    let idle = silent(|| std::thread::sleep(Duration::from_millis(300)));
    assert!(idle < Duration::from_millis(200), "{idle:?}");
}
