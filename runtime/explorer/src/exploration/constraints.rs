//! What real objects require of the order of events beyond happens-before.

use super::order::HappensBefore;
use super::relevant::Relevant;
use insyn_engine::Settings;
use insyn_engine::delivery::Delivery;
use insyn_engine::ids::{EventId, Id as _, ObjectId, ProcessId, Values};
use insyn_engine::record::event::{Event, Flags, Op, Pick};
use insyn_engine::record::run::RecordedRun;
use insyn_engine::rules::Rule;

/// The events to check, and what they take: a run, or the permanent part of a variant of it.
pub(crate) trait Part {
    /// Whether the event is among those to check, which are closed under happens-before.
    fn has(&self, i: EventId) -> bool;
    /// What the event takes.
    fn takes(&self, i: EventId) -> (Pick, &[EventId]);
    /// Whether the event takes something else than in the run, so that its effect is not known.
    fn is_changed(&self, i: EventId) -> bool;
    /// Whether `a` happens before `b`.
    fn before(&self, a: EventId, b: EventId) -> bool;
    /// The position of an event in a linear order that agrees with happens-before.
    fn rank(&self, i: EventId) -> usize;
}

/// A whole run.
pub(super) struct Whole<'a, H> {
    pub(super) run: &'a RecordedRun,
    pub(super) pasts: &'a H,
}

impl<H: HappensBefore> Part for Whole<'_, H> {
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

    fn rank(&self, i: EventId) -> usize {
        i.place()
    }
}

/// The part of a run that was recorded before it.
pub(super) struct Written<'a, H>(pub(super) Whole<'a, H>);

impl<H: HappensBefore> Part for Written<'_, H> {
    fn has(&self, i: EventId) -> bool {
        self.0.run.at(i).flags.has(Flags::OLD)
    }

    fn takes(&self, i: EventId) -> (Pick, &[EventId]) {
        self.0.takes(i)
    }

    fn is_changed(&self, i: EventId) -> bool {
        self.0.is_changed(i)
    }

    fn before(&self, a: EventId, b: EventId) -> bool {
        self.0.before(a, b)
    }

    fn rank(&self, i: EventId) -> usize {
        self.0.rank(i)
    }
}

/// What real objects require of the order of events, and memory to collect it in.
#[derive(Default, Debug)]
pub(super) struct Constraints {
    /// The first comes before the second.
    pub(super) edges: Vec<(EventId, EventId)>,
    /// The port that a constraint comes from, and whether constraints come from several ports.
    source: Option<ObjectId>,
    pub(super) has_several_sources: bool,
    /// The event comes before at least one of the drops (a part of `drops`).
    pub(super) either: Vec<(EventId, u32, u32)>,
    pub(super) drops: Vec<EventId>,
    ports: Values<ObjectId, AtPort>,
    /// By event: a receive has taken it.
    taken: Values<EventId, bool>,
    /// Memory: by process, its lane at the port that is being read.
    lanes: Values<ProcessId, Option<u32>>,
}

/// What happened at one port.
#[derive(Clone, Default, Debug)]
struct AtPort {
    delivered: Vec<EventId>,
    /// By the place of a delivered send: the place of the next of the same thread.
    next: Vec<Option<u32>>,
    /// For each thread its sends, if there are more than a few in all. They happen one after the other, so what must come before
    /// all of them need only come before the first, and what must come after all of them after the last.
    lanes: Vec<Lane>,
    /// The last event that must come before one of the drops of its senders: its place in the list of those.
    either: Option<usize>,
    /// The message that was received last.
    last: Option<EventId>,
    closed: Option<EventId>,
    /// Variable: its writes, in order.
    writes: Vec<EventId>,
}

/// So few sends are not sorted by thread.
const FEW: usize = 16;

/// The delivered sends of one thread to one port, by their places.
#[derive(Clone, Copy, Debug)]
struct Lane {
    /// The first that has not been taken so far.
    first: Option<u32>,
    last: u32,
}

impl AtPort {
    /// Sorts the delivered sends by thread.
    fn sort(&mut self, run: &RecordedRun, of_process: &mut Values<ProcessId, Option<u32>>) {
        let AtPort { delivered, next, lanes, .. } = self;
        next.clear();
        next.resize(delivered.len(), None);
        lanes.clear();
        for (place, &send) in (0..).zip(delivered.iter()) {
            let process = run.at(send).process;
            if of_process.len() < process.place() {
                of_process.extend_to(process.place(), None);
            }
            match of_process[process] {
                Some(lane) => {
                    let lane = &mut lanes[lane as usize];
                    next[lane.last as usize] = Some(place);
                    lane.last = place;
                }
                None => {
                    of_process[process] = Some(lanes.len() as u32);
                    lanes.push(Lane { first: Some(place), last: place });
                }
            }
        }
        for lane in lanes {
            of_process[run.at(delivered[lane.last as usize]).process] = None;
        }
    }
}

