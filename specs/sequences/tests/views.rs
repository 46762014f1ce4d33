//! The views against the examples of the textbook, and their conversions over random executions.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::build::{Build, listing_7_1, select, waiting_writer};
use common::sequences;
use insyn_sequences::timestamps::{ObjectCentric, ThreadCentric};
use insyn_sequences::views::{ObjectView, Place, ThreadView, TotalView, ViewErrorKind};
use insyn_sequences::{EventRef, Kind, Op, Order, Pick, Sequence, text};
use proptest::prelude::*;

/// Example 1, complete events in a total order; and example 2, simple ones. The canonical order is not the book's,
/// which has the two events on C1 first; both are orders of one execution.
#[test]
fn examples_1_and_2() {
    let canonical = TotalView::of(&listing_7_1()).unwrap();
    let mut book = canonical.clone();
    book.events.swap(1, 2);
    assert_eq!(
        book.to_string(),
        "(Thread1, Thread2, C1, take)\n\
         (Thread4, Thread3, C1, take)\n\
         (Thread1, Thread2, C2, take)\n\
         (Thread4, Thread3, C2, take)\n"
    );
    assert_eq!(
        book.simple().to_string(),
        "(Thread1, Thread2)\n(Thread4, Thread3)\n(Thread1, Thread2)\n(Thread4, Thread3)\n"
    );
    assert_eq!(book.to_threads().unwrap(), canonical.to_threads().unwrap());
    assert_eq!(book.to_objects().unwrap().to_total().unwrap(), canonical);
}

/// Example 3, object-based and thread-based. (The book's last two lines confuse the mailboxes and the numbers: the
/// second event on each of C1 and C2 is that of Thread3 and Thread4.)
#[test]
fn example_3() {
    let total = TotalView::of(&listing_7_1()).unwrap();
    let objects = total.to_objects().unwrap();
    assert_eq!(
        objects.to_string(),
        "C1: (Thread1, Thread2, 1, 1, take), (Thread4, Thread3, 1, 1, take)\n\
         C2: (Thread1, Thread2, 2, 2, take), (Thread4, Thread3, 2, 2, take)\n"
    );
    let threads = objects.to_threads().unwrap();
    assert_eq!(
        threads.to_string(),
        "Thread1: (C1, 1, take), (C2, 1, take)\n\
         Thread2: (C1, 1, take), (C2, 1, take)\n\
         Thread3: (C1, 2, take), (C2, 2, take)\n\
         Thread4: (C1, 2, take), (C2, 2, take)\n"
    );
    assert_eq!(
        objects.simple().to_string(),
        "C1: (Thread1, Thread2), (Thread4, Thread3)\nC2: (Thread1, Thread2), (Thread4, Thread3)\n"
    );
    assert_eq!(
        threads.simple().to_string(),
        "Thread1: (1), (1)\nThread2: (1), (1)\nThread3: (2), (2)\nThread4: (2), (2)\n"
    );
}

/// Messages, a disconnect and a join: events that no object orders, that no thread does, that are on no object.
fn messages() -> Sequence {
    let mut build = Build::default();
    let [main, worker] = build.threads(["main", "main/thread1"]);
    let channel = build.process("main/channel1", Kind::Channel);
    let send = build.event(worker, Op::Send, Some(channel), Pick::Nothing);
    let drop = build.does(worker, Op::DropSender, channel);
    let disconnect = build.event(channel, Op::Disconnect, Some(channel), Pick::None);
    build.after(disconnect, &[drop]);
    build.event(main, Op::Receive, Some(channel), Pick::Nothing);
    build.takes(main, Op::Receive, channel, &[send]);
    build.takes(main, Op::Receive, channel, &[disconnect]);
    let join = build.event(main, Op::Join, None, Pick::None);
    build.after(join, &[drop]);
    build.finish()
}

