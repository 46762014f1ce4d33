//! Which statics are initialized again in each execution.
//!
//! A static of plain data is the same for all executions and stays. Any other may hold something under control, or be
//! changed, and becomes a `::insyn::statics::Static`, which creates its value on first use in an execution.

use syn::{Attribute, Expr, ItemStatic, StaticMutability, Type};

use super::attributes;

/// What is done with a static.
pub(super) enum Treatment {
    /// It is plain data, or to be skipped.
    Keep,
    /// Each execution has its own.
    Renew,
    /// It can be neither kept nor initialized again; the text says why, and what to do.
    Refuse(String),
}

/// Whether each execution has a static of its own.
pub(super) fn is_renewed(item: &ItemStatic) -> bool {
    matches!(treatment(item), Treatment::Renew)
}

pub(super) fn treatment(item: &ItemStatic) -> Treatment {
    let skipped =
        |attr: &Attribute| attr.path().segments.last().is_some_and(|last| last.ident == "instrument");
    if item.attrs.iter().any(skipped) {
        return Treatment::Keep;
    }
    if let StaticMutability::Mut(_) = item.mutability {
        let name = &item.ident;
        return Treatment::Refuse(format!(
            "`static mut` cannot start anew in each execution, so one execution would see what another left in it: make \
             `{name}` an atomic or a `Mutex`, or leave it out with `#[insyn::instrument(skip)]`"
        ));
    }
    if is_plain_type(&item.ty) || is_plain(&item.expr) || is_reference(&item.expr) {
        return Treatment::Keep;
    }
    let fixed = ["no_mangle", "export_name", "link_section", "used", "thread_local"];
    if fixed.into_iter().any(|name| attributes::has(&item.attrs, name) || is_unsafe_attribute(item, name)) {
        return Treatment::Refuse(
            "a static that the linker knows cannot start anew in each execution: leave it out with \
             `#[insyn::instrument(skip)]`"
                .to_owned(),
        );
    }
    Treatment::Renew
}

/// `#[unsafe(no_mangle)]`
fn is_unsafe_attribute(item: &ItemStatic, name: &str) -> bool {
    item.attrs.iter().any(|attr| {
        attr.path().is_ident("unsafe")
            && attr.meta.require_list().is_ok_and(|list| list.tokens.to_string().starts_with(name))
    })
}

/// Whether a type holds nothing but data that cannot be changed through a shared reference.
fn is_plain_type(ty: &Type) -> bool {
    const PLAIN: [&str; 17] = [
        "bool", "char", "str", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
        "isize", "f32", "f64",
    ];
    match ty {
        Type::Array(ty) => is_plain_type(&ty.elem),
        Type::Slice(ty) => is_plain_type(&ty.elem),
        Type::Reference(ty) => ty.mutability.is_none() && is_plain_type(&ty.elem),
        Type::Tuple(ty) => ty.elems.iter().all(is_plain_type),
        Type::Paren(ty) => is_plain_type(&ty.elem),
        Type::Group(ty) => is_plain_type(&ty.elem),
        Type::BareFn(_) => true,
        Type::Path(ty) => ty.qself.is_none() && PLAIN.iter().any(|name| ty.path.is_ident(name)),
        _ => false,
    }
}

/// Whether an expression is a reference to a temporary value: the compiler allows that in a static only if the value
/// cannot be changed.
fn is_reference(expr: &Expr) -> bool {
    matches!(expr, Expr::Reference(expr) if !matches!(*expr.expr, Expr::Path(_)))
}

/// Whether an expression consists of literals alone, so that it contains nothing that a call created.
fn is_plain(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) => true,
        Expr::Array(expr) => expr.elems.iter().all(is_plain),
        Expr::Binary(expr) => is_plain(&expr.left) && is_plain(&expr.right),
        Expr::Cast(expr) => is_plain(&expr.expr),
        Expr::Group(expr) => is_plain(&expr.expr),
        Expr::Paren(expr) => is_plain(&expr.expr),
        Expr::Reference(expr) => expr.mutability.is_none() && is_plain(&expr.expr),
        Expr::Repeat(expr) => is_plain(&expr.expr),
        Expr::Struct(expr) => expr.rest.is_none() && expr.fields.iter().all(|field| is_plain(&field.expr)),
        Expr::Tuple(expr) => expr.elems.iter().all(is_plain),
        Expr::Unary(expr) => is_plain(&expr.expr),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_data_stays() {
        for (item, fresh) in [
            ("static N: usize = 3;", false),
            ("static N: usize = size();", false),
            ("static NAMES: [&str; 2] = [\"a\", \"b\"];", false),
            ("static F: fn(u32) -> u32 = double;", false),
            ("static P: Point = Point { x: -1, y: 2 * 3 };", false),
            ("static P: &[Point] = &[Point { x: 1, y: 2 }];", false),
            ("static LOCK: Mutex<u32> = Mutex::new(0);", true),
            ("static POOL: Pool = Pool::EMPTY;", true),
            ("static POOL: Pool = Pool { free: Mutex::new(0) };", true),
            ("static POOLS: [Pool; 2] = [const { Pool::new() }; 2];", true),
            ("static ALIAS: &Pool = &POOL;", true),
            ("static SIZES: &Sizes = &Sizes::new();", false),
            ("static mut COUNT: Pool = Pool::new();", false),
            ("#[insyn::instrument(skip)] static POOL: Pool = Pool::new();", false),
        ] {
            assert_eq!(is_renewed(&syn::parse_str(item).expect(item)), fresh, "{item}");
        }
    }
}
