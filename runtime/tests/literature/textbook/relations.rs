//! Section 7.5.3: the eleven relations that can hold between a message `a` received as `b` and another send `c` to the
//! same thread (received as `d`, if it is), and which of them are races.

use std::collections::BTreeSet;

use insyn::sequences::{EventRef, Op, Order, Sequence};
use insyn::sync::Delivery;
use insyn::{Explorer, ReplayError};

use super::drawing::{Analysed, Diagram, Drawing, executions};
use super::messages;

/// Figure 7.23: the relations in their simplest form, by their numbers from 1. Each thread has one port, with its own name.
const RELATIONS: [&str; 11] = [
    "T1: a>T2             | T2: d<c b<a      | T3: c>T2",
    "T1: a>T2             | T2: b<a x>T3 d<c | T3: y<x c>T2",
    "T1: a>T2             | T2: b<a x>T3     | T3: y<x c>T2",
    "T1: a>T2 c>T2        | T2: b<a d<c",
    "T1: a>T2             | T2: b<a d<c      | T3: c>T2",
    "T1: c>T2 a>T2        | T2: b<a d<c",
    "T1: y<x a>T2         | T2: b<a d<c      | T3: c>T2 x>T1",
    "T1: a>T2 c>T2        | T2: b<a",
    "T1: a>T2             | T2: b<a          | T3: c>T2",
    "T1: c>T2 a>T2        | T2: b<a",
    "T1: y<x a>T2         | T2: b<a          | T3: c>T2 x>T1",
];

/// The relations in which `a` and `c` come from different threads and FIFO matters, where `c` is not the first message
/// (`e`, received as `f`) of its thread: with `e` received before `b`, and after it.
const AFTER_ANOTHER: [(u32, &str, &str); 4] = [
    (5, "T1: a>T2     | T2: f<e b<a d<c | T3: e>T2 c>T2", "T1: a>T2     | T2: b<a f<e d<c | T3: e>T2 c>T2"),
    (
        7,
        "T1: y<x a>T2 | T2: f<e b<a d<c | T3: e>T2 c>T2 x>T1",
        "T1: y<x a>T2 | T2: b<a f<e d<c | T3: e>T2 c>T2 x>T1",
    ),
    (9, "T1: a>T2     | T2: f<e b<a     | T3: e>T2 c>T2", "T1: a>T2     | T2: b<a f<e     | T3: e>T2 c>T2"),
    (
        11,
        "T1: y<x a>T2 | T2: f<e b<a     | T3: e>T2 c>T2 x>T1",
        "T1: y<x a>T2 | T2: b<a f<e     | T3: e>T2 c>T2 x>T1",
    ),
];

/// The drawing of a relation in its simplest form.
fn drawing(relation: u32) -> &'static str {
    RELATIONS[relation as usize - 1]
}

/// Which of the eleven relations holds, by the definitions in the text.
fn relation(diagram: &Diagram) -> u32 {
    let order = Order::of(&diagram.sequence).unwrap();
    let [a, b, c] = ["a", "b", "c"].map(|name| diagram.at(name));
    let received = diagram.names.get("d").copied();
    if let Some(d) = received {
        if order.happens_before(d, b) {
            return 1;
        }
        assert!(order.happens_before(b, d), "receives of one thread are in order");
    }
    let from_one_thread = a.process == c.process;
    let (simultaneous, earlier) = (order.concurrent(b, c), order.happens_before(c, b));
    match (received.is_some(), simultaneous, earlier) {
        (true, false, false) => 2,
        (false, false, false) => 3,
        (true, true, _) => 5 - u32::from(from_one_thread),
        (true, _, true) => 7 - u32::from(from_one_thread),
        (false, true, _) => 9 - u32::from(from_one_thread),
        (false, _, true) => 11 - u32::from(from_one_thread),
    }
}

/// Runs the drawing, checks that it shows the relation, and says whether `c` races with `<a, b>`.
#[track_caller]
fn races(number: u32, drawing: &str, delivery: Delivery) -> bool {
    let diagram = Diagram::of(drawing, messages::program(drawing, delivery));
    assert_eq!(relation(&diagram), number, "{drawing}");
    diagram.race_set("b").contains("c")
}

#[test]
fn no_race_if_c_was_received_before_b_or_sent_because_of_it() {
    for number in 1..=3 {
        for delivery in [Delivery::Bag, Delivery::Fifo, Delivery::Causal, Delivery::Mailbox] {
            assert!(!races(number, drawing(number), delivery), "relation {number} under {delivery:?}");
        }
    }
}

