//! Records the sequences of a program as a file of tests.
//!
//! With a specification a test is a word. Several sequences may have the same word, and the test of a word passes only if
//! all of them end and return as expected; so the test expects what they have in common, if all of them are known. Without
//! a specification a test is the complete sequence, which has one result.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use insyn_sequences::{OrderConstraints, Sequence};
use insyn_specs::correctness::Sightings;
use insyn_specs::spec::{Instance, Orders};
use insyn_specs::test_file::{Expectation, Places, Test, TestSequence};
use insyn_specs::{Spec, TestFile, Word};
use insyn_verdicts::protocol::{Record, Recorded};
use serde_json::Value as Data;

use super::error::JudgementError;
use super::input::Input;
use super::{Program, output};
use insyn_explorer::exploration::ended::Ended;
use insyn_explorer::failure::in_files;

/// An execution to record.
struct Taken {
    sequence: Sequence,
    constraints: OrderConstraints,
    expect: Expectation,
}

/// Explores a program and records its sequences.
pub(super) fn record(
    program: &Program,
    spec: Option<&Spec>,
    how: &Record,
    input: &Input,
) -> Result<Recorded, JudgementError> {
    let data = input.data.clone().unwrap_or_default();
    let instance = spec.map(|spec| spec.with(&data)).transpose()?;
    let taken: Arc<Mutex<(u32, Vec<Taken>)>> = Arc::default();
    let observer = {
        let taken = taken.clone();
        move |ended: &Ended<'_>| {
            let mut taken = taken.lock().unwrap_or_else(PoisonError::into_inner);
            if taken.0 != ended.round() {
                *taken = (ended.round(), Vec::new());
            }
            if ended.counted() {
                let expect = Expectation {
                    feasible: true,
                    termination: Some(in_files(ended.termination())),
                    output: output(ended.output().as_deref()).filter(|output| !output.is_null()),
                };
                taken.1.push(Taken { sequence: ended.sequence(), constraints: ended.constraints(), expect });
            }
        }
    };
    let mut explorer = program.explorer.clone().workers(1).observe(observer);
    if let Some(max) = how.max {
        explorer = explorer.max_sequences(max);
    }
    let (exploration, _) = program.explore(&explorer, input, program.sample);
    let taken = std::mem::take(&mut taken.lock().unwrap_or_else(PoisonError::into_inner).1);
    let complete = exploration.is_complete();
    let mut sightings = Sightings::default();
    let tests = match &instance {
        Some(instance) => abstracted(instance, taken, complete, &mut sightings)?,
        None => taken.into_iter().map(|it| (TestSequence::Recorded(it.sequence), it.expect)).collect(),
    };
    let tests: Vec<Test> =
        (1..).zip(tests).map(|(n, (sequence, expect))| test(n, &data, sequence, expect)).collect();
    let count = tests.len() as u64;
    let file = TestFile { program: Some(program.about.path()), tests, ..TestFile::default() };
    let warnings = spec.map(|spec| sightings.unmatched(spec, complete)).unwrap_or_default();
    let spec = spec.map(|spec| match how.spec {
        Some(_) => spec.file().to_owned(),
        None => Path::new(program.about.root).join(spec.file()).display().to_string(),
    });
    Ok(Recorded {
        tests: count,
        complete,
        file: file.write()?,
        spec,
        warnings: warnings.iter().map(ToString::to_string).collect(),
    })
}

fn test(n: usize, input: &Data, sequence: TestSequence, expect: Expectation) -> Test {
    Test {
        name: format!("sequence {n}"),
        about: None,
        input: input.clone(),
        sequence,
        expect,
        position: None,
        places: Places::default(),
    }
}

/// One word of each sequence, each word once. Sequences that the specification has no words for stay as they are.
fn abstracted(
    instance: &Instance,
    taken: Vec<Taken>,
    complete: bool,
    sightings: &mut Sightings,
) -> Result<Vec<(TestSequence, Expectation)>, JudgementError> {
    let mut seen: Vec<(Orders, Expectation)> = Vec::new();
    let mut tests = Vec::new();
    for Taken { sequence, constraints, expect } in taken {
        let orders = instance.orders(&sequence, &constraints)?;
        sightings.observe(orders.letters(), &sequence);
        match orders.unexpected() {
            Some(_) => tests.push((TestSequence::Recorded(sequence), expect)),
            None => seen.push((orders, expect)),
        }
    }
    let mut words: Vec<Word> = Vec::new();
    for (orders, _) in &seen {
        let word = Word(orders.letters().to_vec());
        if !words.contains(&word) {
            words.push(word);
        }
    }
    for word in words {
        let same = seen.iter().filter(|(orders, _)| complete && orders.has_word(&word)).map(|(_, it)| it);
        let common = same.cloned().reduce(|a, b| Expectation {
            feasible: true,
            termination: a.termination.filter(|_| a.termination == b.termination),
            output: a.output.filter(|it| b.output.as_ref() == Some(it)),
        });
        tests.push((TestSequence::from(&word), common.unwrap_or_default()));
    }
    Ok(tests)
}
