//! Rewrites functions, constants and the variables that statements declare.

use syn::ext::IdentExt;
use syn::visit_mut::VisitMut;
use syn::{Block, Error, Expr, Local, Receiver, Signature, Type};

use super::{Rewriter, names};
use crate::instrument::scope::Space;
use crate::instrument::{consts, declarations, mirrors};

impl Rewriter {
    pub(super) fn function(&mut self, sig: &mut Signature, block: Option<&mut Block>) {
        if let Some(token) = &sig.asyncness {
            self.refuse_async(token.span);
        }
        self.functions.push(match &self.owner {
            Some(owner) => format!("{owner}::{}", sig.ident.unraw()),
            None => sig.ident.unraw().to_string(),
        });
        let generics = sig.generics.clone();
        self.in_generics(&generics, |this| {
            this.visit_signature_mut(sig);
            for input in &sig.inputs {
                if let syn::FnArg::Typed(input) = input {
                    declarations::pattern(this.scopes.innermost(), &input.pat);
                }
            }
            let Some(block) = block else { return };
            let is_const = sig.constness.is_some();
            let makes =
                this.makes_within(|this| this.within_const(is_const, |this| this.visit_block_mut(block)));
            if is_const && makes {
                sig.constness = None;
                this.non_const.insert((this.owner.clone(), sig.ident.to_string()));
            }
        });
        self.functions.pop();
    }

    pub(super) fn constant(&mut self, value: &mut Expr) {
        let refusal = consts::refusal(value);
        let makes = self.makes_within(|this| this.within_const(true, |this| this.visit_expr_mut(value)));
        if makes {
            self.errors.push(refusal);
        }
    }

    /// Names the objects that a statement creates, and declares its variables.
    pub(super) fn local(&mut self, local: &mut Local) {
        if let Some(init) = &mut local.init {
            if let Some(names) = names::of_pattern(&local.pat) {
                self.name(&names, &mut init.expr);
            }
            self.visit_expr_mut(&mut init.expr);
            if let Some((_, diverge)) = &mut init.diverge {
                self.visit_expr_mut(diverge);
            }
        }
        self.visit_pat_mut(&mut local.pat);
        declarations::pattern(self.scopes.innermost(), &local.pat);
    }

    pub(super) fn refuse_arc_receiver(&mut self, receiver: &Receiver) {
        let Some(pointer) = pointer_to_self(&receiver.ty) else { return };
        let path = self.leads_to(&pointer.path, Space::Type).unwrap_or_default();
        let path = mirrors::borrowed(&path);
        if let Some(["std", "sync", "Arc" | "Weak"]) = mirrors::proper(&path).as_deref() {
            self.errors.push(Error::new_spanned(
                &receiver.ty,
                "a method cannot be called on an `Arc` under control, because the compiler knows only the standard library's: \
                 make it a function that takes `this: Arc<Self>`, or keep the real `Arc` with \
                 `#[insyn::instrument(keep(std::sync::Arc, std::sync::Weak))]`",
            ));
        }
    }
}

/// Input: `Arc<Self>`, `&Arc<Self>`, `Pin<Arc<Self>>`. Output: `Arc<Self>`.
fn pointer_to_self(ty: &Type) -> Option<&syn::TypePath> {
    match ty {
        Type::Reference(ty) => pointer_to_self(&ty.elem),
        Type::Path(ty) => {
            let last = ty.path.segments.last()?;
            if last.ident == "Pin"
                && let syn::PathArguments::AngleBracketed(args) = &last.arguments
                && let Some(syn::GenericArgument::Type(inner)) = args.args.first()
            {
                return pointer_to_self(inner);
            }
            Some(ty)
        }
        _ => None,
    }
}
