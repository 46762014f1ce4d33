//! A program under test without its types.
//!
//! Every program has types of its own. If the engine were generic over them, a crate with many programs would take minutes
//! to build; so the types of a program are erased first.

use std::io;
use std::panic::Location;
use std::sync::Arc;

use serde::Serialize;

use insyn_engine::place::Place;
use insyn_engine::threads::panics::panic_at;

/// A program. Each execution calls it once.
pub type Body = Arc<dyn Fn() -> Output + Send + Sync>;

/// What a program returned.
pub struct Output(Box<dyn Json>);

/// Erases the types of a program.
#[track_caller]
pub fn of<F, R>(program: F) -> Body
where
    F: Fn() -> R + Send + Sync + 'static,
    R: Serialize + 'static,
{
    at(Location::caller(), program)
}

/// As [`of`], for a program at a given place in the source.
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
        // First as a `Value`, in which the keys of a map are sorted: the output must not depend on a hasher. An output
        // with a number that is too large for a `Value` is written directly. Its execution has checked that it can be
        // written.
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
