//! Rewrites `use` items: each import of a replaced item becomes an import of its replacement; the others stay.

use proc_macro2::{Ident, Span};
use syn::punctuated::Punctuated;
use syn::{Item, ItemUse, Token, UseGlob, UseGroup, UseName, UsePath, UseRename, UseTree, parse_quote};

use super::Rewriter;
use super::paths::Destination;
use crate::instrument::leaves::{End, Leaf};
use crate::instrument::scope::{External, Meaning};
use crate::instrument::{emit, mirrors};

/// The result of rewriting one import.
enum Treatment {
    Keep,
    /// It is replaced by this one.
    Replace(Leaf),
    /// It is kept, and these are added, since an import of a name wins over a glob.
    Override(Vec<Leaf>),
}

impl Rewriter {
    /// Input: `use std::{collections::BTreeMap, thread};`. Output: `use std::{collections::BTreeMap};` and
    /// `use ::insyn::std::thread;`.
    pub(super) fn rewrite_use(&mut self, item: ItemUse) -> Vec<Item> {
        let mut item = item;
        let leaves = Leaf::all(&item.tree, item.leading_colon.is_some());
        if leaves.iter().any(|leaf| leaf.path.last().is_some_and(|last| last == "instrument")) {
            // The attributes that it was imported for have been removed.
            item.attrs.push(parse_quote!(#[allow(unused_imports)]));
        }
        let treatments: Vec<Treatment> = leaves.iter().map(|leaf| self.treatment(leaf)).collect();
        if treatments.iter().all(|treatment| matches!(treatment, Treatment::Keep)) {
            return vec![Item::Use(item)];
        }
        let mut items = Vec::new();
        let mut kept = treatments.iter().map(|treatment| !matches!(treatment, Treatment::Replace(_)));
        if let Some(tree) = prune(item.tree.clone(), &mut kept) {
            items.push(Item::Use(ItemUse { tree, ..item.clone() }));
        }
        for treatment in treatments {
            match treatment {
                Treatment::Keep => {}
                Treatment::Replace(leaf) => items.push(Item::Use(import(&item, leaf))),
                Treatment::Override(leaves) => items.extend(leaves.into_iter().map(|leaf| {
                    let mut item = import(&item, leaf);
                    item.attrs.push(parse_quote!(#[allow(unused_imports)]));
                    Item::Use(item)
                })),
            }
        }
        items
    }

    fn treatment(&mut self, leaf: &Leaf) -> Treatment {
        let Some(first) = leaf.path.first() else { return Treatment::Keep };
        let written = leaf.written();
        let meaning = self.scopes.meaning_of_import(&self.settings, &written, leaf.name().as_deref());
        if let (End::Glob(_), Meaning::External(external)) = (&leaf.end, &meaning) {
            let path = self.settings.known_as(&external.path);
            let overridden: &[&str] = match path.as_slice() {
                ["std"] => mirrors::controlled(&["std"]).unwrap_or_default(),
                ["core"] => &["sync", "time", "hint"],
                ["alloc"] => &["sync"],
                ["core", "sync"] => &["atomic"],
                ["alloc", "sync"] => &["Arc", "Weak"],
                ["crossbeam"] => &["channel", "select"],
                // Nothing but `Duration`, which is the real one anyway.
                ["core", "time"] => return Treatment::Keep,
                _ => &[],
            };
            if !overridden.is_empty() {
                let module: Vec<String> = path.into_iter().map(str::to_owned).collect();
                return Treatment::Override(self.overriding(
                    &mirrors::borrowed(&module),
                    overridden,
                    first.span(),
                ));
            }
        }
        let meaning = match meaning {
            Meaning::External(External { path, by_rewritten, .. }) => {
                // One import may lead through another, but a name of a crate that is also one of an import is
                // ambiguous to the compiler. So every import of a replacement names it directly.
                let kept = self.settings.keeps(&self.settings.known_as(&path));
                Meaning::External(External {
                    path,
                    names: written.names.len(),
                    by_rewritten: by_rewritten && kept,
                })
            }
            other => other,
        };
        let Destination::Moved(steps) = self.destination(&written, meaning, first.span()) else {
            return Treatment::Keep;
        };
        let path = steps.into_iter().map(|step| match step.from {
            Some(from) => Ident::new(&step.name, leaf.path[from].span()),
            // With the macro's edition: in the first one a path with `::` meant something else.
            None => Ident::new(&step.name, emit::site(first.span())),
        });
        let path: Vec<Ident> = path.collect();
        let end = match (&leaf.end, leaf.path.last()) {
            (End::Name, Some(name)) if path.last() != Some(name) => End::Rename(name.clone()),
            (end, _) => end.clone(),
        };
        Treatment::Replace(Leaf { absolute: true, path, end })
    }

    /// Imports of the replacements for items of a module with these names, except for names that the scope declares otherwise.
    fn overriding(&mut self, module: &[&str], names: &[&str], span: Span) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        for name in names {
            let path = [module, &[*name]].concat();
            let Some(mirror) = mirrors::mirror(&path) else { continue };
            if self.scopes.innermost().declares(name) || self.settings.keeps(&path) {
                continue;
            }
            let names: Vec<&str> = mirror.by.iter().chain(&path[mirror.replaced..]).copied().collect();
            let end = match names.last() == Some(name) {
                true => End::Name,
                false => End::Rename(Ident::new(name, span)),
            };
            let path = names.into_iter().map(|name| Ident::new(name, emit::site(span))).collect();
            leaves.push(Leaf { absolute: true, path, end });
        }
        leaves
    }
}

/// A `use` item like another, of one import.
fn import(like: &ItemUse, leaf: Leaf) -> ItemUse {
    let Leaf { mut path, end, .. } = leaf;
    let span = path[0].span();
    let mut tree = match end {
        End::Glob(star) => UseTree::Glob(UseGlob { star_token: Token![*](star) }),
        End::Name => UseTree::Name(UseName { ident: path.pop().expect("a path has names") }),
        End::Rename(rename) => {
            let ident = path.pop().expect("a path has names");
            UseTree::Rename(UseRename { ident, as_token: Token![as](rename.span()), rename })
        }
    };
    for ident in path.into_iter().rev() {
        let colon2_token = Token![::](ident.span());
        tree = UseTree::Path(UsePath { ident, colon2_token, tree: Box::new(tree) });
    }
    ItemUse { leading_colon: Some(Token![::](span)), tree, ..like.clone() }
}

/// The tree without the imports that are not kept; none if nothing is left.
fn prune(tree: UseTree, kept: &mut impl Iterator<Item = bool>) -> Option<UseTree> {
    match tree {
        UseTree::Path(path) => {
            let tree = prune(*path.tree.clone(), kept)?;
            Some(UseTree::Path(UsePath { tree: Box::new(tree), ..path }))
        }
        UseTree::Group(group) => {
            let mut left: Punctuated<UseTree, Token![,]> = Punctuated::new();
            for pair in group.items.into_pairs() {
                let (tree, comma) = pair.into_tuple();
                if let Some(tree) = prune(tree, kept) {
                    left.push_value(tree);
                    left.push_punct(comma.unwrap_or_default());
                }
            }
            left.pop_punct();
            (!left.is_empty()).then_some(UseTree::Group(UseGroup { items: left, ..group }))
        }
        leaf => kept.next().unwrap_or(true).then_some(leaf),
    }
}
