//! `select!` and `select_biased!`: crossbeam's syntax, with its meaning.

use std::sync::Arc;
use std::time::Duration;

use insyn::crossbeam_channel::{Receiver, Sender, bounded, select, select_biased, unbounded};

use super::{assert_outcomes, go, outcomes, same, say};

const LONG: Duration = Duration::from_secs(3600);

same!(ways_to_write_it, cc: crossbeam_channel, insyn::crossbeam_channel, {
    let (s, r) = cc::unbounded::<i32>();
    let (nobody, _waits) = cc::bounded::<&str>(0);
    let nothing = cc::never::<String>();
    fn unsent<T>() -> T {
        panic!("a message is made only to be sent")
    }
    // Blocks and expressions, with commas and without, and nothing after the last.
    cc::select! {
        recv(nothing) -> _ => unreachable!(),
        recv(r) -> message => { log!(message) }
        send(nobody, unsent()) -> _ => {},
        default => log!("nothing"),
    }
    cc::select! { default() => { log!("nothing at all") } }
    cc::select!(default => log!("nothing, and no comma"));
    cc::select! { default(Duration::from_millis(1)) => log!("nothing in time"), }
    cc::select! {
        recv(nothing,) -> message => panic!("{message:?}"),
        send(nobody, "lost",) -> _sent => {}
        default(Duration::from_millis(1),) => log!("nothing in time either")
    }
    // Arms that can be taken.
    s.send(1).unwrap();
    cc::select! {
        recv(r) -> message => log!(message),
        recv(nothing) -> _ => {}
    }
    cc::select! {
        recv(nothing) -> _ => {}
        send(s, 2) -> sent => { log!(sent); log!(r.recv()) }
    }
    // Only one arm.
    cc::select!(send(s, 3) -> sent => log!(sent));
    cc::select!(recv(r) -> message => log!(message));
    cc::select! { recv(r) -> message => log!(message), default => log!("empty") }
    cc::select! { recv(r) -> _ => {} default(Duration::ZERO) => log!("late") }
    cc::select! { send(nobody, "") -> _ => {}, default => log!("full") }
    // Bodies that are closures, blocks with methods, matches; results of all sorts.
    s.send(4).unwrap();
    let doubled = cc::select! {
        recv(r) -> message => { message.map(|n| n * 2) }.unwrap_or(0),
        recv(nothing) -> _ => 0,
    };
    log!(doubled);
    s.send(5).unwrap();
    let said: String = cc::select! {
        recv(r) -> message => match message { Ok(n) => n.to_string(), Err(e) => e.to_string() },
        default => "none".into(),
    };
    log!(said);
    // The first of the arms that are ready.
    s.send(6).unwrap();
    cc::select_biased! {
        recv(r) -> message => log!(message),
        send(s, unsent()) -> _ => {},
        default => log!("nothing"),
    }
    cc::select_biased! { recv(r) -> message => { log!(message) } default => log!("nothing") }
    // Without the other side.
    drop(s);
    cc::select! { recv(r) -> message => log!(message), recv(nothing) -> _ => {} default => {} }
    let (s, r) = cc::bounded(1);
    drop(r);
    cc::select! { send(s, 7) -> sent => log!(sent), recv(nothing) -> _ => {} }
});

same!(what_stands_in_an_arm, cc: crossbeam_channel, insyn::crossbeam_channel, {
    let (s, r) = cc::unbounded::<i32>();
    let kept = std::sync::Arc::new((Box::new(s), Box::new(r)));
    let count = std::cell::Cell::new(0);
    let next = || {
        count.set(count.get() + 1);
        count.get()
    };
    // References, pointers, temporaries, any expression for a handle; each is evaluated once, a message only if it is sent.
    cc::select! {
        recv({ next(); cc::never::<()>() }) -> _ => {}
        send({ next(); &kept.0 }, next() * 10) -> sent => log!(sent),
    }
    log!(count.get());
    cc::select! {
        recv(&kept.1) -> message => log!(message),
        send(&cc::bounded(0).0, next()) -> _ => {}
    }
    log!(count.get());
    let optional: Option<&cc::Receiver<i32>> = None;
    cc::select! {
        recv(optional.unwrap_or(&cc::never())) -> _ => {}
        recv(kept.1.clone()) -> _ => {}
        default => log!("nothing"),
    }
    // Handles that are borrowed and moved: the select keeps no borrow while a body runs.
    let (s, r) = cc::bounded::<String>(1);
    let text = String::from("moved");
    cc::select! {
        send(s, text) -> sent => { log!(sent); drop(s) }
        recv(r) -> _ => drop(r),
        default => drop((s, r, text)),
    }
    let (s, r) = cc::bounded::<String>(0);
    cc::select! {
        send(s, String::new()) -> _ => {}
        recv(r) -> _ => {}
        default => { drop((s, r)); log!("nobody") }
    }
    let (s, r) = cc::bounded::<String>(0);
    cc::select! {
        send(s, String::new()) -> _ => {}
        recv(r) -> _ => {}
        default(Duration::from_millis(1)) => { drop((s, r)); log!("nobody in time") }
    }
});

same!(leaving_from_inside, cc: crossbeam_channel, insyn::crossbeam_channel, {
    fn first(r: &cc::Receiver<i32>, nothing: &cc::Receiver<i32>) -> Result<i32, cc::RecvError> {
        loop {
            cc::select! {
                recv(r) -> message => {
                    if message? == 0 {
                        continue;
                    }
                    return Ok(message? * 2);
                }
                recv(nothing) -> _ => break,
            }
        }
        Ok(-1)
    }
    let (s, r) = cc::unbounded();
    let nothing = cc::never();
    s.send(0).unwrap();
    s.send(21).unwrap();
    log!(first(&r, &nothing));
    drop(s);
    log!(first(&r, &nothing));
    let mut turns = 0;
    'outer: loop {
        loop {
            turns += 1;
            cc::select! {
                recv(r) -> _ => if turns == 3 { break 'outer } else { break },
                default => unreachable!(),
            }
        }
    }
    log!(turns);
});

