//! The text form, as a person sees it.

mod common;

use common::build::{Build, listing_7_1, select, waiting_writer};
use common::sequences;
use insyn_sequences::{EventRef, Kind, Op, Pick, Sequence, text};
use proptest::prelude::*;

fn assert_text(sequence: &Sequence, lines: &[&str]) {
    let text = text::render(sequence).unwrap();
    assert_eq!(text.lines().collect::<Vec<_>>(), lines, "\n{text}");
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
    assert_text(
        &build.finish(),
        &[
            "1  main      receive      channel1  nothing there    src/pipeline.rs:21:20",
            "2  producer  send         channel1  after 1          src/pipeline.rs:9:12",
            "3  main      receive      channel1  from 2 producer  src/pipeline.rs:23:20",
            "4  producer  drop-sender  channel1                   src/pipeline.rs:10:5",
            "5            disconnect   channel1  after 4",
            "6  main      receive      channel1  closed by 5      src/pipeline.rs:23:20",
            "7  main      join                   after 4          src/pipeline.rs:26:9",
        ],
    );
}

/// Nothing but the queue orders the two sends, and they are listed in the order in which they are received; whoever finds
/// nothing comes before them.
#[test]
fn messages_are_listed_in_the_order_of_their_queue() {
    let mut build = Build::default();
    let [main, one, two] = build.threads(["main", "main/thread1", "main/thread2"]);
    let channel = build.process("main/channel1", Kind::Channel);
    let first = build.event(one, Op::Send, Some(channel), Pick::Nothing);
    let second = build.event(two, Op::Send, Some(channel), Pick::Nothing);
    build.event(two, Op::Send, Some(channel), Pick::Nothing);
    build.label(main, "begin", None);
    build.event(main, Op::Receive, Some(channel), Pick::Nothing);
    build.takes(main, Op::Receive, channel, &[second]);
    build.takes(main, Op::Receive, channel, &[first]);
    assert_text(
        &build.finish(),
        &[
            "1  main     label              begin",
            "2  main     receive  channel1  nothing there",
            "3  thread2  send     channel1",
            "4  main     receive  channel1  from 3 thread2",
            "5  thread1  send     channel1",
            "6  main     receive  channel1  from 5 thread1",
            "7  thread2  send     channel1",
        ],
    );
}

#[test]
fn rendezvous() {
    assert_text(
        &listing_7_1(),
        &[
            "1  Thread1 -> Thread2  take  C1",
            "2  Thread1 -> Thread2  take  C2",
            "3  Thread4 -> Thread3  take  C1",
            "4  Thread4 -> Thread3  take  C2",
        ],
    );
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
    assert_text(
        &build.finish(),
        &[
            "1  thread1  lock        main/mutex1",
            "2  thread1  wait        ready",
            "3  thread1  unlock      main/mutex1",
            "4  main     lock        main/mutex1",
            "5  main     notify-one  ready           wakes 2 thread1",
            "6  thread2  lock        thread1/mutex1",
            "7  thread1  lock        main/mutex1     blocked; after 5",
        ],
    );
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
    build.at(
        call,
        "/a/rather/deep/folder/of/some/workspace/with/a/crate/src/protocol/handshake.rs",
        1234,
        56,
    );
    let back = build.does(worker, Op::Return, entry);
    build.after(back, &[gone]);
    let sequence = build.finish();
    assert_text(
        &sequence,
        &[
            r"1  deaf\n\u{1b}[31m      drop-receiver  entry1                x.rs:1:1",
            "2  …long name, number 1  call           entry1  refused by 1  …ate/src/protocol/handshake.rs:1234:56",
            "3  …long name, number 1  return         entry1  after 1",
        ],
    );
    assert!(text::render(&sequence).unwrap().lines().all(|line| line.chars().count() <= text::WIDTH));
    let narrow = "\
1  deaf\\n\\u{1b}[31m
   drop-receiver entry1
   x.rs:1:1
2  …long name, number 1 call
   entry1 refused by 1
   …col/handshake.rs:1234:56
3  …long name, number 1
   return entry1 after 1
";
    assert_eq!(text::render_within(&sequence, 28).unwrap(), narrow);
}

/// A rendezvous has two places, and a disconnect may come after many drops.
#[test]
fn several_of_a_kind() {
    let mut build = Build::default();
    let threads = build.threads([
        "main",
        "main/thread1",
        "main/thread2",
        "main/thread3",
        "main/thread4",
        "main/thread5",
    ]);
    let meeting = build.process("main/rendezvous1", Kind::Rendezvous);
    let end = build.process("main/rendezvous1/end", Kind::Rendezvous);
    let (put, take) = (build.does(threads[1], Op::Put, meeting), build.does(threads[0], Op::Take, meeting));
    build.at(put, "src/a.rs", 3, 5);
    build.at(take, "src/a.rs", 9, 7);
    build.completes(meeting, Op::Take, &[put, take]);
    let drops = threads.map(|thread| build.does(thread, Op::DropSender, meeting));
    let disconnect = build.event(end, Op::Disconnect, Some(end), Pick::None);
    build.after(disconnect, &drops);
    let take = build.does(threads[0], Op::Take, meeting);
    build.completes(meeting, Op::Take, &[take, disconnect]);
    assert_text(
        &build.finish(),
        &[
            "1  thread1 -> main  take         rendezvous1                                   src/a.rs:3:5, 9:7",
            "2  main             drop-sender  rendezvous1",
            "3  thread1          drop-sender  rendezvous1",
            "4  thread2          drop-sender  rendezvous1",
            "5  thread3          drop-sender  rendezvous1",
            "6  thread4          drop-sender  rendezvous1",
            "7  thread5          drop-sender  rendezvous1",
            "8                   disconnect   rendezvous1/end  after 2, 3, 4, 5 and 2 more",
            "9  main             take         rendezvous1      closed by 8",
        ],
    );
}

