//! The order of small sequences, written down event by event.

use super::*;
use crate::sequence::{Event, Kind, Op, Pick, Process};

fn at(process: usize, index: usize) -> EventRef {
    EventRef { process, index }
}

fn event(op: Op, object: usize, partners: &[EventRef], after: &[EventRef]) -> Event {
    let pick = if partners.is_empty() { Pick::None } else { Pick::Partners(partners.to_vec()) };
    Event {
        op,
        object: Some(object),
        pick,
        after: after.to_vec(),
        empty: vec![],
        label: None,
        location: None,
    }
}

fn process(id: &str, kind: Kind, events: Vec<Event>) -> Process {
    Process { id: id.into(), kind, name: None, events }
}

/// `main` locks and unlocks a mutex, then `main/thread1`, spawned after the lock, does the same.
fn two_locks() -> Sequence {
    let spawned = [at(0, 0)];
    Sequence {
        processes: vec![
            process("main", Kind::Thread, vec![event(Op::Lock, 1, &[], &[]), event(Op::Unlock, 1, &[], &[])]),
            process(
                "main/mutex1",
                Kind::Mutex,
                vec![
                    event(Op::Lock, 1, &[at(0, 0)], &[]),
                    event(Op::Unlock, 1, &[at(0, 1)], &[]),
                    event(Op::Lock, 1, &[at(2, 0)], &[]),
                ],
            ),
            process("main/thread1", Kind::Thread, vec![event(Op::Lock, 1, &[], &spawned)]),
        ],
    }
}

#[test]
fn a_thread_goes_on_after_the_completion_of_its_call() {
    let sequence = two_locks();
    let order = Order::of(&sequence).unwrap();
    assert_eq!(order.completion(at(0, 1)), Some(at(1, 1)));
    assert_eq!(order.predecessors(at(0, 1)), [at(0, 0), at(1, 0)]);
    assert!(order.happens_before(at(1, 0), at(0, 1)));
    assert!(order.happens_before(at(0, 1), at(1, 2)));
    assert!(order.concurrent(at(0, 1), at(2, 0)));
    assert!(!order.happens_before(at(1, 0), at(1, 0)));
}

#[test]
fn after_a_call_is_after_its_completion() {
    let sequence = two_locks();
    let order = Order::of(&sequence).unwrap();
    assert_eq!(order.predecessors(at(2, 0)), [at(0, 0), at(1, 0)]);
    assert!(order.happens_before(at(1, 0), at(2, 0)));
}

#[test]
fn the_line_takes_the_smallest_available_event() {
    let sequence = two_locks();
    let order = Order::of(&sequence).unwrap();
    assert_eq!(order.line(), [at(0, 0), at(1, 0), at(0, 1), at(1, 1), at(2, 0), at(1, 2)]);
}

#[test]
fn events_that_wait_for_each_other_are_named() {
    let mut sequence = two_locks();
    sequence.processes[0].events[0].after.push(at(1, 1));
    let error = Order::of(&sequence).unwrap_err();
    assert_eq!(
        error.to_string(),
        "malformed sequence: each of these events must come before the next and the last before the first: \
         main#1, main/mutex1#1, main#0"
    );
}

#[test]
fn a_call_completes_once() {
    let mut sequence = two_locks();
    sequence.processes[1].events[2].pick = Pick::Partners(vec![at(0, 1)]);
    let error = Order::of(&sequence).unwrap_err();
    assert_eq!(
        error.to_string(),
        "malformed sequence: main/mutex1#1 and main/mutex1#2 both complete the call main#1; \
         a call completes once"
    );
}

/// `main` selects between two channels that share a timeline and then joins; `main/thread1` asks whether it could
/// put before that, and then puts.
fn a_select() -> Sequence {
    let mut join = event(Op::Join, 1, &[], &[]);
    join.object = None;
    let mut select = join.clone();
    select.op = Op::Select;
    Sequence {
        processes: vec![
            process(
                "main",
                Kind::Thread,
                vec![
                    select,
                    event(Op::OfferTake, 1, &[], &[]),
                    event(Op::OfferTake, 2, &[], &[]),
                    event(Op::OfferPut, 2, &[], &[]),
                    join,
                ],
            ),
            process(
                "main/rendezvous1",
                Kind::Rendezvous,
                vec![
                    event(Op::ReadyPut, 1, &[at(3, 0), at(0, 1)], &[]),
                    event(Op::OfferTake, 2, &[at(3, 1), at(0, 2)], &[]),
                ],
            ),
            process("main/rendezvous2", Kind::Rendezvous, vec![]),
            process(
                "main/thread1",
                Kind::Thread,
                vec![event(Op::ReadyPut, 1, &[], &[]), event(Op::Put, 2, &[], &[])],
            ),
        ],
    }
}

#[test]
fn offers_are_made_together_and_passed_together() {
    let sequence = a_select();
    let order = Order::of(&sequence).unwrap();
    assert_eq!(order.completed(at(1, 1)).collect::<Vec<_>>(), [at(3, 1), at(0, 2)]);
    assert_eq!(order.completion(at(0, 2)), Some(at(1, 1)));
    assert_eq!(order.completion(at(0, 1)), None);
    // What takes an offer comes after all of them; no offer comes after it, but what the thread does next.
    assert_eq!(order.predecessors(at(1, 1)), [at(0, 2), at(0, 3), at(1, 0), at(3, 1)]);
    assert_eq!(order.predecessors(at(0, 3)), [at(0, 2)]);
    assert_eq!(order.predecessors(at(0, 4)), [at(0, 3), at(1, 1)]);
    assert_eq!(order.completion_order(0), [0, 1, 3, 2, 4].map(|index| at(0, index)));
    assert!(!order.is_open(at(0, 1)));
}

#[test]
fn a_call_left_waiting_is_not_completed() {
    let mut sequence = a_select();
    let order = Order::of(&sequence).unwrap();
    assert_eq!(order.completed(at(1, 0)).collect::<Vec<_>>(), [at(3, 0)]);
    assert_eq!(order.left_waiting(at(1, 0)).collect::<Vec<_>>(), [at(0, 1)]);
    assert!(order.happens_before(at(0, 3), at(1, 0)));
    assert!(!order.happens_before(at(1, 0), at(0, 3)));

    sequence.processes[1].events[0].op = Op::Block;
    let order = Order::of(&sequence).unwrap();
    assert_eq!(order.completed(at(1, 0)).count(), 0);
    assert_eq!(order.left_waiting(at(1, 0)).collect::<Vec<_>>(), [at(3, 0), at(0, 1)]);
}

#[test]
fn a_thread_is_blocked_in_all_offers_of_its_last_select() {
    let mut sequence = a_select();
    sequence.processes[1].events.pop();
    let order = Order::of(&sequence).unwrap();
    assert!((1..4).all(|index| !order.is_open(at(0, index))));
    sequence.processes[0].events.pop();
    let order = Order::of(&sequence).unwrap();
    assert!((1..4).all(|index| order.is_open(at(0, index))));
}

#[test]
fn one_offer_is_taken() {
    let mut sequence = a_select();
    sequence.processes[1].events.push(event(Op::OfferPut, 2, &[at(0, 3)], &[]));
    let error = Order::of(&sequence).unwrap_err();
    assert_eq!(
        error.to_string(),
        "malformed sequence: main#2 and main#3 are offers of one select and both are completed; \
         of its offers one is taken"
    );
}

#[test]
fn an_empty_sequence_has_an_order() {
    let sequence = Sequence::default();
    assert!(Order::of(&sequence).unwrap().line().is_empty());
}
