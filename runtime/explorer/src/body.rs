//! A program under test without its types.
//!
//! Every program has types of its own. Were the engine compiled for each of them, a crate with many programs would take
//! minutes to build; so a program loses its types before anything is done with it.

use std::io;
use std::panic::Location;
use std::sync::Arc;

use serde::Serialize;

use insyn_engine::place::Place;
use insyn_engine::threads::panics::panic_at;

/// A program: it is run once for each execution.
pub type Body = Arc<dyn Fn() -> Output + Send + Sync>;

/// What a program returned.
pub struct Output(Box<dyn Json>);

/// A program without its types.
#[track_caller]
pub fn of<F, R>(program: F) -> Body
where
    F: Fn() -> R + Send + Sync + 'static,
    R: Serialize + 'static,
{
    at(Location::caller(), program)
}

/// As [`of`], for a program that is at a place.
pub fn at<F, R>(place: Place, program: F) -> Body
where
    F: Fn() -> R + Send + Sync + 'static,
    R: Serialize + 'static,
{
    Arc::new(move || {
        let output = program();
        // Outputs that look the same would hide differences. (A type of size zero has only one value.)
        if size_of::<R>() > 0
            && let Err(error) = serde_json::to_writer(io::sink(), &output)
        {
            panic_at(place, unwritable(&error));
        }
        Output(Box::new(output))
    })
}

#[cold]
#[inline(never)]
fn unwritable(error: &serde_json::Error) -> String {
    format!("what the program returned cannot be written as JSON, so it cannot be compared: {error}")
}

impl Output {
    /// As JSON.
    pub fn json(&self) -> String {
        self.0.json()
    }
}

trait Json {
    fn json(&self) -> String;
}

impl<R: Serialize> Json for R {
    fn json(&self) -> String {
        // As a value first, in which the keys of a map are sorted: the output must not depend on a hasher. A number that is
        // too large for a value is written as it is. That the output can be written was checked in its execution.
        serde_json::to_value(self)
            .map(|value| value.to_string())
            .or_else(|_| serde_json::to_string(self))
            .unwrap_or_else(|error| serde_json::Value::from(unwritable(&error)).to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json<R: Serialize + 'static>(returned: impl Fn() -> R + Send + Sync + 'static) -> String {
        of(returned)().json()
    }

    #[test]
    fn keys_are_sorted() {
        #[derive(Serialize)]
        struct Seen {
            later: u8,
            earlier: u8,
        }
        assert_eq!(json(|| Seen { later: 1, earlier: 2 }), r#"{"earlier":2,"later":1}"#);
    }

    #[test]
    fn large_numbers_are_told() {
        assert_eq!(json(|| u128::MAX), u128::MAX.to_string());
    }
}
