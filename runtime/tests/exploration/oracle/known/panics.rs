//! Threads that panic, ends of channels in messages, and clocks, worked out by hand.

use super::super::program::{Delivery, Holder, Object, OnceShape, Op, Threads, Value};
use super::{Known, program};

/// Known programs, each with the reason for its number.
pub(crate) fn panics() -> Vec<Known> {
    [locks(), onces(), parcels(), counts(), times()].into_iter().flatten().collect()
}

fn channel(senders: Threads, receiver: usize) -> Object {
    Object::Port { delivery: Delivery::Channel, senders, receiver: Holder::Thread(receiver) }
}

fn locks() -> Vec<Known> {
    let mutex = || vec![Object::Mutex, Object::Condvar { mutex: 0 }];
    let dies = || vec![Op::Lock(0), Op::Panic];
    let set = || vec![Op::Lock(0), Op::Add(0, Value::Just(1)), Op::NotifyOne(1), Op::Unlock(0)];
    let wait = || vec![Op::Lock(0), Op::WaitWhile(1), Op::Unlock(0)];
    vec![
        // The second thread panics because the first has, or nothing is wrong with it.
        Known::new(
            "a panic with a lock, and who minds that",
            program(mutex(), vec![], vec![dies(), vec![Op::LockOrPanic(0)]]),
            2,
        ),
        Known::new(
            "a panic that is joined",
            program(mutex(), vec![Op::Join(1), Op::UnlessOdd(1), Op::IsPoisoned(0)], vec![dies()]),
            1,
        ),
        // It need not wait, or is woken.
        Known::new("a wait_while", program(mutex(), vec![], vec![set(), wait()]), 2),
        // It waits forever, or is poisoned when it looks again, or when it comes.
        Known::new(
            "a wait_while against a panic",
            program(
                mutex(),
                vec![],
                vec![vec![Op::Lock(0), Op::NotifyOne(1), Op::Panic], vec![Op::Lock(0), Op::WaitWhile(1)]],
            ),
            2,
        ),
    ]
}

fn onces() -> Vec<Known> {
    let once = |shape| vec![Object::Once { shape }];
    vec![
        // The first panics, and so does the second; or the second is done first, and the other knows it at once or later.
        Known::new(
            "a panic in once, and who minds that",
            program(once(OnceShape::Once), vec![], vec![vec![Op::FailOnce(0)], vec![Op::DoOnceOrPanic(0)]]),
            3,
        ),
        Known::new(
            "a wait for what panics",
            program(
                once(OnceShape::Once),
                vec![],
                vec![vec![Op::FailOnce(0)], vec![Op::AwaitOnceOrPanic(0)]],
            ),
            1,
        ),
        Known::new(
            "what is lazy and panics",
            program(once(OnceShape::Doomed), vec![], vec![vec![Op::DoOnce(0, None)]; 2]),
            2,
        ),
    ]
}

fn parcels() -> Vec<Known> {
    vec![
        // The number is sent before the receiver has come, or after; this cannot be observed.
        Known::new(
            "a receiver in a message",
            program(
                vec![channel(0b1, 1), channel(0b100, 0)],
                vec![Op::SendReceiver(0, 1)],
                vec![vec![Op::Recv(0), Op::Recv(1)], vec![Op::Send(1, Value::Just(1))]],
            ),
            1,
        ),
        // The channel is disconnected when the last of three handles is dropped.
        Known::new(
            "clones of a sender",
            program(
                vec![channel(0b10, 0)],
                vec![Op::Drain(0)],
                vec![vec![
                    Op::CloneSender(0),
                    Op::CloneSender(0),
                    Op::DropSender(0),
                    Op::Send(0, Value::Just(1)),
                ]],
            ),
            1,
        ),
        // The number; or nothing, and it is sent before the receiver is dropped, or after.
        Known::new(
            "a try_iter against a send",
            program(
                vec![channel(0b10, 0)],
                vec![Op::TryDrain(0)],
                vec![vec![Op::Send(0, Value::Just(1)), Op::Park]],
            ),
            3,
        ),
    ]
}

fn counts() -> Vec<Known> {
    let update = |initial| program(vec![Object::Atomic { initial }], vec![], vec![vec![Op::UpdateOdd(0)]; 2]);
    vec![
        // Both only look.
        Known::new("two fetch_updates that fail", update(0), 1),
        // The second looks after the first, or before, and finds out when it is to write.
        Known::new("two fetch_updates of which one fails", update(1), 4),
    ]
}

fn times() -> Vec<Known> {
    vec![
        // A message sent after a sleep is not received before.
        Known::new(
            "a message that is late",
            program(
                vec![channel(0b10, 0), channel(0b1, 1)],
                vec![Op::Recv(0), Op::Now, Op::UnlessOdd(1), Op::Send(1, Value::Just(1))],
                vec![vec![Op::Sleep, Op::Send(0, Value::Just(0)), Op::Recv(1)]],
            ),
            1,
        ),
    ]
}
