//! Explores the programs of the papers and prints how many SYN-sequences each has, beside the numbers in the papers.
//!
//! `cargo run --release -p insyn --example papers`

#![expect(clippy::print_stdout, reason = "it is a program for the terminal")]

use std::time::Instant;

use insyn::Explorer;
use insyn_test_support::programs::bounded_buffer::{self as bb, config};
use insyn_test_support::programs::{dining_philosophers as dp, others, readers_writers as rw};
use serde::Serialize;

fn main() {
    println!(
        "{:<44} {:>9} {:>9} {:>7} {:>6} {:>9}",
        "program", "sequences", "papers", "repeats", "inconsistent", "ms"
    );
    let all = Explorer::new();
    let longest = Explorer::new().longest_waiter(true);
    row("bounded buffer, selective wait, 3P 3C 2S", Some(144), &all, bb::selective_wait(config(3, 3, 2)));
    row("bounded buffer, semaphores, 2P 2C 2S", Some(12), &all, bb::semaphores(config(2, 2, 2)));
    row("bounded buffer, semaphores, 3P 3C 2S", Some(324), &all, bb::semaphores(config(3, 3, 2)));
    row("bounded buffer, SU monitor, 3P 3C 2S", Some(720), &all, bb::su_monitor(config(3, 3, 2)));
    row("bounded buffer, notify_all, 3P 3C 2S", Some(12_096), &all, bb::sc_notify_all(config(3, 3, 2)));
    row("bounded buffer, notify_one, longest waiter", None, &longest, bb::sc_notify_one(config(3, 3, 2)));
    row("readers/writers, semaphores, 2R 2W", Some(608), &all, rw::semaphores(2, 2));
    row("readers/writers, semaphores, 2R 3W", Some(12_816), &all, rw::semaphores(2, 3));
    row("readers/writers, semaphores, 3R 2W", Some(21_744), &all, rw::semaphores(3, 2));
    row("readers/writers, SU monitor, 3R 2W", Some(13_320), &all, rw::su_monitor(3, 2));
    row("readers/writers, selective wait, 3R 2W", Some(768), &all, rw::selective_wait(3, 2));
    row("dining philosophers, SU monitor, 3", Some(30), &all, dp::su_monitor(3));
    row("dining philosophers, SU monitor, 4", Some(624), &all, dp::su_monitor(4));
    row("dining philosophers, SU monitor, 5", Some(19_330), &all, dp::su_monitor(5));
    row("Prod_Cons", None, &all, others::prod_cons());
    row("fan-in of 8", None, &all, others::fan_in(8));
}

fn row<R: Serialize + 'static>(
    name: &str,
    papers: Option<u64>,
    explorer: &Explorer,
    program: impl Fn() -> R + Send + Sync + 'static,
) {
    let started = Instant::now();
    let e = explorer.explore(program);
    let ms = started.elapsed().as_secs_f64() * 1e3;
    let papers = papers.map_or_else(|| "-".to_string(), |n| n.to_string());
    println!("{name:<44} {:>9} {papers:>9} {:>7} {:>6} {ms:>9.1}", e.sequences, e.repeats, e.inconsistent);
    assert!(e.failures.is_empty(), "{e}");
}
