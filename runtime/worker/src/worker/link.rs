//! The link of a worker to the command that has started it: requests come in, answers go out.
//!
//! The program cannot reach the link. A program may print without end, forge answers, hold the locks of the standard
//! streams, read standard input, or start processes that keep its streams open; no answer is lost or delayed by that. When
//! the command is gone, the worker ends, whatever it does and whatever it holds.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

use insyn_engine::{journal, system};
use insyn_verdicts::protocol::{Answer, Foreign, MARK, PARENT};

static ANSWERS: OnceLock<Mutex<File>> = OnceLock::new();

/// Opens the link. Returns the requests, in order.
pub(super) fn open() -> io::Result<Receiver<String>> {
    let (requests, answers) = system::take_streams()?;
    let _ = ANSWERS.set(Mutex::new(answers));
    let (send, receive) = mpsc::channel();
    thread::Builder::new().name("insyn-link".to_owned()).spawn(move || listen(requests, &send))?;
    Ok(receive)
}

/// Passes requests on until the command is gone.
fn listen(requests: File, send: &Sender<String>) -> ! {
    // A worker that a user starts by hand has no parent to end with.
    if let Some(parent) = std::env::var(PARENT).ok().and_then(|text| text.parse().ok()) {
        system::end_with(parent);
    }
    for line in BufReader::new(requests).lines() {
        if line.map(|line| send.send(line)).is_err() {
            lost();
        }
    }
    system::leave(0)
}

/// Ends the process: there is no command to serve. The command is gone, or the program has broken the link.
fn lost() -> ! {
    journal::ends_by(Foreign::Link);
    system::leave(1)
}

/// Sends an answer. If the command is gone, the process ends.
pub(super) fn send(answer: &Answer) {
    let text = serde_json::to_string(answer).expect("answers can be written as JSON");
    let Some(answers) = ANSWERS.get() else { return };
    // The test harness may have begun a line.
    let line = format!("\n{MARK}{text}\n");
    if answers.lock().unwrap_or_else(PoisonError::into_inner).write_all(line.as_bytes()).is_err() {
        lost();
    }
}
