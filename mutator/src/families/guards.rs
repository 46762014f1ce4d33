//! Guards: the conditions of select arms, match arms, `if` and `while`.
//!
//! | code | before → after |
//! |---|---|
//! | GNG | `g` → `!g` |
//! | GTR | `g` → `true` |
//! | GFA | `g` → `false` |
//! | GBS | `n < cap` → `n <= cap`: the bound belongs to it or not |
//! | GOB | `n < cap` → `n + 1 < cap`: off by one the other way |
//! | GDC | `a && b` → `a`, `b` |
//! | GCR | `a && b` → `a \|\| b`, and back |
//! | GSC | `a() && b()` → `b() && a()` |
//!
//! A guard with a `let` is a chain of conjuncts; each conjunct without `let` counts as a guard.

use syn::{BinOp, Expr, ExprBinary, UnOp};

use super::{has_let, operand, stands_beside};
use crate::finder::Finder;
use crate::operator::{Family, Operator};
use crate::shapes;

const GNG: Operator = Operator::new("GNG", Family::Guards, "g → !g");
const GTR: Operator = Operator::new("GTR", Family::Guards, "g → true");
const GFA: Operator = Operator::new("GFA", Family::Guards, "g → false");
const GBS: Operator = Operator::new("GBS", Family::Guards, "n < cap → n <= cap");
const GOB: Operator = Operator::new("GOB", Family::Guards, "n < cap → n + 1 < cap");
const GDC: Operator = Operator::new("GDC", Family::Guards, "a && b → a, b");
const GCR: Operator = Operator::new("GCR", Family::Guards, "a && b → a || b");
const GSC: Operator = Operator::new("GSC", Family::Guards, "a() && b() → b() && a()");

pub(crate) const OPERATORS: &[Operator] = &[GNG, GTR, GFA, GBS, GOB, GDC, GCR, GSC];

/// A guard as a whole.
pub(crate) fn guard(f: &mut Finder<'_>, guard: &Expr) {
    if has_let(guard) {
        if let Expr::Binary(ExprBinary { left, op: BinOp::And(_), right, .. }) = guard {
            self::guard(f, left);
            self::guard(f, right);
        }
        return;
    }
    let is = |value: bool| matches!(guard, Expr::Lit(lit) if matches!(&lit.lit, syn::Lit::Bool(lit) if lit.value == value));
    // Replacing a literal by the other one is the job of another operator.
    if !is(true) && !is(false) {
        let negated = negation(f, guard);
        f.replace(GNG, guard, negated);
        f.replace(GTR, guard, "true");
        f.replace(GFA, guard, "false");
    }
    parts(f, guard, false);
}

/// Input: `!g`. Output: `g`. Input: `a < b`. Output: `!(a < b)`.
fn negation(f: &Finder<'_>, guard: &Expr) -> String {
    match guard {
        Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => f.text_of(&unary.expr).to_owned(),
        Expr::Binary(_) | Expr::Cast(_) | Expr::Closure(_) => format!("!({})", f.text_of(guard)),
        guard if stands_beside(guard, "*", true) => format!("!{}", f.text_of(guard)),
        guard => format!("!({})", f.text_of(guard)),
    }
}

/// The comparisons of a guard, and what connects them.
fn parts(f: &mut Finder<'_>, expr: &Expr, within: bool) {
    match expr {
        Expr::Paren(inner) => parts(f, &inner.expr, false),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => parts(f, &unary.expr, true),
        Expr::Binary(binary) => {
            let ExprBinary { left, op, right, .. } = binary;
            match op {
                BinOp::And(_) | BinOp::Or(_) => {
                    connected(f, expr, binary, within);
                    parts(f, left, true);
                    parts(f, right, true);
                }
                _ => compared(f, expr, binary),
            }
        }
        _ => {}
    }
}

fn connected(f: &mut Finder<'_>, whole: &Expr, binary: &ExprBinary, within: bool) {
    let ExprBinary { left, op, right, .. } = binary;
    f.replace(GDC, whole, f.text_of(left));
    f.replace(GDC, whole, f.text_of(right));
    let other = if matches!(op, BinOp::And(_)) { "||" } else { "&&" };
    let changed = format!("{} {other} {}", operand(f, left, other, false), operand(f, right, other, true));
    f.replace(GCR, whole, if within { format!("({changed})") } else { changed });
    // Operands that neither fail nor change anything give the same result in any order.
    if has_call(left) || has_call(right) {
        f.swap(GSC, left, right);
    }
}

fn compared(f: &mut Finder<'_>, whole: &Expr, binary: &ExprBinary) {
    let ExprBinary { left, op, right, .. } = binary;
    if let Some(shifted) = shifted(op) {
        let (left, right) = (operand(f, left, shifted, false), f.text_of(right));
        f.replace(GBS, whole, format!("{left} {shifted} {right}"));
    }
    // The sides to which one can be added without making the boundary shift again.
    let (on_the_left, on_the_right) = match op {
        BinOp::Lt(_) | BinOp::Ge(_) => (true, false),
        BinOp::Gt(_) | BinOp::Le(_) => (false, true),
        BinOp::Eq(_) | BinOp::Ne(_) => (true, true),
        _ => return,
    };
    let op = f.text_of(op);
    let counts = |expr: &Expr| {
        matches!(expr, Expr::Path(_) | Expr::Field(_) | Expr::Index(_) | Expr::MethodCall(_) | Expr::Call(_))
    };
    // The operator for literals already adds one to a literal.
    if on_the_left && counts(left) && (counts(right) || shapes::is_integer(right)) {
        f.replace(GOB, whole, format!("{} + 1 {op} {}", f.text_of(left), f.text_of(right)));
    }
    if on_the_right && counts(right) && (counts(left) || shapes::is_integer(left)) {
        f.replace(GOB, whole, format!("{} {op} {} + 1", f.text_of(left), f.text_of(right)));
    }
}

/// The comparison with the boundary on the other side.
pub(super) fn shifted(op: &BinOp) -> Option<&'static str> {
    Some(match op {
        BinOp::Lt(_) => "<=",
        BinOp::Le(_) => "<",
        BinOp::Gt(_) => ">=",
        BinOp::Ge(_) => ">",
        _ => return None,
    })
}

fn has_call(expr: &Expr) -> bool {
    struct Calls(bool);
    impl<'ast> syn::visit::Visit<'ast> for Calls {
        fn visit_expr(&mut self, expr: &'ast Expr) {
            self.0 |= matches!(expr, Expr::Call(_) | Expr::MethodCall(_) | Expr::Macro(_) | Expr::Index(_));
            syn::visit::visit_expr(self, expr);
        }
    }
    let mut calls = Calls(false);
    syn::visit::Visit::visit_expr(&mut calls, expr);
    calls.0
}
