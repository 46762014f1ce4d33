//! Channels of crossbeam, timers and selects over them, worked out by hand.

use super::super::program::{Choice, Object, Op, Otherwise, Program, Side, Thread, Threads, Value};
use super::{Known, program};

fn flow(capacity: Option<usize>, senders: Threads, receivers: Threads) -> Object {
    Object::Flow { capacity, senders, receivers }
}

fn send(o: usize) -> Op {
    Op::Send(o, Value::Just(0))
}

/// Known programs, each with the reason for its number.
pub(crate) fn flows() -> Vec<Known> {
    [channels(), hang_ups(), timers(), selects(), joined(), biased()].into_iter().flatten().collect()
}

fn channels() -> Vec<Known> {
    let pairs = |capacity| {
        let others = vec![vec![send(0)], vec![send(0)], vec![Op::Recv(0)], vec![Op::Recv(0)]];
        program(vec![flow(capacity, 0b110, 0b11000)], vec![], others)
    };
    vec![
        Known::new(
            "fan-in of three, one receiver",
            program(vec![flow(None, 0b1110, 0b1)], vec![Op::Recv(0); 3], vec![vec![send(0)]; 3]),
            6,
        ),
        // Two orders of the puts, two of the takes, and the second put comes before or after the first take.
        Known::new("two producers and two consumers", pairs(None), 8),
        // The second put always comes after the first take.
        Known::new("two producers and two consumers, capacity 1", pairs(Some(1)), 4),
        // Which producer meets which consumer, and which pair is first.
        Known::new("two producers and two consumers at a rendezvous", pairs(Some(0)), 4),
        // One receive happens before the other, so the channel stays a port.
        Known::new(
            "receives in order",
            program(
                vec![flow(None, 0b10, 0b101), flow(None, 0b1, 0b100)],
                vec![Op::Recv(0), send(1)],
                vec![vec![send(0), send(0)], vec![Op::Recv(1), Op::Recv(0)]],
            ),
            1,
        ),
        // Delivered, or after both receivers have gone.
        Known::new(
            "a send against the drops of two receivers",
            program(vec![flow(None, 0b1, 0b110)], vec![send(0)], vec![vec![], vec![]]),
            2,
        ),
        // The channel is a port, and the sender knows of both drops.
        Known::new(
            "a send after the drops of two receivers",
            program(
                vec![flow(None, 0b1, 0b110)],
                vec![Op::Join(1), Op::Join(2), send(0)],
                vec![vec![], vec![]],
            ),
            1,
        ),
        Known::new(
            "a put against the drops of two receivers",
            program(vec![flow(Some(1), 0b1, 0b110)], vec![send(0)], vec![vec![], vec![]]),
            2,
        ),
        // An unbounded channel is emptied when its receiver is dropped.
        Known::new(
            "len against the receiver's drop",
            program(
                vec![flow(None, 0b1, 0b10)],
                vec![send(0), Op::Len(0), Op::UnlessIs(0, 1), Op::Len(0)],
                vec![vec![]],
            ),
            // The drop comes first, or second and then there is one more look, or last.
            3,
        ),
        // The second put comes before the receiver's drop or after it.
        Known::new(
            "two puts against a take and a drop, capacity 1",
            program(vec![flow(Some(1), 0b10, 0b1)], vec![Op::Recv(0)], vec![vec![send(0), send(0)]]),
            2,
        ),
        Known::new(
            "len against a send",
            program(vec![flow(None, 0b10, 0b1)], vec![Op::Len(0), Op::Join(1)], vec![vec![send(0)]]),
            2,
        ),
        // No room yet, and the call need not wait; or room.
        Known::new(
            "send_timeout against a take, capacity 1",
            program(
                vec![flow(Some(1), 0b10, 0b1)],
                vec![Op::Recv(0), Op::Join(1)],
                vec![vec![send(0), Op::SendTimeout(0, Value::Just(0))]],
            ),
            2,
        ),
    ]
}

