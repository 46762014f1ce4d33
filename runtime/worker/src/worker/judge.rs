//! Requests about what a program should do: judging it by its specification and its tests, forcing and recording tests, and
//! comparing mutants with it.

use std::sync::Arc;

use insyn_verdicts::protocol::{
    Answer, Check, Checked, Compare, Compared, Drafted, Explore, Force, Forced, Record, Request, Suggest,
};

use super::super::comparison::Baseline;
use super::super::error::JudgementError;
use super::super::function::Function;
use super::super::knowledge::Knowledge;
use super::super::oracle::Oracle;
use super::super::{Program, drafting, forcing, judgement, recording, suggestion, warning};
use super::error::RequestError;
use super::{Counts, explorer, read, send, with_progress};
use insyn_engine::journal;
use insyn_explorer::explorer::Explorer;

/// What the worker remembers between requests.
#[derive(Default)]
pub(super) struct Judge {
    /// What the original does, and the request it was computed for: a mutation run needs it for every mutant.
    original: Option<(Check, Arc<Baseline>)>,
}

impl Judge {
    pub(super) fn answer(
        &mut self,
        program: &Program,
        request: Request,
        function: Function<'_>,
    ) -> Result<Answer, RequestError> {
        Ok(self.judge(program, request, function)?)
    }

    fn judge(
        &mut self,
        program: &Program,
        request: Request,
        function: Function<'_>,
    ) -> Result<Answer, JudgementError> {
        match request {
            Request::Check(how) => check(program, &how, function).map(|it| Answer::Checked(Box::new(it))),
            Request::Force(what) => force(program, &what, function),
            Request::Record(how) => record(program, &how, function),
            Request::Suggest(how) => suggest(program, &how, function),
            Request::Draft(how) => draft(program, &how, function).map(Answer::Drafted),
            Request::Survey(how) => {
                self.survey(program, &how, function).map(|it| Answer::Surveyed(Box::new(it.surveyed.clone())))
            }
            Request::Compare(how) => {
                self.compare(program, &how, function).map(|it| Answer::Compared(Box::new(it)))
            }
            Request::Explore(_) | Request::Replay(_) | Request::Catalog(_) => {
                unreachable!("these need no specification")
            }
        }
    }

    /// What the original does. Computed once.
    fn survey(
        &mut self,
        program: &Program,
        how: &Check,
        function: Function<'_>,
    ) -> Result<Arc<Baseline>, JudgementError> {
        if let Some((_, baseline)) = self.original.as_ref().filter(|(survey, _)| survey == how) {
            return Ok(baseline.clone());
        }
        let oracle = Oracle::read(program, how.spec.as_ref(), how.tests.as_ref())?;
        let input = read(program, how.input.as_deref(), function)?;
        let explorer = within(program, how);
        let counts = Arc::new(Counts::default());
        let watch = counts.watch();
        let baseline = with_progress(&counts, || {
            Baseline::survey(program, explorer, &oracle, input, how.random, watch, function)
        })?;
        Ok(self.original.insert((how.clone(), Arc::new(baseline))).1.clone())
    }

    fn compare(
        &mut self,
        program: &Program,
        how: &Compare,
        function: Function<'_>,
    ) -> Result<Compared, JudgementError> {
        let baseline = self.survey(program, &how.survey, function)?;
        let counts = Arc::new(Counts::default());
        let watch = counts.watch();
        if let Some(moment) = how.died_at {
            journal::testify_at(moment, |real| send(&Answer::Testified { real }));
        }
        with_progress(&counts, || baseline.compare(how, watch))
    }
}

fn check(program: &Program, how: &Check, function: Function<'_>) -> Result<Checked, JudgementError> {
    let oracle = Oracle::read(program, how.spec.as_ref(), how.tests.as_ref())?;
    let input = read(program, how.input.as_deref(), function)?;
    let explorer = within(program, how);
    let counts = Arc::new(Counts::default());
    let watch = counts.watch();
    let mut checked =
        with_progress(&counts, || judgement::check(program, &explorer, &oracle, &input, watch, function))?;
    let report = || format!("{}: {checked}", program.about.path());
    checked.as_expected = program.as_expected(!checked.passed, report);
    Ok(checked)
}

fn force(program: &Program, what: &Force, function: Function<'_>) -> Result<Answer, JudgementError> {
    let oracle =
        Oracle::read(program, what.spec.as_ref(), what.tests.as_ref())?.only(what.test.as_deref())?;
    let Force { max_steps, max_executions, .. } = *what;
    let explorer = explorer(program, &Explore { max_steps, max_executions, ..Explore::default() });
    let inputs = forcing::inputs(program, &oracle, function)?;
    if let Some(message) = program.oversight(&explorer, &inputs) {
        return Ok(Answer::Oversight { message });
    }
    let tried = forcing::tests(program, &explorer, &mut Knowledge::default(), &oracle, function)?;
    let warnings = warning::unmatched(&explorer, &oracle, &inputs)?;
    Ok(Answer::Forced(Forced { tests: tried.into_iter().map(|it| it.tested).collect(), warnings }))
}

fn record(program: &Program, how: &Record, function: Function<'_>) -> Result<Answer, JudgementError> {
    let spec = Oracle::read(program, how.spec.as_ref(), None)?.spec;
    let input = read(program, how.input.as_deref(), function)?;
    if let Some(message) = program.oversight(&program.explorer, [&input]) {
        return Ok(Answer::Oversight { message });
    }
    recording::record(program, spec.as_ref(), how, &input).map(Answer::Recorded)
}

fn suggest(program: &Program, how: &Suggest, function: Function<'_>) -> Result<Answer, JudgementError> {
    let oracle = Oracle::read(program, how.spec.as_ref(), None)?;
    let input = read(program, how.input.as_deref(), function)?;
    if let Some(message) = program.oversight(&program.explorer, [&input]) {
        return Ok(Answer::Oversight { message });
    }
    suggestion::suggest(program, &program.explorer, &oracle, &input, how.max).map(Answer::Suggested)
}

fn draft(program: &Program, how: &Explore, function: Function<'_>) -> Result<Drafted, JudgementError> {
    let input = read(program, how.input.as_deref(), function)?;
    let explorer = explorer(program, how);
    let counts = Arc::new(Counts::default());
    let watch = counts.watch();
    with_progress(&counts, || drafting::draft(program, &explorer, &input, watch))
}

/// Explores within the bounds of a check.
fn within(program: &Program, how: &Check) -> Explorer {
    let Check { workers, max_steps, max_sequences, max_executions, time_limit, record_limit, .. } = *how;
    let how = Explore {
        workers,
        max_steps,
        max_sequences,
        max_executions,
        time_limit,
        record_limit,
        ..Explore::default()
    };
    explorer(program, &how)
}
