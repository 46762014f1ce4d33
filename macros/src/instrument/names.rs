//! What the program calls its objects: the names of the variables and fields they are put into.

use syn::ext::IdentExt;
use syn::{Expr, Pat};

use super::mirrors;
use super::rewrite::Rewriter;
use super::scope::Space;

/// The names that a pattern gives to the parts of a value: one, or those of a tuple. None for any other pattern.
///
/// Input: `(deposit, withdraw)`. Output: `["deposit", "withdraw"]`.
pub(super) fn of_pattern(pat: &Pat) -> Option<Vec<String>> {
    fn name(pat: &Pat) -> Option<String> {
        match pat {
            Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => {
                Some(pat.ident.unraw().to_string())
            }
            Pat::Wild(_) => Some("_".to_owned()),
            Pat::Paren(pat) => name(&pat.pat),
            _ => None,
        }
    }
    match pat {
        Pat::Type(pat) => of_pattern(&pat.pat),
        Pat::Tuple(pat) => pat.elems.iter().map(name).collect(),
        Pat::Wild(_) => None,
        pat => name(pat).map(|name| vec![name]),
    }
}

impl Rewriter {
    /// Whether an expression is a call that makes an object, or a thread, and returns nothing else.
    pub(super) fn makes_object(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Call(call) => {
                let callee = match &*call.func {
                    Expr::Path(callee) if callee.qself.is_none() => self.leads_to(&callee.path, Space::Value),
                    _ => None,
                };
                callee.is_some_and(|path| mirrors::makes_object(&borrowed(&path)))
            }
            Expr::Paren(expr) => self.makes_object(&expr.expr),
            _ => false,
        }
    }
}

/// The names as slices.
pub(super) fn borrowed(path: &[String]) -> Vec<&str> {
    path.iter().map(String::as_str).collect()
}
