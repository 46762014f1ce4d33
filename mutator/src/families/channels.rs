//! Channels: messages, calls and replies, and the selects that wait for them.
//!
//! | code | before → after |
//! |---|---|
//! | SND | `tx.send(v)` → `drop(v)`: the message is lost; where the result is used, it is `Ok(())` |
//! | SDU | `tx.send(v)` → sent twice |
//! | STS | `tx.send(v)` → `other.send(v)` |
//! | SOS | two sends in a row → the second first |
//! | CCP | `sync_channel(n)` → `n + 1`, `n - 1`, `0`; `bounded(n)` likewise |
//! | CSY | `bounded(n)` → `unbounded()`, and back to a rendezvous; crossbeam's only, where the type stays |
//! | RTR | `rx.recv()` → `rx.try_recv()` |
//! | TRR | `rx.try_recv()` → `rx.recv()` |
//! | STT | `tx.send(v)` → `tx.try_send(v)` |
//! | RDD | `rx.recv()` → one message received and lost before |
//! | DSR | `drop(tx)` → `std::mem::forget(tx)`: never dropped |
//! | DSE | a sender is dropped one statement earlier, or after its last use |
//! | ARD | an arm of a select → `if false`, or `never()`: it is not there; one that sends, a timeout and a default are left out |
//! | ARS | two arms of a select swap what they receive from |
//! | ARO | two arms of a `select_biased!` → the second first |
//! | RPD | `call.reply(v)` → the call is dropped without a reply |
//! | RPM | `call.reply(v)` → one statement earlier |
//!
//! Arms of other selects are not swapped or doubled: which is taken does not depend on their order or number.

use insyn_syntax::{Arm, Select};
use quote::ToTokens;
use syn::{Block, Expr, ExprMethodCall, Local, Pat, Stmt};

use super::counts;
use crate::extent::Extent;
use crate::finder::Finder;
use crate::names::Holds;
use crate::operator::{Family, Operator};
use crate::select;
use crate::shapes;

const SND: Operator = Operator::new("SND", Family::Channels, "tx.send(v) → drop(v)");
const SDU: Operator = Operator::new("SDU", Family::Channels, "tx.send(v) → sent twice");
const STS: Operator = Operator::new("STS", Family::Channels, "tx.send(v) → other.send(v)");
const SOS: Operator = Operator::new("SOS", Family::Channels, "send; send → swapped");
const CCP: Operator = Operator::new("CCP", Family::Channels, "sync_channel(n) → n + 1, n - 1, 0");
const CSY: Operator = Operator::new("CSY", Family::Channels, "bounded(n) → unbounded()");
const RTR: Operator = Operator::new("RTR", Family::Channels, "rx.recv() → rx.try_recv()");
const TRR: Operator = Operator::new("TRR", Family::Channels, "rx.try_recv() → rx.recv()");
const STT: Operator = Operator::new("STT", Family::Channels, "tx.send(v) → tx.try_send(v)");
const RDD: Operator = Operator::new("RDD", Family::Channels, "rx.recv() → one message lost before");
const DSR: Operator = Operator::new("DSR", Family::Channels, "drop(tx) → std::mem::forget(tx)");
const DSE: Operator = Operator::new("DSE", Family::Channels, "drop(tx) → earlier");
const ARD: Operator = Operator::new("ARD", Family::Channels, "select arm → off");
const ARS: Operator = Operator::new("ARS", Family::Channels, "select arms → sources swapped");
const ARO: Operator = Operator::new("ARO", Family::Channels, "select_biased arms → swapped");
const RPD: Operator = Operator::new("RPD", Family::Channels, "call.reply(v) → no reply");
const RPM: Operator = Operator::new("RPM", Family::Channels, "call.reply(v) → earlier");

pub(crate) const OPERATORS: &[Operator] =
    &[SND, SDU, STS, SOS, CCP, CSY, RTR, TRR, STT, RDD, DSR, DSE, ARD, ARS, ARO, RPD, RPM];

fn send(expr: &Expr) -> Option<&ExprMethodCall> {
    shapes::method(expr, &["send"], 1)
}

/// Functions that make both ends of a channel or an entry.
const MAKERS: [&str; 6] = ["channel", "sync_channel", "bounded", "unbounded", "entry", "port"];

