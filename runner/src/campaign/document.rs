//! Makes the document of a campaign from the results of its mutants.

use std::collections::BTreeMap;

use anyhow::Result;
use insyn_mutator::{Family, Mutant as Found, Numbered};
use insyn_verdicts::campaign::{Campaign, Mutant, Phase, Program, Test, VERSION, Validity, Variant};
use insyn_verdicts::mutant::{Distinguishing, Kill, Rejection};
use insyn_verdicts::protocol::Compared;
use insyn_verdicts::{KillKind, Status, Verdict};

use super::original::Original;
use super::state::{MutantResult, ProgramResult};

/// All that a document is made of.
pub(crate) struct Material<'a> {
    pub(crate) package: &'a str,
    /// Every mutant that was found, including those that are not selected, with its number if it has one.
    pub(crate) mutants: &'a [(Option<u32>, Found)],
    pub(crate) sources: &'a BTreeMap<String, String>,
    pub(crate) originals: &'a [Original],
    pub(crate) unviable: &'a BTreeMap<u32, String>,
    pub(crate) builds: u32,
    pub(crate) results: &'a BTreeMap<u32, MutantResult>,
}

/// Whether a result can belong to this campaign: it is the result of one of its mutants, and names only existing programs
/// and tests.
pub(crate) fn fits(result: &MutantResult, mutants: &[Numbered], originals: &[Original]) -> bool {
    let mutant = mutants.binary_search_by_key(&result.number, |it| it.number).map(|n| &mutants[n]);
    let is_with = |(program, with): (&usize, &ProgramResult)| {
        originals.get(*program).is_some_and(|original| match with {
            ProgramResult::Compared(it) => {
                it.kills.iter().all(|kill| kill.test < original.surveyed.tests.len())
            }
            _ => true,
        })
    };
    mutant.is_ok_and(|it| it.mutant.id() == result.id) && result.with.iter().all(is_with)
}

/// Makes the document.
pub(crate) fn make(material: &Material<'_>) -> Result<Campaign> {
    let (tests, firsts) = tests(material.originals);
    let mut details = Vec::new();
    for (number, found) in material.mutants {
        details.push(mutant(material, *number, found, &firsts)?);
    }
    let mut campaign = Campaign {
        version: VERSION,
        package: material.package.to_owned(),
        builds: material.builds,
        programs: material.originals.iter().map(program).collect(),
        tests,
        details,
        sources: material.sources.clone(),
        ..Campaign::default()
    };
    campaign.tally(&Family::ALL.map(Family::name));
    Ok(campaign)
}

fn program(original: &Original) -> Program {
    let Original { program, surveyed, checked, .. } = original;
    let comparison = checked.as_ref().and_then(|it| it.comparison.as_ref());
    Program {
        name: program.name.clone(),
        input: surveyed.input.clone(),
        sequences: surveyed.sequences,
        complete: surveyed.complete,
        validity: comparison.map(|it| Validity {
            feasible_valid: it.feasible_valid,
            feasible_invalid: it.feasible_invalid,
            infeasible_valid: it.infeasible_valid,
            infeasible_invalid: it.infeasible_invalid,
        }),
    }
}

/// The tests of all programs, collected ones first; and for each program, the places of its own tests among them.
fn tests(originals: &[Original]) -> (Vec<Test>, Vec<Vec<usize>>) {
    let mut tests = Vec::new();
    let mut places: Vec<Vec<usize>> = originals.iter().map(|it| vec![0; it.surveyed.tests.len()]).collect();
    for phase in Phase::ALL {
        for (program, original) in originals.iter().enumerate() {
            for (n, test) in original.surveyed.tests.iter().enumerate() {
                if test.phase == phase {
                    places[program][n] = tests.len();
                    let variant = test
                        .variant
                        .as_ref()
                        .map(|it| Variant { of: places[program][it.of], changes: it.changes.clone() });
                    tests.push(Test { program, variant, ..test.clone() });
                }
            }
        }
    }
    (tests, places)
}

