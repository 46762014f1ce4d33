//! A function under test: together with its input, it is a program.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::input_text::{self, InputError};
use insyn_engine::Place;
use insyn_explorer::body::{self, Body};

/// Reads the text of an input, and binds it to the function.
pub(super) type Function<'f> = &'f dyn Fn(&str) -> Result<Body, InputError>;

/// Reads an input as the type that a function takes, and binds it to the function.
pub(super) fn bind<I, R, F>(text: &str, place: Place, function: F) -> Result<Body, InputError>
where
    I: DeserializeOwned + Send + Sync + 'static,
    R: Serialize + 'static,
    F: Fn(&I) -> R + Send + Sync + 'static,
{
    let input: I = input_text::parse(text)?;
    Ok(body::at(place, move || function(&input)))
}
