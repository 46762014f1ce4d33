//! Timestamps of the executions that the textbook draws, with the numbers of its figures.

mod common;

use common::build::{Build, select, waiting_writer};
use insyn_sequences::timestamps::{ObjectCentric, ThreadCentric};
use insyn_sequences::{EventRef, Kind, Op, Order, Pick, Sequence};

/// Finds an event by the id of its process.
fn at(sequence: &Sequence, id: &str, index: usize) -> EventRef {
    let process = sequence.processes.iter().position(|it| it.id == id).unwrap();
    EventRef { process, index }
}

/// Figures 7.18 and 7.25a: asynchronous messages.
#[test]
fn asynchronous_messages() {
    let mut build = Build::default();
    let [t1, t2, t3] = build.threads(["T1", "T2", "T3"]);
    let [p1, p2] = ["p1", "p2"].map(|id| build.process(id, Kind::Port));
    for (sender, port) in [(t3, p1), (t1, p1), (t3, p2), (t1, p1)] {
        let send = build.event(sender, Op::Send, Some(port), Pick::Nothing);
        build.takes(t2, Op::Receive, port, &[send]);
    }
    let sequence = build.finish();
    let order = Order::of(&sequence).unwrap();
    let stamps = ThreadCentric::of(&order);
    assert_eq!(stamps.threads(), [0, 1, 2]);
    for (thread, expected) in [
        ("T1", [[1, 0, 0], [2, 0, 0]].as_slice()),
        ("T2", &[[0, 1, 1], [1, 2, 1], [1, 3, 2], [2, 4, 2]]),
        ("T3", &[[0, 0, 1], [0, 0, 2]]),
    ] {
        for (index, stamp) in expected.iter().enumerate() {
            assert_eq!(stamps.stamp(at(&sequence, thread, index)), stamp, "{thread}#{index}");
        }
    }
}

/// Figures 7.19 and 7.26: synchronous messages, each accepted at once; a sender continues after the receive.
#[test]
fn synchronous_messages() {
    let mut build = Build::default();
    let [t1, t2, t3] = build.threads(["T1", "T2", "T3"]);
    let [p1, p2] = ["p1", "p2"].map(|id| build.process(id, Kind::Entry));
    let mut last_accept = [None; 4];
    for (caller, entry) in [(t3, p2), (t1, p1), (t3, p2), (t1, p1)] {
        let call = build.event(caller, Op::Call, Some(entry), Pick::Nothing);
        build.after(call, last_accept[caller].as_slice());
        last_accept[caller] = Some(build.takes(t2, Op::Accept, entry, &[call]));
    }
    let sequence = build.finish();
    let order = Order::of(&sequence).unwrap();
    let stamps = ThreadCentric::of(&order);
    for (thread, expected) in [
        ("T1", [[1, 0, 0], [2, 2, 1]].as_slice()),
        ("T2", &[[0, 1, 1], [1, 2, 1], [1, 3, 2], [2, 4, 2]]),
        ("T3", &[[0, 0, 1], [0, 1, 2]]),
    ] {
        for (index, stamp) in expected.iter().enumerate() {
            assert_eq!(stamps.stamp(at(&sequence, thread, index)), stamp, "{thread}#{index}");
        }
    }
    // The first sends are concurrent, though T3's was received before T1's.
    let (s1, s2) = (at(&sequence, "T3", 0), at(&sequence, "T1", 0));
    assert_eq!((stamps.happens_before(s1, s2), stamps.happens_before(s2, s1)), (Some(false), Some(false)));
}

/// Figures 7.20, 7.27a and 7.28a: T2 and then T1 acquire and release a binary semaphore.
#[test]
fn semaphore() {
    let mut build = Build::default();
    let [t1, t2] = build.threads(["T1", "T2"]);
    let s = build.process("s", Kind::Semaphore);
    for thread in [t2, t1] {
        build.calls(thread, Op::Acquire, s);
        build.calls(thread, Op::Release, s);
    }
    let sequence = build.finish();
    let order = Order::of(&sequence).unwrap();
    let threads = ThreadCentric::of(&order);
    let objects = ObjectCentric::of(&order).unwrap();
    for (id, by_thread, version) in [
        ("T1", [[1, 0], [2, 2]].as_slice(), [0, 3].as_slice()),
        ("T2", &[[0, 1], [0, 2]], &[0, 1]),
        ("s", &[[0, 1], [0, 2], [1, 2], [2, 2]], &[1, 2, 3, 4]),
    ] {
        for index in 0..by_thread.len() {
            let event = at(&sequence, id, index);
            assert_eq!(threads.stamp(event), by_thread[index], "{id}#{index}");
            assert_eq!(objects.stamp(event), &version[index..=index], "{id}#{index}");
        }
    }
}

