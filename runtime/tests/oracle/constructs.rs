//! Names the constructs that are in a program, so that none is forgotten by the generator.

use std::collections::BTreeSet;

use super::program::{Delivery, Holder, Object, Op, Otherwise, Program};

/// Every name that [`constructs`] gives.
pub(crate) const ALL: &[&str] = &[
    "accept",
    "accept_and_reply",
    "bag port",
    "binary semaphore",
    "bounded channel",
    "branch",
    "causal port",
    "channel",
    "counting semaphore",
    "detached thread",
    "drain",
    "drop of a call",
    "drop of a receiver",
    "drop of a sender",
    "entry",
    "fifo port",
    "handed receiver",
    "mailbox port",
    "monitor",
    "monitor wait",
    "mutex",
    "nested spawn",
    "notify_all",
    "notify_one",
    "protected number",
    "reentrant lock",
    "rendezvous",
    "scope",
    "select",
    "select with default",
    "select with timeout",
    "signal",
    "signal_all",
    "try-acquire",
    "try-lock",
    "try_recv",
    "try_recv on a buffer",
    "urgent monitor",
    "wait",
];

/// The constructs in a program.
pub(crate) fn constructs(program: &Program) -> BTreeSet<&'static str> {
    let mut names: BTreeSet<&'static str> = program.objects.iter().map(of_object).collect();
    if program.objects.iter().any(|object| matches!(object.receiver(), Some(Holder::Under(_)))) {
        names.insert("handed receiver");
    }
    if program.threads.iter().any(|thread| thread.parent != 0) {
        names.insert("nested spawn");
    }
    if program.scoped {
        names.insert("scope");
    }
    let ops = || program.threads.iter().flat_map(|thread| &thread.ops);
    let joined = ops().filter(|op| matches!(op, Op::Join(_))).count();
    if joined + 1 < program.threads.len() {
        names.insert("detached thread");
    }
    names.extend(ops().filter_map(|op| of_op(program, op)));
    names.remove("condition variable");
    names
}

fn of_object(object: &Object) -> &'static str {
    match object {
        Object::Port { delivery: Delivery::Channel, .. } => "channel",
        Object::Port { delivery: Delivery::Mailbox, .. } => "mailbox port",
        Object::Port { delivery: Delivery::Fifo, .. } => "fifo port",
        Object::Port { delivery: Delivery::Causal, .. } => "causal port",
        Object::Port { delivery: Delivery::Bag, .. } => "bag port",
        Object::Buffer { capacity: 0, .. } => "rendezvous",
        Object::Buffer { .. } => "bounded channel",
        Object::Entry { .. } => "entry",
        Object::Mutex => "mutex",
        Object::Reentrant => "reentrant lock",
        Object::Condvar { .. } => "condition variable",
        Object::Semaphore { binary: true, .. } => "binary semaphore",
        Object::Semaphore { .. } => "counting semaphore",
        Object::Monitor { urgent: true, .. } => "urgent monitor",
        Object::Monitor { .. } => "monitor",
    }
}

fn of_op(program: &Program, op: &Op) -> Option<&'static str> {
    Some(match op {
        Op::TryRecv(o) if matches!(program.objects[*o], Object::Buffer { .. }) => "try_recv on a buffer",
        Op::TryRecv(_) => "try_recv",
        Op::Drain(_) => "drain",
        Op::DropSender(_) => "drop of a sender",
        Op::DropReceiver(_) => "drop of a receiver",
        Op::TryLock(_) => "try-lock",
        Op::Wait(_) => "wait",
        Op::NotifyOne(_) => "notify_one",
        Op::NotifyAll(_) => "notify_all",
        Op::TryAcquire(_) => "try-acquire",
        Op::Accept(_) => "accept",
        Op::AcceptReply(_) | Op::Serve(_) => "accept_and_reply",
        Op::DropCall => "drop of a call",
        Op::Select(select) => match select.otherwise {
            Otherwise::Wait => "select",
            Otherwise::Default => "select with default",
            Otherwise::Timeout => "select with timeout",
        },
        Op::MonitorWait(..) => "monitor wait",
        Op::Signal(..) => "signal",
        Op::SignalAll(..) => "signal_all",
        Op::UnlessOdd(_) | Op::UnlessIs(..) => "branch",
        Op::Load(_) => "protected number",
        _ => return None,
    })
}
