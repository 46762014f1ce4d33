//! What the binaries of the comparison share: the programs by name, and what a tool makes of one.

pub mod outcome;

pub use insyn_peers_programs::program;