/// Figures 7.22, 7.27b and 7.28b: two monitors that signal and continue.
#[test]
fn monitors() {
    let mut build = Build::default();
    let [t1, t2, t3] = build.threads(["T1", "T2", "T3"]);
    let [m1, m2] = ["m1", "m2"].map(|id| build.process(id, Kind::Monitor));
    build.calls(t1, Op::Enter, m1);
    build.does(t1, Op::Wait, m1);
    build.calls(t2, Op::Enter, m1);
    let signal = build.does(t2, Op::Signal, m1);
    let [c3, _] = build.calls(t1, Op::Reenter, m1);
    build.after(c3, &[signal]);
    build.calls(t1, Op::Enter, m2);
    build.calls(t3, Op::Enter, m2);
    build.calls(t3, Op::Enter, m1);
    let sequence = build.finish();
    let order = Order::of(&sequence).unwrap();
    let objects = ObjectCentric::of(&order).unwrap();
    let (e3, c4, e4) = (at(&sequence, "m1", 2), at(&sequence, "T1", 3), at(&sequence, "m2", 0));
    let e6 = at(&sequence, "m1", 3);
    assert_eq!([e3, c4, e4, e6].map(|it| objects.stamp(it)), [[3, 0], [3, 0], [3, 1], [4, 2]]);
    assert_eq!(objects.happens_before(e3, e4), Some(true));
    assert_eq!(objects.happens_before(e3, c4), Some(true));
    assert_eq!(objects.happens_before(e4, e3), Some(false));
    assert_eq!(ThreadCentric::of(&order).happens_before(e3, e6), Some(true));
}

#[test]
fn a_send_leaves_no_trace_in_version_vectors() {
    let mut build = Build::default();
    let [t1, t2] = build.threads(["T1", "T2"]);
    let port = build.process("p", Kind::Port);
    let send = build.event(t1, Op::Send, Some(port), Pick::Nothing);
    build.takes(t2, Op::Receive, port, &[send]);
    let sequence = build.finish();
    let order = Order::of(&sequence).unwrap();
    let objects = ObjectCentric::of(&order).unwrap();
    let (send, receive) = (at(&sequence, "T1", 0), at(&sequence, "T2", 0));
    assert_eq!(objects.objects(), [2]);
    assert_eq!(objects.happens_before(send, receive), None);
    assert_eq!(objects.happens_before(receive, send), Some(false));
}

#[test]
fn version_vectors_need_ordered_receives() {
    let mut build = Build::default();
    let [t1, t2] = build.threads(["T1", "T2"]);
    let port = build.process("p", Kind::Port);
    build.event(t1, Op::Receive, Some(port), Pick::Nothing);
    build.event(t2, Op::Receive, Some(port), Pick::Nothing);
    let sequence = build.finish();
    let order = Order::of(&sequence).unwrap();
    let error = ObjectCentric::of(&order).unwrap_err();
    assert_eq!((error.object.as_str(), error.second.as_str()), ("p", "T2#0"));
}

/// Loads are not receives in this sense: two threads read a variable, and neither comes after the other.
#[test]
fn loads_leave_no_trace() {
    let mut build = Build::default();
    let [t1, t2, t3] = build.threads(["T1", "T2", "T3"]);
    let v = build.process("v", Kind::Atomic);
    let [_, write] = build.calls(t1, Op::Store, v);
    build.takes(t2, Op::Load, v, &[write]);
    build.event(t3, Op::Load, Some(v), Pick::Nothing);
    build.takes(t3, Op::Load, v, &[write]);
    let sequence = build.finish();
    let order = Order::of(&sequence).unwrap();
    let objects = ObjectCentric::of(&order).unwrap();
    let (write, load) = (at(&sequence, "v", 0), at(&sequence, "T3", 1));
    assert_eq!([write, load, at(&sequence, "T3", 0)].map(|it| objects.stamp(it)), [[1], [1], [0]]);
    assert_eq!(objects.happens_before(write, load), Some(true));
    assert_eq!(objects.happens_before(load, write), None);
}

/// One component stands for all objects that share a timeline.
#[test]
fn a_shared_timeline_has_one_version() {
    let sequence = select();
    let order = Order::of(&sequence).unwrap();
    let objects = ObjectCentric::of(&order).unwrap();
    let host = objects.objects().iter().position(|&it| sequence.processes[it].id == "main/bounded1").unwrap();
    let versions = |id: &str| objects.stamp(at(&sequence, id, 4)).to_vec();
    assert_eq!(objects.stamp(at(&sequence, "main/bounded1", 2))[host], 3);
    assert_eq!((versions("main")[host], versions("main/thread1")[host]), (2, 2));
    assert_eq!(versions("main").iter().sum::<usize>(), 2);
}

/// Other threads know of a call that was left waiting before it is completed, so thread-centric timestamps do not show which
/// threads know of its completion.
#[test]
fn a_call_that_was_left_waiting() {
    let sequence = waiting_writer();
    let order = Order::of(&sequence).unwrap();
    let lock = |index| at(&sequence, "main/rwlock1", index);
    let (block, unlock, write) = (lock(1), lock(2), lock(3));
    let call = at(&sequence, "main/thread1", 1);
    let threads = ThreadCentric::of(&order);
    assert_eq!(threads.stamp(write), threads.stamp(unlock));
    assert_eq!(threads.happens_before(write, unlock), None);
    assert_eq!(threads.happens_before(unlock, write), Some(true));
    assert_eq!(threads.happens_before(call, unlock), Some(true));
    assert_eq!(threads.happens_before(block, write), None);
    let objects = ObjectCentric::of(&order).unwrap();
    assert_eq!(objects.happens_before(call, unlock), Some(true));
    assert_eq!(objects.happens_before(block, write), Some(true));
    assert_eq!(objects.happens_before(write, unlock), Some(false));
}
