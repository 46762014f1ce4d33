//! Crossbeam's selects: by the macro where there are two or three arms (every other time), else by the list of operations.

use insyn::crossbeam_channel::{Receiver, Select, SelectedOperation, Sender, never, select, select_biased};
use insyn::std::time::Instant;

use super::super::program::{Choice, NOTHING_THERE, Otherwise, Side};
use super::Runner;
use super::messages::{A_WHILE, Got, Sent, soon};
use super::objects::{Message, ReceiveHandle, SendHandle};

/// An arm that the thread has the handle for.
#[derive(Clone, Copy)]
enum Arm<'a> {
    Send(&'a Sender<Message>, u8),
    Recv(&'a Receiver<Message>),
    Time(&'a Receiver<Instant>),
}

/// The result of a select.
enum Chosen {
    Sent(Sent),
    Got(Got),
    Ready(usize),
    Otherwise,
}

impl Runner<'_> {
    pub(super) fn choose(&mut self, choice: &Choice) {
        let never = never();
        let mut arms: Vec<Arm<'_>> = choice.arms.iter().filter_map(|(o, side)| self.arm(*o, *side)).collect();
        if choice.never && !arms.is_empty() {
            arms.push(Arm::Recv(&never));
        }
        let deadline = self.has_deadlines(choice.arms[0].0);
        let chosen = match (&arms[..], choice.ready) {
            ([], _) => return,
            (_, true) => ready(listed(&arms, choice.biased), choice.otherwise, deadline),
            _ if !deadline => by_macro(&arms, choice.biased, choice.otherwise)
                .unwrap_or_else(|| by_list(&arms, choice.biased, choice.otherwise, deadline)),
            _ => by_list(&arms, choice.biased, choice.otherwise, deadline),
        };
        match chosen {
            Chosen::Sent(sent) => self.after_sending(sent),
            Chosen::Got(got) => self.after_receiving(got),
            Chosen::Ready(index) => self.last = Some(index as u8),
            Chosen::Otherwise => self.last = Some(NOTHING_THERE),
        }
    }

    fn arm(&self, o: usize, side: Side) -> Option<Arm<'_>> {
        match side {
            Side::Send(value) => match self.handles.senders.get(&o)? {
                SendHandle::Flow(sender) => Some(Arm::Send(sender, value.of(self.last))),
                _ => None,
            },
            Side::Recv => match self.receiver(o)? {
                ReceiveHandle::Flow(receiver) => Some(Arm::Recv(receiver)),
                ReceiveHandle::Timer(receiver) => Some(Arm::Time(receiver)),
                _ => None,
            },
        }
    }
}

fn listed<'a>(arms: &[Arm<'a>], biased: bool) -> Select<'a> {
    let mut select = if biased { Select::new_biased() } else { Select::new() };
    for arm in arms {
        match *arm {
            Arm::Send(sender, _) => select.send(sender),
            Arm::Recv(receiver) => select.recv(receiver),
            Arm::Time(receiver) => select.recv(receiver),
        };
    }
    select
}

fn ready(mut select: Select<'_>, otherwise: Otherwise, deadline: bool) -> Chosen {
    let index = match otherwise {
        Otherwise::Wait => Some(select.ready()),
        Otherwise::Default => select.try_ready().ok(),
        Otherwise::Timeout if deadline => select.ready_deadline(soon()).ok(),
        Otherwise::Timeout => select.ready_timeout(A_WHILE).ok(),
    };
    index.map_or(Chosen::Otherwise, Chosen::Ready)
}

fn by_list(arms: &[Arm<'_>], biased: bool, otherwise: Otherwise, deadline: bool) -> Chosen {
    let mut select = listed(arms, biased);
    let operation: Option<SelectedOperation<'_>> = match otherwise {
        Otherwise::Wait => Some(select.select()),
        Otherwise::Default => select.try_select().ok(),
        Otherwise::Timeout if deadline => select.select_deadline(soon()).ok(),
        Otherwise::Timeout => select.select_timeout(A_WHILE).ok(),
    };
    let Some(operation) = operation else { return Chosen::Otherwise };
    match arms[operation.index()] {
        Arm::Send(sender, number) => Chosen::Sent(operation.send(sender, Message::Number(number)).into()),
        Arm::Recv(receiver) => Chosen::Got(operation.recv(receiver).into()),
        Arm::Time(receiver) => Chosen::Got(operation.recv(receiver).map_or(Got::Never, |_| Got::Time)),
    }
}

