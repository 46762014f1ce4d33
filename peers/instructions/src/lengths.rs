//! The table of lengths: what executions of 1,000 to 1,000,000 events cost, and how much more that is each time they are ten
//! times as long.

use crate::build::{Binary, Build};
use crate::callgrind;
use anyhow::{Context, ensure};
use insyn_peers_programs::lengths::Construct;
use insyn_peers_programs::numbers::grouped;
use std::fmt::Write as _;

/// The file of the committed table, from the root of the repository.
pub(crate) const NAME: &str = "docs/lengths.md";
const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/lengths.md");
/// The binary that explores programs of any length.
const BINARY: &str = "insyn-peers-lengths";

/// The lengths, in events. Each is ten times the one before it.
const LENGTHS: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];
/// How many variants are run after the first execution.
const VARIANTS: u64 = 2;
/// Ten times the events may cost this many times as much.
const MOST: f64 = 12.0;
/// The engine's tables are powers of two: 10,000 events take one of 16 times the size that 1,000 take, though longer steps one of
/// 8 times. This is what that first step may take of memory.
const MOST_OF_TABLES: f64 = 16.0;

/// What a program of one length costs.
struct Row {
    construct: Construct,
    events: usize,
    first: Cost,
    /// One more variant; none if the program has no variants.
    variant: Option<Cost>,
}

/// What it takes to run something.
#[derive(Clone, Copy)]
struct Cost {
    instructions: u64,
    /// The most bytes in use, from the start of the exploration on.
    memory: u64,
}

/// Measures all programs up to a length, and returns the table with what is wrong with it.
pub(crate) fn table(longest: usize) -> anyhow::Result<(String, Vec<String>)> {
    let binary = Build::Release.binary(BINARY)?;
    let mut rows: Vec<Row> = Vec::new();
    for construct in Construct::ALL {
        for events in LENGTHS.into_iter().filter(|&events| events <= longest) {
            rows.push(measure(&binary, construct, events)?);
        }
    }
    Ok((render(&rows), missed(&rows)))
}

/// Writes the table to the file.
pub(crate) fn write(table: &str) -> anyhow::Result<()> {
    std::fs::write(PATH, table).with_context(|| format!("cannot write {NAME}"))
}

fn measure(binary: &Binary, construct: Construct, events: usize) -> anyhow::Result<Row> {
    let run = |executions: u64| -> anyhow::Result<Cost> {
        let key = construct.key();
        let arguments = [key.to_owned(), events.to_string(), executions.to_string()];
        let (instructions, output) = callgrind::measure(binary, &format!("lengths.{key}"), &arguments)?;
        let memory = output.trim().parse().with_context(|| format!("{key} has printed {output:?}"))?;
        Ok(Cost { instructions, memory })
    };
    let first = run(1)?;
    let variant = match construct.is_deterministic() {
        true => None,
        false => {
            let all = run(1 + VARIANTS)?;
            ensure!(all.instructions > first.instructions, "{construct}: variants take no instructions");
            let instructions = (all.instructions - first.instructions) / VARIANTS;
            Some(Cost { instructions, memory: all.memory })
        }
    };
    Ok(Row { construct, events, first, variant })
}

/// How many times the costs of a tenth of the events these are: instructions and memory.
fn ratios(now: Cost, before: Option<Cost>) -> Option<[f64; 2]> {
    let before = before?;
    Some([now.instructions as f64 / before.instructions as f64, now.memory as f64 / before.memory as f64])
}

/// The row of the same program at a tenth of the length.
fn shorter<'a>(rows: &'a [Row], row: &Row) -> Option<&'a Row> {
    rows.iter().find(|it| it.construct == row.construct && it.events * 10 == row.events)
}

