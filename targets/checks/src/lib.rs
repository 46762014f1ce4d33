//! What the tests of all targets check.
//!
//! [`counts`]: each program has the sequences that `expected.yaml` says. [`verdicts`]: it is what its specification says,
//! and its IN-SYN tests pass. [`executions`]: what a test costs. [`confirm`]: so it has when all interleavings are
//! tried. [`sources`]: a realistic program was annotated by adding attributes only, and its version with a bug differs from
//! it in that bug only. [`papers`]: what the papers count, for the example `counts`.

mod confirm;
mod counts;
mod papers;
mod sources;
mod verdicts;
mod worker;

pub use confirm::confirm;
pub use counts::counts;
pub use papers::{Count, Paper, papers};
pub use sources::sources;
pub use verdicts::{executions, verdicts};