/// A channel hangs up together with the last drop of a receiver.
fn hang_ups() -> Vec<Known> {
    let after_the_drops = |capacity| {
        let main = vec![Op::Join(1), Op::Join(2), send(0)];
        program(vec![flow(capacity, 0b1, 0b110)], main, vec![vec![], vec![]])
    };
    // Main drops its receivers before anything else happens.
    let crosswise = || {
        let main = vec![Op::DropReceiver(0), Op::DropReceiver(1), Op::Spawn(1), Op::Spawn(2)];
        let ops = [main, vec![Op::DropReceiver(0), send(1)], vec![Op::DropReceiver(1), send(0)]];
        Program {
            objects: vec![flow(Some(1), 0b100, 0b11), flow(Some(1), 0b10, 0b101)],
            threads: ops.into_iter().map(|ops| Thread { parent: 0, ops }).collect(),
            scoped: false,
        }
    };
    vec![
        Known::new("a put after the drops of two receivers", after_the_drops(Some(1)), 1),
        Known::new("a put after the drops of two receivers at a rendezvous", after_the_drops(Some(0)), 1),
        // One put may come before the other channel's hang-up, or both after; not both before.
        Known::new("puts and hang-ups crosswise", crosswise(), 3),
    ]
}

fn timers() -> Vec<Known> {
    let timer = |tick, main| program(vec![Object::Timer { tick, receivers: 0b1 }], main, vec![]);
    vec![
        Known::new("recv on after", timer(false, vec![Op::Recv(0)]), 1),
        Known::new("try_recv on after", timer(false, vec![Op::TryRecv(0)]), 2),
        Known::new("two try_recvs on after", timer(false, vec![Op::TryRecv(0); 2]), 3),
        Known::new("two try_recvs on tick", timer(true, vec![Op::TryRecv(0); 2]), 4),
        // The second waits forever.
        Known::new("two recvs on after", timer(false, vec![Op::Recv(0); 2]), 1),
        // Once it was seen to have fired, it has.
        Known::new("is_empty twice on after", timer(false, vec![Op::IsEmpty(0); 2]), 3),
        Known::new("is_empty and try_recv on after", timer(false, vec![Op::IsEmpty(0), Op::TryRecv(0)]), 3),
        Known::new(
            "is_empty and try_recv, twice, on tick",
            timer(true, vec![Op::IsEmpty(0), Op::TryRecv(0), Op::IsEmpty(0), Op::TryRecv(0)]),
            9,
        ),
    ]
}

fn choose(arms: &[(usize, Side)], otherwise: Otherwise) -> Op {
    Op::Choose(Choice { arms: arms.to_vec(), otherwise, ready: false, biased: false, never: false })
}

fn selects() -> Vec<Known> {
    let both = [(0, Side::Recv), (1, Side::Recv)];
    let ports = || vec![flow(None, 0b10, 0b1), flow(None, 0b100, 0b1)];
    let select = |otherwise, first: Vec<Op>| {
        let main = vec![choose(&both, otherwise), Op::Join(1), Op::Join(2)];
        program(ports(), main, vec![first, vec![send(1)]])
    };
    let with_timer = |otherwise| {
        let objects = vec![flow(None, 0b10, 0b1), Object::Timer { tick: false, receivers: 0b1 }];
        program(objects, vec![choose(&both, otherwise), Op::Join(1)], vec![vec![send(0)]])
    };
    vec![
        Known::new("a select over two channels", select(Otherwise::Wait, vec![send(0)]), 2),
        Known::new("a select over two channels, with default", select(Otherwise::Default, vec![send(0)]), 3),
        Known::new("a select over two channels, with timeout", select(Otherwise::Timeout, vec![send(0)]), 3),
        // A disconnected channel counts like a message.
        Known::new("a select over two channels, one disconnected", select(Otherwise::Wait, vec![]), 2),
        Known::new("a select over a channel and after", with_timer(Otherwise::Wait), 2),
        Known::new("a select over a channel and after, with default", with_timer(Otherwise::Default), 3),
    ]
}

