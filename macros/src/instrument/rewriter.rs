//! Rewrites a program, with the scopes around each place.
//!
//! [`Rewriter`] holds what is known at a place; its methods are in the files below, one for each kind of syntax. [`walk`]
//! goes through the syntax tree and calls the others: [`items`] with the attributes on them, [`modules`] in files of their
//! own, [`functions`], [`statics`], expressions ([`exprs`]) and [`macros`] whose arguments are known. Paths are rewritten by
//! [`paths`], imports by [`uses`], and both in [`tokens`] of unknown meaning. [`names`] names the objects
//! that an expression makes; [`places`] reports where an operation is.
//!
//! Errors are collected, so that all of them are reported at once.

mod exprs;
mod functions;
mod items;
mod macros;
mod modules;
mod names;
mod paths;
mod places;
mod statics;
mod tokens;
mod uses;
mod walk;

use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use proc_macro2::Span;
use syn::{Error, Generics, Item, Result};

use super::args::Args;
use super::consts::{self, NonConst};
use super::declarations;
use super::scope::{Frame, Kind, Scopes};
use super::settings::Settings;
use super::source::Source;

/// The knowledge at a place of the program, and the results so far.
pub(super) struct Rewriter {
    settings: Settings,
    scopes: Scopes,
    errors: Vec<Error>,
    /// The messages of errors that were reported, to avoid repeating them.
    refused: BTreeSet<String>,
    /// Where the code comes from, and where modules in files of their own are looked for.
    source: Source,
    /// Functions that are no longer `const`.
    non_const: NonConst,
    /// The code is evaluated by the compiler.
    in_const: bool,
    /// The code creates an object by a `const fn` of the standard library whose replacement is not `const`.
    makes: bool,
    /// The functions around the place, the outermost first, with the types they belong to.
    functions: Vec<String>,
    /// How many statics there are by a name, in a module.
    statics: BTreeMap<(String, String), u32>,
    /// The type whose functions these are.
    owner: Option<String>,
}

impl Rewriter {
    pub(super) fn new(args: &Args, source: Source) -> Self {
        Rewriter {
            settings: args.settings.clone(),
            scopes: Scopes::new(declarations::outside(&args.imports)),
            errors: Vec::new(),
            refused: BTreeSet::new(),
            source,
            non_const: NonConst::new(),
            in_const: false,
            makes: false,
            functions: Vec::new(),
            statics: BTreeMap::new(),
            owner: None,
        }
    }

    /// Rewrites one item, or items among others that are out of sight, all the way.
    pub(super) fn rewrite(&mut self, items: Vec<Item>, kind: Kind) -> Vec<Item> {
        let mut items = self.items(items, kind);
        consts::propagate(&mut items, mem::take(&mut self.non_const), &mut self.errors);
        items
    }

    /// Rewrites the items of one scope.
    fn items(&mut self, items: Vec<Item>, kind: Kind) -> Vec<Item> {
        self.scopes.push(declarations::of_items(kind, &items));
        let items = items.into_iter().flat_map(|item| self.item(item)).collect();
        self.scopes.pop();
        items
    }

    /// Runs a function in a new scope.
    fn in_scope(&mut self, frame: Frame, inside: impl FnOnce(&mut Self)) {
        self.scopes.push(frame);
        inside(self);
        self.scopes.pop();
    }

    fn in_generics(&mut self, generics: &Generics, inside: impl FnOnce(&mut Self)) {
        let mut frame = Frame::new(Kind::Block);
        declarations::generics(&mut frame, generics);
        self.in_scope(frame, inside);
    }

    /// Runs a function on code that is, or is not, evaluated by the compiler.
    fn within_const(&mut self, in_const: bool, inside: impl FnOnce(&mut Self)) {
        let before = mem::replace(&mut self.in_const, in_const);
        inside(self);
        self.in_const = before;
    }

    /// Whether the code inside creates something that can no longer be created at compile time.
    fn makes_within(&mut self, inside: impl FnOnce(&mut Self)) -> bool {
        let before = mem::replace(&mut self.makes, false);
        inside(self);
        mem::replace(&mut self.makes, before)
    }

    /// Adds an error, unless there is one with the same message.
    fn refuse_once(&mut self, span: Span, message: String) {
        if self.refused.insert(message.clone()) {
            self.errors.push(Error::new(span, message));
        }
    }

    /// All errors as one, if there are any.
    pub(super) fn finish(self) -> Result<()> {
        let mut errors = self.errors.into_iter();
        match errors.next() {
            None => Ok(()),
            Some(mut error) => {
                error.extend(errors);
                Err(error)
            }
        }
    }
}
