//! Why a worker cannot do what it is asked to.

use insyn_sequences::Malformed;
use insyn_sequences::file::DocumentError;
use thiserror::Error;

#[cfg(feature = "specs")]
use super::super::error::JudgementError;
use super::super::input::InputRefusal;
use insyn_explorer::replay::ReplayError;

/// Why a request was not fulfilled.
#[derive(Debug, Error)]
#[error("{kind}")]
pub(super) struct RequestError {
    pub(super) kind: RequestErrorKind,
}

/// The reasons.
#[derive(Debug, Error)]
pub(super) enum RequestErrorKind {
    /// It cannot be understood.
    #[error("not a request that insyn {} knows: {_0}", env!("CARGO_PKG_VERSION"))]
    Unknown(serde_json::Error),
    /// The program does not take the input.
    #[error(transparent)]
    Input(InputRefusal),
    /// What was to be replayed is no sequence file.
    #[error(transparent)]
    Document(DocumentError),
    /// The program does not do what was to be replayed.
    #[error(transparent)]
    Replay(ReplayError),
    /// What the program did cannot be written down.
    #[error(transparent)]
    Malformed(Malformed),
    /// The program could not be judged.
    #[cfg(feature = "specs")]
    #[error(transparent)]
    Judgement(JudgementError),
    /// It is about specifications.
    #[cfg(not(feature = "specs"))]
    #[error("this needs the feature `specs` of insyn, with which `cargo insyn` builds programs")]
    NeedsSpecs,
}

impl From<RequestErrorKind> for RequestError {
    fn from(kind: RequestErrorKind) -> Self {
        RequestError { kind }
    }
}

impl From<InputRefusal> for RequestError {
    fn from(error: InputRefusal) -> Self {
        RequestErrorKind::Input(error).into()
    }
}

impl From<DocumentError> for RequestError {
    fn from(error: DocumentError) -> Self {
        RequestErrorKind::Document(error).into()
    }
}

impl From<ReplayError> for RequestError {
    fn from(error: ReplayError) -> Self {
        RequestErrorKind::Replay(error).into()
    }
}

impl From<Malformed> for RequestError {
    fn from(error: Malformed) -> Self {
        RequestErrorKind::Malformed(error).into()
    }
}

#[cfg(feature = "specs")]
impl From<JudgementError> for RequestError {
    fn from(error: JudgementError) -> Self {
        RequestErrorKind::Judgement(error).into()
    }
}
