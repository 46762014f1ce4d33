//! Objects with an order of their own: locks, semaphores, condition variables, bounded channels, monitors.
//!
//! A thread *calls* an object (an event on the thread) and goes on when the call is *completed* (an event on the
//! object, which picks the call). Which calls could be completed depends on the object's state alone ([`openness`]),
//! so the analysis of races asks the same question afterwards about calls that were not picked.

use std::collections::VecDeque;

use super::event::{Event, Flags, Ix, Kind, NONE, Op, Pick, Span};
use super::ports::Delivery;
use super::threads::{self, WaitFor, begin, wait};
use super::{Execution, Place, Plan, alive, of};

/// The state of an object in the running program. One type for all kinds, so that the memory of one run serves the
/// next; each kind uses the fields it needs.
#[derive(Debug)]
pub(crate) struct Object {
    pub(crate) process: u32,
    pub(crate) kind: Kind,
    /// What its next completion comes after.
    pub(crate) prev: Ix,
    /// See [`openness`].
    pub(crate) state: u64,
    pub(crate) capacity: u64,
    /// All delivered sends, or all calls, of the run, in order.
    pub(crate) sending: Vec<Ix>,
    /// Calls that wait to be completed, in the order they came.
    pub(crate) pending: Vec<Call>,
    /// Bounded channel: the put calls whose messages are inside.
    pub(crate) inside: VecDeque<Ix>,
    /// Condition variable: the completed waits of those who wait, longest first.
    pub(crate) waiters: Vec<Ix>,
    /// Monitor: signallers that wait to go on, latest last.
    pub(crate) urgent: Vec<u32>,
    /// Monitor: per condition, who waits, longest first.
    pub(crate) conditions: Vec<VecDeque<u32>>,
    /// Port: what has been sent and not received, in no particular order.
    pub(crate) unreceived: Vec<Ix>,
    pub(crate) delivery: Delivery,
    /// Port: the thread that waits to receive.
    pub(crate) receiver: u32,
    pub(crate) receiver_drop: Ix,
    /// Channel: handles for sending that are left, the drops of the others, and the disconnect.
    pub(crate) handles: u32,
    pub(crate) drops: Vec<Ix>,
    pub(crate) closed: Ix,
}

/// A call that waits to be completed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    pub(crate) event: Ix,
    pub(crate) thread: u32,
    pub(crate) op: Op,
}

/// The one or two events that a completion takes.
pub(crate) type Mates = [Ix; 2];

/// Whether a call can be completed in some state of its object, and with what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Openness {
    Shut,
    /// By itself.
    Alone,
    /// Only together with the disconnect.
    WithDisconnect,
    /// By itself, or together with the disconnect if that has come.
    MaybeDisconnect,
    /// Together with one of the waiters.
    WithWaiter,
    /// A put that needs a take.
    NeedsTake,
    /// A take that needs a put, or the disconnect.
    NeedsPut,
    /// A take that needs nothing, but finds a put that waits.
    MayFindPut,
}

/// The receiver of the channel is gone.
pub(crate) const RECEIVER_GONE: u64 = 1 << 63;

