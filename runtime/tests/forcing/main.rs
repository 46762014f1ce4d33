//! A program does what it is forced to do if it can, and otherwise it is proved that it cannot.

mod forced;
mod impossible;
mod judging;
mod known;
mod replaying;
