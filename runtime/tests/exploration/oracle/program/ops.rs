//! The operations of a program's threads, and the values they work with.

/// What is sent.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    Just(u8),
    /// The last value (0 if none) plus this.
    LastPlus(u8),
}

impl Value {
    /// The value, for a thread with this last value.
    pub(crate) fn of(self, last: Option<u8>) -> u8 {
        match self {
            Value::Just(value) => value,
            Value::LastPlus(more) => last.unwrap_or(0).wrapping_add(more),
        }
    }
}

/// The value replied to a request.
pub(crate) fn reply_to(request: u8) -> u8 {
    request.wrapping_add(1)
}

/// The value replied by `accept_and_reply`, which is fixed before the request is known.
pub(crate) const EARLY_REPLY: u8 = 3;

/// The last value of a thread that found nothing, or no room, or timed out: an odd one, unlike after a disconnect.
pub(crate) const NOTHING_THERE: u8 = 1;

/// The last value of a thread that received the time.
pub(crate) const TIME: u8 = 2;

/// The last value of a thread that received a handle.
pub(crate) const HANDLE: u8 = 4;

/// The last value of a thread that tried to take a lock, and got it poisoned: an even one, unlike if it was not.
pub(crate) const POISONED: u8 = 2;

/// Whether a value takes a branch: it exists, and is odd.
pub(crate) fn is_odd(last: Option<u8>) -> bool {
    last.is_some_and(|value| value % 2 == 1)
}

/// Where a thread goes on after an operation that only branches; none if the operation does more.
pub(crate) fn steer(op: &Op, pc: usize, last: Option<u8>) -> Option<usize> {
    match op {
        Op::UnlessOdd(n) => Some(pc + 1 + if is_odd(last) { 0 } else { *n }),
        Op::UnlessIs(value, n) => Some(pc + 1 + if last == Some(*value) { 0 } else { *n }),
        Op::Back(n) => Some(pc - n),
        _ => None,
    }
}

/// When an arm of a select is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guard {
    Always,
    /// The last value is odd.
    Odd,
    /// The last value is even, or there is none.
    NotOdd,
    /// There is a last value, and it is below this.
    Below(u8),
    /// There is a last value, and it is above this.
    Above(u8),
}

impl Guard {
    /// Whether the arm is open for a thread with this last value.
    pub(crate) fn holds(self, last: Option<u8>) -> bool {
        match self {
            Guard::Always => true,
            Guard::Odd => is_odd(last),
            Guard::NotOdd => !is_odd(last),
            Guard::Below(bound) => last.is_some_and(|value| value < bound),
            Guard::Above(bound) => last.is_some_and(|value| value > bound),
        }
    }
}

/// What an operation does if it would have to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Otherwise {
    Wait,
    Default,
    Timeout,
}

/// An `insyn::select!` over ports and entries of one thread.
#[derive(Clone, Debug)]
pub(crate) struct Select {
    /// Up to three objects with their guards.
    pub(crate) arms: Vec<(usize, Guard)>,
    pub(crate) otherwise: Otherwise,
}

/// What an arm of a [`Choice`] does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Side {
    Send(Value),
    Recv,
}

/// A select of `crossbeam_channel` over channels and timers.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// The objects, each at most once for each side.
    pub(crate) arms: Vec<(usize, Side)>,
    pub(crate) otherwise: Otherwise,
    /// It only waits until one of the arms could be taken.
    pub(crate) ready: bool,
    /// It takes the first arm that it can.
    pub(crate) biased: bool,
    /// It also waits for a channel that never delivers.
    pub(crate) never: bool,
}

