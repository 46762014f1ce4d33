//! An independent check of the exploration: random small programs, and a brute-force enumeration of their behaviours.
//!
//! [`generate`] makes a [`program`] from a seed. [`enumerate`] walks through all of its interleavings with state
//! machines of its own, which share nothing with the engine. [`interpret`] runs the same program on the library,
//! and [`tokens`] converts the resulting sequences into the form of the enumeration. [`shrink`] makes a
//! program on which the two disagree smaller. [`known`] and [`constructs`] check the checkers: counts known from
//! elsewhere, and that no construct is left out.

pub(crate) mod constructs;
pub(crate) mod enumerate;
pub(crate) mod generate;
pub(crate) mod interpret;
pub(crate) mod known;
pub(crate) mod program;
pub(crate) mod random;
pub(crate) mod shrink;
pub(crate) mod tokens;
