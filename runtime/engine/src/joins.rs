//! How threads are started, joined and detached, and what becomes of their results.
//!
//! A result belongs to the thread that joins. If no thread can join any more, it is dropped by the later of two: the thread
//! at its end, or the drop of its handle. If dropping the result synchronizes, it matters which is later, so both orders
//! are explored ([`Fact::Counted`]).

use std::io;
use std::mem;
use std::sync::Arc;

use crate::access::{with, with_alive, with_running};
use crate::calls;
use crate::ids::{ExecutionId, ObjectId, ThreadId};
use crate::objects::{Answer, State, end, parker};
use crate::ports::receives::{self, Blocking, Received};
use crate::record::event::{Flags, Kind, Op};
use crate::refinement::Fact;
use crate::schedule::steps::{self, begin, wait};
use crate::threads::outcome::Outcome;
use crate::threads::{Birth, BodyEnd, Thread, WaitFor};
use crate::{Engine, NOWHERE, Phase, Place};

impl Engine {
    /// The object on which a thread's end and the drop of its handle are ordered.
    fn result_of(&mut self, thread: ThreadId) -> ObjectId {
        if let Some(result) = self.threads[thread].result {
            return result;
        }
        let parent = self.threads[thread].process;
        let process = self.child_process(parent, Kind::End, 2);
        let result = self.new_object(process, Kind::End, State::End(end::State::default()));
        // The first thread that needs the object makes it, which does not belong to the sequence.
        self.objects[result].prev = None;
        self.threads[thread].result = Some(result);
        result
    }
}

/// Takes the result of a thread that has been joined.
///
/// # Safety
/// `T` must be what the thread's closure returned.
pub unsafe fn take_result<T>(execution: ExecutionId, thread: ThreadId) -> std::thread::Result<T> {
    let outcome =
        with(execution, |engine| mem::replace(&mut engine.threads[thread].outcome, Outcome::Pending));
    match outcome {
        // SAFETY: the caller vouches for `T`.
        Outcome::Returned(value) => Ok(unsafe { value.into_inner() }),
        Outcome::Panicked(payload) => Err(payload),
        Outcome::Pending => unreachable!("the thread has been joined"),
    }
}

/// Gives up the right to join a thread.
#[inline]
pub fn detach(execution: ExecutionId, thread: ThreadId) {
    let leaves_something = with_alive(execution, |engine| {
        let thread = &mut engine.threads[thread];
        thread.detached = true;
        !thread.joined && thread.leaves_something()
    });
    if leaves_something == Some(true) && give_up_result(thread) {
        drop_result(thread);
    }
}

/// A thread at its end, or the drop of its handle, gives up the result; returns whether the other has given it up before.
/// If it matters which is later, both orders are explored.
pub(crate) fn give_up_result(thread: ThreadId) -> bool {
    let (execution, object) = with_running(|engine| {
        let is_counted = engine.threads[thread].facts.counted;
        (engine.id, is_counted.then(|| engine.result_of(thread)))
    });
    match object {
        Some(object) => calls::call(execution, object, Op::Drop, NOWHERE) == Answer::Yes,
        None => with_running(|engine| {
            let Thread { detached, over, .. } = engine.threads[thread];
            detached && (over || thread == engine.schedule.running)
        }),
    }
}

/// Drops the result of a thread that will not be joined. If that synchronizes, it matters which thread does it.
pub(crate) fn drop_result(thread: ThreadId) {
    let (steps, outcome) = with_running(|engine| {
        (engine.schedule.steps, mem::replace(&mut engine.threads[thread].outcome, Outcome::Pending))
    });
    drop(outcome);
    let (execution, must_count) = with_running(|engine| {
        let has_synchronized = engine.schedule.steps != steps && engine.phase == Phase::Running;
        (engine.id, has_synchronized && !engine.threads[thread].facts.counted)
    });
    if must_count {
        steps::start_again(execution, |engine| {
            Fact::Counted(engine.processes.path(engine.threads[thread].process))
        });
    }
}

