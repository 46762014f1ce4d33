//! Selection with [`Select`]: as crossbeam's outside, and everything that can happen inside.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use insyn::crossbeam_channel::{Receiver, Select, Sender, bounded, never, unbounded};

use super::{assert_outcomes, go, outcomes, same, say};

const LONG: Duration = Duration::from_secs(3600);

same!(one_thread, cc: crossbeam_channel, insyn::crossbeam_channel, {
    let (s1, r1) = cc::unbounded();
    let (s2, r2) = cc::bounded(1);
    let (s3, r3) = cc::bounded::<u8>(0);
    let another = r3.clone();
    let nothing = cc::never::<u8>();
    let mut select = cc::Select::new();
    log!((select.recv(&r1), select.recv(&r2), select.send(&s3), select.recv(&another), select.recv(&nothing)));
    log!(select.try_select().map(|o| o.index()));
    log!(select.select_timeout(Duration::from_millis(1)).map(|o| o.index()));
    log!(select.select_deadline(Instant::now()).map(|o| o.index()));
    log!((select.try_ready(), select.ready_timeout(Duration::from_millis(1)), select.ready_deadline(Instant::now())));
    s1.send("one").unwrap();
    log!(select.try_ready());
    log!(select.ready());
    log!(select.ready_timeout(Duration::from_secs(1)));
    let operation = select.try_select().unwrap();
    log!((operation.index(), &operation));
    log!(operation.recv(&r1));
    s2.send("two").unwrap();
    let operation = select.select();
    log!((operation.index(), operation.recv(&r2)));
    s2.send("three").unwrap();
    let operation = select.select_timeout(Duration::from_secs(1)).unwrap();
    log!((operation.index(), operation.recv(&r2)));
    log!(select.send(&s2));
    let operation = select.select_deadline(Instant::now() + Duration::from_secs(1)).unwrap();
    log!((operation.index(), operation.send(&s2, "four")));
    log!(r2.recv());
    select.remove(5);
    drop(s1);
    log!(select.clone().ready());
    let operation = select.select();
    log!((operation.index(), operation.recv(&r1)));
    drop(another);
    let mut select = cc::Select::new();
    select.send(&s3);
    drop(r3);
    let operation = select.select();
    log!((operation.index(), operation.send(&s3, 1)));
});

same!(bias, cc: crossbeam_channel, insyn::crossbeam_channel, {
    let (s1, r1) = cc::unbounded();
    let (s2, r2) = cc::unbounded();
    let (s3, r3) = cc::bounded(2);
    (0..3).for_each(|n| s1.send(n).unwrap());
    (0..3).for_each(|n| s2.send(n + 10).unwrap());
    let mut select = cc::Select::new_biased();
    (select.recv(&r1), select.recv(&r2), select.send(&s3));
    for _ in 0..3 {
        log!((select.ready(), select.try_ready(), select.ready_timeout(Duration::from_secs(1))));
        let operation = select.select();
        log!((operation.index(), operation.recv(&r1)));
    }
    let operation = select.try_select().unwrap();
    log!((operation.index(), operation.recv(&r2)));
    // A removed operation is replaced by the last.
    select.remove(0);
    let operation = select.select();
    log!((operation.index(), operation.send(&s3, 20)));
    log!(r3.recv());
});

same!(nothing_to_select, cc: crossbeam_channel, insyn::crossbeam_channel, {
    let mut select = cc::Select::default();
    log!(select.try_select().map(|o| o.index()));
    log!(select.select_timeout(Duration::from_millis(1)).map(|o| o.index()));
    log!((select.try_ready(), select.ready_timeout(Duration::from_millis(1))));
    let nothing = cc::never::<u8>();
    select.recv(&nothing);
    log!(select.try_select().map(|o| o.index()));
    log!(select.select_timeout(Duration::from_millis(1)).map(|o| o.index()));
    log!((select.try_ready(), select.ready_timeout(Duration::from_millis(1))));
});

