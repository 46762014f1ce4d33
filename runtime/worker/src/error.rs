//! Why a program could not be judged, forced, recorded or compared.

use insyn_sequences::Malformed;
use insyn_specs::draft::DraftError;
use insyn_specs::{Position, Problem};
use thiserror::Error;

use super::input::InputRefusal;
use super::oracle::OracleError;
use insyn_explorer::replay::ReplayError;

/// Why a program could not be judged, forced, recorded or compared.
#[derive(Debug, Error)]
#[error("{kind}")]
pub(super) struct JudgementError {
    pub(super) kind: JudgementErrorKind,
}

/// The reasons.
#[derive(Debug, Error)]
pub(super) enum JudgementErrorKind {
    /// The program does not take the input.
    #[error(transparent)]
    Input(InputRefusal),
    /// A test has an input, and the program takes none.
    #[error("{}test `{test}`: program `{program}` takes no input; leave `input` out", place(at.as_ref()))]
    InputNotTaken { at: Option<Position>, test: String, program: String },
    /// The files cannot be read.
    #[error(transparent)]
    Oracle(OracleError),
    /// The specification has no answer for what the program does.
    #[error(transparent)]
    Problem(Problem),
    /// Events of the specification match nothing in the program.
    #[error("{problems}\n`cargo insyn events {program}` lists what can be matched")]
    UnknownEvents { problems: String, program: String },
    /// There is nothing to draft a specification from.
    #[error(transparent)]
    Draft(DraftError),
    /// A sequence is in no canonical form.
    #[error(transparent)]
    Malformed(Malformed),
    /// A recorded sequence cannot be followed, whatever the program does.
    #[error(transparent)]
    Replay(ReplayError),
    /// There is no specification and no test.
    #[error(
        "there is nothing to check program `{program}` by: name a file with `#[insyn::test(spec = \"..\")]` or \
         `tests = \"..\"`, or give one with `--spec` or `--tests`"
    )]
    NoOracle { program: String },
    /// There is no specification.
    #[error(
        "what is valid is not known of program `{program}`: name a specification with `#[insyn::test(spec = \"..\")]` or \
         `--spec`"
    )]
    NoSpecification { program: String },
    /// No order agrees with the steps of a test.
    #[error("the steps have no order")]
    NoOrder,
    /// The engine refuses to force the sequence.
    #[error("{0}")]
    Unforceable(String),
    /// The program does not repeat what it did with the same picks.
    #[error("{}", .0.as_deref().unwrap_or("something uncontrolled decides what the program does"))]
    Uncontrolled(Option<String>),
    /// A test could not be forced.
    #[error("test `{test}`: {error}")]
    Test { test: String, error: Box<JudgementError> },
    /// Forcing and exploring contradict each other.
    #[error(
        "{executions} executions forced to do it and all executions differ in whether it is feasible: this is a bug of \
         insyn, please report it"
    )]
    Contradiction { executions: u64 },
    /// Forcing has found a sequence that the exploration should have found.
    #[error(
        "`{word}` can be forced on the program, but the exploration has not shown it: this is a bug of insyn, please \
         report it"
    )]
    Overlooked { word: String },
    /// Runs at random discovered more than an exploration that was cut.
    #[error(
        "the original was not explored to its end, and at random it does what was not met there; collect all of its \
         sequences, or raise its bounds"
    )]
    CutShort,
    /// An execution of the original fails.
    #[error("{0}")]
    Fails(String),
    /// The original does something that its specification does not allow.
    #[error("a sequence that it does is not valid: {word}: {objection}")]
    Invalid { word: String, objection: String },
}

impl JudgementErrorKind {
    /// The events of a specification that match nothing in a program, the first ones in full.
    pub(super) fn unknown_events(all: &[Problem], program: &str) -> Self {
        const MOST: usize = 5;
        let mut lines: Vec<String> = all.iter().take(MOST).map(ToString::to_string).collect();
        if all.len() > MOST {
            lines.push(format!("and {} more events", all.len() - MOST));
        }
        JudgementErrorKind::UnknownEvents { problems: lines.join("\n"), program: program.to_owned() }
    }
}

/// A place before a message.
fn place(at: Option<&Position>) -> String {
    at.map(|at| format!("{at}: ")).unwrap_or_default()
}

impl From<JudgementErrorKind> for JudgementError {
    fn from(kind: JudgementErrorKind) -> Self {
        JudgementError { kind }
    }
}

impl From<InputRefusal> for JudgementError {
    fn from(error: InputRefusal) -> Self {
        JudgementErrorKind::Input(error).into()
    }
}

impl From<OracleError> for JudgementError {
    fn from(error: OracleError) -> Self {
        JudgementErrorKind::Oracle(error).into()
    }
}

impl From<DraftError> for JudgementError {
    fn from(error: DraftError) -> Self {
        JudgementErrorKind::Draft(error).into()
    }
}

impl From<Problem> for JudgementError {
    fn from(problem: Problem) -> Self {
        JudgementErrorKind::Problem(problem).into()
    }
}

impl From<Malformed> for JudgementError {
    fn from(malformed: Malformed) -> Self {
        JudgementErrorKind::Malformed(malformed).into()
    }
}
