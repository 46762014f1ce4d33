//! Timers: `after`, `at`, `tick`, `never`. Under control they may have fired at any point.

use std::collections::BTreeSet;
use std::time::Duration;

use insyn::crossbeam_channel::{Select, TryRecvError, after, at, bounded, never, select, tick, unbounded};
use insyn::std::thread;
use insyn::std::time::Instant;

use super::{assert_outcomes, go, outcomes, say};

const HOUR: Duration = Duration::from_secs(3600);

/// How many hours have passed.
fn hours(since: Instant) -> u64 {
    since.elapsed().as_secs() / 3600
}

/// Outside a program, they are real timers.
#[test]
fn real_timers() {
    let start = Instant::now();
    let ms = Duration::from_millis;
    assert_eq!(at(start).recv(), Ok(start));
    assert_eq!(at(start + ms(5)).recv(), Ok(start + ms(5)));
    assert!(Instant::now() >= start + ms(5));
    let timer = after(ms(30));
    assert_eq!(timer.try_recv(), Err(TryRecvError::Empty));
    assert_eq!((timer.is_empty(), timer.is_full(), timer.len(), timer.capacity()), (true, false, 0, Some(1)));
    let due = timer.recv().unwrap();
    assert!(due <= Instant::now() && due >= start + ms(30));
    let ticks = tick(ms(5));
    let got: Vec<Instant> = ticks.iter().take(3).collect();
    assert!(got[1] - got[0] >= ms(5) && got[2] - got[1] >= ms(5) && got[2] <= Instant::now(), "{got:?}");
    let mut select = Select::new();
    select.recv(&ticks);
    select.recv(const { &never::<u32>() });
    let operation = select.select();
    assert_eq!(operation.index(), 0);
    assert!(operation.recv(&ticks).unwrap() >= got[2] + ms(5));
    assert!(after(Duration::MAX).recv_timeout(ms(1)).is_err());
}

