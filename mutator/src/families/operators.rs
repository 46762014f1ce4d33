//! Operators: expressions and statements of any program.
//!
//! | code | before → after |
//! |---|---|
//! | ROR | `a < b` → `a > b`, and each other comparison; in a guard without those that GBS and GNG make |
//! | AOR | `a + b` → `a - b`, and each other of `+ - * / %` |
//! | LCR | `a && b` → `a \|\| b`, outside guards |
//! | BOR | `a & b` → `a \| b`, `a ^ b`; `a << b` → `a >> b` |
//! | UOD | `!a` → `a`, `-a` → `a` |
//! | ASR | `a += b` → `a -= b`, and each other; `a &= b` → `a \|= b`, `a ^= b`; `a <<= b` → `a >>= b` |
//! | CRP | `2` → `3`, `1`, `0`; `-1` where the type shows a sign; the ends of the type where it is written: `2u8` → `u8::MAX` |
//! | RNG | `a..b` → `a..=b`, and back |
//! | BLR | `true` → `false` |
//! | SDL | `f(x);` → nothing |
//! | RET | `{ .. }` → `{ return 0; .. }`: the function returns at once, with a value its type shows |
//! | BCR | `break` → `continue`, and back |
//! | MAD | `A => x, _ => y` → `A if false => x, _ => y`: an arm is not there |

use syn::{
    BinOp, Block, Expr, ExprBinary, ExprLit, ExprRange, Lit, LitFloat, LitInt, Pat, RangeLimits, ReturnType,
    Signature, Stmt, Type, UnOp,
};

use super::guards::shifted;
use super::{operand, precedence, precedence_of, stands_beside};
use crate::attributes;
use crate::extent::Extent;
use crate::finder::Finder;
use crate::operator::{Family, Operator};

const ROR: Operator = Operator::new("ROR", Family::Operators, "a < b → a > b, a == b, …");
const AOR: Operator = Operator::new("AOR", Family::Operators, "a + b → a - b, a * b, …");
const LCR: Operator = Operator::new("LCR", Family::Operators, "a && b → a || b");
const BOR: Operator = Operator::new("BOR", Family::Operators, "a & b → a | b, a ^ b");
const UOD: Operator = Operator::new("UOD", Family::Operators, "!a → a, -a → a");
const ASR: Operator = Operator::new("ASR", Family::Operators, "a += b → a -= b, …");
const CRP: Operator = Operator::new("CRP", Family::Operators, "2 → 3, 1, 0");
const RNG: Operator = Operator::new("RNG", Family::Operators, "a..b → a..=b").retyping();
const BLR: Operator = Operator::new("BLR", Family::Operators, "true → false");
const SDL: Operator = Operator::new("SDL", Family::Operators, "f(x); →");
const RET: Operator = Operator::new("RET", Family::Operators, "{ .. } → { return 0; .. }");
const BCR: Operator = Operator::new("BCR", Family::Operators, "break → continue");
const MAD: Operator = Operator::new("MAD", Family::Operators, "A => x → A if false => x");

pub(crate) const OPERATORS: &[Operator] = &[ROR, AOR, LCR, BOR, UOD, ASR, CRP, RNG, BLR, SDL, RET, BCR, MAD];

/// An expression; `within` if it is an operand of another.
pub(crate) fn expr(f: &mut Finder<'_>, expr: &Expr, within: bool) {
    match expr {
        Expr::Binary(binary) => self::binary(f, expr, binary, within),
        Expr::Unary(unary) => match (&unary.op, &*unary.expr) {
            // A literal and its sign count as one literal.
            (UnOp::Neg(_), Expr::Lit(ExprLit { lit, .. })) => {
                f.take(&unary.expr);
                literal(f, expr, lit, true);
            }
            // The operator for guards already negates it.
            (UnOp::Not(_), _) if f.guard == Extent::of(expr) => {}
            (UnOp::Not(_) | UnOp::Neg(_), inner) => f.replace(UOD, expr, f.text_of(inner)),
            _ => {}
        },
        Expr::Lit(lit) if !f.is_taken(lit) => literal(f, expr, &lit.lit, false),
        Expr::Range(range) => self::range(f, expr, range),
        Expr::Break(jump) => {
            // The label of a block is a name; those of loops are not.
            let of_block = jump.label.as_ref().is_some_and(|label| f.names.knows(&label.to_string()));
            if jump.expr.is_none() && !of_block {
                f.replace(BCR, &jump.break_token, "continue");
            }
        }
        Expr::Continue(jump) => f.replace(BCR, &jump.continue_token, "break"),
        Expr::Match(match_) => {
            let catches_all = |arm: &syn::Arm| match &arm.pat {
                Pat::Wild(_) => arm.guard.is_none(),
                // By its first letter it is a variable, and no constant or variant.
                Pat::Ident(name) => {
                    arm.guard.is_none()
                        && name.subpat.is_none()
                        && name.ident.to_string().starts_with(char::is_lowercase)
                }
                _ => false,
            };
            if let Some((last, arms)) = match_.arms.split_last()
                && catches_all(last)
            {
                for arm in arms.iter().filter(|arm| arm.guard.is_none()) {
                    if let Some(extent) = Extent::of(&arm.pat) {
                        f.insert(MAD, extent.end, " if false");
                    }
                }
            }
        }
        _ => {}
    }
}

