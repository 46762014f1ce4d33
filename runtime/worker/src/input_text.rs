//! How the text of an input is read: as YAML, or without the feature `specs` as JSON.

#[cfg(any(test, not(feature = "specs")))]
mod json;

#[cfg(feature = "specs")]
pub(crate) use insyn_specs::input::{InputError, read as parse};
#[cfg(not(feature = "specs"))]
pub(crate) use json::{InputError, parse};