#[test]
fn every_event_fits_every_view() {
    let total = TotalView::of(&messages()).unwrap();
    assert_eq!(
        total.to_string(),
        "(main, channel1, receive, nothing)\n\
         (thread1, channel1, send)\n\
         (main, channel1, receive, from 2)\n\
         (thread1, channel1, drop-sender)\n\
         (channel1, channel1, disconnect, after 4)\n\
         (main, channel1, receive, from 5)\n\
         (main, main, join, after 4)\n"
    );
    assert_eq!(
        total.to_threads().unwrap().to_string(),
        "main: (channel1, 1, receive, nothing), (channel1, 3, receive, from thread1:1), \
         (channel1, 6, receive, from channel1:1), (main, 1, join, after thread1:2)\n\
         channel1: (channel1, 5, disconnect, after thread1:2)\n\
         thread1: (channel1, 2, send), (channel1, 4, drop-sender)\n"
    );
    assert_eq!(
        total.to_objects().unwrap().to_string(),
        "main: (main, 4, join, after channel1:4)\n\
         channel1: (main, 1, receive, nothing), (thread1, 1, send), (main, 2, receive, from channel1:2), \
         (thread1, 2, drop-sender), (channel1, 1, disconnect, after channel1:4), \
         (main, 3, receive, from channel1:5)\n"
    );
}

#[test]
fn a_call_that_does_not_complete_is_blocked() {
    let mut build = Build::default();
    let [main, other] = build.threads(["main", "main/thread1"]);
    let mutex = build.process("main/mutex1", Kind::Mutex);
    build.calls(main, Op::Lock, mutex);
    build.does(other, Op::Lock, mutex);
    let total = TotalView::of(&build.finish()).unwrap();
    assert_eq!(total.to_string(), "(main, mutex1, lock)\n(thread1, mutex1, lock, blocked)\n");
}

/// A notify picks a completion and not a call; picking or following a call that was completed elsewhere means its
/// completion, so that making one event of both never closes a circle.
#[test]
fn a_woken_waiter_is_a_partner() {
    let mut build = Build::default();
    let [main, other] = build.threads(["main", "main/thread1"]);
    let condvar = build.process("main/condvar1", Kind::Condvar);
    let [_, wait] = build.calls(other, Op::Wait, condvar);
    let notify = build.does(main, Op::NotifyOne, condvar);
    build.completes(condvar, Op::NotifyOne, &[notify, wait]);
    let total = TotalView::of(&build.finish()).unwrap();
    assert_eq!(total.to_string(), "(thread1, condvar1, wait)\n(main, condvar1, notify-one, from 1)\n");
}

/// A completion that leaves calls waiting is an event of its object. It comes before the events of those calls, and after
/// what their threads did before.
#[test]
fn calls_are_left_waiting() {
    let total = TotalView::of(&waiting_writer()).unwrap();
    assert_eq!(
        total.to_string(),
        "(main, rwlock1, read)\n\
         (writer, atomic1, store)\n\
         (rwlock1, rwlock1, block, waiting 5 and 7, after 2)\n\
         (main, rwlock1, unlock-read)\n\
         (writer, rwlock1, write)\n\
         (writer, rwlock1, unlock)\n\
         (reader, rwlock1, read)\n"
    );
    assert_eq!(
        total.to_threads().unwrap().to_string(),
        "main: (rwlock1, 1, read), (rwlock1, 3, unlock-read)\n\
         rwlock1: (rwlock1, 2, block, waiting writer:2 and reader:1, after writer:1)\n\
         writer: (atomic1, 1, store), (rwlock1, 4, write), (rwlock1, 5, unlock)\n\
         reader: (rwlock1, 6, read)\n"
    );
    assert_eq!(
        total.to_objects().unwrap().simple().to_string(),
        "atomic1: (writer)\n\
         rwlock1: (main), (rwlock1, waiting rwlock1:4 and rwlock1:6), (main), (writer), (writer), (reader)\n"
    );
}

