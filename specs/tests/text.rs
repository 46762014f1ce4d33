//! The text form, as a person sees it.

mod common;

use common::build::{Build, listing_7_1};
use common::programs::sequences;
use insyn_specs::{Kind, Op, Pick, Sequence, text};
use proptest::prelude::*;

/// Compares with an indented block of lines that starts after the first line break.
fn assert_text(sequence: &Sequence, expected: &str) {
    let text = text::render(sequence).unwrap();
    let lines: Vec<&str> = expected.lines().skip(1).map(str::trim_start).collect();
    let got: Vec<&str> = text.lines().map(str::trim_start).collect();
    assert_eq!(got, lines, "\n{text}");
}

#[test]
fn messages() {
    let mut build = Build::default();
    let main = build.process("main", Kind::Thread);
    let producer = build.named("main/thread1", Kind::Thread, "producer");
    let channel = build.process("main/channel1", Kind::Channel);
    let file = "src/pipeline.rs";
    let empty = build.event(main, Op::Receive, Some(channel), Pick::Nothing);
    build.at(empty, file, 21, 20);
    let send = build.event(producer, Op::Send, Some(channel), Pick::Nothing);
    build.after(send, &[empty]);
    build.at(send, file, 9, 12);
    let drop = build.does(producer, Op::DropSender, channel);
    build.at(drop, file, 10, 5);
    let disconnect = build.event(channel, Op::Disconnect, Some(channel), Pick::None);
    build.after(disconnect, &[drop]);
    let receive = build.takes(main, Op::Receive, channel, &[send]);
    build.at(receive, file, 23, 20);
    let closed = build.takes(main, Op::Receive, channel, &[disconnect]);
    build.at(closed, file, 23, 20);
    let join = build.event(main, Op::Join, None, Pick::None);
    build.after(join, &[drop]);
    build.at(join, file, 26, 9);
    assert_text(&build.finish(), "");
}

#[test]
fn rendezvous() {
    assert_text(&listing_7_1(), "");
}

#[test]
fn locks_and_conditions() {
    let mut build = Build::default();
    let [main, one, two] = build.threads(["main", "main/thread1", "main/thread2"]);
    let mutex = build.process("main/mutex1", Kind::Mutex);
    let inner = build.process("main/thread1/mutex1", Kind::Mutex);
    let condvar = build.named("main/condvar1", Kind::Condvar, "ready");
    build.calls(one, Op::Lock, mutex);
    let [_, wait] = build.calls(one, Op::Wait, condvar);
    build.calls(one, Op::Unlock, mutex);
    build.calls(main, Op::Lock, mutex);
    let notify = build.does(main, Op::NotifyOne, condvar);
    let woken = build.completes(condvar, Op::NotifyOne, &[notify, wait]);
    let relock = build.does(one, Op::Lock, mutex);
    build.after(relock, &[woken]);
    build.calls(two, Op::Lock, inner);
    assert_text(&build.finish(), "");
}

#[test]
fn long_names_and_places_are_cut() {
    let mut build = Build::default();
    let worker = build.named("main/thread1", Kind::Thread, "a worker with quite a long name, number 1");
    let deaf = build.named("main/thread2", Kind::Thread, "deaf\n\u{1b}[31m");
    let entry = build.process("main/entry1", Kind::Entry);
    let gone = build.does(deaf, Op::DropReceiver, entry);
    build.at(gone, "x.rs", 1, 1);
    let call = build.takes(worker, Op::Call, entry, &[gone]);
    build.at(call, "/a/rather/deep/folder/of/some/workspace/with/a/crate/src/protocol/handshake.rs", 1234, 56);
    let back = build.does(worker, Op::Return, entry);
    build.after(back, &[gone]);
    let sequence = build.finish();
    assert_text(&sequence, "");
    assert!(text::render(&sequence).unwrap().lines().all(|line| line.chars().count() <= text::WIDTH));
}

#[test]
fn nothing_happened() {
    assert_eq!(text::render(&Sequence::default()).unwrap(), "");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(50))]

    #[test]
    fn lines_fit(sequence in sequences()) {
        for line in text::render(&sequence).unwrap().lines() {
            prop_assert!(line.chars().count() <= text::WIDTH, "{}", line);
        }
    }
}
