//! Selects whose arms are known only when the program runs, made from selects whose arms are written in the source: one for
//! every combination.

use std::time::Duration;

use insyn::std::sync::mpsc::Receiver;
use insyn::sync::{Call, Entry, PortReceiver};

use super::super::program::{Otherwise, Select};
use super::Runner;
use super::objects::{Message, ReceiveHandle};

/// What a select took.
pub(super) enum Taken {
    Call(Call<u8, u8>),
    Message(Message),
    /// The default, the timeout, or all arms closed.
    Nothing,
    /// There was no open arm, so there was no select.
    NoArm,
}

impl From<Call<u8, u8>> for Taken {
    fn from(call: Call<u8, u8>) -> Taken {
        Taken::Call(call)
    }
}

impl From<Message> for Taken {
    fn from(message: Message) -> Taken {
        Taken::Message(message)
    }
}

/// What an arm listens to.
#[derive(Clone, Copy)]
enum Source<'a> {
    Entry(&'a Entry<u8, u8>),
    Channel(&'a Receiver<Message>),
    Port(&'a PortReceiver<Message>),
}

/// Input: `otherwise, (accept entry open) (recv port open) …`. Output: a select with these arms.
macro_rules! select_over {
    ($otherwise:expr, $(($kind:ident $source:ident $open:ident))+) => {
        match $otherwise {
            Otherwise::Wait => insyn::select! {
                $($kind($source) -> got if $open => { Taken::from(got) },)+
                closed => { Taken::Nothing },
            },
            Otherwise::Default => insyn::select! {
                $($kind($source) -> got if $open => { Taken::from(got) },)+
                default => { Taken::Nothing },
                closed => { Taken::Nothing },
            },
            Otherwise::Timeout => insyn::select! {
                $($kind($source) -> got if $open => { Taken::from(got) },)+
                timeout(Duration::from_millis(10)) => { Taken::Nothing },
                closed => { Taken::Nothing },
            },
        }
    };
}

/// Input: `otherwise, [arm name open, …], arms so far`. Output: a match on what each arm is, and the selects.
macro_rules! select_by_source {
    ($otherwise:expr, [], $($bound:tt)+) => { select_over!($otherwise, $($bound)+) };
    ($otherwise:expr, [$arm:ident $name:ident $open:ident, $($rest:tt)*], $($bound:tt)+) => {
        match $arm {
            None => select_over!($otherwise, $($bound)+),
            Some((Source::Entry($name), $open)) => {
                select_by_source!($otherwise, [$($rest)*], $($bound)+ (accept $name $open))
            }
            Some((Source::Channel($name), $open)) => {
                select_by_source!($otherwise, [$($rest)*], $($bound)+ (recv $name $open))
            }
            Some((Source::Port($name), $open)) => {
                select_by_source!($otherwise, [$($rest)*], $($bound)+ (recv $name $open))
            }
        }
    };
}

/// Does the select for the thread. Arms that it cannot receive from are left out, guards are left to the select.
pub(super) fn select(runner: &Runner<'_>, select: &Select) -> Taken {
    let mut arms = select.arms.iter().filter_map(|(o, guard)| {
        let source = match runner.receiver(*o)? {
            ReceiveHandle::Channel(receiver) => Source::Channel(receiver),
            ReceiveHandle::Port(receiver) => Source::Port(receiver),
            ReceiveHandle::Entry(entry) => Source::Entry(entry),
            ReceiveHandle::Flow(_) | ReceiveHandle::Timer(_) => return None,
        };
        Some((source, guard.holds(runner.last)))
    });
    if !arms.clone().any(|(_, open)| open) {
        return Taken::NoArm;
    }
    let [first, second, third] = [arms.next(), arms.next(), arms.next()];
    let Some((first, first_open)) = first else { return Taken::NoArm };
    let otherwise = select.otherwise;
    match first {
        Source::Entry(a) => {
            select_by_source!(otherwise, [second b b_open, third c c_open,], (accept a first_open))
        }
        Source::Channel(a) => {
            select_by_source!(otherwise, [second b b_open, third c c_open,], (recv a first_open))
        }
        Source::Port(a) => {
            select_by_source!(otherwise, [second b b_open, third c c_open,], (recv a first_open))
        }
    }
}
