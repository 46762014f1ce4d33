//! All mutants of a piece of code in one: the original, and each mutant behind a switch.
//!
//! Input: `while n < cap { .. }` and the mutants 3 (`n <= cap`) and 4 (`true`). Output:
//!
//! ```text
//! while (if ::insyn::mutation::is(3u32) { n <= cap }
//!        else if ::insyn::mutation::is(4u32) { true }
//!        else { n < cap }) { .. }
//! ```
//!
//! At most one mutant is on at a time, so a mutated copy has no switches inside, and the code grows by one copy of
//! what is switched for each mutant. What is switched is the smallest piece around the change that an `if` can stand
//! for with the same meaning:
//!
//! - an expression ([`switcher`]), unless it is a place that is borrowed or assigned, a closure, a `let`,
//!   or something that leaves temporary values behind ([`temporaries`]) where these live longer than a branch;
//! - statements of a block ([`blocks`]), together with all that follows them if they declare anything;
//! - the guard of an arm that had none;
//! - the whole body of a function, for mutants that are to be [apart](Numbered::apart).
//!
//! A lock that is dropped and taken [`again`] needs no copy where the old guard can be used for the new one.
//!
//! A mutant is put where its [`Extent`] is, by tokens ([`splice`](mod@splice)), so that the file's text and the tokens that a
//! macro is given come to the same.
//!
//! Before the edition of 2024 the temporary values of the last expression of a block outlive the block's variables, and live
//! on to the end of the statement around the block. A switch around such an expression would end them before. So there
//! ([`Schemata::before_2024`]) the switch stands around the statements from the first variable on, or outside the block.

mod again;
mod blocks;
mod branches;
mod splice;
mod switcher;
mod temporaries;

use std::collections::BTreeMap;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::visit_mut::VisitMut;
use syn::{Item, parse_quote_spanned};

use crate::extent::Extent;
use crate::list::Numbered;
use switcher::{Position, Switcher};

/// Puts mutants into items of one file.
#[derive(Debug)]
pub struct Schemata<'a> {
    /// By the place where they begin.
    mutants: Vec<&'a Numbered>,
    /// What is switched for each mutant that has been put somewhere.
    placed: BTreeMap<u32, Extent>,
    before_2024: bool,
}

impl<'a> Schemata<'a> {
    /// The mutants of a list that are in a file, which is named from the root of the package.
    pub fn new(list: &'a [Numbered], file: &str) -> Self {
        let mut mutants: Vec<&Numbered> =
            list.iter().filter(|numbered| numbered.mutant.file == file).collect();
        mutants.sort_by_key(|numbered| numbered.mutant.extent);
        Schemata { mutants, placed: BTreeMap::new(), before_2024: false }
    }

    /// Whether the file is of an edition before that of 2024, or may be: what is right there is right since, but there is more
    /// code to compile.
    #[must_use]
    pub fn before_2024(mut self, is_before: bool) -> Self {
        self.before_2024 = is_before;
        self
    }

    /// Puts into an item the mutants that stand in it. Output: those that could not be put there, which is because the
    /// file has changed since they were found.
    pub fn switch(&mut self, item: &mut Item) -> Vec<&'a Numbered> {
        let Some(extent) = Extent::of(item) else { return Vec::new() };
        let mut switcher = Switcher {
            mutants: &self.mutants,
            placed: &mut self.placed,
            position: Position::Value,
            before_2024: self.before_2024,
        };
        switcher.visit_item_mut(item);
        switcher.left(extent).collect()
    }

    /// Puts into all items of a file the mutants that stand in them, and says which could not be put anywhere.
    pub fn switch_all(&mut self, items: &mut [Item]) -> Vec<&'a Numbered> {
        for item in items {
            self.switch(item);
        }
        self.left()
    }

    /// What is switched for each mutant: the piece of the source that is there twice, once as it was and once mutated. An
    /// error that the compiler finds in a mutated piece has its place there.
    pub fn sites(&self) -> &BTreeMap<u32, Extent> {
        &self.placed
    }

    /// The mutants that have not been put anywhere.
    pub fn left(&self) -> Vec<&'a Numbered> {
        self.mutants.iter().copied().filter(|numbered| !self.placed.contains_key(&numbered.number)).collect()
    }
}

/// Whether a mutant is on. It stands where the change is, so that what is wrong with a branch is told at its place.
fn is(number: u32, site: Span) -> TokenStream {
    let site = Span::mixed_site().located_at(site);
    quote_spanned!(site=> ::insyn::mutation::is(#number))
}

/// Lints are about what people write.
fn silence() -> syn::Attribute {
    parse_quote_spanned!(Span::mixed_site()=>
        #[allow(warnings, clippy::all, arithmetic_overflow, overflowing_literals, unconditional_panic, let_underscore_lock)])
}

fn first_span(syntax: &impl ToTokens) -> Span {
    syntax.to_token_stream().into_iter().next().map_or_else(Span::call_site, |token| token.span())
}
