//! The programs of the examples that use more than asynchronous ports.
//!
//! Threads borrow what they share from the closure, so that nothing is dropped before all of them have ended. With
//! `probes`, two more threads do one operation each, at any time: at a receiving event where such an operation is open,
//! and only there, it could have been taken instead, so it is in the race set. That makes open lists visible.

use std::collections::VecDeque;

use insyn::std::thread;
use insyn::sync::{Condition, Delivery, Entry, Monitor, ReentrantLock, Semaphore, entry, port};

/// Figure 7.19: T2 selects among two entries. When it has just served `p2` it wants `p1` next, while there is one to
/// come; then the alternative for `p2` is closed. The probes call `p1` and `p2`.
pub(crate) fn selective_wait(probes: bool) {
    let (p1, mut accept_1) = entry::<(), ()>();
    let (p2, mut accept_2) = entry::<(), ()>();
    let each = if probes { 3 } else { 2 };
    let (p1, p2) = (&p1, &p2);
    let two_calls = |to: &insyn::sync::Caller<(), ()>| (0..2).for_each(|_| to.call(()).unwrap());
    thread::scope(|scope| {
        let (accept_1, accept_2) = (&mut accept_1, &mut accept_2);
        scope.spawn(move || two_calls(p1));
        scope.spawn(move || {
            let (mut served_1, mut last_was_2) = (0, false);
            for _ in 0..2 * each {
                last_was_2 = insyn::select! {
                    accept(accept_1) -> call => {
                        call.reply(());
                        served_1 += 1;
                        false
                    },
                    accept(accept_2) -> call if !last_was_2 || served_1 == each => {
                        call.reply(());
                        true
                    },
                };
            }
        });
        scope.spawn(move || two_calls(p2));
        if probes {
            scope.spawn(move || p1.call(()).unwrap());
            scope.spawn(move || p2.call(()).unwrap());
        }
    });
}

/// Figure 7.20: T1 and T2 do P and V on a binary semaphore that is 1. The probes do P and V.
pub(crate) fn binary_semaphore(probes: bool) {
    let s = Semaphore::binary(1);
    let p_v = || {
        s.acquire();
        s.release();
    };
    thread::scope(|scope| {
        scope.spawn(p_v);
        scope.spawn(p_v);
        if probes {
            scope.spawn(|| s.acquire());
            scope.spawn(|| s.release());
        }
    });
}

/// Figure 7.21: T1 takes a lock, T2 takes it twice over. A probe takes and gives it back.
pub(crate) fn reentrant_lock(probes: bool) {
    let k = ReentrantLock::new(());
    thread::scope(|scope| {
        scope.spawn(|| drop(k.lock()));
        scope.spawn(|| {
            let _outer = k.lock();
            drop(k.lock());
        });
        if probes {
            scope.spawn(|| drop(k.lock()));
        }
    });
}

/// Figure 7.22: two signal-and-continue monitors, `m1` with `a` (waits until there was a `b`) and `b` (signals), `m2`
/// with `c`. The probes enter `m1` and `m2`.
pub(crate) fn two_monitors(probes: bool) {
    struct M1(Monitor<bool>, Condition);
    impl M1 {
        fn a(&self) {
            let mut there_was_b = self.0.enter();
            if !*there_was_b {
                there_was_b.wait(&self.1);
            }
        }
        fn b(&self) {
            let mut there_was_b = self.0.enter();
            *there_was_b = true;
            there_was_b.signal(&self.1);
        }
    }
    let m1 = Monitor::new(false);
    let there_was_b = m1.condition();
    let m1 = M1(m1, there_was_b);
    let m2 = Monitor::new(());
    let c = || drop(m2.enter());
    thread::scope(|scope| {
        scope.spawn(|| {
            m1.a();
            c();
        });
        scope.spawn(|| m1.b());
        scope.spawn(|| {
            c();
            m1.b();
        });
        if probes {
            scope.spawn(|| m1.b());
            scope.spawn(c);
        }
    });
}

/// Section 7.5.1: a producer (T1) and a consumer (T2) with three items, a buffer (T3) with three slots.
pub(crate) fn bounded_buffer() {
    let (deposit, mut deposits) = entry::<u32, ()>();
    let (withdraw, mut withdrawals) = entry::<(), u32>();
    thread::scope(|scope| {
        let (deposit, withdraw) = (&deposit, &withdraw);
        let (deposits, withdrawals): (&mut Entry<u32, ()>, &mut Entry<(), u32>) =
            (&mut deposits, &mut withdrawals);
        scope.spawn(move || (1..=3).for_each(|n| deposit.call(n).unwrap()));
        scope.spawn(move || (1..=3).for_each(|n| assert_eq!(withdraw.call(()), Ok(n))));
        scope.spawn(move || {
            let mut items = VecDeque::new();
            for _ in 0..6 {
                insyn::select! {
                    accept(deposits) -> mut call if items.len() < 3 => {
                        items.extend(call.take());
                        call.reply(());
                    },
                    accept(withdrawals) -> call if !items.is_empty() => {
                        call.reply(items.pop_front().expect("the guard says so"));
                    },
                }
            }
        });
    });
}

/// The paper's figure 1: T1 sends to T2; T2 receives, sends to T3; T3 receives twice; T4 sends to T3, then to T5; T5
/// receives, sends to T2 if that came from T6, receives; T6 sends to T5.
pub(crate) fn six_threads(delivery: Delivery) {
    let (to_2, mut port_2) = port::<u32>(delivery);
    let (to_3, mut port_3) = port::<u32>(delivery);
    let (to_5, mut port_5) = port::<u32>(delivery);
    let (to_2, to_3, to_5) = (&to_2, &to_3, &to_5);
    thread::scope(|scope| {
        let (port_2, port_3, port_5) = (&mut port_2, &mut port_3, &mut port_5);
        scope.spawn(move || to_2.send(1).unwrap());
        scope.spawn(move || {
            port_2.recv().unwrap();
            to_3.send(2).unwrap();
        });
        scope.spawn(move || {
            port_3.recv().unwrap();
            port_3.recv().unwrap();
        });
        scope.spawn(move || {
            to_3.send(4).unwrap();
            to_5.send(4).unwrap();
        });
        scope.spawn(move || {
            if port_5.recv() == Ok(6) {
                to_2.send(5).unwrap();
            }
            port_5.recv().unwrap();
        });
        scope.spawn(move || to_5.send(6).unwrap());
    });
}

/// The paper's tangled cycle: T1 sends to T2; T2 receives, sends to T3; T3 receives and, if that came from T4, sends to
/// T2; T4 sends to T3.
pub(crate) fn tangled_cycle() {
    let (to_2, mut port_2) = port::<u32>(Delivery::Fifo);
    let (to_3, mut port_3) = port::<u32>(Delivery::Fifo);
    let (to_2, to_3) = (&to_2, &to_3);
    thread::scope(|scope| {
        let (port_2, port_3) = (&mut port_2, &mut port_3);
        scope.spawn(move || to_2.send(1).unwrap());
        scope.spawn(move || {
            port_2.recv().unwrap();
            to_3.send(2).unwrap();
        });
        scope.spawn(move || {
            if port_3.recv() == Ok(4) {
                to_2.send(3).unwrap();
            }
        });
        scope.spawn(move || to_3.send(4).unwrap());
    });
}
