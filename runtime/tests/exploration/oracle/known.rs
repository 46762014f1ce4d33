//! Programs whose number of behaviours is known from elsewhere: the textbook's, and what can be worked out by hand.

mod flows;
mod memory;
mod messages;
mod panics;
mod papers;

use super::enumerate::Options;
use super::program::{
    Delivery, Guard, Holder, Object, Op, Otherwise, Program, Select, Thread, Threads, Value,
};
pub(crate) use flows::flows;
pub(crate) use memory::memory;
pub(crate) use messages::messages;
pub(crate) use panics::panics;
pub(crate) use papers::papers;

/// A program, the options it is run with, and its number of behaviours.
pub(crate) struct Known {
    pub(crate) name: &'static str,
    pub(crate) program: Program,
    pub(crate) options: Options,
    pub(crate) behaviours: usize,
}

impl Known {
    fn new(name: &'static str, program: Program, behaviours: usize) -> Known {
        Known { name, program, options: Options::DEFAULT, behaviours }
    }

    fn with(self, change: impl Fn(&mut Options)) -> Known {
        let mut options = self.options;
        change(&mut options);
        Known { options, ..self }
    }
}

/// Main spawns the others and then does its own operations.
fn program(objects: Vec<Object>, mut main: Vec<Op>, others: Vec<Vec<Op>>) -> Program {
    main.splice(0..0, (1..=others.len()).map(Op::Spawn));
    let threads = std::iter::once(main).chain(others).map(|ops| Thread { parent: 0, ops }).collect();
    Program { objects, threads, scoped: false }
}

/// The bounded buffer: `count` producers and as many consumers, one item each.
fn workers(count: usize, producer: &[Op], consumer: &[Op]) -> Vec<Vec<Op>> {
    [vec![producer.to_vec(); count], vec![consumer.to_vec(); count]].concat()
}

/// Programs that are counted quickly.
pub(crate) fn small() -> Vec<Known> {
    let known = Known::new;
    let mut all = vec![
        known("Prod_Cons: two, two and four locks", locks(), 420),
        known("bounded buffer with semaphores, 2P 2C 2S", buffer_with_semaphores(2), 12),
        known("bounded buffer with semaphores, 3P 3C 2S", buffer_with_semaphores(3), 324),
        known("bounded buffer with selective wait, 3P 3C 2S", buffer_with_select(), 144),
        known("bounded buffer with an urgent monitor, 3P 3C 2S", buffer_with_monitor(true), 720),
    ];
    for delivery in [Delivery::Channel, Delivery::Mailbox, Delivery::Fifo, Delivery::Causal, Delivery::Bag] {
        let port = |senders: Threads| vec![Object::Port { delivery, senders, receiver: Holder::Thread(0) }];
        let send = Op::Send(0, Value::Just(0));
        all.push(known(
            "fan-in of three",
            program(port(0b1110), vec![Op::Recv(0); 3], vec![vec![send.clone()]; 3]),
            6,
        ));
        // Of two messages of one sender, only a bag delivers the later one first.
        let orders = if delivery == Delivery::Bag { 2 } else { 1 };
        all.push(known(
            "two in a row",
            program(port(0b10), vec![Op::Recv(0); 2], vec![vec![send.clone(); 2]]),
            orders,
        ));
        // One thread sends to main, then to another, which sends to main: only fifo and bag let the other come first.
        let mut objects = port(0b110);
        objects.push(Object::Port {
            delivery: Delivery::Channel,
            senders: 0b10,
            receiver: Holder::Thread(2),
        });
        let others = vec![vec![send.clone(), Op::Send(1, Value::Just(0))], vec![Op::Recv(1), send]];
        let orders = if matches!(delivery, Delivery::Fifo | Delivery::Bag) { 2 } else { 1 };
        all.push(known(
            "a message that causes another",
            program(objects, vec![Op::Recv(0); 2], others),
            orders,
        ));
    }
    all
}

/// Programs that take long.
pub(crate) fn large() -> Vec<Known> {
    let all = buffer_with_condvars(Op::NotifyAll);
    let longest = buffer_with_condvars(Op::NotifyOne);
    vec![
        Known::new("bounded buffer, notify_all, 3P 3C 2S", all, 12_096),
        Known::new("bounded buffer, notify_one, 3P 3C 2S", longest, 5_076)
            .with(|options| options.longest_waiter = true),
    ]
}

fn locks() -> Program {
    let times = |n: usize| vec![[Op::Lock(0), Op::Unlock(0)]; n].concat();
    program(vec![Object::Mutex], vec![], vec![times(2), times(2), times(4)])
}

fn buffer_with_semaphores(count: usize) -> Program {
    let semaphore = |permits| Object::Semaphore { permits, binary: false };
    let [mutex_d, empty_slots, full_slots, mutex_w] = [0, 1, 2, 3];
    let objects = vec![semaphore(1), semaphore(2), semaphore(0), semaphore(1)];
    let pass = |mutex, from, to| [Op::Acquire(mutex), Op::Acquire(from), Op::Release(to), Op::Release(mutex)];
    let producer = pass(mutex_d, empty_slots, full_slots);
    let consumer = pass(mutex_w, full_slots, empty_slots);
    program(objects, vec![], workers(count, &producer, &consumer))
}

/// Main is the server. The number of items is in a mutex that no other thread uses.
fn buffer_with_select() -> Program {
    let [deposit, withdraw, items] = [0, 1, 2];
    let entry = |senders| Object::Entry { senders, receiver: Holder::Thread(0) };
    let arms = vec![(deposit, Guard::Below(2)), (withdraw, Guard::Above(0))];
    let select = Op::Select(Select { arms, otherwise: Otherwise::Wait });
    let serve = [Op::Load(items), select, Op::Add(items, Value::LastPlus(0)), Op::Reply];
    let main = [vec![Op::Lock(items)], vec![serve; 6].concat()].concat();
    let others =
        workers(3, &[Op::Call(deposit, Value::Just(1))], &[Op::Call(withdraw, Value::Just(u8::MAX))]);
    program(vec![entry(0b000_1110), entry(0b111_0000), Object::Mutex], main, others)
}

fn buffer_with_monitor(urgent: bool) -> Program {
    let [not_full, not_empty] = [0, 1];
    let pass = |bound, wait_on, change, signalled| {
        [
            Op::Enter(0),
            Op::Load(0),
            Op::UnlessIs(bound, 1),
            Op::MonitorWait(0, wait_on),
            Op::Add(0, Value::Just(change)),
            Op::Signal(0, signalled),
            Op::Exit(0),
        ]
    };
    let producer = pass(2, not_full, 1, not_empty);
    let consumer = pass(0, not_empty, u8::MAX, not_full);
    program(vec![Object::Monitor { urgent, conditions: 2 }], vec![], workers(3, &producer, &consumer))
}

fn buffer_with_condvars(notify: impl Fn(usize) -> Op) -> Program {
    let [not_full, not_empty] = [1, 2];
    let pass = |bound, wait_on, change, notified| {
        [
            Op::Lock(0),
            Op::Load(0),
            Op::UnlessIs(bound, 2),
            Op::Wait(wait_on),
            Op::Back(3),
            Op::Add(0, Value::Just(change)),
            notify(notified),
            Op::Unlock(0),
        ]
    };
    let producer = pass(2, not_full, 1, not_empty);
    let consumer = pass(0, not_empty, u8::MAX, not_full);
    let objects = vec![Object::Mutex, Object::Condvar { mutex: 0 }, Object::Condvar { mutex: 0 }];
    program(objects, vec![], workers(3, &producer, &consumer))
}
