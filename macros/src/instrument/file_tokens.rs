//! The tokens of a file that was read here, which the compiler does not know.
//!
//! The compiler gives a macro no spans in a file that it has not read itself. So such a file is parsed with the spans
//! that `proc-macro2` creates, which have lines and columns ([`reading`]). When it is rewritten, its tokens are handed
//! to the compiler ([`hand_over`]) in the edition of the crate that the file belongs to.
//!
//! The compiler asks each token for its edition: that of an `if let` decides how long its temporaries live, that of a
//! block whether those of its last expression outlive its variables, that of a closure what it captures. A token
//! that a macro creates has the edition of the macro's crate; only a token of the program has
//! the program's. So all tokens of the file get the syntax context of a token beside the macro's call, and
//! have, for the compiler, the position of the macro. Tokens that the macro adds keep the macro's edition, as they do in
//! code that was not read from a file.
//!
//! Among the tokens of a file, only the original ones have a position ([`was_written`]): tokens that
//! [`emit::site`](super::emit::site) marks have none.

use std::cell::Cell;
use std::vec;

use proc_macro2::{Group, Ident, LexError, Punct, Span, TokenStream, TokenTree, fallback};

thread_local! {
    static READING: Cell<bool> = const { Cell::new(false) };
}

/// Whether the tokens at hand are those of a file that was read here.
pub(super) fn is_reading() -> bool {
    READING.get()
}

/// Runs a function that creates and rewrites the tokens of a file that was read here.
pub(super) fn reading<T>(inside: impl FnOnce() -> T) -> T {
    struct Done;
    impl Drop for Done {
        fn drop(&mut self) {
            READING.set(false);
            fallback::unforce();
        }
    }
    fallback::force();
    READING.set(true);
    let _done = Done;
    inside()
}

/// Input: tokens that the compiler does not know. Output: the same for the compiler; those that were written in the file
/// are of the edition of `beside`.
pub(super) fn hand_over(tokens: TokenStream, beside: Span) -> Result<TokenStream, LexError> {
    // All at once, because the compiler treats each text as a file.
    let mut text = String::new();
    write_literals(tokens.clone(), &mut text);
    let literals = text.parse::<TokenStream>()?.into_iter().collect::<Vec<_>>().into_iter();
    let site = Span::call_site();
    Ok(Handing { written: site.resolved_at(beside), added: site, literals }.tokens(tokens))
}

/// Whether a token was written in a file that was read, or replaces such a token.
fn was_written(span: Span) -> bool {
    !span.byte_range().is_empty()
}

/// The first of some tokens that was written in the file.
pub(super) fn first_written(tokens: TokenStream) -> Option<Span> {
    tokens.into_iter().find_map(|token| match token {
        token if was_written(token.span()) => Some(token.span()),
        TokenTree::Group(group) => first_written(group.stream()),
        _ => None,
    })
}

fn write_literals(tokens: TokenStream, text: &mut String) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => write_literals(group.stream(), text),
            TokenTree::Literal(literal) => *text += &format!("{literal} "),
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
}

struct Handing {
    /// The spans for tokens that were written in the file, and for tokens that were added.
    written: Span,
    added: Span,
    /// The compiler's literals, in their order.
    literals: vec::IntoIter<TokenTree>,
}

impl Handing {
    fn tokens(&mut self, tokens: TokenStream) -> TokenStream {
        let mut handed = TokenStream::new();
        for token in tokens {
            let span = if was_written(token.span()) { self.written } else { self.added };
            let mut give = |mut token: TokenTree| {
                token.set_span(span);
                handed.extend([token]);
            };
            match token {
                TokenTree::Group(group) => {
                    give(Group::new(group.delimiter(), self.tokens(group.stream())).into())
                }
                TokenTree::Ident(name) => give(ident(&name.to_string()).into()),
                TokenTree::Punct(punct) => give(Punct::new(punct.as_char(), punct.spacing()).into()),
                TokenTree::Literal(_) => {
                    // `-1` is one literal for some and two tokens for the compiler.
                    for token in self.literals.by_ref() {
                        let is_literal = matches!(token, TokenTree::Literal(_));
                        give(token);
                        if is_literal {
                            break;
                        }
                    }
                }
            }
        }
        handed
    }
}

fn ident(name: &str) -> Ident {
    match name.strip_prefix("r#") {
        Some(raw) => Ident::new_raw(raw, Span::call_site()),
        None => Ident::new(name, Span::call_site()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_tokens_stay_what_they_are() {
        let text = "fn r#type<'a>(x: &'a str) -> i8 { m!(-1, 'x', b\"\\0\", r#\"\"#, 1.0e3_f32); a >>= -2i8; \"\r\n\" }";
        let tokens: TokenStream = text.parse().expect("it is Rust");
        let handed = hand_over(tokens.clone(), Span::call_site()).expect("it is Rust for the compiler");
        assert_eq!(handed.to_string(), tokens.to_string());
    }
}
