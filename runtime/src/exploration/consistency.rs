//! Could real objects have done this? A run is *inconsistent* when happens-before is cyclic together with what real objects
//! require: messages leave a queue in the order they came in, "found empty" comes before every send not yet taken, a delivered
//! send before the receiver's drop, "not disconnected yet" before at least one of the senders' drops, what completes before a
//! channel hangs up before at least one of the receivers' drops.
//!
//! While exploring, delivery is only causal; that keeps the exploration exact, at the price of a few such runs, which are not
//! counted.
//!
//! [`Consistency::check`] answers yes or no, for the exploration; [`Consistency::explain`] gives the reason, for people: an
//! order that real objects could have done the events in, or a cycle that shows that there is none.

use insyn_sequences::{EventRef, OrderConstraints};

use super::past::Pasts;
use super::relevant::Relevant;
use super::set::bits;
use crate::engine::Settings;
use crate::engine::ids::{EventId, Id as _, ObjectId, Values};
use crate::engine::ports::delivery::Delivery;
use crate::engine::record::event::{Event, Flags, Op, Pick};
use crate::engine::record::run::RecordedRun;
use crate::rules::Rule;

/// The events to check, and what they take: a run, or the lasting part of a variant of it.
pub(crate) trait Part {
    /// Whether the event is among those to check, which are closed under happens-before.
    fn has(&self, i: EventId) -> bool;
    /// What the event takes.
    fn takes(&self, i: EventId) -> (Pick, &[EventId]);
    /// Whether the event takes something else than it did, so that one does not know what it does.
    fn is_changed(&self, i: EventId) -> bool;
    /// Whether `a` is known to happen before `b`; no if that is not worth finding out.
    fn before(&self, a: EventId, b: EventId) -> bool;
    /// Whether all that happens before an event is known to.
    fn knows_order(&self) -> bool;
    /// Where an event stands in a line that happens-before agrees with.
    fn rank(&self, i: EventId) -> usize;
}

/// A whole run.
struct Whole<'a> {
    run: &'a RecordedRun,
    pasts: &'a Pasts,
}

impl Part for Whole<'_> {
    fn has(&self, _: EventId) -> bool {
        true
    }

    fn takes(&self, i: EventId) -> (Pick, &[EventId]) {
        let event = self.run.at(i);
        (event.pick, self.run.partners(event))
    }

    fn is_changed(&self, _: EventId) -> bool {
        false
    }

    fn before(&self, a: EventId, b: EventId) -> bool {
        self.pasts.before(a, b)
    }

    fn knows_order(&self) -> bool {
        true
    }

    fn rank(&self, i: EventId) -> usize {
        i.place()
    }
}

/// Up to so many edges are looked at one by one.
const MOST_EDGES: usize = u64::BITS as usize;

/// Memory for the check.
#[derive(Default, Debug)]
pub(crate) struct Consistency {
    /// OrderConstraints beyond happens-before: the first comes before the second.
    edges: Vec<(EventId, EventId)>,
    /// The port that made a demand, and whether a second one did.
    source: Option<ObjectId>,
    has_several_sources: bool,
    /// OrderConstraints with a choice: the event comes before at least one of the drops (a part of `drops`).
    either: Vec<(EventId, u32, u32)>,
    drops: Vec<EventId>,
    ports: Values<ObjectId, AtPort>,
    /// By event: a receive has taken it.
    taken: Values<EventId, bool>,
    /// By edge: which edges lead to it.
    leading: Vec<u64>,
    indegree: Values<EventId, u32>,
    /// Successors, as a list per event threaded through `links`.
    head: Values<EventId, Option<usize>>,
    links: Vec<(EventId, Option<usize>)>,
    ready: Vec<EventId>,
}

/// What happened at one port.
#[derive(Default, Debug)]
struct AtPort {
    delivered: Vec<EventId>,
    /// The message that was received last.
    last: Option<EventId>,
    closed: Option<EventId>,
    /// Variable: what wrote it, in order.
    writes: Vec<EventId>,
}

impl Consistency {
    /// Checks a whole run.
    pub(crate) fn check_run(
        &mut self,
        run: &RecordedRun,
        pasts: &Pasts,
        relevant: &Relevant,
        settings: &Settings,
    ) -> bool {
        self.check(run, relevant, settings, &Whole { run, pasts })
    }

