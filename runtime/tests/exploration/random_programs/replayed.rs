//! Sequences of random programs: each is replayed, and prefixes of some of them are followed.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use insyn::sequences::{Event, EventRef, Kind, Op, Order, Pick, Sequence, SequenceFile};
use insyn::{Explorer, Termination};

use super::{Setting, edited};
use crate::oracle::generate::{Family, generate};
use crate::oracle::program::Program;
use crate::oracle::random::Random;
use crate::oracle::{interpret, shrink};

/// Programs with more executions than this are left out.
const MOST_EXECUTIONS: u64 = 500;
/// How many sequences of each program are checked.
const SEQUENCES: usize = 3;

/// What a program can do: its sequences, and how they end.
pub(crate) type All = BTreeSet<(Sequence, Termination)>;

/// Replays sequences of programs of a family, and follows their prefixes; fails if the program does not follow them, or
/// if most programs were too big for that.
pub(crate) fn agree(family: Family, seeds: Range<u64>) {
    let all = seeds.end - seeds.start;
    let compared =
        seeds.filter(|&seed| compare(family, seed).unwrap_or_else(|difference| panic!("{difference}")));
    let compared = compared.count() as u64;
    assert!(compared * 2 >= all, "{family:?}: only {compared} of {all} programs were small enough");
}

/// Whether a program is small enough; an error that names what was not replayed or followed.
pub(crate) fn compare(family: Family, seed: u64) -> Result<bool, String> {
    let setting = Setting { workers: 1, choices: None, ..Setting::of(family, seed) };
    let wrong = |program: &Program| check(program, setting, seed).and_then(Result::err);
    let program = generate(family, seed);
    match check(&program, setting, seed) {
        None => Ok(false),
        Some(Ok(())) => Ok(true),
        Some(Err(difference)) => {
            let small = shrink::shrink(&program, |program| wrong(program).is_some());
            let less = wrong(&small).unwrap_or_default();
            Err(format!(
                "{family:?}, seed {seed} ({setting:?}):\n{program}{difference}\nmade smaller:\n{small}{less}"
            ))
        }
    }
}

/// Replays sequences of one program, and follows their prefixes: none if the program is too big, an error that names what
/// was not done.
fn check(program: &Program, setting: Setting, seed: u64) -> Option<Result<(), String>> {
    let program = Arc::new(program.clone());
    let (all, _) = explore(setting.explorer(), &program)?;
    let mut random = Random::new(seed);
    let checks = (0..SEQUENCES.min(all.len())).try_for_each(|_| {
        let (sequence, end) = all.iter().nth(random.below(all.len())).expect("there are so many");
        let again = Setting { choices: Some(random.below(1_000) as u64), ..setting };
        let prefix = draw_prefix(&mut random, sequence);
        replay(again.explorer(), &program, sequence, *end)
            .map_err(|why| format!("not replayed: {why}\n{}", text_of(sequence)))?;
        follow(setting.explorer(), &program, &prefix, &all)
            .map_err(|why| format!("not followed: {why}\n{}", text_of(&prefix)))?;
        edited::compare(&mut random, setting, &program, sequence, &all)
    });
    Some(checks)
}

/// All that a program can do, and how many failures there are; if that is not too much.
pub(crate) fn explore(explorer: Explorer, program: &Arc<Program>) -> Option<(All, usize)> {
    let seen: Arc<Mutex<(u32, All)>> = Arc::default();
    let collect = Arc::clone(&seen);
    let explorer = explorer.max_executions(MOST_EXECUTIONS).observe(move |ended| {
        let mut seen = collect.lock().expect("nothing panics");
        if ended.round() > seen.0 {
            *seen = (ended.round(), All::new());
        }
        let is_one = ended.counted() && ended.termination() != Termination::Nondeterminism;
        if ended.round() == seen.0 && is_one {
            seen.1.insert((ended.sequence(), ended.termination()));
        }
    });
    let program = Arc::clone(program);
    let found = explorer.explore(move || interpret::run(&program));
    let all = std::mem::take(&mut seen.lock().expect("nothing panics").1);
    found.bound.is_none().then_some((all, found.failures.len()))
}

/// A sequence as it is written to files.
pub(crate) fn text_of(sequence: &Sequence) -> String {
    SequenceFile::from(sequence.clone()).write().expect("the engine's sequences can be written")
}

fn replay(
    explorer: Explorer,
    program: &Arc<Program>,
    sequence: &Sequence,
    end: Termination,
) -> Result<(), String> {
    let read = insyn::specs::file::read(&text_of(sequence)).map_err(|e| e.to_string())?.sequence;
    let program = Arc::clone(program);
    let again = explorer.replay(&read, move || interpret::run(&program)).map_err(|e| e.to_string())?;
    match (again.sequence == *sequence, again.termination) {
        (true, termination) if termination == end => Ok(()),
        (true, termination) => Err(format!("{termination} for {end}")),
        (false, _) => Err(format!("another sequence:\n{}", text_of(&again.sequence))),
    }
}

