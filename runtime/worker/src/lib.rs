//! Programs: what `#[insyn::test]` makes of a function.
//!
//! A program is a test like any other: under `cargo test` or nextest it explores itself, and fails with a report if
//! anything goes wrong. Started by `cargo insyn`, the same binary is a worker that serves requests. So explorations,
//! forced sequences and mutants all run in the user's own build.

#![allow(rustdoc::private_intra_doc_links, reason = "read in the source as often as in the documentation")]
// Without specifications, some of the code is unused.
#![cfg_attr(not(feature = "specs"), allow(dead_code))]

#[cfg(feature = "specs")]
mod attempt;
mod catalog;
#[cfg(feature = "specs")]
mod comparison;
#[cfg(feature = "specs")]
mod drafting;
#[cfg(feature = "specs")]
mod error;
#[cfg(feature = "specs")]
mod forcing;
mod function;
mod input;
mod input_text;
#[cfg(feature = "specs")]
mod judgement;
#[cfg(feature = "specs")]
mod knowledge;
pub mod mutation;
#[cfg(feature = "specs")]
mod oracle;
#[cfg(feature = "specs")]
mod recording;
#[cfg(feature = "specs")]
mod replay;
mod saved;
#[cfg(feature = "specs")]
mod suggestion;
#[cfg(feature = "specs")]
mod warning;
mod worker;

use std::cell::RefCell;
use std::fmt::Display;
use std::panic::Location;

use insyn_verdicts::protocol::{SWITCH, idle_sentence};
use serde::Serialize;
use serde::de::DeserializeOwned;

use function::Function;
use input::Input;
pub use input::{Given, NoInput};
use insyn_engine::refinement::Refinement;
use insyn_explorer::explorer::Explorer;
use insyn_explorer::failure::terminal;
use insyn_explorer::results::{Exploration, Oversight};

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
    /// The facts about a program, as the macro writes them.
    pub const fn new(
        package: &'static str,
        root: &'static str,
        module: &'static str,
        name: &'static str,
    ) -> Self {
        About { package, root, module, name }
    }

    /// Crate, modules and function: unique in the package.
    pub fn path(&self) -> String {
        format!("{}::{}", self.module, self.name)
    }
}

/// A function under test, with the settings of its attribute.
#[derive(Debug)]
pub struct Program {
    about: About,
    explorer: Explorer,
    given: Given,
    /// This many runs at random instead of an exploration.
    sample: Option<u64>,
    named: Named,
    /// What the report of its failure must contain, if it must fail.
    should_panic: Option<&'static str>,
}

/// The files that the attribute names, from the root of the package: a specification, tests.
#[derive(Clone, Copy, Debug, Default)]
struct Named {
    spec: Option<&'static str>,
    tests: Option<&'static str>,
}

impl Named {
    fn is_some(self) -> bool {
        self.spec.is_some() || self.tests.is_some()
    }
}

impl Program {
    /// A program that is explored with the settings of `explorer`, and the input it is given.
    pub fn new(about: About, explorer: Explorer, given: Given) -> Self {
        Program { about, explorer, given, sample: None, named: Named::default(), should_panic: None }
    }

    /// Runs the program this many times at random instead of exploring it.
    #[must_use]
    pub fn sample(mut self, runs: u64) -> Self {
        self.sample = Some(runs);
        self
    }

    /// The program must fail, with a report that contains this text: `#[should_panic(expected = "..")]`.
    #[must_use]
    pub fn should_panic(mut self, expected: &'static str) -> Self {
        self.should_panic = Some(expected);
        self
    }

    /// Whether the program fails as `#[should_panic]` demands; none without that attribute. `report` is what the test would panic with.
    fn as_expected(&self, failed: bool, report: impl FnOnce() -> String) -> Option<bool> {
        self.should_panic.map(|expected| failed && report().contains(expected))
    }

    /// Judges it by the specification in a file, by its path from the root of the package.
    #[cfg(feature = "specs")]
    #[must_use]
    pub fn spec(mut self, path: &'static str) -> Self {
        self.named.spec = Some(path);
        self
    }

    /// Forces the IN-SYN tests of a file on it, by its path from the root of the package.
    #[cfg(feature = "specs")]
    #[must_use]
    pub fn tests(mut self, path: &'static str) -> Self {
        self.named.tests = Some(path);
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
        let place = Location::caller();
        self.run_bound(&|text| function::bind(text, place, function));
    }

    #[track_caller]
    fn run_bound(&self, function: Function<'_>) {
        if std::env::var_os(SWITCH).is_some() {
            worker::serve(self, function);
            return;
        }
        let input = or_fail(self.given.read(&self.about, function));
        #[cfg(feature = "specs")]
        if self.named.is_some() {
            return self.judge(&input, function);
        }
        let (mut exploration, known) = self.explore(&self.explorer, &input, self.sample);
        if has_failed(&exploration) {
            self.explorer.find_differences(&mut exploration, &known, &input.program);
            panic!("{}: {}", self.about.path(), self.failures(&exploration, &input));
        }
        self.report_passed(exploration.sequences, exploration.is_complete());
        self.report_idle(&exploration.idle_threads);
    }

