//! The words that arms start with, and a guess at the one that a misspelt word was meant to be.

use insyn_syntax::Form;

use crate::spelling;

/// The kind of arm that a word starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Accept,
    Recv,
    Default,
    Timeout,
    Closed,
}

impl Word {
    const ALL: [Self; 5] = [Self::Accept, Self::Recv, Self::Default, Self::Timeout, Self::Closed];

    /// The word as it is written.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Recv => "recv",
            Self::Default => "default",
            Self::Timeout => "timeout",
            Self::Closed => "closed",
        }
    }

    /// A whole arm of this kind, for hints.
    fn example(self) -> &'static str {
        match self {
            Self::Accept => "accept(entry) -> call => ..",
            Self::Recv => "recv(receiver) -> message => ..",
            Self::Default => "default => ..",
            Self::Timeout => "timeout(duration) => ..",
            Self::Closed => "closed => ..",
        }
    }

    /// The form of an arm of this kind.
    pub(super) fn form(self) -> Form {
        let receives = match self {
            Self::Accept => Some("call"),
            Self::Recv => Some("message"),
            Self::Default | Self::Timeout | Self::Closed => None,
        };
        let argument = matches!(self, Self::Accept | Self::Recv | Self::Timeout);
        Form { example: self.example(), argument, receives }
    }

    /// The word with exactly this spelling.
    pub(super) fn parse(written: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|word| word.as_str() == written)
    }

    /// The most similar word, if one is similar: more than half of the letters must be right.
    pub(super) fn nearest(written: &str) -> Option<Self> {
        // `match` and `if` use these words for the arm that is taken when no other is.
        if matches!(written, "_" | "else") {
            return Some(Self::Default);
        }
        let word = spelling::nearest(written, Self::ALL.map(Self::as_str))?;
        Self::parse(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guesses_only_what_is_alike() {
        for (written, meant) in [
            ("acept", Some(Word::Accept)),
            ("receive", Some(Word::Recv)),
            ("recieve", Some(Word::Recv)),
            ("Default", Some(Word::Default)),
            ("_", Some(Word::Default)),
            ("else", Some(Word::Default)),
            ("time_out", Some(Word::Timeout)),
            ("close", Some(Word::Closed)),
            ("send", None),
            ("x", None),
        ] {
            assert_eq!(Word::nearest(written), meant, "{written}");
        }
    }
}
