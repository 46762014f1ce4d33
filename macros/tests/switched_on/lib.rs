//! The macros, switched on. The features of a procedural macro that is being tested are not those it is tested with.

pub use insyn_macros::*;