    /// The text of an exploration that failed; its failures are saved.
    fn failures(&self, exploration: &Exploration, input: &Input) -> String {
        let style = terminal::style();
        let file = |failure| saved::failed(&self.about, input.text.as_deref(), failure).file;
        let files: Vec<String> = exploration.failures.iter().map(file).collect();
        let mut next = saved::save_all(&self.about, files.iter().map(String::as_str), &style).into_iter();
        let next = RefCell::new(&mut next);
        let mut text = String::new();
        let written = exploration.write_report(&mut text, |failure| {
            failure.report(&style) + &next.borrow_mut().next().unwrap_or_default()
        });
        written.expect("text can be written to a string");
        text
    }

    /// Runs the test by its specification and its IN-SYN tests.
    #[cfg(feature = "specs")]
    #[track_caller]
    fn judge(&self, input: &Input, function: Function<'_>) {
        let oracle = or_fail(oracle::Oracle::read(self, None, None));
        let mut checked = or_fail(judgement::check(self, &self.explorer, &oracle, input, |_| {}, function));
        if !checked.passed {
            let style = terminal::style();
            let files: Vec<(String, String)> =
                checked.files().map(|(what, file)| (what, file.clone())).collect();
            let mut next = saved::save_all(&self.about, files.iter().map(|(_, file)| file.as_str()), &style)
                .into_iter()
                .zip(files.iter());
            for failed in &mut checked.failures {
                let next = next.next().map(|(next, _)| next).unwrap_or_default();
                failed.report = insyn_specs::file::set(failed, &style) + &next;
            }
            let others: String = next.map(|(next, (what, _))| format!("\n{what}\n{next}")).collect();
            panic!("{}: {checked}{others}", self.about.path());
        }
        self.report_passed(checked.sequences, checked.complete);
        self.report_idle(&checked.idle_threads);
    }

    /// Prints how many interleavings a test that passes has run.
    #[expect(clippy::print_stderr, reason = "a test has nowhere else to say something")]
    fn report_passed(&self, sequences: u64, complete: bool) {
        let path = self.about.path();
        match (sequences, complete) {
            (1, true) => eprintln!("{path}: its 1 interleaving passes"),
            (all, true) => eprintln!("{path}: all {all} interleavings pass"),
            (some, false) => eprintln!("{path}: {some} interleavings pass; these are not all"),
        }
    }

    /// Prints the names of idle threads when a test passes.
    #[expect(clippy::print_stderr, reason = "a test has nowhere else to say something")]
    fn report_idle(&self, threads: &[String]) {
        if let Some(sentence) = idle_sentence(threads) {
            eprintln!("{}: {sentence}", self.about.path());
        }
    }

    /// Why no result for the program with these inputs would be meaningful, if so. One execution per input is enough to
    /// decide: a program that does not synchronize has no other.
    fn oversight<'i>(
        &self,
        explorer: &Explorer,
        inputs: impl IntoIterator<Item = &'i Input>,
    ) -> Option<String> {
        let once = explorer.clone().within(1);
        let mut found = None;
        for input in inputs {
            match once.explore_body(&input.program).0.oversight() {
                // With this input the program synchronizes under control, which is enough.
                None => return None,
                Some(Oversight::NotSequential) => return Some(Oversight::NotSequential.to_string()),
                Some(oversight) => found = Some(oversight.to_string()),
            }
        }
        found
    }

    /// Explores with an input, or samples. Also returns the facts discovered about the program.
    fn explore(&self, explorer: &Explorer, input: &Input, sample: Option<u64>) -> (Exploration, Refinement) {
        match sample {
            Some(runs) => explorer.sample_body(runs, &input.program),
            None => explorer.explore_body(&input.program),
        }
    }
}

/// Unwraps a result, or fails the test at the place of the caller.
#[track_caller]
fn or_fail<T>(asked: Result<T, impl Display>) -> T {
    match asked {
        Ok(it) => it,
        Err(why) => panic!("{why}"),
    }
}

/// Whether a test should fail: something went wrong, sequences were lost although no bound was set, or nothing was explored
/// although the program was not declared sequential.
fn has_failed(exploration: &Exploration) -> bool {
    !exploration.failures.is_empty()
        || (exploration.bound.is_none() && !exploration.is_complete())
        || exploration.oversight().is_some()
}

/// What a program returned, as data.
fn output(json: Option<&str>) -> Option<serde_json::Value> {
    serde_json::from_str(json?).ok()
}
