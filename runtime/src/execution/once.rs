//! What is done once. Whether it is done is a load, which most often needs no event at all; doing it is ordered.

use super::calling::{self, Waits, answer};
use super::event::{Flags, Kind, NONE, Op, Past};
use super::objects;
use super::openness::once as state;
use super::{Place, atomics, of, stepping};

/// What a thread that wants something done is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Begin {
    /// To do it.
    Run {
        /// Somebody has tried, and panicked.
        was_poisoned: bool,
    },
    /// It is done.
    Done,
    /// Somebody has tried, and panicked.
    Poisoned,
}

/// Makes something to be done once.
pub(crate) fn new(stamp: u64) -> u32 {
    let object = objects::new_object(stamp, Kind::Once, 0, 0);
    of(stamp).ports += 1;
    object
}

/// Whether it is done.
#[track_caller]
pub(crate) fn is_done(stamp: u64, object: u32, place: Place) -> bool {
    let x = of(stamp);
    let last = x.objects[object as usize].versions.last();
    let known = last.is_some_and(|(done, _)| x.is_in(Past::WithoutTurns, *done));
    known || atomics::load_version(stamp, object, place) != NONE
}

/// Asks to do it.
#[track_caller]
pub(crate) fn begin(stamp: u64, object: u32, force: bool, place: Place) -> Begin {
    match calling::call_with(stamp, object, Op::Begin, u64::from(force), place) {
        answer::NO => Begin::Done,
        answer::POISONED => Begin::Poisoned,
        answer => Begin::Run { was_poisoned: answer == answer::YES + state::POISONED },
    }
}

/// It is done, or given up in a panic. Called by a destructor, so it does nothing once the program is over.
pub(crate) fn complete(stamp: u64, object: u32, poisoned: bool, place: Place) {
    if super::alive(stamp).is_some() {
        calling::call_with(stamp, object, Op::Complete, u64::from(poisoned), place);
    }
}

/// Waits until somebody has done it; false if a panic has left it in doubt.
#[track_caller]
pub(crate) fn wait(stamp: u64, object: u32, place: Place) -> bool {
    is_done(stamp, object, place) || calling::call(stamp, object, Op::Await, place) != answer::POISONED
}

/// Waits until somebody has done it, whoever panics before that.
#[track_caller]
pub(crate) fn wait_force(stamp: u64, object: u32, place: Place) {
    if !is_done(stamp, object, place) {
        stepping::begin(stamp).offer(object, Op::Await, Flags::FORGIVING, place);
        calling::await_completion(stamp, object, Op::Await, Waits::ForGood, place);
    }
}
