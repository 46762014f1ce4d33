//! The papers' programs whose counts are rebuilt from their text.

use super::super::program::{
    Delivery, Guard, Holder, Object, Op, Otherwise, Program, Select, Thread, Threads, Value,
};
use super::{Known, program};

/// Known programs, each with where it comes from.
pub(crate) fn papers() -> Vec<Known> {
    vec![
        Known::new("Lei and Carver 2005: six threads", six_threads(), 6),
        Known::new("Lei and Carver 2005: tangled cycle", tangled_cycle(), 3),
        Known::new("Lei and Carver 2004: three threads on two semaphores", three_semaphores(), 81),
        Known::new("the textbook, 7.5.1: a buffer of three slots", textbook_buffer(), 5),
    ]
}

fn port(senders: Threads, receiver: usize) -> Object {
    Object::Port { delivery: Delivery::Channel, senders, receiver: Holder::Thread(receiver) }
}

fn send(port: usize) -> Op {
    Op::Send(port, Value::Just(0))
}

/// Main is T2, so that its port exists until all threads have sent. An odd message is T6's.
fn six_threads() -> Program {
    let [to_t2, to_t3, to_t5] = [0, 1, 2];
    let [t1, t3, t4, t5, t6] = [1, 2, 3, 4, 5];
    let objects = vec![port(1 << t1 | 1 << t5, 0), port(1 | 1 << t4, t3), port(1 << t4 | 1 << t6, t5)];
    let main = [vec![Op::Recv(to_t2), send(to_t3)], (1..=5).map(Op::Join).collect()].concat();
    let others = vec![
        vec![send(to_t2)],
        vec![Op::Recv(to_t3), Op::Recv(to_t3)],
        vec![send(to_t3), send(to_t5)],
        vec![Op::Recv(to_t5), Op::UnlessOdd(1), send(to_t2), Op::Recv(to_t5)],
        vec![Op::Send(to_t5, Value::Just(1))],
    ];
    program(objects, main, others)
}

/// Main is T2; T3 ends when all threads have sent: it has joined T4, and T2 signals it. An odd message is T4's.
fn tangled_cycle() -> Program {
    let [to_t2, to_t3, is_sent] = [0, 1, 2];
    let [t1, t3, t4] = [1, 2, 3];
    let objects = vec![port(1 << t1 | 1 << t3, 0), port(1 | 1 << t4, t3), port(1, t3)];
    let main = vec![
        Op::Spawn(t1),
        Op::Spawn(t3),
        Op::Recv(to_t2),
        send(to_t3),
        send(is_sent),
        Op::Join(t1),
        Op::Join(t3),
    ];
    let cycle =
        vec![Op::Spawn(t4), Op::Recv(to_t3), Op::UnlessOdd(1), send(to_t2), Op::Join(t4), Op::Recv(is_sent)];
    let threads = vec![
        Thread { parent: 0, ops: main },
        Thread { parent: 0, ops: vec![send(to_t2)] },
        Thread { parent: 0, ops: cycle },
        Thread { parent: t3, ops: vec![Op::Send(to_t3, Value::Just(1))] },
    ];
    Program { objects, threads, scoped: false }
}

fn three_semaphores() -> Program {
    let semaphore = |permits| Object::Semaphore { permits, binary: false };
    let [s1, s2] = [0, 1];
    let others = vec![
        vec![Op::Acquire(s1), Op::Release(s1)],
        vec![Op::Acquire(s1), Op::Acquire(s2), Op::Release(s2), Op::Release(s1)],
        vec![Op::Acquire(s1), Op::Release(s1), Op::Acquire(s2), Op::Release(s2)],
    ];
    program(vec![semaphore(2), semaphore(1)], vec![], others)
}

/// Main serves three deposits of one thread and three withdrawals of another. The number of items is in a mutex that
/// no other thread uses.
fn textbook_buffer() -> Program {
    let [deposit, withdraw, items] = [0, 1, 2];
    let entry = |senders| Object::Entry { senders, receiver: Holder::Thread(0) };
    let arms = vec![(deposit, Guard::Below(3)), (withdraw, Guard::Above(0))];
    let select = Op::Select(Select { arms, otherwise: Otherwise::Wait });
    let serve = [Op::Load(items), select, Op::Add(items, Value::LastPlus(0)), Op::Reply];
    let main = [vec![Op::Lock(items)], vec![serve; 6].concat()].concat();
    let others =
        vec![vec![Op::Call(deposit, Value::Just(1)); 3], vec![Op::Call(withdraw, Value::Just(u8::MAX)); 3]];
    program(vec![entry(0b010), entry(0b100), Object::Mutex], main, others)
}