/// The offer that was taken comes last; the others are withdrawn, or the thread is blocked in all of them. What happens on
/// a shared timeline is listed there.
#[test]
fn selects() {
    let total = TotalView::of(&select()).unwrap();
    assert_eq!(
        total.to_string(),
        "(main, main, select)\n\
         (main, bounded1, offer-take, withdrawn)\n\
         (main, bounded2, offer-put, withdrawn)\n\
         (thread1, thread1, select)\n\
         (thread1, rendezvous1, offer-timeout, withdrawn)\n\
         (thread1, bounded1, ready-put, about rendezvous1, waiting 7, after 3)\n\
         (thread1, main, bounded1, offer-take, about rendezvous1)\n\
         (main, bounded1, put, about bounded2)\n\
         (thread1, thread1, select)\n\
         (thread1, bounded1, offer-take, blocked)\n\
         (thread1, rendezvous1, offer-take, blocked)\n"
    );
    assert_eq!(
        total.to_threads().unwrap().to_string(),
        "main: (main, 1, select), (bounded1, 1, offer-take, withdrawn), (bounded2, 1, offer-put, withdrawn), \
         (bounded1, 3, offer-take, about rendezvous1), (bounded1, 4, put, about bounded2)\n\
         thread1: (thread1, 1, select), (rendezvous1, 1, offer-timeout, withdrawn), \
         (bounded1, 2, ready-put, about rendezvous1, waiting thread1:4, after main:3), \
         (bounded1, 3, offer-take, about rendezvous1), (thread1, 2, select), \
         (bounded1, 5, offer-take, blocked), (rendezvous1, 2, offer-take, blocked)\n"
    );
    let mut stranger = total.clone();
    stranger.events[7].additional.about = Some(99);
    assert!(matches!(stranger.to_objects().unwrap_err().kind, ViewErrorKind::NoSuchProcess { process: 99 }));
    let mut beyond = total;
    beyond.events[5].additional.waiting = vec![99];
    assert!(matches!(beyond.to_threads().unwrap_err().kind, ViewErrorKind::NoSuchEvent { number: 100, .. }));
}

/// What comes after an offer comes after its select: a thread is past all offers when one is taken.
#[test]
fn after_a_select() {
    let mut build = Build::default();
    let [main, child] = build.threads(["main", "main/thread1"]);
    let [one, two] = ["main/bounded1", "main/bounded2"].map(|id| build.process(id, Kind::Bounded));
    build.event(main, Op::Select, None, Pick::None);
    let taken = build.does(main, Op::OfferPut, one);
    let last = build.does(main, Op::OfferPut, two);
    build.completes(one, Op::OfferPut, &[taken]);
    let first = build.does(child, Op::DropSender, two);
    build.after(first, &[last]);
    let sequence = build.finish();
    let total = TotalView::of(&sequence).unwrap();
    assert_eq!(
        total.to_string(),
        "(main, main, select)\n\
         (main, bounded2, offer-put, withdrawn)\n\
         (main, bounded1, offer-put)\n\
         (thread1, bounded2, drop-sender, after 3)\n"
    );
    assert_eq!(total.immediate().unwrap(), [(0, 1), (1, 2), (2, 3)]);
}

/// A timed wait that was notified has withdrawn its call to be woken by the clock.
#[test]
fn a_timed_wait() {
    let mut build = Build::default();
    let [main, other] = build.threads(["main", "main/thread1"]);
    let condvar = build.process("main/condvar1", Kind::Condvar);
    let mutex = build.process("main/mutex1", Kind::Mutex);
    let [_, wait] = build.calls(main, Op::Wait, condvar);
    build.calls(main, Op::Unlock, mutex);
    build.does(main, Op::Expire, condvar);
    let notify = build.does(other, Op::NotifyOne, condvar);
    let notify = build.completes(condvar, Op::NotifyOne, &[notify, wait]);
    let lock = build.does(main, Op::Lock, mutex);
    build.after(lock, &[notify]);
    build.completes(mutex, Op::Lock, &[lock]);
    build.calls(other, Op::Wait, condvar);
    build.does(other, Op::Expire, condvar);
    assert_eq!(
        TotalView::of(&build.finish()).unwrap().to_string(),
        "(main, condvar1, wait)\n\
         (main, mutex1, unlock)\n\
         (main, condvar1, expire, withdrawn)\n\
         (thread1, condvar1, notify-one, from 1)\n\
         (main, mutex1, lock, after 4)\n\
         (thread1, condvar1, wait)\n\
         (thread1, condvar1, expire, blocked)\n"
    );
}

