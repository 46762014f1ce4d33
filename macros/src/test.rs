//! `#[insyn::test]`: makes a program from a function.
//!
//! [`args`] reads the arguments, [`expand`] rejects functions that cannot be programs and generates the test. The
//! function itself goes inside the test under its own name; instrumentation is done by [`crate::instrument`], unless the
//! module around it has done it already.

mod args;
mod expand;
#[cfg(test)]
mod tests;

pub(crate) use expand::expand;
