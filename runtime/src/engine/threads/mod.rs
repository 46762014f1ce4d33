//! Threads under test: what is known of each, and how they are blocked and woken.

pub(crate) mod locals;
pub(crate) mod outcome;
pub(crate) mod panics;
pub(crate) mod poll;
pub(crate) mod progress;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::coroutine::Coroutine;
use crate::engine::guard::Guard;
use crate::engine::ids::{EventId, ObjectId, ProcessId, ThreadId};
use crate::engine::live::joined;
use crate::engine::objects::{Answer, Argument};
use crate::engine::process::Facts;
use crate::engine::process::{KINDS, MAIN};
use crate::engine::record::event::Op;
use crate::engine::script::Name;
use crate::engine::threads::locals::Locals;
use crate::engine::threads::outcome::Outcome;
use crate::engine::threads::poll::Poll;
use crate::engine::threads::progress::Progress;
use crate::engine::{Engine, Place};
use crate::place::TextPlace;

/// A thread of the running program.
pub(crate) struct Thread {
    pub(crate) process: ProcessId,
    /// What the exploration has found out about it.
    pub(crate) facts: Facts,
    /// Boxed, so that it stays where it is while it runs, whatever happens to the list of threads.
    pub(crate) coroutine: Box<Option<Coroutine>>,
    /// The name that the program knows.
    pub(crate) name: Option<Arc<str>>,
    /// What it is called where it was started.
    called: Option<&'static [&'static str]>,
    /// What the objects and threads that it makes now are called.
    pub(crate) naming: Option<&'static [&'static str]>,
    /// Where it has said that it is, and where that seems to be to the compiler.
    pub(crate) told: Option<(TextPlace, Place)>,
    /// What it has to do with turns, if the program is forced.
    pub(crate) progress: Progress,
    /// The arms of its last select that were closed: their objects and guards.
    pub(crate) closed_arms: Vec<(ObjectId, &'static Guard)>,
    /// In whose name it makes processes: its own, or that of a static.
    pub(crate) creator: ProcessId,
    /// The last thing that happened before its next event: its previous event, the completion of its call, or what
    /// its creator had done before starting it.
    pub(crate) prev: Option<EventId>,
    /// A second predecessor of its next event: the signal or reply that woke it, the end of a thread it joined.
    pub(crate) also: Option<EventId>,
    /// How many processes of each kind it has made.
    pub(crate) made: [u32; KINDS],
    pub(crate) status: Status,
    pub(crate) waits_for: WaitFor,
    pub(crate) since: Option<Place>,
    /// Its call has not been completed yet.
    pub(crate) calling: bool,
    /// What the completion of its call, or the reply to it, has decided.
    pub(crate) answer: Option<Answer>,
    /// The notification or signal that ends its wait on a condition.
    pub(crate) woken_by: Option<EventId>,
    /// The receive it waits in could also come back empty-handed, or with any one disconnect.
    pub(crate) may_fail: bool,
    pub(crate) any_closed: bool,
    /// Its wait with a timeout ended because nothing else could move.
    pub(crate) timed_out: bool,
    /// It has lost patience with the call it waits in.
    pub(crate) impatient: bool,
    /// How many offers it has made of which one is to be taken, and the call that was completed last.
    pub(crate) offers: u32,
    pub(crate) chosen: Option<EventId>,
    /// Its last wait on a condition variable.
    pub(crate) wait: Option<EventId>,
    /// What the completion of its call is to know.
    pub(crate) argument: Argument,
    /// What it polls.
    pub(crate) poll: Poll,
    /// How often it has woken for no reason.
    pub(crate) woke_early: u32,
    /// What it parks on, once it is needed; what tells that it has finished.
    pub(crate) parker: Option<ObjectId>,
    pub(crate) end: Option<ObjectId>,
    /// What orders its end and the drop of its handle, if that matters.
    pub(crate) result: Option<ObjectId>,
    pub(crate) outcome: Outcome,
    pub(crate) joined: bool,
    pub(crate) detached: bool,
    /// Its closure has come to its end; what is left are its thread-locals.
    pub(crate) over: bool,
    /// It is unwinding: it has panicked and not caught that. True to the fact while somebody sleeps in the middle of a panic.
    pub(crate) unwinding: bool,
    pub(crate) panicked: bool,
    /// What it has in its thread-locals.
    pub(crate) locals: Locals,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Ready,
    Blocked,
    Finished,
}

/// What a blocked thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WaitFor {
    /// It is not waiting.
    Nothing,
    /// A particular event that the script says comes first.
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
    /// A version of a variable that is not old.
    Version { object: ObjectId },
    /// The message of a selected put.
    Handover { object: ObjectId, event: EventId },
    /// Nothing that could come.
    Forever,
}

/// What a thread is made with.
pub(crate) struct Birth {
    pub(crate) process: ProcessId,
    /// What its creator had done before.
    pub(crate) prev: Option<EventId>,
    /// The name that the program has given it, and what it is called where it was started.
    pub(crate) name: Option<Arc<str>>,
    pub(crate) called: Option<&'static [&'static str]>,
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
            told: None,
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
            impatient: false,
            offers: 0,
            chosen: None,
            wait: None,
            argument: Argument::None,
            poll: Poll::NONE,
            woke_early: 0,
            parker: None,
            end: None,
            result: None,
            outcome: Outcome::Pending,
            joined: false,
            detached: false,
            over: false,
            unwinding: false,
            panicked: false,
            locals: Locals::default(),
        }
    }
}

impl Thread {
    /// What people call it: by the name that the program has given it, or else by the variable that it was put into.
    pub(crate) fn title(&self) -> Option<Cow<'_, str>> {
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
            told,
            // Only forced programs have any, and an engine forces all its runs or none.
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
            impatient,
            offers,
            poll,
            woke_early,
            parker,
            end,
            result,
            outcome,
            joined,
            detached,
            over,
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
        *told = None;
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
        (*may_fail, *impatient) = (false, false);
        *offers = 0;
        poll.restart();
        *woke_early = 0;
        (*parker, *end, *result) = (None, None, None);
        *outcome = Outcome::Pending;
        (*joined, *detached, *over) = (false, false, false);
        (*unwinding, *panicked) = (false, false);
    }
}

impl fmt::Debug for Thread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Thread").field("process", &self.process).field("status", &self.status).finish()
    }
}

impl Engine {
    /// Makes a blocked thread ready.
    #[inline]
    pub(crate) fn wake(&mut self, thread: ThreadId) {
        let t = &mut self.threads[thread];
        if t.status == Status::Blocked {
            t.status = Status::Ready;
            self.schedule.ready.push_back(thread);
        }
    }

    /// Notes what the running thread is about to wait for; [`wait`] must follow.
    #[inline]
    pub(crate) fn block(&mut self, on: WaitFor, place: Place) {
        let t = &mut self.threads[self.schedule.running];
        t.status = Status::Blocked;
        t.waits_for = on;
        t.since = Some(place);
    }

    /// Whether a thread has made its last move.
    pub(crate) fn is_finished(&self, thread: ThreadId) -> bool {
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
    /// It has ended with something that it takes user code to drop, or the order of its end and the drop of its handle is
    /// explored.
    #[inline]
    pub(crate) fn leaves_something(&self) -> bool {
        self.facts.counted || self.outcome.runs_user_code()
    }
}
