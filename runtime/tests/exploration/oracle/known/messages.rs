//! Sends and receives that give up, channels in messages, and counted pointers to handles, worked out by hand.

use super::super::program::{Delivery, Holder, Object, Op, Threads, Value};
use super::{Known, program};

fn channel(senders: Threads, receiver: usize) -> Object {
    Object::Port { delivery: Delivery::Channel, senders, receiver: Holder::Thread(receiver) }
}

/// Known programs, each with the reason for its number.
pub(crate) fn messages() -> Vec<Known> {
    [giving_up(), carried(), counted()].into_iter().flatten().collect()
}

fn giving_up() -> Vec<Known> {
    let buffer = |capacity| vec![Object::Buffer { capacity, senders: 0b10, receiver: Holder::Thread(0) }];
    let port = || vec![channel(0b10, 0)];
    let send = || Op::Send(0, Value::Just(0));
    let try_send = || Op::TrySend(0, Value::Just(0));
    let one =
        |objects, main: Vec<Op>, other| program(objects, [main, vec![Op::Join(1)]].concat(), vec![other]);
    vec![
        // Empty, or the message.
        Known::new("one send against one try_recv", one(port(), vec![Op::TryRecv(0)], vec![send()]), 2),
        Known::new(
            "one send against one recv_timeout",
            one(port(), vec![Op::RecvTimeout(0)], vec![send()]),
            2,
        ),
        // Empty twice, empty and the message, the message and empty, the message and disconnected.
        Known::new(
            "send and drop against two try_recvs",
            one(port(), vec![Op::TryRecv(0), Op::TryRecv(0)], vec![send()]),
            4,
        ),
        // Without the join the receiver's drop races with the send that was not received.
        Known::new(
            "one send against one try_recv and the receiver's drop",
            program(port(), vec![Op::TryRecv(0)], vec![vec![send()]]),
            3,
        ),
        // The second finds the channel full, or the first one taken.
        Known::new(
            "two try_sends against one recv, capacity 1",
            one(buffer(1), vec![Op::Recv(0)], vec![try_send(), try_send()]),
            2,
        ),
        // Timed out before; the message; and timed out is impossible once it is inside.
        Known::new(
            "one send against one recv_timeout, capacity 1",
            one(buffer(1), vec![Op::RecvTimeout(0)], vec![send()]),
            2,
        ),
        // They meet; or each is alone, in one order or the other; or the sender has gone by then.
        Known::new(
            "try_send against recv_timeout at a rendezvous",
            one(buffer(0), vec![Op::RecvTimeout(0)], vec![try_send()]),
            4,
        ),
        // As before, but they cannot meet.
        Known::new(
            "try_send against try_recv at a rendezvous",
            one(buffer(0), vec![Op::TryRecv(0)], vec![try_send()]),
            3,
        ),
        // They meet; or the try_send comes too early and the receive is disconnected.
        Known::new(
            "try_send against recv at a rendezvous",
            one(buffer(0), vec![Op::Recv(0)], vec![try_send()]),
            2,
        ),
    ]
}

fn carried() -> Vec<Known> {
    let objects = || vec![channel(0b10, 0), channel(0b10, 0)];
    vec![
        // Main gets the handle, drops it, and is disconnected.
        Known::new(
            "a handle in a message",
            program(
                objects(),
                vec![Op::Recv(0), Op::DropSender(1), Op::Recv(1)],
                vec![vec![Op::SendHandle(0, 1)]],
            ),
            1,
        ),
        // The message comes before the receiver's drop, and is dropped with it; or after, and its sender drops it.
        Known::new(
            "a handle that dies with the receiver",
            program(objects(), vec![Op::DropReceiver(0), Op::Recv(1)], vec![vec![Op::SendHandle(0, 1)]]),
            2,
        ),
        // The same, where it can be observed that the handle lives on in the message: empty before or after, or disconnected.
        Known::new(
            "a handle that dies with the receiver, and who looks",
            program(
                vec![channel(0b10, 0), channel(0b10, 2)],
                vec![Op::DropReceiver(0), Op::Join(2)],
                vec![vec![Op::SendHandle(0, 1)], vec![Op::TryRecv(1)]],
            ),
            4,
        ),
    ]
}

fn counted() -> Vec<Known> {
    let arc = |holders, weak, sender| Object::Arc { holders, weak, to: sender };
    vec![
        // The order cannot be observed.
        Known::new("drops of a pointer", program(vec![arc(0b11, 0, None)], vec![], vec![vec![]]), 1),
        // One of them is the last, and drops the handle.
        Known::new(
            "drops of a pointer to a handle",
            program(vec![channel(0, 0), arc(0b110, 0, Some(0))], vec![Op::Recv(0)], vec![vec![], vec![]]),
            2,
        ),
        // Main looks and drops; the other drops before, between or after.
        Known::new(
            "a look at the count",
            program(vec![arc(0b11, 0, None)], vec![Op::StrongCount(0)], vec![vec![]]),
            3,
        ),
        // Main upgrades in time, and drops both; the other drops at one of three times. Or it is too late.
        Known::new(
            "an upgrade against the last drop",
            program(vec![arc(0b10, 0b1, None)], vec![Op::Upgrade(0)], vec![vec![]]),
            4,
        ),
        // Both send before they drop, so the receiver gets both in one order or the other, whichever drops last.
        Known::new(
            "sends by a pointer to a handle",
            program(
                vec![channel(0, 0), arc(0b110, 0, Some(0))],
                vec![Op::Recv(0), Op::Recv(0), Op::Recv(0)],
                vec![vec![Op::SendBy(1, Value::Just(0))], vec![Op::SendBy(1, Value::Just(0))]],
            ),
            4,
        ),
    ]
}
