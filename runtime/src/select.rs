//! What the [`select!`](macro@crate::select) macro expands to. Use the macro; these items are public only for it.
//!
//! ```
//! use insyn::std::thread;
//! use insyn::sync::entry;
//!
//! // A bounded buffer with one slot: deposits and withdrawals can only alternate.
//! let exploration = insyn::explore(|| {
//!     let (deposit, deposits) = entry::<u32, ()>();
//!     let (withdraw, withdrawals) = entry::<(), u32>();
//!     thread::spawn(move || (0..2).for_each(|n| deposit.call(n).unwrap()));
//!     thread::spawn(move || (0..2).for_each(|_| drop(withdraw.call(()).unwrap())));
//!     let mut slot = None;
//!     loop {
//!         insyn::select! {
//!             accept(deposits) -> mut call if slot.is_none() => {
//!                 slot = call.take();
//!                 call.reply(());
//!             }
//!             accept(withdrawals) -> call if slot.is_some() => {
//!                 if let Some(n) = slot.take() {
//!                     call.reply(n);
//!                 }
//!             }
//!             closed => break,
//!         }
//!     }
//! });
//! assert_eq!(exploration.sequences, 1);
//! assert!(exploration.failures.is_empty());
//! ```

use std::panic::Location;
use std::time::{Duration, Instant};

pub use insyn_engine::guard::Guard;

use crate::mailbox::{Bell, Mailbox, Selecting};
use insyn_engine::ids::{EventId, ExecutionId, ObjectId};
use insyn_engine::ports::receives;
use insyn_engine::ports::receives::{Blocking, Received};

/// Something whose calls an arm of a select can accept.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no entry",
    note = "`accept(..)` takes an `insyn::sync::Entry`"
)]
pub trait Accept {
    /// What the arm gets.
    type Call;
    /// Where calls come from.
    fn source(&self) -> Source<'_>;
    /// Takes the call that the select has chosen.
    fn take(&self, ticket: Ticket) -> Self::Call;
}

/// Something whose messages an arm of a select can receive.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is nothing to receive from",
    note = "`recv(..)` takes an `insyn::std::sync::mpsc::Receiver` or an `insyn::sync::PortReceiver`"
)]
pub trait Receive {
    /// What the arm gets.
    type Message;
    /// Where messages come from.
    fn source(&self) -> Source<'_>;
    /// Takes the message that the select has chosen.
    fn take(&self, ticket: Ticket) -> Self::Message;
}

macro_rules! through_pointers {
    ($($pointer:ty),*) => {$(
        impl<T: Accept + ?Sized> Accept for $pointer {
            type Call = T::Call;
            fn source(&self) -> Source<'_> { (**self).source() }
            fn take(&self, ticket: Ticket) -> T::Call { (**self).take(ticket) }
        }

        impl<T: Receive + ?Sized> Receive for $pointer {
            type Message = T::Message;
            fn source(&self) -> Source<'_> { (**self).source() }
            fn take(&self, ticket: Ticket) -> T::Message { (**self).take(ticket) }
        }
    )*};
}

through_pointers!(&T, &mut T, Box<T>, std::sync::Arc<T>);

/// Where an open arm's calls or messages come from.
#[derive(Clone, Copy)]
pub struct Source<'a>(Which<'a>);

#[derive(Clone, Copy)]
enum Which<'a> {
    Real(&'a dyn Probe),
    Controlled { execution: ExecutionId, object: ObjectId },
}

impl<'a> Source<'a> {
    pub(crate) fn controlled(execution: ExecutionId, object: ObjectId) -> Self {
        Source(Which::Controlled { execution, object })
    }

    pub(crate) fn real(source: &'a dyn Probe) -> Self {
        Source(Which::Real(source))
    }
}

impl std::fmt::Debug for Source<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Source").finish_non_exhaustive()
    }
}

/// Polls a real mailbox or channel.
pub(crate) trait Probe {
    /// Whether there is a message, and whether there can still be one. The calling select holds the bell, so nothing here
    /// may ring it, or wait for a thread that does.
    fn probe(&self) -> (bool, bool);
}

impl<T> Probe for Mailbox<T> {
    fn probe(&self) -> (bool, bool) {
        let inside = self.inside();
        (!inside.messages.is_empty(), inside.senders > 0)
    }
}

/// An arm of a select.
#[derive(Clone, Copy, Debug)]
pub struct Arm<'a> {
    source: Source<'a>,
    is_open: bool,
    guard: Option<&'static Guard>,
}

impl<'a> Arm<'a> {
    /// An arm without a guard.
    pub fn open(source: Source<'a>) -> Self {
        Arm { source, is_open: true, guard: None }
    }

    /// An arm that is open if its guard is true.
    pub fn guarded(source: Source<'a>, is_open: bool, guard: &'static Guard) -> Self {
        Arm { source, is_open, guard: Some(guard) }
    }

