//! `insyn::std::sync::mpsc`: the same calls have the same results as the standard library's.

use std::fmt::Debug;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::time::Duration;

use insyn::std::sync::mpsc::{
    Receiver, RecvError, RecvTimeoutError, SendError, Sender, SyncSender, TryRecvError, TrySendError,
    channel, sync_channel,
};

use super::{assert_outcomes, go, outcomes, same};

same!(unbounded, mpsc: std::sync::mpsc, insyn::std::sync::mpsc, {
    let (tx, rx) = mpsc::channel();
    log!(rx.try_recv());
    log!(tx.send(1));
    log!(tx.clone().send(2));
    log!(rx.recv());
    log!(rx.recv_timeout(Duration::from_secs(1)));
    log!(rx.recv_timeout(Duration::ZERO));
    log!((tx.send(3), tx.send(4), tx.send(5)));
    log!(rx.try_iter().take(2).collect::<Vec<_>>());
    log!(rx.iter().next());
    log!(rx.try_iter().next());
    log!(tx.send(6));
    drop(tx);
    log!(rx.iter().collect::<Vec<_>>());
    log!(rx.recv());
    log!(rx.try_recv());
    log!(rx.recv_timeout(Duration::MAX));
    log!((&rx).into_iter().next());
    log!(rx.into_iter().next());
});

same!(bounded, mpsc: std::sync::mpsc, insyn::std::sync::mpsc, {
    let (tx, rx) = mpsc::sync_channel(2);
    log!((tx.send("a"), tx.try_send("b"), tx.try_send("c")));
    log!(rx.recv());
    log!(tx.clone().try_send("d"));
    log!(rx.try_iter().collect::<Vec<_>>());
    log!(rx.try_recv());
    log!(rx.recv_timeout(Duration::from_millis(1)));
    log!(tx.try_send("e"));
    drop(tx);
    log!(rx.recv_timeout(Duration::from_secs(1)));
    log!(rx.recv_timeout(Duration::from_secs(1)));
    log!(rx.try_recv());
    log!(rx.recv());
});

same!(rendezvous, mpsc: std::sync::mpsc, insyn::std::sync::mpsc, {
    let (tx, rx) = mpsc::sync_channel(0);
    log!(tx.try_send(1));
    log!(rx.try_recv());
    log!(rx.recv_timeout(Duration::from_millis(1)));
    let sender = thread::spawn(move || tx.send(2));
    log!(rx.recv());
    log!(sender.join().unwrap());
    log!(rx.recv());
    log!(rx.try_recv());
    log!(rx.recv_timeout(Duration::from_millis(1)));
});

same!(without_receiver, mpsc: std::sync::mpsc, insyn::std::sync::mpsc, {
    let (tx, rx) = mpsc::channel();
    tx.send(1).unwrap();
    drop(rx);
    log!(tx.send(2));
    for bound in [0, 1] {
        let (tx, rx) = mpsc::sync_channel(bound);
        drop(rx);
        log!(tx.send(3));
        log!(tx.try_send(4));
    }
});

same!(errors_and_handles_as_text, mpsc: std::sync::mpsc, insyn::std::sync::mpsc, {
    let (tx, rx) = mpsc::channel::<i32>();
    let (stx, _srx) = mpsc::sync_channel::<i32>(1);
    log!((&tx, &rx, &stx));
    log!((rx.iter(), rx.try_iter()));
    log!(format!("{tx:#?} {rx:#?}"));
    log!(mpsc::SendError(1).to_string());
    log!(mpsc::RecvError.to_string());
    log!(mpsc::TrySendError::Full(1).to_string());
    log!(mpsc::TrySendError::Disconnected(1).to_string());
    log!(mpsc::TrySendError::from(mpsc::SendError(1)));
    log!(mpsc::TryRecvError::from(mpsc::RecvError).to_string());
    log!(mpsc::RecvTimeoutError::from(mpsc::RecvError).to_string());
    log!(mpsc::RecvTimeoutError::Timeout.to_string());
    log!(rx.into_iter());
});