#[test]
fn selects() {
    assert_text(
        &select(),
        &[
            " 1  main             select",
            " 2  main             offer-take     bounded1     withdrawn",
            " 3  main             offer-put      bounded2     withdrawn",
            " 4  thread1          select",
            " 5  thread1          offer-timeout  rendezvous1  withdrawn",
            " 6  thread1          ready-put      rendezvous1  ready for 7",
            " 7  thread1 -> main  offer-take     rendezvous1",
            " 8  main             put            bounded2",
            " 9  thread1          select",
            "10  thread1          offer-take     bounded1     blocked",
            "11  thread1          offer-take     rendezvous1  blocked",
        ],
    );
}

#[test]
fn a_writer_that_waits() {
    assert_text(
        &waiting_writer(),
        &[
            "1  main    read         rwlock1",
            "2  writer  store        atomic1",
            "3          block        rwlock1  5 writer keeps out 7 reader",
            "4  main    unlock-read  rwlock1",
            "5  writer  write        rwlock1",
            "6  writer  unlock       rwlock1",
            "7  reader  read         rwlock1",
        ],
    );
}

/// Events that look at something and pick what they saw.
#[test]
fn looks() {
    let mut build = Build::default();
    let main = build.process("main", Kind::Thread);
    let worker = build.named("main/thread1", Kind::Thread, "worker");
    let end = build.process("main/thread1/end", Kind::End);
    let flag = build.process("main/atomic1", Kind::Atomic);
    let once = build.process("main/once1", Kind::Once);
    let timer = build.process("main/timer1", Kind::Timer);
    let [parker, of_worker] =
        ["main/parker1", "main/thread1/parker1"].map(|id| build.process(id, Kind::Parker));
    let fire = build.event(timer, Op::Fire, Some(timer), Pick::None);
    for (op, object) in [(Op::Load, flag), (Op::Load, once), (Op::Receive, end), (Op::Receive, timer)] {
        build.event(main, op, Some(object), Pick::Nothing);
    }
    let [_, write] = build.calls(worker, Op::Update, flag);
    build.calls(worker, Op::Begin, once);
    let [complete, completed] = build.calls(worker, Op::Complete, once);
    build.calls(worker, Op::Unpark, parker);
    build.calls(worker, Op::ParkTimeout, of_worker);
    let disconnect = build.event(end, Op::Disconnect, Some(end), Pick::None);
    build.after(disconnect, &[EventRef { index: 4, ..complete }]);
    for (op, object, seen) in [
        (Op::Load, flag, write),
        (Op::Load, once, completed),
        (Op::Receive, end, disconnect),
        (Op::Receive, timer, fire),
    ] {
        build.takes(main, op, object, &[seen]);
    }
    build.calls(main, Op::Park, parker);
    assert_text(
        &build.finish(),
        &[
            " 1  main    load          atomic1         initial value",
            " 2  main    load          once1           not done",
            " 3  main    receive       worker/end      not ended",
            " 4  main    receive       timer1          nothing there",
            " 5  worker  update        atomic1",
            " 6  main    load          atomic1         from 5 worker",
            " 7  worker  begin         once1",
            " 8  worker  complete      once1",
            " 9  main    load          once1           done by 8 worker",
            "10  worker  unpark        main/parker1",
            "11  worker  park-timeout  worker/parker1",
            "12          disconnect    worker/end      after 11",
            "13  main    receive       worker/end      ended at 12",
            "14          fire          timer1",
            "15  main    receive       timer1          from 14",
            "16  main    park          main/parker1",
        ],
    );
}

/// All handles of the receiving side are dropped, after which a barrier lets three go on, from one place or several.
#[test]
fn hang_up_and_barrier() {
    let mut build = Build::default();
    let threads = build.threads(["main", "main/thread1", "main/thread2"]);
    let [bounded, host] = ["main/bounded2", "main/bounded1"].map(|id| build.process(id, Kind::Bounded));
    let gone = build.process("main/bounded2/hang-up", Kind::Bounded);
    let barrier = build.process("main/barrier1", Kind::Barrier);
    let drops = threads.map(|thread| build.does(thread, Op::DropReceiver, bounded));
    let hang_up = build.event(gone, Op::HangUp, Some(gone), Pick::None);
    build.after(hang_up, &drops);
    build.event(host, Op::HangUp, Some(bounded), Pick::Partners(vec![hang_up]));
    let arrivals = threads.map(|thread| build.does(thread, Op::Arrive, barrier));
    for (arrival, line) in arrivals.into_iter().zip([3, 9, 9]) {
        build.at(arrival, "src/a.rs", line, 5);
    }
    build.completes(barrier, Op::Arrive, &arrivals);
    assert_text(
        &build.finish(),
        &[
            "1  main                      drop-receiver  bounded2",
            "2  thread1                   drop-receiver  bounded2",
            "3  thread2                   drop-receiver  bounded2",
            "4  main, thread1 and 1 more  arrive         barrier1                         src/a.rs:3:5, 9:5",
            "5                            hang-up        bounded2/hang-up  after 1, 2, 3",
            "6                            hang-up        bounded2          from 5",
        ],
    );
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

    #[test]
    fn lines_fit_into_narrow_terminals(sequence in sequences(), width in 20..120_usize) {
        for line in text::render_within(&sequence, width).unwrap().lines() {
            prop_assert!(line.chars().count() <= width, "{}", line);
        }
    }
}
