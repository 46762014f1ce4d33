//! What is done once. Whether it is done is a load, which most often needs no event at all; doing it is ordered.

use crate::engine::Place;
use crate::engine::access::{is_alive, with};
use crate::engine::calls;
use crate::engine::calls::Waits;
use crate::engine::calls::atomics;
use crate::engine::calls::completions;
use crate::engine::ids::{ExecutionId, ObjectId};
use crate::engine::objects::{Answer, Argument, State, once};
use crate::engine::record::event::{Flags, Kind, Op};
use crate::engine::record::run::Past;
use crate::engine::schedule::steps;

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
pub(crate) fn new(execution: ExecutionId) -> ObjectId {
    let object = completions::new_object(execution, Kind::Once, State::Once(once::State::New));
    with(execution, |engine| engine.run.ports += 1);
    object
}

/// Whether it is done.
#[track_caller]
pub(crate) fn is_done(execution: ExecutionId, object: ObjectId, place: Place) -> bool {
    let is_known = with(execution, |engine| {
        let last = engine.run.objects[object].versions.last();
        last.is_some_and(|(done, _)| done.is_some_and(|it| engine.is_in(Past::WithoutTurns, it)))
    });
    is_known || atomics::load_version(execution, object, place).is_some()
}

/// Asks to do it.
#[track_caller]
pub(crate) fn begin(execution: ExecutionId, object: ObjectId, force: bool, place: Place) -> Begin {
    match calls::call_with(execution, object, Op::Begin, Argument::Force(force), place) {
        Answer::Poisoned => Begin::Poisoned,
        Answer::Begin { was_poisoned } => Begin::Run { was_poisoned },
        _ => Begin::Done,
    }
}

/// It is done, or given up in a panic. Called by a destructor, so it does nothing once the program is over.
pub(crate) fn complete(execution: ExecutionId, object: ObjectId, poisoned: bool, place: Place) {
    if is_alive(execution) {
        calls::call_with(execution, object, Op::Complete, Argument::Poisoned(poisoned), place);
    }
}

/// Waits until somebody has done it; false if a panic has left it in doubt.
#[track_caller]
pub(crate) fn wait(execution: ExecutionId, object: ObjectId, place: Place) -> bool {
    is_done(execution, object, place) || calls::call(execution, object, Op::Await, place) != Answer::Poisoned
}

/// Waits until somebody has done it, whoever panics before that.
#[track_caller]
pub(crate) fn wait_force(execution: ExecutionId, object: ObjectId, place: Place) {
    if !is_done(execution, object, place) {
        steps::begin(execution, |engine| engine.offer(object, Op::Await, Flags::FORGIVING, place));
        calls::await_completion(execution, object, Op::Await, Waits::ForGood, place);
    }
}
