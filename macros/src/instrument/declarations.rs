//! Collect phase: the names that a scope declares.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::{
    Fields, ForeignItem, GenericParam, Generics, Item, ItemImpl, Macro, Pat, PatIdent, Stmt, Type, TypePath,
    UseTree,
};

use super::attributes;
use super::leaves::{End, Leaf};
use super::scope::{Binding, Frame, Import, Kind, Space, Written};
use super::statics;

/// The world outside the annotated code, as far as the arguments describe it.
pub(super) fn outside(imports: &[UseTree]) -> Frame {
    let mut frame = Frame::new(Kind::Outside);
    arguments(&mut frame, imports);
    frame
}

/// Declares what the arguments say about the world outside.
pub(super) fn arguments(frame: &mut Frame, imports: &[UseTree]) {
    for tree in imports {
        import(frame, tree, false, false);
    }
}

/// The scope of a list of items.
pub(super) fn of_items(kind: Kind, items: &[Item]) -> Frame {
    let mut frame = Frame::new(kind);
    for item in items {
        declare(&mut frame, item);
    }
    items.iter().for_each(|item| implemented(&mut frame, item));
    frame
}

/// The scope of a block: its items are declared everywhere in it. Its variables are not: they come one by one.
pub(super) fn of_block(stmts: &[Stmt]) -> Frame {
    let mut frame = Frame::new(Kind::Block);
    for stmt in stmts {
        match stmt {
            Stmt::Item(item) => declare(&mut frame, item),
            Stmt::Macro(stmt) => given(&mut frame, &stmt.mac),
            _ => {}
        }
    }
    for stmt in stmts {
        if let Stmt::Item(item) = stmt {
            implemented(&mut frame, item);
        }
    }
    frame
}

/// Declares the parameters of generics.
pub(super) fn generics(frame: &mut Frame, generics: &Generics) {
    for parameter in &generics.params {
        match parameter {
            GenericParam::Type(parameter) => frame.own(Space::Type, parameter.ident.unraw()),
            GenericParam::Const(parameter) => frame.own(Space::Value, parameter.ident.unraw()),
            GenericParam::Lifetime(_) => {}
        }
    }
}

/// Declares the variables of a pattern.
pub(super) fn pattern(frame: &mut Frame, pat: &Pat) {
    struct Variables<'a>(&'a mut Frame);
    impl<'ast> Visit<'ast> for Variables<'_> {
        fn visit_pat_ident(&mut self, pat: &'ast PatIdent) {
            self.0.own(Space::Value, pat.ident.unraw());
            visit::visit_pat_ident(self, pat);
        }
    }
    Variables(frame).visit_pat(pat);
}

fn declare(frame: &mut Frame, item: &Item) {
    match item {
        Item::Const(item) => frame.own(Space::Value, item.ident.unraw()),
        Item::Enum(item) => frame.own(Space::Type, item.ident.unraw()),
        Item::ExternCrate(item) => {
            let krate = item.ident.unraw().to_string();
            if attributes::has(&item.attrs, "macro_use") {
                frame.import_macros(krate.clone());
            }
            let name = item.rename.as_ref().map_or(krate.clone(), |(_, name)| name.unraw().to_string());
            let binding = match krate.as_str() {
                "self" => Binding::Own,
                // Not rewritten itself; the paths that use the crate are.
                _ => Binding::Import(Import {
                    path: Written { absolute: true, names: vec![krate] },
                    in_sight: false,
                }),
            };
            frame.declare(Space::Type, name, binding);
        }
        Item::Fn(item) => frame.own(Space::Value, item.sig.ident.unraw()),
        Item::ForeignMod(item) => {
            for item in &item.items {
                match item {
                    ForeignItem::Fn(item) => frame.own(Space::Value, item.sig.ident.unraw()),
                    ForeignItem::Static(item) => frame.own(Space::Value, item.ident.unraw()),
                    ForeignItem::Type(item) => frame.own(Space::Type, item.ident.unraw()),
                    _ => {}
                }
            }
        }
        Item::Macro(item) => match &item.ident {
            Some(name) => frame.own(Space::Macro, name.unraw()),
            None => given(frame, &item.mac),
        },
        Item::Mod(item) => frame.own(Space::Type, item.ident.unraw()),
        Item::Static(item) => {
            let binding = if statics::is_renewed(item) { Binding::Static } else { Binding::Own };
            frame.declare(Space::Value, item.ident.unraw().to_string(), binding);
        }
        Item::Struct(item) => {
            frame.own(Space::Type, item.ident.unraw());
            if !matches!(item.fields, Fields::Named(_)) {
                frame.own(Space::Value, item.ident.unraw());
            }
        }
        Item::Trait(item) => frame.own(Space::Type, item.ident.unraw()),
        Item::TraitAlias(item) => frame.own(Space::Type, item.ident.unraw()),
        Item::Type(item) => frame.own(Space::Type, item.ident.unraw()),
        Item::Union(item) => frame.own(Space::Type, item.ident.unraw()),
        Item::Use(item) => import(frame, &item.tree, item.leading_colon.is_some(), true),
        _ => {}
    }
}

/// Only the program's own types have impls without a trait.
fn implemented(frame: &mut Frame, item: &Item) {
    if let Item::Impl(ItemImpl { trait_: None, self_ty, .. }) = item
        && let Type::Path(TypePath { qself: None, path }) = &**self_ty
        && path.leading_colon.is_none()
        && let (1, Some(name)) = (path.segments.len(), path.segments.first())
    {
        frame.own_type(name.ident.unraw());
    }
}

/// Records the names that a macro seems to declare, by its tokens.
fn given(frame: &mut Frame, mac: &Macro) {
    fn note(frame: &mut Frame, tokens: TokenStream, mut importing: bool) {
        let mut declaring = false;
        for token in tokens {
            let before = declaring;
            declaring = false;
            match token {
                TokenTree::Group(group) => note(frame, group.stream(), importing),
                TokenTree::Ident(word) if word == "use" => importing = true,
                TokenTree::Ident(word) if is_declaring(&word) => declaring = true,
                TokenTree::Ident(name) if before || importing => frame.record_given(name.unraw().to_string()),
                TokenTree::Punct(punct) if punct.as_char() == ';' => importing = false,
                _ => {}
            }
        }
    }
    note(frame, mac.tokens.clone(), false);
}

fn import(frame: &mut Frame, tree: &UseTree, absolute: bool, in_sight: bool) {
    for leaf in Leaf::all(tree, absolute) {
        let import = Import { path: leaf.written(), in_sight };
        match (&leaf.end, leaf.name()) {
            (End::Glob(_), _) => frame.import_all(import),
            (_, Some(name)) => frame.import(&name, &import),
            _ => {}
        }
    }
}

/// Words after which a new name comes.
pub(super) fn is_declaring(word: &Ident) -> bool {
    ["const", "enum", "fn", "macro", "mod", "static", "struct", "trait", "type", "union"]
        .iter()
        .any(|other| word == other)
}
