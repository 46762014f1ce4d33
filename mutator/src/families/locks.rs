//! Locks and conditions: critical sections, waiting and notifying; monitors too.
//!
//! | code | before → after |
//! |---|---|
//! | LSP | a critical section → split: the guard is dropped and taken again between two uses |
//! | LSK | a critical section → shrunk: locked one statement later, or unlocked after the last use |
//! | LEX | a critical section → expanded: locked one statement earlier, or not unlocked before the end of the block |
//! | LSO | two locks taken one after the other → the second first |
//! | LEO | `a.lock()` → `b.lock()`; `read` and `write` likewise |
//! | LTL | `m.lock().unwrap()` → `m.try_lock().unwrap()` |
//! | LLK | the guard → forgotten, so that the lock is never free again |
//! | CWI | `while c { wait }` → `if c { wait }` |
//! | CWD | `cv.wait(g).unwrap()` → `g`: no wait |
//! | CWT | `cv.wait(g).unwrap()` → a wait that times out at once |
//! | CWW | `cv.wait_while(g, c)` → `cv.wait(g)` |
//! | CNX | `notify_one` → `notify_all`, and back; `signal` and `signal_all` likewise |
//! | CND | `cv.notify_one()` → nothing |
//! | CNB | `change; cv.notify_one();` → `cv.notify_one(); change;` |
//!
//! No lock is removed: what it protects can be reached only through its guard. The effect of a missing or too short
//! critical section, two sections that interleave, is what LSP, LSK and LTL produce.

use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprMethodCall, ExprWhile, Stmt};

use super::channels::can_come_before;
use crate::finder::Finder;
use crate::names::guard;
use crate::operator::{Family, Operator};
use crate::shapes;

const LSP: Operator = Operator::new("LSP", Family::Locks, "section → split");
const LSK: Operator = Operator::new("LSK", Family::Locks, "section → shrunk");
const LEX: Operator = Operator::new("LEX", Family::Locks, "section → expanded");
const LSO: Operator = Operator::new("LSO", Family::Locks, "a.lock(); b.lock() → swapped");
const LEO: Operator = Operator::new("LEO", Family::Locks, "a.lock() → b.lock()");
const LTL: Operator = Operator::new("LTL", Family::Locks, "lock().unwrap() → try_lock().unwrap()");
const LLK: Operator = Operator::new("LLK", Family::Locks, "guard → forgotten");
const CWI: Operator = Operator::new("CWI", Family::Locks, "while c { wait } → if c { wait }");
const CWD: Operator = Operator::new("CWD", Family::Locks, "wait →");
const CWT: Operator = Operator::new("CWT", Family::Locks, "wait → wait_timeout(0)");
const CWW: Operator = Operator::new("CWW", Family::Locks, "wait_while → wait");
const CNX: Operator = Operator::new("CNX", Family::Locks, "notify_one → notify_all");
const CND: Operator = Operator::new("CND", Family::Locks, "notify →");
const CNB: Operator = Operator::new("CNB", Family::Locks, "change; notify → notify; change");

pub(crate) const OPERATORS: &[Operator] =
    &[LSP, LSK, LEX, LSO, LEO, LTL, LLK, CWI, CWD, CWT, CWW, CNX, CND, CNB];

pub(crate) fn block(f: &mut Finder<'_>, block: &Block) {
    let stmts = &block.stmts;
    for at in 0..stmts.len() {
        if let Some((name, lock)) = guard(&stmts[at]) {
            Section::new(stmts, at, name).mutate(f);
            swap_order(f, stmts, at, lock);
        }
        if let Some(call) = shapes::deed(&stmts[at]).and_then(notification) {
            f.take(&stmts[at]);
            f.take(call);
            f.replace(CND, &stmts[at], "");
            if let Some(before) = at.checked_sub(1).map(|before| &stmts[before])
                && can_come_before(&stmts[at], before)
            {
                f.swap(CNB, before, &stmts[at]);
            }
        }
        // A monitor's wait is a statement by itself.
        if let Stmt::Expr(wait, Some(_)) = &stmts[at]
            && shapes::method(wait, &["wait"], 1).is_some()
        {
            f.take(&stmts[at]);
            f.replace(CWD, &stmts[at], "");
        }
        // Without the assignment there is no wait either.
        if let Stmt::Expr(Expr::Assign(assign), Some(_)) = &stmts[at]
            && let Some(wait) = shapes::unwrapped(&assign.right)
            && shapes::method(wait, &["wait"], 1)
                .or_else(|| shapes::method(wait, &["wait_while"], 2))
                .is_some()
        {
            f.take(&stmts[at]);
        }
    }
}

