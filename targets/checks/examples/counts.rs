//! Explores the papers' programs and prints how many sequences they have, beside the papers' numbers. Fails if one differs.
//! Names of packages leave out the others.
//!
//! ```console
//! cargo run -p target-checks --example counts
//! cargo run -p target-checks --example counts fan-in prod-cons
//! ```

#![expect(clippy::print_stdout, reason = "that is what it is for")]

use std::env;

use target_checks::{Count, papers, table};

fn main() -> Result<(), String> {
    let wanted: Vec<String> = env::args().skip(1).collect();
    let mut counts = papers()?;
    counts.retain(|count| wanted.is_empty() || wanted.contains(&count.package));
    table(&counts, Count::explore, |line| println!("{line}"))
}
