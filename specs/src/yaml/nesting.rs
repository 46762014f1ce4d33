//! A bound on how deeply brackets nest, found before the text is parsed: the YAML library's scanner takes time that
//! grows with the square of the depth, so a short text of brackets could keep it busy for hours.
//!
//! Distinguishing brackets that nest from those inside of quotes takes a YAML parser. [`beyond`] gets by with less: it keeps
//! every state that the parser could be in, with the greatest depth possible in each, and so may overestimate the depth,
//! but never underestimates it. Where it matters:
//! - a quote may start a text, or be part of a bare word; directly after a letter it is certainly part of a word, which
//!   is why ordinary files are not ambiguous;
//! - a closing bracket outside of all brackets is part of a bare word.

/// Files that nest deeper are rejected. A sequence file needs a depth of four.
pub(crate) const DEEPEST: usize = 100;

/// What the parser may be in the middle of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// None of the states below.
    Plain,
    /// Double quotes.
    Double,
    /// Double quotes, after a backslash.
    Escaped,
    /// Single quotes.
    Single,
    /// Single quotes, before the second of two quotes that stand for one.
    Twin,
    Comment,
    /// A tag of the form `!<…>`.
    Tag,
}

const STATES: [State; 7] =
    [State::Plain, State::Double, State::Escaped, State::Single, State::Twin, State::Comment, State::Tag];

/// The position where brackets nest deeper than `deepest`, or might: line and column, from 1.
pub(super) fn beyond(deepest: usize, text: &str) -> Option<(usize, usize)> {
    let mut place = (1, 1);
    let mut depths = [None; STATES.len()];
    depths[State::Plain as usize] = Some(0);
    let mut previous = '\n';
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let mut next = [None; STATES.len()];
        for state in STATES {
            let Some(depth) = depths[state as usize] else { continue };
            let (depth, to) = step(state, depth, previous, c, chars.peek().copied());
            if depth > deepest {
                return Some(place);
            }
            for to in to.into_iter().flatten() {
                next[to as usize] = next[to as usize].max(Some(depth));
            }
        }
        depths = next;
        previous = c;
        place = if c == '\n' { (place.0 + 1, 1) } else { (place.0, place.1 + 1) };
    }
    None
}

/// The depth after a character, and the one or two possible next states.
fn step(
    state: State,
    depth: usize,
    previous: char,
    c: char,
    next: Option<char>,
) -> (usize, [Option<State>; 2]) {
    let is_break = |c: char| matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}');
    let is_space = |c: char| c.is_whitespace() || c == '\u{feff}';
    let begins = is_space(previous) || "[]{},:?-".contains(previous);
    let (depth, state, other) = match (state, c) {
        (State::Plain, '[' | '{') => (depth + 1, State::Plain, None),
        (State::Plain, ']' | '}') => (depth.saturating_sub(1), State::Plain, None),
        (State::Plain, '"') if begins => (depth, State::Plain, Some(State::Double)),
        (State::Plain, '\'') if begins => (depth, State::Plain, Some(State::Single)),
        (State::Plain, '#') if is_space(previous) => (depth, State::Plain, Some(State::Comment)),
        (State::Plain, '<') if previous == '!' => (depth, State::Plain, Some(State::Tag)),
        (State::Double, '\\') => (depth, State::Escaped, None),
        (State::Double, '"') => (depth, State::Plain, None),
        (State::Escaped, _) => (depth, State::Double, None),
        (State::Single, '\'') if next == Some('\'') => (depth, State::Twin, None),
        (State::Single, '\'') => (depth, State::Plain, None),
        (State::Twin, _) => (depth, State::Single, None),
        (State::Comment, c) if is_break(c) => (depth, State::Plain, None),
        (State::Tag, '>') => (depth, State::Plain, None),
        (state, _) => (depth, state, None),
    };
    (depth, [Some(state), other])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The depth to which brackets nest, or more.
    fn depth(text: &str) -> usize {
        (0..).find(|&deepest| beyond(deepest, text).is_none()).expect("a text ends")
    }

    #[test]
    fn brackets_nest() {
        assert_eq!(depth(""), 0);
        assert_eq!(depth("a: [{b: c}, {d: [e]}]\nf: {g: h}"), 3);
        assert_eq!(depth("]]]] [["), 2);
    }

    #[test]
    fn the_first_that_is_too_deep_is_reported() {
        assert_eq!(beyond(1, "a: [b]\nc: [é, {d: [e]}]"), Some((2, 8)));
    }

    #[test]
    fn ordinary_quotes_are_not_ambiguous() {
        let line = "- {op: send, on: \"two words\", from: 'it''s', at: \"\"} # it's \"so\"\n";
        assert_eq!(depth(&line.repeat(1000)), 1);
    }

    /// Closing brackets that close nothing must not make room for deeper nesting.
    #[test]
    fn nothing_is_overlooked() {
        for hidden in ["\"]\"", "']'", "'x'']'", "\"\\\"]\"", "a # ]\n", "!<]> a", "x\"y ']' \"z"] {
            let text = format!("[{hidden}, ").repeat(1000);
            assert!(depth(&text) >= 1000, "{hidden}");
        }
        // A quote inside a bare word does not hide what follows.
        assert!(depth(&format!("a: say \"hi\nb: {}", "[".repeat(1000))) >= 1000);
    }
}