/// Whether a call of `op` by `thread` can be completed in a state of an object.
///
/// What the state means: mutex, monitor: the owner plus one, or zero; reentrant lock: the same in the upper half,
/// how often in the lower; semaphore: its value; bounded channel: how many messages are inside, and
/// [`RECEIVER_GONE`]; condition variable: how many wait.
#[inline]
pub(crate) fn openness(kind: Kind, capacity: u64, state: u64, op: Op, thread: u32) -> Openness {
    let owner = u64::from(thread) + 1;
    let gone = state & RECEIVER_GONE != 0;
    let inside = state & !RECEIVER_GONE;
    let open = match (kind, op) {
        (_, Op::TryLock | Op::TryAcquire | Op::DropReceiver | Op::Wait | Op::NotifyAll) => true,
        (Kind::Mutex, Op::Lock) | (Kind::Monitor, Op::Enter | Op::Reenter) => state == 0,
        (Kind::Mutex, Op::Unlock) => state == owner,
        (Kind::ReentrantLock, Op::Lock) => state == 0 || state >> 32 == owner,
        (Kind::ReentrantLock, Op::Unlock) => state >> 32 == owner,
        (Kind::Semaphore, Op::Acquire) => state > 0,
        (Kind::Semaphore, Op::Release) => state < capacity,
        (Kind::Bounded, Op::Put) => gone || inside < capacity,
        (Kind::Bounded, Op::Take) if inside == 0 => return Openness::WithDisconnect,
        (Kind::Bounded, Op::TryTake) if inside == 0 => return Openness::MaybeDisconnect,
        (Kind::Bounded, Op::Take | Op::TryTake) => true,
        (Kind::Rendezvous, Op::Put) if gone => true,
        (Kind::Rendezvous, Op::Put) => return Openness::NeedsTake,
        (Kind::Rendezvous, Op::Take) => return Openness::NeedsPut,
        (Kind::Rendezvous, Op::TryTake) => return Openness::MayFindPut,
        (Kind::Condvar, Op::NotifyOne) if state > 0 => return Openness::WithWaiter,
        (Kind::Condvar, Op::NotifyOne) => true,
        _ => unreachable!("{op:?} is no operation of a {kind:?}"),
    };
    if open { Openness::Alone } else { Openness::Shut }
}

/// Everything that a completion could take: `calls` that are waiting, in a given state.
pub(crate) struct Choices<'a> {
    pub(crate) kind: Kind,
    pub(crate) capacity: u64,
    pub(crate) state: u64,
    /// The disconnect, if it may be taken.
    pub(crate) closed: Ix,
    /// Who could be notified.
    pub(crate) waiters: &'a [Ix],
    /// Only the longest waiter is ever notified.
    pub(crate) longest_waiter: bool,
    /// A take may come back empty although there is a disconnect: it may have come first.
    pub(crate) may_be_early: bool,
}

impl Choices<'_> {
    /// Calls `found` for every choice, in the order of `calls`. What comes back empty-handed comes last.
    pub(crate) fn each(&self, calls: &[Call], mut found: impl FnMut(Mates)) {
        for call in calls {
            let alone = [call.event, NONE];
            match openness(self.kind, self.capacity, self.state, call.op, call.thread) {
                Openness::Shut => {}
                Openness::Alone => found(alone),
                Openness::WithDisconnect if self.closed == NONE => {}
                Openness::WithDisconnect => found([call.event, self.closed]),
                Openness::MaybeDisconnect => {
                    if self.closed != NONE {
                        found([call.event, self.closed]);
                    }
                    if self.closed == NONE || self.may_be_early {
                        found(alone);
                    }
                }
                Openness::WithWaiter => {
                    let n = if self.longest_waiter { 1 } else { self.waiters.len() };
                    self.waiters[..n].iter().for_each(|&waiter| found([call.event, waiter]));
                }
                // The take that it is paired with lists the pair.
                Openness::NeedsTake => {}
                needs @ (Openness::NeedsPut | Openness::MayFindPut) => {
                    let puts = calls.iter().filter(|c| c.op == Op::Put && c.thread != call.thread);
                    puts.for_each(|put| found([put.event, call.event]));
                    if self.closed != NONE {
                        found([call.event, self.closed]);
                    }
                    if needs == Openness::MayFindPut && (self.closed == NONE || self.may_be_early) {
                        found(alone);
                    }
                }
            }
        }
    }
}

/// What a completion tells the caller.
pub(crate) mod answer {
    /// Nothing to tell, or: it failed.
    pub(crate) const NO: u64 = 0;
    /// It succeeded.
    pub(crate) const YES: u64 = 1;
    /// The channel is disconnected.
    pub(crate) const DISCONNECTED: u64 = 2;
    /// The channel is empty.
    pub(crate) const EMPTY: u64 = 3;
    /// Added to the put whose message was taken.
    pub(crate) const MESSAGE: u64 = 1 << 32;
}

/// Calls an object and waits for the completion; tells what it decided.
pub(crate) fn call(stamp: u64, object: u32, op: Op, place: Place) -> u64 {
    let (_, answer) = call_as(stamp, object, op, place, |_| {});
    answer
}