    /// The source that it receives from, if it is open.
    fn opening(&self) -> Option<Which<'a>> {
        self.is_open.then_some(self.source.0)
    }

    /// The object that it does not receive from, and why not.
    fn closed(&self) -> Option<(ObjectId, &'static Guard)> {
        match self.source.0 {
            Which::Controlled { object, .. } if !self.is_open => Some((object, self.guard?)),
            _ => None,
        }
    }
}

/// What a select does when no arm is ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Otherwise {
    /// Waits.
    Wait,
    /// Takes the default arm.
    Default,
    /// Waits for this long, then takes the timeout arm. Under control the timeout may fire at any point where nothing is
    /// sure to be ready.
    Timeout(Duration),
}

/// What a select has chosen.
#[derive(Debug)]
pub enum Outcome {
    /// The arm with this number.
    Arm(usize, Ticket),
    /// The default or timeout arm.
    Nothing,
    /// Every open arm is closed.
    Closed,
}

/// Identifies the message that the select has chosen; empty for a real select.
#[derive(Debug)]
pub struct Ticket(Option<EventId>);

impl Ticket {
    pub(crate) fn event(&self) -> EventId {
        self.0.expect("the select was under control")
    }
}

/// Chooses one of the arms that are open.
///
/// # Panics
/// If every guard is false and there is neither a default nor a timeout arm: nothing could ever be chosen.
#[track_caller]
pub fn wait(arms: &[Arm<'_>], otherwise: Otherwise) -> Outcome {
    let place = Location::caller();
    let Some(first) = arms.iter().find_map(Arm::opening) else {
        assert!(otherwise != Otherwise::Wait, "select!: every guard is false, so it would wait for ever");
        return Outcome::Nothing;
    };
    let Which::Controlled { execution, .. } = first else { return wait_really(arms, otherwise) };
    let object_of = |arm: &Arm<'_>| match arm.opening()? {
        Which::Controlled { object, execution: its } if its == execution => Some(object),
        Which::Controlled { .. } => panic!("select!: an arm was made in another execution"),
        Which::Real(_) => panic!("select!: an arm was made outside the program under test"),
    };
    // Most selects have few arms, and allocate no memory.
    let (mut few, mut many) = ([ObjectId::FIRST; 8], Vec::new());
    let open = match few.get_mut(..arms.len()) {
        Some(few) => few,
        None => {
            many.resize(arms.len(), ObjectId::FIRST);
            &mut many[..]
        }
    };
    let mut n = 0;
    for object in arms.iter().filter_map(object_of) {
        if !open[..n].contains(&object) {
            open[n] = object;
            n += 1;
        }
    }
    let open = &open[..n];
    receives::note_closed(execution, arms.iter().filter_map(Arm::closed));
    let blocking = match otherwise {
        Otherwise::Wait => Blocking::Wait,
        Otherwise::Default => Blocking::Try,
        Otherwise::Timeout(_) => Blocking::Timeout,
    };
    match receives::receive(execution, open, blocking, place) {
        Received::Message { object, send } => {
            let arm = arms.iter().position(|arm| object_of(arm) == Some(object));
            Outcome::Arm(arm.expect("an open arm was chosen"), Ticket(Some(send)))
        }
        Received::Closed | Received::OneClosed { .. } => Outcome::Closed,
        Received::Nothing => Outcome::Nothing,
    }
}

/// Outside a program under test.
fn wait_really(arms: &[Arm<'_>], otherwise: Otherwise) -> Outcome {
    let deadline = match otherwise {
        Otherwise::Timeout(limit) => Instant::now().checked_add(limit),
        _ => None,
    };
    let _selecting = Selecting::begin();
    let mut bell = Bell::listen();
    loop {
        let mut all_closed = true;
        for (n, arm) in arms.iter().enumerate() {
            match arm.opening() {
                Some(Which::Real(source)) => {
                    let (ready, open) = source.probe();
                    if ready {
                        return Outcome::Arm(n, Ticket(None));
                    }
                    all_closed &= !open;
                }
                Some(Which::Controlled { .. }) => {
                    panic!("select!: an arm was made inside a program under test")
                }
                None => {}
            }
        }
        if all_closed {
            return Outcome::Closed;
        }
        bell = match (otherwise, deadline) {
            (Otherwise::Default, _) => return Outcome::Nothing,
            (_, Some(at)) => match bell.wait_until(at) {
                Some(bell) => bell,
                None => return Outcome::Nothing,
            },
            _ => bell.wait(),
        };
    }
}

/// For a select without a default or timeout arm.
pub fn cannot_time_out() -> ! {
    unreachable!("a select without a default or timeout arm waits")
}

/// For a select without a `closed` arm.
#[track_caller]
pub fn all_closed() -> ! {
    panic!("select!: every open arm is closed; add a `closed => ..` arm to say what happens then")
}
