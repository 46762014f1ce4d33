//! What the tests of all targets check.
//!
//! [`counts`]: each program has the sequences that `expected.yaml` says, and ends as `reports/golden` has it. [`verdicts`]: it
//! is what its specification says, and its IN-SYN tests pass; `reports/golden` has it in words. [`executions`]: what a test
//! costs. [`confirm`]: so many sequences it has when all interleavings are tried, of a size that lets them be. [`replays`]: a
//! failing test names files that bring its failures about again. [`sources`]: a realistic program was annotated by adding
//! attributes only, and its version with a bug differs from it in that bug only. [`papers`]: what the papers count, and
//! [`table`]: whether it comes out, for the example `counts`.

mod confirm;
mod counts;
mod golden;
mod papers;
mod replays;
mod sources;
mod verdicts;
mod worker;

pub use confirm::confirm;
pub use counts::counts;
pub use papers::{Count, Paper, papers, table};
pub use replays::replays;
pub use sources::sources;
pub use verdicts::{executions, verdicts};
