//! What the tests of all targets check.
//!
//! [`counts`]: each program has the sequences that `expected.yaml` says. [`sources`]: a realistic program was annotated by
//! adding attributes only, and its version with a bug differs from it in that bug only.

mod counts;
mod sources;

pub use counts::counts;
pub use sources::sources;