fn binary(f: &mut Finder<'_>, whole: &Expr, binary: &ExprBinary, within: bool) {
    use BinOp::*;
    let ExprBinary { left, op, right, .. } = binary;
    let comparisons = ["<", "<=", ">", ">=", "==", "!="];
    let (operator, others): (Operator, &[&str]) = match op {
        Lt(_) | Le(_) | Gt(_) | Ge(_) | Eq(_) | Ne(_) => (ROR, &comparisons),
        Add(_) | Sub(_) | Mul(_) | Div(_) | Rem(_) => (AOR, &["+", "-", "*", "/", "%"]),
        And(_) if f.guard.is_none() && !super::has_let(whole) => (LCR, &["||"]),
        Or(_) if f.guard.is_none() => (LCR, &["&&"]),
        BitAnd(_) | BitOr(_) | BitXor(_) => (BOR, &["&", "|", "^"]),
        Shl(_) => (BOR, &[">>"]),
        Shr(_) => (BOR, &["<<"]),
        AddAssign(_) | SubAssign(_) | MulAssign(_) | DivAssign(_) | RemAssign(_) => {
            (ASR, &["+=", "-=", "*=", "/=", "%="])
        }
        BitAndAssign(_) | BitOrAssign(_) | BitXorAssign(_) => (ASR, &["&=", "|=", "^="]),
        ShlAssign(_) => (ASR, &[">>="]),
        ShrAssign(_) => (ASR, &["<<="]),
        _ => return,
    };
    let is_guard = f.guard.is_some() && f.guard == Extent::of(whole);
    for other in others {
        let made_elsewhere =
            f.guard.is_some() && shifted(op) == Some(*other) || is_guard && complement(op) == Some(*other);
        if *other == f.text_of(op) || operator == ROR && made_elsewhere {
            continue;
        }
        let alike = precedence(op) == precedence_of(other) && stands_beside(left, other, false);
        if operator == ASR || alike {
            f.replace(operator, op, *other);
            continue;
        }
        let (left, right) = (operand(f, left, other, false), operand(f, right, other, true));
        let changed = format!("{left} {other} {right}");
        let loose = within && precedence(op) != precedence_of(other);
        f.replace(operator, whole, if loose { format!("({changed})") } else { changed });
    }
}

/// The comparison that is true when the other is not.
fn complement(op: &BinOp) -> Option<&'static str> {
    Some(match op {
        BinOp::Lt(_) => ">=",
        BinOp::Le(_) => ">",
        BinOp::Gt(_) => "<=",
        BinOp::Ge(_) => "<",
        BinOp::Eq(_) => "!=",
        BinOp::Ne(_) => "==",
        _ => return None,
    })
}

fn literal(f: &mut Finder<'_>, whole: &Expr, lit: &Lit, negative: bool) {
    match lit {
        Lit::Bool(lit) => f.replace(BLR, whole, if lit.value { "false" } else { "true" }),
        Lit::Int(lit) => {
            for value in integers(lit, negative) {
                f.replace(CRP, whole, value);
            }
        }
        Lit::Float(lit) => {
            for value in floats(lit) {
                f.replace(CRP, whole, value);
            }
        }
        _ => {}
    }
}

/// The replacements of an integer: one more, one less, 0, 1, -1, and the limits of its type if the type is known.
fn integers(lit: &LitInt, negative: bool) -> Vec<String> {
    let Ok(n) = lit.base10_parse::<i128>() else { return Vec::new() };
    let suffix = lit.suffix();
    let n = if negative { -n } else { n };
    let signed = negative || suffix.starts_with('i') || suffix.starts_with('f');
    let mut values = Vec::new();
    for value in [n + 1, n - 1, 0, 1, -1] {
        if value != n && (value >= 0 || signed) && !values.contains(&value) {
            values.push(value);
        }
    }
    let written = |value: i128| match value < 0 && !negative {
        // In parentheses, so that the sign applies before a method call.
        true => format!("({value}{suffix})"),
        false => format!("{value}{suffix}"),
    };
    // If the type is written, its limits are known too.
    let ends: &[&str] = match suffix.chars().next() {
        Some('i') => &["MAX", "MIN"],
        Some('u') => &["MAX"],
        _ => &[],
    };
    let ends = ends.iter().map(|end| format!("{suffix}::{end}"));
    values.into_iter().map(written).chain(ends).collect()
}

