//! The programs that insyn is measured with.

pub mod on_insyn;
pub mod program;
