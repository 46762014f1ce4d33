//! An exploration finds every behaviour of a program exactly once, and the same ones on every run.

mod brute_force;
mod counts;
mod determinism;
mod oracle;
mod random_programs;
mod regressions;
mod updates;
