//! What a specification reads of a run.
//!
//! It could be read from the sequence of the run, but that takes long to make, and a specification is about few of its events.

use insyn_specs::spec::{Instance, Orders, Poset, Reading};

use crate::execution::Execution;
use crate::exploration::past::Pasts;
use crate::exploration::reality::Reality;
use crate::exploration::variant::ObjectKinds;

/// The letters of the run that has just ended, with their order. None if its sequence is needed to tell: there is an event
/// that should not be, and the first of those in the canonical order is wanted; equal letters are concurrent, and come in
/// that order; or happens-before is not all that orders them.
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
    let mut pasts = Pasts::default();
    pasts.compute(x.run());
    let is_before = |a: usize, b: usize| pasts.before(places[a], places[b]);
    let is_clear = |b: usize| (0..b).all(|a| letters[a] != letters[b] || is_before(a, b));
    let is_all = || Reality::default().demands_nothing(x.run(), &pasts, &ObjectKinds::of(x), &x.settings);
    ((0..letters.len()).all(is_clear) && is_all()).then(|| Poset::of(letters, is_before).into())
}
