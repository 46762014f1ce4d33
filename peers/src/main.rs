//! Runs the same programs on insyn and on the tools a user would pick instead, and prints one table of ratios.
//!
//! The flow: [`insyn_peers::program`] names the programs; a `*_programs` module for each tool, and [`floor`], hold
//! their texts and run them (loom's are in a binary of their own, see [`loom_process`]; insyn's in
//! [`insyn_peers_programs::on_insyn`], where other measures find them too); [`comparison`] takes the times; [`table`]
//! shows them and [`goals`] judges them. [`memory`] and [`workers`] are measures of insyn alone.
#![expect(clippy::print_stdout, reason = "printing the results is what the program is for")]

mod comparison;
mod floor;
mod goals;
mod insyn_programs;
mod loom_process;
mod memory;
mod shuttle_programs;
mod table;
mod traceforge_programs;
mod workers;

use anyhow::bail;
use clap::Parser;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;

/// Compares insyn with TraceForge, loom, shuttle and a bare loop over coroutines.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Exit with 1 if a goal is missed or a number of sequences differs.
    #[arg(long)]
    check: bool,
    /// Instead of the table: the heap after few and after many sequences.
    #[arg(long)]
    memory: bool,
    /// Instead of the table: the time of one worker and of two.
    #[arg(long)]
    workers: bool,
}

fn main() -> anyhow::Result<ExitCode> {
    let arguments = Arguments::parse();
    if cfg!(debug_assertions) {
        bail!("the times of a debug build mean nothing: run with --release");
    }
    let mut missed = Vec::new();
    if arguments.memory {
        let (text, memory_missed) = memory::measure();
        println!("{text}");
        missed.extend(memory_missed);
    }
    if arguments.workers {
        let (text, workers_missed) = workers::measure();
        println!("{text}");
        missed.extend(workers_missed);
    }
    if !arguments.memory && !arguments.workers {
        let rows = comparison::compare_all()?;
        println!("{}", table::render(&rows));
        missed.extend(goals::missed(&rows));
    }
    for goal in &missed {
        println!("missed: {goal}");
    }
    Ok(if arguments.check && !missed.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
