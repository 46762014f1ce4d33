//! Many files of results, most of them intact: no panic, bounded memory, and never a result that was not written.

use std::collections::BTreeMap;
use std::path::Path;

use insyn_generator::{Limit, Tape, check, yaml};
use insyn_verdicts::mutant::{Departure, Difference, Distinguishing, Kill, Rejection, Survival};
use insyn_verdicts::protocol::Compared;
use insyn_verdicts::{KillKind, Verdict};
use serde_json::json;

use super::{Found, MutantResult, ProgramResult, line, parse};

const MEMORY: Limit = Limit { base: 256 << 10, per_byte: 64 };

/// Texts that programs and compilers write.
const TEXTS: [&str; 6] =
    ["deadlock", "", "two\nlines", "\"quoted\\\"", "é🦀\u{202e}", "{\"checksum\":\"0\",\"content\":1}"];

fn text(tape: &mut Tape<'_>) -> String {
    tape.word(&TEXTS).to_owned()
}

fn texts(tape: &mut Tape<'_>) -> Vec<String> {
    (0..tape.up_to(2)).map(|_| text(tape)).collect()
}

fn compared(tape: &mut Tape<'_>) -> Compared {
    let kind = *tape.pick(&KillKind::ALL);
    let rejection = |tape: &mut Tape<'_>| Rejection {
        program: 0,
        kind: *tape.pick(&KillKind::ALL),
        why: text(tape),
        sequence: texts(tape),
        event: tape.chance(50).then(|| tape.up_to(9)),
        file: tape.chance(20).then(|| text(tape)),
        steps: texts(tape),
    };
    let departure = |tape: &mut Tape<'_>| match tape.below(3) {
        0 => Departure::At { event: text(tape), mutant: text(tape), original: text(tape) },
        1 => Departure::Nowhere,
        _ => Departure::Unknown,
    };
    let kill = |tape: &mut Tape<'_>| Kill {
        test: tape.up_to(9),
        difference: *tape.pick(&Difference::ALL),
        event: tape.chance(50).then(|| tape.up_to(9)),
        departure: tape.chance(50).then(|| departure(tape)),
        mutant: serde_json::from_value(json!({"verdict": "feasible", "results": [], "why": text(tape)}))
            .expect("a reaction"),
    };
    Compared {
        executions: tape.integer().unsigned_abs(),
        verdict: match tape.below(4) {
            0 => Verdict::Killed(kind),
            1 => Verdict::Survived(*tape.pick(&[Survival::Missing, Survival::Allowed])),
            2 => Verdict::Undecided,
            _ => Verdict::Equivalent,
        },
        reason: text(tape),
        rejections: (0..tape.up_to(1)).map(|_| rejection(tape)).collect(),
        kills: (0..tape.up_to(1)).map(|_| kill(tape)).collect(),
        all_kills: tape.chance(50),
        distinguishing: tape
            .chance(20)
            .then(|| Distinguishing { sequence: texts(tape), ..Distinguishing::default() }),
    }
}

fn result(tape: &mut Tape<'_>, number: u32) -> MutantResult {
    let with = (0..tape.up_to(2)).map(|program| {
        let result = match tape.below(5) {
            0 => ProgramResult::Died(text(tape)),
            1 => ProgramResult::Refused(text(tape)),
            2 => ProgramResult::Disturbed(text(tape)),
            _ => ProgramResult::Compared(Box::new(compared(tape))),
        };
        (program, result)
    });
    let with = with.collect();
    MutantResult { number, id: id(number), with }
}

fn id(number: u32) -> String {
    format!("GBS-{number:08x}")
}

/// The expected result of reading a file: the results, and the least number of damaged lines.
#[derive(Debug, Default)]
struct Meant {
    /// Every result that was written for this campaign, by mutant.
    written: BTreeMap<u32, Vec<MutantResult>>,
    damaged: usize,
}

fn results(tape: &mut Tape<'_>) -> (String, Meant) {
    let (mut file, mut meant) = (String::new(), Meant::default());
    for _ in 0..tape.up_to(6) {
        let number = tape.up_to(4) as u32;
        let result = result(tape, number);
        match tape.below(20) {
            // Of another campaign, of another mutant, or of nothing.
            0 => {
                file += &line("another", &result).expect("a line");
                meant.damaged += 1;
            }
            1 => {
                file += &line("key", &MutantResult { id: id(99), ..result }).expect("a line");
                meant.damaged += 1;
            }
            2 => {
                file += &format!("{{{}}}\n", tape.word(&yaml::WORDS));
                meant.damaged += 1;
            }
            other => {
                // The same again, or something else about the same mutant.
                let again = meant.written.get(&result.number).map(|all| all[0].clone());
                let result = again.filter(|_| other < 14).unwrap_or(result);
                file += &line("key", &result).expect("a line");
                meant.written.entry(result.number).or_default().push(result);
            }
        }
    }
    if tape.chance(20) {
        // A line that was cut.
        let cut = line("key", &result(tape, 9)).expect("a line");
        file.extend(cut.chars().take(tape.below(40)));
    }
    (file, meant)
}

#[test]
fn results_are_what_was_written() {
    // A text counts as accepted if it has a result for a mutant.
    let read = |text: &str| {
        let fits = |result: &MutantResult| result.id == id(result.number);
        parse(Path::new("results.jsonl"), text.as_bytes(), "key", fits)
            .ok()
            .filter(|found| !found.known.is_empty())
    };
    check("results", MEMORY, results, read, |_, found: Found, meant, is_whole| {
        for (number, result) in &found.known {
            assert!(meant.written[number].contains(result), "{number} is what was never written");
        }
        if is_whole {
            // If all records of a mutant agree, it has a result; otherwise it has none.
            let agree = |all: &Vec<MutantResult>| all.iter().all(|it| *it == all[0]);
            let known: BTreeMap<u32, MutantResult> = meant
                .written
                .iter()
                .filter(|(_, all)| agree(all))
                .map(|(number, all)| (*number, all[0].clone()))
                .collect();
            assert_eq!(found.known, known);
            assert!(found.damaged.len() >= meant.damaged);
        }
    });
}
