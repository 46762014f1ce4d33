//! A program does what it is forced to do if it can; otherwise forcing proves that it cannot.

mod forced;
mod impossible;
mod judging;
mod known;
mod replaying;
