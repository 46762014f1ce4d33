//! What a replacement is backed by.

use insyn_engine::ids::{ExecutionId, ObjectId};

/// What a replacement is backed by: the real thing, or the engine. The choice is made when the replacement is created: the
/// engine if that happens in a program under test, else the real thing. (A third backend, which runs for real and traces
/// what happens, would belong here too: only the matches on this type distinguish backends.)
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) enum Backend<R, C> {
    /// The real thing.
    Real(R),
    /// The id in the engine.
    Controlled(C),
}

/// An object of the engine, and the execution that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handle {
    pub(crate) execution: ExecutionId,
    pub(crate) object: ObjectId,
}

impl<R: Clone, C: Clone> Clone for Backend<R, C> {
    #[track_caller]
    fn clone(&self) -> Self {
        match self {
            Backend::Real(real) => Backend::Real(real.clone()),
            Backend::Controlled(controlled) => Backend::Controlled(controlled.clone()),
        }
    }
}

impl<R: Copy, C: Copy> Copy for Backend<R, C> {}
