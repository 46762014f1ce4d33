//! Monitors with condition variables: signal-and-continue, and signal-and-urgent-wait.

use std::cell::UnsafeCell;
use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::panic::Location;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::backend::{Backend, Handle};
use crate::mailbox::{Bell, ring};
use insyn_engine::access::current_execution;
use insyn_engine::calls;
use insyn_engine::calls::{completions, monitors};
use insyn_engine::ids::{ExecutionId, ObjectId};
use insyn_engine::objects::{State, monitor};
use insyn_engine::record::event::{Kind, Op};

/// Data that one thread at a time has access to, with conditions to wait for.
///
/// In a *signal-and-continue* monitor ([`new`](Self::new)) a thread that signals stays inside, and the signalled thread
/// enters again later, in competition with others. In a *signal-and-urgent-wait* monitor ([`urgent`](Self::urgent)) the
/// signalled thread goes on at once, and the signaller goes on before any other thread enters. Conditions wake the thread
/// that has waited longest.
pub struct Monitor<T: ?Sized> {
    which: Backend<RealMonitor, Handle>,
    urgent: bool,
    data: UnsafeCell<T>,
}

struct RealMonitor {
    id: u64,
    state: Mutex<Real>,
}

/// A real monitor; each visit is identified by a ticket.
#[derive(Default)]
struct Real {
    owner: Option<u64>,
    urgent: Vec<u64>,
    conditions: Vec<VecDeque<u64>>,
    signalled: BTreeSet<u64>,
    tickets: u64,
}

// SAFETY: the data is reached only through a guard, and the thread that has one is alone inside.
unsafe impl<T: ?Sized + Send> Send for Monitor<T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Send> Sync for Monitor<T> {}

impl<T> Monitor<T> {
    /// A signal-and-continue monitor.
    pub fn new(data: T) -> Self {
        Self::with(data, false)
    }

    /// A signal-and-urgent-wait monitor.
    pub fn urgent(data: T) -> Self {
        Self::with(data, true)
    }

    fn with(data: T, urgent: bool) -> Self {
        static IDS: AtomicU64 = AtomicU64::new(0);
        let which = match current_execution() {
            None => Backend::Real(RealMonitor {
                id: IDS.fetch_add(1, Ordering::Relaxed),
                state: Mutex::default(),
            }),
            Some(execution) => Backend::Controlled(Handle {
                execution,
                object: completions::new_object(
                    execution,
                    Kind::Monitor,
                    State::Monitor(monitor::State::default()),
                ),
            }),
        };
        Monitor { which, urgent, data: UnsafeCell::new(data) }
    }
}

impl<T: ?Sized> Monitor<T> {
    /// A new condition of this monitor.
    #[track_caller]
    pub fn condition(&self) -> Condition {
        match &self.which {
            Backend::Real(RealMonitor { id, state }) => {
                let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
                state.conditions.push(VecDeque::new());
                Condition { monitor: Owner::Real(*id), index: state.conditions.len() as u32 - 1 }
            }
            Backend::Controlled(Handle { execution, object }) => Condition {
                monitor: Owner::Controlled(*execution, *object),
                index: monitors::new_condition(*execution, *object),
            },
        }
    }

    /// Waits until no thread is inside, and enters.
    #[track_caller]
    pub fn enter(&self) -> MonitorGuard<'_, T> {
        let ticket = match &self.which {
            Backend::Controlled(Handle { execution, object }) => {
                calls::call(*execution, *object, Op::Enter, Location::caller());
                0
            }
            Backend::Real(RealMonitor { .. }) => self.real(|real| {
                if real.owner.is_some() {
                    return None;
                }
                real.tickets += 1;
                real.owner = Some(real.tickets);
                Some(real.tickets)
            }),
        };
        MonitorGuard { monitor: self, ticket, not_send: PhantomData }
    }

    /// Waits until `step` has made its change to the state of a real monitor, and wakes all waiting threads.
    fn real<R>(&self, mut step: impl FnMut(&mut Real) -> Option<R>) -> R {
        let Backend::Real(RealMonitor { state, .. }) = &self.which else {
            unreachable!("only for real monitors")
        };
        let result = Bell::until(|| step(&mut state.lock().unwrap_or_else(PoisonError::into_inner)));
        ring();
        result
    }
}

impl Real {
    fn hand_on(&mut self) {
        self.owner = self.urgent.pop();
    }
}

impl<T: ?Sized> fmt::Debug for Monitor<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Monitor").field("urgent", &self.urgent).finish_non_exhaustive()
    }
}

/// Something to wait for inside a [`Monitor`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    monitor: Owner,
    index: u32,
}

/// The monitor that a condition belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Real(u64),
    Controlled(ExecutionId, ObjectId),
}

