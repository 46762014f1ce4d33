//! What real objects require of a list of SYN-events beyond happens-before, as far as a sequence shows it.
//!
//! A list that only agrees with happens-before may show what no queue could do: two messages received in another order than
//! that in which they are listed as sent, a message sent before a receive that finds nothing. An engine knows exactly what
//! its objects require ([`OrderConstraints`](crate::OrderConstraints)), but a sequence is also read from a file and edited.
//! So the requirements are read from the sequence again, and some have to be guessed: it does not say how a port delivers, nor
//! whether a receive awaited the end of one of its ports or of all. Whatever cannot be satisfied is left out, object by object,
//! guesses first.

use std::collections::{BTreeMap, BTreeSet};

use crate::order::Order;
use crate::sequence::{EventRef, Kind, Op, Pick, Sequence};
use crate::topology::Required;

/// What real objects require of events.
#[derive(Default)]
pub(super) struct Requirements {
    /// The first comes before the second.
    before: Vec<(Source, EventRef, EventRef)>,
    /// The event comes before the last of the others. By the others.
    before_last: BTreeMap<Vec<EventRef>, Vec<(Source, EventRef)>>,
}

/// Where a requirement comes from: what has the same source is satisfied or left out together. What is less certain comes
/// later.
type Source = (Why, usize);

/// Why something is required of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Why {
    /// Objects of this kind cannot do otherwise.
    Sure,
    /// There may be other receivers.
    OnlyReceiver,
    /// A port is a queue, unless it was declared to be something else.
    Queue,
    /// The object had not come to an end, unless that of others was awaited too.
    Open,
}

/// What happened at one object so far.
#[derive(Clone, Default)]
struct AtObject {
    /// What was sent, and what of it was received.
    sent: Vec<EventRef>,
    received: BTreeSet<EventRef>,
    /// The message that was received last.
    last: Option<EventRef>,
    /// The last receive that found nothing.
    empty: Option<EventRef>,
    /// A receive has found that all senders are dropped.
    is_closed: bool,
    /// The drops of all senders, of all receivers.
    sender_drops: Vec<EventRef>,
    receiver_drops: Vec<EventRef>,
}

impl Requirements {
    pub(super) fn of(order: &Order<'_>) -> Requirements {
        let sequence = order.sequence();
        let mut required = Requirements::default();
        let mut objects = survey(sequence);
        for (o, object) in objects.iter().enumerate() {
            required.sent_before_drops(o, object);
        }
        for &at in order.line() {
            let event = sequence.event(at);
            let Some(object) = event.object else { continue };
            match (event.op, event.pick.partners()) {
                (Op::Receive | Op::Accept, []) => {
                    required.finds_nothing(at, object, &event.empty, &mut objects);
                }
                (Op::Receive | Op::Accept, &[send, ..]) => {
                    let taken = sequence.event(send);
                    match taken.object {
                        Some(port) if taken.op == Op::Disconnect => objects[port].is_closed = true,
                        Some(port) => required.receives(port, send, &mut objects[port]),
                        None => {}
                    }
                }
                (Op::Load, seen) => {
                    if let Some(next) = next_write(sequence, object, seen.first()) {
                        required.before.push(((Why::Sure, object), at, next));
                    }
                }
                (op, taken) if !sequence.is_thread(at.process) => {
                    required.completes(sequence, at, op, taken, &objects);
                }
                _ => {}
            }
        }
        for (o, object) in objects.iter().enumerate() {
            required.leaves_unreceived(o, object);
        }
        required
    }

    /// What is delivered comes before the last receiver is dropped.
    fn sent_before_drops(&mut self, o: usize, object: &AtObject) {
        for &send in &object.sent {
            match object.receiver_drops[..] {
                [] => {}
                [drop] => self.before.push(((Why::OnlyReceiver, o), send, drop)),
                _ => self.before_last((Why::Sure, o), send, &object.receiver_drops),
            }
        }
    }

    /// A receive that finds nothing on some ports comes before the last of the drops that end them all. If the end of one is
    /// enough to go on, it comes before the last of the drops of each.
    fn finds_nothing(&mut self, at: EventRef, object: usize, others: &[usize], objects: &mut [AtObject]) {
        let looked_at = || std::iter::once(object).chain(others.iter().copied().filter(|&it| it != object));
        let is_open = |o: &usize| !objects[*o].is_closed;
        if looked_at().filter(is_open).all(|o| !objects[o].sender_drops.is_empty()) {
            let drops = looked_at().filter(is_open).flat_map(|o| &objects[o].sender_drops);
            let drops: Vec<EventRef> = drops.copied().collect();
            self.before_last((Why::Sure, object), at, &drops);
        }
        for o in looked_at().filter(is_open).filter(|_| !others.is_empty()) {
            self.before_last((Why::Open, o), at, &objects[o].sender_drops);
        }
        looked_at().for_each(|o| objects[o].empty = Some(at));
    }

