//! The shapes of calls and statements. Types are not known, so their shape is all there is to go by.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, ExprCall, ExprMethodCall, Lit, Local, Pat, Stmt, UnOp};

/// A call of a method by name, with this number of arguments.
pub(crate) fn method<'a>(expr: &'a Expr, names: &[&str], args: usize) -> Option<&'a ExprMethodCall> {
    match expr {
        Expr::MethodCall(call) if call.args.len() == args && names.iter().any(|name| call.method == name) => {
            Some(call)
        }
        _ => None,
    }
}

/// A call of a function by the last part of its path, with this number of arguments.
pub(crate) fn call<'a>(expr: &'a Expr, names: &[&str], args: usize) -> Option<&'a ExprCall> {
    match expr {
        Expr::Call(call) if call.args.len() == args => {
            let path = path(&call.func)?;
            let last = path.segments.last()?;
            names.iter().any(|name| last.ident == name).then_some(call)
        }
        _ => None,
    }
}

/// A call of an associated function, such as `Semaphore::new(..)`.
pub(crate) fn associated<'a>(expr: &'a Expr, owner: &str, names: &[&str]) -> Option<&'a ExprCall> {
    let found = call(expr, names, 1)?;
    let segments = &path(&found.func)?.segments;
    let before = segments.len().checked_sub(2).map(|at| &segments[at]);
    before.is_some_and(|before| before.ident == owner).then_some(found)
}

pub(crate) fn path(expr: &Expr) -> Option<&syn::Path> {
    match expr {
        Expr::Path(path) if path.qself.is_none() => Some(&path.path),
        _ => None,
    }
}

/// A variable by itself.
pub(crate) fn variable(expr: &Expr) -> Option<String> {
    path(expr)?.get_ident().map(ToString::to_string)
}

/// A place expression: a variable, a field, an element, or a dereference. Naming it does not move it.
pub(crate) fn is_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => true,
        Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)),
        Expr::Paren(inner) => is_place(&inner.expr),
        Expr::Group(inner) => is_place(&inner.expr),
        _ => false,
    }
}

/// A place that can be named twice: variables, fields and references to them, without calls.
pub(crate) fn is_simple(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) => true,
        Expr::Field(field) => is_simple(&field.base),
        Expr::Index(index) => is_simple(&index.expr) && (is_simple(&index.index) || is_literal(&index.index)),
        Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)) && is_simple(&unary.expr),
        Expr::Reference(reference) => is_simple(&reference.expr),
        Expr::Paren(inner) => is_simple(&inner.expr),
        _ => false,
    }
}

pub(crate) fn is_literal(expr: &Expr) -> bool {
    matches!(expr, Expr::Lit(_))
}

pub(crate) fn is_integer(expr: &Expr) -> bool {
    matches!(expr, Expr::Lit(lit) if matches!(lit.lit, Lit::Int(_)))
}

/// Methods that unwrap a result or an option, or replace it by a default.
const UNWRAPPING: [&str; 5] = ["unwrap", "expect", "ok", "unwrap_or_default", "unwrap_or_else"];

/// The expression that is unwrapped, if any; else the expression itself.
///
/// Input: `tx.send(v).unwrap()`, `tx.send(v)?`. Output: `tx.send(v)`.
pub(crate) fn wrapped(expr: &Expr) -> &Expr {
    match expr {
        Expr::MethodCall(call) if UNWRAPPING.iter().any(|name| call.method == name) => {
            wrapped(&call.receiver)
        }
        Expr::Try(inner) => wrapped(&inner.expr),
        Expr::Paren(inner) => wrapped(&inner.expr),
        _ => expr,
    }
}

/// The lock or wait that is unwrapped at once; none if it is not.
///
/// Input: `m.lock().unwrap()`. Output: `m.lock()`.
pub(crate) fn unwrapped(expr: &Expr) -> Option<&Expr> {
    method(expr, &["unwrap"], 0).or_else(|| method(expr, &["expect"], 1)).map(|call| &*call.receiver)
}

/// The expression of a statement that discards its value.
///
/// Input: `tx.send(v).unwrap();`, `let _ = tx.send(v);`. Output: `tx.send(v)`.
pub(crate) fn deed(stmt: &Stmt) -> Option<&Expr> {
    match stmt {
        Stmt::Expr(expr, Some(_)) => Some(wrapped(expr)),
        Stmt::Local(Local { pat: Pat::Wild(_), init: Some(init), .. }) if init.diverge.is_none() => {
            Some(wrapped(&init.expr))
        }
        _ => None,
    }
}

/// A statement that assigns a value to one variable: the variable and the value.
pub(crate) fn binding(stmt: &Stmt) -> Option<(String, &Expr)> {
    let Stmt::Local(Local { pat, init: Some(init), .. }) = stmt else { return None };
    let pat = match pat {
        Pat::Type(typed) => &*typed.pat,
        other => other,
    };
    match pat {
        Pat::Ident(name) if name.subpat.is_none() && init.diverge.is_none() => {
            Some((name.ident.to_string(), &init.expr))
        }
        _ => None,
    }
}

/// Whether a piece of syntax mentions a variable, in a macro or a format string too.
pub(crate) fn mentions(syntax: &impl ToTokens, name: &str) -> bool {
    fn within(tokens: TokenStream, name: &str) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(word) => word == name,
            TokenTree::Group(group) => within(group.stream(), name),
            TokenTree::Literal(text) => text.to_string().contains(&format!("{{{name}")),
            TokenTree::Punct(_) => false,
        })
    }
    within(syntax.to_token_stream(), name)
}