/// An operation of a thread. Numbers are indices of objects, but for threads in `Spawn`, `Join`, `IsFinished` and
/// `Unpark`, and conditions (the second number) of monitors.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    Spawn(usize),
    Join(usize),
    /// Asks whether a thread that it has spawned and not joined has finished: 1 or 0.
    IsFinished(usize),
    /// On channels of all kinds, as the next ten.
    Send(usize, Value),
    /// Not on ports and not on an `mpsc::channel`.
    TrySend(usize, Value),
    /// On channels of crossbeam only.
    SendTimeout(usize, Value),
    Recv(usize),
    TryRecv(usize),
    /// Not on ports.
    RecvTimeout(usize),
    /// Receives until disconnected. Not on timers.
    Drain(usize),
    /// Receives until there is nothing. Neither on timers nor on ports.
    TryDrain(usize),
    /// Asks how many messages are inside. On channels of crossbeam only.
    Len(usize),
    /// Asks whether nothing is inside: 1 or 0. On channels of crossbeam and on timers.
    IsEmpty(usize),
    /// Asks whether there is no room: 1 or 0. On channels of crossbeam only.
    IsFull(usize),
    /// Makes itself another sending handle. With several, it drops or sends the one that it got last.
    CloneSender(usize),
    /// Also drops a caller.
    DropSender(usize),
    /// Also drops an entry.
    DropReceiver(usize),
    /// Sends its own handle for sending (on the second object) over the first object; if that fails, the handle is
    /// dropped. The receiving thread keeps it, or drops it at once if it has one already.
    SendHandle(usize, usize),
    /// As `SendHandle`, for a receiving handle of which there is only one.
    SendReceiver(usize, usize),
    /// Sends by the handle that a counted pointer points to.
    SendBy(usize, Value),
    Choose(Choice),
    /// On mutexes and reentrant locks, as the next two.
    Lock(usize),
    TryLock(usize),
    Unlock(usize),
    /// Releases a mutex, or the last guard it took of an rwlock, in a panic that it catches.
    Poison(usize),
    /// Takes a mutex and releases it in the middle of a panic that it then catches, which does not poison the mutex.
    LockInPanic(usize),
    /// Asks a mutex or rwlock whether it is poisoned: 1 or 0. (A thread that takes a poisoned one gets 1, too.)
    IsPoisoned(usize),
    /// Clears the poison of a mutex or rwlock.
    ClearPoison(usize),
    /// Panics, and does not catch the panic: releases everything in the middle of it.
    Panic,
    /// Takes a mutex, and panics as `Panic` does if it is poisoned.
    LockOrPanic(usize),
    Wait(usize),
    /// 1 if it timed out, 0 if notified, [`POISONED`] if the mutex is poisoned.
    WaitTimeout(usize),
    /// Waits while the number under the mutex is even; not again if the mutex is poisoned.
    WaitWhile(usize),
    /// As `WaitWhile` and `WaitTimeout`: not again after a timeout.
    WaitTimeoutWhile(usize),
    NotifyOne(usize),
    NotifyAll(usize),
    Acquire(usize),
    TryAcquire(usize),
    Release(usize),
    Call(usize, Value),
    /// Accepts a call and keeps it.
    Accept(usize),
    AcceptReply(usize),
    /// Accepts and replies until closed.
    Serve(usize),
    /// Replies to the call kept last.
    Reply,
    /// Drops the call kept last.
    DropCall,
    /// A call that was taken is kept.
    Select(Select),
    Enter(usize),
    Exit(usize),
    MonitorWait(usize, usize),
    Signal(usize, usize),
    SignalAll(usize, usize),
    /// Asks how many threads wait on a condition of a monitor.
    Waiting(usize, usize),
    /// Writes an atomic.
    Store(usize, Value),
    /// Makes the value of an atomic the last value; so do the next two, with the previous value.
    AtomicLoad(usize),
    Swap(usize, Value),
    FetchAdd(usize, Value),
    /// If the atomic has the first value, writes the second: 1 or 0.
    CompareExchange(usize, u8, Value),
    /// Adds one, by `fetch_update`.
    FetchUpdate(usize),
    /// Adds one to an odd value, by `fetch_update`: 1 or 0.
    UpdateOdd(usize),
    /// On rwlocks, as the next five. A thread may read again while it reads.
    Read(usize),
    TryRead(usize),
    Write(usize),
    TryWrite(usize),
    /// Releases what it took last.
    UnlockRw(usize),
    Downgrade(usize),
    /// Arrives at a barrier, and perhaps asks whether it is the leader: 1 or 0.
    Arrive(usize, bool),
    /// Makes itself another handle of a wait group.
    CloneGroup(usize),
    DropGroup(usize),
    /// Drops a handle of a wait group, and waits until none is left.
    WaitGroup(usize),
    /// Asks whether it is done: 1 or 0, or the value that was set or none.
    IsDone(usize),
    /// Runs the closure, unless it has run. The closure may include a send on a channel or port. The last value becomes the
    /// value that is set.
    DoOnce(usize, Option<usize>),
    /// As `DoOnce`, but the closure panics, and the thread catches that; all others go on in spite of it. Not on lazy ones.
    FailOnce(usize),
    /// Sets the value, or runs the closure: 1 or 0.
    SetOnce(usize, Value),
    /// Waits until a thread has run the closure.
    AwaitOnce(usize),
    /// As `DoOnce`, but if a thread has panicked while running it, panics as `Panic` does.
    DoOnceOrPanic(usize),
    /// As `AwaitOnce`, but if a thread has panicked while running it, panics as `Panic` does. On a `Once` only.
    AwaitOnceOrPanic(usize),
    Park,
    ParkTimeout,
    /// Unparks a thread that certainly exists, see [`super::Program::can_unpark`].
    Unpark(usize),
    CloneArc(usize),
    DropArc(usize),
    /// Makes itself a weak pointer.
    DowngradeArc(usize),
    /// Makes itself another weak pointer out of one.
    CloneWeak(usize),
    /// Drops a weak pointer.
    DropWeak(usize),
    /// Drops its pointer if it is the last, and what it points to: 1 or 0.
    TryUnwrap(usize),
    StrongCount(usize),
    /// How many weak pointers there are; none for a thread that has only a weak one if there is no strong one.
    WeakCount(usize),
    /// Makes a pointer out of its weak one: 1 or 0.
    Upgrade(usize),
    /// Lets others go first.
    Yield,
    /// Sleeps for as long as every timeout takes.
    Sleep,
    /// Reads its clock: how many such durations have passed.
    Now,
    /// Makes this the last value.
    Remember(u8),
    /// Makes the number under a mutex, rwlock or monitor the last value.
    Load(usize),
    /// Adds to the number under a mutex, rwlock (held for writing) or monitor, wrapping.
    Add(usize, Value),
    /// Skips this many of the next operations when the last value is even or none.
    UnlessOdd(usize),
    /// Skips the next operations (the second number) when the last value is not this.
    UnlessIs(u8, usize),
    /// Goes back by this many operations. Never generated, since loops must end.
    Back(usize),
}

