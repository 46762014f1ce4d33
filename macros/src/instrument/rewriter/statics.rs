//! Rewrites the statics that are initialized again in each execution, and recognizes uses of them.

use syn::ext::IdentExt;
use syn::visit_mut::VisitMut;
use syn::{Error, Expr, ItemStatic, parse_quote_spanned};

use super::Rewriter;
use crate::instrument::emit;
use crate::instrument::scope::{Meaning, Space, Written};
use crate::instrument::statics::{self, Treatment};

impl Rewriter {
    /// Input: `static LOCK: Mutex<u32> = Mutex::new(0);`. Output:
    ///
    /// ```text
    /// static LOCK: Static<Mutex<u32>> = Static::new(concat!(module_path!(), "::LOCK"), || Mutex::new(0));
    /// ```
    pub(super) fn rewrite_static(&mut self, item: &mut ItemStatic) {
        let renewed = match statics::treatment(item) {
            Treatment::Renew => true,
            Treatment::Keep => false,
            Treatment::Refuse(why) => {
                self.errors.push(Error::new_spanned(&item.ident, why));
                return;
            }
        };
        self.visit_type_mut(&mut item.ty);
        // Plain data is evaluated by the compiler, as before; everything else by the program.
        self.makes_within(|this| this.within_const(!renewed, |this| this.visit_expr_mut(&mut item.expr)));
        if !renewed {
            return;
        }
        let (ty, init) = (&item.ty, &item.expr);
        let name = self.name_of_static(&item.ident.unraw().to_string());
        let place = item.ident.span();
        let site = emit::site(place);
        let renewed_type = parse_quote_spanned!(site=> ::insyn::statics::Static<#ty>);
        *item.expr = parse_quote_spanned! {site=>
            ::insyn::statics::Static::new(
                ::insyn::macro_support::core::concat!(::insyn::macro_support::core::module_path!(), #name),
                || #init,
            )
        };
        *item.ty = renewed_type;
    }

    /// Its path within the module. The contents of a static are identified by its name, so names must be unique.
    fn name_of_static(&mut self, name: &str) -> String {
        let within: String = self.functions.iter().map(|function| format!("::{function}")).collect();
        let name = format!("{within}::{name}");
        let module = self.source.module_path();
        let count = self.statics.entry((module, name.clone())).or_insert(0);
        *count += 1;
        if *count == 1 { name } else { format!("{name}#{count}") }
    }

    /// Whether an expression is a static that is initialized again in each execution.
    pub(super) fn is_renewed_static(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::Path(expr) if expr.qself.is_none()
            && self.scopes.meaning(&self.settings, &Written::of(&expr.path), Space::Value) == Meaning::Static)
    }
}