/// The panic message of a misuse.
fn misuses() -> [(&'static str, fn()); 6] {
    fn one(use_it: fn(&mut Select<'_>)) {
        let (s, r) = unbounded();
        s.send(1).unwrap();
        let mut select = Select::new();
        select.recv(&r);
        use_it(&mut select);
    }
    [
        ("no operations have been added to `Select`", || drop(Select::new().select().index())),
        ("no operations have been added to `Select`", || drop(Select::new().ready())),
        ("index out of bounds; 1 >= 1", || one(|select| select.remove(1))),
        ("no operation with this index", || {
            one(|select| {
                select.remove(0);
                select.remove(0);
            })
        }),
        ("dropped `SelectedOperation` without completing the operation", || {
            one(|select| drop(select.select()))
        }),
        ("dropped `SelectedOperation` without completing the operation", || {
            let (s, _r) = bounded::<u32>(1);
            let mut select = Select::new();
            select.send(&s);
            drop(select.select());
        }),
    ]
}

#[test]
fn misuse_outside() {
    for (message, misuse) in misuses() {
        let payload = catch_unwind(AssertUnwindSafe(misuse)).unwrap_err();
        let said = payload.downcast_ref::<String>().map(String::as_str);
        assert_eq!(said.or(payload.downcast_ref::<&str>().copied()), Some(message));
    }
}

#[test]
fn misuse_inside() {
    for (message, misuse) in misuses() {
        let found = insyn::explore(misuse);
        assert_eq!((found.sequences, found.panics), (1, 1), "{found}");
        assert!(found.failures[0].to_string().contains(message), "{found}");
    }
    // Here crossbeam ends the process: the operation is dropped while the thread unwinds.
    for wrong in [
        |s: &Sender<u32>, r: &Receiver<u32>| {
            let mut select = Select::new();
            select.recv(r);
            let _ = select.select().recv(&r.clone());
            let _ = s;
        },
        |s: &Sender<u32>, _: &Receiver<u32>| {
            let mut select = Select::new();
            select.send(s);
            let _ = select.select().send(&s.clone(), 1);
        },
    ] {
        let found = insyn::explore(move || {
            let (s, r) = bounded(2);
            s.send(1).unwrap();
            wrong(&s, &r);
        });
        assert_eq!((found.sequences, found.panics), (1, 1), "{found}");
        assert!(found.failures[0].to_string().contains("that wasn't selected"), "{found}");
    }
}

/// Selects once; returns the number of the operation and what a receive got.
fn select_receive(select: &mut Select<'_>, receivers: &[&Receiver<u32>]) -> (usize, String) {
    let operation = select.select();
    let index = operation.index();
    (index, say(operation.recv(receivers[index])))
}

/// A select that only receives is one receive.
#[test]
fn receives_from_any() {
    assert_outcomes(
        || {
            let (s1, r1) = unbounded();
            let (s2, r2) = unbounded();
            let senders = [go(move || s1.send(1)), go(move || s2.send(2))];
            let mut select = Select::new();
            select.recv(&r1);
            select.recv(&r2);
            let first = select_receive(&mut select, &[&r1, &r2]);
            senders.into_iter().for_each(|sender| sender.join().unwrap().unwrap());
            first.1
        },
        &[("\"1\"", 1), ("\"2\"", 1)],
    );
}

/// A channel without senders is ready, whatever the others are; but not before its messages are gone.
#[test]
fn receives_a_disconnect() {
    assert_outcomes(
        || {
            let (s1, r1) = unbounded();
            let (_s2, r2) = unbounded::<u32>();
            let sender = go(move || s1.send(1));
            let mut select = Select::new();
            select.recv(&r1);
            select.recv(&r2);
            let got = [(); 2].map(|()| select_receive(&mut select, &[&r1, &r2]).1);
            sender.join().unwrap().unwrap();
            got
        },
        &[(r#"["1","RecvError"]"#, 1)],
    );
}

#[test]
fn sends_to_any() {
    // Both can be sent to, and both messages come through.
    for capacity in [0, 1] {
        let outcomes = outcomes(move || {
            let (s1, r1) = bounded(capacity);
            let (s2, r2) = bounded(capacity);
            let receivers = [go(move || r1.recv().ok()), go(move || r2.recv().ok())];
            let mut select = Select::new();
            select.send(&s1);
            select.send(&s2);
            let operation = select.select();
            let index = operation.index();
            operation.send([&s1, &s2][index], 7).unwrap();
            drop((s1, s2));
            (index, receivers.map(|receiver| receiver.join().unwrap()))
        });
        assert_eq!(outcomes.all(), ["[0,[7,null]]", "[1,[null,7]]"], "{capacity} {}", outcomes.found);
    }
}

/// Two selects that offer to send to and to receive from each other meet exactly once.
#[test]
fn selects_meet() {
    let outcomes = outcomes(|| {
        let (s, r) = bounded(0);
        let party = |s: Sender<u32>, r: Receiver<u32>, message: u32| {
            let mut select = Select::new();
            let sending = select.send(&s);
            select.recv(&r);
            let operation = select.select();
            match operation.index() == sending {
                true => operation.send(&s, message).map(|()| 0).unwrap(),
                false => operation.recv(&r).unwrap(),
            }
        };
        let (s1, r1) = (s.clone(), r.clone());
        let other = go(move || party(s1, r1, 1));
        (party(s, r, 2), other.join().unwrap())
    });
    assert_eq!(outcomes.all(), ["[0,2]", "[1,0]"], "{}", outcomes.found);
}

#[test]
fn tries() {
    // A message that is certainly there is found; one that may come later may be missed.
    for capacity in [None, Some(1)] {
        let outcomes = outcomes(move || {
            let (s1, r1) = capacity.map_or_else(unbounded, bounded);
            let (_s2, r2) = capacity.map_or_else(unbounded::<u32>, bounded);
            let kept = s1.clone();
            let sender = go(move || s1.send(1));
            let mut select = Select::new();
            select.recv(&r1);
            select.recv(&r2);
            let early = select.try_select().map(|o| o.recv(&r1)).is_ok();
            sender.join().unwrap().unwrap();
            let late = select.try_select().map(|o| o.recv(&r1)).is_ok();
            drop(kept);
            (early, late)
        });
        assert_eq!(outcomes.all(), ["[false,true]", "[true,false]"], "{capacity:?} {}", outcomes.found);
    }
}

#[test]
fn timeouts() {
    for capacity in [None, Some(0), Some(1)] {
        let outcomes = outcomes(move || {
            let (s1, r1) = capacity.map_or_else(unbounded, bounded);
            let (_s2, r2) = capacity.map_or_else(unbounded, bounded::<u32>);
            let kept = s1.clone();
            let sender = go(move || s1.send_timeout(1, LONG).is_ok());
            let mut select = Select::new();
            select.recv(&r1);
            select.recv(&r2);
            let got = select.select_timeout(LONG).map(|o| o.recv(&r1)).is_ok();
            sender.join().unwrap();
            drop(kept);
            got
        });
        assert_eq!(outcomes.all(), ["false", "true"], "{capacity:?} {}", outcomes.found);
    }
}

/// The first of the ready operations is chosen; so a later one only if those before it are late.
#[test]
fn bias_under_control() {
    let program = |biased: bool, turned: bool| {
        move || {
            let (s1, r1) = unbounded();
            let (s2, r2) = unbounded();
            // One after the other.
            let sender = go(move || {
                s1.send(1).unwrap();
                s2.send(2).unwrap();
                (s1, s2)
            });
            let mut select = if biased { Select::new_biased() } else { Select::new() };
            let receivers = if turned { [&r2, &r1] } else { [&r1, &r2] };
            receivers.into_iter().for_each(|r| drop(select.recv(r)));
            let got = select_receive(&mut select, &receivers).1;
            drop(sender.join());
            got
        }
    };
    for (biased, turned, expected) in [
        (false, false, &["\"1\"", "\"2\""][..]),
        (false, true, &["\"1\"", "\"2\""]),
        (true, false, &["\"1\""]),
        (true, true, &["\"1\"", "\"2\""]),
    ] {
        let outcomes = outcomes(program(biased, turned));
        assert_eq!(outcomes.all(), expected, "{biased} {turned} {}", outcomes.found);
    }
}

/// Of two operations on the same channel either may be chosen.
#[test]
fn the_same_channel_twice() {
    for capacity in [None, Some(1)] {
        let outcomes = outcomes(move || {
            let (s, r) = capacity.map_or_else(unbounded, bounded);
            s.send(1).unwrap();
            let mut select = Select::new();
            select.recv(&r);
            select.recv(&r);
            select_receive(&mut select, &[&r, &r]).0
        });
        assert_eq!(outcomes.all(), ["0", "1"], "{capacity:?} {}", outcomes.found);
    }
}

/// A select may both send to and receive from one channel.
#[test]
fn both_sides_of_a_channel() {
    let outcomes = outcomes(|| {
        let (s, r) = bounded(2);
        s.send(1).unwrap();
        let mut select = Select::new();
        let sending = select.send(&s);
        select.recv(&r);
        let operation = select.select();
        match operation.index() == sending {
            true => operation.send(&s, 2).unwrap(),
            false => drop(operation.recv(&r)),
        }
        r.try_iter().collect::<Vec<u32>>()
    });
    assert_eq!(outcomes.all(), ["[1,2]", "[]"], "{}", outcomes.found);
}

/// What is ready for two selects may be gone when the slower one comes.
#[test]
fn ready_is_no_promise() {
    for capacity in [None, Some(1)] {
        let outcomes = outcomes(move || {
            let (s, r) = capacity.map_or_else(unbounded, bounded);
            s.send(1).unwrap();
            let another = r.clone();
            let other = go(move || another.try_recv().is_ok());
            let mut select = Select::new();
            select.recv(&r);
            let ready = select.try_ready().is_ok();
            let got = r.try_recv().is_ok();
            (ready, got, other.join().unwrap())
        });
        let expected = ["[false,false,true]", "[true,false,true]", "[true,true,false]"];
        assert_eq!(outcomes.all(), expected, "{capacity:?} {}", outcomes.found);
    }
    // A send is ready while there is room.
    assert_outcomes(
        || {
            let (s, r) = bounded(1);
            let mut select = Select::new();
            select.send(&s);
            let before = select.try_ready().is_ok();
            s.send(1).unwrap();
            let after = select.try_ready().is_ok();
            drop(r);
            (before, after, select.ready())
        },
        &[("[true,false,0]", 1)],
    );
}

/// A receiver that waits at a rendezvous makes a send ready, and goes on waiting.
#[test]
fn ready_at_a_rendezvous() {
    let outcomes = outcomes(|| {
        let (s, r) = bounded(0);
        let receiver = go(move || r.recv().ok());
        let mut select = Select::new();
        select.send(&s);
        let ready = select.try_ready().is_ok();
        let sent = s.try_send(1).is_ok();
        drop(s);
        (ready, sent, receiver.join().unwrap())
    });
    // A thread that was observed waiting is still there.
    assert_eq!(
        outcomes.all(),
        ["[false,false,null]", "[false,true,1]", "[true,true,1]"],
        "{}",
        outcomes.found
    );
}

/// Anything may happen between the choice and the message, even something that waits.
#[test]
fn messages_on_their_way() {
    for capacity in [None, Some(0), Some(1)] {
        let outcomes = outcomes(move || {
            let (s, r) = capacity.map_or_else(unbounded, bounded);
            let (_kept, nothing) = unbounded::<u32>();
            let (ask, asked) = unbounded();
            let sender = go(move || {
                let mut select = Select::new();
                let sending = select.send(&s);
                select.recv(&nothing);
                let operation = select.select();
                assert_eq!(operation.index(), sending);
                let message = asked.recv().unwrap();
                operation.send(&s, message).unwrap();
            });
            let receiver = go(move || r.recv());
            ask.send(5).unwrap();
            sender.join().unwrap();
            say(receiver.join().unwrap())
        });
        assert_eq!(outcomes.all(), ["\"5\""], "{capacity:?} {}", outcomes.found);
    }
    // A message that never comes keeps its receiver waiting, and the rest of the program ends normally.
    let outcomes = outcomes(|| {
        let (s, r) = bounded(1);
        let (_ask, asked) = unbounded::<u32>();
        go(move || {
            let mut select = Select::new();
            select.send(&s);
            let operation = select.select();
            let message = asked.recv().unwrap();
            operation.send(&s, message).unwrap();
        });
        say(r.recv())
    });
    assert_eq!(outcomes.all(), ["Deadlock"], "{}", outcomes.found);
}

/// Selects over several groups of channels, with a worker pool: every job is done once.
#[test]
fn a_pool_of_workers() {
    let outcomes = outcomes(|| {
        let (job, jobs) = bounded(1);
        let (done, results) = bounded(2);
        let (stop, stopped) = bounded::<()>(0);
        let workers: Vec<_> = (0..2)
            .map(|_| {
                let (jobs, done, stopped) = (jobs.clone(), done.clone(), stopped.clone());
                go(move || {
                    loop {
                        let mut select = Select::new();
                        let work = select.recv(&jobs);
                        select.recv(&stopped);
                        let operation = select.select();
                        match operation.index() == work {
                            true => done.send(operation.recv(&jobs).unwrap() * 10).unwrap(),
                            false => break assert!(operation.recv(&stopped).is_err()),
                        }
                    }
                })
            })
            .collect();
        (1..3_u32).for_each(|n| job.send(n).unwrap());
        let mut got = [results.recv().unwrap(), results.recv().unwrap()];
        drop(stop);
        workers.into_iter().for_each(|worker| worker.join().unwrap());
        got.sort_unstable();
        got
    });
    assert_eq!(outcomes.all(), ["[10,20]"], "{}", outcomes.found);
}

/// An operation that is never ready, beside one that becomes ready.
#[test]
fn never_beside_others() {
    assert_outcomes(
        || {
            let (s, r) = unbounded();
            let nothing = never::<u32>();
            let sender = go(move || s.send(1));
            let mut select = Select::new();
            select.recv(&nothing);
            select.recv(&r);
            let got = select_receive(&mut select, &[&nothing, &r]);
            sender.join().unwrap().unwrap();
            got
        },
        &[(r#"[1,"1"]"#, 1)],
    );
    assert_outcomes(
        || {
            let nothing = never::<u32>();
            let mut select = Select::new();
            select.recv(&nothing);
            select.ready()
        },
        &[("Deadlock", 1)],
    );
}
