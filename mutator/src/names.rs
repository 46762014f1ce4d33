//! The variables that are in scope at a place, and the channels and locks that a function uses.

use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprMethodCall, Pat, Stmt};

use crate::shapes;
use crate::text::Text;

/// What a variable holds, as far as the statement that made it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    /// The guard of a lock.
    Guard,
    /// A permit of a semaphore.
    Permit,
    /// Anything.
    Something,
}

/// The variables of one scope so far, and what is known of later ones.
#[derive(Clone, Debug, Default)]
struct Scope {
    names: Vec<String>,
    held: Vec<(String, Holds)>,
}

/// The names at a place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    scopes: Vec<Scope>,
    /// The senders and locks that the function uses, as they are written there.
    senders: Vec<(String, String)>,
    locks: Vec<(String, String)>,
    /// The reader-writer locks that the function uses.
    shared_locks: Vec<(String, String)>,
}

impl Names {
    pub(crate) fn enter(&mut self) {
        self.scopes.push(Scope::default());
    }

    pub(crate) fn leave(&mut self) {
        self.scopes.pop();
    }

    pub(crate) fn declare_name(&mut self, name: &str) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.push(name.to_owned());
        }
    }

    /// Declares all variables of a pattern.
    pub(crate) fn declare(&mut self, pat: &Pat) {
        struct Variables<'a>(&'a mut Names);
        impl<'ast> Visit<'ast> for Variables<'_> {
            fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
                self.0.declare_name(&pat.ident.to_string());
                visit::visit_pat_ident(self, pat);
            }
        }
        Variables(self).visit_pat(pat);
    }

    /// Records what the variables of a block hold.
    pub(crate) fn block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            let Some((name, value)) = shapes::binding(stmt) else { continue };
            let value = shapes::wrapped(value);
            let holds = if is_lock(value).is_some() {
                Holds::Guard
            } else if shapes::method(value, &["acquire", "try_acquire"], 0).is_some() {
                Holds::Permit
            } else {
                continue;
            };
            if let Some(scope) = self.scopes.last_mut() {
                scope.held.push((name, holds));
            }
        }
    }

    /// What a variable holds.
    pub(crate) fn holds(&self, name: &str) -> Holds {
        let mut held = self.scopes.iter().rev().flat_map(|scope| &scope.held);
        held.find(|(other, _)| other == name).map_or(Holds::Something, |(_, holds)| *holds)
    }

    /// Whether a variable, or the label of a block, is in scope.
    pub(crate) fn knows(&self, name: &str) -> bool {
        self.scopes.iter().flat_map(|scope| &scope.names).any(|other| other == name)
    }

    /// Collects the senders and locks that a function uses.
    pub(crate) fn collect(&mut self, text: &Text<'_>, block: &Block) {
        struct Uses<'a>(&'a mut Names, &'a Text<'a>);
        impl<'ast> Visit<'ast> for Uses<'_> {
            fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
                visit::visit_expr_method_call(self, call);
                let list = match (call.method.to_string().as_str(), call.args.len()) {
                    ("send", 1) => &mut self.0.senders,
                    ("lock", 0) => &mut self.0.locks,
                    ("read" | "write", 0) => &mut self.0.shared_locks,
                    _ => return,
                };
                let receiver = (root(&call.receiver), self.1.of(&call.receiver).to_owned());
                if let (Some(root), text) = receiver
                    && !list.iter().any(|(_, other)| *other == text)
                {
                    list.push((root, text));
                }
            }
        }
        Uses(self, text).visit_block(block);
    }

    /// The other senders of the function that are in scope here.
    pub(crate) fn other_senders(&self, than: &str) -> Vec<String> {
        self.others(&self.senders, than)
    }

    /// The other locks of the function that are in scope here, taken by `lock()` or by `read()` and `write()`.
    pub(crate) fn other_locks(&self, than: &str, method: &str) -> Vec<String> {
        let locks = if method == "lock" { &self.locks } else { &self.shared_locks };
        self.others(locks, than)
    }

    fn others(&self, list: &[(String, String)], than: &str) -> Vec<String> {
        let others = list.iter().filter(|(root, text)| text != than && self.knows(root));
        others.map(|(_, text)| text.clone()).collect()
    }
}

/// The variable that a simple place begins with.
fn root(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Path(_) => shapes::variable(expr),
        Expr::Field(field) => root(&field.base),
        Expr::Index(index) if shapes::is_literal(&index.index) => root(&index.expr),
        _ => None,
    }
}

/// A call that takes a lock: `lock()`, `read()`, `write()`, or entering a monitor.
pub(crate) fn is_lock(expr: &Expr) -> Option<&ExprMethodCall> {
    shapes::method(expr, &["lock", "read", "write", "enter"], 0)
}

/// The guard that a statement takes: its variable, and the call that locks.
pub(crate) fn guard(stmt: &Stmt) -> Option<(String, &ExprMethodCall)> {
    let (name, value) = shapes::binding(stmt)?;
    // The result of a lock may be used without being unwrapped.
    is_lock(shapes::wrapped(value)).map(|lock| (name, lock))
}