/// Being inside a [`Monitor`].
#[must_use = "if unused the monitor is left at once"]
pub struct MonitorGuard<'a, T: ?Sized> {
    monitor: &'a Monitor<T>,
    ticket: u64,
    not_send: PhantomData<*const ()>,
}

impl<T: ?Sized> MonitorGuard<'_, T> {
    /// Leaves the monitor until the condition is signalled.
    ///
    /// # Panics
    /// If the condition belongs to another monitor.
    #[track_caller]
    pub fn wait(&mut self, condition: &Condition) {
        self.check(condition);
        let (c, urgent) = (condition.index, self.monitor.urgent);
        match &self.monitor.which {
            Backend::Controlled(Handle { execution, object }) => {
                monitors::wait_on(*execution, *object, c, urgent, Location::caller());
            }
            Backend::Real(RealMonitor { .. }) => {
                let me = self.ticket;
                self.monitor.real(|real| {
                    real.conditions[c as usize].push_back(me);
                    real.hand_on();
                    Some(())
                });
                self.monitor.real(|real| {
                    if urgent {
                        return (real.owner == Some(me)).then_some(());
                    }
                    (real.owner.is_none() && real.signalled.remove(&me)).then(|| real.owner = Some(me))
                });
            }
        }
    }

    /// Wakes the thread that has waited longest for the condition, if any does.
    ///
    /// # Panics
    /// If the condition belongs to another monitor.
    #[track_caller]
    pub fn signal(&mut self, condition: &Condition) {
        self.check(condition);
        let (c, urgent) = (condition.index, self.monitor.urgent);
        match &self.monitor.which {
            Backend::Controlled(Handle { execution, object }) => {
                monitors::signal(*execution, *object, c, urgent, Location::caller());
            }
            Backend::Real(RealMonitor { .. }) => {
                let me = self.ticket;
                self.monitor.real(|real| {
                    if let Some(waiter) = real.conditions[c as usize].pop_front() {
                        if urgent {
                            real.urgent.push(me);
                            real.owner = Some(waiter);
                        } else {
                            real.signalled.insert(waiter);
                        }
                    }
                    Some(())
                });
                self.monitor.real(|real| (real.owner == Some(me)).then_some(()));
            }
        }
    }

    /// Wakes every thread that waits for the condition.
    ///
    /// # Panics
    /// If the condition belongs to another monitor, or the monitor is one with urgent wait: there each signal hands the
    /// monitor over.
    #[track_caller]
    pub fn signal_all(&mut self, condition: &Condition) {
        self.check(condition);
        assert!(!self.monitor.urgent, "signal_all is for signal-and-continue monitors");
        let c = condition.index;
        match &self.monitor.which {
            Backend::Controlled(Handle { execution, object }) => {
                monitors::signal_all(*execution, *object, c, Location::caller());
            }
            Backend::Real(RealMonitor { .. }) => self.monitor.real(|real| {
                let waiters = std::mem::take(&mut real.conditions[c as usize]);
                real.signalled.extend(waiters);
                Some(())
            }),
        }
    }

    /// How many threads wait for the condition.
    ///
    /// # Panics
    /// If the condition belongs to another monitor.
    #[track_caller]
    pub fn waiting(&self, condition: &Condition) -> usize {
        self.check(condition);
        match &self.monitor.which {
            Backend::Controlled(Handle { execution, object }) => {
                monitors::waiting(*execution, *object, condition.index)
            }
            Backend::Real(RealMonitor { state, .. }) => {
                state.lock().unwrap_or_else(PoisonError::into_inner).conditions[condition.index as usize]
                    .len()
            }
        }
    }

    #[track_caller]
    fn check(&self, condition: &Condition) {
        let mine = match &self.monitor.which {
            Backend::Real(RealMonitor { id, .. }) => Owner::Real(*id),
            Backend::Controlled(Handle { execution, object }) => Owner::Controlled(*execution, *object),
        };
        assert!(condition.monitor == mine, "the condition belongs to another monitor");
    }
}

impl<T: ?Sized> Drop for MonitorGuard<'_, T> {
    fn drop(&mut self) {
        match &self.monitor.which {
            Backend::Controlled(Handle { execution, object }) => monitors::leave(*execution, *object),
            Backend::Real(RealMonitor { .. }) => self.monitor.real(|real| {
                real.hand_on();
                Some(())
            }),
        }
    }
}

impl<T: ?Sized> Deref for MonitorGuard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        // SAFETY: a thread that has a guard is alone inside; `wait` and `signal`, during which others are inside, borrow
        // the guard exclusively.
        unsafe { &*self.monitor.data.get() }
    }
}

impl<T: ?Sized> DerefMut for MonitorGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above.
        unsafe { &mut *self.monitor.data.get() }
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for MonitorGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
