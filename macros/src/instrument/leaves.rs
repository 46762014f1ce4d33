//! A `use` tree taken apart into single imports.

use proc_macro2::{Ident, Span};
use syn::UseTree;
use syn::ext::IdentExt;

use super::scope::Written;

/// One import of a `use` tree.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub(super) absolute: bool,
    /// The whole path, from the root of the tree; without the `self` that may end it.
    pub(super) path: Vec<Ident>,
    pub(super) end: End,
}

/// How an import ends.
#[derive(Clone, Debug)]
pub(super) enum End {
    /// `path`
    Name,
    /// `path as name`
    Rename(Ident),
    /// `path::*`
    Glob(Span),
}

impl Leaf {
    /// The imports of a tree, in order.
    pub(super) fn all(tree: &UseTree, absolute: bool) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        gather(tree, absolute, &mut Vec::new(), &mut leaves);
        leaves
    }

    /// The name that it declares; none for a glob and for `as _`.
    pub(super) fn name(&self) -> Option<String> {
        let ident = match &self.end {
            End::Name => self.path.last()?,
            End::Rename(name) => name,
            End::Glob(_) => return None,
        };
        Some(ident.unraw().to_string()).filter(|name| name != "_")
    }

    pub(super) fn written(&self) -> Written {
        let names = self.path.iter().map(|ident| ident.unraw().to_string()).collect();
        Written { absolute: self.absolute, names }
    }
}

fn gather(tree: &UseTree, absolute: bool, before: &mut Vec<Ident>, leaves: &mut Vec<Leaf>) {
    let leaf = |last: Option<&Ident>, end| {
        let last = last.filter(|last| *last != "self" || before.is_empty());
        Leaf { absolute, path: before.iter().chain(last).cloned().collect(), end }
    };
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.clone());
            gather(&path.tree, absolute, before, leaves);
            before.pop();
        }
        UseTree::Name(name) => leaves.push(leaf(Some(&name.ident), End::Name)),
        UseTree::Rename(rename) => leaves.push(leaf(Some(&rename.ident), End::Rename(rename.rename.clone()))),
        UseTree::Glob(glob) => leaves.push(leaf(None, End::Glob(glob.star_token.span))),
        UseTree::Group(group) => {
            for tree in &group.items {
                gather(tree, absolute, before, leaves);
            }
        }
    }
}
