//! Expand phase: from a [`Select`] to one block that evaluates the guards, waits once, and runs the arm taken.
//!
//! The output calls nothing but `::insyn::select`, and relies on these items:
//!
//! - `Accept::source(&self) -> Source` and `Accept::take(&self, ticket) -> T` for what is in `accept(..)`,
//!   and `Receive` with the same two for `recv(..)`;
//! - `wait(&[Arm], Otherwise) -> Outcome`, where an arm is `Arm::open(Source)` or, if it has a guard,
//!   `Arm::guarded(Source, bool, &'static Guard)`, with the text of the guard and its place;
//! - `Otherwise::{Wait, Default, Timeout(Duration)}`;
//! - `Outcome::{Arm(usize, ticket), Nothing, Closed}`, where `Nothing` is the default or the timeout;
//! - `cannot_time_out() -> !` and `all_closed() -> !`, for outcomes without an arm.
//!
//! Generated names have the hygiene of the macro's definition, so no name of the program can clash with them.
//! Where a type error is the program's, the generated call carries the place of the program's tokens.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote_spanned};
use syn::Expr;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};

use super::parse::{Arm, Otherwise, Receives, Select};
use super::written::written;

/// Input: a select. Output: one expression.
///
/// ```text
/// {
///     let __open0: bool = GUARD;
///     let __limit: Duration = DURATION;
///     match (&(SOURCE0), &(SOURCE1),) {
///         (__source0, __source1,) => {
///             let __outcome = wait(&[OPEN0, OPEN1], OTHERWISE);
///             match __outcome { ARM0 ARM1 NOTHING CLOSED }
///         }
///     }
/// }
/// ```
///
/// Guards and the duration are statements, so that their temporaries end before the wait: a lock taken in a guard
/// must not be held through it. They come before the sources are borrowed, so that they may borrow mutably.
/// The sources are in a `match`, so that their temporaries live as long as the arms. The outcome is a variable,
/// so that nothing of the wait outlives the block in any edition.
pub(super) fn expand(select: &Select) -> TokenStream {
    let site = Span::mixed_site();
    let outcome = Ident::new("__outcome", site);
    let guards = select.arms.iter().enumerate().filter_map(|(index, arm)| guard(index, arm));
    let sources = select.arms.iter().map(|arm| &arm.source);
    let bound = select.arms.iter().enumerate().map(|(index, arm)| source_name(index, arm));
    let opens = select.arms.iter().enumerate().map(|(index, arm)| open(index, arm));
    let taken = select.arms.iter().enumerate().map(|(index, arm)| take(index, arm));
    let Otherwises { limit, otherwise, nothing } = otherwises(&select.otherwise);
    let closed = closed(select.closed.as_ref());
    quote_spanned! {site=>
        {
            #(#guards)*
            #limit
            match (#(&(#sources),)*) {
                (#(#bound,)*) => {
                    let #outcome = ::insyn::select::wait(&[#(#opens,)*], #otherwise);
                    match #outcome {
                        #(#taken)*
                        #nothing
                        #closed
                        ::insyn::select::Outcome::Arm(..) => ::std::unreachable!(),
                    }
                }
            }
        }
    }
}

