//! What a thread parks on: a token that lets it go on.

use insyn_sequences::Op;

use super::{Answer, Behaviour, Call, Completion, Enabled, Liberties, Outcome, When};
use crate::flags::Flags;

/// Whether the token is available.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct State {
    has_token: bool,
}

impl Behaviour for State {
    type Snapshot = Self;

    #[inline]
    fn snapshot(&self) -> Self {
        *self
    }

    #[inline]
    fn enabled(parker: Self, call: &Call, _: &Liberties) -> Enabled {
        match call.op {
            Op::ParkTimeout if !parker.has_token => Enabled::Alone(When::Late),
            // This call may wake spuriously.
            Op::Park if !parker.has_token && call.flags.has(Flags::MAY_FAIL) => Enabled::Alone(When::Late),
            Op::Park => Enabled::now_if(parker.has_token),
            _ => Enabled::NOW,
        }
    }

    #[inline]
    fn complete(&mut self, call: &Completion<'_>) -> Outcome {
        if call.op == Op::Unpark {
            self.has_token = true;
            return Outcome::YES;
        }
        let had_token = std::mem::take(&mut self.has_token);
        Outcome::of(if had_token { Answer::Yes } else { Answer::No })
    }
}
