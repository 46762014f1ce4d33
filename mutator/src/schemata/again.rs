//! A lock that is dropped and taken again in the middle of its section.
//!
//! `drop(guard); let guard = m.lock().unwrap();` declares a variable, so all that follows would have to be copied; and
//! with a mutant after each statement of a section, copies would grow with the square of its length. Where the old variable
//! does as well, the mutant gives it the new guard instead, and nothing has to be copied: `drop(guard); guard = …;`.
//!
//! The old variable is dropped later than the new one would be: after what is declared between the two. So nothing may be
//! declared there, unless dropping it does nothing that a program could see.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{BinOp, Expr, Lit, Local, Pat, Stmt, Type, UnOp};

use crate::shapes;

/// A variable that can be given a new value.
pub(super) struct Again {
    /// The statement that declares it.
    pub(super) declaration: usize,
    /// What the mutant does.
    pub(super) replacement: String,
}

/// What can be done instead of inserting statements at a place in a block.
pub(super) fn again(stmts: &[Stmt], at: usize, inserted: &[Stmt]) -> Option<Again> {
    let [dropping, taking] = inserted else { return None };
    let (name, value) = shapes::binding(taking)?;
    let call = shapes::call(shapes::deed(dropping)?, &["drop"], 1)?;
    if shapes::variable(&call.args[0])? != name || !matches!(value, Expr::MethodCall(_) | Expr::Try(_)) {
        return None;
    }
    let taking = tokens(taking);
    let declaration = stmts[..at].iter().rposition(|stmt| tokens(stmt) == taking)?;
    let is_other = |stmt: &Stmt| shapes::binding(stmt).is_none_or(|(other, _)| other != name);
    if !stmts[declaration + 1..at].iter().all(|stmt| is_quiet(stmt) && is_other(stmt)) {
        return None;
    }
    let variable = &call.args[0];
    Some(Again { declaration, replacement: quote!(#dropping #variable = #value;).to_string() })
}

/// Lets a variable be given another value.
pub(super) fn make_mutable(stmt: &mut Stmt) {
    let Stmt::Local(Local { pat, .. }) = stmt else { return };
    let pat = match pat {
        Pat::Type(typed) => &mut *typed.pat,
        other => other,
    };
    if let Pat::Ident(name) = pat {
        name.mutability.get_or_insert_default();
    }
}

fn tokens(stmt: &Stmt) -> String {
    let tokens: TokenStream = stmt.to_token_stream();
    tokens.to_string()
}

/// Whether a statement declares nothing, or only variables that nobody sees dropped.
fn is_quiet(stmt: &Stmt) -> bool {
    let Stmt::Local(local) = stmt else { return true };
    let typed = |pat: &Pat| matches!(pat, Pat::Type(typed) if is_quiet_type(&typed.ty));
    match &local.pat {
        Pat::Wild(_) => true,
        pat if typed(pat) => true,
        Pat::Ident(_) => local.init.as_ref().is_some_and(|init| is_quiet_value(&init.expr)),
        _ => false,
    }
}

/// Whether a type is a primitive one.
fn is_quiet_type(ty: &Type) -> bool {
    const PRIMITIVE: [&str; 16] = [
        "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64",
        "u128", "usize",
    ];
    match ty {
        Type::Path(path) => path.path.get_ident().is_some_and(|name| PRIMITIVE.iter().any(|it| name == it)),
        _ => false,
    }
}

/// Whether an expression shows that its value is a number, a truth value or a reference to something that is there anyway.
fn is_quiet_value(expr: &Expr) -> bool {
    /// Methods that count or ask.
    const ASKING: [&str; 7] = ["len", "is_empty", "is_some", "is_none", "is_ok", "is_err", "count"];
    match expr {
        Expr::Lit(lit) => !matches!(lit.lit, Lit::Verbatim(_)),
        Expr::Cast(_) => true,
        Expr::Paren(inner) => is_quiet_value(&inner.expr),
        Expr::Reference(reference) => shapes::is_simple(&reference.expr),
        Expr::Unary(unary) => !matches!(unary.op, UnOp::Deref(_)) && is_quiet_value(&unary.expr),
        Expr::Binary(binary) => {
            let compares = matches!(
                binary.op,
                BinOp::And(_)
                    | BinOp::Or(_)
                    | BinOp::Eq(_)
                    | BinOp::Ne(_)
                    | BinOp::Lt(_)
                    | BinOp::Le(_)
                    | BinOp::Gt(_)
                    | BinOp::Ge(_)
            );
            compares || is_quiet_value(&binary.left) || is_quiet_value(&binary.right)
        }
        Expr::MethodCall(call) => call.args.is_empty() && ASKING.iter().any(|name| call.method == name),
        _ => false,
    }
}
