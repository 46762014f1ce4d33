//! Semaphores, barriers, threads, timeouts and atomics.
//!
//! | code | before → after |
//! |---|---|
//! | SMP | `Semaphore::new(n)` → `n + 1`, `n - 1`, `0` |
//! | BRP | `Barrier::new(n)` → `n + 1`, `n - 1`, `0` |
//! | SAD | `s.acquire();` → nothing; `s.release();` likewise |
//! | SAR | `s.acquire();` → twice; `s.release();` likewise |
//! | SAO | `a.acquire(); b.acquire();` → the second first; releases likewise |
//! | SPF | a permit → forgotten, so that it is never given back |
//! | BWD | `barrier.wait();` → nothing |
//! | TJD | `handle.join().unwrap();` → nothing |
//! | TJO | two joins in a row → the second first |
//! | TSI | `thread::spawn(f)` → `f` runs at once, in the thread that spawns |
//! | TSF | `thread::spawn(f)` → the thread is waited for at once |
//! | TSD | `thread::spawn(f)` → a thread that never does anything |
//! | ARM | `a.fetch_add(n, o)` → a load and a store: split in two |
//! | AFD | `fence(o);` → nothing |
//! | MXT | `recv_timeout(d)` → `d * 2`, zero; of conditions, selects and parking too |
//! | MTD | `rx.recv_timeout(d)` → `rx.recv()`; `send_timeout`, `park_timeout` and `wait_timeout(g, d).unwrap().0` likewise |
//! | MSD | `thread::sleep(d)` → nothing |

use insyn_syntax::Select;
use syn::{Block, Expr, ExprMethodCall, Member, Stmt};

use super::channels::can_come_before;
use super::{counts, operand};
use crate::finder::Finder;
use crate::names::Holds;
use crate::operator::{Family, Operator};
use crate::shapes;

const SMP: Operator = Operator::new("SMP", Family::Threads, "Semaphore::new(n) → n + 1, n - 1, 0");
const BRP: Operator = Operator::new("BRP", Family::Threads, "Barrier::new(n) → n + 1, n - 1, 0");
const SAD: Operator = Operator::new("SAD", Family::Threads, "acquire, release →");
const SAR: Operator = Operator::new("SAR", Family::Threads, "acquire, release → twice");
const SAO: Operator = Operator::new("SAO", Family::Threads, "acquire; acquire → swapped");
const SPF: Operator = Operator::new("SPF", Family::Threads, "permit → forgotten");
const BWD: Operator = Operator::new("BWD", Family::Threads, "barrier.wait() →");
const TJD: Operator = Operator::new("TJD", Family::Threads, "join →");
const TJO: Operator = Operator::new("TJO", Family::Threads, "join; join → swapped");
const TSI: Operator = Operator::new("TSI", Family::Threads, "spawn(f) → f()");
const TSF: Operator = Operator::new("TSF", Family::Threads, "spawn(f) → joined at once");
const TSD: Operator = Operator::new("TSD", Family::Threads, "spawn(f) → never started");
const ARM: Operator = Operator::new("ARM", Family::Threads, "fetch_add → load, store");
const AFD: Operator = Operator::new("AFD", Family::Threads, "fence →");
const MXT: Operator = Operator::new("MXT", Family::Threads, "timeout d → d * 2, 0");
const MTD: Operator = Operator::new("MTD", Family::Threads, "recv_timeout → recv; of sends, waits, parking");
const MSD: Operator = Operator::new("MSD", Family::Threads, "sleep →");

pub(crate) const OPERATORS: &[Operator] =
    &[SMP, BRP, SAD, SAR, SAO, SPF, BWD, TJD, TJO, TSI, TSF, TSD, ARM, AFD, MXT, MTD, MSD];

fn permits(expr: &Expr) -> Option<&ExprMethodCall> {
    shapes::method(expr, &["acquire", "release"], 0)
}

fn join(stmt: &Stmt) -> Option<&ExprMethodCall> {
    let value =
        shapes::deed(stmt).or_else(|| shapes::binding(stmt).map(|(_, value)| shapes::wrapped(value)))?;
    shapes::method(value, &["join"], 0)
}

