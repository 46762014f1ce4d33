//! Counting and binary semaphores.

use std::fmt;
use std::panic::Location;
use std::sync::{Mutex, PoisonError};

use crate::backend::{Backend, Handle};
use crate::mailbox::{Bell, ring};
use insyn_engine::Place;
use insyn_engine::access::current_execution;
use insyn_engine::calls;
use insyn_engine::calls::completions;
use insyn_engine::objects::{Answer, State, semaphore};
use insyn_engine::record::event::{Kind, Op};

/// A number of permits that threads take and give back.
pub struct Semaphore(Backend<Real, Handle>);

struct Real {
    value: Mutex<usize>,
    most: usize,
}

impl Semaphore {
    /// A counting semaphore: [`release`](Self::release) never waits.
    pub fn new(permits: usize) -> Self {
        Self::with(permits, usize::MAX)
    }

    /// A binary semaphore, whose value is 0 or 1: [`release`](Self::release) waits while it is 1, so that acquires and
    /// releases alternate.
    ///
    /// # Panics
    /// If `permits` is more than 1.
    pub fn binary(permits: usize) -> Self {
        assert!(permits <= 1, "a binary semaphore has 0 or 1 permits, not {permits}");
        Self::with(permits, 1)
    }

    fn with(permits: usize, most: usize) -> Self {
        Semaphore(match current_execution() {
            None => Backend::Real(Real { value: Mutex::new(permits), most }),
            Some(execution) => {
                let state = State::Semaphore(semaphore::State::new(permits as u64, most as u64));
                let object = completions::new_object(execution, Kind::Semaphore, state);
                Backend::Controlled(Handle { execution, object })
            }
        })
    }

    /// Waits for a permit and takes it.
    #[track_caller]
    pub fn acquire(&self) {
        self.operate(Op::Acquire, Location::caller());
    }

    /// Takes a permit if there is one.
    #[track_caller]
    pub fn try_acquire(&self) -> bool {
        self.operate(Op::TryAcquire, Location::caller())
    }

    /// Gives a permit back.
    #[track_caller]
    pub fn release(&self) {
        self.operate(Op::Release, Location::caller());
    }

    #[track_caller]
    fn operate(&self, op: Op, place: Place) -> bool {
        match &self.0 {
            Backend::Controlled(Handle { execution, object }) => {
                calls::call(*execution, *object, op, place) == Answer::Yes
            }
            Backend::Real(Real { value, most }) => {
                let done = Bell::until(|| {
                    let mut value = value.lock().unwrap_or_else(PoisonError::into_inner);
                    match op {
                        Op::Release if *value < *most => *value += 1,
                        Op::Acquire | Op::TryAcquire if *value > 0 => *value -= 1,
                        Op::TryAcquire => return Some(false),
                        _ => return None,
                    }
                    Some(true)
                });
                ring();
                done
            }
        }
    }
}

impl fmt::Debug for Semaphore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Semaphore").finish_non_exhaustive()
    }
}
