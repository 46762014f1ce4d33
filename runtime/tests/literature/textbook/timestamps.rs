//! Section 7.5.4: the timestamps of figures 7.18 to 7.22, and propositions 6.1 to 6.3.
//!
//! The drawings with the timestamps (7.25 to 7.28) are missing but for a few values; these and all others are worked out
//! by hand from the rules in the text. Where a thread has events that the textbook does not count (return, reply, wait,
//! signal), its component is given in drawn events.

use insyn::sequences::timestamps::{ObjectCentric, ThreadCentric};
use insyn::sequences::{EventRef, Op, Order, Sequence};
use insyn::sync::Delivery;

use super::drawing::{Diagram, executions};
use super::figures::{LOCK, MONITORS, PORTS, SELECTIVE_WAIT, SEMAPHORE};
use super::{messages, programs};

/// The thread-centric timestamps of the drawn events, one component for each of T1, T2, …: in drawn events, and as they
/// are. `main` only waits for the others, so its component is always zero.
fn thread_centric(diagram: &Diagram) -> (String, String) {
    let order = Order::of(&diagram.sequence).unwrap();
    let stamps = ThreadCentric::of(&order);
    let drawn = |thread: usize, count: usize| {
        diagram.names.values().filter(|at| at.process == thread && at.index < count).count()
    };
    let (mut in_drawn, mut as_is) = (Vec::new(), Vec::new());
    for (name, &at) in &diagram.names {
        let stamp = stamps.stamp(at);
        assert_eq!(diagram.sequence.processes[stamps.threads()[0]].id, "main");
        assert_eq!(stamp[0], 0, "{name} comes after an event of main");
        let threads = stamps.threads().iter().zip(stamp).skip(1);
        let counts: Vec<usize> = threads.map(|(&thread, &count)| drawn(thread, count)).collect();
        in_drawn.push(format!("{name}{counts:?}"));
        as_is.push(format!("{name}{:?}", &stamp[1..]));
    }
    (in_drawn.join(" "), as_is.join(" "))
}

/// The object-centric timestamps of the drawn events.
fn object_centric(diagram: &Diagram) -> String {
    let order = Order::of(&diagram.sequence).unwrap();
    let stamps = ObjectCentric::of(&order).unwrap();
    let words = diagram.names.iter().map(|(name, &at)| format!("{name}{:?}", stamps.stamp(at)));
    words.collect::<Vec<_>>().join(" ")
}

/// Figure 7.25a.
#[test]
fn timestamps_of_asynchronous_ports() {
    let ports = Diagram::of(PORTS, messages::program(PORTS, Delivery::Fifo));
    let expected = "r1[0, 1, 1] r2[1, 2, 1] r3[1, 3, 2] r4[2, 4, 2] \
         s1[0, 0, 1] s2[1, 0, 0] s3[0, 0, 2] s4[2, 0, 0]";
    assert_eq!(thread_centric(&ports), (expected.to_string(), expected.to_string()));
    let expected = "r1[1, 0] r2[2, 0] r3[2, 1] r4[3, 1] s1[0, 0] s2[0, 0] s3[0, 0] s4[0, 0]";
    assert_eq!(object_centric(&ports), expected);
}

/// Figure 7.26, of which the text has r1 and s1. A send is the start of an operation: s1 and s2 are concurrent though
/// T2 served one after the other. (Figure 7.25b has the scheme that the text rejects for race analysis.)
#[test]
fn timestamps_of_synchronous_messages() {
    let select = Diagram::of(SELECTIVE_WAIT, || programs::selective_wait(false));
    let expected = "r1[0, 1, 1] r2[1, 2, 1] r3[1, 3, 2] r4[2, 4, 2] \
         s1[0, 0, 1] s2[1, 0, 0] s3[0, 1, 2] s4[2, 2, 1]";
    assert_eq!(thread_centric(&select).0, expected);
    // The components stand for p1 and p2.
    let expected = "r1[0, 1] r2[1, 1] r3[1, 2] r4[2, 2] s1[0, 0] s2[0, 0] s3[0, 1] s4[1, 1]";
    assert_eq!(object_centric(&select), expected);
    let order = Order::of(&select.sequence).unwrap();
    assert!(order.concurrent(select.at("s1"), select.at("s2")));
    assert!(order.happens_before(select.at("r1"), select.at("r2")));
}

