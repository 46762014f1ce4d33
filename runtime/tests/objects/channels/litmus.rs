//! Small programs over `std::sync::mpsc` whose every behaviour is known.

use std::time::Duration;

use insyn::std::sync::mpsc::{Receiver, SendError, Sender, channel, sync_channel};

use super::{assert_outcomes, go, outcomes, say};

const LONG: Duration = Duration::from_secs(3600);

#[test]
fn a_send_against_a_try_recv() {
    assert_outcomes(
        || {
            let (tx, rx) = channel();
            let kept = tx.clone();
            let sender = go(move || kept.send(1));
            let got = say(rx.try_recv());
            sender.join().unwrap().unwrap();
            got
        },
        &[("\"1\"", 1), ("\"Empty\"", 1)],
    );
}

#[test]
fn a_send_and_a_drop_against_two_try_recv() {
    assert_outcomes(
        || {
            let (tx, rx) = channel();
            let sender = go(move || tx.send(1));
            let got = [say(rx.try_recv()), say(rx.try_recv())];
            sender.join().unwrap().unwrap();
            got
        },
        &[
            (r#"["1","Disconnected"]"#, 1),
            (r#"["1","Empty"]"#, 1),
            (r#"["Empty","1"]"#, 1),
            (r#"["Empty","Empty"]"#, 1),
        ],
    );
}

#[test]
fn recv_ends_when_the_last_sender_is_gone() {
    assert_outcomes(
        || {
            let (tx, rx) = channel::<()>();
            let another = tx.clone();
            go(move || drop(tx));
            go(move || drop(another));
            say(rx.recv())
        },
        &[("\"RecvError\"", 1)],
    );
}

#[test]
fn recv_timeout_against_a_send() {
    for bound in [None, Some(1)] {
        let outcomes = outcomes(move || {
            let (unbounded, rx);
            let bounded;
            match bound {
                None => {
                    let (tx, r) = channel();
                    (unbounded, bounded, rx) = (Some(tx), None, r);
                }
                Some(bound) => {
                    let (tx, r) = sync_channel(bound);
                    (unbounded, bounded, rx) = (None, Some(tx), r);
                }
            }
            let sender = go(move || {
                let _ = unbounded.as_ref().map(|tx| tx.send(1));
                let _ = bounded.as_ref().map(|tx| tx.send(1));
                (unbounded, bounded)
            });
            let got = say(rx.recv_timeout(LONG));
            drop(sender.join());
            got
        });
        assert_eq!(outcomes.all(), ["\"1\"", "\"Timeout\""]);
        assert_eq!(outcomes.found.sequences, 2, "{}", outcomes.found);
    }
}

/// At a rendezvous, a receiver that gives up may have missed the sender, which is then left alone.
#[test]
fn recv_timeout_at_a_rendezvous() {
    assert_outcomes(
        || {
            let (tx, rx) = sync_channel(0);
            let sender = go(move || tx.send(1).is_ok());
            let got = say(rx.recv_timeout(LONG));
            drop(rx);
            (got, sender.join().unwrap())
        },
        &[(r#"["1",true]"#, 1), (r#"["Timeout",false]"#, 1)],
    );
}

#[test]
fn a_send_against_the_receivers_drop() {
    assert_outcomes(
        || {
            let (tx, rx) = channel();
            let sender = go(move || tx.send(1).is_ok());
            drop(rx);
            sender.join().unwrap()
        },
        &[("false", 1), ("true", 1)],
    );
    assert_outcomes(
        || {
            let (tx, rx) = sync_channel(1);
            let sender = go(move || tx.send(1).is_ok());
            drop(rx);
            sender.join().unwrap()
        },
        &[("false", 1), ("true", 1)],
    );
    // No thread ever comes to the rendezvous.
    assert_outcomes(
        || {
            let (tx, rx) = sync_channel(0);
            let sender = go(move || tx.send(1).is_ok());
            drop(rx);
            sender.join().unwrap()
        },
        &[("false", 1)],
    );
}

/// A try_send finds room, a full channel, or no receiver.
#[test]
fn a_try_send_against_a_recv() {
    let outcomes = outcomes(|| {
        let (tx, rx) = sync_channel(1);
        tx.send(1).unwrap();
        let receiver = go(move || rx.recv());
        let got = say(tx.try_send(2));
        let _ = receiver.join();
        got
    });
    assert_eq!(
        outcomes.all(),
        ["\"()\"", "\"TrySendError::Disconnected(..)\"", "\"TrySendError::Full(..)\""]
    );
}

/// At a rendezvous a try_send meets a receiver only if that is already waiting.
#[test]
fn a_try_send_at_a_rendezvous() {
    assert_outcomes(
        || {
            let (tx, rx) = sync_channel(0);
            let receiver = go(move || rx.recv().is_ok());
            let sent = tx.try_send(1).is_ok();
            drop(tx);
            (sent, receiver.join().unwrap())
        },
        &[("[false,false]", 1), ("[true,true]", 1)],
    );
    // Two calls that do not wait never meet.
    assert_outcomes(
        || {
            let (tx, rx) = sync_channel(0);
            let receiver = go(move || say(rx.try_recv()));
            let sent = say(tx.try_send(1));
            let got = receiver.join().unwrap();
            (sent, got)
        },
        &[(r#"["TrySendError::Disconnected(..)","Empty"]"#, 1), (r#"["TrySendError::Full(..)","Empty"]"#, 2)],
    );
}

/// Each thread sends and then looks whether the other has sent: one of them at least must see it.
#[test]
fn store_buffering() {
    let outcomes = outcomes(|| {
        let (tx1, rx1) = channel();
        let (tx2, rx2) = channel();
        let (kept1, kept2) = (tx1.clone(), tx2.clone());
        let other = go(move || {
            tx1.send(()).unwrap();
            (rx2.try_recv().is_ok(), rx2)
        });
        tx2.send(()).unwrap();
        let mine = rx1.try_recv().is_ok();
        let (its, _rx2) = other.join().unwrap();
        drop((kept1, kept2));
        (mine, its)
    });
    assert_eq!(outcomes.all(), ["[false,true]", "[true,false]", "[true,true]"]);
    assert_eq!(outcomes.found.sequences, 3, "{}", outcomes.found);
}

/// Which thread drops its sender first is not part of the sequence, whatever the channel.
#[test]
fn drops_of_senders_are_not_ordered() {
    for bound in 0..3 {
        assert_outcomes(
            move || {
                let (tx, rx) = sync_channel::<()>(bound);
                for _ in 0..4 {
                    let tx = tx.clone();
                    go(move || drop(tx));
                }
                drop(tx);
                say(rx.recv())
            },
            &[("\"RecvError\"", 1)],
        );
    }
}

/// Reports that it is dropped.
struct Telling(u32, Sender<u32>);

impl Drop for Telling {
    fn drop(&mut self) {
        let _ = self.1.send(self.0);
    }
}

/// Messages that synchronize when they are dropped are dropped in the order in which they were sent.
#[test]
fn messages_that_die_with_their_channel() {
    let outcomes = outcomes(|| {
        let (tell, told) = channel();
        let (tx, rx) = channel();
        let senders: Vec<_> = (1..3)
            .map(|n| {
                let (tx, tell) = (tx.clone(), tell.clone());
                go(move || tx.send(Telling(n, tell)).is_ok())
            })
            .collect();
        senders.into_iter().for_each(|sender| assert!(sender.join().unwrap()));
        drop((tx, rx, tell));
        told.iter().collect::<Vec<_>>()
    });
    assert_eq!(outcomes.all(), ["[1,2]", "[2,1]"]);
    assert_eq!(outcomes.found.sequences, 2, "{}", outcomes.found);
}

/// Reports by which thread it is dropped.
struct TellingWhere(Sender<bool>);

impl Drop for TellingWhere {
    fn drop(&mut self) {
        let on_main = insyn::std::thread::current().name() == Some("main");
        let _ = self.0.send(on_main);
    }
}

/// A message whose send races with the receiver's drop is dropped with the receiver, by the thread that drops that; or it
/// comes back.
#[test]
fn messages_that_may_die_with_their_channel() {
    fn program(
        send: impl FnOnce(TellingWhere) -> Result<(), SendError<TellingWhere>> + Send + 'static,
        receiver: impl Sized,
        (tell, told): (Sender<bool>, Receiver<bool>),
    ) -> (&'static str, Vec<bool>) {
        let sender = go(move || match send(TellingWhere(tell)) {
            Ok(()) => "sent",
            Err(back) => {
                // Keeps the sender inside alive.
                std::mem::forget(back);
                "came back"
            }
        });
        drop(receiver);
        let fate = sender.join().unwrap();
        (fate, told.try_iter().collect())
    }
    let unbounded = outcomes(|| {
        let (tx, rx) = channel();
        program(move |message| tx.send(message), rx, channel())
    });
    assert_eq!(unbounded.all(), [r#"["came back",[]]"#, r#"["sent",[true]]"#], "{}", unbounded.found);
    let bounded = outcomes(|| {
        let (tx, rx) = sync_channel(1);
        program(move |message| tx.send(message), rx, channel())
    });
    assert_eq!(bounded.all(), [r#"["came back",[]]"#, r#"["sent",[true]]"#], "{}", bounded.found);
}