/// The first events of a sequence, in some order. (A select is one operation with all its offers.)
fn draw_prefix(random: &mut Random, sequence: &Sequence) -> Sequence {
    let order = Order::of(sequence).expect("the engine's sequences are in order");
    let line = order.line();
    let is_whole = |first: &BTreeSet<EventRef>| {
        let is_cut = |at: EventRef| {
            let next = EventRef { index: at.index + 1, ..at };
            let offers = sequence.processes[at.process].events.get(next.index);
            offers.is_some_and(|event| event.op.is_offer()) && !first.contains(&next)
        };
        !first.iter().any(|&at| is_cut(at))
    };
    let drawn = random.below(line.len() + 1);
    let firsts = (0..=drawn).rev().map(|n| line[..n].iter().copied().collect::<BTreeSet<EventRef>>());
    let first = firsts.into_iter().find(is_whole).expect("nothing at all is whole");
    let mut prefix = sequence.clone();
    for (process, it) in prefix.processes.iter_mut().enumerate() {
        let kept = (0..it.events.len()).take_while(|&index| first.contains(&EventRef { process, index }));
        it.events.truncate(kept.count());
    }
    prefix
}

/// A run that is forced to begin with the prefix does so, and an exploration finds all sequences with it, and no other.
fn follow(explorer: Explorer, program: &Arc<Program>, prefix: &Sequence, all: &All) -> Result<(), String> {
    let expected: All = all.iter().filter(|(whole, _)| begins(whole, prefix)).cloned().collect();
    let one = Arc::clone(program);
    let forced =
        explorer.clone().force_prefix(prefix, move || interpret::run(&one)).map_err(|e| e.to_string())?;
    if !begins(&forced.sequence, prefix) {
        return Err(format!("a run does not begin like that:\n{}", text_of(&forced.sequence)));
    }
    let explorer = explorer.prefix(prefix.clone()).map_err(|e| e.to_string())?;
    let (found, _) = explore(explorer, program).ok_or("more executions than without it")?;
    // Facts that only show elsewhere give objects an order that they do not have here, and barriers a leader.
    if timelines(&expected) != timelines(&found) {
        return Ok(());
    }
    let led = led(&found);
    let [expected, found] = [expected, found]
        .map(|all| -> All { all.into_iter().map(|(sequence, end)| (led_at(&led, sequence), end)).collect() });
    let (missing, extra) = (expected.difference(&found).count(), found.difference(&expected).count());
    match (missing, extra) {
        (0, 0) => Ok(()),
        _ => Err(format!("{missing} of {} sequences are missing, {extra} are extra", expected.len())),
    }
}

/// The objects that have an order of their own, as far as an event shows it: a completion, a call that
/// waits to be completed, an end that is apart from that order.
fn timelines(all: &All) -> BTreeSet<&str> {
    let events = all.iter().flat_map(|(sequence, _)| sequence.events().map(move |at| (sequence, at)));
    let ordered = events.filter_map(|(sequence, at)| {
        let (event, process) = (sequence.event(at), &sequence.processes[at.process]);
        let object = &sequence.processes[event.object?];
        let completes = process.kind != Kind::Thread && !event.pick.partners().is_empty();
        let is_end = matches!(event.op, Op::Disconnect | Op::Fire) && process.id != object.id;
        // What picks something is no call: a read that follows a write.
        let calls = object.kind.completes(event.op) && event.pick == Pick::None;
        let is_read = event.op.is_reading() || object.kind != Kind::RwLock;
        ((completes || calls) && is_read || is_end).then_some(object.id.as_str())
    });
    ordered.collect()
}

/// The barriers that have leaders: at others, the threads that arrive together are in the order of their names.
pub(crate) fn led(all: &All) -> BTreeSet<String> {
    let arrivals = all.iter().flat_map(|(sequence, _)| arrivals(sequence).map(move |at| (sequence, at)));
    let led = arrivals.filter(|(sequence, at)| !sequence.event(*at).pick.partners().is_sorted());
    led.map(|(sequence, at)| sequence.processes[at.process].id.clone()).collect()
}

/// A sequence in which no other barriers than these have leaders.
pub(crate) fn led_at(led: &BTreeSet<String>, mut sequence: Sequence) -> Sequence {
    let arrivals: Vec<EventRef> = arrivals(&sequence).collect();
    for at in arrivals {
        let barrier = &mut sequence.processes[at.process];
        if let Pick::Partners(partners) = &mut barrier.events[at.index].pick
            && !led.contains(&barrier.id)
        {
            partners.sort_unstable();
        }
    }
    sequence
}

/// The events of threads that arrive at a barrier together.
fn arrivals(sequence: &Sequence) -> impl Iterator<Item = EventRef> {
    sequence.events().filter(|&at| sequence.event(at).op == Op::Arrive)
}

pub(crate) fn begins(whole: &Sequence, prefix: &Sequence) -> bool {
    prefix.processes.iter().filter(|process| !process.events.is_empty()).all(|process| {
        let same = whole.processes.iter().find(|it| it.id == process.id);
        let events = same.map_or(&[][..], |it| &it.events[..]);
        events.len() >= process.events.len()
            && process.events.iter().zip(events).all(|(a, b)| say(prefix, a) == say(whole, b))
    })
}

/// An event, with ids for the numbers of processes.
pub(crate) fn say(sequence: &Sequence, event: &Event) -> (Op, Option<String>, Option<Vec<String>>) {
    let object = event.object.map(|object| sequence.processes[object].id.clone());
    let partners = match &event.pick {
        Pick::None => None,
        pick => Some(pick.partners().iter().map(|&at| sequence.event_name(at)).collect()),
    };
    (event.op, object, partners)
}