fn floats(lit: &LitFloat) -> Vec<String> {
    let (digits, suffix) = (lit.base10_digits(), lit.suffix());
    let values = ["0.0", "1.0"].into_iter().filter(|value| *value != digits);
    values.map(|value| format!("{value}{suffix}")).collect()
}

fn range(f: &mut Finder<'_>, whole: &Expr, range: &ExprRange) {
    let ExprRange { start, limits, end: Some(end), .. } = range else { return };
    let start = start.as_ref().map_or("", |start| f.text_of(start));
    let end = f.text_of(end);
    match limits {
        RangeLimits::HalfOpen(_) => f.replace(RNG, whole, format!("{start}..={end}")),
        RangeLimits::Closed(_) => f.replace(RNG, whole, format!("{start}..{end}")),
    }
}

/// The statements of a block that no other family has taken.
pub(crate) fn block(f: &mut Finder<'_>, block: &Block) {
    let last = block.stmts.len().saturating_sub(1);
    for (index, stmt) in block.stmts.iter().enumerate() {
        if is_deletable(stmt, index == last) && !f.is_taken(stmt) {
            f.replace(SDL, stmt, "");
        }
    }
}

/// Whether a statement can be deleted: it declares nothing, is not the value of its block, and does not jump.
fn is_deletable(stmt: &Stmt, last: bool) -> bool {
    match stmt {
        Stmt::Local(local) => matches!(local.pat, Pat::Wild(_)) && local.init.is_some(),
        Stmt::Item(_) | Stmt::Macro(_) => false,
        Stmt::Expr(expr, semi) => match expr {
            Expr::Assign(_) | Expr::Binary(_) | Expr::Call(_) | Expr::MethodCall(_) | Expr::Try(_) => {
                semi.is_some()
            }
            // Without an `else` it would be the same as a false guard, and so would a loop that is not entered.
            Expr::If(if_) => !(last && semi.is_none()) && if_.else_branch.is_some(),
            Expr::ForLoop(_) => true,
            Expr::Match(_) => !last || semi.is_some(),
            Expr::Block(_) | Expr::Unsafe(_) | Expr::Loop(_) => !last,
            _ => false,
        },
    }
}

/// Makes a function return at once.
pub(crate) fn function(f: &mut Finder<'_>, sig: &Signature, block: &Block) {
    let Some(extent) = Extent::of(block) else { return };
    // A function that only returns a value has no effects to lose; a single statement is deleted by another operator.
    let is_small = matches!(&block.stmts[..], [] | [Stmt::Expr(Expr::Path(_) | Expr::Lit(_), None)]);
    if is_small {
        return;
    }
    let values = match &sig.output {
        ReturnType::Default => vec![String::new()],
        ReturnType::Type(_, ty) => values_of(ty),
    };
    for value in values {
        let text = if value.is_empty() { " return;".to_owned() } else { format!(" return {value};") };
        f.insert(RET, extent.inside().start, text);
    }
}

/// Values of a type, as far as its name shows.
fn values_of(ty: &Type) -> Vec<String> {
    let known = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
    match ty {
        Type::Tuple(tuple) if tuple.elems.is_empty() => vec![String::new()],
        Type::Path(path) => {
            let Some(last) = path.path.segments.last() else { return Vec::new() };
            match attributes::type_name(ty).unwrap_or_default().as_str() {
                "bool" => known(&["true", "false"]),
                "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => known(&["0", "1"]),
                "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => known(&["0", "1", "-1"]),
                "f32" | "f64" => known(&["0.0", "1.0"]),
                "String" | "Vec" | "VecDeque" | "BTreeMap" | "BTreeSet" => known(&["Default::default()"]),
                "Option" => known(&["None"]),
                "Result" => first_argument(last)
                    .map_or_else(Vec::new, values_of)
                    .into_iter()
                    .map(|value| if value.is_empty() { "Ok(())".to_owned() } else { format!("Ok({value})") })
                    .collect(),
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

fn first_argument(segment: &syn::PathSegment) -> Option<&Type> {
    let syn::PathArguments::AngleBracketed(args) = &segment.arguments else { return None };
    args.args.iter().find_map(|arg| match arg {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}
