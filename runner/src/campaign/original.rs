//! The programs without mutants: they must pass, and mutants are compared with them.

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};
use insyn_verdicts::Feasibility;
use insyn_verdicts::protocol::{Answer, Check, Checked, Explore, Request, Surveyed};

use crate::exit::{self, Ended, Exit};
use crate::interrupt;
use crate::programs::Program;
use crate::worker::{self, Worker};

/// A program, and what it does.
pub(crate) struct Original {
    pub(crate) program: Program,
    pub(crate) survey: Check,
    pub(crate) surveyed: Surveyed,
    /// The comparison of feasible and valid sequences; none without a specification and tests.
    pub(crate) checked: Option<Checked>,
}

impl Original {
    /// Whether the program reaches the code of a mutant; none if it did not, but was not explored completely.
    pub(crate) fn reaches(&self, mutant: u32) -> Option<bool> {
        let Surveyed { complete, reached, tests, .. } = &self.surveyed;
        let is_all = *complete && tests.iter().all(|test| test.original.verdict != Feasibility::Unknown);
        let is_reached = reached.binary_search(&mutant).is_ok();
        (is_reached || is_all).then_some(is_reached)
    }
}

/// Runs a program without mutants; an error if it fails, and none if `#[should_panic]` demands that it fails. The worker keeps its
/// journal in a directory.
pub(crate) fn survey(
    program: &Program,
    survey: &Check,
    directory: &Path,
    mut progress: impl FnMut(u64, u64),
) -> Result<Option<Original>> {
    let journal = directory.join("journal");
    let surveyed = worker::persist(|| survey_once(program, survey, &journal, &mut progress));
    // The journal is only needed if the worker dies.
    let _ = fs::remove_file(&journal);
    surveyed.map_err(|error| match exit::disturbance(&error) {
        Some(disturbance) => Ended::new(Exit::WorkerDied, format!("{error:#}\n{disturbance}")).into(),
        None => error,
    })
}

fn survey_once(
    program: &Program,
    survey: &Check,
    journal: &Path,
    mut progress: impl FnMut(u64, u64),
) -> Result<Option<Original>> {
    interrupt::check("interrupted while the programs were run without mutants")?;
    let mut worker = Worker::start_for_original(program, journal)?;
    if worker.should_panic {
        return Ok(None);
    }
    let has_oracle = worker.has_oracle || survey.spec.is_some() || survey.tests.is_some();
    let checked = match has_oracle {
        true => match worker.ask(&Request::Check(survey.clone()), &mut progress)? {
            Answer::Checked(checked) if checked.passed => Some(*checked),
            Answer::Checked(checked) => return Err(fails(program, &checked.to_string())),
            other => bail!("the program answered something else: {other:?}"),
        },
        false => {
            let Check { input, max_steps, max_sequences, max_executions, .. } = survey.clone();
            let explore = Explore { input, max_steps, max_sequences, max_executions, ..Explore::default() };
            match worker.ask(&Request::Explore(explore), &mut progress)? {
                Answer::Explored(explored) => {
                    if let Some(report) = explored.wrong() {
                        return Err(fails(program, report));
                    }
                }
                other => bail!("the program answered something else: {other:?}"),
            }
            None
        }
    };
    match worker.ask(&Request::Survey(survey.clone()), &mut progress)? {
        Answer::Surveyed(surveyed) => {
            let (program, survey) = (program.clone(), survey.clone());
            Ok(Some(Original { program, survey, surveyed: *surveyed, checked }))
        }
        other => bail!("the program answered something else: {other:?}"),
    }
}

fn fails(program: &Program, report: &str) -> anyhow::Error {
    let message = format!(
        "program `{name}` fails unmutated; fix it, or name the programs to run mutants with: \
         `cargo insyn mutate -p {package} PROGRAM`\n{report}",
        name = program.name,
        package = program.binary.package,
    );
    Ended::new(Exit::ProgramFails, message).into()
}