/// As [`call`]; `before` gets the name of the call before it can be completed.
#[inline]
pub(crate) fn call_as(stamp: u64, object: u32, op: Op, place: Place, before: impl FnOnce(Ix)) -> (Ix, u64) {
    let mut x = begin(stamp);
    let event = x.record_thread(op, object, place);
    before(event);
    let me = x.running;
    x.threads[me as usize].calling = true;
    x.objects[object as usize].sending.push(event);
    x.objects[object as usize].pending.push(Call { event, thread: me, op });
    x.advance(object);
    while x.threads[me as usize].calling {
        x.block(WaitFor::Completion { object, op }, place);
        wait();
        x = of(stamp);
    }
    let answer = std::mem::take(&mut x.threads[me as usize].answer);
    if matches!(op, Op::TryLock | Op::TryAcquire | Op::TryTake)
        && matches!(answer, answer::NO | answer::EMPTY)
    {
        threads::came_back_empty();
    }
    (event, answer)
}

/// As [`call`], from a destructor: does nothing once the program is over.
pub(crate) fn call_in_drop(stamp: u64, object: u32, op: Op, place: Place) {
    if alive(stamp).is_some() {
        call(stamp, object, op, place);
    }
}

/// Waits, after a completed wait on a condition variable, to be notified.
pub(crate) fn await_notification(stamp: u64, object: u32, place: Place) {
    let mut x = of(stamp);
    let me = x.running as usize;
    while x.threads[me].woken_by == NONE {
        x.block(WaitFor::Notification { object }, place);
        wait();
        x = of(stamp);
    }
    x.threads[me].also = std::mem::replace(&mut x.threads[me].woken_by, NONE);
}

/// Makes an object; `capacity` and `state` as its kind understands them.
pub(crate) fn new_object(stamp: u64, kind: Kind, capacity: u64, state: u64) -> u32 {
    let x = of(stamp);
    let o = x.new_object(kind);
    let object = &mut x.objects[o as usize];
    object.capacity = capacity;
    object.state = state;
    object.handles = 1;
    o
}

impl Execution {
    pub(crate) fn new_object(&mut self, kind: Kind) -> u32 {
        let process = self.new_process(kind);
        let prev = self.threads[self.running as usize].prev;
        let o = self.live_objects;
        if o == self.objects.len() {
            self.objects.push(Object::blank());
        }
        self.live_objects += 1;
        self.objects[o].reset(process, kind, prev);
        o as u32
    }

    /// Completes calls for as long as any can be.
    pub(crate) fn advance(&mut self, object: u32) {
        while let Some(mates) = self.next_completion(object) {
            self.complete(object, mates);
        }
    }

    fn next_completion(&mut self, object: u32) -> Option<Mates> {
        let chain = self.objects[object as usize].process;
        match self.plan(chain) {
            Plan::Fixed(past) => {
                let mut mates = [NONE; 2];
                for (place, &mate) in mates.iter_mut().zip(self.script.takes(past)) {
                    *place = self.again(mate).ok()?;
                }
                self.can_complete(object, mates)
            }
            Plan::Renewed => self.pick_completion(object, true),
            Plan::Free => self.pick_completion(object, false),
        }
    }

    /// Checks that what the script says to complete is there, and can be completed.
    fn can_complete(&self, object: u32, mates: Mates) -> Option<Mates> {
        let o = &self.objects[object as usize];
        let waiting = |e: Ix| o.pending.iter().find(|c| c.event == e);
        let call = waiting(mates[0])?;
        if o.kind == Kind::Rendezvous && mates[1] != NONE {
            // A pair of calls: both must be waiting.
            let is_disconnect = self.run().events[mates[1] as usize].op == Op::Disconnect;
            return (is_disconnect || waiting(mates[1]).is_some()).then_some(mates);
        }
        // A monitor that has not been left yet. (Anything else that never opens is noticed at the end.)
        let shut = openness(o.kind, o.capacity, o.state, call.op, call.thread) == Openness::Shut;
        (!shut).then_some(mates)
    }