fn mutant(
    material: &Material<'_>,
    number: Option<u32>,
    found: &Found,
    places: &[Vec<usize>],
) -> Result<Mutant> {
    let source = material.sources.get(&found.file).map_or("", String::as_str);
    let position = |at: insyn_mutator::Position| (at.line, at.column);
    let mut mutant = Mutant {
        id: found.id(),
        operator: found.operator.code.to_owned(),
        family: found.operator.family.name().to_owned(),
        file: found.file.clone(),
        start: position(found.extent.start),
        end: position(found.extent.end),
        function: found.function.clone(),
        description: found.change(source)?,
        replacement: found.replacement.clone(),
        diff: found.diff(source)?,
        ..Mutant::default()
    };
    let Some(number) = number else {
        mutant.status = Status::Skipped;
        mutant.reason = found.skipped.clone().unwrap_or_default();
        return Ok(mutant);
    };
    if let Some(reason) = material.unviable.get(&number) {
        mutant.status = Status::Unviable;
        mutant.reason.clone_from(reason);
        return Ok(mutant);
    }
    match material.results.get(&number) {
        Some(result) if !result.with.is_empty() => judge(&mut mutant, result, places),
        Some(_) => {
            mutant.status = Status::Unreached;
            "no program reaches the code that it changes".clone_into(&mut mutant.reason);
        }
        None => {
            mutant.status = Status::Pending;
            "it is in another part of the mutation run".clone_into(&mut mutant.reason);
        }
    }
    Ok(mutant)
}

/// The verdict on a mutant, from its results with each program.
fn judge(mutant: &mut Mutant, result: &MutantResult, places: &[Vec<usize>]) {
    let verdict = Verdict::of_all(result.with.values().map(ProgramResult::verdict));
    mutant.all_kills = true;
    for (&program, result) in &result.with {
        // The reason comes from the first program with the verdict that counts.
        let counts = Some(result.verdict()) == verdict && mutant.reason.is_empty();
        match result {
            ProgramResult::Died(how) => {
                mutant.died = true;
                mutant.all_kills = false;
                mutant.rejections.push(Rejection {
                    program,
                    kind: KillKind::Exploration,
                    why: how.clone(),
                    sequence: Vec::new(),
                    event: None,
                    file: None,
                    steps: Vec::new(),
                });
            }
            ProgramResult::Refused(why) | ProgramResult::Disturbed(why) => {
                mutant.all_kills = false;
                if counts {
                    mutant.reason.clone_from(why);
                }
            }
            ProgramResult::Compared(compared) => {
                let Compared { reason, rejections, kills, all_kills, distinguishing, .. } = &**compared;
                mutant.all_kills &= all_kills;
                mutant.rejections.extend(rejections.iter().map(|it| Rejection { program, ..it.clone() }));
                let place = |kill: &Kill| Kill { test: places[program][kill.test], ..kill.clone() };
                mutant.kills.extend(kills.iter().map(place));
                if counts {
                    mutant.reason.clone_from(reason);
                    if mutant.distinguishing.is_none() {
                        let place = |it: &Distinguishing| Distinguishing { program, ..it.clone() };
                        mutant.distinguishing = distinguishing.as_ref().map(place);
                    }
                }
            }
        }
    }
    mutant.rejections.sort_by_key(|it| it.kind);
    mutant.kills.sort_by_key(|kill| kill.test);
    match verdict {
        Some(Verdict::Killed(kind)) => {
            mutant.killed_by = Some(kind);
            mutant.reason = mutant.rejections.first().map(|it| it.why.clone()).unwrap_or_default();
        }
        Some(Verdict::Survived(survival)) => mutant.survival = Some(survival),
        _ => {}
    }
    mutant.status = verdict.map_or(Status::Unreached, Verdict::status);
}
