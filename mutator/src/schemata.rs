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
//! - an expression ([`Switcher::visit_expr_mut`]), unless it is a place that is borrowed or assigned, a closure, a `let`,
//!   or something that leaves temporary values behind ([`temporaries`]) where these live longer than a branch;
//! - statements of a block ([`blocks`]), together with all that follows them if they declare anything;
//! - the guard of an arm that had none.
//!
//! A mutant is put where its [`Extent`] is, by tokens ([`splice`](mod@splice)), so that the file's text and the tokens that a
//! macro is given come to the same.
//!
//! One difference is left: before the edition of 2024 the temporary values of the last expression of a block outlive
//! the block's variables. A switch around such an expression ends them before, as the edition of 2024 does.

mod blocks;
mod splice;
mod temporaries;

use std::collections::BTreeMap;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Arm, BinOp, Expr, ExprClosure, Item, ReturnType, Token, UnOp, parse_quote_spanned};

use crate::extent::Extent;
use crate::families::has_let;
use crate::list::Numbered;
use crate::select::Select;
use crate::shapes;
use temporaries::lasting;

/// Puts mutants into items of one file.
#[derive(Debug)]
pub struct Schemata<'a> {
    mutants: Vec<&'a Numbered>,
    /// What is switched for each mutant that has been put somewhere.
    placed: BTreeMap<u32, Extent>,
}

impl<'a> Schemata<'a> {
    /// The mutants of a list that are in a file, which is named from the root of the package.
    pub fn new(list: &'a [Numbered], file: &str) -> Self {
        let mutants = list.iter().filter(|numbered| numbered.mutant.file == file).collect();
        Schemata { mutants, placed: BTreeMap::new() }
    }

    /// Puts into an item the mutants that stand in it. Output: those that could not be put there, which is because the
    /// file has changed since they were found.
    pub fn switch(&mut self, item: &mut Item) -> Vec<&'a Numbered> {
        let Some(extent) = Extent::of(item) else { return Vec::new() };
        let mut switcher =
            Switcher { mutants: &self.mutants, placed: &mut self.placed, position: Position::Value };
        switcher.visit_item_mut(item);
        switcher.pending(extent)
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

/// Where an expression stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Position {
    /// Among other expressions, as a value.
    #[default]
    Value,
    /// Where it may be borrowed or assigned.
    Place,
    /// As a condition: what it leaves behind ends with it.
    Condition,
    /// As all of a statement, a branch or a body: what it leaves behind ends with it, and it needs no parentheses.
    Whole,
}

struct Switcher<'s, 'a> {
    mutants: &'s [&'a Numbered],
    placed: &'s mut BTreeMap<u32, Extent>,
    /// The position of the expression that is visited next.
    position: Position,
}