    /// An order in which real objects could have done the events of a whole run, or a cycle of events each of which must come
    /// before the next: by happens-before, or by what real objects require.
    pub(crate) fn explain(
        &mut self,
        run: &RecordedRun,
        pasts: &Pasts,
        relevant: &Relevant,
        settings: &Settings,
    ) -> Result<Vec<EventId>, Vec<EventId>> {
        let part = Whole { run, pasts };
        self.collect(run, relevant, settings, &part);
        if self.settle(run, &part, 0) {
            return Ok(self.linearize(run, &part));
        }
        // Where there is a choice, no choice will do; so the first of each is as good as any.
        for n in 0..self.either.len() {
            let (event, first, _) = self.either[n];
            self.edges.push((event, self.drops[first as usize]));
        }
        Err(self.cycle(run, &part))
    }

    /// Checks whether real objects could have done a whole run in an order with these before those.
    pub(crate) fn check_order(
        &mut self,
        run: &RecordedRun,
        pasts: &Pasts,
        relevant: &Relevant,
        settings: &Settings,
        order: &[(EventId, EventId)],
    ) -> bool {
        let part = Whole { run, pasts };
        self.collect(run, relevant, settings, &part);
        self.edges.extend_from_slice(order);
        self.settle(run, &part, 0)
    }

    /// What real objects require of a whole run beyond happens-before, with events called as `refer` says.
    pub(crate) fn constraints(
        &mut self,
        run: &RecordedRun,
        pasts: &Pasts,
        relevant: &Relevant,
        settings: &Settings,
        refer: impl Fn(EventId) -> EventRef,
    ) -> OrderConstraints {
        self.collect(run, relevant, settings, &Whole { run, pasts });
        let before_one = |&(event, first, len): &(EventId, u32, u32)| {
            let drops = &self.drops[first as usize..(first + len) as usize];
            (refer(event), drops.iter().map(|&drop| refer(drop)).collect())
        };
        OrderConstraints {
            before: self.edges.iter().map(|&(a, b)| (refer(a), refer(b))).collect(),
            before_one: self.either.iter().map(before_one).collect(),
        }
    }

    /// The constraints of a whole run that some events come before others. None if there are others, which leave a choice.
    pub(crate) fn edges(
        &mut self,
        run: &RecordedRun,
        pasts: &Pasts,
        relevant: &Relevant,
        settings: &Settings,
    ) -> Option<&[(EventId, EventId)]> {
        self.collect(run, relevant, settings, &Whole { run, pasts });
        self.either.is_empty().then_some(&self.edges)
    }

    /// Checks a part of a run.
    pub(crate) fn check(
        &mut self,
        run: &RecordedRun,
        relevant: &Relevant,
        settings: &Settings,
        part: &impl Part,
    ) -> bool {
        self.collect(run, relevant, settings, part);
        // What a single port requires agrees with itself: its messages are received in an order that respects
        // happens-before, and its receives and its receiver's drop are ordered.
        if !self.has_several_sources && self.either.is_empty() {
            return true;
        }
        self.settle(run, part, 0)
    }

    /// Collects what real objects require.
    fn collect(&mut self, run: &RecordedRun, relevant: &Relevant, settings: &Settings, part: &impl Part) {
        self.gather(run, relevant, part);
        let rules = settings.rules;
        for (i, event) in members(run, relevant, part) {
            match event.op {
                Op::DropReceiver | Op::HangUp
                    if run.objects[event.on()].receiver_drop == Some(i)
                        && rules.has(Rule::SentBeforeDrop) =>
                {
                    for n in 0..self.ports[event.on()].delivered.len() {
                        let send = self.ports[event.on()].delivered[n];
                        match run.drops(event) {
                            [] => self.require(event.on(), send, i, part),
                            drops => self.require_one_of(send, drops, part),
                        }
                    }
                }
                Op::Receive | Op::Accept => match part.takes(i) {
                    (Pick::Nothing, _) if rules.has(Rule::EmptyBeforeSends) => {
                        for &port in open_at(run, event) {
                            self.require_before_untaken(port, i, part);
                        }
                    }
                    (_, &[send, ..]) if !matches!(run.at(send).op, Op::Disconnect | Op::Fire) => {
                        let port = run.at(send).on();
                        let last = self.ports[port].last.replace(send);
                        if let Some(last) = last
                            && run.objects[port].delivery == Delivery::Mailbox
                            && rules.has(Rule::QueueOrder)
                        {
                            self.require(port, last, send, part);
                        }
                        self.taken[send] = true;
                    }
                    _ => {}
                },
                Op::Load if rules.has(Rule::LoadBeforeNextWrite) => {
                    let seen = part.takes(i).1.first().copied();
                    let writes = &self.ports[event.on()].writes;
                    let next = seen.map_or(0, |seen| writes.partition_point(|&w| w <= seen));
                    if let Some(&next) = writes.get(next) {
                        self.require(event.on(), i, next, part);
                    }
                }
                _ => {}
            }
        }
        if rules.has(Rule::UnreceivedLast) {
            for port in self.ports.ids() {
                if let Some(last) = self.ports[port].last
                    && run.objects[port].delivery == Delivery::Mailbox
                {
                    self.require_before_untaken(port, last, part);
                }
            }
        }
        if run.may_find_nothing && rules.has(Rule::DisconnectAfterSomeDrop) {
            self.require_some_drop(run, relevant, part);
        }
        if run.may_find_nothing && rules.has(Rule::HangUpAfterSomeDrop) {
            self.require_hang_up(run, relevant, part);
        }
    }

