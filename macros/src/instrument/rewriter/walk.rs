//! The walk through the syntax tree: which nodes are scopes, which are paths and in which name space, and which are left alone.

use std::mem;

use syn::visit_mut::{self, VisitMut};
use syn::{
    Attribute, Block, Expr, ImplItem, ItemConst, ItemFn, ItemImpl, ItemMod, ItemTrait, Receiver, Stmt,
    TraitItem, Visibility,
};

use super::Rewriter;
use crate::instrument::scope::{Kind, Space};
use crate::instrument::{consts, declarations};

/// Items with generics are scopes of their own.
macro_rules! visit_in_generics {
    ($($visit:ident $item:ident,)*) => {
        $(fn $visit(&mut self, item: &mut syn::$item) {
            let generics = item.generics.clone();
            self.in_generics(&generics, |this| visit_mut::$visit(this, item));
        })*
    };
}

impl VisitMut for Rewriter {
    visit_in_generics! {
        visit_item_enum_mut ItemEnum,
        visit_item_struct_mut ItemStruct,
        visit_item_type_mut ItemType,
        visit_item_union_mut ItemUnion,
        visit_impl_item_type_mut ImplItemType,
        visit_trait_item_type_mut TraitItemType,
    }

    fn visit_item_mod_mut(&mut self, item: &mut ItemMod) {
        if let Some((_, content)) = &mut item.content {
            self.source.enter(&item.ident);
            *content = self.items(mem::take(content), Kind::Module);
            self.source.leave();
        }
    }

    fn visit_item_fn_mut(&mut self, item: &mut ItemFn) {
        let owner = self.owner.take();
        self.function(&mut item.sig, Some(&mut item.block));
        self.owner = owner;
    }

    fn visit_item_impl_mut(&mut self, item: &mut ItemImpl) {
        let owner = mem::replace(&mut self.owner, consts::type_name(&item.self_ty));
        let generics = item.generics.clone();
        self.in_generics(&generics, |this| {
            this.visit_generics_mut(&mut item.generics);
            if let Some((_, path, _)) = &mut item.trait_ {
                this.visit_path_mut(path);
            }
            this.visit_type_mut(&mut item.self_ty);
            for item in &mut item.items {
                let attrs = match item {
                    ImplItem::Const(item) => &mut item.attrs,
                    ImplItem::Fn(item) => &mut item.attrs,
                    ImplItem::Type(item) => &mut item.attrs,
                    ImplItem::Macro(item) => &mut item.attrs,
                    _ => continue,
                };
                if !this.is_skipped(attrs) {
                    this.visit_impl_item_mut(item);
                }
            }
        });
        self.owner = owner;
    }

    fn visit_item_trait_mut(&mut self, item: &mut ItemTrait) {
        let generics = item.generics.clone();
        self.in_generics(&generics, |this| {
            this.visit_generics_mut(&mut item.generics);
            for bound in &mut item.supertraits {
                this.visit_type_param_bound_mut(bound);
            }
            for item in &mut item.items {
                let attrs = match item {
                    TraitItem::Const(item) => &mut item.attrs,
                    TraitItem::Fn(item) => &mut item.attrs,
                    TraitItem::Type(item) => &mut item.attrs,
                    TraitItem::Macro(item) => &mut item.attrs,
                    _ => continue,
                };
                if !this.is_skipped(attrs) {
                    this.visit_trait_item_mut(item);
                }
            }
        });
    }

    fn visit_impl_item_fn_mut(&mut self, item: &mut syn::ImplItemFn) {
        self.function(&mut item.sig, Some(&mut item.block));
    }

    fn visit_trait_item_fn_mut(&mut self, item: &mut syn::TraitItemFn) {
        self.function(&mut item.sig, item.default.as_mut());
    }

    fn visit_receiver_mut(&mut self, receiver: &mut Receiver) {
        if receiver.colon_token.is_some() {
            self.refuse_arc_receiver(receiver);
        }
        visit_mut::visit_receiver_mut(self, receiver);
    }

    fn visit_item_const_mut(&mut self, item: &mut ItemConst) {
        self.visit_type_mut(&mut item.ty);
        self.constant(&mut item.expr);
    }

    fn visit_impl_item_const_mut(&mut self, item: &mut syn::ImplItemConst) {
        self.visit_type_mut(&mut item.ty);
        self.constant(&mut item.expr);
    }

