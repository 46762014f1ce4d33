//! Goes through code and puts a switch around each expression that has mutants, as deep inside as one can stand.

use std::collections::BTreeMap;

use insyn_syntax::Select;
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Arm, BinOp, Expr, ExprClosure, Item, ReturnType, Token, UnOp, parse_quote_spanned};

use super::temporaries::lasting;
use super::{branches, first_span, is, silence, splice};
use crate::extent::Extent;
use crate::families::has_let;
use crate::list::Numbered;
use crate::select;
use crate::shapes;

/// Where an expression stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Position {
    /// Among other expressions, as a value.
    #[default]
    Value,
    /// Where it may be borrowed or assigned.
    Place,
    /// As a condition: what it leaves behind ends with it.
    Condition,
    /// As all of a statement, a branch or a body: what it leaves behind ends with it, and it needs no parentheses.
    Whole,
    /// As the last expression of a block, before the edition of 2024: what it leaves behind outlives the block's variables, if
    /// not the block, and it needs no parentheses.
    Last,
}

pub(super) struct Switcher<'s, 'a> {
    /// By the place where they begin.
    pub(super) mutants: &'s [&'a Numbered],
    pub(super) placed: &'s mut BTreeMap<u32, Extent>,
    /// The position of the expression that is visited next.
    pub(super) position: Position,
    /// Whether what the last expression of a block leaves behind outlives the block's variables.
    pub(super) before_2024: bool,
}

impl<'a> Switcher<'_, 'a> {
    /// The mutants in an extent that have no place yet.
    pub(super) fn left(&self, extent: Extent) -> impl DoubleEndedIterator<Item = &'a Numbered> {
        let first = self.mutants.partition_point(|it| it.mutant.extent.start < extent.start);
        let beyond = first + self.mutants[first..].partition_point(|it| it.mutant.extent.start <= extent.end);
        let in_extent = move |numbered: &&Numbered| {
            extent.contains(&numbered.mutant.extent) && !self.placed.contains_key(&numbered.number)
        };
        self.mutants[first..beyond].iter().copied().filter(in_extent)
    }

    /// Those of them that want a place as deep inside as there is one.
    pub(super) fn pending(&self, extent: Extent) -> Vec<&'a Numbered> {
        self.left(extent).filter(|numbered| !numbered.apart).collect()
    }

    /// The body of a function. Output: whether there is anything in it now.
    fn body(&mut self, block: &mut syn::Block) -> bool {
        let Some(extent) = Extent::of(&*block).filter(|extent| self.left(*extent).next().is_some()) else {
            return false;
        };
        let original = block.to_token_stream();
        self.visit_block_mut(block);
        let apart: Vec<&Numbered> = self.left(extent).filter(|numbered| numbered.apart).collect();
        let mut copies = Vec::new();
        for Numbered { number, mutant, .. } in apart {
            let site = splice::site(original.clone(), mutant.extent).unwrap_or_else(Span::call_site);
            let tokens = splice::splice(original.clone(), mutant.extent, &mutant.replacement, site);
            let Some(Ok(mutated)) = tokens.map(syn::parse2::<syn::Block>) else { continue };
            copies.push((is(*number, site), mutated));
            self.placed.insert(*number, extent);
        }
        if !copies.is_empty() {
            branches::choose(block, copies);
        }
        true
    }

    /// A block that stands somewhere.
    fn block_at(&mut self, block: &mut syn::Block, position: Position) {
        if Extent::of(&*block).is_some_and(|extent| !self.pending(extent).is_empty()) {
            self.block(block, position);
        }
    }

    pub(super) fn visit(&mut self, expr: &mut Expr, position: Position) {
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
            Expr::Block(block) => self.block_at(&mut block.block, position),
            Expr::Unsafe(block) => self.block_at(&mut block.block, position),
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
            let is_range_of_other_type =
                || numbered.mutant.operator.retypes && matches!(original, Expr::Range(_));
            let stands = match position {
                Position::Whole => !is_range_of_other_type(),
                Position::Last => !is_range_of_other_type() && !lasting(original) && !lasting(mutated),
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
            let slot = select::guard_slot(arm).map(Extent::empty);
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
        if Extent::of(item).is_some_and(|extent| self.left(extent).next().is_some()) {
            visit_mut::visit_item_mut(self, item);
        }
    }

    fn visit_item_fn_mut(&mut self, item: &mut syn::ItemFn) {
        if self.body(&mut item.block) {
            item.attrs.push(silence());
        }
    }

    fn visit_impl_item_fn_mut(&mut self, item: &mut syn::ImplItemFn) {
        if self.body(&mut item.block) {
            item.attrs.push(silence());
        }
    }

    fn visit_trait_item_fn_mut(&mut self, item: &mut syn::TraitItemFn) {
        if item.default.as_mut().is_some_and(|block| self.body(block)) {
            item.attrs.push(silence());
        }
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        self.block_at(block, Position::Whole);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let position = std::mem::take(&mut self.position);
        let Some(extent) = Extent::of(expr).filter(|extent| !self.pending(*extent).is_empty()) else {
            return;
        };
        let original = expr.clone();
        self.parts(expr, position);
        let copies = self.copies(&original, extent, position);
        if copies.is_empty() {
            return;
        }
        self.placed.extend(copies.iter().map(|(number, _)| (*number, extent)));
        let site = first_span(&original);
        let last = std::mem::replace(expr, Expr::PLACEHOLDER);
        let last = branches::otherwise(branches::block(vec![branches::value(last)], Span::mixed_site()));
        let switched = copies.into_iter().rev().fold(last, |otherwise, (number, mutated)| {
            let mutated = branches::block(vec![branches::value(mutated)], Span::mixed_site());
            branches::switch(is(number, site), mutated, Some(otherwise))
        });
        *expr = match position {
            Position::Whole | Position::Last => switched,
            _ => branches::parenthesized(switched),
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
