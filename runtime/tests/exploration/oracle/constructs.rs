//! Names the constructs that are in a program, so that none is forgotten by the generator.

use std::collections::BTreeSet;

use super::program::{Choice, Delivery, Holder, Object, OnceShape, Op, Otherwise, Program, Side};

/// Every name that [`constructs`] gives to constructs of the first families.
pub(crate) const FIRST: &[&str] = &[
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

/// Every other name that [`constructs`] gives.
pub(crate) const MORE: &[&str] = &[
    "arc to a handle",
    "arc without a handle",
    "atomic",
    "barrier",
    "clear_poison",
    "clone of an arc",
    "compare_exchange",
    "crossbeam bounded",
    "crossbeam rendezvous",
    "crossbeam select",
    "crossbeam select for sending",
    "crossbeam select with bias",
    "crossbeam select with default",
    "crossbeam select with timeout",
    "crossbeam unbounded",
    "downgrade",
    "drop of a weak pointer",
    "drop of an arc",
    "fetch_update",
    "handle in a message",
    "initializer that sends",
    "is_done",
    "is_finished",
    "is_leader",
    "is_poisoned",
    "lazy_lock",
    "len",
    "load",
    "lock in a panic",
    "never",
    "once",
    "once_lock",
    "panic in once",
    "panic with a lock",
    "park",
    "park_timeout",
    "ready",
    "recv_timeout",
    "recv_timeout on a buffer",
    "rwlock",
    "send by an arc",
    "send_timeout",
    "set",
    "several receivers",
    "store",
    "strong_count",
    "swap or fetch_add",
    "tick",
    "timer",
    "try_read",
    "try_send",
    "try_unwrap",
    "try_write",
    "unpark",
    "upgrade",
    "wait for once",
    "wait_timeout",
    "weak_count",
];

/// Every name that [`constructs`] gives to constructs of the last families only.
pub(crate) const LAST: &[&str] = &[
    "arc to a mutex",
    "clone of a sender",
    "clone of a wait group",
    "clone of a weak pointer",
    "crossbeam select with three arms",
    "downgrade of an arc",
    "drop of a wait group",
    "fetch_update that fails",
    "instant",
    "is_empty",
    "is_full",
    "lazy_lock that panics",
    "panic because of a lock",
    "panic because of once",
    "receiver in a message",
    "sleep",
    "thread that panics",
    "try_iter",
    "wait for a group",
    "wait group",
    "wait_timeout_while",
    "wait_while",
    "waiting",
    "yield_now",
];

/// The constructs in a program.
pub(crate) fn constructs(program: &Program) -> BTreeSet<&'static str> {
    let mut names: BTreeSet<&'static str> =
        program.objects.iter().map(|object| of_object(program, object)).collect();
    if program.objects.iter().any(|object| matches!(object.receiver(), Some(Holder::Under(_)))) {
        names.insert("handed receiver");
    }
    if program.threads.iter().any(|thread| thread.parent != 0) {
        names.insert("nested spawn");
    }
    if program.scoped {
        names.insert("scope");
    }
    if program.objects.iter().any(|object| object.receivers().count_ones() > 1) {
        names.insert("several receivers");
    }
    let ops = || program.threads.iter().flat_map(|thread| &thread.ops);
    let joined = ops().filter(|op| matches!(op, Op::Join(_))).count();
    if joined + 1 < program.threads.len() {
        names.insert("detached thread");
    }
    names.extend(ops().flat_map(|op| of_op(program, op)));
    names.remove("condition variable");
    names
}

fn of_object(program: &Program, object: &Object) -> &'static str {
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
        Object::Flow { capacity: None, .. } => "crossbeam unbounded",
        Object::Flow { capacity: Some(0), .. } => "crossbeam rendezvous",
        Object::Flow { .. } => "crossbeam bounded",
        Object::Timer { tick: true, .. } => "tick",
        Object::Timer { .. } => "timer",
        Object::Atomic { .. } => "atomic",
        Object::RwLock => "rwlock",
        Object::Barrier { .. } => "barrier",
        Object::WaitGroup { .. } => "wait group",
        Object::Once { shape: OnceShape::Once } => "once",
        Object::Once { shape: OnceShape::Lock } => "once_lock",
        Object::Once { shape: OnceShape::Lazy } => "lazy_lock",
        Object::Once { shape: OnceShape::Doomed } => "lazy_lock that panics",
        Object::Arc { to: Some(x), .. } if matches!(program.objects[*x], Object::Mutex) => "arc to a mutex",
        Object::Arc { to: Some(_), .. } => "arc to a handle",
        Object::Arc { .. } => "arc without a handle",
    }
}