pub(crate) fn block(f: &mut Finder<'_>, block: &Block) {
    for (index, stmt) in block.stmts.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| &block.stmts[before]);
        if join(stmt).is_some()
            && let Some(before) = before
            && join(before).is_some()
            && can_come_before(stmt, before)
        {
            f.swap(TJO, before, stmt);
        }
        if let Some((name, value)) = shapes::binding(stmt)
            && shapes::method(shapes::wrapped(value), &["acquire", "try_acquire"], 0).is_some()
        {
            f.insert_after(SPF, stmt, &format!("std::mem::forget({name});"));
        }
        let Some(deed) = shapes::deed(stmt) else { continue };
        if permits(deed).is_some() {
            f.take(stmt);
            f.replace(SAD, stmt, "");
            f.insert_after(SAR, stmt, f.text_of(stmt));
            if let Some(before) = before
                && shapes::deed(before).and_then(permits).is_some()
                && f.text_of(before) != f.text_of(stmt)
            {
                f.swap(SAO, before, stmt);
            }
        }
        if let Some(call) = shapes::call(deed, &["drop"], 1)
            && shapes::variable(&call.args[0]).is_some_and(|name| f.names.holds(&name) == Holds::Permit)
        {
            f.take(stmt);
            f.replace(SPF, call, format!("std::mem::forget({})", f.text_of(&call.args[0])));
        }
        let deleted = if shapes::method(deed, &["join"], 0).is_some() {
            TJD
        } else if shapes::method(deed, &["wait"], 0).is_some() {
            BWD
        } else if shapes::call(deed, &["fence", "compiler_fence"], 1).is_some() {
            AFD
        } else if shapes::call(deed, &["sleep"], 1).is_some() {
            MSD
        } else {
            continue;
        };
        f.take(stmt);
        f.take(deed);
        f.replace(deleted, stmt, "");
    }
}

pub(crate) fn expr(f: &mut Finder<'_>, expr: &Expr) {
    for (operator, owner, names) in [(SMP, "Semaphore", &["new", "binary"][..]), (BRP, "Barrier", &["new"])] {
        if let Some(call) = shapes::associated(expr, owner, names) {
            f.take(&call.args[0]);
            for count in counts(f, &call.args[0]) {
                f.replace(operator, &call.args[0], count);
            }
        }
    }
    if shapes::call(expr, &["sleep"], 1).is_some() && f.take(expr) {
        f.replace(MSD, expr, "()");
    }
    spawn(f, expr);
    timeout(f, expr);
    if let Expr::MethodCall(call) = expr
        && shapes::is_simple(&call.receiver)
        && let Some(split) = split(f, call)
    {
        f.replace(ARM, expr, split);
    }
}

/// Input: `thread::spawn(f)`, `scope.spawn(f)`, where `f` takes nothing.
fn spawn(f: &mut Finder<'_>, expr: &Expr) {
    let (spawn, body) = match expr {
        Expr::Call(call) if shapes::call(expr, &["spawn"], 1).is_some() => {
            (f.text_of(&call.func).to_owned(), &call.args[0])
        }
        Expr::MethodCall(call) if shapes::method(expr, &["spawn"], 1).is_some() => {
            (format!("{}.spawn", f.text_of(&call.receiver)), &call.args[0])
        }
        _ => return,
    };
    if matches!(body, Expr::Closure(closure) if !closure.inputs.is_empty()) {
        return;
    }
    let module =
        spawn.strip_suffix("spawn").filter(|module| module.ends_with("::")).unwrap_or("std::thread::");
    let body = match body {
        Expr::Closure(_) => format!("({})", f.text_of(body)),
        body => operand(f, body, "*", true),
    };
    f.replace(TSI, expr, format!("({{ let insyn_value = {body}(); {spawn}(move || insyn_value) }})"));
    f.replace(
        TSF,
        expr,
        format!(
            "(match {spawn}({body}).join() {{ Ok(value) => {spawn}(move || value), Err(panic) => std::panic::resume_unwind(panic) }})"
        ),
    );
    f.replace(TSD, expr, format!("{spawn}(move || {{ let _never = {body}; loop {{ {module}park(); }} }})"));
}

/// The time limit of a call that waits for a limited time.
fn limit(expr: &Expr) -> Option<&Expr> {
    if let Some(call) = shapes::call(expr, &["park_timeout"], 1) {
        return call.args.first();
    }
    shapes::method(expr, &["recv_timeout"], 1)
        .map(|call| &call.args[0])
        .or_else(|| shapes::method(expr, &["wait_timeout", "send_timeout"], 2).map(|call| &call.args[1]))
        .or_else(|| shapes::method(expr, &["wait_timeout_while"], 3).map(|call| &call.args[1]))
}

