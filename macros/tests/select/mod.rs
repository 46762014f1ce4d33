//! A stand-in for the runtime's `select` module: as much of it as the expansion calls, over plain queues.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::panic::Location;
use std::time::Duration;

/// Both an entry and a receiver.
pub struct Queue<T> {
    items: RefCell<VecDeque<T>>,
    closed: bool,
}

impl<T> Queue<T> {
    /// These are the last messages.
    pub fn closed<const N: usize>(items: [T; N]) -> Self {
        Self { items: RefCell::new(items.into()), closed: true }
    }

    /// More messages may follow.
    pub fn open<const N: usize>(items: [T; N]) -> Self {
        Self { closed: false, ..Self::closed(items) }
    }
}

#[derive(Clone, Copy)]
pub struct Source {
    ready: bool,
    closed: bool,
}

pub struct Ticket {
    at: &'static Location<'static>,
}

/// A call is what the caller asked for, and where the select stands.
pub trait Accept {
    type Call;
    fn source(&self) -> Source;
    fn take(&self, ticket: Ticket) -> Self::Call;
}

pub trait Receive {
    type Message;
    fn source(&self) -> Source;
    fn take(&self, ticket: Ticket) -> Self::Message;
}

impl<T> Accept for Queue<T> {
    type Call = (T, &'static Location<'static>);
    fn source(&self) -> Source {
        Receive::source(self)
    }
    fn take(&self, ticket: Ticket) -> Self::Call {
        let at = ticket.at;
        (Receive::take(self, ticket), at)
    }
}

impl<T> Receive for Queue<T> {
    type Message = T;
    fn source(&self) -> Source {
        Source { ready: !self.items.borrow().is_empty(), closed: self.closed }
    }
    fn take(&self, _: Ticket) -> T {
        self.items.borrow_mut().pop_front().expect("only what is ready is taken")
    }
}

impl<R: Receive> Receive for &R {
    type Message = R::Message;
    fn source(&self) -> Source {
        R::source(self)
    }
    fn take(&self, ticket: Ticket) -> R::Message {
        R::take(self, ticket)
    }
}

pub enum Otherwise {
    Wait,
    Default,
    Timeout(Duration),
}

pub enum Outcome {
    Arm(usize, Ticket),
    Nothing,
    Closed,
}

/// An arm: its source if it is open.
pub struct Arm(Option<Source>);

impl Arm {
    pub fn open(source: Source) -> Self {
        Arm(Some(source))
    }

    pub fn guarded(source: Source, is_open: bool, guard: &'static Guard) -> Self {
        let Guard { text, file, line, column } = guard;
        assert!(!text.is_empty() && file.ends_with(".rs") && *line > 0 && *column > 0);
        Arm(is_open.then_some(source))
    }
}

/// A guard as it was written.
pub struct Guard {
    pub text: &'static str,
    pub file: &'static str,
    pub line: u32,
    pub column: u32,
}

/// Takes the first open arm that is ready. A timeout of zero is not granted, to see that the duration arrives.
#[track_caller]
pub fn wait(arms: &[Arm], otherwise: Otherwise) -> Outcome {
    let ready = |arm: &Arm| arm.0.is_some_and(|source| source.ready);
    if let Some(index) = arms.iter().position(ready) {
        return Outcome::Arm(index, Ticket { at: Location::caller() });
    }
    if arms.iter().filter_map(|arm| arm.0).all(|source| source.closed) {
        return Outcome::Closed;
    }
    match otherwise {
        Otherwise::Default => Outcome::Nothing,
        Otherwise::Timeout(limit) if !limit.is_zero() => Outcome::Nothing,
        Otherwise::Wait | Otherwise::Timeout(_) => panic!("waits for ever"),
    }
}

pub fn cannot_time_out() -> ! {
    unreachable!("a select without `default` and `timeout` waits")
}

#[track_caller]
pub fn all_closed() -> ! {
    panic!("every open arm is closed")
}
