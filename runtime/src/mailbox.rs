//! The real backend of [`crate::sync`] and [`select!`](macro@crate::select), outside a program under test.
//!
//! There is one bell for all: every change rings it, and every waiting thread checks again when it rings. That is simple
//! rather than fast: these constructs are for modelling and testing.

use insyn_engine::access::refuse_to_block;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering, fence};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

static LOCK: Mutex<()> = Mutex::new(());
static RUNG: Condvar = Condvar::new();

/// Wakes all threads that wait for something in this module.
pub(crate) fn ring() {
    let _held = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    RUNG.notify_all();
}

/// How many selects wait, or poll before they wait.
static SELECTS: AtomicUsize = AtomicUsize::new(0);

/// Wakes selects after a change to a channel of the standard library: only selects wait for such changes here, so the bell
/// is rung only if there is a select.
#[inline(never)]
pub(crate) fn ring_for_selects() {
    // With the fence of `Selecting::begin`: if this load does not see the select, the select sees the change to the
    // channel.
    fence(Ordering::SeqCst);
    if SELECTS.load(Ordering::Relaxed) > 0 {
        ring();
    }
}

/// Until it is dropped, senders of the standard library's channels ring the bell. It is created before the select polls.
pub(crate) struct Selecting(());

impl Selecting {
    pub(crate) fn begin() -> Self {
        SELECTS.fetch_add(1, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        Selecting(())
    }
}

impl Drop for Selecting {
    fn drop(&mut self) {
        SELECTS.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Waits for the bell without missing a ring.
pub(crate) struct Bell(MutexGuard<'static, ()>);

impl Bell {
    /// From here on no ring is missed.
    pub(crate) fn listen() -> Self {
        Bell(LOCK.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Waits for a ring.
    pub(crate) fn wait(self) -> Self {
        refuse_to_block();
        Bell(RUNG.wait(self.0).unwrap_or_else(PoisonError::into_inner))
    }

    /// Waits for a ring or until `deadline`; none when that has passed.
    pub(crate) fn wait_until(self, deadline: Instant) -> Option<Self> {
        refuse_to_block();
        let left = deadline.checked_duration_since(Instant::now())?;
        Some(Bell(RUNG.wait_timeout(self.0, left).unwrap_or_else(PoisonError::into_inner).0))
    }

    /// Waits until `ready` returns something. `ready` must not ring.
    pub(crate) fn until<R>(mut ready: impl FnMut() -> Option<R>) -> R {
        let mut bell = Bell::listen();
        loop {
            if let Some(r) = ready() {
                return r;
            }
            bell = bell.wait();
        }
    }
}

/// A queue of messages with handles that are counted.
pub(crate) struct Mailbox<T>(Mutex<Inside<T>>);

pub(crate) struct Inside<T> {
    pub(crate) messages: VecDeque<T>,
    pub(crate) senders: usize,
    pub(crate) receiver_gone: bool,
}

impl<T> Mailbox<T> {
    pub(crate) fn new() -> Self {
        Mailbox(Mutex::new(Inside { messages: VecDeque::new(), senders: 1, receiver_gone: false }))
    }

    pub(crate) fn inside(&self) -> MutexGuard<'_, Inside<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn send(&self, message: T) -> Result<(), T> {
        {
            let mut inside = self.inside();
            if inside.receiver_gone {
                return Err(message);
            }
            inside.messages.push_back(message);
        }
        ring();
        Ok(())
    }

    /// A message; or whether there will never be one.
    pub(crate) fn try_take(&self) -> Result<T, bool> {
        let mut inside = self.inside();
        inside.messages.pop_front().ok_or(inside.senders == 0)
    }

    pub(crate) fn take(&self) -> Option<T> {
        Bell::until(|| match self.try_take() {
            Ok(message) => Some(Some(message)),
            Err(true) => Some(None),
            Err(false) => None,
        })
    }

    pub(crate) fn add_sender(&self) {
        self.inside().senders += 1;
    }

    pub(crate) fn drop_sender(&self) {
        self.inside().senders -= 1;
        ring();
    }

    pub(crate) fn drop_receiver(&self) {
        let left = {
            let mut inside = self.inside();
            inside.receiver_gone = true;
            std::mem::take(&mut inside.messages)
        };
        drop(left);
        ring();
    }
}
