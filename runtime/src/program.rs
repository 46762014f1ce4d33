//! Programs: what `#[insyn::test]` makes of a function.
//!
//! A program is a test like any other: run by `cargo test` or nextest, it explores itself and fails with what went wrong.
//! Run by `cargo insyn` in the same binary, it is a [worker](protocol) that does what it is asked to. So explorations,
//! forced sequences and mutants all run in the user's own build.

mod input;
pub mod protocol;
mod saving;
mod worker;

use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::explorer::Explorer;
use crate::results::Exploration;
pub use input::{Given, NoInput};

/// What is known of a program without running it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct About {
    /// The package it belongs to.
    pub package: &'static str,
    /// The root directory of that package, where paths in its arguments start.
    pub root: &'static str,
    /// The module it is in, from the crate on.
    pub module: &'static str,
    /// The function.
    pub name: &'static str,
}

impl About {
    /// All of it, as the macro writes it down.
    pub const fn new(
        package: &'static str,
        root: &'static str,
        module: &'static str,
        name: &'static str,
    ) -> Self {
        About { package, root, module, name }
    }

    /// Crate, modules and function: what nothing else in the package is called.
    pub fn path(&self) -> String {
        format!("{}::{}", self.module, self.name)
    }
}

/// A function under test, with what its attribute says about it.
#[derive(Debug)]
pub struct Program {
    about: About,
    explorer: Explorer,
    given: Given,
    /// So many runs at random instead of an exploration.
    sample: Option<u64>,
}

impl Program {
    /// A program that is explored as `explorer` says, with the input it is given.
    pub fn new(about: About, explorer: Explorer, given: Given) -> Self {
        Program { about, explorer, given, sample: None }
    }

    /// Runs it so often at random, instead of exploring it.
    #[must_use]
    pub fn sample(mut self, runs: u64) -> Self {
        self.sample = Some(runs);
        self
    }

    /// Runs the test: explores the function, or serves as a worker if the process was started as one.
    ///
    /// # Panics
    /// With the report, if something went wrong: that is how a test fails.
    #[track_caller]
    pub fn run<I, R, F>(self, function: F)
    where
        I: DeserializeOwned + Send + Sync + 'static,
        R: Serialize + 'static,
        F: Fn(&I) -> R + Send + Sync + Copy + 'static,
    {
        if std::env::var_os(protocol::SWITCH).is_some() {
            worker::serve(&self, function);
            return;
        }
        let input = self.given.read::<I>(&self.about).unwrap_or_else(|error| panic!("{error}"));
        let given = input.text;
        let exploration = self.explore(&self.explorer, input.value, self.sample, function);
        if has_failed(&exploration) {
            let saved = saving::save_all(&self.about, given.as_deref(), &exploration.failures);
            panic!("{}: {exploration}\n{saved}", self.about.path());
        }
    }

    /// Explores with an input, or samples.
    fn explore<I, R, F>(&self, explorer: &Explorer, input: I, sample: Option<u64>, function: F) -> Exploration
    where
        I: Send + Sync + 'static,
        R: Serialize + 'static,
        F: Fn(&I) -> R + Send + Sync + Copy + 'static,
    {
        let program = on(input, function);
        match sample {
            Some(runs) => explorer.sample(runs, program),
            None => explorer.explore(program),
        }
    }
}

/// A function with an input, as a closure to explore.
fn on<I, R>(
    input: I,
    function: impl Fn(&I) -> R + Send + Sync + 'static,
) -> impl Fn() -> R + Send + Sync + 'static
where
    I: Send + Sync + 'static,
{
    // Not controlled: it is shared by all executions and belongs to none.
    let input = Arc::new(input);
    move || function(&input)
}

/// Whether a test should fail: something went wrong, or sequences were lost without anybody having asked for a bound.
fn has_failed(exploration: &Exploration) -> bool {
    !exploration.failures.is_empty() || (exploration.bound.is_none() && !exploration.is_complete())
}
