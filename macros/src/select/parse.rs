//! Parse phase: from tokens to a valid [`Select`], or errors at their positions.

use insyn_syntax as syntax;
use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Error, Expr, Pat, Result, Token, token};

use super::word::Word;

/// A whole `select!`.
pub(super) struct Select {
    /// The arms that receive something, in the order written; never empty.
    pub(super) arms: Vec<Arm>,
    /// What happens when none of them can be taken at once.
    pub(super) otherwise: Otherwise,
    /// The body of the `closed` arm.
    pub(super) closed: Option<Expr>,
}

/// `accept(source) -> pattern if guard => body`, or the same with `recv`.
pub(super) struct Arm {
    pub(super) receives: Receives,
    /// The place of the word.
    pub(super) word: Span,
    /// The parentheses around the source: unlike an expression, they have a span for the whole.
    pub(super) parens: token::Paren,
    pub(super) source: Expr,
    pub(super) pattern: Pat,
    pub(super) guard: Option<Expr>,
    pub(super) body: Expr,
}

/// What an arm receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Receives {
    /// A call to an entry.
    Call,
    /// A message.
    Message,
}

/// The arm taken when no other can be.
#[expect(clippy::large_enum_variant, reason = "a select has one, and expressions know lines and columns")]
pub(super) enum Otherwise {
    /// There is none: wait.
    Wait,
    /// `default => body`
    Default { body: Expr },
    /// `timeout(duration) => body`
    Timeout { duration: Expr, body: Expr },
}

impl Parse for Select {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut select = Self { arms: Vec::new(), otherwise: Otherwise::Wait, closed: None };
        // A superfluous arm does not stop the parser, so that all errors are reported together.
        let mut refused = Refused::default();
        while !input.is_empty() {
            let (name, word) = parse_word(input)?;
            let span = name.span();
            let arm = syntax::Arm::parse_after(name, Some(word.form()), input)?;
            match word {
                Word::Accept => select.arms.push(Arm::of(arm, Receives::Call)),
                Word::Recv => select.arms.push(Arm::of(arm, Receives::Message)),
                Word::Default => {
                    refused.second_otherwise(&select.otherwise, span, word);
                    select.otherwise = Otherwise::Default { body: arm.body };
                }
                Word::Timeout => {
                    refused.second_otherwise(&select.otherwise, span, word);
                    let (_, duration) = argument(arm.args);
                    select.otherwise = Otherwise::Timeout { duration, body: arm.body };
                }
                Word::Closed => {
                    if select.closed.replace(arm.body).is_some() {
                        refused.second(span, word);
                    }
                }
            }
        }
        if select.arms.is_empty() {
            refused.add(Error::new(
                Span::call_site(),
                "`select!` has nothing to receive: it needs at least one `accept(..)` or `recv(..)` arm",
            ));
        }
        match refused.0 {
            None => Ok(select),
            Some(errors) => Err(errors),
        }
    }
}

/// Errors after which the parser can continue.
#[derive(Default)]
struct Refused(Option<Error>);

impl Refused {
    fn add(&mut self, error: Error) {
        match &mut self.0 {
            None => self.0 = Some(error),
            Some(errors) => errors.combine(error),
        }
    }

    fn second(&mut self, span: Span, word: Word) {
        let word = word.as_str();
        self.add(Error::new(span, format!("second `{word}` arm: `select!` takes at most one")));
    }

    /// Input: the earlier `default` or `timeout` arm, if there is one. Output: an error in that case.
    fn second_otherwise(&mut self, before: &Otherwise, span: Span, word: Word) {
        match (before, word) {
            (Otherwise::Wait, _) => {}
            (Otherwise::Default { .. }, Word::Timeout) | (Otherwise::Timeout { .. }, Word::Default) => {
                self.add(Error::new(
                    span,
                    "`default` and `timeout` exclude each other: with `default` the select never waits",
                ));
            }
            (Otherwise::Default { .. } | Otherwise::Timeout { .. }, _) => self.second(span, word),
        }
    }
}

/// Input: `accept`, or any other word. Output: the word and which one it is.
fn parse_word(input: ParseStream<'_>) -> Result<(Ident, Word)> {
    let one_of = "`accept(..)`, `recv(..)`, `default`, `timeout(..)` and `closed`";
    let Ok(name) = Ident::parse_any(input) else {
        return Err(input.error(format!("expected an arm; the arms of `select!` are {one_of}")));
    };
    let written = name.to_string();
    if let Some(word) = Word::parse(&written) {
        return Ok((name, word));
    }
    let hint = match Word::nearest(&written) {
        Some(word) => format!("did you mean `{}`?", word.as_str()),
        None => format!("the arms of `select!` are {one_of}"),
    };
    Err(Error::new(name.span(), format!("unknown arm `{written}`; {hint}")))
}

impl Arm {
    /// The arm that was read, whose form has an argument and a pattern.
    fn of(arm: syntax::Arm, receives: Receives) -> Self {
        let (parens, source) = argument(arm.args);
        let (_, pattern) = arm.pat.expect("the form has a pattern");
        let guard = arm.guard.map(|(_, guard)| guard);
        Arm { receives, word: arm.word.span(), parens, source, pattern, guard, body: arm.body }
    }
}

/// The only argument of an arm whose form has one.
fn argument(args: Option<(token::Paren, Punctuated<Expr, Token![,]>)>) -> (token::Paren, Expr) {
    let (parens, args) = args.expect("the form has an argument");
    (parens, args.into_iter().next().expect("the form has one argument"))
}