impl<'a> Switcher<'_, 'a> {
    /// The mutants in an extent that have no place yet.
    fn pending(&self, extent: Extent) -> Vec<&'a Numbered> {
        let in_extent = |numbered: &&&Numbered| {
            extent.contains(&numbered.mutant.extent) && !self.placed.contains_key(&numbered.number)
        };
        self.mutants.iter().filter(in_extent).copied().collect()
    }

    fn has_pending(&self, syntax: &impl ToTokens) -> bool {
        Extent::of(syntax).is_some_and(|extent| !self.pending(extent).is_empty())
    }

    fn visit(&mut self, expr: &mut Expr, position: Position) {
        self.position = position;
        self.visit_expr_mut(expr);
        self.position = Position::default();
    }

    /// Visits what an expression is made of, each part with its position.
    fn parts(&mut self, expr: &mut Expr, position: Position) {
        use Position::{Condition, Place, Value, Whole};
        match expr {
            Expr::Paren(inner) => self.visit(&mut inner.expr, position),
            Expr::Group(inner) => self.visit(&mut inner.expr, position),
            Expr::MethodCall(call) => {
                self.visit(&mut call.receiver, Place);
                call.args.iter_mut().for_each(|arg| self.visit(arg, Value));
            }
            Expr::Call(call) => {
                self.visit(&mut call.func, Place);
                call.args.iter_mut().for_each(|arg| self.visit(arg, Value));
            }
            Expr::Reference(reference) => self.visit(&mut reference.expr, Place),
            Expr::RawAddr(reference) => self.visit(&mut reference.expr, Place),
            Expr::Field(field) => self.visit(&mut field.base, Place),
            Expr::Index(index) => {
                self.visit(&mut index.expr, Place);
                self.visit(&mut index.index, Value);
            }
            Expr::Unary(unary) => {
                let position = if matches!(unary.op, UnOp::Deref(_)) { Place } else { Value };
                self.visit(&mut unary.expr, position);
            }
            Expr::Assign(assign) => {
                self.visit(&mut assign.left, Place);
                self.visit(&mut assign.right, Value);
            }
            Expr::Binary(binary) => {
                let lazy = matches!(binary.op, BinOp::And(_) | BinOp::Or(_));
                self.visit(&mut binary.left, if lazy { Value } else { Place });
                self.visit(&mut binary.right, if lazy { Condition } else { Place });
            }
            Expr::Let(let_) => self.visit(&mut let_.expr, Place),
            Expr::If(if_) => {
                self.visit(&mut if_.cond, Condition);
                self.visit_block_mut(&mut if_.then_branch);
                if let Some((_, otherwise)) = &mut if_.else_branch {
                    self.visit(otherwise, Whole);
                }
            }
            Expr::While(while_) => {
                self.visit(&mut while_.cond, Condition);
                self.visit_block_mut(&mut while_.body);
            }
            Expr::Match(match_) => {
                self.visit(&mut match_.expr, Place);
                match_.arms.iter_mut().for_each(|arm| self.arm(arm));
            }
            Expr::Closure(closure) => self.closure(closure),
            Expr::Repeat(repeat) => self.visit(&mut repeat.expr, Value),
            Expr::Macro(mac) => self.visit_macro_mut(&mut mac.mac),
            Expr::Async(_) | Expr::Const(_) | Expr::Verbatim(_) => {}
            other => visit_mut::visit_expr_mut(self, other),
        }
    }

    fn closure(&mut self, closure: &mut ExprClosure) {
        match (&closure.output, &mut *closure.body) {
            // With a type it must be a block.
            (ReturnType::Type(..), Expr::Block(block)) => self.visit_block_mut(&mut block.block),
            (_, body) => self.visit(body, Position::Whole),
        }
    }

    fn arm(&mut self, arm: &mut Arm) {
        if let Some((_, guard)) = &mut arm.guard {
            self.visit(guard, Position::Condition);
        } else if let Some(extent) = Extent::of(&arm.pat)
            && let Some(guard) = self.guard_slot(Extent::empty(extent.end), arm.pat.span())
        {
            arm.guard = Some((Token![if](Span::mixed_site()), Box::new(guard)));
        }
        self.visit(&mut arm.body, Position::Whole);
    }

    /// The guard of an arm that has none, if mutants put one there: not any of them.
    fn guard_slot(&mut self, slot: Extent, site: Span) -> Option<Expr> {
        let mut off = self.pending(slot);
        off.retain(|numbered| numbered.mutant.replacement.trim() == "if false");
        self.placed.extend(off.iter().map(|numbered| (numbered.number, slot)));
        let tests = off.iter().map(|numbered| is(numbered.number, site));
        (!off.is_empty()).then(|| parse_quote_spanned!(Span::mixed_site()=> !(#(#tests)||*)))
    }

    /// The mutated copies of an expression that can be the other branches of an `if`.
    fn copies(&self, original: &Expr, extent: Extent, position: Position) -> Vec<(u32, Expr)> {
        let fits = |numbered: &Numbered, mutated: &Expr| {
            let stands = match position {
                Position::Whole => !(numbered.mutant.operator.retypes && matches!(original, Expr::Range(_))),
                Position::Condition => !numbered.mutant.operator.retypes,
                Position::Place if shapes::is_place(original) => false,
                Position::Place | Position::Value => {
                    !numbered.mutant.operator.retypes && !lasting(original) && !lasting(mutated)
                }
            };
            stands && !has_let(original) && !matches!(original, Expr::Closure(_) | Expr::Verbatim(_))
        };
        let copy = |numbered: &'a Numbered| {
            let mutant = &numbered.mutant;
            let tokens = splice::splice(
                original.to_token_stream(),
                mutant.extent,
                &mutant.replacement,
                first_span(original),
            )?;
            let mutated = syn::parse2::<Expr>(tokens).ok()?;
            fits(numbered, &mutated).then_some((numbered.number, mutated))
        };
        self.pending(extent).into_iter().filter_map(copy).collect()
    }

    fn select(&mut self, select: &mut Select) {
        for arm in &mut select.arms {
            for arg in arm.args.iter_mut().flat_map(|(_, args)| args) {
                self.visit(arg, Position::Place);
            }
            let slot = arm.guard_slot().map(Extent::empty);
            if let Some((_, guard)) = &mut arm.guard {
                self.visit(guard, Position::Condition);
            } else if let Some(guard) = slot.and_then(|slot| self.guard_slot(slot, arm.word.span())) {
                arm.guard = Some((Token![if](Span::mixed_site()), guard));
            }
            self.visit(&mut arm.body, Position::Whole);
            // A body that has become an `if` is no block any more.
            arm.comma.get_or_insert_default();
        }
    }

    fn exprs(&mut self, tokens: TokenStream) -> Option<TokenStream> {
        let list = Punctuated::<Expr, Token![,]>::parse_terminated;
        if let Ok(mut exprs) = list.parse2(tokens.clone()) {
            for expr in &mut exprs {
                match expr {
                    Expr::Assign(named) => self.visit(&mut named.right, Position::Place),
                    expr => self.visit(expr, Position::Place),
                }
            }
            return Some(exprs.into_token_stream());
        }
        let repeated = |input: syn::parse::ParseStream<'_>| {
            Ok((input.parse::<Expr>()?, input.parse::<Token![;]>()?, input.parse::<Expr>()?))
        };
        let (mut value, semi, mut length) = repeated.parse2(tokens).ok()?;
        self.visit(&mut value, Position::Value);
        self.visit(&mut length, Position::Value);
        Some(quote::quote!(#value #semi #length))
    }
}

impl VisitMut for Switcher<'_, '_> {
    fn visit_item_mut(&mut self, item: &mut Item) {
        if self.has_pending(item) {
            visit_mut::visit_item_mut(self, item);
        }
    }

    fn visit_item_fn_mut(&mut self, item: &mut syn::ItemFn) {
        if self.has_pending(&item.block) {
            self.visit_block_mut(&mut item.block);
            item.attrs.push(silence());
        }
    }

    fn visit_impl_item_fn_mut(&mut self, item: &mut syn::ImplItemFn) {
        if self.has_pending(&item.block) {
            self.visit_block_mut(&mut item.block);
            item.attrs.push(silence());
        }
    }

    fn visit_trait_item_fn_mut(&mut self, item: &mut syn::TraitItemFn) {
        if let Some(block) = item.default.as_mut().filter(|block| self.has_pending(block)) {
            self.visit_block_mut(block);
            item.attrs.push(silence());
        }
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        if self.has_pending(block) {
            self.block(block);
        }
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let position = std::mem::take(&mut self.position);
        let Some(extent) = Extent::of(expr).filter(|extent| !self.pending(*extent).is_empty()) else { return };
        let original = expr.clone();
        self.parts(expr, position);
        let copies = self.copies(&original, extent, position);
        if copies.is_empty() {
            return;
        }
        self.placed.extend(copies.iter().map(|(number, _)| (*number, extent)));
        let site = first_span(&original);
        let mut switched = quote_spanned!(Span::mixed_site()=> { #expr });
        for (number, mutated) in copies.iter().rev() {
            let test = is(*number, site);
            switched = quote_spanned!(Span::mixed_site()=> if #test { #mutated } else #switched);
        }
        *expr = match position {
            Position::Whole => parse_quote_spanned!(Span::mixed_site()=> #switched),
            _ => parse_quote_spanned!(Span::mixed_site()=> (#switched)),
        };
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        let Some(last) = mac.path.segments.last() else { return };
        let tokens = mac.tokens.clone();
        if Extent::of_tokens(tokens.clone()).is_none_or(|extent| self.pending(extent).is_empty()) {
            return;
        }
        match last.ident.to_string().as_str() {
            "select" | "select_biased" => {
                if let Ok(mut select) = syn::parse2::<Select>(tokens) {
                    self.select(&mut select);
                    mac.tokens = select.into_token_stream();
                }
            }
            "eprint" | "eprintln" | "format" | "name" | "print" | "println" | "vec" | "write" | "writeln" => {
                if let Some(tokens) = self.exprs(tokens) {
                    mac.tokens = tokens;
                }
            }
            "instrumented" => {
                if let Ok(mut file) = syn::parse2::<syn::File>(tokens) {
                    file.items.iter_mut().for_each(|item| self.visit_item_mut(item));
                    mac.tokens = file.into_token_stream();
                }
            }
            _ => {}
        }
    }

    fn visit_pat_mut(&mut self, _: &mut syn::Pat) {}

    fn visit_type_mut(&mut self, _: &mut syn::Type) {}

    fn visit_path_mut(&mut self, _: &mut syn::Path) {}

    fn visit_attribute_mut(&mut self, _: &mut syn::Attribute) {}
}

/// Whether a mutant is on. It stands where the change is, so that what is wrong with a branch is told at its place.
fn is(number: u32, site: Span) -> TokenStream {
    let site = Span::mixed_site().located_at(site);
    quote_spanned!(site=> ::insyn::mutation::is(#number))
}

/// Lints are about what people write.
fn silence() -> syn::Attribute {
    parse_quote_spanned!(Span::mixed_site()=>
        #[allow(warnings, arithmetic_overflow, overflowing_literals, unconditional_panic, let_underscore_lock)])
}

fn first_span(syntax: &impl ToTokens) -> Span {
    syntax.to_token_stream().into_iter().next().map_or_else(Span::call_site, |token| token.span())
}