    /// A receive that found nothing comes before what is received later; and queues keep the order.
    fn receives(&mut self, o: usize, send: EventRef, object: &mut AtObject) {
        if let Some(last) = object.last.replace(send) {
            self.before.push(((Why::Queue, o), last, send));
        }
        if let Some(empty) = object.empty {
            self.before.push(((Why::Sure, o), empty, send));
        }
        object.received.insert(send);
    }

    /// What nobody received was sent after all that was received, and after everybody who found nothing.
    fn leaves_unreceived(&mut self, o: usize, object: &AtObject) {
        for &send in object.sent.iter().filter(|it| !object.received.contains(it)) {
            self.before.extend(object.last.map(|last| ((Why::Queue, o), last, send)));
            self.before.extend(object.empty.map(|empty| ((Why::Sure, o), empty, send)));
        }
    }

    /// What a completion shows of the handles of its channels.
    fn completes(
        &mut self,
        sequence: &Sequence,
        at: EventRef,
        op: Op,
        taken: &[EventRef],
        objects: &[AtObject],
    ) {
        // It found the channel neither filled nor closed.
        if let (Op::FailedTake, &[_], Some(o)) = (op, taken, sequence.event(at).object) {
            self.before_last((Why::Sure, o), at, &objects[o].sender_drops);
        }
        // So did the offers that a select prefers to the one that was taken.
        for &o in &sequence.event(at).empty {
            self.before_last((Why::Sure, o), at, &objects[o].sender_drops);
        }
        // The channel hangs up together with the last drop of a receiver.
        if let (Op::HangUp, &[hang_up], Some(index)) = (op, taken, at.index.checked_sub(1)) {
            let drops = &sequence.event(hang_up).after;
            self.before_last((Why::Sure, at.process), EventRef { index, ..at }, drops);
        }
    }

    fn before_last(&mut self, source: Source, at: EventRef, others: &[EventRef]) {
        if !others.is_empty() {
            self.before_last.entry(others.to_vec()).or_default().push((source, at));
        }
    }

    /// A line that agrees with as many of the requirements as it can, and these; `draw` draws one that agrees with some, if
    /// there is one.
    pub(super) fn line(
        &self,
        node_of: impl Fn(EventRef) -> usize,
        draw: impl Fn(&Required) -> Option<Vec<usize>>,
    ) -> Option<(Vec<usize>, Required)> {
        let of = |counts: &dyn Fn(&Source) -> bool| {
            let before = self.before.iter().filter(|it| counts(&it.0));
            let before_last = self.before_last.iter().map(|(last, all)| {
                let all = all.iter().filter(|it| counts(&it.0)).map(|it| node_of(it.1)).collect();
                (all, last.iter().map(|&it| node_of(it)).collect())
            });
            Required {
                before: before.map(|&(_, a, b)| (node_of(a), node_of(b))).collect(),
                before_last: before_last.collect(),
            }
        };
        let all = of(&|_| true);
        if let Some(line) = draw(&all) {
            return Some((line, all));
        }
        let edges = self.before.iter().map(|it| it.0);
        let sources: BTreeSet<Source> =
            edges.chain(self.before_last.values().flatten().map(|it| it.0)).collect();
        let mut kept = BTreeSet::new();
        let mut line = draw(&Required::default());
        for source in sources {
            kept.insert(source);
            match draw(&of(&|it| kept.contains(it))) {
                Some(better) => line = Some(better),
                None => _ = kept.remove(&source),
            }
        }
        Some((line?, of(&|it| kept.contains(it))))
    }
}

/// What is sent to each object, and how its handles are dropped.
fn survey(sequence: &Sequence) -> Vec<AtObject> {
    let mut objects = vec![AtObject::default(); sequence.processes.len()];
    for at in sequence.events() {
        let event = sequence.event(at);
        let Some(o) = event.object else { continue };
        let object = &mut objects[o];
        let by_thread = sequence.is_thread(at.process);
        match event.op {
            Op::Send | Op::Call if event.pick == Pick::Nothing => object.sent.push(at),
            Op::Disconnect if event.pick == Pick::None => object.sender_drops.clone_from(&event.after),
            Op::HangUp if event.pick == Pick::None => object.receiver_drops.clone_from(&event.after),
            Op::DropReceiver if by_thread && object.receiver_drops.is_empty() => {
                object.receiver_drops.push(at)
            }
            _ => {}
        }
    }
    objects
}

/// The write that follows the one that a load has seen.
fn next_write(sequence: &Sequence, object: usize, seen: Option<&EventRef>) -> Option<EventRef> {
    let variable = &sequence.processes[object];
    let first = seen.map_or(0, |write| write.index + 1);
    let rest = || variable.events.iter().enumerate().skip(first);
    let next = match variable.kind {
        // What was begun once more was not done before.
        Kind::Once => {
            let last = rest().rfind(|(_, event)| matches!(event.op, Op::Begin | Op::Complete));
            last.filter(|(_, event)| event.op == Op::Complete)
        }
        _ => rest().find(|(_, event)| matches!(event.op, Op::Store | Op::Update)),
    };
    next.map(|(index, _)| EventRef { process: object, index })
}
