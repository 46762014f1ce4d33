//! Six threads and three ports: the example of the history-free algorithm.

mod six_threads;

pub use six_threads::{Received, six_threads};
