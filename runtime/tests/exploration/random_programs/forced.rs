//! A random program can be forced to do exactly the words that brute force finds; and these are also the words of its
//! explored sequences, by which specifications judge them.
//!
//! The words are those of executions of the oracle, under namings from complete to abstract that hide nothing or much; and
//! edited, so that about half of them are infeasible. The oracle decides which by walking through interleavings: it knows
//! neither turns nor happens-before.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, Mutex};

use insyn::forced::{Answer, Obstacle, Steps};
use insyn::sequences::{OrderConstraints, Sequence};
use insyn::specs::spec::{Orders, Reading};
use insyn::specs::{self, Word};

use super::words::{self, Naming};
use super::{Setting, end, report};
use crate::oracle::enumerate::{self, Behaviour, End, Enumeration, Executions, Letter, Options};
use crate::oracle::generate::{Family, generate};
use crate::oracle::program::Program;
use crate::oracle::random::Random;
use crate::oracle::{interpret, shrink, tokens};

/// Programs with more behaviours or states than this are left out.
const MAX_BEHAVIOURS: usize = 150;
const MAX_STATES: usize = 2_000;
/// Words that take more states to search for are, too.
const MAX_STATES_OF_WORDS: usize = 4_000;

/// At most this many executions may be needed for a word.
const MAX_EXECUTIONS: u64 = 3_000;

/// How many namings of each program's events are tried, and how many edits of a word of each.
const NAMINGS: usize = 3;
const EDITS: usize = 4;

/// The totals of forcing.
#[derive(Default)]
pub(crate) struct Totals {
    programs: u64,
    skipped: u64,
    feasible: u64,
    infeasible: u64,
    /// Words for which a bound was reached.
    unknown: u64,
    executions: u64,
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Totals { programs, skipped, feasible, infeasible, unknown, executions } = self;
        write!(
            f,
            "{programs} programs ({skipped} too big), {feasible} feasible words and {infeasible} infeasible ones in \
             {executions} executions ({unknown} not known)"
        )
    }
}

/// A program with all its sequences, from the engine, and all its behaviours, from the oracle.
pub(crate) struct Known {
    pub(crate) truth: Enumeration,
    /// With the constraints of real objects on each.
    pub(crate) sequences: BTreeMap<Behaviour, (Sequence, OrderConstraints)>,
}

/// What the engine finds.
type Found = Vec<(Behaviour, (Sequence, OrderConstraints))>;

/// None if the program is too big; an error if engine and oracle differ.
pub(crate) fn known(program: &Program, setting: Setting) -> Option<Result<Known, String>> {
    let options = Options { max_states: MAX_STATES, ..setting.options() };
    let truth = enumerate::behaviours(program, options)?;
    if truth.behaviours.len() > MAX_BEHAVIOURS {
        return None;
    }
    let found: Arc<Mutex<(u32, Found)>> = Arc::default();
    let explorer = {
        let found = found.clone();
        setting.explorer().workers(1).observe(move |ended| {
            let mut found = found.lock().expect("nothing panics");
            if ended.round() > found.0 {
                *found = (ended.round(), Vec::new());
            }
            if ended.counted() {
                let sequence = ended.sequence();
                let end = end(ended.termination()).unwrap_or(End::Normal);
                found.1.push((tokens::behaviour(&sequence, end), (sequence, ended.constraints())));
            }
        })
    };
    let same = program.clone();
    let exploration = explorer.explore(move || interpret::run(&same));
    let found = std::mem::take(&mut found.lock().expect("nothing panics").1);
    let sequences: BTreeMap<Behaviour, (Sequence, OrderConstraints)> = found.into_iter().collect();
    if exploration.sequences != truth.behaviours.len() as u64 || !sequences.keys().eq(&truth.behaviours) {
        return Some(Err(String::from("engine and oracle find different behaviours\n")));
    }
    Some(Ok(Known { truth, sequences }))
}