/// Every ratio that is too large, as a sentence each.
fn missed(rows: &[Row]) -> Vec<String> {
    let mut missed = Vec::new();
    for row in rows {
        let Some(before) = shorter(rows, row) else { continue };
        let first = ratios(row.first, Some(before.first));
        let variant = row.variant.and_then(|now| ratios(now, before.variant));
        let most_bytes = if before.events == LENGTHS[0] { MOST_OF_TABLES } else { MOST };
        for (what, ratios) in [("the first execution", first), ("a variant", variant)] {
            let mosts = [("instructions", MOST), ("bytes", most_bytes)];
            for ((of, most), ratio) in mosts.into_iter().zip(ratios.into_iter().flatten()) {
                if ratio > most {
                    let Row { construct, events, .. } = row;
                    missed.push(format!(
                        "{construct}: {what} of {events} events takes {ratio:.1} times the {of} of a tenth of that, not \
                         {most}"
                    ));
                }
            }
        }
    }
    missed
}

fn render(rows: &[Row]) -> String {
    let mut text = String::from(
        "# Executions of any length\n\n\
         Written by `cargo instructions --lengths --save` in `peers/`; with `--check` it fails if ten times the events cost more\n\
         than 12 times as much. Instructions are counted by callgrind, in the release build of the peers; memory is the most that\n\
         was in use on the heap. The engine's tables are powers of two, so the step from 1,000 to 10,000 events takes 12 to 15\n\
         times the memory, and those after it 8 or 9 times; that first step may take 16 times.\n\n\
         *First* is a whole process with one execution, so the shortest ones also pay for its start. *Variant* is one more\n\
         execution, which changes a pick of an earlier one; the memory beside it is that of the first execution and two variants\n\
         together. In brackets: how many times the row above.\n\n\
         | program | events | first: instructions | first: memory | variant: instructions | with variants: memory |\n\
         |---|--:|--:|--:|--:|--:|\n",
    );
    for row in rows {
        let before = shorter(rows, row);
        let first = cells(Some(row.first), before.map(|it| it.first));
        let variant = cells(row.variant, before.and_then(|it| it.variant));
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} |",
            row.construct,
            grouped(row.events as u64),
            first[0],
            first[1],
            variant[0],
            variant[1]
        );
    }
    text
}

/// Instructions and memory, each with its ratio if there is one.
fn cells(now: Option<Cost>, before: Option<Cost>) -> [String; 2] {
    let Some(now) = now else { return ["–", "–"].map(str::to_owned) };
    let ratios = ratios(now, before);
    let ratio = |n: usize| ratios.map(|it| format!(" ({:.1})", it[n])).unwrap_or_default();
    let instructions = format!("{} million", tenths(now.instructions, 1_000_000));
    let memory = format!("{} MB", tenths(now.memory, 1_000_000));
    [instructions + &ratio(0), memory + &ratio(1)]
}

/// A number in units of another, with one digit after the point.
fn tenths(number: u64, unit: u64) -> String {
    let tenths = (number * 10 + unit / 2) / unit;
    format!("{}.{}", grouped(tenths / 10), tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(events: usize, instructions: u64, memory: u64) -> Row {
        let cost = Cost { instructions, memory };
        Row { construct: Construct::Locks, events, first: cost, variant: Some(cost) }
    }

    #[test]
    fn a_decade_may_cost_twelve_times() {
        assert_eq!(missed(&[row(1_000, 100, 100), row(10_000, 1_200, 1_600)]), [""; 0]);
        assert_eq!(missed(&[row(10_000, 100, 100), row(100_000, 1_200, 1_201)]).len(), 2);
        let sentences = missed(&[row(1_000, 100, 100), row(10_000, 1_300, 1_000)]);
        assert_eq!(sentences.len(), 2);
        assert_eq!(
            sentences[0],
            "two threads and a `Mutex`: the first execution of 10000 events takes 13.0 times the instructions of a tenth \
             of that, not 12"
        );
    }

    #[test]
    fn numbers_are_grouped_and_rounded() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(tenths(1_234_560_000, 1_000_000), "1,234.6");
    }
}
