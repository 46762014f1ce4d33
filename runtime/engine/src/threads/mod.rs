//! Threads under test: what is known of each, and how they are blocked and woken.

pub mod locals;
pub mod outcome;
pub mod panics;
pub(crate) mod poll;
pub mod progress;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::coroutine::Coroutine;
use crate::guard::Guard;
use crate::ids::{EventId, ObjectId, ProcessId, ThreadId};
use crate::live::joined;
use crate::objects::{Answer, Argument};
use crate::place::TextPlace;
use crate::process::Facts;
use crate::process::{KINDS, MAIN};
use crate::record::event::Op;
use crate::script::Name;
use crate::threads::locals::Locals;
use crate::threads::outcome::Outcome;
use crate::threads::poll::Poll;
use crate::threads::progress::Progress;
use crate::{Engine, Place};

/// A thread of the running program.
pub struct Thread {
    pub process: ProcessId,
    /// What the exploration has discovered about it.
    pub facts: Facts,
    /// Boxed, so that it does not move while it runs, even if the list of threads grows.
    pub coroutine: Box<Option<Coroutine>>,
    /// The name that the program knows.
    pub name: Option<Arc<str>>,
    /// The name of the variable it was put into where it was started.
    called: Option<&'static [&'static str]>,
    /// The names for the objects and threads that it makes now.
    pub naming: Option<&'static [&'static str]>,
    /// The place in the source that instrumented code has reported, and the place that the compiler knows instead.
    pub source_place: Option<(TextPlace, Place)>,
    /// Its progress with turns, if the program is forced.
    pub progress: Progress,
    /// The arms of its last select that were closed: their objects and guards.
    pub closed_arms: Vec<(ObjectId, &'static Guard)>,
    /// The process that counts as the creator of what it makes: its own, or that of a static.
    pub(crate) creator: ProcessId,
    /// The last thing that happened before its next event: its previous event, the completion of its call, or what
    /// its creator had done before starting it.
    pub prev: Option<EventId>,
    /// A second predecessor of its next event: the signal or reply that woke it, the end of a thread it joined.
    pub also: Option<EventId>,
    /// How many processes of each kind it has made.
    pub made: [u32; KINDS],
    pub status: Status,
    pub waits_for: WaitFor,
    pub since: Option<Place>,
    /// Its call has not been completed yet.
    pub calling: bool,
    /// What the completion of its call, or the reply to it, has decided.
    pub answer: Option<Answer>,
    /// The notification or signal that ends its wait on a condition.
    pub(crate) woken_by: Option<EventId>,
    /// The receive it waits in could also return empty-handed, or with any one disconnect.
    pub(crate) may_fail: bool,
    pub any_closed: bool,
    /// Its wait with a timeout ended because nothing else could move.
    pub timed_out: bool,
    /// The wait of its call has timed out.
    pub(crate) call_timed_out: bool,
    /// How many offers it has made of which one will be taken, and the call that was completed last.
    pub offers: u32,
    pub chosen: Option<EventId>,
    /// Its last wait on a condition variable.
    pub wait: Option<EventId>,
    /// What its call passes to its completion.
    pub argument: Argument,
    /// What it polls.
    pub(crate) poll: Poll,
    /// How often it has woken spuriously.
    pub(crate) woke_early: u32,
    /// How often an update of it has failed spuriously.
    pub(crate) failed_early: u32,
    /// What it parks on, once that is needed; the port on which its end is recorded.
    pub parker: Option<ObjectId>,
    pub end: Option<ObjectId>,
    /// What orders its end and the drop of its handle, if that matters.
    pub result: Option<ObjectId>,
    pub outcome: Outcome,
    pub joined: bool,
    pub detached: bool,
    /// Its closure has ended; what is left are its thread-locals.
    pub over: bool,
    /// Where it was then, if thread-locals are left.
    pub(crate) body_end: Option<BodyEnd>,
    /// It is unwinding: it has panicked and not caught the panic. Kept up to date while a thread sleeps in the middle of a
    /// panic.
    pub unwinding: bool,
    pub panicked: bool,
    /// What it has in its thread-locals.
    pub locals: Locals,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Ready,
    Blocked,
    Finished,
}

/// What a blocked thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitFor {
    /// It is not waiting.
    Nothing,
    /// A particular event that comes first by the script.
    Event(Name),
    /// Something to receive on a port that is not old (`renewed`) or at all; `object` is the first open port.
    Message { object: ObjectId, renewed: bool },
    /// The receiver's drop, for a send that must find it anew.
    ReceiverDrop { object: ObjectId },
    /// The completion of its call.
    Completion { object: ObjectId, op: Op },
    /// A notification of a condition variable.
    Notification { object: ObjectId },
    /// A signal to a condition of a monitor.
    Signal { object: ObjectId },
    /// Its monitor, behind the thread it has signalled.
    Urgent { object: ObjectId },
    /// The reply to its call.
    Reply { object: ObjectId },
    /// The end of a thread.
    Join { thread: ThreadId },
    /// The drop of every handle of a wait group.
    Handles { object: ObjectId },
    /// A version of a variable, for a load that must take a new one.
    Version { object: ObjectId },
    /// The message of a selected put.
    Handover { object: ObjectId, event: EventId },
    /// Nothing: the thread never goes on.
    Forever,
}

