//! The programs that insyn is measured with: those that other tools run too, and a few for insyn alone.

pub mod alone;
pub mod lengths;
pub mod measured;
pub mod numbers;
pub mod on_insyn;
pub mod program;