/// Figures 7.27a and 7.28a.
#[test]
fn timestamps_of_a_semaphore() {
    let semaphore = Diagram::of(SEMAPHORE, || programs::binary_semaphore(false));
    let expected = "e1[0, 1] e2[0, 2] e3[1, 2] e4[2, 2] p1[0, 1] p2[1, 0] v1[0, 2] v2[2, 2]";
    assert_eq!(thread_centric(&semaphore), (expected.to_string(), expected.to_string()));
    assert_eq!(object_centric(&semaphore), "e1[1] e2[2] e3[3] e4[4] p1[0] p2[0] v1[1] v2[3]");
}

#[test]
fn timestamps_of_a_reentrant_lock() {
    let lock = Diagram::of(LOCK, || programs::reentrant_lock(false));
    let expected = "e1[0, 1] e2[0, 2] e3[0, 3] e4[0, 4] e5[1, 4] e6[2, 4] \
         l1[0, 1] l2[0, 2] l3[1, 0] u1[0, 3] u2[0, 4] u3[2, 4]";
    assert_eq!(thread_centric(&lock), (expected.to_string(), expected.to_string()));
    let expected = "e1[1] e2[2] e3[3] e4[4] e5[5] e6[6] l1[0] l2[1] l3[0] u1[2] u2[3] u3[5]";
    assert_eq!(object_centric(&lock), expected);
}

/// Figures 7.27b and 7.28b; the components of the latter stand for m1 and m2.
#[test]
fn timestamps_of_two_monitors() {
    let monitors = Diagram::of(MONITORS, || programs::two_monitors(false));
    let expected = "c1[1, 0, 0] c2[0, 1, 0] c3[2, 1, 0] c4[3, 1, 0] c5[0, 0, 1] c6[3, 1, 2] \
         e1[1, 0, 0] e2[1, 1, 0] e3[2, 1, 0] e4[3, 1, 0] e5[3, 1, 1] e6[3, 1, 2]";
    assert_eq!(thread_centric(&monitors).0, expected);
    let expected = "c1[0, 0] c2[0, 0] c3[2, 0] c4[3, 0] c5[0, 0] c6[3, 2] \
         e1[1, 0] e2[2, 0] e3[3, 0] e4[3, 1] e5[3, 2] e6[4, 2]";
    assert_eq!(object_centric(&monitors), expected);
    // The text: e3 happens before e4 since e3.ts[1] <= e4.ts[1] and e3.ts[2] < e4.ts[2], and before c4 since
    // e3.ts[1] <= c4.ts[1].
    let order = Order::of(&monitors.sequence).unwrap();
    let stamps = ObjectCentric::of(&order).unwrap();
    let [e3, e4, c4] = ["e3", "e4", "c4"].map(|name| monitors.at(name));
    assert_eq!(stamps.happens_before(e3, e4), Some(true));
    assert_eq!(stamps.happens_before(e3, c4), Some(true));
}

/// Sends leave no trace in a version vector: it does not show whether a send happens before another event.
#[test]
fn object_centric_timestamps_do_not_decide_between_sends() {
    let ports = Diagram::of(PORTS, messages::program(PORTS, Delivery::Fifo));
    let order = Order::of(&ports.sequence).unwrap();
    let stamps = ObjectCentric::of(&order).unwrap();
    assert_eq!(stamps.happens_before(ports.at("s1"), ports.at("s3")), None);
    assert_eq!(ThreadCentric::of(&order).happens_before(ports.at("s1"), ports.at("s3")), Some(true));
}

