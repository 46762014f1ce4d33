//! An expression as a person would have written it: tokens have positions, but the text between them is lost.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// The text of some tokens on one line.
pub(super) fn written(tokens: TokenStream) -> String {
    let mut text = String::new();
    let mut before = Before::Operator;
    for token in tokens {
        let (shown, kind) = show(&token, before);
        if needs_space(before, &token, kind) && !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&shown);
        before = kind;
    }
    text
}

/// The token before another one, as far as the space between the two depends on it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// A name, a number or a group: the end of a value.
    Value,
    /// An operator with a value on both sides, or what separates values.
    Operator,
    /// Part of an operator that continues.
    Part,
    /// `.`, `::`, the `!` of a macro, or an operator with a value on its right only.
    Prefix,
}

fn show(token: &TokenTree, before: Before) -> (String, Before) {
    match token {
        TokenTree::Group(group) => {
            let inside = written(group.stream());
            let shown = match group.delimiter() {
                Delimiter::Parenthesis => format!("({inside})"),
                Delimiter::Bracket => format!("[{inside}]"),
                Delimiter::Brace => format!("{{ {inside} }}"),
                Delimiter::None => inside,
            };
            (shown, Before::Value)
        }
        TokenTree::Punct(punct) => {
            let kind = match (punct.as_char(), punct.spacing()) {
                ('.', _) => Before::Prefix,
                (':', Spacing::Alone) if before == Before::Part => Before::Prefix,
                ('?', _) => Before::Value,
                (_, Spacing::Joint) => Before::Part,
                ('!', _) => Before::Prefix,
                ('&' | '*' | '-', _) if before != Before::Value && before != Before::Part => Before::Prefix,
                _ => Before::Operator,
            };
            (punct.to_string(), kind)
        }
        other => (other.to_string(), Before::Value),
    }
}

fn needs_space(before: Before, token: &TokenTree, kind: Before) -> bool {
    let joins = match token {
        TokenTree::Group(group) => before == Before::Value && group.delimiter() != Delimiter::Brace,
        TokenTree::Punct(punct) => match punct.as_char() {
            '.' | ',' | ';' | '?' => true,
            ':' => kind != Before::Operator || before == Before::Value,
            '!' => before == Before::Value && kind == Before::Prefix,
            _ => false,
        },
        _ => false,
    };
    !joins && !matches!(before, Before::Part | Before::Prefix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_it_was_written() {
        for text in [
            "full < capacity",
            "self.items.len() < self.slots[0]",
            "!items.is_empty() && !closed",
            "readers == 0 && !writing",
            "a != b || -x <= *y",
            "matches!(state, State::Open)",
            "full + 1 < capacity",
            "std::cmp::max(a, b) >= (c - 1) % 3",
            "next()?.is_some()",
            "[1, 2].contains(&n)",
        ] {
            let tokens: TokenStream = text.parse().expect("tokens");
            assert_eq!(written(tokens), text);
        }
    }
}
