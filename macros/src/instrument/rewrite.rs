//! Rewrite phase: walks through the program with the scopes around each place.
//!
//! Items are in this file, expressions in [`exprs`](super::exprs), macro invocations in [`macros`](super::macros);
//! how it walks is in [`visit`](super::visit). What has gone wrong is collected, and everything that can be told is
//! told at once.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use proc_macro2::TokenStream;
use quote::format_ident;
use syn::ext::IdentExt;
use syn::visit_mut::VisitMut;
use syn::{
    Attribute, Block, Error, Expr, Generics, Item, Local, Meta, Receiver, Signature, Type, parse_quote,
};

use super::args::Args;
use super::consts::{self, Lost};
use super::declare;
use super::files::Source;
use super::mirrors;
use super::names;
use super::scope::{Frame, Kind, Meaning, Scopes, Space, Written};
use super::settings::Settings;

/// What is known at a place of the program, and what has been found out so far.
pub(super) struct Rewriter {
    pub(super) settings: Settings,
    pub(super) scopes: Scopes,
    pub(super) errors: Vec<Error>,
    /// Errors that need not be told twice.
    pub(super) refused: BTreeSet<String>,
    /// Where the code comes from, and where modules in files of their own are looked for.
    pub(super) source: Source,
    /// Functions that are `const` no more.
    pub(super) lost: Lost,
    /// The code is evaluated by the compiler.
    pub(super) in_const: bool,
    /// Something is made that the standard library makes by a `const fn` and its mirror does not.
    pub(super) makes: bool,
    /// The functions around the place, the outermost first, with the types they belong to.
    pub(super) functions: Vec<String>,
    /// How many statics there are by a name, in a module.
    pub(super) statics: BTreeMap<(String, String), u32>,
    /// The type whose functions these are.
    pub(super) owner: Option<String>,
}

impl Rewriter {
    pub(super) fn new(args: &Args, source: Source) -> Self {
        Rewriter {
            settings: args.settings.clone(),
            scopes: Scopes::new(declare::outside(&args.imports)),
            errors: Vec::new(),
            refused: BTreeSet::new(),
            source,
            lost: Lost::new(),
            in_const: false,
            makes: false,
            functions: Vec::new(),
            statics: BTreeMap::new(),
            owner: None,
        }
    }

    /// Rewrites one item, or items that stand among others out of sight, all the way.
    pub(super) fn rewrite(&mut self, items: Vec<Item>, kind: Kind) -> Vec<Item> {
        let mut items = self.items(items, kind);
        consts::settle(&mut items, mem::take(&mut self.lost), &mut self.errors);
        items
    }

    /// Rewrites the items of one scope.
    pub(super) fn items(&mut self, items: Vec<Item>, kind: Kind) -> Vec<Item> {
        self.scopes.push(declare::of_items(kind, &items));
        let items = items.into_iter().flat_map(|item| self.item(item)).collect();
        self.scopes.pop();
        items
    }

    pub(super) fn item(&mut self, mut item: Item) -> Vec<Item> {
        if let Item::Fn(function) = &mut item {
            self.note_program(&mut function.attrs);
        }
        let args = match attributes(&mut item).and_then(|attrs| self.take_attribute(attrs)) {
            None => return self.plain_item(item),
            Some(args) if args.skip.is_some() => return vec![item],
            Some(args) => args,
        };
        let settings = self.settings.clone();
        self.settings.reexports.extend(args.settings.reexports);
        self.settings.kept.extend(args.settings.kept);
        let outside = self.scopes.outside().clone();
        declare::arguments(self.scopes.outside(), &args.imports);
        let items = match (args.path, item) {
            (Some(path), Item::Mod(module)) => vec![self.module_at(module, &path)],
            (Some(path), item) => {
                self.errors.push(Error::new(path.span(), "only a module can be in a file of its own"));
                vec![item]
            }
            (None, item) => self.plain_item(item),
        };
        *self.scopes.outside() = outside;
        self.settings = settings;
        items
    }

    fn plain_item(&mut self, mut item: Item) -> Vec<Item> {
        match item {
            Item::Use(item) => return self.rewrite_use(item),
            Item::Mod(module) if module.content.is_none() => return vec![self.module(module)],
            Item::Static(ref mut item) => self.rewrite_static(item),
            ref mut item => self.visit_item_mut(item),
        }
        vec![item]
    }

    /// Whether an attribute is insyn's own of this name, by whatever path.
    fn is_ours(&self, attr: &Attribute, name: &str) -> bool {
        let written = Written::of(attr.path());
        written.names.last().is_some_and(|last| last == name)
            && self.leads_to(attr.path(), Space::Macro).is_some_and(
                |path| matches!(names::borrowed(&path)[..], ["insyn" | "insyn_macros", last] if last == name),
            )
    }