/// Input: `biased, otherwise, (kind handle [message]) …`, the last arm first; `biased` may be left out. Output: a select
/// with these arms.
macro_rules! select_over {
    (arms $select:ident [$($done:tt)*]) => { $select! { $($done)* } };
    (arms $select:ident [$($done:tt)*] (recv $receiver:ident) $($rest:tt)*) => {
        select_over!(arms $select [recv($receiver) -> message => Chosen::Got(message.into()), $($done)*] $($rest)*)
    };
    (arms $select:ident [$($done:tt)*] (time $receiver:ident) $($rest:tt)*) => {
        select_over!(arms $select [
            recv($receiver) -> time => Chosen::Got(time.map_or(Got::Never, |_| Got::Time)), $($done)*
        ] $($rest)*)
    };
    (arms $select:ident [$($done:tt)*] (send $sender:ident $number:ident) $($rest:tt)*) => {
        select_over!(arms $select [
            send($sender, Message::Number($number)) -> result => Chosen::Sent(result.into()), $($done)*
        ] $($rest)*)
    };
    (biased $biased:expr, $otherwise:expr, $($arms:tt)*) => {
        match ($biased, $otherwise) {
            (false, _) => select_over!($otherwise, $($arms)*),
            (true, Otherwise::Wait) => select_over!(arms select_biased [] $($arms)*),
            (true, Otherwise::Default) => {
                select_over!(arms select_biased [default => Chosen::Otherwise,] $($arms)*)
            }
            (true, Otherwise::Timeout) => {
                select_over!(arms select_biased [default(A_WHILE) => Chosen::Otherwise,] $($arms)*)
            }
        }
    };
    ($otherwise:expr, $($arms:tt)*) => {
        match $otherwise {
            Otherwise::Wait => select_over!(arms select [] $($arms)*),
            Otherwise::Default => select_over!(arms select [default => Chosen::Otherwise,] $($arms)*),
            Otherwise::Timeout => {
                select_over!(arms select [default(A_WHILE) => Chosen::Otherwise,] $($arms)*)
            }
        }
    };
}

/// The select as the macro writes it, if it is one of the more common ones.
fn by_macro(arms: &[Arm<'_>], biased: bool, otherwise: Otherwise) -> Option<Chosen> {
    use Arm::{Recv, Send, Time};
    Some(match *arms {
        [Recv(a), Recv(b)] => select_over!(biased biased, otherwise, (recv b) (recv a)),
        [Recv(a), Send(b, n)] => select_over!(biased biased, otherwise, (send b n) (recv a)),
        [Send(a, m), Recv(b)] => select_over!(biased biased, otherwise, (recv b) (send a m)),
        [Send(a, m), Send(b, n)] => select_over!(biased biased, otherwise, (send b n) (send a m)),
        _ if biased => return None,
        [Recv(a), Time(b)] => select_over!(otherwise, (time b) (recv a)),
        [Send(a, m), Time(b)] => select_over!(otherwise, (time b) (send a m)),
        [Recv(a), Recv(b), Recv(c)] => select_over!(otherwise, (recv c) (recv b) (recv a)),
        [Recv(a), Recv(b), Time(c)] => select_over!(otherwise, (time c) (recv b) (recv a)),
        [Recv(a), Send(b, n), Recv(c)] => select_over!(otherwise, (recv c) (send b n) (recv a)),
        [Send(a, m), Recv(b), Time(c)] => select_over!(otherwise, (time c) (recv b) (send a m)),
        [Send(a, m), Send(b, n), Recv(c)] => select_over!(otherwise, (recv c) (send b n) (send a m)),
        _ => return None,
    })
}
