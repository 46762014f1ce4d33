//! Happens-before and timestamps over random executions: every way of deciding it agrees.

mod common;

use std::collections::BTreeSet;

use common::sequences;
use insyn_sequences::timestamps::{ObjectCentric, ThreadCentric};
use insyn_sequences::{EventRef, Kind, Op, Order, Sequence};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

/// Happens-before by walking back from `b`.
fn reaches(order: &Order<'_>, a: EventRef, b: EventRef) -> bool {
    let mut open = order.predecessors(b).to_vec();
    let mut seen = open.clone();
    while let Some(at) = open.pop() {
        if at == a {
            return true;
        }
        for &earlier in order.predecessors(at) {
            if !seen.contains(&earlier) {
                seen.push(earlier);
                open.push(earlier);
            }
        }
    }
    false
}

fn pairs(sequence: &Sequence) -> impl Iterator<Item = (EventRef, EventRef)> + '_ {
    sequence.events().flat_map(|a| sequence.events().map(move |b| (a, b)))
}

/// The random executions are worth testing with: everything that the tests here are about comes up in them.
#[test]
fn random_executions_have_variety() {
    let mut seen = BTreeSet::new();
    let mut runner = TestRunner::deterministic();
    for _ in 0..1000 {
        let sequence = sequences().new_tree(&mut runner).unwrap().current();
        let order = Order::of(&sequence).unwrap();
        for at in sequence.events() {
            let event = sequence.event(at);
            let partners: Vec<Op> = event.pick.partners().iter().map(|&it| sequence.event(it).op).collect();
            seen.insert((event.op, partners, order.completion(at).is_some()));
        }
    }
    for expected in [
        (Op::Receive, vec![Op::Send], false),
        (Op::Receive, vec![Op::Disconnect], false),
        (Op::Receive, vec![], false),
        (Op::Send, vec![Op::DropReceiver], false),
        (Op::Lock, vec![], true),
        (Op::Lock, vec![], false),
        (Op::Take, vec![Op::Put, Op::Take], false),
        (Op::TryTake, vec![Op::Put, Op::TryTake], false),
        (Op::TryTake, vec![Op::TryTake], false),
        (Op::NotifyOne, vec![Op::NotifyOne, Op::Wait], false),
        (Op::NotifyAll, vec![Op::NotifyAll], false),
        (Op::Accept, vec![Op::Call], false),
        (Op::Return, vec![], false),
        (Op::Join, vec![], false),
        (Op::Load, vec![Op::Store], false),
        (Op::Load, vec![Op::Update], false),
        (Op::Load, vec![], false),
        (Op::Load, vec![Op::Complete], false),
        (Op::Block, vec![Op::Write, Op::Read], false),
        (Op::Write, vec![], true),
        (Op::Expire, vec![Op::Expire], false),
        (Op::Expire, vec![], false),
        (Op::Select, vec![], false),
        (Op::OfferPut, vec![], true),
        (Op::OfferPut, vec![], false),
        (Op::OfferTake, vec![Op::OfferTake], false),
        (Op::OfferTake, vec![Op::OfferPut, Op::OfferTake], false),
        (Op::Take, vec![Op::OfferPut, Op::Take], false),
        (Op::OfferDefault, vec![Op::OfferDefault], false),
        (Op::ReadyPut, vec![Op::ReadyPut], false),
        (Op::ReadyPut, vec![Op::ReadyPut, Op::OfferTake], false),
        (Op::ReadyTake, vec![Op::ReadyTake, Op::Put], false),
        (Op::HangUp, vec![Op::HangUp], false),
        (Op::Arrive, vec![Op::Arrive, Op::Arrive], false),
        (Op::Await, vec![Op::Await], false),
        (Op::Park, vec![Op::Park], false),
        (Op::ParkTimeout, vec![Op::ParkTimeout], false),
        (Op::Clone, vec![Op::Clone], false),
        (Op::Receive, vec![Op::Fire], false),
    ] {
        assert!(seen.contains(&expected), "{expected:?} never came up");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn the_line_is_a_linear_extension(sequence in sequences()) {
        let order = Order::of(&sequence).unwrap();
        prop_assert_eq!(order.line().len(), sequence.events().count());
        for (i, &b) in order.line().iter().enumerate() {
            for &a in order.predecessors(b) {
                prop_assert!(order.line()[..i].contains(&a));
            }
        }
    }

    #[test]
    fn clocks_decide_reachability(sequence in sequences()) {
        let order = Order::of(&sequence).unwrap();
        for (a, b) in pairs(&sequence) {
            prop_assert_eq!(order.happens_before(a, b), reaches(&order, a, b), "{:?} {:?}", a, b);
        }
    }

    #[test]
    fn the_line_does_not_depend_on_how_events_were_collected(sequence in sequences()) {
        let mut shuffled = sequence.processes.clone();
        let count = shuffled.len();
        shuffled.reverse();
        for event in shuffled.iter_mut().flat_map(|process| &mut process.events) {
            event.object = event.object.map(|object| count - 1 - object);
            if let insyn_sequences::Pick::Partners(partners) = &mut event.pick {
                partners.iter_mut().for_each(|it| it.process = count - 1 - it.process);
            }
            event.after.iter_mut().for_each(|it| it.process = count - 1 - it.process);
        }
        prop_assert_eq!(Sequence::from_processes(shuffled).unwrap(), sequence);
    }

    /// Proposition 6.1: any two events that threads executed, but for what ends a call that was left waiting.
    #[test]
    fn thread_centric_timestamps_decide_happens_before(sequence in sequences()) {
        let order = Order::of(&sequence).unwrap();
        let stamps = ThreadCentric::of(&order);
        let left: BTreeSet<EventRef> = sequence.events().flat_map(|at| order.left_waiting(at)).collect();
        // A select is left waiting if one of its offers is.
        let is_left = |call: EventRef| {
            let offers = |at: &EventRef| sequence.event(*at).op.is_offer();
            let before = (0..=call.index).rev().map(|index| EventRef { index, ..call });
            let events = sequence.processes[call.process].events.len();
            let after = (call.index..events).map(|index| EventRef { index, ..call });
            left.contains(&call) || before.take_while(offers).chain(after.take_while(offers)).any(|at| left.contains(&at))
        };
        for (a, b) in pairs(&sequence) {
            let by_no_thread = [a, b].iter().any(|&at| {
                !sequence.is_thread(at.process) && order.completed(at).next().is_none()
            });
            match stamps.happens_before(a, b) {
                Some(answer) => prop_assert_eq!(answer, order.happens_before(a, b), "{:?} {:?}", a, b),
                None => prop_assert!(by_no_thread || order.completed(a).all(is_left)),
            }
        }
    }

    /// Propositions 6.2 and 6.3: a receiving event and any other one.
    #[test]
    fn object_centric_timestamps_decide_happens_before(sequence in sequences()) {
        let order = Order::of(&sequence).unwrap();
        let stamps = ObjectCentric::of(&order).unwrap();
        for (a, b) in pairs(&sequence) {
            let is_receive = matches!(sequence.event(a).op, Op::Receive | Op::Accept);
            let is_sending = sequence.is_thread(a.process) && order.completion(a).is_none() && !is_receive
                || sequence.event(a).pick.partners().is_empty()
                || sequence.event(a).object.is_some_and(|it| sequence.processes[it].kind == Kind::End);
            match stamps.happens_before(a, b) {
                Some(answer) => prop_assert_eq!(answer, order.happens_before(a, b), "{:?} {:?}", a, b),
                None => prop_assert!(is_sending),
            }
        }
    }
}
