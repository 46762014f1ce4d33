//! Without the feature `specs` a worker explores and replays. Whatever else it is asked to do needs specifications.

use insyn_verdicts::protocol::{Answer, Request};

use super::super::Program;
use super::super::function::Function;

#[derive(Default)]
pub(super) struct Judge {}

impl Judge {
    pub(super) fn answer(&mut self, _: &Program, _: Request, _: Function<'_>) -> Result<Answer, String> {
        Err("this needs the feature `specs` of insyn, with which `cargo insyn` builds programs".to_owned())
    }
}