fn timeout(f: &mut Finder<'_>, expr: &Expr) {
    if let Some(limit) = limit(expr) {
        lengths(f, limit);
    }
    if let Some(call) = shapes::method(expr, &["recv_timeout"], 1) {
        let (rx, of) = (f.text_of(&call.receiver), f.facts.channels);
        f.replace(MTD, expr, format!("{rx}.recv().map_err(|_| {of}::RecvTimeoutError::Disconnected)"));
    }
    if let Some(call) = shapes::method(expr, &["send_timeout"], 2) {
        let (tx, value, of) = (f.text_of(&call.receiver), f.text_of(&call.args[0]), f.facts.channels);
        let sent = format!("{tx}.send({value}).map_err(|e| {of}::SendTimeoutError::Disconnected(e.0))");
        f.replace(MTD, expr, sent);
    }
    if let Some(call) = shapes::call(expr, &["park_timeout"], 1) {
        let park = f.text_of(&call.func).trim_end_matches("_timeout");
        f.replace(MTD, expr, format!("{park}()"));
    }
    // Only the guard is used, which a wait without a limit returns too.
    if let Expr::Field(field) = expr
        && matches!(&field.member, Member::Unnamed(index) if index.index == 0)
        && let Some(inner) = shapes::unwrapped(&field.base)
        && let Some(call) = shapes::method(inner, &["wait_timeout"], 2)
    {
        let rest = f.text_of(&field.base).strip_prefix(f.text_of(inner)).unwrap_or(".unwrap()");
        let (condvar, guard) = (f.text_of(&call.receiver), f.text_of(&call.args[0]));
        f.replace(MTD, expr, format!("{condvar}.wait({guard}){rest}"));
    }
}

fn lengths(f: &mut Finder<'_>, limit: &Expr) {
    f.replace(MXT, limit, format!("{} * 2", operand(f, limit, "*", false)));
    f.replace(MXT, limit, "std::time::Duration::ZERO");
}

/// The limit of a select: `timeout(d)`, or crossbeam's `default(d)`.
pub(crate) fn select(f: &mut Finder<'_>, select: &Select) {
    for arm in &select.arms {
        if (arm.word == "timeout" || arm.word == "default")
            && let Some(limit) = arm.args.as_ref().and_then(|(_, args)| args.first())
        {
            lengths(f, limit);
        }
    }
}

/// Input: `a.fetch_add(n, o)`. Output: `({ let insyn_old = a.load(..); a.store(insyn_old.wrapping_add(n), ..); insyn_old })`.
fn split(f: &Finder<'_>, call: &ExprMethodCall) -> Option<String> {
    const SEQ_CST: &str = "std::sync::atomic::Ordering::SeqCst";
    let is_ordering = |expr: &Expr| {
        shapes::path(expr).and_then(|path| path.segments.last()).is_some_and(|last| {
            ["Relaxed", "Acquire", "Release", "AcqRel", "SeqCst"].iter().any(|name| last.ident == name)
        })
    };
    if !is_ordering(call.args.last()?) {
        return None;
    }
    let (a, first) = (f.text_of(&call.receiver), f.text_of(&call.args[0]));
    let name = call.method.to_string();
    let new = match (name.as_str(), call.args.len()) {
        ("fetch_add", 2) => format!("insyn_old.wrapping_add({first})"),
        ("fetch_sub", 2) => format!("insyn_old.wrapping_sub({first})"),
        ("fetch_and", 2) => format!("insyn_old & ({first})"),
        ("fetch_or", 2) => format!("insyn_old | ({first})"),
        ("fetch_xor", 2) => format!("insyn_old ^ ({first})"),
        ("fetch_max", 2) => format!("insyn_old.max({first})"),
        ("fetch_min", 2) => format!("insyn_old.min({first})"),
        ("swap", 2) => first.to_owned(),
        ("compare_exchange" | "compare_exchange_weak", 4) => {
            let second = f.text_of(&call.args[1]);
            return Some(format!(
                "({{ let insyn_old = {a}.load({SEQ_CST}); if insyn_old == {first} {{ {a}.store({second}, {SEQ_CST}); Ok(insyn_old) }} else {{ Err(insyn_old) }} }})"
            ));
        }
        _ => return None,
    };
    Some(format!("({{ let insyn_old = {a}.load({SEQ_CST}); {a}.store({new}, {SEQ_CST}); insyn_old }})"))
}
