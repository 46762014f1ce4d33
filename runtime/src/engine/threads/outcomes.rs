//! How threads end, and what becomes of what they return.
//!
//! A result belongs to whoever joins; if nobody can any more, whoever gives it up last drops it: the thread at its end or the
//! handle. Where dropping it synchronizes, who is last matters, so the order of the two is explored
//! ([`Fact::Counted`]).

use std::any::Any;
use std::mem;

use crate::engine::access::{with, with_alive, with_running};
use crate::engine::calls;
use crate::engine::ids::{ExecutionId, ObjectId, ThreadId};
use crate::engine::objects::{Answer, State, end};
use crate::engine::record::event::{Kind, Op};
use crate::engine::refinement::Fact;
use crate::engine::schedule::steps;
use crate::engine::threads::Thread;
use crate::engine::{Engine, NOWHERE, Phase};

/// How a thread ended. With a tag of its own: what every thread asks at its end is then one comparison.
#[repr(u8)]
pub(crate) enum Outcome {
    Pending,
    Returned(Erased),
    Panicked(Box<dyn Any + Send>),
}

/// A boxed value of a type that only the join handle knows.
pub(crate) struct Erased {
    value: *mut (),
    /// None if there is nothing to drop, nor any memory to free.
    drop: Option<unsafe fn(*mut ())>,
    /// Dropping the value does something.
    needs_drop: bool,
}

impl Outcome {
    #[inline]
    pub(crate) fn runs_user_code(&self) -> bool {
        match self {
            Outcome::Pending => false,
            Outcome::Returned(value) => value.needs_drop,
            Outcome::Panicked(_) => true,
        }
    }
}

impl Erased {
    pub(crate) fn new<T>(value: T) -> Self {
        unsafe fn drop_box<T>(value: *mut ()) {
            // SAFETY: `value` came from `Box::into_raw` of a `Box<T>` below and is dropped once.
            drop(unsafe { Box::from_raw(value.cast::<T>()) });
        }
        let needs_drop = mem::needs_drop::<T>();
        Erased {
            value: Box::into_raw(Box::new(value)).cast(),
            drop: (needs_drop || size_of::<T>() > 0).then_some(drop_box::<T>),
            needs_drop,
        }
    }

    /// # Safety
    /// The value must have been a `T`.
    unsafe fn into_inner<T>(self) -> T {
        let value = self.value;
        mem::forget(self);
        // SAFETY: as the caller vouches; `forget` keeps it from being dropped twice.
        *unsafe { Box::from_raw(value.cast::<T>()) }
    }
}

impl Drop for Erased {
    fn drop(&mut self) {
        if let Some(drop) = self.drop {
            // SAFETY: made by `new` for the right type, and not yet dropped.
            unsafe { drop(self.value) }
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

impl Engine {
    /// The object on which a thread's end and the drop of its handle are ordered.
    fn result_of(&mut self, thread: ThreadId) -> ObjectId {
        if let Some(result) = self.threads[thread].result {
            return result;
        }
        let parent = self.threads[thread].process;
        let process = self.child_process(parent, Kind::End, 2);
        let result = self.new_object(process, Kind::End, State::End(end::State::default()));
        // Whoever needs it first makes it, which is no part of the sequence.
        self.objects[result].prev = None;
        self.threads[thread].result = Some(result);
        result
    }
}

/// Takes the result of a thread that has been joined.
///
/// # Safety
/// `T` must be what the thread's closure returned.
pub(crate) unsafe fn take_result<T>(execution: ExecutionId, thread: ThreadId) -> std::thread::Result<T> {
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
pub(crate) fn detach(execution: ExecutionId, thread: ThreadId) {
    let leaves_something = with_alive(execution, |engine| {
        let thread = &mut engine.threads[thread];
        thread.detached = true;
        !thread.joined && thread.leaves_something()
    });
    if leaves_something == Some(true) && give_up_result(thread) {
        drop_result(thread);
    }
}

/// A thread that ends, or the handle to it that is dropped, gives up the result; whether the other has done so before.
/// Where it matters who is last, the order is explored.
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

/// Drops the result of a thread that nobody will ask for. If that synchronizes, it matters who does it.
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
