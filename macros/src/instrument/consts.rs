//! Functions that are no longer `const`, because the object they create is under control and belongs to one execution.
//!
//! [`Rewriter`](super::rewriter::Rewriter) removes `const` from the functions that create an object themselves. This module removes it
//! from the functions that call them, and rejects constants that need them. A function is identified by its
//! name and the name of its type.

use std::collections::BTreeSet;

use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{
    Block, Error, Expr, ExprBlock, ExprCall, ExprConst, ExprRepeat, ImplItemConst, ImplItemFn, Item,
    ItemConst, ItemFn, ItemImpl, Signature, Stmt, Type,
};

use super::emit;
use super::file_tokens;

/// A function: the type it belongs to, if any, and its name.
pub(super) type Function = (Option<String>, String);

/// The functions that are no longer `const`.
pub(super) type NonConst = BTreeSet<Function>;

/// The error about a constant.
const REFUSAL: &str = "what this constant makes is under control and cannot be made by the compiler: make it a \
                                  `static` or a function; for the elements of an array write `[const { .. }; N]`";

/// The error at a constant, which may already have been rewritten.
pub(super) fn refusal(value: &Expr) -> Error {
    let written =
        file_tokens::is_reading().then(|| file_tokens::first_written(value.to_token_stream())).flatten();
    written.map_or_else(|| Error::new_spanned(value, REFUSAL), |place| Error::new(place, REFUSAL))
}

/// The name of a type in the path of a function.
pub(super) fn type_name(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(ty) => ty.path.segments.last().map(|last| last.ident.to_string()),
        Type::Group(ty) => type_name(&ty.elem),
        Type::Paren(ty) => type_name(&ty.elem),
        _ => None,
    }
}

/// Removes `const` from all functions that call those in `non_const`, directly or not, and rejects constants that do.
pub(super) fn propagate(items: &mut [Item], non_const: NonConst, errors: &mut Vec<Error>) {
    let mut spread = Spread { non_const, owner: None, changed: true };
    while std::mem::take(&mut spread.changed) {
        for item in &mut *items {
            spread.visit_item_mut(item);
        }
    }
    let mut constants = Constants { non_const: &spread.non_const, owner: None, errors };
    for item in &*items {
        constants.visit_item(item);
    }
}

/// Whether a block or an expression calls one of the functions.
struct Calls<'a> {
    non_const: &'a NonConst,
    owner: Option<&'a str>,
    found: bool,
}

impl<'a> Calls<'a> {
    fn new(non_const: &'a NonConst, owner: Option<&'a str>) -> Self {
        Calls { non_const, owner, found: false }
    }

    fn in_block(mut self, block: &Block) -> bool {
        self.visit_block(block);
        self.found
    }

    fn in_expr(mut self, expr: &Expr) -> bool {
        self.visit_expr(expr);
        self.found
    }
}

impl<'ast> Visit<'ast> for Calls<'_> {
    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        if let Expr::Path(callee) = &*call.func {
            let mut names = callee.path.segments.iter().rev().map(|segment| segment.ident.to_string());
            if let Some(name) = names.next() {
                let owner = match names.next() {
                    Some(owner) if owner == "Self" => self.owner.map(str::to_owned),
                    owner => owner,
                };
                // A function of a module is called with or without the module's name.
                let of_module = owner.as_ref().is_none_or(|owner| owner.starts_with(char::is_lowercase));
                self.found |= self.non_const.contains(&(owner, name.clone()))
                    || of_module && self.non_const.contains(&(None, name));
            }
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_item(&mut self, _: &'ast Item) {
        // Items inside are declared, not executed.
    }
}

/// Input: `const { .. }`. Output: `{ .. }`, or what is in it if that is one expression.
pub(super) fn unfold(expr: &mut Expr) {
    let Expr::Const(ExprConst { attrs, block, .. }) = expr else { return };
    *expr = match &block.stmts[..] {
        [Stmt::Expr(value, None)] if attrs.is_empty() => value.clone(),
        _ => Expr::Block(ExprBlock { attrs: std::mem::take(attrs), label: None, block: block.clone() }),
    };
}

struct Spread {
    non_const: NonConst,
    owner: Option<String>,
    changed: bool,
}

impl Spread {
    fn function(&mut self, sig: &mut Signature, block: &Block) {
        if sig.constness.is_some() && Calls::new(&self.non_const, self.owner.as_deref()).in_block(block) {
            sig.constness = None;
            self.non_const.insert((self.owner.clone(), sig.ident.to_string()));
            self.changed = true;
        }
    }
}

impl VisitMut for Spread {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let owner = self.owner.as_deref();
        let calls = |block: &ExprConst| Calls::new(&self.non_const, owner).in_block(&block.block);
        match expr {
            Expr::Repeat(ExprRepeat { expr: value, len, .. }) if matches!(&**value, Expr::Const(value) if calls(value)) =>
            {
                unfold(value);
                *expr = emit::array(value, len);
            }
            Expr::Const(value) if calls(value) => unfold(expr),
            _ => {}
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_item_fn_mut(&mut self, item: &mut ItemFn) {
        let owner = self.owner.take();
        self.function(&mut item.sig, &item.block);
        visit_mut::visit_item_fn_mut(self, item);
        self.owner = owner;
    }

    fn visit_item_impl_mut(&mut self, item: &mut ItemImpl) {
        let owner = std::mem::replace(&mut self.owner, type_name(&item.self_ty));
        visit_mut::visit_item_impl_mut(self, item);
        self.owner = owner;
    }

    fn visit_impl_item_fn_mut(&mut self, item: &mut ImplItemFn) {
        self.function(&mut item.sig, &item.block);
        visit_mut::visit_impl_item_fn_mut(self, item);
    }
}

struct Constants<'a> {
    non_const: &'a NonConst,
    owner: Option<String>,
    errors: &'a mut Vec<Error>,
}

impl Constants<'_> {
    fn constant(&mut self, value: &Expr) {
        if Calls::new(self.non_const, self.owner.as_deref()).in_expr(value) {
            self.errors.push(refusal(value));
        }
    }
}

impl<'ast> Visit<'ast> for Constants<'_> {
    fn visit_item_const(&mut self, item: &'ast ItemConst) {
        self.constant(&item.expr);
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        let owner = std::mem::replace(&mut self.owner, type_name(&item.self_ty));
        visit::visit_item_impl(self, item);
        self.owner = owner;
    }

    fn visit_impl_item_const(&mut self, item: &'ast ImplItemConst) {
        self.constant(&item.expr);
    }
}
