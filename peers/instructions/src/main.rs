//! Counts the instructions that insyn takes for each sequence of a program, and compares them with the committed figures.
//!
//! The flow: [`build`] has cargo build the programs, once for each build that is measured; [`callgrind`] counts their
//! instructions; [`figures`] is the file of committed figures; [`table`] shows both side by side and [`goals`] judges them.
//! [`lengths`] does all of that for the table of lengths.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "printing the results is what the program is for"
)]

mod build;
mod callgrind;
mod figures;
mod goals;
mod lengths;
mod table;

use anyhow::ensure;
use build::Build;
use clap::Parser;
use figures::Figures;
use insyn_peers_programs::measured::{Extent, Measured};
use std::process::ExitCode;
use table::Row;

/// Counts the instructions that insyn takes for each sequence, and compares them with the committed figures.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Exit with 1 if a row or a sum is too far above the committed figures.
    #[arg(long)]
    check: bool,
    /// Write the figures to the file of committed figures, or the table of lengths to its file.
    #[arg(long, conflicts_with = "programs")]
    save: bool,
    /// Measure executions of 1,000 to 1,000,000 events instead, and how their costs grow.
    #[arg(long, conflicts_with = "programs")]
    lengths: bool,
    /// The longest executions, in events.
    #[arg(
        long,
        value_name = "EVENTS",
        requires = "lengths",
        conflicts_with = "save",
        default_value_t = 1_000_000
    )]
    longest: usize,
    /// Measure these programs only.
    #[arg(value_name = "PROGRAM", value_parser = keys())]
    programs: Vec<String>,
}

/// What programs are called on the command line.
fn keys() -> Vec<&'static str> {
    Measured::all().into_iter().map(|measured| measured.key).collect()
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(goals_met) => ExitCode::from(u8::from(!goals_met)),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Does what was asked for; false if a goal that was to be checked is missed.
fn run(arguments: &Arguments) -> anyhow::Result<bool> {
    let valgrind = callgrind::version()?;
    if arguments.lengths {
        return measure_lengths(arguments);
    }
    let committed = Figures::read()?;
    let rows = measure(&arguments.programs, committed.as_ref())?;
    println!("{}", table::render(&rows));

    let measured = Figures::of(&rows, valgrind)?;
    if arguments.save {
        measured.write()?;
        println!("saved the figures of {} to {}", measured.commit, figures::NAME);
        return Ok(true);
    }
    if let Some(committed) = &committed {
        println!("committed figures: {}", committed.origin());
        for difference in committed.differences(&measured) {
            println!("note: {difference}");
        }
    }
    let missed = goals::missed(&rows);
    for goal in &missed {
        println!("missed: {goal}");
    }
    Ok(!arguments.check || missed.is_empty())
}

/// Measures executions of growing length; false if that was to be checked and they cost too much.
fn measure_lengths(arguments: &Arguments) -> anyhow::Result<bool> {
    let (table, missed) = lengths::table(arguments.longest)?;
    println!("{table}");
    for goal in &missed {
        println!("missed: {goal}");
    }
    if arguments.save {
        lengths::write(&table)?;
        println!("saved to {}", lengths::NAME);
    }
    Ok(!arguments.check || missed.is_empty())
}

/// Measures every program, or those with these keys, in every build.
fn measure(keys: &[String], committed: Option<&Figures>) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for build in Build::ALL {
        let binary = build.binary(build::PROGRAMS)?;
        for program in Measured::all() {
            if !keys.is_empty() && !keys.iter().any(|key| key == program.key) {
                continue;
            }
            eprintln!("{} ({})", program.title, build.name());
            let now = instructions(&binary, &program)?;
            let before = committed.and_then(|figures| figures.get(build, &program));
            rows.push(Row { program, build, now, before });
        }
    }
    Ok(rows)
}

/// At least so many sequences are run beyond the warm-up, so that what comes now and then is spread over many.
const LEAST_SEQUENCES: u64 = 500;

/// The instructions for one sequence of a program, or for one execution where only the first ones are run.
///
/// The program is explored n times in one process and 2n times in another; the difference is what n explorations take once
/// everything is warm. What processes do once, from loading to filling pools of stacks, is in both counts.
fn instructions(binary: &build::Binary, program: &Measured) -> anyhow::Result<f64> {
    let (Extent::All(runs) | Extent::First(runs)) = program.extent;
    let times = match program.extent {
        Extent::All(sequences) => LEAST_SEQUENCES.div_ceil(sequences),
        Extent::First(_) => 1,
    };
    let once = callgrind::count(binary, program, times)?;
    let twice = callgrind::count(binary, program, 2 * times)?;
    ensure!(
        once < twice,
        "{}: {times} explorations take {once} instructions, twice as many {twice}",
        program.title
    );
    Ok(figures::rounded((twice - once) as f64 / (times * runs) as f64))
}
