//! Without the feature `specs` a worker explores and replays. All other requests need specifications.

use insyn_verdicts::protocol::{Answer, Request};

use super::super::Program;
use super::super::function::Function;
use super::error::{RequestError, RequestErrorKind};

#[derive(Default)]
pub(super) struct Judge {}

impl Judge {
    pub(super) fn answer(
        &mut self,
        _: &Program,
        _: Request,
        _: Function<'_>,
    ) -> Result<Answer, RequestError> {
        Err(RequestErrorKind::NeedsSpecs.into())
    }
}