/// Input: an arm `.. if guard => ..`. Output: `let __open0: bool = guard;`.
fn guard(index: usize, arm: &Arm) -> Option<TokenStream> {
    let guard = arm.guard.as_ref()?;
    let open = open_name(index);
    Some(quote_spanned! {Span::mixed_site()=> let #open: ::std::primitive::bool = #guard; })
}

/// Input: an arm `accept(source) .. if guard ..`. Output: its source, whether it is open, and what decides that.
///
/// ```text
/// Arm::guarded(Accept::source(__source0), __open0, &Guard { text: "guard", file: .., line: .., column: .. })
/// ```
fn open(index: usize, arm: &Arm) -> TokenStream {
    let (of, source) = (receiving_trait(arm), source_name(index, arm));
    let site = source.span();
    let source = quote_spanned! {site=> #of::source(#source) };
    let Some(guard) = &arm.guard else {
        return quote_spanned! {site=> ::insyn::select::Arm::open(#source) };
    };
    let open = open_name(index);
    let original = original(guard);
    let text = written(original.to_token_stream());
    // Placed at the guard, so that they expand to its position.
    let place = quote_spanned! {original.span()=>
        file: ::std::file!(), line: ::std::line!(), column: ::std::column!()
    };
    quote_spanned! {site=>
        ::insyn::select::Arm::guarded(#source, #open, &::insyn::select::Guard { text: #text, #place })
    }
}

/// Input: a guard, perhaps with mutants in it: `n > (if ::insyn::mutation::is(3) { 1 } else { 0 })`. Output: the
/// original, `n > 0`.
fn original(guard: &Expr) -> Expr {
    struct Originals;
    impl VisitMut for Originals {
        fn visit_expr_mut(&mut self, expr: &mut Expr) {
            while let Some(original) = switched(expr) {
                *expr = original.clone();
            }
            visit_mut::visit_expr_mut(self, expr);
        }
    }
    let mut guard = guard.clone();
    Originals.visit_expr_mut(&mut guard);
    guard
}

/// Input: `if ::insyn::mutation::is(3) { a } else { b }`, or that in parentheses. Output: `b`.
fn switched(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::Paren(it) => switched(&it.expr),
        Expr::If(it) => {
            let Expr::Call(call) = &*it.cond else { return None };
            let Expr::Path(path) = &*call.func else { return None };
            let names = path.path.segments.iter().map(|segment| segment.ident.to_string());
            if !names.eq(["insyn", "mutation", "is"]) {
                return None;
            }
            match &*it.else_branch.as_ref()?.1 {
                Expr::Block(block) => match &block.block.stmts[..] {
                    [syn::Stmt::Expr(expr, None)] => Some(expr),
                    _ => None,
                },
                otherwise => Some(otherwise),
            }
        }
        _ => None,
    }
}

/// Input: an arm `accept(source) -> pattern => body`. Output: the match arm for its index.
///
/// ```text
/// Outcome::Arm(0, __ticket) => { let pattern = Accept::take(__source0, __ticket); body }
/// ```
fn take(index: usize, arm: &Arm) -> TokenStream {
    let Arm { pattern, body, .. } = arm;
    let site = Span::mixed_site();
    let ticket = Ident::new("__ticket", site);
    let number = Literal::usize_unsuffixed(index);
    let (of, source) = (receiving_trait(arm), source_name(index, arm));
    quote_spanned! {site=>
        ::insyn::select::Outcome::Arm(#number, #ticket) => {
            let #pattern = #of::take(#source, #ticket);
            #body
        }
    }
}

/// The three parts of the output that depend on `default` and `timeout`.
struct Otherwises {
    /// `let __limit: Duration = duration;`, or nothing.
    limit: TokenStream,
    /// The argument of `wait`.
    otherwise: TokenStream,
    /// The match arm for `Outcome::Nothing`.
    nothing: TokenStream,
}

/// Input: `default => body`, `timeout(duration) => body` or neither. Output: those parts.
fn otherwises(written: &Otherwise) -> Otherwises {
    let site = Span::mixed_site();
    let name = Ident::new("__limit", site);
    let (limit, otherwise, body) = match written {
        Otherwise::Wait => {
            (None, quote_spanned!(site=> Wait), quote_spanned!(site=> ::insyn::select::cannot_time_out()))
        }
        Otherwise::Default { body } => (None, quote_spanned!(site=> Default), quote_spanned!(site=> #body)),
        Otherwise::Timeout { duration, body } => (
            Some(quote_spanned!(site=> let #name: ::std::time::Duration = #duration;)),
            quote_spanned!(site=> Timeout(#name)),
            quote_spanned!(site=> #body),
        ),
    };
    Otherwises {
        limit: limit.unwrap_or_default(),
        otherwise: quote_spanned!(site=> ::insyn::select::Otherwise::#otherwise),
        nothing: quote_spanned!(site=> ::insyn::select::Outcome::Nothing => #body,),
    }
}

/// Input: `closed => body` or nothing. Output: the match arm for `Outcome::Closed`.
fn closed(body: Option<&Expr>) -> TokenStream {
    let site = Span::mixed_site();
    match body {
        Some(body) => quote_spanned!(site=> ::insyn::select::Outcome::Closed => #body,),
        None => quote_spanned!(site=> ::insyn::select::Outcome::Closed => ::insyn::select::all_closed(),),
    }
}

/// The trait that gives an arm its source and takes what came, placed at the arm's word.
fn receiving_trait(arm: &Arm) -> TokenStream {
    let site = Span::mixed_site().located_at(arm.word);
    match arm.receives {
        Receives::Call => quote_spanned!(site=> ::insyn::select::Accept),
        Receives::Message => quote_spanned!(site=> ::insyn::select::Receive),
    }
}

/// The variable that holds whether an arm is open.
fn open_name(index: usize) -> Ident {
    format_ident!("__open{index}", span = Span::mixed_site())
}

/// The variable that borrows an arm's source, placed at the parentheses around it.
fn source_name(index: usize, arm: &Arm) -> Ident {
    format_ident!("__source{index}", span = Span::mixed_site().located_at(arm.parens.span.join()))
}

#[cfg(test)]
mod tests;
