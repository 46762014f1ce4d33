//! Explores the papers' programs and prints how many sequences they have, beside the papers' numbers. Fails if one differs.
//!
//! ```console
//! cargo run -p target-checks --example counts
//! ```

#![expect(clippy::print_stdout, reason = "that is what it is for")]

use std::process::ExitCode;

use target_checks::papers;

fn main() -> Result<ExitCode, String> {
    let line = |cells: [&str; 5]| {
        let [program, input, expected, found, source] = cells;
        println!("{program:<45} {input:<42} {expected:>8} {found:>8}  {source}");
    };
    line(["program", "input", "expected", "found", "expected by"]);
    let (counts, mut wrong) = (papers()?, 0);
    for count in &counts {
        let program = format!("{} {}", count.package, count.program);
        let found = count.explore().map_err(|why| format!("{program}: {why}"))?;
        let source = match count.paper {
            Some(paper) => paper.to_string(),
            None if count.program == "fan_in" => "n!".to_owned(),
            None => "all interleavings".to_owned(),
        };
        let mark = if found == count.sequences { "" } else { "  DIFFERS" };
        wrong += usize::from(found != count.sequences);
        line([
            &program,
            &count.configuration(),
            &count.sequences.to_string(),
            &found.to_string(),
            &format!("{source}{mark}"),
        ]);
    }
    println!("{} of {} are as expected", counts.len() - wrong, counts.len());
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
