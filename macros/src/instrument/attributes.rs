//! The attributes of items, as far as they are the compiler's own.

use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Item, Lit, LitStr, Meta, Token};

/// The attributes of an item; none if it can have none.
pub(super) fn of_item(item: &mut Item) -> Option<&mut Vec<Attribute>> {
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

/// Whether one of the attributes is the compiler's own by this name.
pub(super) fn has(attrs: &[Attribute], name: &str) -> bool {
    attrs.iter().any(|attr| attr.path().is_ident(name))
}

/// Removes `#[path = ".."]`. Output: the path.
pub(super) fn take_path(attrs: &mut Vec<Attribute>) -> Option<LitStr> {
    let at = attrs.iter().position(|attr| attr.path().is_ident("path"))?;
    let Meta::NameValue(meta) = &attrs[at].meta else { return None };
    let Expr::Lit(ExprLit { lit: Lit::Str(path), .. }) = &meta.value else { return None };
    let path = path.clone();
    attrs.remove(at);
    Some(path)
}

/// Whether an attribute may expand to `#[path = ".."]`, as in `#[cfg_attr(unix, path = "unix.rs")]`.
pub(super) fn sets_path(meta: &Meta) -> bool {
    match meta {
        Meta::NameValue(meta) => meta.path.is_ident("path"),
        Meta::List(list) if list.path.is_ident("cfg_attr") => {
            let parts = Punctuated::<Meta, Token![,]>::parse_terminated;
            list.parse_args_with(parts).is_ok_and(|parts| parts.iter().skip(1).any(sets_path))
        }
        _ => false,
    }
}