pub(crate) fn block(f: &mut Finder<'_>, block: &Block) {
    for (index, stmt) in block.stmts.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| &block.stmts[before]);
        let Some(deed) = shapes::deed(stmt) else { continue };
        if let Some(call) = send(deed) {
            f.take(stmt);
            f.take(call);
            f.replace(SND, stmt, format!("drop({});", f.text_of(&call.args[0])));
            if let Some(before) = before
                && shapes::deed(before).and_then(send).is_some()
            {
                f.swap(SOS, before, stmt);
            }
        }
        if let Some(call) = shapes::method(deed, &["reply"], 1) {
            f.take(stmt);
            let (of, value) = (f.text_of(&call.receiver), f.text_of(&call.args[0]));
            f.replace(RPD, stmt, format!("drop(({of}, {value}));"));
            // A reply must be the last use of a call.
            let still_used = |before: &Stmt| {
                shapes::variable(&call.receiver).is_some_and(|name| shapes::mentions(before, &name))
            };
            if let Some(before) = before
                && can_come_before(stmt, before)
                && !still_used(before)
            {
                f.swap(RPM, before, stmt);
            }
        }
        if let Some(call) = shapes::call(deed, &["drop"], 1)
            && shapes::variable(&call.args[0]).is_none_or(|name| f.names.holds(&name) == Holds::Something)
        {
            f.take(stmt);
            f.replace(DSR, call, format!("std::mem::forget({})", f.text_of(&call.args[0])));
            if let Some(before) = before
                && can_come_before(stmt, before)
                && shapes::variable(&call.args[0]).is_some_and(|name| !shapes::mentions(before, &name))
            {
                f.swap(DSE, before, stmt);
            }
        }
    }
    for (index, stmt) in block.stmts.iter().enumerate() {
        if let Some(sender) = sender_made(stmt) {
            drop_after_last_use(f, &block.stmts[index + 1..], &sender);
        }
    }
}

/// Whether a statement can move before the previous one: it does not mention anything that the previous one declares.
pub(super) fn can_come_before(stmt: &Stmt, before: &Stmt) -> bool {
    match before {
        Stmt::Local(Local { pat, .. }) => {
            let names = pat.to_token_stream().into_iter().flat_map(names_in);
            !names.into_iter().any(|name| shapes::mentions(stmt, &name))
        }
        Stmt::Item(_) => false,
        // A statement that leaves the block must stay last.
        Stmt::Expr(Expr::Return(_) | Expr::Break(_) | Expr::Continue(_), _) => false,
        _ => true,
    }
}

fn names_in(token: proc_macro2::TokenTree) -> Vec<String> {
    match token {
        proc_macro2::TokenTree::Ident(name) => vec![name.to_string()],
        proc_macro2::TokenTree::Group(group) => group.stream().into_iter().flat_map(names_in).collect(),
        _ => Vec::new(),
    }
}

/// Input: `let (tx, rx) = channel();`. Output: `tx`.
fn sender_made(stmt: &Stmt) -> Option<String> {
    let Stmt::Local(Local { pat: Pat::Tuple(pat), init: Some(init), .. }) = stmt else { return None };
    let made = (0..=1).any(|args| shapes::call(&init.expr, &MAKERS, args).is_some());
    match pat.elems.first() {
        Some(Pat::Ident(name)) if made => Some(name.ident.to_string()),
        _ => None,
    }
}

/// Drops a sender after the last statement that mentions it, if it would live longer and has not been moved away.
fn drop_after_last_use(f: &mut Finder<'_>, rest: &[Stmt], sender: &str) {
    let Some(last) = rest.iter().rposition(|stmt| shapes::mentions(stmt, sender)) else { return };
    let ends_there = last + 1 == rest.len();
    if !ends_there && is_borrowed(&rest[last], sender) {
        f.insert_after(DSE, &rest[last], &format!("drop({sender});"));
    }
}

/// Whether a statement only reads a variable: `tx.clone()`, `&tx`.
fn is_borrowed(stmt: &Stmt, name: &str) -> bool {
    fn only_read(tokens: proc_macro2::TokenStream, name: &str) -> bool {
        use proc_macro2::TokenTree::{Group, Ident, Punct};
        let tokens: Vec<_> = tokens.into_iter().collect();
        tokens.iter().enumerate().all(|(at, token)| match token {
            Group(group) => only_read(group.stream(), name),
            Ident(word) if word == "move" => false,
            Ident(word) if word == name => {
                let is =
                    |at: usize, punct: char| matches!(tokens.get(at), Some(Punct(p)) if p.as_char() == punct);
                is(at + 1, '.') || at > 0 && is(at - 1, '&')
            }
            _ => true,
        })
    }
    only_read(stmt.to_token_stream(), name)
}