/// What a thread is made with.
pub struct Birth {
    pub process: ProcessId,
    /// What its creator had done before.
    pub prev: Option<EventId>,
    /// The name that the program has given it, and what it is called where it was started.
    pub name: Option<Arc<str>>,
    pub called: Option<&'static [&'static str]>,
}

impl Thread {
    pub(crate) fn blank() -> Self {
        Thread {
            process: MAIN,
            facts: Facts::default(),
            coroutine: Box::new(None),
            name: None,
            called: None,
            naming: None,
            source_place: None,
            progress: Progress::default(),
            closed_arms: Vec::new(),
            creator: MAIN,
            prev: None,
            also: None,
            made: [0; KINDS],
            status: Status::Ready,
            waits_for: WaitFor::Nothing,
            since: None,
            calling: false,
            answer: None,
            woken_by: None,
            may_fail: false,
            any_closed: false,
            timed_out: false,
            call_timed_out: false,
            offers: 0,
            chosen: None,
            wait: None,
            argument: Argument::None,
            poll: Poll::NONE,
            woke_early: 0,
            failed_early: 0,
            parker: None,
            end: None,
            result: None,
            outcome: Outcome::Pending,
            joined: false,
            detached: false,
            over: false,
            body_end: None,
            unwinding: false,
            panicked: false,
            locals: Locals::default(),
        }
    }
}

impl Thread {
    /// Its name for users: the one that the program has given it, or else that of the variable that it was put into.
    pub fn title(&self) -> Option<Cow<'_, str>> {
        let name = self.name.as_deref().map(Cow::Borrowed);
        name.or_else(|| self.called.map(joined))
    }

    // Inlined, so that what it is made with is not put together in memory first.
    #[inline(always)]
    pub(crate) fn restart(&mut self, birth: Birth, known: Facts, is_forced: bool) {
        let Thread {
            process,
            facts,
            coroutine: _,
            name,
            called,
            naming,
            source_place,
            // Only forced programs have progress, and an engine forces all its runs or none.
            progress,
            closed_arms,
            creator,
            prev,
            also,
            made,
            status,
            waits_for,
            since,
            calling,
            answer,
            woken_by,
            may_fail,
            // Each of these is written before it is read: at the wait, call or select that it belongs to.
            any_closed: _,
            timed_out: _,
            chosen: _,
            wait: _,
            argument: _,
            call_timed_out,
            offers,
            poll,
            woke_early,
            failed_early,
            parker,
            end,
            result,
            outcome,
            joined,
            detached,
            over,
            body_end,
            unwinding,
            panicked,
            // Dropped at the end of every thread.
            locals: _,
        } = self;
        *process = birth.process;
        *creator = birth.process;
        *facts = known;
        (*name, *called) = (birth.name, birth.called);
        *naming = None;
        *source_place = None;
        if is_forced {
            *progress = Progress::default();
        }
        closed_arms.clear();
        (*prev, *also) = (birth.prev, None);
        *made = [0; KINDS];
        *status = Status::Ready;
        *waits_for = WaitFor::Nothing;
        *since = None;
        *calling = false;
        *answer = None;
        *woken_by = None;
        (*may_fail, *call_timed_out) = (false, false);
        *offers = 0;
        poll.restart();
        *woke_early = 0;
        *failed_early = 0;
        (*parker, *end, *result) = (None, None, None);
        *outcome = Outcome::Pending;
        (*joined, *detached, *over) = (false, false, false);
        *body_end = None;
        (*unwinding, *panicked) = (false, false);
    }
}

/// Where a thread was when its closure had ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyEnd {
    /// Its last event.
    pub(crate) last: Option<EventId>,
    /// How long it had slept since then.
    pub(crate) slept: u64,
}

impl fmt::Debug for Thread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Thread").field("process", &self.process).field("status", &self.status).finish()
    }
}

impl Engine {
    /// Makes a blocked thread ready.
    #[inline]
    pub fn wake(&mut self, thread: ThreadId) {
        let t = &mut self.threads[thread];
        if t.status == Status::Blocked {
            t.status = Status::Ready;
            self.schedule.ready.push_back(thread);
        }
    }

    /// Records what the running thread is about to wait for; `wait` must follow.
    #[inline]
    pub fn block(&mut self, on: WaitFor, place: Place) {
        let t = &mut self.threads[self.schedule.running];
        t.status = Status::Blocked;
        t.waits_for = on;
        t.since = Some(place);
    }

    /// Whether a thread has made its last move.
    pub fn is_finished(&self, thread: ThreadId) -> bool {
        self.threads[thread].status == Status::Finished
    }

    /// Wakes the threads that wait for the end of one.
    pub(crate) fn wake_joiners(&mut self, thread: ThreadId) {
        for t in self.threads.ids() {
            if self.threads[t].waits_for == (WaitFor::Join { thread }) {
                self.wake(t);
            }
        }
    }
}

impl Thread {
    /// Its result has a destructor that is user code, or the order of its end and the drop of its handle is explored.
    #[inline]
    pub(crate) fn leaves_something(&self) -> bool {
        self.facts.counted || self.outcome.runs_user_code()
    }
}
