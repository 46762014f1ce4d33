//! Rewrites items, by the attributes on them.

use proc_macro2::TokenStream;
use quote::format_ident;
use syn::visit_mut::VisitMut;
use syn::{Attribute, Error, Item, Meta, parse_quote};

use super::Rewriter;
use crate::instrument::args::Args;
use crate::instrument::scope::{Space, Written};
use crate::instrument::{ALREADY, attributes, declarations, mirrors};

impl Rewriter {
    pub(super) fn item(&mut self, mut item: Item) -> Vec<Item> {
        if let Item::Fn(function) = &mut item {
            self.note_program(&mut function.attrs);
        }
        let args = match attributes::of_item(&mut item).and_then(|attrs| self.take_attribute(attrs)) {
            None => return self.plain_item(item),
            Some(args) if args.skip.is_some() => return vec![item],
            Some(args) => args,
        };
        let settings = self.settings.clone();
        self.settings.reexports.extend(args.settings.reexports);
        self.settings.kept.extend(args.settings.kept);
        let outside = self.scopes.outside().clone();
        declarations::arguments(self.scopes.outside(), &args.imports);
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
                |path| matches!(mirrors::borrowed(&path)[..], ["insyn" | "insyn_macros", last] if last == name),
            )
    }

    /// Informs `#[insyn::test(..)]` that the function is already instrumented when it is expanded.
    fn note_program(&mut self, attrs: &mut [Attribute]) {
        for attr in attrs {
            if !self.is_ours(attr, "test") {
                continue;
            }
            let already = format_ident!("{}", ALREADY);
            let (path, args) = match &attr.meta {
                Meta::List(list) => (&list.path, list.tokens.clone()),
                meta => (meta.path(), TokenStream::new()),
            };
            attr.meta = parse_quote!(#path(#already, #args));
        }
    }

    /// Removes the attribute `#[insyn::instrument(..)]`, which has been applied.
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

    /// Whether an attribute says that an item in an impl or a trait is left as it is. The attribute is removed.
    pub(super) fn is_skipped(&mut self, attrs: &mut Vec<Attribute>) -> bool {
        let Some(args) = self.take_attribute(attrs) else { return false };
        if let Some(span) = args.other {
            let message =
                "in an impl or a trait only `skip` is allowed: other arguments go on the item around it";
            self.errors.push(Error::new(span, message));
        }
        args.skip.is_some()
    }
}