same!(messages_of_any_kind, mpsc: std::sync::mpsc, insyn::std::sync::mpsc, {
    // Of zero size.
    let (tx, rx) = mpsc::channel();
    (0..20).for_each(|_| tx.send(()).unwrap());
    log!(rx.try_iter().count());
    // Messages that cannot be cloned, or are large.
    let (tx, rx) = mpsc::sync_channel(1);
    tx.send((Box::new(1), [7_u8; 4096])).unwrap();
    log!(rx.recv().map(|m| (m.0, m.1.len())));
    // Channels over channels.
    let (tx, rx) = mpsc::channel::<mpsc::Sender<i32>>();
    let (reply, replies) = mpsc::channel();
    tx.send(reply).unwrap();
    rx.recv().unwrap().send(1).unwrap();
    log!(replies.recv());
    log!(replies.recv());
    // More messages than a short run has room for.
    let (tx, rx) = mpsc::channel();
    (0..100).for_each(|n| tx.send(n).unwrap());
    log!(rx.try_iter().sum::<i32>());
    // Messages that are dropped with their channel, in order.
    struct Dying<'a>(u32, &'a std::cell::RefCell<Vec<u32>>);
    impl Drop for Dying<'_> {
        fn drop(&mut self) {
            self.1.borrow_mut().push(self.0);
        }
    }
    let dead = std::cell::RefCell::default();
    let (tx, rx) = mpsc::channel();
    let (stx, srx) = mpsc::sync_channel(3);
    for n in 0..3 {
        let _ = tx.send(Dying(n, &dead));
        let _ = stx.send(Dying(n + 10, &dead));
    }
    drop(rx.recv());
    drop((rx, srx));
    log!(dead.borrow());
});

/// Compiles if the handles have the traits that the standard library's have.
#[test]
fn traits() {
    fn shared<T: Send + Sync + Clone + Debug + UnwindSafe + RefUnwindSafe>() {}
    fn owned<T: Send + Debug + UnwindSafe + RefUnwindSafe>() {}
    fn error<T: std::error::Error + Copy + Eq>() {}
    shared::<Sender<std::cell::Cell<u8>>>();
    shared::<SyncSender<std::cell::Cell<u8>>>();
    owned::<Receiver<std::cell::Cell<u8>>>();
    error::<SendError<u8>>();
    error::<TrySendError<u8>>();
    error::<RecvError>();
    error::<TryRecvError>();
    error::<RecvTimeoutError>();
}

/// An object made outside must not wait inside, where no thread could end the wait; operations that need not wait work.
#[test]
fn real_channels_inside() {
    let program = |which: &'static str| {
        move || {
            let (tx, rx) = std::thread::spawn(|| sync_channel::<u32>(1)).join().unwrap();
            assert_eq!(tx.try_send(1), Ok(()));
            assert_eq!(rx.recv_timeout(Duration::from_secs(1)), Ok(1));
            assert_eq!(rx.try_recv(), Err(TryRecvError::Empty));
            match which {
                "recv" => drop(rx.recv()),
                "recv_timeout" => drop(rx.recv_timeout(Duration::from_millis(1))),
                _ => {
                    tx.send(1).unwrap();
                    tx.send(2).unwrap();
                }
            }
        }
    };
    for which in ["recv", "recv_timeout", "send"] {
        let found = insyn::explore(program(which));
        let [failure] = &found.failures[..] else { panic!("{found}") };
        assert!(failure.to_string().contains("made outside the program under test"), "{failure}");
        assert!(failure.to_string().contains("mpsc.rs"), "{failure}");
    }
}

/// A full channel makes a sender wait until there is room.
#[test]
fn senders_wait_for_room() {
    // With one place, sender and receiver alternate; with two, the sender may be two ahead.
    for (bound, sequences) in [(1, 1), (2, 4)] {
        assert_outcomes(
            move || {
                let (tx, rx) = sync_channel(bound);
                let sender = go(move || (0..3).map(|n| tx.send(n).is_ok()).collect::<Vec<_>>());
                let got: Vec<u32> = rx.iter().collect();
                (got, sender.join().unwrap())
            },
            &[("[[0,1,2],[true,true,true]]", sequences)],
        );
    }
}

/// A timeout that is too long for a clock does not fire.
#[test]
fn endless_timeouts() {
    assert_outcomes(
        || {
            let (tx, rx) = channel();
            go(move || tx.send(1));
            super::say(rx.recv_timeout(Duration::MAX))
        },
        &[("\"1\"", 1)],
    );
}

/// A receiver that moves from thread to thread still has one order of receives.
#[test]
fn receivers_move() {
    let outcomes = outcomes(|| {
        let (tx, rx) = channel();
        let (hand_on, handed_on) = channel();
        for n in 0..2 {
            let tx = tx.clone();
            go(move || tx.send(n));
        }
        let first = rx.recv().unwrap();
        hand_on.send(rx).unwrap();
        let second = go(move || handed_on.recv().unwrap().recv().unwrap()).join().unwrap();
        (first, second)
    });
    assert_eq!(outcomes.all(), ["[0,1]", "[1,0]"]);
    assert_eq!(outcomes.found.sequences, 2, "{}", outcomes.found);
}