#[test]
fn an_odd_reference_to_a_call_does_no_harm() {
    let mut build = Build::default();
    let [main, other] = build.threads(["main", "main/thread1"]);
    let mutex = build.process("main/mutex1", Kind::Mutex);
    let [call, completion] = build.calls(main, Op::Lock, mutex);
    build.after(completion, &[call]);
    build.takes(other, Op::Receive, mutex, &[call]);
    let sequence = build.finish();
    assert_eq!(
        TotalView::of(&sequence).unwrap().to_string(),
        "(main, mutex1, lock)\n(thread1, mutex1, receive, from 1)\n"
    );
}

#[test]
fn inconsistent_views_are_rejected() {
    let total = TotalView::of(&listing_7_1()).unwrap();
    let threads = total.to_threads().unwrap();
    let objects = total.to_objects().unwrap();

    let mut gap = threads.clone();
    gap.lists.iter_mut().flatten().filter(|it| it.object.number == 2).for_each(|it| it.object.number = 3);
    let error = gap.to_objects().unwrap_err();
    assert_eq!(
        error.to_string(),
        "inconsistent view: the order numbers on main/rendezvous1 are not 1, 2, 3, …: 2 is missing, \
         or two events have it"
    );

    let mut roles = threads.clone();
    roles.lists.iter_mut().flatten().for_each(|it| it.role = 0);
    assert!(matches!(roles.to_total().unwrap_err().kind, ViewErrorKind::Disagree { number: 1, .. }));

    let mut twice = objects.clone();
    twice.lists.iter_mut().flatten().for_each(|it| it.threads[0].number = 1);
    assert!(matches!(twice.to_threads().unwrap_err().kind, ViewErrorKind::Numbering { number: 1, .. }));

    let mut nobody = objects.clone();
    nobody.lists.iter_mut().flatten().for_each(|it| it.threads.clear());
    assert!(matches!(nobody.to_total().unwrap_err().kind, ViewErrorKind::NoThread { number: 1, .. }));

    let mut circle = objects.clone();
    let (c1, c2) = (0, 1);
    assert!(circle.lists[c1].len() == 2 && circle.lists[c2].len() == 2);
    circle.lists[c1][0].additional.after.push(Place { process: c2, number: 1 });
    assert!(matches!(circle.to_total().unwrap_err().kind, ViewErrorKind::Cycle { .. }));

    let mut beyond = objects;
    beyond.lists[c1][0].additional.partners.push(Place { process: c2, number: 0 });
    assert!(matches!(beyond.to_threads().unwrap_err().kind, ViewErrorKind::NoSuchEvent { number: 0, .. }));

    let mut early = total.clone();
    early.events[0].additional.partners.push(3);
    assert!(matches!(early.to_threads().unwrap_err().kind, ViewErrorKind::Cycle { .. }));

    let mut stranger = total;
    stranger.events[0].object = 99;
    assert!(matches!(stranger.to_objects().unwrap_err().kind, ViewErrorKind::NoSuchProcess { process: 99 }));
    assert!(stranger.to_string().starts_with("(Thread1, Thread2, ?, take)"));
}

/// The transitive closure of direct pairs.
fn closure<A: Ord + Copy>(pairs: &[(A, A)], all: impl Iterator<Item = A>) -> BTreeSet<(A, A)> {
    let mut later: BTreeMap<A, Vec<A>> = BTreeMap::new();
    for &(a, b) in pairs {
        later.entry(a).or_default().push(b);
    }
    let mut closure = BTreeSet::new();
    for a in all {
        let mut open = vec![a];
        while let Some(at) = open.pop() {
            for &b in later.get(&at).into_iter().flatten() {
                if closure.insert((a, b)) {
                    open.push(b);
                }
            }
        }
    }
    closure
}

