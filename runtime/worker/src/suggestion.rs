//! Suggests tests: edits sequences that a program does into sequences that it must not do.
//!
//! If the program is right, its sequences are valid. A sequence with one event moved to another place usually is not, and
//! then some rule of the specification rejects it. A mutant that breaks the rule may be able to do it.

use std::collections::BTreeSet;

use insyn_specs::correctness::Feasibility;
use insyn_specs::spec::Verdict;
use insyn_specs::test_file::{Expectation, Places, Test, TestSequence};
use insyn_specs::{TestFile, Word};
use insyn_verdicts::protocol::Suggested;

use super::comparison::words;
use super::error::{JudgementError, JudgementErrorKind};
use super::input::Input;
use super::oracle::Oracle;
use super::{Program, forcing};
use insyn_explorer::explorer::Explorer;

/// Invalid sequences, at most this many: the first for each rule and each event that it rejects; then others.
pub(super) fn suggest(
    program: &Program,
    explorer: &Explorer,
    oracle: &Oracle,
    input: &Input,
    max: usize,
) -> Result<Suggested, JudgementError> {
    let Some(instance) = oracle.instance(input.data.as_ref())? else {
        return Err(JudgementErrorKind::NoSpecification { program: program.about.path() }.into());
    };
    let known = words(explorer, &instance, input)?;
    let (mut first, mut more, mut rules, mut tried) =
        (Vec::new(), Vec::new(), BTreeSet::new(), BTreeSet::new());
    for word in known.iter().flat_map(edits) {
        if known.contains(&word) || !tried.insert(word.clone()) {
            continue;
        }
        let Verdict::Invalid(bad) = instance.judge(&word)? else {
            continue;
        };
        let event = bad.word.0.get(bad.at).map(|letter| letter.name.clone());
        let about = format!("{} objects at event {}", bad.objection.message, bad.at + 1);
        let is_new = rules.insert((bad.objection.message, event));
        let list = if is_new { &mut first } else { &mut more };
        if list.len() < max {
            list.push((word, about));
        }
    }
    first.extend(more);
    first.truncate(max);
    let mut suggested = Suggested::default();
    let mut tests = Vec::new();
    for (word, about) in first {
        let sequence = TestSequence::from(&word);
        let attempt = forcing::force(explorer, &sequence, Some(&instance), false, &input.program)?;
        if matches!(attempt.feasibility, Feasibility::Feasible) {
            suggested.feasible.push(word.to_string());
        }
        let expect = Expectation { feasible: false, termination: None, output: None };
        tests.push(Test {
            name: word.to_string(),
            about: Some(about),
            input: input.data.clone().unwrap_or_default(),
            sequence,
            expect,
            position: None,
            places: Places::default(),
        });
    }
    suggested.tests = tests.len() as u64;
    let file = TestFile { program: Some(program.about.path()), tests, ..TestFile::default() };
    suggested.file = file.write()?;
    Ok(suggested)
}

/// A word with one of its letters moved to another place, near places first.
fn edits(word: &Word) -> Vec<Word> {
    let length = word.0.len();
    let mut moves: Vec<(usize, usize)> =
        (0..length).flat_map(|from| (0..length).map(move |to| (from, to))).collect();
    moves.retain(|(from, to)| from != to);
    moves.sort_by_key(|(from, to)| (from.abs_diff(*to), *to));
    let edit = |(from, to): (usize, usize)| {
        let mut letters = word.0.clone();
        let letter = letters.remove(from);
        letters.insert(to, letter);
        Word(letters)
    };
    moves.into_iter().map(edit).collect()
}