    fn visit_trait_item_const_mut(&mut self, item: &mut syn::TraitItemConst) {
        self.visit_type_mut(&mut item.ty);
        if let Some((_, value)) = &mut item.default {
            self.constant(value);
        }
    }

    fn visit_item_macro_mut(&mut self, item: &mut syn::ItemMacro) {
        if item.ident.is_some() && item.mac.path.is_ident("macro_rules") {
            item.mac.tokens = self.rewrite_rules(mem::take(&mut item.mac.tokens));
        } else {
            self.refuse_include(&item.mac);
            self.visit_macro_mut(&mut item.mac);
        }
    }

    fn visit_item_foreign_mod_mut(&mut self, _: &mut syn::ItemForeignMod) {
        // Functions of other languages are left as they are.
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        let frame = declarations::of_block(&block.stmts);
        self.in_scope(frame, |this| {
            for mut stmt in mem::take(&mut block.stmts) {
                let place = this.place_of_stmt(&stmt);
                match stmt {
                    Stmt::Item(item) => block.stmts.extend(this.item(item).into_iter().map(Stmt::Item)),
                    Stmt::Local(ref mut local) => {
                        this.local(local);
                        block.stmts.extend(place);
                        block.stmts.push(stmt);
                    }
                    ref mut other => {
                        this.visit_stmt_mut(other);
                        block.stmts.extend(place);
                        block.stmts.push(stmt);
                    }
                }
            }
        });
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        self.expr(expr);
    }

    fn visit_type_path_mut(&mut self, ty: &mut syn::TypePath) {
        visit_path_parts(self, &mut ty.qself, &mut ty.path);
        self.rewrite_qualified(&mut ty.qself, &mut ty.path, Space::Type);
    }

    fn visit_expr_path_mut(&mut self, expr: &mut syn::ExprPath) {
        visit_path_parts(self, &mut expr.qself, &mut expr.path);
        self.rewrite_qualified(&mut expr.qself, &mut expr.path, Space::Value);
    }

    fn visit_pat_tuple_struct_mut(&mut self, pat: &mut syn::PatTupleStruct) {
        visit_path_parts(self, &mut pat.qself, &mut pat.path);
        self.rewrite_qualified(&mut pat.qself, &mut pat.path, Space::Value);
        for pat in &mut pat.elems {
            self.visit_pat_mut(pat);
        }
    }

    fn visit_pat_struct_mut(&mut self, pat: &mut syn::PatStruct) {
        visit_path_parts(self, &mut pat.qself, &mut pat.path);
        self.rewrite_qualified(&mut pat.qself, &mut pat.path, Space::Type);
        for field in &mut pat.fields {
            self.visit_field_pat_mut(field);
        }
    }

    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        visit_mut::visit_path_mut(self, path);
        self.rewrite_path(path, Space::Type);
    }

    fn visit_type_array_mut(&mut self, ty: &mut syn::TypeArray) {
        self.visit_type_mut(&mut ty.elem);
        self.within_const(true, |this| this.visit_expr_mut(&mut ty.len));
    }

    fn visit_generic_argument_mut(&mut self, argument: &mut syn::GenericArgument) {
        self.within_const(true, |this| visit_mut::visit_generic_argument_mut(this, argument));
    }

    fn visit_generic_param_mut(&mut self, parameter: &mut syn::GenericParam) {
        self.within_const(true, |this| visit_mut::visit_generic_param_mut(this, parameter));
    }

    fn visit_variant_mut(&mut self, variant: &mut syn::Variant) {
        self.within_const(true, |this| visit_mut::visit_variant_mut(this, variant));
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        self.rewrite_macro(mac);
    }

    fn visit_attribute_mut(&mut self, _: &mut Attribute) {
        // Attributes belong to other macros.
    }

    fn visit_visibility_mut(&mut self, _: &mut Visibility) {
        // `pub(in path)` names a module of the program.
    }
}

/// Visits what is in the brackets of a path.
fn visit_path_parts(rewriter: &mut Rewriter, qself: &mut Option<syn::QSelf>, path: &mut syn::Path) {
    if let Some(qself) = qself {
        rewriter.visit_qself_mut(qself);
    }
    visit_mut::visit_path_mut(rewriter, path);
}