    /// Sorts the delivered sends by port.
    fn gather(&mut self, run: &RecordedRun, relevant: &Relevant, part: &impl Part) {
        self.edges.clear();
        self.source = None;
        self.has_several_sources = false;
        self.either.clear();
        self.drops.clear();
        self.taken.fill(run.events.len(), false);
        for port in self.ports.resize(run.objects.len()) {
            port.delivered.clear();
            port.last = None;
            port.closed = None;
            port.writes.clear();
        }
        for (i, event) in members(run, relevant, part) {
            match event.op {
                Op::Send | Op::Call if part.takes(i).0 == Pick::Nothing => {
                    self.ports[event.on()].delivered.push(i);
                }
                _ if event.flags.has(Flags::WRITES) && !part.is_changed(i) => {
                    self.ports[event.on()].writes.push(i);
                }
                _ => {}
            }
        }
        if run.may_find_nothing {
            for (i, event) in ends(run, relevant, part, Op::Disconnect) {
                self.ports[event.on()].closed = Some(i);
            }
        }
    }

    /// A port requires that `a` comes before `b`, unless it does anyway.
    fn require(&mut self, port: ObjectId, a: EventId, b: EventId, part: &impl Part) {
        if !part.before(a, b) {
            self.has_several_sources |= self.source.is_some_and(|it| it != port);
            self.source = Some(port);
            self.edges.push((a, b));
        }
    }

    fn require_before_untaken(&mut self, port: ObjectId, a: EventId, part: &impl Part) {
        for n in 0..self.ports[port].delivered.len() {
            let send = self.ports[port].delivered[n];
            if !self.taken[send] {
                self.require(port, a, send, part);
            }
        }
    }

    /// "Not disconnected yet" comes before at least one of the drops that led to the disconnect.
    fn require_some_drop(&mut self, run: &RecordedRun, relevant: &Relevant, part: &impl Part) {
        for (i, event) in members(run, relevant, part) {
            match event.op {
                Op::Receive | Op::Accept if part.takes(i).0 == Pick::Nothing => {
                    let open = open_at(run, event);
                    if event.flags.has(Flags::ANY_CLOSED) {
                        open.iter().for_each(|&port| self.require_drop_of_one(run, part, i, &[port]));
                    } else {
                        self.require_drop_of_one(run, part, i, open);
                    }
                }
                _ => {
                    let taken = part.takes(i).1;
                    let Some(&call) = taken.first() else { continue };
                    // What was completed, which need not be what was completed in the run.
                    let call = run.at(call);
                    let comes_back = matches!(call.op, Op::TryTake | Op::TakeTimeout) && taken.len() == 1;
                    if comes_back && run.was_empty_at(event, call.on()) {
                        self.require_drop_of_one(run, part, i, &[call.on()]);
                    }
                    for object in passed_over(run, taken) {
                        self.require_drop_of_one(run, part, i, &[object]);
                    }
                }
            }
        }
    }

    /// A channel with a timeline hangs up together with the last drop of a receiver. So what completes before that comes
    /// before at least one of the drops.
    fn require_hang_up(&mut self, run: &RecordedRun, relevant: &Relevant, part: &impl Part) {
        for (hang_up, event) in ends(run, relevant, part, Op::HangUp) {
            if run.objects[event.on()].receiver_drop == Some(hang_up) {
                continue;
            }
            let timeline = run.objects[run.objects[event.on()].host].timeline;
            let completions =
                members(run, relevant, part).filter(|(_, e)| e.process == timeline).map(|(i, _)| i);
            let before = completions.take_while(|&i| part.takes(i).1 != [hang_up]);
            if let Some(last) = before.last() {
                self.require_one_of(last, run.drops(event), part);
            }
        }
    }

