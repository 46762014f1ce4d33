//! Whether an expression leaves something behind that lives as long as the statement around it.
//!
//! `queue.lock().unwrap().pop()` holds the lock until the statement is over. In a branch of an `if` it would hold it
//! until the branch is over. So an expression of that kind is switched where both come to the same, and not before.

use syn::{Block, Expr, Stmt, UnOp};

use crate::shapes;

/// Methods that take what they are called on with them, so that nothing of it stays behind.
const TAKING: [&str; 34] = [
    "and_then",
    "chain",
    "cloned",
    "collect",
    "copied",
    "count",
    "enumerate",
    "err",
    "expect",
    "filter",
    "fold",
    "into_inner",
    "into_iter",
    "join",
    "map",
    "map_err",
    "max",
    "min",
    "ok",
    "ok_or",
    "or_else",
    "pow",
    "product",
    "rev",
    "saturating_sub",
    "skip",
    "sum",
    "take_while",
    "unwrap",
    "unwrap_err",
    "unwrap_or",
    "unwrap_or_default",
    "unwrap_or_else",
    "zip",
];

/// Macros whose value is all that they leave.
const CLEAN: [&str; 6] = ["format", "matches", "panic", "unreachable", "vec", "todo"];

/// Whether an expression may leave a temporary value behind.
pub(super) fn lasting(expr: &Expr) -> bool {
    match expr {
        Expr::MethodCall(call) => {
            let takes = TAKING.iter().any(|name| call.method == name);
            !takes && is_made(&call.receiver) || lasting(&call.receiver) || call.args.iter().any(lasting)
        }
        Expr::Reference(reference) => is_made(&reference.expr) || lasting(&reference.expr),
        Expr::Field(field) => is_made(&field.base) || lasting(&field.base),
        Expr::Index(index) => is_made(&index.expr) || lasting(&index.expr) || lasting(&index.index),
        Expr::Unary(unary) => {
            matches!(unary.op, UnOp::Deref(_)) && is_made(&unary.expr) || lasting(&unary.expr)
        }
        Expr::Array(array) => array.elems.iter().any(lasting),
        Expr::Assign(assign) => lasting(&assign.left) || lasting(&assign.right),
        Expr::Binary(binary) => lasting(&binary.left) || lasting(&binary.right),
        Expr::Break(jump) => jump.expr.as_deref().is_some_and(lasting),
        Expr::Call(call) => lasting(&call.func) || call.args.iter().any(lasting),
        Expr::Cast(cast) => lasting(&cast.expr),
        Expr::Group(inner) => lasting(&inner.expr),
        Expr::Let(let_) => is_made(&let_.expr),
        Expr::If(if_) => lasting(&if_.cond),
        Expr::Match(match_) => lasting(&match_.expr),
        Expr::ForLoop(for_loop) => lasting(&for_loop.expr),
        Expr::Paren(inner) => lasting(&inner.expr),
        Expr::Range(range) => range.start.iter().chain(&range.end).any(|bound| lasting(bound)),
        Expr::Repeat(repeat) => lasting(&repeat.expr),
        Expr::Return(jump) => jump.expr.as_deref().is_some_and(lasting),
        Expr::Struct(literal) => literal.fields.iter().any(|field| lasting(&field.expr)),
        Expr::Try(inner) => lasting(&inner.expr),
        Expr::Tuple(tuple) => tuple.elems.iter().any(lasting),
        Expr::Macro(mac) => {
            let last = mac.mac.path.segments.last();
            !last.is_some_and(|last| CLEAN.iter().any(|name| last.ident == name))
        }
        // Before the edition of 2024. Since, it leaves nothing behind.
        Expr::Block(block) => is_left_by(&block.block),
        Expr::Unsafe(block) => is_left_by(&block.block),
        // What is inside has statements of its own, or is not run here, or is nothing.
        Expr::Closure(_)
        | Expr::Continue(_)
        | Expr::Lit(_)
        | Expr::Loop(_)
        | Expr::Path(_)
        | Expr::While(_) => false,
        _ => true,
    }
}

/// Whether the last expression of a block may leave a temporary value behind.
fn is_left_by(block: &Block) -> bool {
    matches!(block.stmts.last(), Some(Stmt::Expr(last, None)) if lasting(last))
}

/// Whether an expression makes a value that may have to be dropped.
fn is_made(expr: &Expr) -> bool {
    match expr {
        Expr::Paren(inner) => is_made(&inner.expr),
        Expr::Lit(_)
        | Expr::Binary(_)
        | Expr::Cast(_)
        | Expr::Closure(_)
        | Expr::Range(_)
        | Expr::Reference(_) => false,
        expr => !shapes::is_place(expr),
    }
}
