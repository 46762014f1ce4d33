//! What the families work with: the text, what is known of the current place, and the changes found so far.

use std::collections::BTreeSet;

use quote::ToTokens;
use syn::Stmt;

use crate::extent::{Extent, Position};
use crate::facts::Facts;
use crate::names::Names;
use crate::operator::Operator;
use crate::text::Text;

/// A change of the text, before it is known which file it is in.
#[derive(Debug)]
pub(crate) struct Edit {
    pub(crate) operator: Operator,
    pub(crate) extent: Extent,
    pub(crate) replacement: String,
    pub(crate) function: String,
}

/// Collects the mutants of one file.
pub(crate) struct Finder<'a> {
    pub(crate) text: &'a Text<'a>,
    pub(crate) facts: Facts,
    pub(crate) edits: Vec<Edit>,
    /// The functions around the place, with the type that the outermost belongs to.
    pub(crate) functions: Vec<String>,
    pub(crate) names: Names,
    /// Statements and calls that a family has claimed, so that no other family makes the same mutants of them.
    handled: BTreeSet<Extent>,
    /// The guard around the place.
    pub(crate) guard: Option<Extent>,
}

impl<'a> Finder<'a> {
    pub(crate) fn new(text: &'a Text<'a>, facts: Facts) -> Self {
        Finder {
            text,
            facts,
            edits: Vec::new(),
            functions: Vec::new(),
            names: Names::default(),
            handled: BTreeSet::new(),
            guard: None,
        }
    }

    /// The text of a piece of syntax.
    pub(crate) fn text_of(&self, syntax: &impl ToTokens) -> &'a str {
        self.text.of(syntax)
    }

    /// Replaces a piece of syntax, unless the replacement is the same text.
    pub(crate) fn replace(
        &mut self,
        operator: Operator,
        syntax: &impl ToTokens,
        replacement: impl Into<String>,
    ) {
        if let Some(extent) = Extent::of(syntax) {
            self.replace_extent(operator, extent, replacement);
        }
    }

    pub(crate) fn replace_extent(
        &mut self,
        operator: Operator,
        extent: Extent,
        replacement: impl Into<String>,
    ) {
        let replacement = replacement.into();
        if self.text.slice(extent) != replacement {
            let function = self.functions.join("::");
            self.edits.push(Edit { operator, extent, replacement, function });
        }
    }

    /// Inserts a text at a position.
    pub(crate) fn insert(&mut self, operator: Operator, at: Position, text: impl Into<String>) {
        self.replace_extent(operator, Extent::empty(at), text);
    }

    /// Inserts a statement after another.
    pub(crate) fn insert_after(&mut self, operator: Operator, stmt: &Stmt, text: &str) {
        if let Some(extent) = Extent::of(stmt) {
            self.insert(operator, extent.end, format!(" {text}"));
        }
    }

    /// Swaps two pieces of syntax, and keeps the text between them.
    pub(crate) fn swap(&mut self, operator: Operator, first: &impl ToTokens, second: &impl ToTokens) {
        if let (Some(first), Some(second)) = (Extent::of(first), Extent::of(second)) {
            self.swap_extents(operator, first, second);
        }
    }

    pub(crate) fn swap_extents(&mut self, operator: Operator, a: Extent, b: Extent) {
        let between = self.text.slice(Extent { start: a.end, end: b.start });
        let swapped = [self.text.slice(b), between, self.text.slice(a)].concat();
        self.replace_extent(operator, a.to(b), swapped);
    }

    /// Claims a statement or a call, so that no other operator uses it. Returns whether it was free.
    pub(crate) fn take(&mut self, syntax: &impl ToTokens) -> bool {
        Extent::of(syntax).is_some_and(|extent| self.handled.insert(extent))
    }

    pub(crate) fn is_taken(&self, syntax: &impl ToTokens) -> bool {
        Extent::of(syntax).is_some_and(|extent| self.handled.contains(&extent))
    }
}
