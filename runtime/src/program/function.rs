//! A function under test without its types.
//!
//! Every program has types of its own. Were the engine compiled for each of them, a crate with many programs would take
//! minutes to build; so a program is a closure without types before anything is done with it.

use std::sync::Arc;

use insyn_specs::input::{self, InputError};
use serde::de::DeserializeOwned;
use serde::{Serialize, Serializer};

/// A function with its input.
pub(super) type Bound = Arc<dyn Fn() -> Returned + Send + Sync>;

/// Reads the text of an input, and gives it to the function.
pub(super) type Function<'f> = &'f dyn Fn(&str) -> Result<Bound, InputError>;

/// What a function returned.
pub(super) struct Returned(Box<dyn ToJson>);

trait ToJson {
    fn to_json(&self) -> Result<serde_json::Value, serde_json::Error>;
}

impl<R: Serialize> ToJson for R {
    fn to_json(&self) -> Result<serde_json::Value, serde_json::Error> {
        serde_json::to_value(self)
    }
}

impl Serialize for Returned {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.to_json().map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

/// Reads an input as what a function takes, and gives it to the function.
pub(super) fn bind<I, R, F>(text: &str, function: F) -> Result<Bound, InputError>
where
    I: DeserializeOwned + Send + Sync + 'static,
    R: Serialize + 'static,
    F: Fn(&I) -> R + Send + Sync + 'static,
{
    let input: I = input::read(text)?;
    Ok(Arc::new(move || Returned(Box::new(function(&input)))))
}