/// A lock that is held from one statement to another of the same block.
struct Section<'a> {
    stmts: &'a [Stmt],
    /// The statement that takes it.
    taken: usize,
    /// The variable of its guard.
    guard: String,
    /// The statement that drops the guard, if one does.
    dropped: Option<usize>,
}

impl<'a> Section<'a> {
    fn new(stmts: &'a [Stmt], taken: usize, guard: String) -> Self {
        let drops = |stmt: &Stmt| {
            shapes::deed(stmt)
                .and_then(|deed| shapes::call(deed, &["drop"], 1))
                .is_some_and(|call| shapes::variable(&call.args[0]).as_ref() == Some(&guard))
        };
        let dropped = (taken + 1..stmts.len()).find(|at| drops(&stmts[*at]));
        Section { stmts, taken, guard, dropped }
    }

    /// The statements under the lock: from the first after it is taken to the last before it is dropped.
    fn body(&self) -> std::ops::Range<usize> {
        self.taken + 1..self.dropped.unwrap_or(self.stmts.len())
    }

    fn mutate(&self, f: &mut Finder<'_>) {
        let uses: Vec<usize> =
            self.body().filter(|at| shapes::mentions(&self.stmts[*at], &self.guard)).collect();
        self.split(f, &uses);
        self.shrink(f, &uses);
        self.expand(f);
        self.leak(f, &uses);
    }

    fn split(&self, f: &mut Finder<'_>, uses: &[usize]) {
        let again = format!("drop({}); {}", self.guard, f.text_of(&self.stmts[self.taken]));
        for at in uses.iter().take(uses.len().saturating_sub(1)) {
            f.insert_after(LSP, &self.stmts[*at], &again);
        }
    }

    fn shrink(&self, f: &mut Finder<'_>, uses: &[usize]) {
        let Section { stmts, taken, guard, .. } = self;
        let next = taken + 1;
        if self.body().contains(&next)
            && !uses.contains(&next)
            && is_whole(&stmts[next])
            && self::guard(&stmts[next]).is_none()
        {
            f.swap(LSK, &stmts[*taken], &stmts[next]);
        }
        let last = uses.last().copied().unwrap_or(*taken);
        let after = last + 1..self.body().end;
        if !after.is_empty() {
            f.insert_after(LSK, &stmts[last], &format!("drop({guard});"));
        }
    }

    fn expand(&self, f: &mut Finder<'_>) {
        let Section { stmts, taken, .. } = self;
        if let Some(before) = taken.checked_sub(1)
            && self::guard(&stmts[before]).is_none()
            && can_come_before(&stmts[*taken], &stmts[before])
        {
            f.swap(LEX, &stmts[before], &stmts[*taken]);
        }
        if let Some(at) = self.dropped {
            f.take(&stmts[at]);
            if at + 1 < stmts.len() {
                f.replace(LEX, &stmts[at], "");
            }
        }
    }

    fn leak(&self, f: &mut Finder<'_>, uses: &[usize]) {
        let Section { stmts, guard, .. } = self;
        let forget = format!("std::mem::forget({guard});");
        match self.dropped {
            Some(at) => f.replace(LLK, &stmts[at], forget),
            None => {
                let last = uses.last().copied().unwrap_or(self.taken);
                // No statement can follow the value of a block.
                if is_whole(&stmts[last]) {
                    f.insert_after(LLK, &stmts[last], &forget);
                }
            }
        }
    }
}

