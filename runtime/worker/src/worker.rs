//! A program as a worker: reads requests, serves and answers them, until there are no more.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{mem, thread};

use insyn_sequences::SequenceFile;
use insyn_verdicts::protocol::{
    Answer, Explore, Explored, Failed, MEMORY, Replay, Replayed, Request, Terminations, VERSION,
};

use super::function::Function;
use super::input::{self, Input, InputRefusal, InputRefusalKind};
use super::input_text::InputError;
use super::{Program, has_failed, saved};
use insyn_engine::{journal, system, watchdog};
use insyn_explorer::exploration::ended::Ended;
use insyn_explorer::explorer::Explorer;
use insyn_explorer::explorer::playback::Extent;
use insyn_explorer::failure::{Failure, Termination};
use insyn_explorer::results::{Execution, Exploration};

mod error;
#[cfg(feature = "specs")]
mod judge;
#[cfg(not(feature = "specs"))]
#[path = "worker/no_judge.rs"]
mod judge;
mod link;

use error::{RequestError, RequestErrorKind};
use judge::Judge;
use link::send;

/// How often a worker reports its progress.
const NEWS: Duration = Duration::from_millis(100);

/// After this many executions it reports in any case, so that no more than these are lost if it dies.
const MANY: u64 = 1_000;

/// Serves requests until there are no more.
pub(super) fn serve(program: &Program, function: Function<'_>) {
    // A mutant that allocates without end kills only its own process.
    if let Some(megabytes) = std::env::var(MEMORY).ok().and_then(|text| text.parse::<u64>().ok()) {
        system::limit_memory(megabytes << 20);
    }
    journal::open();
    let requests = link::open().expect("a process has standard streams");
    watchdog::set_stall_report(|stall| send(&Answer::Stalled(stall)));
    send(&Answer::Hello {
        version: VERSION,
        takes_input: program.given.is_taken(),
        has_oracle: program.named.is_some(),
        should_panic: program.should_panic.is_some(),
    });
    let mut judge = Judge::default();
    for line in requests {
        if line.is_empty() {
            continue;
        }
        let answer = match serde_json::from_str(&line) {
            Ok(Request::Explore(how)) => explore(program, &how, function).map(Answer::Explored),
            Ok(Request::Replay(what)) => replay(program, &what, function),
            Ok(Request::Catalog(how)) => catalog(program, &how, function),
            Ok(request) => judge.answer(program, request, function),
            Err(error) => Err(RequestErrorKind::Unknown(error).into()),
        };
        send(&answer.unwrap_or_else(|error| Answer::Refused { message: error.to_string() }));
    }
}

/// The input of a request, or that of the attribute.
fn read(program: &Program, asked: Option<&str>, function: Function<'_>) -> Result<Input, InputRefusal> {
    match asked {
        None => program.given.read(&program.about, function),
        Some(_) if !program.given.is_taken() => {
            Err(InputRefusalKind::NotTaken { program: program.about.path() }.into())
        }
        Some(text) => {
            let describe = |error: &InputError| format!("--input{error}");
            input::read(Some(text.to_string()), describe, &program.about, function)
        }
    }
}

fn explore(program: &Program, how: &Explore, function: Function<'_>) -> Result<Explored, RequestError> {
    let input = read(program, how.input.as_deref(), function)?;
    let about = program.about;
    let text = input.text.clone();
    let failed = move |failure: &Failure| saved::failed(&about, text.as_deref(), failure);
    let counts = Arc::new(Counts::default());
    counts.lock().input.clone_from(&input.data);
    let explorer = explorer(program, how).observe(counts.watch_failures(failed.clone()));
    let exploration = with_progress(&counts, || {
        let sample = how.sample.or(program.sample);
        let (mut exploration, known) = program.explore(&explorer, &input, sample);
        explorer.find_differences(&mut exploration, &known, &input.program);
        exploration
    });
    let report = || format!("{}: {exploration}", program.about.path());
    Ok(Explored {
        as_expected: program.as_expected(has_failed(&exploration), report),
        input: input.data,
        sequences: exploration.sequences,
        executions: exploration.executions,
        repeats: exploration.repeats,
        inconsistent: exploration.inconsistent,
        terminations: terminations(&exploration),
        complete: exploration.is_complete(),
        bound: exploration.bound.map(|bound| bound.to_string()),
        failures: exploration.failures.iter().map(failed).collect(),
        left_out: exploration.left_out,
        oversight: exploration.oversight().map(|it| it.to_string()),
        idle_threads: exploration.idle_threads,
    })
}

fn catalog(program: &Program, how: &Explore, function: Function<'_>) -> Result<Answer, RequestError> {
    let input = read(program, how.input.as_deref(), function)?;
    let explorer = explorer(program, how);
    let counts = Arc::new(Counts::default());
    let watch = counts.watch();
    let sample = how.sample.or(program.sample);
    let made = with_progress(&counts, || super::catalog::catalog(program, &explorer, &input, sample, watch))?;
    Ok(Answer::Catalogued(Box::new(made)))
}

