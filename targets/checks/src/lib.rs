//! What the tests of all targets check.
//!
//! [`counts`]: each program has the sequences that `expected.yaml` says, and ends as `reports/golden` has it. [`verdicts`]: it is what its specification says,
//! and its IN-SYN tests pass; `reports/golden` has it in words. [`executions`]: what a test costs. [`confirm`]: so it has when all interleavings are
//! tried, of a size that lets them be; [`sampled`]: so it has when many are tried at random. [`replays`]: a failing test
//! names files that bring its failures about again. [`sources`]: a realistic program was annotated by adding attributes only, and its version with a bug differs from
//! it in that bug only. [`papers`]: what the papers count, for the example `counts`.

mod confirm;
mod counts;
mod golden;
mod papers;
mod replays;
mod sources;
mod verdicts;
mod worker;

pub use confirm::{confirm, sampled};
pub use counts::counts;
pub use papers::{Count, Paper, papers};
pub use replays::replays;
pub use sources::sources;
pub use verdicts::{executions, verdicts};
