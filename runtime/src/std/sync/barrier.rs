//! Replacement for [`std::sync::Barrier`].

use std::fmt;
use std::panic::{Location, RefUnwindSafe};
use std::sync as real;

use crate::backend::{Backend, Handle};
use insyn_engine::access::{current_execution, is_alive, refuse_to_block};
use insyn_engine::calls;
use insyn_engine::calls::completions;
use insyn_engine::ids::{ExecutionId, ObjectId};
use insyn_engine::objects::{Answer, State, barrier};
use insyn_engine::record::event::{Kind, Op};

/// Lets threads wait for each other. See [`std::sync::Barrier`].
///
/// Under control threads that arrive together are not ordered among each other; if more threads have arrived than the
/// barrier is for, which of them go on together is explored. Which thread is the leader matters only once the program
/// [asks](BarrierWaitResult::is_leader), and is explored from then on.
///
/// ```
/// use insyn::std::sync::{Arc, Barrier};
/// use insyn::std::thread;
///
/// let found = insyn::explore(|| {
///     let barrier = Arc::new(Barrier::new(3));
///     for _ in 0..2 {
///         let barrier = Arc::clone(&barrier);
///         thread::spawn(move || barrier.wait());
///     }
///     barrier.wait();
/// });
/// assert_eq!(found.sequences, 1);
/// ```
pub struct Barrier(Backend<Real, Handle>);

struct Real {
    barrier: real::Barrier,
    size: usize,
}

// As the standard library's.
impl RefUnwindSafe for Barrier {}

/// Whether a thread is the leader of the threads that went on together. See [`std::sync::BarrierWaitResult`].
pub struct BarrierWaitResult {
    leads: bool,
    /// The barrier, if it must record that the program asks for the leader.
    barrier: Option<(ExecutionId, ObjectId)>,
}

impl Barrier {
    /// A barrier for `n` threads. (Not `const`: under control it belongs to the execution it is made in.)
    #[must_use]
    pub fn new(n: usize) -> Self {
        Barrier(match current_execution() {
            None => Backend::Real(Real { barrier: real::Barrier::new(n), size: n }),
            Some(execution) => {
                let size = u32::try_from(n.max(1)).expect("there are far fewer threads");
                let state = State::Barrier(barrier::State::new(size));
                let object = completions::new_object(execution, Kind::Barrier, state);
                Backend::Controlled(Handle { execution, object })
            }
        })
    }

    /// Waits until as many threads have arrived as the barrier is for. See [`std::sync::Barrier::wait`].
    #[track_caller]
    pub fn wait(&self) -> BarrierWaitResult {
        match &self.0 {
            Backend::Real(Real { barrier, size }) => {
                if *size > 1 {
                    refuse_to_block();
                }
                BarrierWaitResult { leads: barrier.wait().is_leader(), barrier: None }
            }
            &Backend::Controlled(Handle { execution, object }) => {
                let answer = calls::call(execution, object, Op::Arrive, Location::caller());
                BarrierWaitResult { leads: answer == Answer::Yes, barrier: Some((execution, object)) }
            }
        }
    }
}

impl BarrierWaitResult {
    /// Whether this thread is the leader. See [`std::sync::BarrierWaitResult::is_leader`].
    #[must_use]
    #[track_caller]
    pub fn is_leader(&self) -> bool {
        if let Some((execution, object)) = self.barrier
            && is_alive(execution)
        {
            completions::ask_leader(execution, object);
        }
        self.leads
    }
}

impl fmt::Debug for Barrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Barrier").finish_non_exhaustive()
    }
}

impl fmt::Debug for BarrierWaitResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BarrierWaitResult").field("is_leader", &self.is_leader()).finish()
    }
}
