//! What attributes mean: annotated, left alone, or a test.

use syn::{Attribute, Item, Lit, Meta, Token, Type};

use crate::facts::Facts;

/// The arguments of `#[insyn::instrument(..)]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Annotation {
    /// `path = "server.rs"`: the file that the module is in.
    pub(crate) path: Option<String>,
}

/// The annotation of an item, if it has one: by its full path, or by its short name if that is imported.
pub(crate) fn annotation(attrs: &[Attribute], facts: &Facts) -> Option<Annotation> {
    attrs.iter().find_map(|attr| of_meta(&attr.meta, facts))
}

fn of_meta(meta: &Meta, facts: &Facts) -> Option<Annotation> {
    if let Meta::List(list) = meta
        && list.path.is_ident("cfg_attr")
    {
        let metas = list.parse_args_with(metas).ok()?;
        return metas.iter().skip(1).find_map(|meta| of_meta(meta, facts));
    }
    let names: Vec<String> = meta.path().segments.iter().map(|segment| segment.ident.to_string()).collect();
    let is_meant = match names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["insyn" | "insyn_macros", "instrument"] => true,
        ["instrument"] => facts.own_instrument,
        _ => false,
    };
    is_meant.then(|| Annotation { path: argument(meta, "path") })
}

fn metas(input: syn::parse::ParseStream<'_>) -> syn::Result<Vec<Meta>> {
    Ok(syn::punctuated::Punctuated::<Meta, Token![,]>::parse_terminated(input)?.into_iter().collect())
}

/// Input: `instrument(path = "server.rs")`. Output: `server.rs`.
fn argument(meta: &Meta, name: &str) -> Option<String> {
    let Meta::List(list) = meta else { return None };
    list.parse_args_with(metas).ok()?.into_iter().find_map(|meta| match meta {
        Meta::NameValue(meta) if meta.path.is_ident(name) => string(&meta.value),
        _ => None,
    })
}

/// `#[path = "server.rs"]`
pub(crate) fn path(attrs: &[Attribute]) -> Option<String> {
    attrs.iter().find_map(|attr| match &attr.meta {
        Meta::NameValue(meta) if meta.path.is_ident("path") => string(&meta.value),
        _ => None,
    })
}

fn string(value: &syn::Expr) -> Option<String> {
    match value {
        syn::Expr::Lit(syn::ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
        _ => None,
    }
}

/// `#[insyn::instrument(skip)]`, or code that is compiled only in tests.
pub(crate) fn is_left_alone(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| match &attr.meta {
        Meta::List(list) if list.path.is_ident("cfg") => is_for_tests(&list.tokens),
        Meta::List(list) => {
            let last = list.path.segments.last().is_some_and(|last| last.ident == "instrument");
            last && list.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("skip"))
        }
        _ => false,
    })
}

/// Input: the content of `cfg(..)`. Output: whether it requires `test`, and not `not(test)`.
fn is_for_tests(tokens: &proc_macro2::TokenStream) -> bool {
    let mut refused = false;
    tokens.clone().into_iter().any(|token| {
        let after_not = std::mem::take(&mut refused);
        match token {
            proc_macro2::TokenTree::Ident(word) => {
                refused = word == "not";
                word == "test"
            }
            proc_macro2::TokenTree::Group(group) => !after_not && is_for_tests(&group.stream()),
            _ => false,
        }
    })
}

/// `#[test]`, `#[insyn::test]` or any other test, or code that is compiled only in tests.
pub(crate) fn is_test(attrs: &[Attribute]) -> bool {
    is_left_alone(attrs)
        || attrs.iter().any(|attr| attr.path().segments.last().is_some_and(|last| last.ident == "test"))
}

/// `#[insyn::test]`
pub(crate) fn is_driver(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| {
        let names = &attr.path().segments;
        names.len() == 2 && names[0].ident == "insyn" && names[1].ident == "test"
    })
}

/// The name of a type, without its generic arguments.
pub(crate) fn type_name(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(ty) => ty.path.segments.last().map(|last| last.ident.to_string()),
        Type::Reference(ty) => type_name(&ty.elem),
        Type::Paren(ty) => type_name(&ty.elem),
        Type::Group(ty) => type_name(&ty.elem),
        _ => None,
    }
}

/// The attributes of an item; none if it can have none.
pub(crate) fn of(item: &Item) -> Option<&[Attribute]> {
    Some(match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => return None,
    })
}
