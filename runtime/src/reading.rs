//! What a specification reads of a run.
//!
//! It could be read from the sequence of the run, but that takes long to make, and a specification is about few of its events.

use std::cell::RefCell;

use insyn_specs::spec::{Instance, Orders, Poset, Reading};

use crate::execution::Execution;
use crate::execution::event::Ix;
use crate::exploration::past::Pasts;
use crate::exploration::reality::Reality;
use crate::exploration::variant::ObjectKinds;

thread_local! {
    /// Used again for every run, since an exploration has many.
    static MEMORY: RefCell<(Pasts, Reality)> = RefCell::default();
}

/// The letters of the run that has just ended, in the orders in which they can have come. None if the sequence is needed to
/// tell: there is an event that should not be, and the first of those is wanted; equal letters are concurrent, which come
/// in its order; or real objects leave a choice.
pub(crate) fn orders(x: &Execution, instance: &Instance) -> Option<Orders> {
    let (mut letters, mut places) = (Vec::new(), Vec::new());
    for (i, event) in (0..).zip(&x.run().events) {
        if !instance.may_read(event.op) || !x.happens(event) {
            continue;
        }
        match x.with_event(i, |event| instance.reading(event)) {
            Reading::Letter(letter) => {
                letters.push(letter);
                places.push(i);
            }
            Reading::Hidden => {}
            Reading::Unexpected => return None,
        }
    }
    let before: Vec<Vec<bool>> = MEMORY.with_borrow_mut(|(pasts, reality)| {
        pasts.compute(x.run(), 1);
        let edges = reality.edges(x.run(), pasts, &ObjectKinds::of(x), &x.settings)?;
        Some(places.iter().map(|&place| all_before(place, &places, pasts, edges)).collect())
    })?;
    let is_clear = |a: usize, b: usize| letters[a] != letters[b] || before[a][b] || before[b][a];
    if !(0..letters.len()).all(|b| (0..b).all(|a| is_clear(a, b))) {
        return None;
    }
    // What comes before another has less before it.
    let mut line: Vec<usize> = (0..letters.len()).collect();
    line.sort_by_key(|&it| before[it].iter().filter(|it| **it).count());
    let letters = line.iter().map(|&it| letters[it].clone()).collect();
    Some(Orders::from(Poset::of(letters, |a, b| before[line[b]][line[a]])))
}

/// Which of some events come before another, by happens-before and by the edges, which the past does not know of.
fn all_before(event: Ix, all: &[Ix], pasts: &Pasts, edges: &[(Ix, Ix)]) -> Vec<bool> {
    let is_up_to = |a: Ix, b: Ix| a == b || pasts.before(a, b);
    // The event, and where edges begin that lead there, directly or by others.
    let mut ends = vec![event];
    let mut rest = edges.to_vec();
    let mut next = 0;
    while let Some(&end) = ends.get(next) {
        next += 1;
        rest.retain(|&(from, to)| {
            let leads_there = is_up_to(to, end);
            ends.extend(leads_there.then_some(from));
            !leads_there
        });
    }
    let is_before = |&it: &Ix| it != event && ends.iter().any(|&end| is_up_to(it, end));
    all.iter().map(is_before).collect()
}