    /// An event that did not find these channels disconnected comes before at least one of the drops of their senders.
    fn require_drop_of_one(&mut self, run: &RecordedRun, part: &impl Part, i: EventId, open: &[ObjectId]) {
        let first = self.drops.len();
        for &port in open {
            match self.ports[port].closed {
                None => {
                    self.drops.truncate(first);
                    break;
                }
                Some(closed) => self.drops.extend_from_slice(run.drops(run.at(closed))),
            }
        }
        self.require_one_from(i, first, part);
    }

    /// An event comes before at least one of these drops.
    fn require_one_of(&mut self, i: EventId, drops: &[EventId], part: &impl Part) {
        let first = self.drops.len();
        self.drops.extend_from_slice(drops);
        self.require_one_from(i, first, part);
    }

    /// An event comes before at least one of the drops that were noted last, from `first` on.
    fn require_one_from(&mut self, i: EventId, first: usize, part: &impl Part) {
        let drops = &self.drops[first..];
        if drops.is_empty() || drops.iter().any(|&drop| part.before(i, drop)) {
            self.drops.truncate(first);
            return;
        }
        // What comes after another event with the same constraint has a stronger one, so that one need not be looked at.
        if let Some((last, start, len)) = self.either.last_mut()
            && self.drops[*start as usize..(*start + *len) as usize] == *drops
            && part.before(*last, i)
        {
            *last = i;
            self.drops.truncate(first);
        } else {
            self.either.push((i, first as u32, drops.len() as u32));
        }
    }

    /// Tries the choices one after the other.
    fn settle(&mut self, run: &RecordedRun, part: &impl Part, k: usize) -> bool {
        if !self.acyclic(run, part) {
            return false;
        }
        let Some(&(event, first, len)) = self.either.get(k) else { return true };
        let drops = first as usize..(first + len) as usize;
        if self.drops[drops.clone()].iter().any(|d| self.edges.contains(&(event, *d))) {
            return self.settle(run, part, k + 1);
        }
        for d in drops {
            self.edges.push((event, self.drops[d]));
            if self.settle(run, part, k + 1) {
                return true;
            }
            self.edges.pop();
        }
        false
    }

    /// Whether happens-before and the edges together can be put in a line.
    fn acyclic(&mut self, run: &RecordedRun, part: &impl Part) -> bool {
        // Most often there is one already.
        if self.edges.iter().all(|&(a, b)| part.rank(a) < part.rank(b)) {
            return true;
        }
        if part.knows_order() && self.edges.len() <= MOST_EDGES {
            self.edges_are_acyclic(part)
        } else {
            self.events_are_acyclic(run, part)
        }
    }

    /// Whether no cycle goes from edge to edge, where happens-before is known and edges are few.
    fn edges_are_acyclic(&mut self, part: &impl Part) -> bool {
        let Consistency { edges, leading, .. } = self;
        leading.clear();
        leading.extend(edges.iter().map(|&(start, _)| {
            let leads_there = |end: EventId| end == start || part.before(end, start);
            edges.iter().rev().fold(0, |set, &(_, end)| set << 1 | u64::from(leads_there(end)))
        }));
        let mut left = u64::MAX >> (u64::BITS as usize - edges.len());
        while left != 0 {
            let free =
                bits(left).filter(|&edge| leading[edge] & left == 0).fold(0, |set, edge| set | 1 << edge);
            if free == 0 {
                return false;
            }
            left &= !free;
        }
        true
    }

    /// Whether one event after the other can be put in a line: as long as some have nothing before them that is not there.
    fn events_are_acyclic(&mut self, run: &RecordedRun, part: &impl Part) -> bool {
        let members = self.link_all(run, part);
        self.sort(|_| ()) == members
    }

    /// The events of a part in an order that happens-before and the edges agree with; those on a cycle, and what comes after
    /// them, are left out.
    fn linearize(&mut self, run: &RecordedRun, part: &impl Part) -> Vec<EventId> {
        let mut line = Vec::with_capacity(self.link_all(run, part));
        self.sort(|event| line.push(event));
        line
    }

    /// A cycle of happens-before and the edges, where there is one.
    fn cycle(&mut self, run: &RecordedRun, part: &impl Part) -> Vec<EventId> {
        self.link_all(run, part);
        self.sort(|_| ());
        // What is left has something before it that is left too; so from anywhere a walk backwards comes round.
        let is_left = |i: &EventId| self.indegree[*i] > 0;
        let before = |i: EventId| {
            let own = run.own(run.at(i)).chain(part.takes(i).1.iter().copied());
            let required = self.edges.iter().filter(|(_, to)| *to == i).map(|(from, _)| *from);
            own.chain(required).find(is_left)
        };
        let mut walk: Vec<EventId> =
            run.events.ids().find(|i| part.has(*i) && is_left(i)).into_iter().collect();
        while let Some(next) = walk.last().copied().and_then(before) {
            if let Some(at) = walk.iter().position(|&it| it == next) {
                let mut cycle = walk.split_off(at);
                cycle.reverse();
                return cycle;
            }
            walk.push(next);
        }
        Vec::new()
    }

