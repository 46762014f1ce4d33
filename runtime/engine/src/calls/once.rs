//! Closures that are run once. Asking whether the closure has completed is a load, which usually needs no event; running
//! the closure is ordered.

use crate::Place;
use crate::access::{is_alive, with};
use crate::calls;
use crate::calls::Waits;
use crate::calls::atomics;
use crate::calls::completions;
use crate::ids::{ExecutionId, ObjectId};
use crate::objects::{Answer, Argument, State, once};
use crate::record::event::{Flags, Kind, Op};
use crate::record::run::Past;
use crate::schedule::steps;

/// The answer to a thread that asks for the closure to be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    /// The thread is to run the closure.
    Run {
        /// An earlier run has panicked.
        was_poisoned: bool,
    },
    /// The closure has completed.
    Done,
    /// An earlier run has panicked.
    Poisoned,
}

/// Makes the state of a closure that is run once.
pub fn new(execution: ExecutionId) -> ObjectId {
    let object = completions::new_object(execution, Kind::Once, State::Once(once::State::New));
    with(execution, |engine| engine.run.ports += 1);
    object
}

/// Whether the closure has completed.
#[track_caller]
pub fn is_done(execution: ExecutionId, object: ObjectId, place: Place) -> bool {
    let is_known = with(execution, |engine| {
        let last = engine.run.objects[object].versions.last();
        last.is_some_and(|(done, _)| done.is_some_and(|it| engine.is_in(Past::WithoutTurns, it)))
    });
    is_known || atomics::load_version(execution, object, place).is_some()
}

/// Asks to run the closure.
#[track_caller]
pub fn begin(execution: ExecutionId, object: ObjectId, force: bool, place: Place) -> Begin {
    match calls::call_with(execution, object, Op::Begin, Argument::Force(force), place) {
        Answer::Poisoned => Begin::Poisoned,
        Answer::Begin { was_poisoned } => Begin::Run { was_poisoned },
        _ => Begin::Done,
    }
}

/// The closure has completed, or was given up in a panic. Called by a destructor, so it does nothing once the program is
/// over.
pub fn complete(execution: ExecutionId, object: ObjectId, poisoned: bool, place: Place) {
    if is_alive(execution) {
        calls::call_with(execution, object, Op::Complete, Argument::Poisoned(poisoned), place);
    }
}

/// Waits until the closure has completed; false if a panic has left it incomplete.
#[track_caller]
pub fn wait(execution: ExecutionId, object: ObjectId, place: Place) -> bool {
    is_done(execution, object, place) || calls::call(execution, object, Op::Await, place) != Answer::Poisoned
}

/// Waits until the closure has completed, even if earlier runs panic.
#[track_caller]
pub fn wait_force(execution: ExecutionId, object: ObjectId, place: Place) {
    if !is_done(execution, object, place) {
        steps::begin(execution, |engine| engine.offer(object, Op::Await, Flags::FORGIVING, place));
        calls::await_completion(execution, object, Op::Await, Waits::ForGood, place);
    }
}
