//! Parse phase: from tokens to a [`Select`] that has a meaning, or errors at the places where it has none.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Error, Expr, Pat, Result, Token, parenthesized, token};

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
    /// Where the word stands.
    pub(super) word: Span,
    /// The parentheses around the source: unlike an expression's, their span can be had as a whole.
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
        // An arm that is one too many does not stop the parser: all of them are reported together.
        let mut refused = Refused::default();
        while !input.is_empty() {
            let (name, word) = parse_word(input)?;
            match word {
                Word::Accept => select.arms.push(parse_arm(input, &name, Receives::Call)?),
                Word::Recv => select.arms.push(parse_arm(input, &name, Receives::Message)?),
                Word::Default => {
                    let body = parse_plain(input, word)?;
                    refused.second_otherwise(&select.otherwise, &name, word);
                    select.otherwise = Otherwise::Default { body };
                }
                Word::Timeout => {
                    let (_, duration) = parse_argument(input, &name, word)?;
                    let body = parse_plain(input, word)?;
                    refused.second_otherwise(&select.otherwise, &name, word);
                    select.otherwise = Otherwise::Timeout { duration, body };
                }
                Word::Closed => {
                    let body = parse_plain(input, word)?;
                    if select.closed.replace(body).is_some() {
                        refused.second(&name, word);
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

/// Errors that leave the rest readable.
#[derive(Default)]
struct Refused(Option<Error>);

impl Refused {
    fn add(&mut self, error: Error) {
        match &mut self.0 {
            None => self.0 = Some(error),
            Some(errors) => errors.combine(error),
        }
    }

    fn second(&mut self, name: &Ident, word: Word) {
        let word = word.as_str();
        self.add(Error::new(name.span(), format!("second `{word}` arm: `select!` takes at most one")));
    }

    /// Input: what was there before a `default` or `timeout` arm named `name`. Output: an error, unless nothing.
    fn second_otherwise(&mut self, before: &Otherwise, name: &Ident, word: Word) {
        match (before, word) {
            (Otherwise::Wait, _) => {}
            (Otherwise::Default { .. }, Word::Timeout) | (Otherwise::Timeout { .. }, Word::Default) => {
                self.add(Error::new(
                    name.span(),
                    "`default` and `timeout` exclude each other: with `default` the select never waits",
                ));
            }
            (Otherwise::Default { .. } | Otherwise::Timeout { .. }, _) => self.second(name, word),
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

/// Input: `(source) -> pattern if guard => body,` after the word. Output: the arm.
fn parse_arm(input: ParseStream<'_>, name: &Ident, receives: Receives) -> Result<Arm> {
    let word = match receives {
        Receives::Call => Word::Accept,
        Receives::Message => Word::Recv,
    };
    let (parens, source) = parse_argument(input, name, word)?;
    if input.peek(Token![if]) {
        return Err(input.error("the guard comes after the pattern, as in `.. -> pattern if guard => ..`"));
    }
    if !input.peek(Token![->]) {
        let what = match receives {
            Receives::Call => "call",
            Receives::Message => "message",
        };
        let example = word.example();
        return Err(input.error(format!("expected `->` and a pattern for the {what}, as in `{example}`")));
    }
    input.parse::<Token![->]>()?;
    let pattern = Pat::parse_single(input)?;
    if input.peek(Token![|]) {
        return Err(input.error("alternatives in the pattern of a `select!` arm need parentheses"));
    }
    let guard = if input.peek(Token![if]) {
        input.parse::<Token![if]>()?;
        if input.peek(Token![let]) {
            return Err(input.error("a `select!` guard cannot be an `if let`; use `matches!(..)`"));
        }
        Some(input.parse()?)
    } else {
        None
    };
    let body = parse_body(input, word)?;
    Ok(Arm { receives, word: name.span(), parens, source, pattern, guard, body })
}

/// Input: `(argument)` after the word `name`. Output: the argument.
fn parse_argument(input: ParseStream<'_>, name: &Ident, word: Word) -> Result<(token::Paren, Expr)> {
    let missing = |span| {
        let (word, example) = (word.as_str(), word.example());
        Error::new(span, format!("`{word}` needs an argument in parentheses, as in `{example}`"))
    };
    if !input.peek(token::Paren) {
        return Err(missing(name.span()));
    }
    let content;
    let parens = parenthesized!(content in input);
    if content.is_empty() {
        return Err(missing(parens.span.join()));
    }
    let argument = content.parse()?;
    if !content.is_empty() {
        return Err(content.error(format!("`{}` takes one argument", word.as_str())));
    }
    Ok((parens, argument))
}

/// Input: `=> body,` after an arm that receives nothing. Output: the body.
fn parse_plain(input: ParseStream<'_>, word: Word) -> Result<Expr> {
    let (name, example) = (word.as_str(), word.example());
    if input.peek(Token![if]) {
        return Err(input.error(format!("`{name}` cannot have a guard; only `accept` and `recv` arms can")));
    }
    if input.peek(Token![->]) {
        return Err(input.error(format!("`{name}` receives nothing to bind; write `{example}`")));
    }
    if input.peek(token::Paren) && word != Word::Timeout {
        return Err(input.error(format!("`{name}` takes no argument; write `{example}`")));
    }
    parse_body(input, word)
}

/// Input: `=> body` and the comma after it. Output: the body.
///
/// As in a `match`, the comma may be left out after the last arm and after a body that ends in a block.
fn parse_body(input: ParseStream<'_>, word: Word) -> Result<Expr> {
    if !input.peek(Token![=>]) {
        return Err(input.error(format!("expected `=>` and a body, as in `{}`", word.example())));
    }
    input.parse::<Token![=>]>()?;
    let body = Expr::parse_with_earlier_boundary_rule(input)?;
    if input.peek(Token![,]) {
        input.parse::<Token![,]>()?;
    } else if !input.is_empty() && !ends_in_block(&body) {
        return Err(input.error("expected `,` between the arms of `select!`"));
    }
    Ok(body)
}

/// Whether an expression stands for itself as a statement, without a semicolon.
fn ends_in_block(body: &Expr) -> bool {
    matches!(
        body,
        Expr::Block(_)
            | Expr::Const(_)
            | Expr::ForLoop(_)
            | Expr::If(_)
            | Expr::Loop(_)
            | Expr::Match(_)
            | Expr::TryBlock(_)
            | Expr::Unsafe(_)
            | Expr::While(_)
    )
}