/// Starts a thread.
///
/// # Safety
/// What `body` borrows must live until the thread has ended.
pub unsafe fn spawn<T>(
    execution: ExecutionId,
    name: Option<Arc<str>>,
    body: impl FnOnce() -> T,
) -> io::Result<ThreadId> {
    begin(execution, |engine| {
        let creator = engine.schedule.running;
        let Thread { prev, naming: called, .. } = engine.threads[creator];
        let process = engine.new_process(Kind::Thread);
        // SAFETY: the caller vouches for `body`.
        let thread = unsafe { engine.start(Birth { process, prev, name, called }, body)? };
        engine.hand_down_time(creator, process);
        Ok(thread)
    })
}

/// Waits for the end of a thread, however it ends.
#[track_caller]
pub fn join(execution: ExecutionId, thread: ThreadId, place: Place) {
    let mut has_joined = begin(execution, |engine| engine.try_join(thread, place));
    while !has_joined {
        wait();
        has_joined = with(execution, |engine| {
            engine.schedule.joining -= 1;
            engine.try_join(thread, place)
        });
    }
}

/// Waits for the end of a thread's closure, as the end of a scope does: its thread-locals may still be dropped afterwards.
#[track_caller]
pub fn join_body(execution: ExecutionId, thread: ThreadId, place: Place) {
    let mut has_joined = begin(execution, |engine| engine.try_join_body(thread, place));
    while !has_joined {
        wait();
        has_joined = with(execution, |engine| {
            engine.schedule.joining -= 1;
            engine.try_join_body(thread, place)
        });
    }
}

/// What a thread parks on.
#[track_caller]
pub fn parker(execution: ExecutionId, thread: ThreadId) -> ObjectId {
    with(execution, |engine| {
        if let Some(parker) = engine.threads[thread].parker {
            return parker;
        }
        let parent = engine.threads[thread].process;
        let process = engine.child_process(parent, Kind::Parker, 1);
        let parker = engine.new_object(process, Kind::Parker, State::Parker(parker::State::default()));
        // The first thread that needs the object makes it, which does not belong to the sequence.
        engine.objects[parker].prev = None;
        engine.threads[thread].parker = Some(parker);
        parker
    })
}

/// Asks whether a thread has ended.
#[track_caller]
pub fn is_finished(execution: ExecutionId, thread: ThreadId, place: Place) -> bool {
    if !with(execution, |engine| engine.threads[thread].facts.watched) {
        steps::start_again(execution, |engine| {
            Fact::Watched(engine.processes.path(engine.threads[thread].process))
        });
    }
    let end = with(execution, |engine| engine.end_of(thread));
    receives::receive_as(execution, &[end], Blocking::Try, Flags::default(), place) == Received::Closed
}

impl Engine {
    /// Joins a thread that has finished; otherwise records that the running thread waits for its end.
    #[inline]
    fn try_join(&mut self, thread: ThreadId, place: Place) -> bool {
        if !self.is_finished(thread) {
            self.block(WaitFor::Join { thread }, place);
            self.schedule.joining += 1;
            return false;
        }
        let me = self.schedule.running;
        self.threads[me].also = self.threads[thread].prev;
        self.threads[thread].joined = true;
        self.advance_clock_to(thread, me);
        self.record_thread(Op::Join, None, place);
        true
    }

    /// As [`try_join`](Self::try_join), for a thread whose closure has ended.
    fn try_join_body(&mut self, thread: ThreadId, place: Place) -> bool {
        let Some(BodyEnd { last, slept }) = self.threads[thread].body_end else {
            return self.try_join(thread, place);
        };
        let me = self.schedule.running;
        self.threads[me].also = last;
        self.threads[thread].joined = true;
        self.advance_clock_past(last, slept, me);
        self.record_thread(Op::Join, None, place);
        true
    }

    /// The port on which the end of a thread is a disconnect.
    pub(crate) fn end_of(&mut self, thread: ThreadId) -> ObjectId {
        if let Some(end) = self.threads[thread].end {
            return end;
        }
        let parent = self.threads[thread].process;
        let process = self.child_process(parent, Kind::End, 1);
        let end = self.new_port(process, Kind::End);
        self.threads[thread].end = Some(end);
        end
    }
}