/// Forces words of one program: none if it is too big, an error that names the wrong verdict.
fn compare(program: &Program, setting: Setting, seed: u64) -> Option<Result<Totals, String>> {
    let Known { truth, sequences } = match known(program, setting)? {
        Ok(known) => known,
        Err(difference) => return Some(Err(difference)),
    };
    let mut random = Random::new(seed);
    let mut totals = Totals { programs: 1, ..Totals::default() };
    let options = Options { max_states: MAX_STATES_OF_WORDS, ..setting.options() };
    let mut executions = Executions::new(program, options, &truth);
    let all: Vec<&Sequence> = sequences.values().map(|(sequence, _)| sequence).collect();
    for _ in 0..NAMINGS {
        let sequence = random.pick(&all);
        let naming = Naming::draw(&mut random, sequence);
        let Some(names) = words::names(&naming, all.iter().copied()) else { continue };
        let name = |letter: &Letter| names.get(letter).cloned().flatten();
        let mut alphabet: Vec<String> = names.values().flatten().cloned().collect();
        alphabet.sort();
        alphabet.dedup();
        let word: Vec<String> = executions.draw(&mut random).iter().filter_map(name).collect();
        let mut words = vec![(word.clone(), true)];
        words.extend((0..EDITS).map(|_| words::edit(&mut random, &word, &alphabet)));
        let orders: Vec<Orders> = sequences.values().map(|it| orders(&naming, it)).collect();
        for (word, whole) in words {
            let Some(expected) = executions.have(&word, whole, &name) else { continue };
            if expected != is_among(&orders, &word, whole) {
                let all = if whole { "all of" } else { "the beginning of" };
                let has =
                    if expected { "no explored sequence has it" } else { "an explored sequence has it" };
                return Some(Err(format!("{naming:?}\n{all} {word:#?}\n{has}, which is wrong\n")));
            }
            if expected {
                // With the rest free, it ends in every way in which an explored sequence with this word ends.
                let ends = sequences.keys().zip(&orders).filter(|(_, orders)| has(orders, &word, whole));
                let ends: BTreeSet<End> = ends.map(|(behaviour, _)| behaviour.end).collect();
                let forced = force(program, setting, &naming, &word, whole, true).0;
                let found = match &forced {
                    Answer::Unknown(_) => ends.clone(),
                    Answer::Feasible(all) => all.iter().filter_map(|it| end(it.termination)).collect(),
                    _ => BTreeSet::new(),
                };
                if found != ends {
                    return Some(Err(format!(
                        "{naming:?}\n{word:#?}\nends in {ends:?}, not in {forced:?}\n"
                    )));
                }
            }
            match force(program, setting, &naming, &word, whole, false) {
                (Answer::Unknown(_), _) => totals.unknown += 1,
                (Answer::Infeasible(obstacle), _)
                    if !expected
                        && !is_first(&obstacle, &orders, &word, |n| {
                            executions.have(&word[..n], false, &name)
                        }) =>
                {
                    return Some(Err(format!(
                        "{naming:?}\n{word:#?}\nis infeasible, but not for this reason: {obstacle}\n"
                    )));
                }
                (answer, executions) if matches!(answer, Answer::Feasible(_)) == expected => {
                    totals.executions += executions;
                    *(if expected { &mut totals.feasible } else { &mut totals.infeasible }) += 1;
                }
                (answer, executions) => {
                    let all = if whole { "all of" } else { "the beginning of" };
                    let answer = match answer {
                        Answer::Feasible(executions) => format!("feasible: {:?}", executions[0].termination),
                        Answer::Infeasible(obstacle) => format!("infeasible: {obstacle}"),
                        other => format!("{other:?}"),
                    };
                    return Some(Err(format!(
                        "{naming:?}\n{all} {word:#?}\nis, in {executions} executions, {answer}\nwhich is wrong\n"
                    )));
                }
            }
        }
    }
    Some(Ok(totals))
}