    fn pick_completion(&mut self, object: u32, only_new: bool) -> Option<Mates> {
        let o = &self.objects[object as usize];
        if o.pending.is_empty() {
            return None;
        }
        let mut first = None;
        let mut count = 0;
        let is_new = |m: Mates| m.iter().any(|&e| e != NONE && !self.is_old(e));
        let choices = self.choices_now(object);
        choices.each(&o.pending, |m| {
            if !only_new || is_new(m) {
                first.get_or_insert(m);
                count += 1;
            }
        });
        if count < 2 || !self.is_random() {
            return first;
        }
        let mut n = self.choose(count);
        let mut chosen = None;
        let is_new = |m: Mates| m.iter().any(|&e| e != NONE && !self.is_old(e));
        self.choices_now(object).each(&self.objects[object as usize].pending, |m| {
            if !only_new || is_new(m) {
                if n == 0 && chosen.is_none() {
                    chosen = Some(m);
                }
                n = n.wrapping_sub(1);
            }
        });
        chosen
    }

    fn choices_now(&self, object: u32) -> Choices<'_> {
        let o = &self.objects[object as usize];
        Choices {
            kind: o.kind,
            capacity: o.capacity,
            state: o.state,
            closed: o.closed,
            waiters: &o.waiters,
            longest_waiter: self.settings.longest_waiter,
            may_be_early: false,
        }
    }

    /// Whether an object whose renewed completion never came could have had an old partner.
    pub(crate) fn could_complete(&self, object: u32) -> bool {
        let mut any = false;
        self.choices_now(object).each(&self.objects[object as usize].pending, |_| any = true);
        any
    }

    fn complete(&mut self, object: u32, mates: Mates) {
        let o = &self.objects[object as usize];
        let (kind, chain, prev, state) = (o.kind, o.process, o.prev, o.state);
        let is_pair = kind == Kind::Rendezvous
            && mates[1] != NONE
            && self.run().events[mates[1] as usize].op != Op::Disconnect;
        let caller = if is_pair { mates[1] } else { mates[0] };
        let call = self.run().events[caller as usize];
        let list = if o.waiters.is_empty() {
            Span::default()
        } else {
            let waiters = std::mem::take(&mut self.objects[object as usize].waiters);
            let span = self.done.run.push_list(&waiters);
            self.objects[object as usize].waiters = waiters;
            span
        };
        let taken = if mates[1] == NONE { &mates[..1] } else { &mates[..] };
        let event = Event {
            chain,
            index: 0,
            op: call.op,
            pick: Pick::Mates,
            flags: Flags::default(),
            thread: call.thread,
            object,
            prev,
            also: NONE,
            mate: NONE,
            mates: Span::default(),
            list,
            state,
            location: call.location,
        };
        let done = self.record(event, taken);
        self.may_find_nothing |= call.op == Op::TryTake;
        self.objects[object as usize].prev = done;
        let answer = self.apply(object, call.op, call.thread, mates, done);
        self.release_caller(object, caller, done, answer);
        if is_pair {
            self.release_caller(object, mates[0], done, answer::YES);
        }
    }

    /// Lets the thread of a completed call go on.
    fn release_caller(&mut self, object: u32, call: Ix, done: Ix, answer: u64) {
        let pending = &mut self.objects[object as usize].pending;
        let at = pending.iter().position(|c| c.event == call).expect("a completed call was waiting");
        let thread = pending.remove(at).thread;
        self.done.run.events[call as usize].state = u64::from(done);
        let t = &mut self.threads[thread as usize];
        t.prev = done;
        t.calling = false;
        t.answer = answer;
        self.wake(thread);
    }

    /// Changes the state of the object, and finds the answer to the caller.
    fn apply(&mut self, object: u32, op: Op, thread: u32, mates: Mates, done: Ix) -> u64 {
        let o = &mut self.objects[object as usize];
        let owner = u64::from(thread) + 1;
        match (o.kind, op) {
            (Kind::Mutex, Op::TryLock) if o.state != 0 => return answer::NO,
            (Kind::Mutex, Op::Lock | Op::TryLock) | (Kind::Monitor, _) => o.state = owner,
            (Kind::Mutex, Op::Unlock) => o.state = 0,
            (Kind::ReentrantLock, Op::TryLock) if o.state != 0 && o.state >> 32 != owner => {
                return answer::NO;
            }
            (Kind::ReentrantLock, Op::Lock | Op::TryLock) => {
                o.state = (owner << 32) | ((o.state & 0xffff_ffff) + 1)
            }
            (Kind::ReentrantLock, Op::Unlock) => {
                o.state -= 1;
                if o.state & 0xffff_ffff == 0 {
                    o.state = 0;
                }
            }
            (Kind::Semaphore, Op::TryAcquire) if o.state == 0 => return answer::NO,
            (Kind::Semaphore, Op::Acquire | Op::TryAcquire) => o.state -= 1,
            (Kind::Semaphore, Op::Release) => o.state += 1,
            (_, Op::DropReceiver) => o.state |= RECEIVER_GONE,
            (_, Op::Put) if o.state & RECEIVER_GONE != 0 => return answer::NO,
            (Kind::Bounded, Op::Put) => {
                o.inside.push_back(mates[0]);
                o.state += 1;
            }
            (Kind::Bounded, Op::Take | Op::TryTake) => {
                if let Some(put) = o.inside.pop_front() {
                    o.state -= 1;
                    return answer::MESSAGE + u64::from(put);
                }
                return if mates[1] == NONE { answer::EMPTY } else { answer::DISCONNECTED };
            }
            (Kind::Rendezvous, Op::Take | Op::TryTake) => {
                let [first, second] = mates;
                return match second {
                    NONE => answer::EMPTY,
                    e if self.run().events[e as usize].op == Op::Disconnect => answer::DISCONNECTED,
                    _ => answer::MESSAGE + u64::from(first),
                };
            }
            (Kind::Condvar, Op::Wait) => {
                o.waiters.push(done);
                o.state += 1;
                self.threads[thread as usize].woken_by = NONE;
            }
            (Kind::Condvar, Op::NotifyOne) => {
                if mates[1] != NONE {
                    o.waiters.retain(|&w| w != mates[1]);
                    o.state -= 1;
                    self.notify(mates[1], done);
                }
            }
            (Kind::Condvar, Op::NotifyAll) => {
                o.state = 0;
                for waiter in std::mem::take(&mut o.waiters) {
                    self.notify(waiter, done);
                }
            }
            _ => unreachable!("{op:?} is no operation of a {:?}", o.kind),
        }
        answer::YES
    }

    fn notify(&mut self, waiter: Ix, by: Ix) {
        let thread = self.run().events[waiter as usize].thread;
        self.threads[thread as usize].woken_by = by;
        if matches!(self.threads[thread as usize].waits_for, WaitFor::Notification { .. }) {
            self.wake(thread);
        }
    }
}

impl Object {
    fn blank() -> Self {
        Object {
            process: NONE,
            kind: Kind::Thread,
            prev: NONE,
            state: 0,
            capacity: 0,
            sending: Vec::new(),
            pending: Vec::new(),
            inside: VecDeque::new(),
            waiters: Vec::new(),
            urgent: Vec::new(),
            conditions: Vec::new(),
            unreceived: Vec::new(),
            delivery: Delivery::Mailbox,
            receiver: NONE,
            receiver_drop: NONE,
            handles: 0,
            drops: Vec::new(),
            closed: NONE,
        }
    }

    fn reset(&mut self, process: u32, kind: Kind, prev: Ix) {
        self.process = process;
        self.kind = kind;
        self.prev = prev;
        self.state = 0;
        self.capacity = 0;
        self.sending.clear();
        self.pending.clear();
        self.inside.clear();
        self.waiters.clear();
        self.urgent.clear();
        self.conditions.clear();
        self.unreceived.clear();
        self.delivery = Delivery::Mailbox;
        self.receiver = NONE;
        self.receiver_drop = NONE;
        self.handles = 0;
        self.drops.clear();
        self.closed = NONE;
    }
}