impl Constraints {
    /// Collects what real objects require.
    pub(super) fn collect(
        &mut self,
        run: &RecordedRun,
        relevant: &Relevant,
        settings: &Settings,
        part: &impl Part,
    ) {
        self.gather(run, relevant, part);
        let rules = settings.rules;
        for (i, event) in members(run, relevant, part) {
            match event.op {
                Op::DropReceiver | Op::HangUp
                    if run.objects[event.on()].receiver_drop == Some(i)
                        && rules.has(Rule::SentBeforeDrop) =>
                {
                    self.require_after_sends(run, event, i, part);
                }
                Op::Receive | Op::Accept => match part.takes(i) {
                    (Pick::Nothing, _) if rules.has(Rule::EmptyBeforeSends) => {
                        for &port in open_at(run, event) {
                            self.require_before_untaken(run, port, i, part);
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
                    self.require_before_untaken(run, port, last, part);
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
        for port in self.ports.make_room(run.objects.len()) {
            port.delivered.clear();
            port.next.clear();
            port.lanes.clear();
            port.either = None;
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
        let Constraints { ports, lanes, .. } = self;
        for port in ports.ids() {
            if ports[port].delivered.len() > FEW {
                ports[port].sort(run, lanes);
            }
        }
        if run.may_find_nothing {
            for (i, event) in ends(run, relevant, part, Op::Disconnect) {
                self.ports[event.on()].closed = Some(i);
            }
        }
    }

    /// Requires for a port that `a` comes before `b`, unless that holds anyway.
    fn require(&mut self, port: ObjectId, a: EventId, b: EventId, part: &impl Part) {
        if !part.before(a, b) {
            self.has_several_sources |= self.source.is_some_and(|it| it != port);
            self.source = Some(port);
            self.edges.push((a, b));
        }
    }

    /// A port requires that its receiver's drop comes after all sends that were delivered, or one of the drops does.
    fn require_after_sends(&mut self, run: &RecordedRun, event: &Event, drop: EventId, part: &impl Part) {
        let on = event.on();
        let require = |this: &mut Self, send: EventId| match run.drops(event) {
            [] => this.require(on, send, drop, part),
            drops => this.require_one_of(send, drops, part),
        };
        for n in 0..self.ports[on].lanes.len() {
            let port = &self.ports[on];
            require(self, port.delivered[port.lanes[n].last as usize]);
        }
        if self.ports[on].lanes.is_empty() {
            let delivered = std::mem::take(&mut self.ports[on].delivered);
            for (n, &send) in delivered.iter().enumerate() {
                let process = run.at(send).process;
                if !delivered[n + 1..].iter().any(|&it| run.at(it).process == process) {
                    require(self, send);
                }
            }
            self.ports[on].delivered = delivered;
        }
    }

    /// A port requires that `a` comes before all of its sends that have not been taken.
    fn require_before_untaken(&mut self, run: &RecordedRun, port: ObjectId, a: EventId, part: &impl Part) {
        if self.ports[port].lanes.is_empty() {
            let delivered = std::mem::take(&mut self.ports[port].delivered);
            for (n, &send) in delivered.iter().enumerate() {
                let process = run.at(send).process;
                let is_earlier = |&it: &EventId| !self.taken[it] && run.at(it).process == process;
                if !self.taken[send] && !delivered[..n].iter().any(is_earlier) {
                    self.require(port, a, send, part);
                }
            }
            self.ports[port].delivered = delivered;
            return;
        }
        for n in 0..self.ports[port].lanes.len() {
            let AtPort { delivered, next, lanes, .. } = &mut self.ports[port];
            let mut first = lanes[n].first;
            while let Some(place) = first.filter(|&place| self.taken[delivered[place as usize]]) {
                first = next[place as usize];
            }
            lanes[n].first = first;
            if let Some(place) = first {
                let send = delivered[place as usize];
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
                    // The calls that the part completes, which need not be those that the run completed.
                    let call = run.at(call);
                    let comes_back = matches!(call.op, Op::TryTake | Op::TakeTimeout) && taken.len() == 1;
                    if comes_back && run.was_empty_at(event, call.on()) {
                        self.require_drop_of_one(run, part, i, &[call.on()]);
                    }
                    for object in run.passed_over(taken) {
                        self.require_drop_of_one(run, part, i, &[object]);
                    }
                }
            }
        }
    }

    /// A channel with a timeline hangs up together with the last drop of a receiver. So each completion before the hang-up
    /// comes before at least one of the drops.
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
        let known = if let [port] = *open { self.ports[port].either } else { self.last_either() };
        let known = self.require_one_from(i, first, known, part);
        if let [port] = *open {
            self.ports[port].either = known;
        }
    }

    fn last_either(&self) -> Option<usize> {
        self.either.len().checked_sub(1)
    }

    /// An event comes before at least one of these drops.
    fn require_one_of(&mut self, i: EventId, drops: &[EventId], part: &impl Part) {
        let first = self.drops.len();
        self.drops.extend_from_slice(drops);
        self.require_one_from(i, first, self.last_either(), part);
    }

    /// An event comes before at least one of the drops that were recorded last, from `first` on; the same may hold of a known
    /// one. Output: the one that is known then.
    fn require_one_from(
        &mut self,
        i: EventId,
        first: usize,
        known: Option<usize>,
        part: &impl Part,
    ) -> Option<usize> {
        let drops = &self.drops[first..];
        if drops.is_empty() || drops.iter().any(|&drop| part.before(i, drop)) {
            self.drops.truncate(first);
            return known;
        }
        // If two ordered events have the same constraint, that of the later event implies the other, which is dropped.
        if let Some((last, start, len)) = known.and_then(|known| self.either.get_mut(known))
            && self.drops[*start as usize..(*start + *len) as usize] == *drops
            && part.before(*last, i)
        {
            *last = i;
            self.drops.truncate(first);
            return known;
        }
        self.either.push((i, first as u32, drops.len() as u32));
        self.last_either()
    }
}

/// The events of a part that constraints may concern, in order.
fn members<'a>(
    run: &'a RecordedRun,
    relevant: &'a Relevant,
    part: &'a impl Part,
) -> impl Iterator<Item = (EventId, &'a Event)> {
    relevant.events.iter().filter(|&&i| part.has(i)).map(|&i| (i, run.at(i)))
}

/// Disconnects, or hang-ups, that happen in a part: once all the handles are dropped, nothing can prevent them.
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
