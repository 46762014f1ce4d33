//! What the tests of all targets check.
//!
//! [`counts`]: each program has the sequences that `expected.yaml` says. [`confirm`]: so it has when all interleavings are
//! tried. [`sources`]: a realistic program was annotated by adding attributes only, and its version with a bug differs from
//! it in that bug only.

mod confirm;
mod counts;
mod sources;

pub use confirm::confirm;
pub use counts::counts;
pub use sources::sources;
