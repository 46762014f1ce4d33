//! Explores one program so many times, and says nothing: what is counted are its instructions.
//!
//! `insyn-peers-programs PROGRAM TIMES`
#![expect(clippy::print_stderr, reason = "errors are for whoever has started the program")]

use insyn_peers_programs::measured::Measured;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [key, times] = &arguments[..] else {
        eprintln!("usage: insyn-peers-programs PROGRAM TIMES");
        return ExitCode::from(2);
    };
    let Some(measured) = Measured::all().into_iter().find(|measured| measured.key == key) else {
        eprintln!("there is no program `{key}`");
        return ExitCode::from(2);
    };
    let Ok(times) = times.parse::<u32>() else {
        eprintln!("`{times}` is not a number of explorations");
        return ExitCode::from(2);
    };
    for _ in 0..times {
        measured.explore();
    }
    ExitCode::SUCCESS
}