/// Whether a step is the first that cannot happen: some execution begins with the word up to it, and none goes further.
/// `begins` decides this for its first letters, if it can; and so do the explored sequences.
fn is_first(
    obstacle: &Obstacle,
    orders: &[Orders],
    word: &[String],
    mut begins: impl FnMut(usize) -> Option<bool>,
) -> bool {
    let step = obstacle.step;
    let letters = Word(word.iter().map(|name| letter(name)).collect());
    orders.iter().map(|it| it.follow(&letters)).max() == Some(step)
        && begins(step) != Some(false)
        && (step == word.len() || begins(step + 1) != Some(true))
}

/// The orders in which the events of an explored sequence can have come.
fn orders(naming: &Naming, (sequence, constraints): &(Sequence, OrderConstraints)) -> Orders {
    let orders = Orders::of(sequence, constraints, |event| {
        naming.name(event).map_or(Reading::Hidden, |name| Reading::Letter(letter(&name)))
    });
    orders.expect("real objects did this")
}

fn letter(name: &str) -> specs::Letter {
    specs::Letter { event: 0, name: name.into(), arguments: [].into() }
}

/// Whether a word is one of an explored sequence, or the beginning of one.
fn is_among(orders: &[Orders], word: &[String], whole: bool) -> bool {
    orders.iter().any(|it| has(it, word, whole))
}

/// Whether a word is one of an explored sequence with these orders, or the beginning of one.
fn has(orders: &Orders, word: &[String], whole: bool) -> bool {
    let word = Word(word.iter().map(|name| letter(name)).collect());
    if whole { orders.has_word(&word) } else { orders.follow(&word) == word.0.len() }
}

/// The engine's answer, with `all` ends or one, and how many executions that took.
fn force(
    program: &Program,
    setting: Setting,
    naming: &Naming,
    word: &[String],
    whole: bool,
    all: bool,
) -> (Answer, u64) {
    let len = word.len();
    let (naming, same, word, program) = (naming.clone(), naming.clone(), word.to_vec(), program.clone());
    let steps = Steps::new(len, whole, move |event| {
        let name = naming.name(event)?;
        Some((0..word.len() as u32).filter(|&i| word[i as usize] == name).collect())
    });
    let steps = steps.among(move |op| same.may_name(op));
    let explorer = setting.explorer().max_executions(MAX_EXECUTIONS);
    let forced = explorer.force(&steps, all, move || interpret::run(&program));
    (forced.answer, forced.executions)
}

/// Forces words of the programs of a family.
pub(crate) fn agree(family: Family, seeds: std::ops::Range<u64>) {
    let mut totals = Totals::default();
    for seed in seeds {
        if let Err(difference) = add_up(&mut totals, family, seed) {
            panic!("{difference}");
        }
    }
    report(&format!("{family:?}: {totals}"));
    let few = totals.feasible.min(totals.infeasible);
    assert!(few > 50 && totals.unknown * 10 < few, "{family:?} does not show much: {totals}");
}

/// Forces words of one program, and adds the result.
pub(crate) fn add_up(totals: &mut Totals, family: Family, seed: u64) -> Result<(), String> {
    let program = generate(family, seed);
    let setting = Setting::of(family, seed);
    match compare(&program, setting, seed) {
        None => totals.skipped += 1,
        Some(Ok(one)) => {
            totals.programs += 1;
            totals.feasible += one.feasible;
            totals.infeasible += one.infeasible;
            totals.unknown += one.unknown;
            totals.executions += one.executions;
        }
        Some(Err(difference)) => {
            let wrong = |program: &Program| match compare(program, setting, seed) {
                Some(Err(difference)) => Some(difference),
                _ => None,
            };
            let small = shrink::shrink(&program, |program| wrong(program).is_some());
            let less = wrong(&small).unwrap_or_default();
            return Err(format!(
                "{family:?}, seed {seed} ({setting:?}):\n{program}{difference}\nmade smaller:\n{small}{less}"
            ));
        }
    }
    Ok(())
}