impl Op {
    /// The objects that it names.
    pub(crate) fn objects_mut(&mut self) -> Vec<&mut usize> {
        match self {
            Op::Spawn(_) | Op::Join(_) | Op::IsFinished(_) | Op::Unpark(_) => Vec::new(),
            Op::Reply | Op::DropCall | Op::Park | Op::ParkTimeout | Op::Remember(_) => Vec::new(),
            Op::Panic | Op::Yield | Op::Sleep | Op::Now => Vec::new(),
            Op::UnlessOdd(_) | Op::UnlessIs(..) | Op::Back(_) => Vec::new(),
            Op::SendHandle(o, x) | Op::SendReceiver(o, x) | Op::DoOnce(o, Some(x)) => vec![o, x],
            Op::Choose(choice) => choice.arms.iter_mut().map(|(o, _)| o).collect(),
            Op::Select(select) => select.arms.iter_mut().map(|(o, _)| o).collect(),
            Op::Send(o, _) | Op::TrySend(o, _) | Op::SendTimeout(o, _) | Op::SendBy(o, _) => vec![o],
            Op::Recv(o) | Op::TryRecv(o) | Op::RecvTimeout(o) | Op::Drain(o) | Op::Len(o) => vec![o],
            Op::TryDrain(o) | Op::IsEmpty(o) | Op::IsFull(o) => vec![o],
            Op::CloneSender(o) | Op::DropSender(o) | Op::DropReceiver(o) => vec![o],
            Op::Lock(o)
            | Op::TryLock(o)
            | Op::Unlock(o)
            | Op::Poison(o)
            | Op::LockInPanic(o)
            | Op::LockOrPanic(o)
            | Op::IsPoisoned(o)
            | Op::ClearPoison(o) => {
                vec![o]
            }
            Op::WaitWhile(o) | Op::WaitTimeoutWhile(o) => vec![o],
            Op::Wait(o) | Op::WaitTimeout(o) | Op::NotifyOne(o) | Op::NotifyAll(o) => {
                vec![o]
            }
            Op::Acquire(o) | Op::TryAcquire(o) | Op::Release(o) => vec![o],
            Op::Call(o, _) | Op::Accept(o) | Op::AcceptReply(o) | Op::Serve(o) => vec![o],
            Op::Enter(o) | Op::Exit(o) => vec![o],
            Op::MonitorWait(o, _) | Op::Signal(o, _) | Op::SignalAll(o, _) | Op::Waiting(o, _) => vec![o],
            Op::Store(o, _) | Op::AtomicLoad(o) | Op::Swap(o, _) | Op::FetchAdd(o, _) => vec![o],
            Op::CompareExchange(o, ..) | Op::FetchUpdate(o) | Op::UpdateOdd(o) => vec![o],
            Op::Read(o) | Op::TryRead(o) | Op::Write(o) | Op::TryWrite(o) => vec![o],
            Op::UnlockRw(o) | Op::Downgrade(o) => vec![o],
            Op::Arrive(o, _) | Op::CloneGroup(o) | Op::DropGroup(o) | Op::WaitGroup(o) => vec![o],
            Op::IsDone(o) | Op::DoOnce(o, None) | Op::SetOnce(o, _) | Op::AwaitOnce(o) | Op::FailOnce(o) => {
                vec![o]
            }
            Op::DoOnceOrPanic(o) | Op::AwaitOnceOrPanic(o) => vec![o],
            Op::CloneArc(o) | Op::DropArc(o) | Op::DropWeak(o) | Op::TryUnwrap(o) => vec![o],
            Op::DowngradeArc(o) | Op::CloneWeak(o) => vec![o],
            Op::StrongCount(o) | Op::WeakCount(o) | Op::Upgrade(o) => vec![o],
            Op::Load(o) | Op::Add(o, _) => vec![o],
        }
    }

    /// Whether the thread may end there.
    pub(crate) fn may_panic(&self) -> bool {
        matches!(self, Op::Panic | Op::LockOrPanic(_) | Op::DoOnceOrPanic(_) | Op::AwaitOnceOrPanic(_))
    }

    /// The thread that it names.
    pub(crate) fn thread_mut(&mut self) -> Option<&mut usize> {
        match self {
            Op::Spawn(t) | Op::Join(t) | Op::IsFinished(t) | Op::Unpark(t) => Some(t),
            _ => None,
        }
    }
}