fn of_op(program: &Program, op: &Op) -> Vec<&'static str> {
    let is_buffer = |o: &usize| matches!(program.objects[*o], Object::Buffer { .. });
    vec![match op {
        Op::TryRecv(o) if is_buffer(o) => "try_recv on a buffer",
        Op::TryRecv(_) => "try_recv",
        Op::RecvTimeout(o) if is_buffer(o) => "recv_timeout on a buffer",
        Op::RecvTimeout(_) => "recv_timeout",
        Op::TrySend(..) => "try_send",
        Op::SendTimeout(..) => "send_timeout",
        Op::SendHandle(..) => "handle in a message",
        Op::SendBy(..) => "send by an arc",
        Op::SendReceiver(..) => "receiver in a message",
        Op::CloneSender(_) => "clone of a sender",
        Op::TryDrain(_) => "try_iter",
        Op::Len(_) => "len",
        Op::IsEmpty(_) => "is_empty",
        Op::IsFull(_) => "is_full",
        Op::Drain(_) => "drain",
        Op::DropSender(_) => "drop of a sender",
        Op::DropReceiver(_) => "drop of a receiver",
        Op::TryLock(_) => "try-lock",
        Op::Poison(_) => "panic with a lock",
        Op::LockInPanic(_) => "lock in a panic",
        Op::Panic => "thread that panics",
        Op::LockOrPanic(_) => "panic because of a lock",
        Op::DoOnceOrPanic(_) | Op::AwaitOnceOrPanic(_) => "panic because of once",
        Op::WaitWhile(_) => "wait_while",
        Op::WaitTimeoutWhile(_) => "wait_timeout_while",
        Op::IsPoisoned(_) => "is_poisoned",
        Op::ClearPoison(_) => "clear_poison",
        Op::FailOnce(_) => "panic in once",
        Op::Wait(_) => "wait",
        Op::WaitTimeout(_) => "wait_timeout",
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
        Op::Choose(choice) => return of_choice(choice),
        Op::MonitorWait(..) => "monitor wait",
        Op::Signal(..) => "signal",
        Op::SignalAll(..) => "signal_all",
        Op::Waiting(..) => "waiting",
        Op::UnlessOdd(_) | Op::UnlessIs(..) => "branch",
        Op::Load(_) => "protected number",
        Op::Store(..) => "store",
        Op::AtomicLoad(_) => "load",
        Op::Swap(..) | Op::FetchAdd(..) => "swap or fetch_add",
        Op::CompareExchange(..) => "compare_exchange",
        Op::FetchUpdate(_) => "fetch_update",
        Op::UpdateOdd(_) => "fetch_update that fails",
        Op::TryRead(_) => "try_read",
        Op::TryWrite(_) => "try_write",
        Op::Downgrade(_) => "downgrade",
        Op::Arrive(_, true) => "is_leader",
        Op::CloneGroup(_) => "clone of a wait group",
        Op::DropGroup(_) => "drop of a wait group",
        Op::WaitGroup(_) => "wait for a group",
        Op::IsDone(_) => "is_done",
        Op::DoOnce(_, Some(_)) => "initializer that sends",
        Op::SetOnce(..) => "set",
        Op::AwaitOnce(_) => "wait for once",
        Op::Park => "park",
        Op::ParkTimeout => "park_timeout",
        Op::Unpark(_) => "unpark",
        Op::IsFinished(_) => "is_finished",
        Op::CloneArc(_) => "clone of an arc",
        Op::DropArc(_) => "drop of an arc",
        Op::DowngradeArc(_) => "downgrade of an arc",
        Op::CloneWeak(_) => "clone of a weak pointer",
        Op::DropWeak(_) => "drop of a weak pointer",
        Op::TryUnwrap(_) => "try_unwrap",
        Op::StrongCount(_) => "strong_count",
        Op::WeakCount(_) => "weak_count",
        Op::Upgrade(_) => "upgrade",
        Op::Yield => "yield_now",
        Op::Sleep => "sleep",
        Op::Now => "instant",
        _ => return Vec::new(),
    }]
}

fn of_choice(choice: &Choice) -> Vec<&'static str> {
    let mut names = vec![match choice.otherwise {
        Otherwise::Wait => "crossbeam select",
        Otherwise::Default => "crossbeam select with default",
        Otherwise::Timeout => "crossbeam select with timeout",
    }];
    if choice.ready {
        names.push("ready");
    }
    if choice.biased {
        names.push("crossbeam select with bias");
    }
    if choice.never {
        names.push("never");
    }
    if choice.arms.iter().any(|(_, side)| matches!(side, Side::Send(_))) {
        names.push("crossbeam select for sending");
    }
    if choice.arms.len() > 2 {
        names.push("crossbeam select with three arms");
    }
    names
}
