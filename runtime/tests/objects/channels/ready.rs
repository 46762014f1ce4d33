//! An operation that was found ready at a rendezvous stays ready, until another thread is faster.

use std::time::Duration;

use insyn::crossbeam_channel::{Select, bounded, select};

use super::{assert_outcomes, go, outcomes};

const HOUR: Duration = Duration::from_secs(3600);

/// A thread that was observed waiting at a rendezvous is found by all threads that come then, unless another was faster or
/// the wait was over in time.
#[test]
fn seen_at_a_rendezvous() {
    // A thread that asks again, waits with a limit, or has a default.
    assert_outcomes(
        || {
            let (s, r) = bounded(0);
            let sender = go(move || s.send(1).is_ok());
            let mut select = Select::new();
            select.recv(&r);
            let ready = (select.ready(), select.try_ready().is_ok(), select.ready_timeout(HOUR).is_ok());
            let got = r.recv_timeout(HOUR).is_ok();
            (ready, got, sender.join().unwrap())
        },
        &[("[[0,true,true],true,true]", 1)],
    );
    assert_outcomes(
        || {
            let (s, r) = bounded::<u32>(0);
            let (_kept, nothing) = bounded::<u32>(0);
            let sender = go(move || s.send(1).is_ok());
            let mut select = Select::new();
            select.recv(&r);
            select.ready();
            let got = select! {
                recv(nothing) -> _ => 2,
                recv(r) -> message => message.unwrap(),
                default => 3,
            };
            (got, sender.join().unwrap())
        },
        &[("[1,true]", 1)],
    );
    // Another may be faster.
    let outcomes = outcomes(|| {
        let (s, r) = bounded(0);
        let another = s.clone();
        let other = go(move || another.try_send(2).is_ok());
        let receiver = go(move || r.recv().ok());
        let mut select = Select::new();
        select.send(&s);
        select.ready();
        let sent = s.try_send(1).is_ok();
        (sent, other.join().unwrap(), receiver.join().unwrap())
    });
    assert_eq!(outcomes.all(), ["[false,true,2]", "[true,false,1]"], "{}", outcomes.found);
    // The wait may be over.
    assert_outcomes(
        || {
            let (s, r) = bounded(0);
            let receiver = go(move || r.recv_timeout(HOUR).is_ok());
            let mut select = Select::new();
            select.send(&s);
            select.ready();
            let sent = s.try_send(1).is_ok();
            (sent, receiver.join().unwrap())
        },
        // The receiver is dropped after the send, or between the two; or its drop is what makes the send ready.
        &[("[false,false]", 3), ("[true,true]", 1)],
    );
}

/// A send and a receive that have not found each other do not both wait.
#[test]
fn one_side_waits_at_a_rendezvous() {
    let outcomes = outcomes(|| {
        let (s, r) = bounded(0);
        let (for_send, for_recv) = (s.clone(), r.clone());
        let sender = go(move || for_send.send(1).is_ok());
        let receiver = go(move || for_recv.recv().is_ok());
        let [mut sending, mut receiving] = [Select::new(), Select::new()];
        sending.send(&s);
        receiving.recv(&r);
        let ready = (sending.try_ready().is_ok(), receiving.try_ready().is_ok());
        (ready, sender.join().unwrap(), receiver.join().unwrap())
    });
    let expected = ["[[false,false],true,true]", "[[false,true],true,true]", "[[true,false],true,true]"];
    assert_eq!(outcomes.all(), expected, "{}", outcomes.found);
}