    /// Writes down what comes directly after each event of a part. Output: how many events it has.
    fn link_all(&mut self, run: &RecordedRun, part: &impl Part) -> usize {
        let n = run.events.len();
        let members = || run.events.ids().filter(|&i| part.has(i));
        self.indegree.fill(n, 0);
        self.head.fill(n, None);
        self.links.clear();
        let mut count = 0;
        for i in members() {
            count += 1;
            for p in run.own(run.at(i)).chain(part.takes(i).1.iter().copied()) {
                link(&mut self.links, &mut self.head, &mut self.indegree, p, i);
            }
        }
        for &(a, b) in &self.edges {
            link(&mut self.links, &mut self.head, &mut self.indegree, a, b);
        }
        self.ready.clear();
        self.ready.extend(members().filter(|&i| self.indegree[i] == 0));
        count
    }

    /// Takes the events that were linked, each after all that comes before it. Output: how many could be taken.
    fn sort(&mut self, mut take: impl FnMut(EventId)) -> usize {
        let mut taken = 0;
        while let Some(i) = self.ready.pop() {
            taken += 1;
            take(i);
            let mut at = self.head[i];
            while let Some(link) = at {
                let (to, next) = self.links[link];
                self.indegree[to] -= 1;
                if self.indegree[to] == 0 {
                    self.ready.push(to);
                }
                at = next;
            }
        }
        taken
    }
}

/// The events of a part that constraints may be about, in order.
fn members<'a>(
    run: &'a RecordedRun,
    relevant: &'a Relevant,
    part: &'a impl Part,
) -> impl Iterator<Item = (EventId, &'a Event)> {
    relevant.events.iter().filter(|&&i| part.has(i)).map(|&i| (i, run.at(i)))
}

/// Disconnects, or hang-ups, that come about in a part: once all the handles are dropped, nothing can keep them away.
fn ends<'a>(
    run: &'a RecordedRun,
    relevant: &'a Relevant,
    part: &'a impl Part,
    op: Op,
) -> impl Iterator<Item = (EventId, &'a Event)> {
    relevant.events.iter().map(|&i| (i, run.at(i))).filter(move |(_, event)| {
        event.op == op && event.pick == Pick::No && run.drops(event).iter().all(|&drop| part.has(drop))
    })
}

/// The ports that were open at a receive, or the channel of a take.
fn open_at<'a>(run: &'a RecordedRun, event: &'a Event) -> &'a [ObjectId] {
    let is_receive = matches!(event.op, Op::Receive | Op::Accept);
    if is_receive && event.list.len > 0 { run.ports(event.list) } else { event.object.as_slice() }
}

/// The channels from which earlier offers of a select could have taken something, where a completion says that they
/// could not: it takes the last resort, or an offer of a select that prefers earlier ones. Of a pair, both may do so.
pub(crate) fn passed_over<'a>(
    run: &'a RecordedRun,
    taken: &'a [EventId],
) -> impl Iterator<Item = ObjectId> + 'a {
    let completed = if run.is_pair(taken) { 2 } else { 1 };
    taken.iter().take(completed).flat_map(|&offer| earlier_takes(run, offer))
}

fn earlier_takes(run: &RecordedRun, offer: EventId) -> impl Iterator<Item = ObjectId> + '_ {
    let is_last = |e: &Event| matches!(e.op, Op::OfferDefault | Op::OfferTimeout);
    let taken = run.at(offer);
    let prefers = taken.pick == Pick::No && (is_last(taken) || taken.flags.has(Flags::BIASED));
    let mut at = if prefers { taken.prev } else { None };
    std::iter::from_fn(move || {
        let earlier = run.at(at?);
        if earlier.op == Op::Select {
            return None;
        }
        at = earlier.prev;
        Some(earlier)
    })
    .filter(|e| matches!(e.op, Op::OfferTake | Op::ReadyTake))
    .map(Event::on)
}

fn link(
    links: &mut Vec<(EventId, Option<usize>)>,
    head: &mut Values<EventId, Option<usize>>,
    indegree: &mut Values<EventId, u32>,
    from: EventId,
    to: EventId,
) {
    let next = head[from].replace(links.len());
    links.push((to, next));
    indegree[to] += 1;
}
