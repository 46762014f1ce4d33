//! The arms of a select, insyn's own and crossbeam's, which are of one form.
//!
//! A crate of its own, because a crate of procedural macros can export nothing else: `insyn::select!` expands the arms, `instrument`
//! rewrites what is in them, the mutator changes them.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Error, Expr, Pat, Result, Token, ext::IdentExt, parenthesized, token};

/// `recv(orders) -> order if guard => body, default => body`
pub struct Select {
    /// In the order written.
    pub arms: Vec<Arm>,
}

/// One arm: `word(args) -> pat if guard => body,`.
pub struct Arm {
    /// `recv`, `send`, `accept`, `default`, …
    pub word: Ident,
    /// The parentheses and what is in them.
    pub args: Option<(token::Paren, Punctuated<Expr, Token![,]>)>,
    /// What is received, or the result of a send.
    pub pat: Option<(Token![->], Pat)>,
    /// Only insyn's own select has guards.
    pub guard: Option<(Token![if], Expr)>,
    /// The arrow before the body.
    pub arrow: Token![=>],
    /// What is done if the arm is taken.
    pub body: Expr,
    /// The comma after it, which may be missing after a block and at the end.
    pub comma: Option<Token![,]>,
}

/// The form of the arms that start with a word, for errors that name what is missing.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// A whole arm with this word, for hints.
    pub example: &'static str,
    /// The word takes one argument; otherwise none.
    pub argument: bool,
    /// What the pattern is for. An arm without one has no guard either.
    pub receives: Option<&'static str>,
}

impl Parse for Select {
    /// Reads arms of any form.
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut arms = Vec::new();
        while !input.is_empty() {
            let word = Ident::parse_any(input)?;
            arms.push(Arm::parse_after(word, None, input)?);
        }
        Ok(Select { arms })
    }
}

impl Arm {
    /// Reads the rest of an arm after its word. Without a form, any form is accepted.
    ///
    /// # Errors
    /// If the tokens are not an arm, or not of that form.
    pub fn parse_after(word: Ident, form: Option<Form>, input: ParseStream<'_>) -> Result<Self> {
        let args = parse_args(&word, form, input)?;
        let pat = parse_pattern(&word, form, input)?;
        let guard = parse_guard(input)?;
        if !input.peek(Token![=>]) {
            let example = form.map(|form| format!(", as in `{}`", form.example)).unwrap_or_default();
            return Err(input.error(format!("expected `=>` and a body{example}")));
        }
        let arrow = input.parse()?;
        let body = Expr::parse_with_earlier_boundary_rule(input)?;
        let comma: Option<Token![,]> = input.parse()?;
        // As in a `match`, it may be left out after the last arm and after a body that ends in a block.
        if form.is_some() && comma.is_none() && !input.is_empty() && !ends_in_block(&body) {
            return Err(input.error("expected `,` between the arms of `select!`"));
        }
        Ok(Arm { word, args, pat, guard, arrow, body, comma })
    }
}

/// Input: `(first, second)`, or nothing.
fn parse_args(
    word: &Ident,
    form: Option<Form>,
    input: ParseStream<'_>,
) -> Result<Option<(token::Paren, Punctuated<Expr, Token![,]>)>> {
    let argument = form.filter(|form| form.argument);
    let missing = |example: &str, span| {
        Error::new(span, format!("`{word}` needs an argument in parentheses, as in `{example}`"))
    };
    match (argument, input.peek(token::Paren)) {
        (Some(Form { example, .. }), false) => return Err(missing(example, word.span())),
        (None, false) => return Ok(None),
        // Rejected below, with everything else that the arm must not have.
        (None, true) if form.is_some() => return Ok(None),
        (_, true) => {}
    }
    let content;
    let parens = parenthesized!(content in input);
    let Some(Form { example, .. }) = argument else {
        return Ok(Some((parens, Punctuated::parse_terminated(&content)?)));
    };
    if content.is_empty() {
        return Err(missing(example, parens.span.join()));
    }
    let args = Punctuated::from_iter([content.parse::<Expr>()?]);
    if !content.is_empty() {
        return Err(content.error(format!("`{word}` takes one argument")));
    }
    Ok(Some((parens, args)))
}

