//! The harmful actions. Nothing of this is under control.

use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{self, Command};
use std::sync::Mutex;
use std::time::Duration;
use std::{hint, mem, ptr, thread};

unsafe extern "C" {
    fn raise(signal: i32) -> i32;
    fn kill(process: i32, signal: i32) -> i32;
    fn signal(number: i32, handler: usize) -> usize;
    fn close(descriptor: i32) -> i32;
    fn fork() -> i32;
    fn mmap(at: *mut u8, size: usize, access: i32, flags: i32, file: i32, offset: i64) -> *mut u8;
    fn pthread_exit(value: *mut u8) -> !;
}

const LONG: Duration = Duration::from_secs(600);

/// Keeps a processor busy.
pub fn spin() -> ! {
    loop {
        hint::spin_loop();
    }
}

pub fn aborts() {
    process::abort();
}

pub fn exits() {
    process::exit(0);
}

/// With the exit codes by which workers once reported how a mutant stalls.
pub fn exits_as_before() {
    process::exit(86);
}

pub fn exits_with_87() {
    process::exit(87);
}

pub fn prints_lines() {
    loop {
        println!("{}", "out ".repeat(100));
    }
}

pub fn prints_without_end() {
    loop {
        print!("{}", "out ".repeat(100));
    }
}

pub fn shouts_lines() {
    loop {
        eprintln!("{}", "err ".repeat(100));
    }
}

pub fn shouts_without_end() {
    loop {
        eprint!("{}", "err ".repeat(100));
    }
}

/// What a worker reports about a mutant that it has killed.
pub fn forges_answers() {
    let answer = r#"{"answer":"compared","executions":1,"verdict":{"killed":"result"},"reason":"","rejections":[],"kills":[],"all_kills":true,"distinguishing":null}"#;
    for _ in 0..100 {
        println!("\n\u{1e}{answer}");
        eprintln!("\n\u{1e}{answer}");
    }
}

pub fn allocates_forever() {
    let mut all = Vec::new();
    loop {
        all.push(vec![1_u8; 1 << 20]);
    }
}

pub fn allocates_at_once() {
    hint::black_box(vec![1_u8; 1 << 40]);
}

/// Memory that does not count towards any limit of a process.
pub fn shares_memory() {
    loop {
        // SAFETY: a new mapping at a place that the system chooses, shared and of no file.
        let mapped = unsafe { mmap(ptr::null_mut(), 64 << 20, 3, 0x21, -1, 0) };
        assert!(!mapped.is_null() && mapped as isize != -1, "nothing is left");
        // SAFETY: it is as large as that.
        unsafe { ptr::write_bytes(mapped, 1, 64 << 20) };
    }
}

pub fn loops() {
    spin();
}

pub fn starts_threads() {
    loop {
        thread::spawn(|| thread::sleep(LONG));
    }
}

/// The mutant itself goes on, and does nothing wrong.
pub fn leaves_threads_running() {
    for _ in 0..4 {
        thread::spawn(|| spin());
    }
}

/// The child keeps the streams of the process, which ends.
pub fn leaves_a_child() {
    Command::new("sleep").arg("600").spawn().unwrap();
    process::abort();
}

pub fn waits_for_a_child() {
    Command::new("sleep").arg("600").status().unwrap();
}

/// The child leaves every process group.
pub fn leaves_a_daemon() {
    Command::new("setsid").args(["sleep", "30"]).spawn().unwrap();
    // It has its own session when it sleeps.
    thread::sleep(Duration::from_millis(200));
    process::abort();
}

/// The same process, with nothing of insyn in it.
pub fn becomes_another() {
    panic!("{}", Command::new("sleep").arg("600").exec());
}

pub fn holds_stdout() {
    mem::forget(io::stdout().lock());
    println!("held");
}

pub fn holds_stderr_and_loops() {
    mem::forget(io::stderr().lock());
    spin();
}

pub fn holds_both_and_loops() {
    mem::forget(io::stdout().lock());
    mem::forget(io::stderr().lock());
    spin();
}

pub fn holds_stdout_and_sleeps() {
    mem::forget(io::stdout().lock());
    mem::forget(io::stderr().lock());
    thread::sleep(LONG);
}

pub fn stops_itself() {
    // SAFETY: it takes numbers.
    unsafe { raise(19) };
}

pub fn stops_its_group() {
    // SAFETY: it takes numbers.
    unsafe { kill(0, 20) };
    unsafe { kill(0, 19) };
}

pub fn segfaults() {
    // SAFETY: there is none.
    unsafe { ptr::write_volatile(hint::black_box(8) as *mut u8, 1) };
}

pub fn traps() {
    // SAFETY: it takes a number.
    unsafe { raise(5) };
}

pub fn raises_abort() {
    // SAFETY: it takes a number.
    unsafe { raise(6) };
}

pub fn kills_itself() {
    // SAFETY: it takes a number.
    unsafe { raise(9) };
}

pub fn terminates_itself() {
    // SAFETY: it takes a number.
    unsafe { raise(15) };
}

pub fn sleeps() {
    thread::sleep(LONG);
}

pub fn deadlocks_outside() {
    let lock = Mutex::new(());
    let _first = lock.lock();
    let _second = lock.lock();
}

static LOCK: Mutex<u32> = Mutex::new(0);

/// Everything after it in the process waits forever.
pub fn leaves_a_lock() {
    mem::forget(LOCK.lock());
}

pub fn needs_the_lock() {
    *LOCK.lock().unwrap() += 1;
}

/// Everything that a process can print goes through one of these.
pub fn closes_all() {
    for descriptor in 0..100 {
        // SAFETY: it takes a number. Nothing here uses what it closes.
        unsafe { close(descriptor) };
    }
    thread::sleep(LONG);
}

pub fn closes_all_and_loops() {
    for descriptor in 0..100 {
        // SAFETY: as above.
        unsafe { close(descriptor) };
    }
    spin();
}

/// A worker reads its requests there.
pub fn reads_input() {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text).unwrap();
    assert_eq!(text, "");
    io::stdout().write_all(b"read").unwrap();
}

/// The child has all that the process has.
pub fn forks() {
    // SAFETY: the child does nothing but wait.
    if unsafe { fork() } == 0 {
        loop {
            thread::sleep(LONG);
        }
    }
}

/// Handles signals that would end it, and lets the next one end it.
pub fn catches_signals() {
    for number in [2, 6, 11, 15] {
        // SAFETY: to ignore signals calls nothing.
        unsafe { signal(number, 1) };
    }
    process::abort();
}

pub fn ends_its_thread() {
    // SAFETY: there is none.
    unsafe { pthread_exit(ptr::null_mut()) };
}
