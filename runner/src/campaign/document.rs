//! The document of a campaign, from what is known of its mutants.

use std::collections::BTreeMap;

use anyhow::Result;
use insyn::program::protocol;
use insyn_mutator::{Family, Mutant as Found};
use insyn_reports::PHASES;
use insyn_reports::campaign::{
    Campaign, Departure, Distinguishing, Ending, Kill, Mutant, Outcome, Program, Status, Test, VERSION,
    Validity, Variant,
};

use super::original::Original;
use super::state::{Fate, With};

/// All that a document is made of.
pub(crate) struct Material<'a> {
    pub(crate) package: &'a str,
    /// Every mutant that was found, those that are not wanted among them, with its number if it has one.
    pub(crate) mutants: &'a [(Option<u32>, Found)],
    pub(crate) sources: &'a BTreeMap<String, String>,
    pub(crate) originals: &'a [Original],
    pub(crate) unviable: &'a BTreeMap<u32, String>,
    pub(crate) builds: u32,
    pub(crate) fates: &'a BTreeMap<u32, Fate>,
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

/// The tests of all programs, collected ones first; and where those of each program are: a place for each of its own.
fn tests(originals: &[Original]) -> (Vec<Test>, Vec<Vec<usize>>) {
    let mut tests = Vec::new();
    let mut places: Vec<Vec<usize>> = originals.iter().map(|it| vec![0; it.surveyed.tests.len()]).collect();
    for phase in PHASES {
        for (program, original) in originals.iter().enumerate() {
            let surveyed = &original.surveyed;
            for (n, test) in surveyed.tests.iter().enumerate() {
                if (n < surveyed.collected) == (phase == PHASES[0]) {
                    places[program][n] = tests.len();
                    tests.push(Test {
                        program,
                        phase: phase.to_owned(),
                        name: test.name.clone(),
                        input: test.input.clone(),
                        sequence: test.sequence.clone(),
                        original: outcome(&test.original),
                        file: test.file.clone(),
                        steps: test.steps.clone(),
                        variant: test
                            .variant_of
                            .map(|of| Variant { of: places[program][of], changes: test.changes.clone() }),
                    });
                }
            }
        }
    }
    (tests, places)
}

fn outcome(reaction: &protocol::Reaction) -> Outcome {
    let ending =
        |it: &protocol::Outcome| Ending { termination: it.termination.clone(), output: it.output.clone() };
    Outcome {
        verdict: reaction.verdict.clone(),
        results: reaction.results.iter().map(ending).collect(),
        why: reaction.why.clone(),
    }
}

fn departure(it: &protocol::Departure) -> Departure {
    match it.clone() {
        protocol::Departure::At { event, mutant, original } => Departure::At { event, mutant, original },
        protocol::Departure::Nowhere => Departure::Nowhere,
        protocol::Departure::Unknown => Departure::Unknown,
    }
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
    match material.fates.get(&number) {
        Some(fate) if !fate.with.is_empty() => judge(&mut mutant, fate, places),
        Some(_) => {
            mutant.status = Status::Unreached;
            "no program ever comes to the code that it changes".clone_into(&mut mutant.reason);
        }
        None => {
            mutant.status = Status::Pending;
            "it is in another part of the campaign".clone_into(&mut mutant.reason);
        }
    }
    Ok(mutant)
}

/// What became of a mutant, from what became of it with each program.
fn judge(mutant: &mut Mutant, fate: &Fate, places: &[Vec<usize>]) {
    let (mut died, mut unknown) = (Vec::new(), Vec::new());
    let (mut is_whole, mut overflows) = (true, false);
    mutant.all_kills = true;
    for (&program, with) in &fate.with {
        match with {
            With::Died(how) => died.push(how.clone()),
            With::Refused(why) => unknown.push(why.clone()),
            With::Compared(compared) => {
                mutant.all_kills &= compared.all;
                is_whole &= compared.whole;
                overflows |= compared.overflows;
                unknown.extend(compared.unknown.clone());
                mutant.kills.extend(compared.kills.iter().map(|kill| Kill {
                    test: places[program][kill.test],
                    difference: kill.difference.clone(),
                    event: kill.event,
                    departure: kill.departure.as_ref().map(departure),
                    mutant: outcome(&kill.mutant),
                }));
                if let (None, Some(it)) = (&mutant.distinguishing, &compared.distinguishing) {
                    mutant.distinguishing = Some(Distinguishing {
                        program,
                        sequence: it.sequence.clone(),
                        event: it.event,
                        departure: it.departure.as_ref().map(departure),
                        mutant: outcome(&it.mutant),
                        original: outcome(&it.original),
                        file: it.file.clone(),
                        steps: it.steps.clone(),
                        test: Some(it.test.clone()),
                    });
                }
            }
        }
    }
    mutant.kills.sort_by_key(|kill| kill.test);
    mutant.all_kills &= died.is_empty() && unknown.is_empty();
    mutant.status = match (mutant.kills.is_empty() && died.is_empty(), &mutant.distinguishing) {
        (false, _) => Status::Distinguished,
        (true, Some(_)) => Status::Survived,
        (true, None) if unknown.is_empty() => Status::Equivalent,
        (true, None) => Status::Undecided,
    };
    mutant.reason = match mutant.status {
        Status::Equivalent => {
            let seen = if is_whole { "" } else { "as far as the specification sees, " };
            format!("{seen}all its sequences and their results are those of the original")
        }
        Status::Undecided => unknown.remove(0),
        _ => match died.first() {
            Some(how) => how.clone(),
            None if overflows => "it runs out of stack".to_owned(),
            None => String::new(),
        },
    };
    if mutant.status != Status::Survived {
        mutant.distinguishing = None;
    }
}
