//! Reports source positions where there are no spans: in a module that was read from its own file.
//!
//! Before an operation, and after its operands are evaluated, the program reports its position. Each
//! statement that could panic does so, too.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, ExprMacro, Item, Stmt, parse_quote, parse_quote_spanned};

use super::Rewriter;
use crate::instrument::emit::Place;
use crate::instrument::mirrors;
use crate::instrument::scope::Space;

/// Methods that are operations of something under control, or panic.
const METHODS: [&str; 79] = [
    "accept",
    "accept_and_reply",
    "acquire",
    "call",
    "call_once",
    "call_once_force",
    "compare_and_swap",
    "compare_exchange",
    "compare_exchange_weak",
    "downgrade",
    "elapsed",
    "enter",
    "expect",
    "expect_err",
    "fetch_add",
    "fetch_and",
    "fetch_byte_add",
    "fetch_byte_sub",
    "fetch_max",
    "fetch_min",
    "fetch_nand",
    "fetch_not",
    "fetch_or",
    "fetch_ptr_add",
    "fetch_ptr_sub",
    "fetch_sub",
    "fetch_update",
    "fetch_xor",
    "force",
    "get_or_init",
    "is_empty",
    "is_finished",
    "join",
    "len",
    "load",
    "lock",
    "next",
    "notify_all",
    "notify_one",
    "read",
    "ready",
    "ready_deadline",
    "ready_timeout",
    "recv",
    "recv_deadline",
    "recv_timeout",
    "release",
    "reply",
    "select",
    "select_deadline",
    "select_timeout",
    "send",
    "send_deadline",
    "send_timeout",
    "signal",
    "signal_all",
    "spawn",
    "store",
    "swap",
    "try_acquire",
    "try_lock",
    "try_read",
    "try_ready",
    "try_recv",
    "try_select",
    "try_send",
    "try_update",
    "try_write",
    "unpark",
    "unwrap",
    "unwrap_err",
    "update",
    "upgrade",
    "wait",
    "wait_force",
    "wait_timeout",
    "wait_timeout_while",
    "wait_while",
    "write",
];

impl Rewriter {
    /// The place of a piece of code, if it has to be reported.
    fn place(&self, span: Span) -> Option<Place> {
        let file = self.source.file_read()?.to_owned();
        let start = span.start();
        // Columns are counted as the compiler does, from one.
        (!self.in_const).then(|| Place { file, line: start.line as u32, column: start.column as u32 + 1 })
    }

    /// Input: `line!()`. Output: the line, where the compiler does not know it.
    pub(super) fn place_macro(&self, mac: &ExprMacro) -> Option<Expr> {
        let file = self.source.file_read()?;
        let start = mac.span().start();
        let (line, column) = (start.line as u32, start.column as u32 + 1);
        match mac.mac.path.get_ident()?.to_string().as_str() {
            "line" => Some(parse_quote!(#line)),
            "column" => Some(parse_quote!(#column)),
            "file" => Some(parse_quote!(#file)),
            _ => None,
        }
    }

    /// The place of an operation, if the expression is one and its place has to be reported.
    pub(super) fn place_of_operation(&self, expr: &Expr) -> Option<Place> {
        self.source.file_read()?;
        match expr {
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                METHODS.contains(&name.as_str()).then(|| self.place(call.method.span()))?
            }
            Expr::Call(call) => {
                let Expr::Path(callee) = &*call.func else { return None };
                let path = self.leads_to(&callee.path, Space::Value)?;
                let span = callee.path.segments.last()?.ident.span();
                mirrors::is_operation(&mirrors::borrowed(&path)).then(|| self.place(span))?
            }
            _ => None,
        }
    }

    /// The statement that reports the place of the next one, if that has to be reported.
    pub(super) fn place_of_stmt(&self, stmt: &Stmt) -> Option<Stmt> {
        if matches!(stmt, Stmt::Item(_)) || !may_panic(stmt) {
            return None;
        }
        let report = self.place(stmt.span())?.report();
        let site = Span::mixed_site();
        Some(parse_quote_spanned!(site=> #report;))
    }

    /// Makes an operation report its place.
    ///
    /// Input: `tx.send(next())`. Output: `tx.send(then(next(), place(..)))`. Input: `lock.lock()`. Output:
    /// `at(place(..), lock.lock())`.
    pub(super) fn report_place(&self, expr: &mut Expr, place: &Place) {
        let args = match expr {
            Expr::Call(call) => &mut call.args,
            Expr::MethodCall(call) => &mut call.args,
            _ => return,
        };
        // The argument that is evaluated last, of those that may report other places.
        if let Some(last) =
            args.iter_mut().rev().find(|arg| !matches!(arg, Expr::Closure(_)) && has_call(arg))
        {
            *last = place.after(last);
            return;
        }
        if let Expr::MethodCall(call) = expr
            && let Some(value) = value_of(&mut call.receiver)
        {
            *value = place.after(value);
            return;
        }
        *expr = place.before(expr);
    }
}

/// The call whose value a receiver is, or is a field of.
fn value_of(receiver: &mut Expr) -> Option<&mut Expr> {
    match receiver {
        Expr::Call(_) | Expr::MethodCall(_) | Expr::Try(_) => Some(receiver),
        Expr::Field(field) => value_of(&mut field.base),
        _ => None,
    }
}

fn has_call(expr: &Expr) -> bool {
    struct Calls(bool);
    impl<'ast> Visit<'ast> for Calls {
        fn visit_expr(&mut self, expr: &'ast Expr) {
            match expr {
                Expr::Call(_) | Expr::MethodCall(_) | Expr::Macro(_) => self.0 = true,
                Expr::Closure(_) => {}
                _ => visit::visit_expr(self, expr),
            }
        }
    }
    let mut calls = Calls(false);
    calls.visit_expr(expr);
    calls.0
}

fn may_panic(stmt: &Stmt) -> bool {
    struct Panics(bool);
    impl<'ast> Visit<'ast> for Panics {
        fn visit_expr(&mut self, expr: &'ast Expr) {
            match expr {
                Expr::Call(_) | Expr::MethodCall(_) | Expr::Macro(_) | Expr::Index(_) | Expr::ForLoop(_) => {
                    self.0 = true
                }
                Expr::Binary(binary) if !is_comparison(&binary.op) => self.0 = true,
                _ => visit::visit_expr(self, expr),
            }
        }

        fn visit_stmt_macro(&mut self, _: &'ast syn::StmtMacro) {
            self.0 = true;
        }

        fn visit_item(&mut self, _: &'ast Item) {}
    }
    let mut panics = Panics(false);
    panics.visit_stmt(stmt);
    panics.0
}

fn is_comparison(op: &BinOp) -> bool {
    use BinOp::{And, Eq, Ge, Gt, Le, Lt, Ne, Or};
    matches!(op, And(_) | Or(_) | Eq(_) | Ne(_) | Lt(_) | Le(_) | Gt(_) | Ge(_))
}
