//! What the output of `#[insyn::instrument]` calls. No part of the public interface.
//!
//! Every function here takes the program's own expression as an argument and returns its value, so temporaries live as long
//! as before, and `?`, `return` and `break` inside keep their meaning.

/// In edition 2015 a program has no path to `core`, and a program without the standard library has none to `std`.
pub use ::core;
/// A place that instrumented code has reported.
pub use insyn_engine::place::TextPlace as Place;
/// What a program leaves in its binary.
pub use insyn_verdicts::marker;

use std::panic::Location;

use insyn_sequences::{Label, Value};
use serde::Serialize;

use crate::std::sync::Arc;
use insyn_engine::access::{current_execution, with_current};
use insyn_engine::ids::{ExecutionId, ThreadId};
use insyn_engine::schedule::steps::begin;

/// Until it is dropped, the objects and threads that its thread makes have these names.
#[derive(Debug)]
pub struct Naming {
    /// The names that applied before, and in which thread of which execution; none outside a program under test.
    before: Option<(ExecutionId, ThreadId, Option<Names>)>,
}

/// One for an object or a thread, two for the ends of a channel.
type Names = &'static [&'static str];

/// Until the result is passed to [`named`] or dropped, objects and threads that this thread makes have these names. If one
/// naming is within another, the inner one counts.
pub fn naming(names: Names) -> Naming {
    let before = with_current(|engine| {
        let running = engine.schedule.running;
        (engine.id(), running, engine.threads[running].naming.replace(names))
    });
    Naming { before }
}

impl Drop for Naming {
    fn drop(&mut self) {
        let Some((execution, thread, names)) = self.before else { return };
        with_current(|engine| {
            if engine.id() == execution {
                engine.threads[thread].naming = names;
            }
        });
    }
}

/// Returns the value that was made under the names.
pub fn named<T>(naming: Naming, value: T) -> T {
    drop(naming);
    value
}

/// Reports where the program is: the running thread's next operation begins there.
#[track_caller]
pub fn place(file: &'static str, line: u32, column: u32) {
    let seeming = Location::caller();
    with_current(|engine| {
        engine.threads[engine.schedule.running].source_place = Some((Place { file, line, column }, seeming));
    });
}

/// Where in the source the running thread's current operation is, if the compiler reports this location for it; none if the
/// location is right.
pub fn source_place(location: &Location<'_>) -> Option<Place> {
    with_current(|engine| engine.source_place_at(engine.schedule.running, location)).flatten()
}

/// The value, evaluated after its place was reported.
pub fn at<T>((): (), value: T) -> T {
    value
}

/// The value, evaluated before a place was reported.
pub fn then<T>(value: T, (): ()) -> T {
    value
}

/// `Arc::new`, except that the compiler may make the value a trait object or a slice on the way.
pub fn arc<T: ?Sized>(value: Box<T>) -> Arc<T> {
    Arc::from(value)
}

/// An event that specifications can name.
#[track_caller]
pub fn label(name: &'static str) {
    record_label(Label { text: name.to_string(), value: None }, Location::caller());
}

/// An event that specifications can name, with a value.
#[track_caller]
pub fn label_with<T: Serialize + ?Sized>(name: &'static str, value: &T) {
    use serde_json::Value as Json;
    let value = match serde_json::to_value(value).unwrap_or(Json::Null) {
        Json::Bool(it) => Value::Boolean(it),
        Json::String(it) => Value::Text(it),
        Json::Number(it) if it.is_i64() => Value::Integer(it.as_i64().unwrap_or_default()),
        // Specifications have no other kinds of values; these are kept as text.
        other => Value::Text(other.to_string()),
    };
    record_label(Label { text: name.to_string(), value: Some(value) }, Location::caller());
}

fn record_label(label: Label, place: &'static Location<'static>) {
    if let Some(execution) = current_execution() {
        begin(execution, |engine| engine.record_label(label, place));
    }
}
