//! Every sequence of a random program is listed in an order in which it can happen: the oracle's objects do the events of
//! the list one after the other, and nothing else in between. Calls that are blocked come last.

use std::collections::BTreeSet;
use std::ops::Range;

use insyn::sequences::views::{TotalEvent, TotalView, listed};
use insyn::sequences::{EventRef, Op, Order, Sequence};

use super::forced::{Known, known};
use super::{Setting, report};
use crate::oracle::enumerate::{Executions, Letter, Options};
use crate::oracle::generate::{Family, generate};
use crate::oracle::program::Program;
use crate::oracle::{shrink, tokens};

/// Lists that take more states to do are left out.
const MAX_STATES: usize = 20_000;

/// Does the lists of programs of a family; fails if one cannot happen, and if most programs were too big.
pub(crate) fn agree(family: Family, seeds: Range<u64>) {
    let all = seeds.end - seeds.start;
    let (mut programs, mut lists) = (0, 0);
    for seed in seeds {
        let done = compare(family, seed).unwrap_or_else(|difference| panic!("{difference}"));
        programs += u64::from(done > 0);
        lists += done;
    }
    report(&format!("{family:?}: {lists} lists of {programs} programs"));
    assert!(programs * 2 >= all, "{family:?}: only {programs} of {all} programs were small enough");
}

/// How many lists of one program were done; an error that shows one that cannot happen.
pub(crate) fn compare(family: Family, seed: u64) -> Result<usize, String> {
    let setting = Setting { workers: 1, ..Setting::of(family, seed) };
    let wrong = |program: &Program| check(program, setting).and_then(Result::err);
    let program = generate(family, seed);
    match check(&program, setting) {
        None => Ok(0),
        Some(Ok(lists)) => Ok(lists),
        Some(Err(difference)) => {
            let small = shrink::shrink(&program, |program| wrong(program).is_some());
            let less = wrong(&small).unwrap_or_default();
            Err(format!(
                "{family:?}, seed {seed} ({setting:?}):\n{program}{difference}\nmade smaller:\n{small}{less}"
            ))
        }
    }
}

/// None if the program is too big.
fn check(program: &Program, setting: Setting) -> Option<Result<usize, String>> {
    let Known { truth, sequences } = match known(program, setting)? {
        Ok(known) => known,
        Err(difference) => return Some(Err(difference)),
    };
    let options = Options { max_states: MAX_STATES, ..setting.options() };
    let mut executions = Executions::new(program, options, &truth);
    let mut lists = 0;
    for (sequence, _) in sequences.values() {
        let order = Order::of(sequence).expect("the engine's sequences are in order");
        let view = TotalView::of_order(&order);
        if !is_last_blocked(&view) {
            return Some(Err(format!("something comes after a call that is blocked\n{view}")));
        }
        match can_happen(&mut executions, &order) {
            Some(true) => lists += 1,
            Some(false) => return Some(Err(format!("this cannot happen\n{view}"))),
            None => {}
        }
    }
    Some(Ok(lists))
}

/// Whether calls that are blocked come last. (One that somebody has found waiting has come before.)
fn is_last_blocked(view: &TotalView) -> bool {
    let is_blocked = |it: &TotalEvent| it.additional.blocked;
    let is_among_them = |it: &TotalEvent| is_blocked(it) || it.op == Op::Select;
    let is_found = |it: &TotalEvent| !it.additional.waiting.is_empty();
    let first = view.events.iter().position(is_blocked).unwrap_or(view.events.len());
    view.events[first..].iter().all(is_among_them) || view.events.iter().any(is_found)
}

/// Whether the oracle's objects can do the events in the order of the list. None if that takes too long to tell.
fn can_happen(executions: &mut Executions<'_>, order: &Order<'_>) -> Option<bool> {
    let sequence = order.sequence();
    let list = listed(order);
    let all: BTreeSet<EventRef> = list.iter().copied().collect();
    // A call is part of its completion, or never happens; what no thread does happens together with something else.
    let is_hidden = |at: EventRef| {
        let by_thread = sequence.is_thread(at.process);
        let is_part = order.completion(at).is_some() || !all.contains(&at);
        is_part
            || by_thread && (is_call(sequence, at) || is_blocked(order, at))
            || !by_thread && order.completed(at).next().is_none()
    };
    let hidden: BTreeSet<Letter> =
        sequence.events().filter(|&at| is_hidden(at)).map(|at| letter(sequence, at)).collect();
    let name = |letter: &Letter| (!hidden.contains(letter)).then(|| format!("{} {}", letter.0, letter.1));
    let word: Vec<String> = list.iter().filter_map(|&at| name(&letter(sequence, at))).collect();
    executions.have(&word, true, &name)
}

/// Whether it is a select of which nothing is ever taken.
fn is_blocked(order: &Order<'_>, at: EventRef) -> bool {
    let next = EventRef { index: at.index + 1, ..at };
    let sequence = order.sequence();
    sequence.event(at).op == Op::Select
        && sequence.processes[at.process].events.get(next.index).is_none_or(|_| order.is_open(next))
}

/// Whether an event is a call that something has to complete. (A handle for receiving that is not the only one is dropped
/// without a completion.)
fn is_call(sequence: &Sequence, at: EventRef) -> bool {
    let event = sequence.event(at);
    event.op != Op::DropReceiver
        && event.object.is_some_and(|object| sequence.processes[object].kind.completes(event.op))
}

fn letter(sequence: &Sequence, at: EventRef) -> Letter {
    let process = &sequence.processes[at.process];
    (process.id.clone(), tokens::text(sequence, process, sequence.event(at)))
}