/// The settings of the attribute, overridden by those of the request.
fn explorer(program: &Program, how: &Explore) -> Explorer {
    let mut explorer = program.explorer.clone();
    if let Some(workers) = how.workers {
        explorer = explorer.workers(workers);
    }
    if let Some(steps) = how.max_steps {
        explorer = explorer.max_steps(steps);
    }
    if let Some(sequences) = how.max_sequences {
        explorer = explorer.max_sequences(sequences);
    }
    if let Some(executions) = how.max_executions {
        explorer = explorer.max_executions(executions);
    }
    if let Some(seconds) = how.time_limit {
        explorer = explorer.time_limit(Duration::from_secs(seconds));
    }
    if let Some(mebibytes) = how.record_limit {
        explorer = explorer.record_limit(usize::try_from(mebibytes << 20).unwrap_or(usize::MAX));
    }
    if let Some(seed) = how.seed {
        explorer = explorer.seed(seed);
    }
    if how.stop_at_first_failure {
        explorer = explorer.stop_at_first_failure(true);
    }
    explorer
}

fn terminations(exploration: &Exploration) -> Terminations {
    let mut terminations = Terminations::default();
    for termination in Termination::ALL {
        *terminations.of(termination) += exploration.ended(termination);
    }
    terminations
}

fn replay(program: &Program, what: &Replay, function: Function<'_>) -> Result<Answer, RequestError> {
    let input = read(program, what.input.as_deref(), function)?;
    if let Some(message) = program.oversight(&program.explorer, [&input]) {
        return Ok(Answer::Oversight { message });
    }
    let file = SequenceFile::from_json(&what.file)?;
    let replayed = program.explorer.follow(&file.sequence, &input.program, Extent::of(&file));
    let Execution { sequence, termination, output, failure, .. } = replayed?;
    Ok(Answer::Replayed(Replayed {
        termination,
        failed: termination != Termination::Normal,
        output,
        file: SequenceFile::from(sequence).write()?,
        failing: failure.map(|failure| failure.facts()),
    }))
}

// ---- progress -----------------------------------------------------------------------------------------------------

/// What is found while exploring, by all workers at once.
#[derive(Default)]
struct Counts(Mutex<SoFar>);

#[derive(Default)]
struct SoFar {
    /// The input, if it is to be reported.
    input: Option<serde_json::Value>,
    round: u32,
    found: Explored,
    /// The ways to fail that have been found.
    failing: Vec<Termination>,
}

impl Counts {
    /// An observer that counts.
    fn watch(self: &Arc<Self>) -> impl Fn(&Ended<'_>) + Send + Sync + 'static {
        let counts = self.clone();
        move |ended| drop(counts.add(ended))
    }

    /// An observer that counts, and keeps the first failure of each termination.
    fn watch_failures(
        self: &Arc<Self>,
        failed: impl Fn(&Failure) -> Failed + Send + Sync + 'static,
    ) -> impl Fn(&Ended<'_>) + Send + Sync + 'static {
        let counts = self.clone();
        move |ended| {
            let mut so_far = counts.add(ended);
            if ended.counted()
                && !so_far.failing.contains(&ended.termination())
                && let Some(failure) = ended.failure()
            {
                so_far.found.failures.push(failed(&failure));
                so_far.failing.push(ended.termination());
            }
            if so_far.found.executions.is_multiple_of(MANY) {
                so_far.report();
            }
        }
    }

    /// Counts another execution. Counts of an earlier round are discarded.
    fn add(&self, ended: &Ended<'_>) -> MutexGuard<'_, SoFar> {
        let mut so_far = self.lock();
        if so_far.round < ended.round() {
            let input = so_far.input.take();
            *so_far = SoFar { input, round: ended.round(), ..SoFar::default() };
        }
        if so_far.round == ended.round() {
            let found = &mut so_far.found;
            found.executions += 1;
            match (ended.counted(), ended.is_repeat()) {
                (true, _) => {
                    found.sequences += 1;
                    *found.terminations.of(ended.termination()) += 1;
                }
                (false, true) => found.repeats += 1,
                (false, false) => found.inconsistent += 1,
            }
        }
        so_far
    }

    fn lock(&self) -> MutexGuard<'_, SoFar> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SoFar {
    /// Reports the result. Failures need not be reported again.
    fn report(&mut self) {
        let rest = Explored { failures: Vec::new(), ..self.found.clone() };
        let found = mem::replace(&mut self.found, rest);
        send(&Answer::Progress(Explored { input: self.input.clone(), ..found }));
    }
}

/// Does some long work, and reports its progress from time to time.
fn with_progress<T>(counts: &Counts, work: impl FnOnce() -> T) -> T {
    let over = (Mutex::new(false), Condvar::new());
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut is_over = over.0.lock().unwrap_or_else(PoisonError::into_inner);
            while !*is_over {
                let (guard, timeout) =
                    over.1.wait_timeout(is_over, NEWS).unwrap_or_else(PoisonError::into_inner);
                is_over = guard;
                if timeout.timed_out() && !*is_over {
                    counts.lock().report();
                }
            }
        });
        let _end = End(&over);
        work()
    })
}

/// Ends the reports, even if the work panics.
struct End<'a>(&'a (Mutex<bool>, Condvar));

impl Drop for End<'_> {
    fn drop(&mut self) {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.1.notify_all();
    }
}
