//! Why a worker cannot serve a request.

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
    /// The request is malformed or unknown.
    #[error("not a request that insyn {} knows: {_0}", env!("CARGO_PKG_VERSION"))]
    Unknown(serde_json::Error),
    /// The program does not take the input.
    #[error(transparent)]
    Input(InputRefusal),
    /// The text to replay is no sequence file.
    #[error(transparent)]
    Document(DocumentError),
    /// The program does not follow the sequence to replay.
    #[error(transparent)]
    Replay(ReplayError),
    /// The sequence of the program cannot be written as a file.
    #[error(transparent)]
    Malformed(Malformed),
    /// The program could not be judged.
    #[cfg(feature = "specs")]
    #[error(transparent)]
    Judgement(JudgementError),
    /// The request is about specifications.
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