    /// Tells `#[insyn::test(..)]` that the function is instrumented by the time it is looked at.
    fn note_program(&mut self, attrs: &mut [Attribute]) {
        for attr in attrs {
            if !self.is_ours(attr, "test") {
                continue;
            }
            let already = format_ident!("{}", crate::test::ALREADY);
            let (path, args) = match &attr.meta {
                Meta::List(list) => (&list.path, list.tokens.clone()),
                meta => (meta.path(), TokenStream::new()),
            };
            attr.meta = parse_quote!(#path(#already, #args));
        }
    }

    /// Takes off the attribute `#[insyn::instrument(..)]`, which has no more to do.
    fn take_attribute(&mut self, attrs: &mut Vec<Attribute>) -> Option<Args> {
        let at = attrs.iter().position(|attr| self.is_ours(attr, "instrument"))?;
        let attr = attrs.remove(at);
        match attr.meta {
            Meta::List(list) => match list.parse_args() {
                Ok(args) => Some(args),
                Err(error) => {
                    self.errors.push(error);
                    None
                }
            },
            _ => Some(Args::default()),
        }
    }

    /// Whether the attributes of something in an impl or a trait say that it is to be left as it is. Takes off the attribute
    /// that says so.
    pub(super) fn is_skipped(&mut self, attrs: &mut Vec<Attribute>) -> bool {
        let Some(args) = self.take_attribute(attrs) else { return false };
        if let Some(span) = args.other {
            let message =
                "in an impl or a trait only `skip` has a meaning: other arguments go on the item around";
            self.errors.push(Error::new(span, message));
        }
        args.skip.is_some()
    }

    /// Does something in a scope of its own.
    pub(super) fn in_scope(&mut self, frame: Frame, inside: impl FnOnce(&mut Self)) {
        self.scopes.push(frame);
        inside(self);
        self.scopes.pop();
    }

    pub(super) fn in_generics(&mut self, generics: &Generics, inside: impl FnOnce(&mut Self)) {
        let mut frame = Frame::new(Kind::Block);
        declare::generics(&mut frame, generics);
        self.in_scope(frame, inside);
    }

    /// Does something with code that the compiler evaluates, or that it does not.
    pub(super) fn within_const(&mut self, in_const: bool, inside: impl FnOnce(&mut Self)) {
        let before = mem::replace(&mut self.in_const, in_const);
        inside(self);
        self.in_const = before;
    }

    /// Whether something is made inside that the compiler cannot make any more.
    pub(super) fn makes_within(&mut self, inside: impl FnOnce(&mut Self)) -> bool {
        let before = mem::replace(&mut self.makes, false);
        inside(self);
        mem::replace(&mut self.makes, before)
    }

    pub(super) fn visit_type(&mut self, ty: &mut Type) {
        self.visit_type_mut(ty);
    }

    /// Rewrites what a static starts with.
    pub(super) fn visit_initializer(&mut self, init: &mut Expr) {
        self.makes_within(|this| this.visit_expr_mut(init));
    }

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
                    declare::pattern(this.scopes.innermost(), &input.pat);
                }
            }
            let Some(block) = block else { return };
            let is_const = sig.constness.is_some();
            let makes =
                this.makes_within(|this| this.within_const(is_const, |this| this.visit_block_mut(block)));
            if is_const && makes {
                sig.constness = None;
                this.lost.insert((this.owner.clone(), sig.ident.to_string()));
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

    /// Names what a statement makes, and declares its variables.
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
        declare::pattern(self.scopes.innermost(), &local.pat);
    }

    pub(super) fn refuse_arc_receiver(&mut self, receiver: &Receiver) {
        let Some(pointer) = pointer_to_self(&receiver.ty) else { return };
        let path = self.leads_to(&pointer.path, Space::Type).unwrap_or_default();
        let path = names::borrowed(&path);
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

/// The attributes of an item; none if it can have none.
fn attributes(item: &mut Item) -> Option<&mut Vec<Attribute>> {
    Some(match item {
        Item::Const(item) => &mut item.attrs,
        Item::Enum(item) => &mut item.attrs,
        Item::ExternCrate(item) => &mut item.attrs,
        Item::Fn(item) => &mut item.attrs,
        Item::ForeignMod(item) => &mut item.attrs,
        Item::Impl(item) => &mut item.attrs,
        Item::Macro(item) => &mut item.attrs,
        Item::Mod(item) => &mut item.attrs,
        Item::Static(item) => &mut item.attrs,
        Item::Struct(item) => &mut item.attrs,
        Item::Trait(item) => &mut item.attrs,
        Item::TraitAlias(item) => &mut item.attrs,
        Item::Type(item) => &mut item.attrs,
        Item::Union(item) => &mut item.attrs,
        Item::Use(item) => &mut item.attrs,
        _ => return None,
    })
}

impl Rewriter {
    /// Whether an expression is a static that has become one for each execution.
    pub(super) fn is_fresh_static(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::Path(expr) if expr.qself.is_none()
            && self.scopes.meaning(&self.settings, &Written::of(&expr.path), Space::Value) == Meaning::Static)
    }
}
