//! Attempts at mutual exclusion without locks, from the textbook's chapter on deadlock, livelock and starvation.

pub mod intend;
pub mod turn;