fn joined() -> Vec<Known> {
    let ready = |arms: &[(usize, Side)]| {
        Op::Choose(Choice {
            arms: arms.to_vec(),
            otherwise: Otherwise::Wait,
            ready: true,
            biased: false,
            never: false,
        })
    };
    let both = [(0, Side::Recv), (1, Side::Recv)];
    let put = Side::Send(Value::Just(0));
    let unbounded = || vec![flow(None, 0b10, 0b1), flow(None, 0b10, 0b1)];
    let rendezvous = || vec![flow(Some(0), 0b10, 0b1), flow(Some(0), 0b10, 0b1)];
    vec![
        // Of the put and the receiver's drop of the other, the arm that sends comes before, between or after (where it
        // fails), the arm that receives between or after.
        Known::new(
            "a select that sends or receives",
            program(
                vec![flow(Some(1), 0b1, 0b10), flow(Some(1), 0b10, 0b1)],
                vec![choose(&[(0, put), (1, Side::Recv)], Otherwise::Wait), Op::Join(1)],
                vec![vec![send(1)]],
            ),
            5,
        ),
        // The message that is there, or the channel that is disconnected after that.
        Known::new(
            "ready, for a message or a disconnect",
            program(unbounded(), vec![ready(&both), Op::Join(1)], vec![vec![send(0)]]),
            2,
        ),
        // It finds the put waiting, and then meets it.
        Known::new(
            "ready at a rendezvous",
            program(rendezvous(), vec![ready(&both), Op::Recv(0), Op::Join(1)], vec![vec![send(0)]]),
            1,
        ),
        // A thread that was found waiting is still there.
        Known::new(
            "ready and try_recv at a rendezvous",
            program(rendezvous(), vec![ready(&both[..1]), Op::TryRecv(0), Op::Join(1)], vec![vec![send(0)]]),
            1,
        ),
        // The two selects meet at one rendezvous or the other.
        Known::new(
            "two selects at two rendezvous",
            program(
                rendezvous(),
                vec![choose(&both, Otherwise::Wait), Op::Join(1)],
                vec![vec![choose(&[(0, put), (1, put)], Otherwise::Wait)]],
            ),
            2,
        ),
        // Only one of the two waits: they meet at one or the other, or the one in a hurry comes first; then the
        // other never ends.
        Known::new(
            "a select with default against one that waits, at two rendezvous",
            program(
                rendezvous(),
                vec![choose(&both, Otherwise::Default), Op::Join(1)],
                vec![vec![choose(&[(0, put), (1, put)], Otherwise::Wait)]],
            ),
            3,
        ),
    ]
}

/// Selects that take the first arm that is ready.
fn biased() -> Vec<Known> {
    let choose = |arms: &[(usize, Side)], otherwise| {
        Op::Choose(Choice { arms: arms.to_vec(), otherwise, ready: false, biased: true, never: false })
    };
    let put = Side::Send(Value::Just(0));
    let drops = |capacity, otherwise| {
        let objects = vec![flow(capacity, 0b10, 0b1), flow(None, 0b10, 0b1)];
        let main = vec![choose(&[(0, Side::Recv), (1, Side::Recv)], otherwise), Op::Join(1)];
        program(objects, main, vec![vec![Op::DropSender(0), Op::DropSender(1)]])
    };
    vec![
        // There is room at the first arm, so no thread comes to the rendezvous.
        Known::new(
            "a biased select does not meet at a later arm",
            program(
                vec![flow(Some(0), 0b10, 0b1), flow(Some(1), 0b10, 0b1)],
                vec![Op::Recv(0), Op::Join(1)],
                vec![vec![choose(&[(1, put), (0, put)], Otherwise::Wait)]],
            ),
            1,
        ),
        // The first arm is disconnected before the second is, so the second is never taken.
        Known::new("a biased select against two drops", drops(None, Otherwise::Wait), 1),
        Known::new("a biased select against two drops, with default", drops(None, Otherwise::Default), 2),
        Known::new(
            "a biased select against two drops, one of a rendezvous",
            drops(Some(0), Otherwise::Wait),
            1,
        ),
        // Either of the arms gets the message; then all threads wait forever.
        Known::new(
            "two arms on one channel",
            program(
                vec![flow(Some(1), 0b10, 0b1), flow(Some(1), 0b10, 0b1), flow(Some(1), 0b1, 0b10)],
                vec![self::choose(&[(0, Side::Recv); 2], Otherwise::Wait), Op::Recv(1)],
                vec![vec![send(0), Op::Recv(2)]],
            ),
            2,
        ),
    ]
}