/// For each SYN-event the event of the sequence that stands for it: the `n`-th event that its thread got past, or what
/// completed it; or the `n`-th that its object did without a thread.
fn in_sequence(order: &Order<'_>, first_thread: Place) -> EventRef {
    let Place { process, number } = first_thread;
    let mut events = order.completion_order(process);
    if !order.sequence().is_thread(process) {
        events.retain(|&at| order.completed(at).next().is_none());
    }
    let at = events[number - 1];
    order.completion(at).unwrap_or(at)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn conversions_round_trip(sequence in sequences()) {
        let total = TotalView::of(&sequence).unwrap();
        let threads: ThreadView = total.to_threads().unwrap();
        let objects: ObjectView = total.to_objects().unwrap();
        prop_assert_eq!(&threads.to_objects().unwrap(), &objects);
        prop_assert_eq!(&objects.to_threads().unwrap(), &threads);
        // Where real objects order events on different objects, only the list made from the sequence has that order.
        let again = threads.to_total().unwrap();
        prop_assert_eq!(&objects.to_total().unwrap(), &again);
        prop_assert_eq!(&again.to_threads().unwrap(), &threads);
        prop_assert_eq!(&again.to_objects().unwrap(), &objects);
    }

    /// References that no execution has: the sequence is refused, or every form of it can be had.
    #[test]
    fn odd_references_do_no_harm(
        mut sequence in sequences(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..3u8), 1..4),
    ) {
        let events: Vec<EventRef> = sequence.events().collect();
        for (at, other, what) in damage {
            if events.is_empty() {
                break;
            }
            let (at, other) = (at.get(&events), *other.get(&events));
            let event = &mut sequence.processes[at.process].events[at.index];
            match what {
                0 => event.after.push(other),
                1 => event.pick = Pick::Partners(vec![other]),
                _ => event.object = Some(other.process),
            }
        }
        if let Ok(order) = Order::of(&sequence) {
            let total = TotalView::of_order(&order);
            let again = total.to_threads().unwrap().to_objects().unwrap().to_total().unwrap();
            prop_assert_eq!(again.to_threads().unwrap(), total.to_threads().unwrap());
            text::render_order(&order);
            ThreadCentric::of(&order);
            let _ = ObjectCentric::of(&order);
        }
    }

    #[test]
    fn all_views_have_the_same_happens_before(sequence in sequences()) {
        let order = Order::of(&sequence).unwrap();
        let total = TotalView::of_order(&order);
        let threads = total.to_threads().unwrap();
        let objects = total.to_objects().unwrap();

        // What each view's own addresses mean in the sequence.
        let mut done = vec![0; total.parties.len()];
        let mut on = vec![0; total.parties.len()];
        let mut of_total = Vec::new();
        let mut of_object = BTreeMap::new();
        for event in &total.events {
            event.threads.iter().for_each(|&it| done[it] += 1);
            on[event.object] += 1;
            let first = Place { process: event.threads[0], number: done[event.threads[0]] };
            of_total.push(in_sequence(&order, first));
            of_object.insert(Place { process: event.object, number: on[event.object] }, in_sequence(&order, first));
        }
        let mut expected = BTreeSet::new();
        for &a in &of_total {
            expected.extend(of_total.iter().filter(|&&b| order.happens_before(a, b)).map(|&b| (a, b)));
        }

        let by_total = closure(&total.immediate().unwrap(), 0..total.events.len());
        let by_total: BTreeSet<_> = by_total.into_iter().map(|(a, b)| (of_total[a], of_total[b])).collect();
        prop_assert_eq!(&by_total, &expected);

        let places = threads.lists.iter().enumerate().flat_map(|(process, list)| {
            (1..=list.len()).map(move |number| Place { process, number })
        });
        let by_threads: BTreeSet<_> = closure(&threads.immediate().unwrap(), places)
            .into_iter()
            .map(|(a, b)| (in_sequence(&order, a), in_sequence(&order, b)))
            .collect();
        prop_assert_eq!(&by_threads, &expected);

        let by_objects: BTreeSet<_> = closure(&objects.immediate().unwrap(), of_object.keys().copied())
            .into_iter()
            .map(|(a, b)| (of_object[&a], of_object[&b]))
            .collect();
        prop_assert_eq!(&by_objects, &expected);
    }
}