pub(crate) fn expr(f: &mut Finder<'_>, expr: &Expr) {
    if let Some(call) = send(expr) {
        sent(f, expr, call);
    }
    let of = f.facts.channels;
    if let Some(call) = shapes::method(expr, &["recv"], 0) {
        let rx = f.text_of(&call.receiver);
        f.replace(RTR, expr, format!("{rx}.try_recv().map_err(|_| {of}::RecvError)"));
        f.replace(RDD, expr, format!("({{ let _ = {rx}.recv(); {rx}.recv() }})"));
    }
    if let Some(call) = shapes::method(expr, &["try_recv"], 0) {
        let rx = f.text_of(&call.receiver);
        f.replace(TRR, expr, format!("{rx}.recv().map_err(|_| {of}::TryRecvError::Disconnected)"));
    }
    if let Some(call) = shapes::call(expr, &["sync_channel", "bounded"], 1) {
        let capacity = &call.args[0];
        f.take(capacity);
        for count in counts(f, capacity) {
            f.replace(CCP, capacity, count);
        }
        if f.facts.is_crossbeam() && shapes::call(expr, &["bounded"], 1).is_some() {
            f.replace(CSY, expr, format!("{of}::unbounded()"));
        }
    }
    if f.facts.is_crossbeam() && shapes::call(expr, &["unbounded"], 0).is_some() {
        f.replace(CSY, expr, format!("{of}::bounded(0)"));
    }
}

fn sent(f: &mut Finder<'_>, expr: &Expr, call: &ExprMethodCall) {
    let (tx, value) = (f.text_of(&call.receiver), f.text_of(&call.args[0]));
    if f.take(call) {
        // The branch that is never taken gives the result its type.
        let lost = format!("(if true {{ drop({value}); Ok(()) }} else {{ {tx}.send(unreachable!()) }})");
        f.replace(SND, expr, lost);
    }
    let twice = format!(
        "({{ let insyn_message = {value}; let _ = {tx}.send(Clone::clone(&insyn_message)); {tx}.send(insyn_message) }})"
    );
    f.replace(SDU, expr, twice);
    for other in f.names.other_senders(tx) {
        f.replace(STS, &call.receiver, other);
    }
    let of = f.facts.channels;
    if f.facts.is_crossbeam() {
        f.replace(STT, expr, format!("{tx}.try_send({value}).map_err(|e| {of}::SendError(e.into_inner()))"));
    } else if f.facts.bounded {
        let full = format!(
            "{tx}.try_send({value}).map_err(|e| match e {{ {of}::TrySendError::Full(v) | {of}::TrySendError::Disconnected(v) => {of}::SendError(v) }})"
        );
        f.replace(STT, expr, full);
    }
}

/// The mutants of a select macro with this name; `own` if it is insyn's.
pub(crate) fn select(f: &mut Finder<'_>, select: &Select, name: &str, own: bool) {
    for arm in &select.arms {
        let Some(source) = select::source(arm) else {
            let can_be_missed = ["send", "timeout", "default"].iter().any(|word| arm.word == word);
            if let Some(extent) = select::whole(arm).filter(|_| can_be_missed && select.arms.len() > 1) {
                f.replace_extent(ARD, extent, "");
            }
            continue;
        };
        if own {
            if let Some(slot) = select::guard_slot(arm) {
                f.insert(ARD, slot, " if false");
            }
        } else {
            f.replace(ARD, source, format!("{}::never()", f.facts.channels));
        }
    }
    for (index, first) in select.arms.iter().enumerate() {
        for second in &select.arms[index + 1..] {
            swap_sources(f, first, second);
        }
    }
    if name == "select_biased" {
        for pair in select.arms.windows(2) {
            if pair.iter().all(|arm| arm.word != "default")
                && let (Some(first), Some(second)) = (select::extent(&pair[0]), select::extent(&pair[1]))
            {
                f.swap_extents(ARO, first, second);
            }
        }
    }
}

/// Input: `recv(a) .., recv(b) ..`. Output: `recv(b) .., recv(a) ..`.
fn swap_sources(f: &mut Finder<'_>, first: &Arm, second: &Arm) {
    let (Some(a), Some(b)) = (select::source(first), select::source(second)) else { return };
    let (Some(whole), Some(end)) = (Extent::of(&first.word), second.args.as_ref()) else { return };
    let (Some(a), Some(b)) = (Extent::of(a), Extent::of(b)) else { return };
    if first.word != second.word || f.text.slice(a) == f.text.slice(b) {
        return;
    }
    let end = end.0.span.close().end().into();
    let piece = |start, end| f.text.slice(Extent { start, end });
    let swapped = [
        piece(whole.start, a.start),
        f.text.slice(b),
        piece(a.end, b.start),
        f.text.slice(a),
        piece(b.end, end),
    ];
    let swapped = swapped.concat();
    f.replace_extent(ARS, Extent { start: whole.start, end }, swapped);
}