/// Many arms, one of which can be taken.
#[test]
fn many_arms() {
    let program = || {
        let channels: Vec<(Sender<u32>, Receiver<u32>)> = (0..24).map(|_| unbounded()).collect();
        channels[19].0.send(7).unwrap();
        let r = |n: usize| &channels[n].1;
        select! {
            recv(r(0)) -> m => (0, m.ok()), recv(r(1)) -> m => (1, m.ok()), recv(r(2)) -> m => (2, m.ok()),
            recv(r(3)) -> m => (3, m.ok()), recv(r(4)) -> m => (4, m.ok()), recv(r(5)) -> m => (5, m.ok()),
            recv(r(6)) -> m => (6, m.ok()), recv(r(7)) -> m => (7, m.ok()), recv(r(8)) -> m => (8, m.ok()),
            recv(r(9)) -> m => (9, m.ok()), recv(r(10)) -> m => (10, m.ok()), recv(r(11)) -> m => (11, m.ok()),
            recv(r(12)) -> m => (12, m.ok()), recv(r(13)) -> m => (13, m.ok()), recv(r(14)) -> m => (14, m.ok()),
            recv(r(15)) -> m => (15, m.ok()), recv(r(16)) -> m => (16, m.ok()), recv(r(17)) -> m => (17, m.ok()),
            recv(r(18)) -> m => (18, m.ok()), recv(r(19)) -> m => (19, m.ok()), recv(r(20)) -> m => (20, m.ok()),
            recv(r(21)) -> m => (21, m.ok()), recv(r(22)) -> m => (22, m.ok()), recv(r(23)) -> m => (23, m.ok()),
        }
    };
    assert_eq!(program(), (19, Some(7)));
    assert_outcomes(program, &[("[19,7]", 1)]);
}

/// Handles in counted pointers, and in structs that lend them.
#[test]
fn handles_behind_pointers() {
    struct Lent(Receiver<u32>);
    impl std::ops::Deref for Lent {
        type Target = Receiver<u32>;
        fn deref(&self) -> &Receiver<u32> {
            &self.0
        }
    }
    let program = || {
        let (s, r) = bounded(1);
        let (s, r) = (Arc::new(s), Lent(r));
        select! { send(s, 1) -> _ => {} recv(r) -> _ => unreachable!() }
        select! { recv(r) -> message => message.ok(), recv(&r) -> message => message.ok() }
    };
    assert_eq!(program(), Some(1));
    let outcomes = outcomes(program);
    assert_eq!(outcomes.all(), ["1"], "{}", outcomes.found);
}

/// The documentation's examples, with every arm taken that can be.
#[test]
fn every_arm_is_taken() {
    // Sending and receiving.
    let outcomes = outcomes(|| {
        let (s1, r1) = unbounded();
        let (s2, r2) = unbounded();
        s1.send(10).unwrap();
        select! {
            recv(r1) -> message => say(message),
            send(s2, 20) -> sent => { sent.unwrap(); say(r2.recv()) }
        }
    });
    assert_eq!(outcomes.all(), ["\"10\"", "\"20\""], "{}", outcomes.found);
    // Neither has come, or one has.
    let two_senders = |wait: fn(&Receiver<u32>, &Receiver<u32>) -> &'static str| {
        move || {
            let (s1, r1) = unbounded();
            let (s2, r2) = unbounded();
            let senders = [go(move || s1.send(10)), go(move || s2.send(20))];
            let first = wait(&r1, &r2);
            senders.into_iter().for_each(|sender| sender.join().unwrap().unwrap());
            first
        }
    };
    let with_default = super::outcomes(two_senders(|r1, r2| {
        select! { recv(r1) -> _ => "one", recv(r2) -> _ => "two", default => "not ready" }
    }));
    assert_eq!(with_default.all(), ["\"not ready\"", "\"one\"", "\"two\""]);
    let with_timeout = super::outcomes(two_senders(|r1, r2| {
        select! { recv(r1) -> _ => "one", recv(r2) -> _ => "two", default(LONG) => "timed out" }
    }));
    assert_eq!(with_timeout.all(), ["\"one\"", "\"timed out\"", "\"two\""]);
    let waiting =
        super::outcomes(two_senders(|r1, r2| select! { recv(r1) -> _ => "one", recv(r2) -> _ => "two" }));
    assert_eq!((waiting.all(), waiting.found.sequences), (vec!["\"one\"", "\"two\""], 2));
    let biased = super::outcomes(two_senders(
        |r1, r2| select_biased! { recv(r1) -> _ => "one", recv(r2) -> _ => "two" },
    ));
    assert_eq!(biased.all(), ["\"one\"", "\"two\""]);
}

/// A select has the location where it is written.
#[test]
fn selects_have_a_place() {
    let found = insyn::explore(|| {
        let (_s1, r1) = unbounded::<u32>();
        let (_s2, r2) = bounded::<u32>(1);
        select! { recv(r1) -> _ => {}, recv(r2) -> _ => {} } // Here it waits.
    });
    assert_eq!(found.deadlocks, 1, "{found}");
    let line = include_str!("macros.rs").lines().position(|l| l.ends_with("// Here it waits.")).unwrap() + 1;
    assert!(found.failures[0].to_string().contains(&format!("macros.rs:{line}\n")), "{found}");
}
