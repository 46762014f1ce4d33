//! Small programs over crossbeam's channels whose every behaviour is known.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use insyn::crossbeam_channel::{Receiver, Sender, bounded, unbounded};

use super::{assert_outcomes, go, outcomes, say};

const LONG: Duration = Duration::from_secs(3600);

/// A channel of this capacity, or of any.
fn channel<T>(capacity: Option<usize>) -> (Sender<T>, Receiver<T>) {
    capacity.map_or_else(unbounded, bounded)
}

#[test]
fn a_send_against_a_try_recv() {
    for capacity in [None, Some(1), Some(5)] {
        assert_outcomes(
            move || {
                let (s, r) = channel(capacity);
                let another = s.clone();
                let sender = go(move || another.send(1));
                let got = say(r.try_recv());
                sender.join().unwrap().unwrap();
                got
            },
            &[("\"1\"", 1), ("\"Empty\"", 1)],
        );
    }
}

#[test]
fn a_send_and_a_drop_against_two_try_recv() {
    for capacity in [None, Some(1), Some(5)] {
        assert_outcomes(
            move || {
                let (s, r) = channel(capacity);
                let sender = go(move || s.send(1));
                let got = [say(r.try_recv()), say(r.try_recv())];
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
}

#[test]
fn recv_ends_when_the_last_sender_is_gone() {
    for capacity in [None, Some(0), Some(1)] {
        assert_outcomes(
            move || {
                let (s, r) = channel::<()>(capacity);
                let another = s.clone();
                go(move || drop(s));
                go(move || drop(another));
                say(r.recv())
            },
            &[("\"RecvError\"", 1)],
        );
    }
}

#[test]
fn recv_timeout_against_a_send() {
    for capacity in [None, Some(1)] {
        assert_outcomes(
            move || {
                let (s, r) = channel(capacity);
                let another = s.clone();
                let sender = go(move || another.send(1));
                let got = say(r.recv_timeout(LONG));
                sender.join().unwrap().unwrap();
                got
            },
            &[("\"1\"", 1), ("\"Timeout\"", 1)],
        );
    }
}

/// If two threads give up on each other, they may meet, or either may be gone when the other comes, or both have waited
/// without success.
#[test]
fn a_rendezvous_of_the_impatient() {
    assert_outcomes(
        || {
            let (s, r) = bounded(0);
            let another = s.clone();
            let sender = go(move || another.send_timeout(1, LONG).is_ok());
            let got = say(r.recv_timeout(LONG));
            (sender.join().unwrap(), got)
        },
        // Which thread gives up first is part of the sequence.
        &[(r#"[false,"Timeout"]"#, 2), (r#"[true,"1"]"#, 1)],
    );
}

#[test]
fn a_send_timeout_against_a_recv() {
    assert_outcomes(
        || {
            let (s, r) = bounded(1);
            s.send(1).unwrap();
            let receiver = go(move || (r.recv(), r));
            let sent = s.send_timeout(2, LONG).is_ok();
            let (_, r) = receiver.join().unwrap();
            (sent, r.len())
        },
        &[("[false,0]", 1), ("[true,1]", 1)],
    );
}

#[test]
fn a_send_against_the_receivers_drop() {
    for (capacity, expected) in [
        (None, &[("false", 1), ("true", 1)][..]),
        (Some(1), &[("false", 1), ("true", 1)]),
        (Some(0), &[("false", 1)]),
    ] {
        assert_outcomes(
            move || {
                let (s, r) = channel(capacity);
                let sender = go(move || s.send(1).is_ok());
                drop(r);
                sender.join().unwrap()
            },
            expected,
        );
        // Which of several receivers is dropped first is not part of the sequence.
        assert_outcomes(
            move || {
                let (s, r) = channel(capacity);
                let sender = go(move || s.send(1).is_ok());
                for _ in 0..3 {
                    let r = r.clone();
                    go(move || drop(r));
                }
                drop(r);
                sender.join().unwrap()
            },
            expected,
        );
    }
}

#[test]
fn drops_of_senders_are_not_ordered() {
    for capacity in [None, Some(0), Some(1), Some(2)] {
        assert_outcomes(
            move || {
                let (s, r) = channel::<()>(capacity);
                for _ in 0..4 {
                    let s = s.clone();
                    go(move || drop(s));
                }
                drop(s);
                say(r.recv())
            },
            &[("\"RecvError\"", 1)],
        );
    }
}

#[test]
fn fan_in_gives_every_order_once() {
    for (n, factorial) in [(1, 1), (2, 2), (3, 6), (4, 24), (5, 120)] {
        let outcomes = outcomes(move || {
            let (s, r) = unbounded();
            for i in 0..n {
                let s = s.clone();
                go(move || s.send(i));
            }
            drop(s);
            r.iter().collect::<Vec<u32>>()
        });
        assert_eq!(outcomes.found.sequences, factorial, "{}", outcomes.found);
        assert_eq!(outcomes.of.len() as u64, factorial);
        assert!(outcomes.found.failures.is_empty());
    }
}

/// Each thread sends and then looks whether the other has sent: one of them at least must see it.
#[test]
fn store_buffering() {
    for (capacity, look) in [(None, false), (Some(1), false), (None, true), (Some(1), true)] {
        let outcomes = outcomes(move || {
            let (s1, r1) = channel(capacity);
            let (s2, r2) = channel(capacity);
            let (kept1, kept2) = (s1.clone(), s2.clone());
            let seen = move |r: &Receiver<()>| if look { !r.is_empty() } else { r.try_recv().is_ok() };
            let other = go(move || {
                s1.send(()).unwrap();
                (seen(&r2), r2)
            });
            s2.send(()).unwrap();
            let mine = seen(&r1);
            let (its, _r2) = other.join().unwrap();
            drop((kept1, kept2));
            (mine, its)
        });
        assert_eq!(
            outcomes.all(),
            ["[false,true]", "[true,false]", "[true,true]"],
            "{look} {}",
            outcomes.found
        );
    }
}

/// The number of messages may be read at any point between the operations of others.
#[test]
fn a_look_against_a_send() {
    for capacity in [None, Some(1)] {
        assert_outcomes(
            move || {
                let (s, r) = channel(capacity);
                let another = s.clone();
                let sender = go(move || another.send(1));
                let seen = (s.len(), r.is_empty());
                sender.join().unwrap().unwrap();
                seen
            },
            &[("[0,false]", 1), ("[0,true]", 1), ("[1,false]", 1)],
        );
    }
}

/// The outcomes of one queue: every interleaving of what producers put and consumers take, counted by outcome.
struct Queue<'a> {
    capacity: usize,
    producers: &'a [Vec<u32>],
    takes: &'a [usize],
    inside: VecDeque<u32>,
    put: Vec<usize>,
    taken: Vec<Vec<u32>>,
    outcomes: BTreeMap<String, u64>,
}

impl Queue<'_> {
    fn interleave(&mut self) {
        let mut over = true;
        for p in 0..self.producers.len() {
            if self.put[p] < self.producers[p].len() && self.inside.len() < self.capacity {
                over = false;
                self.inside.push_back(self.producers[p][self.put[p]]);
                self.put[p] += 1;
                self.interleave();
                self.put[p] -= 1;
                self.inside.pop_back();
            }
        }
        for c in 0..self.takes.len() {
            if self.taken[c].len() < self.takes[c]
                && let Some(message) = self.inside.pop_front()
            {
                over = false;
                self.taken[c].push(message);
                self.interleave();
                self.taken[c].pop();
                self.inside.push_front(message);
            }
        }
        if over {
            let outcome = serde_json::to_string(&self.taken).unwrap();
            *self.outcomes.entry(outcome).or_default() += 1;
        }
    }
}

#[track_caller]
fn assert_one_queue(capacity: Option<usize>, producers: &[Vec<u32>], takes: &[usize]) {
    let mut queue = Queue {
        capacity: capacity.unwrap_or(usize::MAX),
        producers,
        takes,
        inside: VecDeque::new(),
        put: vec![0; producers.len()],
        taken: vec![Vec::new(); takes.len()],
        outcomes: BTreeMap::new(),
    };
    queue.interleave();
    let (producers, takes) = (producers.to_vec(), takes.to_vec());
    let outcomes = outcomes(move || {
        let (s, r) = channel(capacity);
        for messages in producers.clone() {
            let s = s.clone();
            go(move || messages.into_iter().for_each(|m| s.send(m).unwrap()));
        }
        let consumers: Vec<_> = takes
            .iter()
            .map(|&n| {
                let r = r.clone();
                go(move || (0..n).map(|_| r.recv().unwrap()).collect::<Vec<u32>>())
            })
            .collect();
        consumers.into_iter().map(|c| c.join().unwrap()).collect::<Vec<_>>()
    });
    assert_eq!(outcomes.of, queue.outcomes, "{}", outcomes.found);
}

/// Producers and consumers on one channel: exactly what one queue allows.
#[test]
fn many_producers_and_many_consumers() {
    let one_each = [vec![1], vec![2]];
    let two_each = [vec![1, 2], vec![3, 4]];
    for capacity in [None, Some(1), Some(2)] {
        assert_one_queue(capacity, &one_each, &[1, 1]);
        assert_one_queue(capacity, &two_each, &[2, 2]);
        assert_one_queue(capacity, &two_each, &[1, 3]);
        assert_one_queue(capacity, &[vec![1, 2, 3]], &[1, 2]);
        assert_one_queue(capacity, &[vec![1], vec![2], vec![3]], &[1, 2]);
    }
}

/// At a rendezvous each send meets one receive: two of each make two pairs, in either order.
#[test]
fn many_meet_at_a_rendezvous() {
    let outcomes = outcomes(|| {
        let (s, r) = bounded(0);
        for n in 1..3 {
            let s = s.clone();
            go(move || s.send(n));
        }
        let other = r.clone();
        let other = go(move || other.recv().unwrap());
        let mine = r.recv().unwrap();
        (mine, other.join().unwrap())
    });
    assert_eq!(outcomes.all(), ["[1,2]", "[2,1]"]);
    assert_eq!(outcomes.found.sequences, 4, "{}", outcomes.found);
}

/// Reports that it is dropped, and by which thread.
struct Telling(u32, Sender<(u32, bool)>);

impl Drop for Telling {
    fn drop(&mut self) {
        let on_main = insyn::std::thread::current().name() == Some("main");
        let _ = self.1.send((self.0, on_main));
    }
}

/// In a channel that is never full, messages are dropped with the last receiver, in the order in which they were sent.
#[test]
fn messages_that_die_with_the_receivers() {
    let outcomes = outcomes(|| {
        let (tell, told) = unbounded();
        let (s, r) = unbounded();
        let senders: Vec<_> = (1..3)
            .map(|n| {
                let (s, tell) = (s.clone(), tell.clone());
                go(move || s.send(Telling(n, tell)).is_ok())
            })
            .collect();
        senders.into_iter().for_each(|sender| assert!(sender.join().unwrap()));
        drop((r, tell));
        let dead: Vec<u32> = told.iter().map(|(n, _)| n).collect();
        drop(s);
        dead
    });
    assert_eq!(outcomes.all(), ["[1,2]", "[2,1]"], "{}", outcomes.found);
    assert_eq!(outcomes.found.sequences, 2, "{}", outcomes.found);
}

/// The last of several receivers drops the messages, whichever thread has it.
#[test]
fn messages_that_die_with_the_last_receiver() {
    let outcomes = outcomes(|| {
        let (tell, told) = unbounded();
        let (s, r) = unbounded();
        s.send(Telling(1, tell)).unwrap();
        let another = r.clone();
        let other = go(move || drop(another));
        drop(r);
        other.join().unwrap();
        drop(s);
        told.iter().map(|(_, on_main)| on_main).collect::<Vec<_>>()
    });
    assert_eq!(outcomes.all(), ["[false]", "[true]"], "{}", outcomes.found);
}

/// A message whose send races with the drop of all receivers is dropped with the last of them, or comes back.
#[test]
fn messages_that_may_die_with_the_receivers() {
    for others in 0..3 {
        let outcomes = outcomes(move || {
            let (tell, told) = unbounded();
            let (s, r) = unbounded();
            let sender = go(move || match s.send(Telling(1, tell)) {
                Ok(()) => "sent",
                Err(back) => {
                    // Keeps the sender inside alive.
                    std::mem::forget(back);
                    "came back"
                }
            });
            let all: Vec<_> = (0..others).map(|_| r.clone()).collect();
            drop((r, all));
            let fate = sender.join().unwrap();
            (fate, told.try_iter().map(|(_, on_main)| on_main).collect::<Vec<_>>())
        });
        let expected = [r#"["came back",[]]"#, r#"["sent",[true]]"#];
        assert_eq!(outcomes.all(), expected, "{others} {}", outcomes.found);
    }
}

/// A thread that has dropped every receiver knows that no thread will receive.
#[test]
fn nothing_is_sent_to_nobody() {
    for capacity in [None, Some(0), Some(5)] {
        let outcomes = outcomes(move || {
            let (s, r) = channel(capacity);
            if capacity != Some(0) {
                s.len();
            }
            let another = r.clone();
            let other = go(move || drop(another));
            drop(r);
            let early = capacity != Some(0) && s.try_send(1).is_ok();
            other.join().unwrap();
            (early, s.try_send(2).is_ok(), s.send(3).is_ok())
        });
        let expected: &[&str] = match capacity {
            Some(0) => &["[false,false,false]"],
            _ => &["[false,false,false]", "[true,false,false]"],
        };
        assert_eq!(outcomes.all(), expected, "{capacity:?} {}", outcomes.found);
    }
}

/// In a bounded channel they stay until its last handle is gone, whichever thread has it, and on whichever side.
#[test]
fn messages_that_die_with_the_last_handle() {
    let outcomes = outcomes(|| {
        let (tell, told) = unbounded();
        let (s, r) = bounded(1);
        s.send(Telling(1, tell)).unwrap();
        let other = go(move || drop(r));
        drop(s);
        other.join().unwrap();
        told.iter().map(|(_, on_main)| on_main).collect::<Vec<_>>()
    });
    assert_eq!(outcomes.all(), ["[false]", "[true]"], "{}", outcomes.found);
}

/// So they do if it is not certain that they were put before the receivers were dropped.
#[test]
fn messages_that_may_die_with_the_last_handle() {
    for others in 0..3 {
        let outcomes = outcomes(move || {
            let (tell, told) = unbounded();
            let (s, r) = bounded(1);
            let sender = go(move || match s.send(Telling(1, tell)) {
                Ok(()) => "sent",
                Err(back) => {
                    std::mem::forget(back);
                    "came back"
                }
            });
            let all: Vec<_> = (0..others).map(|_| r.clone()).collect();
            drop((r, all));
            let fate = sender.join().unwrap();
            (fate, told.try_iter().map(|(_, on_main)| on_main).collect::<Vec<_>>())
        });
        let expected = [r#"["came back",[]]"#, r#"["sent",[false]]"#, r#"["sent",[true]]"#];
        assert_eq!(outcomes.all(), expected, "{others} {}", outcomes.found);
    }
}

/// So a client that waits for the reply to a request that no thread will ever take waits forever, with a bounded channel.
#[test]
fn requests_that_nobody_takes() {
    let program = |capacity: Option<usize>| {
        move || {
            let (s, r) = channel(capacity);
            let (reply, replies) = bounded::<u32>(1);
            s.send(reply).unwrap();
            drop(r);
            say(replies.recv())
        }
    };
    assert_outcomes(program(None), &[("\"RecvError\"", 1)]);
    assert_outcomes(program(Some(1)), &[("Deadlock", 1)]);
}