#[test]
fn in_a_bag_relations_4_to_11_are_races() {
    for number in 4..=11 {
        assert!(races(number, drawing(number), Delivery::Bag), "relation {number}");
    }
    for (number, e_first, e_later) in AFTER_ANOTHER {
        assert!(races(number, e_first, Delivery::Bag), "relation {number}, e received before b");
        assert!(races(number, e_later, Delivery::Bag), "relation {number}, e received after b");
    }
}

#[test]
fn under_fifo_messages_of_one_thread_do_not_race() {
    for number in [4, 8] {
        assert!(!races(number, drawing(number), Delivery::Fifo), "relation {number}");
    }
}

#[test]
fn under_fifo_a_later_message_of_the_same_thread_is_not_received_first() {
    for number in [6, 10] {
        let program = messages::program(drawing(number), Delivery::Fifo);
        let found = Diagram::find(&Drawing::new(drawing(number)), program);
        assert!(found.is_none(), "relation {number}");
    }
}

/// Nor can the program be made to do under FIFO what it does in a bag.
#[test]
fn what_only_a_bag_allows_cannot_be_replayed_under_fifo() {
    for number in [6, 10] {
        let in_a_bag = Diagram::of(drawing(number), messages::program(drawing(number), Delivery::Bag));
        let fifo = messages::program(drawing(number), Delivery::Fifo);
        let refused = Explorer::new().replay(&in_a_bag.sequence, fifo);
        assert!(matches!(refused, Err(ReplayError::Impossible { .. })), "relation {number}: {refused:?}");
    }
}

#[test]
fn under_fifo_c_races_once_the_earlier_messages_of_its_thread_are_received() {
    for (number, e_first, e_later) in AFTER_ANOTHER {
        assert!(races(number, drawing(number), Delivery::Fifo), "relation {number}, nothing before c");
        assert!(races(number, e_first, Delivery::Fifo), "relation {number}, e received before b");
        assert!(!races(number, e_later, Delivery::Fifo), "relation {number}, e received after b");
    }
}

/// In relations 7 and 11 `c` happens before `a`. Bag and FIFO let `a` overtake it all the same; causal delivery, and so
/// a queue in memory, does not.
#[test]
fn under_causal_delivery_an_effect_is_not_received_before_its_cause() {
    for delivery in [Delivery::Causal, Delivery::Mailbox] {
        for number in [6, 7, 10, 11] {
            let program = messages::program(drawing(number), delivery);
            let found = Diagram::find(&Drawing::new(drawing(number)), program);
            assert!(found.is_none(), "relation {number} under {delivery:?}");
        }
        for number in [5, 9] {
            assert!(races(number, drawing(number), delivery), "relation {number} under {delivery:?}");
        }
    }
}

/// Not only `b` in the execution drawn: every receive of every execution of all these programs.
#[test]
fn race_sets_are_those_of_definitions_6_3_and_6_4() {
    let more = AFTER_ANOTHER.iter().flat_map(|(_, e_first, e_later)| [e_first, e_later]);
    let mut members = 0;
    for drawing in RELATIONS.iter().chain(more) {
        for delivery in [Delivery::Bag, Delivery::Fifo] {
            for Analysed { sequence, races } in executions(messages::program(drawing, delivery)) {
                let order = Order::of(&sequence).unwrap();
                let of_table = |b: EventRef| -> BTreeSet<EventRef> {
                    let columns = races.columns.iter().filter(|column| column.event == b);
                    columns.flat_map(|column| column.race_set.iter().flatten().copied()).collect()
                };
                for b in sequence.events().filter(|&at| sequence.event(at).op == Op::Receive) {
                    let defined = by_definition(&sequence, &order, b, delivery == Delivery::Fifo);
                    assert_eq!(of_table(b), defined, "{drawing} under {delivery:?}");
                    members += defined.len();
                }
            }
        }
    }
    assert!(members > 100, "there was little to compare: {members}");
}

/// Definition 6.3; with `fifo`, definition 6.4.
fn by_definition(sequence: &Sequence, order: &Order<'_>, b: EventRef, fifo: bool) -> BTreeSet<EventRef> {
    let port = sequence.event(b).object;
    let received_as = |c: EventRef| sequence.events().find(|&r| sequence.event(r).pick.partners() == [c]);
    let sends = || {
        let to_port =
            |at: &EventRef| sequence.event(*at).op == Op::Send && sequence.event(*at).object == port;
        sequence.events().filter(to_port)
    };
    let before_it = |c: EventRef| sends().filter(move |u| u.process == c.process && u.index < c.index);
    sends()
        .filter(|&c| !order.happens_before(b, c))
        .filter(|&c| received_as(c).is_none_or(|d| order.happens_before(b, d)))
        .filter(|&c| {
            let in_time = |u| received_as(u).is_some_and(|r| order.happens_before(r, b));
            !fifo || before_it(c).all(in_time)
        })
        .collect()
}
