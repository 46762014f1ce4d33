//! The names of objects: those of the variables and fields that they are stored in.

use syn::ext::IdentExt;
use syn::{Block, Expr, ExprIf, Pat, Path, Stmt};

use super::Rewriter;
use crate::instrument::scope::Space;
use crate::instrument::{emit, mirrors};

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
    /// Gives these names to the object or the thread that an expression makes. If the expression is a switch between
    /// mutants and the original, each of them is named as if it were alone.
    ///
    /// Input: `spawn(f)`. Output: `named(naming(&["worker"]), spawn(f))`.
    pub(super) fn name(&self, names: &[String], expr: &mut Expr) {
        match expr {
            Expr::Paren(inner) if matches!(&*inner.expr, Expr::If(it) if is_switch(it)) => {
                self.name(names, &mut inner.expr);
            }
            Expr::If(switch) if is_switch(switch) => {
                self.name_result(names, &mut switch.then_branch);
                match switch.else_branch.as_mut().map(|(_, other)| &mut **other) {
                    Some(Expr::Block(original)) => self.name_result(names, &mut original.block),
                    Some(next) => self.name(names, next),
                    None => {}
                }
            }
            made if self.makes_object(made) => *made = emit::named(names, made),
            _ => {}
        }
    }

    fn name_result(&self, names: &[String], block: &mut Block) {
        if let [Stmt::Expr(result, None)] = &mut block.stmts[..] {
            self.name(names, result);
        }
    }

    /// Whether an expression creates an object or a thread and does nothing else, except to put it into a box or an option.
    pub(super) fn makes_object(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Call(call) => match &*call.func {
                Expr::Path(callee) if callee.qself.is_none() => {
                    let leads_to = self.leads_to(&callee.path, Space::Value);
                    leads_to.is_some_and(|path| mirrors::makes_object(&mirrors::borrowed(&path)))
                        || (wraps(&callee.path) && call.args.len() == 1 && self.makes_object(&call.args[0]))
                }
                _ => false,
            },
            // The type of the method is unknown: a scope, a builder, or one of the program, which most likely starts a
            // thread too. An object that gets its own name inside keeps it.
            Expr::MethodCall(call) => match (call.method.to_string().as_str(), call.args.len()) {
                ("spawn", 1) | ("spawn_scoped", 2) => true,
                ("unwrap", 0) | ("expect", 1) => self.makes_object(&call.receiver),
                _ => false,
            },
            Expr::Try(expr) => self.makes_object(&expr.expr),
            Expr::Paren(expr) => self.makes_object(&expr.expr),
            _ => false,
        }
    }
}

/// Whether this asks which mutant is on.
///
/// Input: `if ::insyn::mutation::is(3u32) { mutated } else { original }`.
fn is_switch(expr: &ExprIf) -> bool {
    let Expr::Call(call) = &*expr.cond else { return false };
    let Expr::Path(callee) = &*call.func else { return false };
    let segments = callee.path.segments.iter();
    callee.path.leading_colon.is_some() && segments.map(|it| &it.ident).eq(["insyn", "mutation", "is"])
}

/// Whether a function only wraps its argument: `Some`, `Box::new`.
fn wraps(path: &Path) -> bool {
    let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let names = mirrors::borrowed(&names);
    matches!(names[..], ["Some" | "Ok"] | [.., "Box" | "Rc" | "RefCell" | "Cell", "new"])
}
