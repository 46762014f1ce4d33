//! The words that arms begin with, and a guess at which of them a misspelt one was meant to be.

/// What kind of arm a word begins.
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

    /// As it is written.
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
    pub(super) fn example(self) -> &'static str {
        match self {
            Self::Accept => "accept(entry) -> call => ..",
            Self::Recv => "recv(receiver) -> message => ..",
            Self::Default => "default => ..",
            Self::Timeout => "timeout(duration) => ..",
            Self::Closed => "closed => ..",
        }
    }

    /// The word written exactly so.
    pub(super) fn parse(written: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|word| word.as_str() == written)
    }

    /// The word most like what was written, if it is like any: more than half of the letters must be right.
    pub(super) fn nearest(written: &str) -> Option<Self> {
        // What `match` and `if` call the arm that is taken when no other is.
        if matches!(written, "_" | "else") {
            return Some(Self::Default);
        }
        Self::ALL
            .into_iter()
            .map(|word| (edits(written, word.as_str()), word))
            .filter(|(edits, word)| 2 * edits < written.chars().count().max(word.as_str().len()))
            .min_by_key(|(edits, _)| *edits)
            .map(|(_, word)| word)
    }
}

/// How many letters must be inserted, deleted or replaced to turn one word into the other (Levenshtein).
fn edits(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    // `row[j]` is the distance from the letters of `from` seen so far to the first `j` letters of `to`.
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_edits() {
        assert_eq!(edits("", "recv"), 4);
        assert_eq!(edits("recv", "recv"), 0);
        assert_eq!(edits("receive", "recv"), 3);
        assert_eq!(edits("kitten", "sitting"), 3);
    }

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
