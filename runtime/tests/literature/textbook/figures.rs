//! Figures 7.18 to 7.22 and 7.24: the open lists and race sets of one execution with each construct.
//!
//! Open lists are shown by probes: operations of additional threads that may happen at any time and are served after
//! everything else (see [`programs`]). A probe's operation is in the race set of exactly the events where it is open.

use insyn::sequences::Order;
use insyn::sync::Delivery;

use super::drawing::Diagram;
use super::{messages, programs};

/// Figure 7.18.
pub(crate) const PORTS: &str = "T1: s2>p1 s4>p1 | T2: r1<s1 r2<s2 r3<s3 r4<s4 | T3: s1>p1 s3>p2";
/// Figure 7.19.
pub(crate) const SELECTIVE_WAIT: &str = "T1: s2 s4 | T2: r1<s1 r2<s2 r3<s3 r4<s4 | T3: s1 s3";
/// Figure 7.20.
pub(crate) const SEMAPHORE: &str = "T1: p2 v2 | T2: p1 v1 | semaphore1: e1<p1 e2<v1 e3<p2 e4<v2";
/// Figure 7.21.
pub(crate) const LOCK: &str = "T1: l3 u3 | T2: l1 l2 u1 u2 | reentrant1: e1<l1 e2<l2 e3<u1 e4<u2 e5<l3 e6<u3";
/// Figure 7.22.
pub(crate) const MONITORS: &str = "T1: c1 c3 c4 | T2: c2 | T3: c5 c6 \
     | monitor1: e1<c1 e2<c2 e3<c3 e6<c6 | monitor2: e4<c4 e5<c5";

#[test]
fn asynchronous_ports_race_on_their_own_port_and_in_fifo_order() {
    for delivery in [Delivery::Fifo, Delivery::Causal, Delivery::Mailbox] {
        let ports = Diagram::of(PORTS, messages::program(PORTS, delivery));
        assert_eq!(ports.race_sets(), "r1{s2}", "{delivery:?}");
    }
    // It is FIFO that keeps s4 out: in a bag it races with r1 and r2. It never races with r3, on another port.
    let bag = Diagram::of(PORTS, messages::program(PORTS, Delivery::Bag));
    assert_eq!(bag.race_sets(), "r1{s2,s4} r2{s4}");
}

/// The probes q1 and q2 are sent to p1 and p2 and never received.
#[test]
fn asynchronous_receives_are_open_for_their_port() {
    let drawing = format!("{PORTS} | T4: q1>p1 | T5: q2>p2");
    let ports = Diagram::of(&drawing, messages::program(&drawing, Delivery::Fifo));
    assert_eq!(ports.race_sets(), "r1{q1,s2} r2{q1} r3{q2} r4{q1}");
}

/// The text's reasons for these race sets have p1 and p2 mixed up ("the alternative for p1 was closed whenever T2
/// selected p2"); its figure, and what it says about the figure, have them as they are here.
#[test]
fn synchronous_receives_race_with_what_the_selective_wait_has_open() {
    let select = Diagram::of(SELECTIVE_WAIT, || programs::selective_wait(false));
    assert_eq!(select.race_sets(), "r1{s2} r3{s4}");
    let order = Order::of(&select.sequence).unwrap();
    // So only the guard keeps s3 from r2: nothing else prevents it.
    let [r1, r2, s3] = ["r1", "r2", "s3"].map(|name| select.at(name));
    assert!(order.happens_before(r1, s3) && order.concurrent(r2, s3));
}

/// The probes q1 and q2 call p1 and p2: `{p1, p2}` is open at r1 and r3, `{p1}` at r2 and r4.
#[test]
fn selective_waits_are_open_for_the_alternatives_whose_guard_is_true() {
    let drawing = "T1: s2 s4 | T2: r1<s1 r2<s2 r3<s3 r4<s4 r5<q1 r6<q2 | T3: s1 s3 | T4: q1 | T5: q2";
    let select = Diagram::of(drawing, || programs::selective_wait(true));
    assert_eq!(select.race_sets(), "r1{q1,q2,s2} r2{q1} r3{q1,q2,s4} r4{q1} r5{q2}");
}

#[test]
fn semaphore_operations_race_with_their_like_only() {
    let semaphore = Diagram::of(SEMAPHORE, || programs::binary_semaphore(false));
    assert_eq!(semaphore.race_sets(), "e1{p2}");
    // p2 could start before v1 was completed at e2; still it is not in that race set.
    let order = Order::of(&semaphore.sequence).unwrap();
    assert!(order.concurrent(semaphore.at("p2"), semaphore.at("e2")));
}

/// The probes p and v: a binary semaphore is open for P or for V, never for both.
#[test]
fn binary_semaphore_is_open_for_p_and_v_in_turn() {
    let drawing = "T1: p2 v2 | T2: p1 v1 | T3: p | T4: v | semaphore1: e1<p1 e2<v1 e3<p2 e4<v2 e5<p e6<v";
    let semaphore = Diagram::of(drawing, || programs::binary_semaphore(true));
    assert_eq!(semaphore.race_sets(), "e1{p,p2} e2{v} e3{p} e4{v}");
}