/// Input: `-> pattern`, or nothing.
fn parse_pattern(
    word: &Ident,
    form: Option<Form>,
    input: ParseStream<'_>,
) -> Result<Option<(Token![->], Pat)>> {
    match form {
        None if input.peek(Token![->]) => Ok(Some((input.parse()?, Pat::parse_multi(input)?))),
        None => Ok(None),
        Some(Form { receives: Some(what), example, .. }) => {
            if input.peek(Token![if]) {
                return Err(
                    input.error("the guard comes after the pattern, as in `.. -> pattern if guard => ..`")
                );
            }
            if !input.peek(Token![->]) {
                let message = format!("expected `->` and a pattern for the {what}, as in `{example}`");
                return Err(input.error(message));
            }
            let pattern = (input.parse()?, Pat::parse_single(input)?);
            if input.peek(Token![|]) {
                return Err(input.error("alternatives in the pattern of a `select!` arm need parentheses"));
            }
            Ok(Some(pattern))
        }
        Some(Form { receives: None, argument, example }) => {
            if input.peek(Token![if]) {
                let message = format!("`{word}` cannot have a guard; only `accept` and `recv` arms can");
                return Err(input.error(message));
            }
            if input.peek(Token![->]) {
                return Err(input.error(format!("`{word}` receives nothing to bind; write `{example}`")));
            }
            if input.peek(token::Paren) && !argument {
                return Err(input.error(format!("`{word}` takes no argument; write `{example}`")));
            }
            Ok(None)
        }
    }
}

/// Input: `if guard`, or nothing.
fn parse_guard(input: ParseStream<'_>) -> Result<Option<(Token![if], Expr)>> {
    let Some(token) = input.parse::<Option<Token![if]>>()? else { return Ok(None) };
    if input.peek(Token![let]) {
        return Err(input.error("a `select!` guard cannot be an `if let`; use `matches!(..)`"));
    }
    Ok(Some((token, input.parse()?)))
}

/// Whether an expression is a statement without a semicolon.
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

impl ToTokens for Select {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        for Arm { word, args, pat, guard, arrow, body, comma } in &self.arms {
            word.to_tokens(tokens);
            if let Some((paren, args)) = args {
                paren.surround(tokens, |tokens| args.to_tokens(tokens));
            }
            if let Some((arrow, pat)) = pat {
                arrow.to_tokens(tokens);
                pat.to_tokens(tokens);
            }
            if let Some((token, guard)) = guard {
                token.to_tokens(tokens);
                guard.to_tokens(tokens);
            }
            arrow.to_tokens(tokens);
            body.to_tokens(tokens);
            comma.to_tokens(tokens);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arms_of_both_selects_are_read_and_written_back() {
        for text in [
            "recv (orders) -> order => serve (order) , default => { }",
            "send (tx , 1 + 2) -> Ok (_) | Err (_) => { } default (limit) => ()",
            "accept (entry) -> call if free => call . reply (()) , timeout (limit) => { } closed => break",
        ] {
            let select: Select = syn::parse_str(text).expect("arms");
            let again: TokenStream = text.parse().expect("tokens");
            assert_eq!(select.to_token_stream().to_string(), again.to_string());
        }
    }

    #[test]
    fn a_form_is_insisted_on() {
        let form = Form { example: "recv(it) -> m => ..", argument: true, receives: Some("message") };
        let parse = |text: &str| {
            let parse =
                |input: ParseStream<'_>| Arm::parse_after(Ident::parse_any(input)?, Some(form), input);
            syn::parse::Parser::parse_str(parse, text).map(drop).map_err(|error| error.to_string())
        };
        assert_eq!(parse("recv(it) -> m => drop(m)"), Ok(()));
        for (text, expected) in [
            ("recv -> m => ()", "`recv` needs an argument"),
            ("recv(a, b) -> m => ()", "`recv` takes one argument"),
            ("recv(a) => ()", "expected `->` and a pattern for the message"),
            ("recv(a) if b -> m => ()", "the guard comes after the pattern"),
            ("recv(a) -> m", "expected `=>` and a body, as in `recv(it) -> m => ..`"),
        ] {
            let error = parse(text).expect_err("it is of another form");
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
