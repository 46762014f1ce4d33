//! The classical programs of the papers, with their known numbers of sequences.
//!
//! Each is a function that takes its configuration and returns the closure to explore. Data that a program protects by
//! its own synchronization is kept in a plain `std::sync::Mutex`, which is never contended and no part of a sequence.

pub mod bounded_buffer;
pub mod dining_philosophers;
pub mod others;
pub mod readers_writers;

use insyn::std::thread::JoinHandle;

/// Joins threads in the order in which they were started.
pub fn join_all<T>(threads: impl IntoIterator<Item = JoinHandle<T>>) -> Vec<T> {
    threads.into_iter().map(|t| t.join().expect("the thread does not panic")).collect()
}