#[test]
fn one_shot() {
    // A thread that waits gets the message, and then its clock shows that time.
    assert_outcomes(
        || {
            let start = Instant::now();
            let timer = after(HOUR);
            let due = timer.recv().unwrap();
            let second = say(timer.try_recv());
            (due >= start + HOUR, hours(start), second, say(timer.recv_timeout(HOUR)), hours(start))
        },
        &[(r#"[true,1,"Empty","Timeout",2]"#, 1)],
    );
    // A thread that checks may find it or not.
    assert_outcomes(|| after(HOUR).try_recv().is_ok(), &[("false", 1), ("true", 1)]);
    assert_outcomes(|| after(HOUR).recv_timeout(2 * HOUR).is_ok(), &[("false", 1), ("true", 1)]);
    assert_outcomes(|| after(HOUR).is_empty(), &[("false", 1), ("true", 1)]);
    assert_outcomes(|| after(HOUR).len(), &[("0", 1), ("1", 1)]);
    // The message comes once.
    assert_outcomes(|| after(HOUR).iter().count(), &[("Deadlock", 1)]);
    assert_outcomes(|| say(after(Duration::MAX).recv()), &[("Deadlock", 1)]);
}

/// A timer that was seen to have fired has fired, until its message is taken.
#[test]
fn seen_to_have_fired() {
    assert_outcomes(
        || {
            let timer = after(HOUR);
            (timer.len(), timer.try_recv().is_ok(), timer.len())
        },
        &[("[0,false,0]", 1), ("[0,false,1]", 1), ("[0,true,0]", 1), ("[1,true,0]", 1)],
    );
    for make in [after, tick] {
        assert_outcomes(
            move || {
                let timer = make(HOUR);
                [timer.is_empty(), timer.is_empty(), timer.is_empty()]
            },
            &[
                ("[false,false,false]", 1),
                ("[true,false,false]", 1),
                ("[true,true,false]", 1),
                ("[true,true,true]", 1),
            ],
        );
        // The time has come, also by the clock.
        assert_outcomes(
            move || {
                let start = Instant::now();
                let timer = make(HOUR);
                let mut select = Select::new();
                select.recv(&timer);
                let ready = (select.ready(), hours(start), select.try_ready().is_ok(), timer.len());
                let got = (timer.recv_timeout(HOUR).is_ok(), hours(start));
                (ready, got)
            },
            &[("[[0,1,true,1],[true,1]]", 1)],
        );
    }
    // The next tick is another.
    assert_outcomes(
        || {
            let ticks = tick(HOUR);
            (ticks.len(), ticks.try_recv().is_ok(), ticks.len(), ticks.try_recv().is_ok())
        },
        &[
            ("[0,false,0,false]", 1),
            ("[0,false,0,true]", 1),
            ("[0,false,1,true]", 1),
            ("[0,true,0,false]", 1),
            ("[0,true,0,true]", 1),
            ("[0,true,1,true]", 1),
            ("[1,true,0,false]", 1),
            ("[1,true,0,true]", 1),
            ("[1,true,1,true]", 1),
        ],
    );
    // What one thread has seen holds for others, and others may be faster.
    let outcomes = outcomes(|| {
        let timer = after(HOUR);
        let mine = timer.clone();
        let other = go(move || mine.try_recv().is_ok());
        let ready = !timer.is_empty();
        let other = other.join().unwrap();
        (ready, other, timer.try_recv().is_ok())
    });
    let expected = [
        "[false,false,false]",
        "[false,false,true]",
        "[false,true,false]",
        "[true,false,true]",
        "[true,true,false]",
    ];
    assert_eq!(outcomes.all(), expected, "{}", outcomes.found);
}

/// A timer that has nothing to wait for has fired.
#[test]
fn without_a_time_to_wait() {
    for looks in [false, true] {
        assert_outcomes(
            move || {
                let timer = after(Duration::ZERO);
                let inside = if looks { timer.len() } else { 1 };
                (inside, timer.try_recv().is_ok(), timer.try_recv().is_ok())
            },
            &[("[1,true,false]", 1)],
        );
        assert_outcomes(
            move || {
                let ticks = tick(Duration::ZERO);
                let inside = if looks { ticks.len() } else { 1 };
                (inside, ticks.try_recv().is_ok(), ticks.recv_timeout(HOUR).is_ok(), ticks.try_recv().is_ok())
            },
            &[("[1,true,true,true]", 1)],
        );
    }
    let outcomes = outcomes(|| {
        let (s, r) = unbounded();
        s.send(1).unwrap();
        let timer = after(Duration::ZERO);
        let ticks = tick(Duration::ZERO);
        select! {
            recv(r) -> _ => 0,
            recv(timer) -> _ => 1,
            recv(ticks) -> _ => 2,
            default => 3,
        }
    });
    assert_eq!(outcomes.all(), ["0", "1", "2"], "{}", outcomes.found);
}

#[test]
fn at_a_moment() {
    assert_outcomes(
        || {
            let start = Instant::now();
            let when = Instant::now() + 3 * HOUR;
            (at(when).recv() == Ok(when), at(start).recv() == Ok(start), hours(start))
        },
        // For the thread that takes it, a message is never due in the future.
        &[("[true,true,3]", 1)],
    );
}

#[test]
fn ticking() {
    // Ticks that no thread takes are not made up for.
    assert_outcomes(
        || {
            let start = Instant::now();
            let ticks = tick(HOUR);
            let mut seen = vec![hours(start)];
            let mut look = |due: Instant| seen.push((due - start).as_secs() / 3600);
            look(ticks.recv().unwrap());
            look(ticks.recv().unwrap());
            thread::sleep(5 * HOUR);
            look(ticks.recv().unwrap());
            look(ticks.recv().unwrap());
            seen
        },
        &[("[0,1,2,3,8]", 1)],
    );
    assert_outcomes(
        || {
            let ticks = tick(HOUR);
            [ticks.try_recv().is_ok(), ticks.try_recv().is_ok()]
        },
        &[("[false,false]", 1), ("[false,true]", 1), ("[true,false]", 1), ("[true,true]", 1)],
    );
}

/// A message or the timer, whichever is first.
#[test]
fn a_timer_beside_a_message() {
    for capacity in [None, Some(0), Some(1)] {
        let outcomes = outcomes(move || {
            let (s, r) = capacity.map_or_else(unbounded, bounded);
            let kept = s.clone();
            let sender = go(move || s.send_timeout(1, HOUR).is_ok());
            let got = select! {
                recv(r) -> message => say(message),
                recv(after(HOUR)) -> _ => "late".to_string(),
            };
            sender.join().unwrap();
            drop(kept);
            got
        });
        assert_eq!(outcomes.all(), ["\"1\"", "\"late\""], "{capacity:?} {}", outcomes.found);
    }
}

/// If a timer ends a wait, it is no deadlock.
#[test]
fn timers_end_waits() {
    assert_outcomes(
        || {
            let start = Instant::now();
            let (_s, r) = bounded::<u32>(1);
            let timer = after(HOUR);
            let mut count = 0;
            loop {
                select! {
                    recv(r) -> _ => unreachable!(),
                    recv(timer) -> due => break (count, due.is_ok(), hours(start)),
                    default(HOUR / 4) => count += 1,
                }
                if count == 2 {
                    break (count, false, 0);
                }
            }
        },
        &[("[0,true,1]", 1), ("[1,true,1]", 1), ("[2,false,0]", 1)],
    );
}

/// One message for several threads that wait.
#[test]
fn a_timer_for_many() {
    let one_shot = outcomes(|| {
        let timer = after(HOUR);
        let another = timer.clone();
        let other = go(move || another.recv_timeout(2 * HOUR).is_ok());
        (timer.recv_timeout(2 * HOUR).is_ok(), other.join().unwrap())
    });
    assert_eq!(one_shot.all(), ["[false,false]", "[false,true]", "[true,false]"], "{}", one_shot.found);
    // Each tick is taken once, and no two are the same.
    let ticks = outcomes(|| {
        let start = Instant::now();
        let ticks = tick(HOUR);
        let takers: Vec<_> = (0..2)
            .map(|_| {
                let ticks = ticks.clone();
                go(move || [(); 2].map(|()| (ticks.recv().unwrap() - start).as_secs() / 3600))
            })
            .collect();
        let mut taken: Vec<u64> = takers.into_iter().flat_map(|taker| taker.join().unwrap()).collect();
        let distinct: BTreeSet<u64> = taken.iter().copied().collect();
        taken.sort_unstable();
        (taken, distinct.len())
    });
    assert_eq!(ticks.all(), ["[[1,2,3,4],4]"], "{}", ticks.found);
    assert_eq!(ticks.found.sequences, 6, "{}", ticks.found);
}

/// A ticker, a stop signal, and work in one loop, as a worker would have them.
#[test]
fn a_worker_with_a_ticker() {
    let outcomes = outcomes(|| {
        let (s, r) = bounded(1);
        let sender = go(move || s.send(1));
        let ticks = tick(HOUR);
        let mut log = String::new();
        while log.len() < 3 {
            select! {
                recv(r) -> message => match message {
                    Ok(_) => log.push('m'),
                    Err(_) => {
                        log.push('.');
                        break;
                    }
                },
                recv(ticks) -> _ => log.push('t'),
            }
        }
        sender.join().unwrap().ok();
        log
    });
    let expected = ["m.", "mt.", "mtt", "tm.", "tmt", "ttm", "ttt"].map(|log| format!("\"{log}\""));
    assert_eq!(outcomes.all(), expected, "{}", outcomes.found);
}