#[test]
fn lock_operations_race_only_while_the_lock_is_free() {
    let lock = Diagram::of(LOCK, || programs::reentrant_lock(false));
    assert_eq!(lock.race_sets(), "e1{l3}");
    let order = Order::of(&lock.sequence).unwrap();
    for e in ["e2", "e3", "e4"] {
        assert!(order.concurrent(lock.at("l3"), lock.at(e)), "l3 could start before {e}");
    }
}

/// The probe l, u: e1 and e5 are open for a lock of any thread, the others only for operations of the owner; of these T2 does
/// a lock (e2) as well as unlocks (e3, e4) while it owns the lock.
#[test]
fn owned_lock_is_open_for_its_owner_only() {
    let drawing = "T1: l3 u3 | T2: l1 l2 u1 u2 | T3: l u \
         | reentrant1: e1<l1 e2<l2 e3<u1 e4<u2 e5<l3 e6<u3 e7<l e8<u";
    let lock = Diagram::of(drawing, || programs::reentrant_lock(true));
    assert_eq!(lock.race_sets(), "e1{l,l3} e5{l}");
}

#[test]
fn monitor_entries_race_with_calls_that_did_not_need_them() {
    let monitors = Diagram::of(MONITORS, || programs::two_monitors(false));
    assert_eq!(monitors.race_sets(), "e1{c2} e4{c5}");
    // T2 entered at e2 and signalled, which made T1 issue c3.
    let order = Order::of(&monitors.sequence).unwrap();
    assert!(order.happens_before(monitors.at("e2"), monitors.at("c3")));
}

/// The probes q1 and q2 call methods of m1 and m2: no entry, nor a reentry such as e3, excludes a method.
#[test]
fn monitors_are_always_open_for_all_their_methods() {
    let drawing = "T1: c1 c3 c4 | T2: c2 | T3: c5 c6 | T4: q1 | T5: q2 \
         | monitor1: e1<c1 e2<c2 e3<c3 e6<c6 e7<q1 | monitor2: e4<c4 e5<c5 e8<q2";
    let monitors = Diagram::of(drawing, || programs::two_monitors(true));
    assert_eq!(monitors.race_sets(), "e1{c2,q1} e2{q1} e3{q1} e4{c5,q2} e5{q2} e6{q1}");
}

/// Figure 7.24, rebuilt. The text fixes Thread2's receives: r6 happens before s8, r1 and r2 do not, r2 comes right before
/// r8, and r7 after it; s1, s2 and s3 have one sender, and s3 is never received. That s5 leads from r6 to s8, and where
/// s4, s6 and s7 come from, is ours.
const SR_SEQUENCE: &str = "T1: s1>T2 s2>T2 s3>T2 | T2: r6<s6 s5>T3 r1<s1 r2<s2 r8<s8 r7<s7 \
     | T3: r5<s5 s8>T2 r4<s4 | T4: s6>T2 s7>T2 s4>T3";

#[test]
fn figure_7_24_in_a_bag() {
    let figure = Diagram::of(SR_SEQUENCE, messages::program(SR_SEQUENCE, Delivery::Bag));
    let order = Order::of(&figure.sequence).unwrap();
    let before = |a, b| order.happens_before(figure.at(a), figure.at(b));
    let with_s8 = |r| figure.race_set(r).contains("s8");
    assert!(with_s8("r1") && with_s8("r2"));
    assert!(!with_s8("r6") && before("r6", "s8"));
    assert!(!with_s8("r7") && before("r8", "r7"));
    // Thus s8 is in the race sets of Thread2's receives that happen before r8 but not before s8.
    for r in ["r6", "r1", "r2", "r8", "r7"] {
        assert_eq!(with_s8(r), before(r, "r8") && !before(r, "s8"), "{r}");
    }
    let all = "r1{s2,s3,s7,s8} r2{s3,s7,s8} r5{s4} r6{s1,s2,s3,s7} r7{s3} r8{s3,s7}";
    assert_eq!(figure.race_sets(), all);
}

#[test]
fn figure_7_24_under_fifo() {
    let figure = Diagram::of(SR_SEQUENCE, messages::program(SR_SEQUENCE, Delivery::Fifo));
    let with_s3 = |r| figure.race_set(r).contains("s3");
    assert!(with_s3("r7") && with_s3("r8"));
    // s2 is sent to Thread2 before s3 and has to be received first.
    assert!(!with_s3("r2") && !with_s3("r1") && !with_s3("r6"));
    assert_eq!(figure.race_sets(), "r1{s7,s8} r2{s7,s8} r5{s4} r6{s1} r7{s3} r8{s3,s7}");
}