#[test]
fn propositions_hold_in_the_figures() {
    let ports = messages::program(PORTS, Delivery::Fifo);
    let figures = [
        Diagram::of(PORTS, ports),
        Diagram::of(SELECTIVE_WAIT, || programs::selective_wait(false)),
        Diagram::of(SEMAPHORE, || programs::binary_semaphore(false)),
        Diagram::of(LOCK, || programs::reentrant_lock(false)),
        Diagram::of(MONITORS, || programs::two_monitors(false)),
    ];
    for figure in figures {
        check_propositions(&figure.sequence);
    }
}

#[test]
fn propositions_hold_in_every_sequence() {
    let explored = [
        executions(|| programs::six_threads(Delivery::Fifo)),
        executions(programs::bounded_buffer),
        executions(|| programs::selective_wait(true)),
        executions(|| programs::binary_semaphore(true)),
        executions(|| programs::reentrant_lock(true)),
        executions(|| programs::two_monitors(true)),
    ];
    for analysed in explored.iter().flatten() {
        check_propositions(&analysed.sequence);
    }
}

/// Compares what the timestamps say about every two events with happens-before.
fn check_propositions(sequence: &Sequence) {
    let order = Order::of(sequence).unwrap();
    let by_threads = ThreadCentric::of(&order);
    let by_objects = ObjectCentric::of(&order).unwrap();
    let threads = |at| thread(sequence, at).map(|t| component(by_threads.threads(), t));
    let objects = |at| receiving(sequence, at).map(|o| component(by_objects.objects(), o));
    let mut checked = [0; 3];
    for (a, b) in sequence.events().flat_map(|a| sequence.events().map(move |b| (a, b))) {
        if a == b {
            continue;
        }
        let truth = order.happens_before(a, b);
        let say = |proposition: usize| {
            let (a, b) = (sequence.event_name(a), sequence.event_name(b));
            format!("proposition 6.{proposition} about {a} and {b}")
        };
        if let (Some(i), Some(j)) = (threads(a), threads(b)) {
            let (f1, f2) = (by_threads.stamp(a), by_threads.stamp(b));
            let pair = order.completion(a) == Some(b);
            assert_eq!(pair || f1[i] <= f2[i] && f1[j] < f2[j], truth, "{}", say(1));
            assert_eq!(by_threads.happens_before(a, b), Some(truth), "{}", say(1));
            checked[0] += 1;
        }
        let (e, f) = (by_objects.stamp(a), by_objects.stamp(b));
        match (objects(a), objects(b)) {
            (Some(i), Some(j)) => {
                assert_eq!(e[i] <= f[i] && e[j] < f[j], truth, "{}", say(2));
                checked[1] += 1;
            }
            (Some(i), None) => {
                assert_eq!(e[i] <= f[i], truth, "{}", say(3));
                checked[2] += 1;
            }
            (None, _) => {}
        }
        if let Some(told) = by_objects.happens_before(a, b) {
            assert_eq!(told, truth, "by objects: {} and {}", sequence.event_name(a), sequence.event_name(b));
        }
    }
    assert!(checked.iter().all(|&pairs| pairs > 0), "nothing to check: {checked:?}");
}

fn component(of: &[usize], process: usize) -> usize {
    of.iter().position(|&p| p == process).expect("every thread and object has a component")
}

/// The thread that executed an event; none for a disconnect.
fn thread(sequence: &Sequence, at: EventRef) -> Option<usize> {
    if sequence.is_thread(at.process) {
        return Some(at.process);
    }
    sequence.event(at).pick.partners().first().map(|call| call.process)
}

/// The object on which an event is a receiving one: a completion, or a receive.
fn receiving(sequence: &Sequence, at: EventRef) -> Option<usize> {
    let event = sequence.event(at);
    let completes = !sequence.is_thread(at.process) && event.op != Op::Disconnect;
    let receives = matches!(event.op, Op::Receive | Op::Accept);
    (completes || receives).then_some(event.object).flatten()
}