/// Whether a statement is more than the value of its block.
fn is_whole(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Local(_) | Stmt::Item(_) => true,
        Stmt::Expr(Expr::Return(_) | Expr::Break(_) | Expr::Continue(_), _) => false,
        Stmt::Expr(expr, semi) => semi.is_some() || matches!(expr, Expr::While(_) | Expr::ForLoop(_)),
        Stmt::Macro(mac) => mac.semi_token.is_some(),
    }
}

/// Swaps a lock and the next lock that is taken in the same block.
fn swap_order(f: &mut Finder<'_>, stmts: &[Stmt], first: usize, lock: &ExprMethodCall) {
    let Some((name, _)) = guard(&stmts[first]) else { return };
    let Some(second) = (first + 1..stmts.len()).find(|at| guard(&stmts[*at]).is_some()) else { return };
    let Some((_, other)) = guard(&stmts[second]) else { return };
    let is_used = stmts[first + 1..=second].iter().any(|stmt| shapes::mentions(stmt, &name));
    if !is_used && f.text_of(&lock.receiver) != f.text_of(&other.receiver) {
        f.swap(LSO, &stmts[first], &stmts[second]);
    }
}

fn notification(expr: &Expr) -> Option<&ExprMethodCall> {
    shapes::method(expr, &["notify_one", "notify_all"], 0)
        .or_else(|| shapes::method(expr, &["signal", "signal_all"], 1))
}

pub(crate) fn expr(f: &mut Finder<'_>, expr: &Expr) {
    if let Some(call) = shapes::method(expr, &["lock", "read", "write"], 0) {
        for other in f.names.other_locks(f.text_of(&call.receiver), &call.method.to_string()) {
            f.replace(LEO, &call.receiver, other);
        }
    }
    if let Some(call) = notification(expr) {
        let other = match call.method.to_string().as_str() {
            "notify_one" => "notify_all",
            "notify_all" => "notify_one",
            "signal" => "signal_all",
            _ => "signal",
        };
        f.replace(CNX, &call.method, other);
        if f.take(call) {
            f.replace(CND, expr, "()");
        }
    }
    if let Some(inner) = shapes::unwrapped(expr) {
        self::unwrapped(f, expr, inner);
    }
    if let Expr::While(while_) = expr
        && waits_only(while_)
    {
        f.replace(CWI, &while_.while_token, "if");
    }
}

/// A lock or a wait whose result is unwrapped at once.
fn unwrapped(f: &mut Finder<'_>, whole: &Expr, inner: &Expr) {
    let rest = f.text_of(whole).strip_prefix(f.text_of(inner)).unwrap_or(".unwrap()");
    if let Some(call) = shapes::method(inner, &["lock", "read", "write"], 0) {
        f.replace(LTL, whole, format!("{}.try_{}(){rest}", f.text_of(&call.receiver), call.method));
    }
    if let Some(call) = shapes::method(inner, &["wait"], 1) {
        let (condvar, guard) = (f.text_of(&call.receiver), f.text_of(&call.args[0]));
        f.replace(CWD, whole, guard);
        f.replace(CWT, whole, format!("{condvar}.wait_timeout({guard}, std::time::Duration::ZERO){rest}.0"));
    }
    if let Some(call) = shapes::method(inner, &["wait_while"], 2) {
        let (condvar, guard) = (f.text_of(&call.receiver), f.text_of(&call.args[0]));
        f.replace(CWD, whole, guard);
        f.replace(CWW, whole, format!("{condvar}.wait({guard}){rest}"));
    }
}

/// Whether a loop waits in its body, and ends only by its condition.
fn waits_only(while_: &ExprWhile) -> bool {
    struct Body {
        waits: bool,
        jumps: bool,
    }
    impl<'ast> Visit<'ast> for Body {
        fn visit_expr(&mut self, expr: &'ast Expr) {
            self.waits |= shapes::method(expr, &["wait"], 1).is_some()
                || shapes::method(expr, &["wait_timeout"], 2).is_some();
            self.jumps |= matches!(expr, Expr::Break(_) | Expr::Continue(_));
            if !matches!(expr, Expr::Closure(_)) {
                visit::visit_expr(self, expr);
            }
        }
    }
    let mut body = Body { waits: false, jumps: while_.label.is_some() };
    body.visit_block(&while_.body);
    body.waits && !body.jumps
}
