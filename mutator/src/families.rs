//! The operators, family by family. They use syntax alone, so a mutant may turn out not to compile; a mutant that is
//! obviously nonsense, or the same as the original, is not made.

pub(crate) mod channels;
pub(crate) mod guards;
pub(crate) mod locks;
pub(crate) mod operators;
pub(crate) mod threads;

use syn::{BinOp, Expr};

use crate::finder::Finder;
use crate::operator::Operator;

impl Operator {
    /// All operators, family by family.
    pub fn all() -> impl Iterator<Item = Operator> {
        let families = [
            guards::OPERATORS,
            operators::OPERATORS,
            channels::OPERATORS,
            locks::OPERATORS,
            threads::OPERATORS,
        ];
        families.into_iter().flatten().copied()
    }

    /// The operator with a code.
    pub fn find(code: &str) -> Option<Operator> {
        Self::all().find(|operator| operator.code.eq_ignore_ascii_case(code))
    }
}

/// How tightly an operator binds; the larger the tighter.
fn precedence(op: &BinOp) -> u8 {
    use BinOp::*;
    match op {
        Mul(_) | Div(_) | Rem(_) => 9,
        Add(_) | Sub(_) => 8,
        Shl(_) | Shr(_) => 7,
        BitAnd(_) => 6,
        BitXor(_) => 5,
        BitOr(_) => 4,
        Eq(_) | Lt(_) | Le(_) | Ne(_) | Ge(_) | Gt(_) => 3,
        And(_) => 2,
        Or(_) => 1,
        _ => 0,
    }
}

/// As [`precedence`], for an operator as text.
fn precedence_of(op: &str) -> u8 {
    syn::parse_str::<BinOp>(op).map_or(0, |op| precedence(&op))
}

/// Whether an operand needs no parentheses next to an operator.
fn stands_beside(expr: &Expr, op: &str, on_the_right: bool) -> bool {
    match expr {
        Expr::Binary(binary) => precedence(&binary.op) >= precedence_of(op) + u8::from(on_the_right),
        // `a as usize < b` would begin a list of types.
        Expr::Cast(_) => !op.starts_with('<'),
        Expr::Array(_)
        | Expr::Block(_)
        | Expr::Call(_)
        | Expr::Field(_)
        | Expr::Index(_)
        | Expr::Lit(_)
        | Expr::Macro(_)
        | Expr::MethodCall(_)
        | Expr::Paren(_)
        | Expr::Path(_)
        | Expr::Reference(_)
        | Expr::Try(_)
        | Expr::Tuple(_)
        | Expr::Unary(_) => true,
        _ => false,
    }
}

/// The text of an operand, in parentheses if it needs them.
fn operand(f: &Finder<'_>, expr: &Expr, op: &str, on_the_right: bool) -> String {
    let text = f.text_of(expr);
    if stands_beside(expr, op, on_the_right) { text.to_owned() } else { format!("({text})") }
}

/// Whether a condition is or contains a `let`.
pub(crate) fn has_let(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        Expr::Paren(inner) => has_let(&inner.expr),
        Expr::Group(inner) => has_let(&inner.expr),
        _ => false,
    }
}

/// The changes of an expression for a capacity: n + 1, n - 1, 0.
fn counts(f: &Finder<'_>, expr: &Expr) -> Vec<String> {
    if let Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(lit), .. }) = expr
        && let Ok(n) = lit.base10_parse::<u64>()
    {
        let mut counts = vec![n.wrapping_add(1)];
        counts.extend(n.checked_sub(1));
        counts.push(0);
        counts.dedup();
        let suffix = lit.suffix();
        return counts.iter().filter(|count| **count != n).map(|count| format!("{count}{suffix}")).collect();
    }
    let n = operand(f, expr, "+", false);
    vec![format!("{n} + 1"), format!("{n} - 1"), "0".to_owned()]
}
