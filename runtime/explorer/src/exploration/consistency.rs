//! Could real objects have done this? A run is *inconsistent* when happens-before is cyclic together with what real objects
//! require: messages leave a queue in the order they came in, "found empty" comes before every send not yet taken, a delivered
//! send before the receiver's drop, "not disconnected yet" before at least one of the senders' drops, what completes before a
//! channel hangs up before at least one of the receivers' drops.
//!
//! While exploring, delivery is only causal. That keeps the exploration exact, at the price of a few inconsistent runs,
//! which are not counted.
//!
//! [`Consistency::check`] answers yes or no, for the exploration; [`Consistency::explain`] gives the reason, for users: an
//! order that real objects could have done the events in, or a cycle that shows that there is none.

use insyn_sequences::{EventRef, OrderConstraints};

use super::constraints::{Constraints, Part, Whole, Written};
use super::order::HappensBefore as _;
use super::past::{Form, Pasts};
use super::relevant::Relevant;
use super::set::bits;
use insyn_engine::Settings;
use insyn_engine::ids::{EventId, Values};
use insyn_engine::record::run::RecordedRun;

/// Up to this many edges are checked one by one.
const MOST_EDGES: usize = u64::BITS as usize;

/// Sorting one event costs about as much as comparing this many pairs of edges.
const PAIRS_PER_EVENT: usize = 4;

/// Whether real objects could have done a whole run.
pub(crate) fn is_consistent(run: &RecordedRun, settings: &Settings) -> bool {
    let mut relevant = Relevant::default();
    if !relevant.is_in_doubt(run) {
        return true;
    }
    let mut pasts = Pasts::default();
    pasts.compute(run, 1);
    !relevant.read(run, |a, b| pasts.before(a, b))
        || Consistency::default().check_run(run, &pasts, &relevant, settings)
}

/// Memory for the check.
#[derive(Default, Debug)]
pub(crate) struct Consistency {
    constraints: Constraints,
    /// By edge: which edges lead to it.
    leading: Vec<u64>,
    indegree: Values<EventId, u32>,
    /// Successors, as a list per event threaded through `links`.
    head: Values<EventId, Option<usize>>,
    links: Vec<(EventId, Option<usize>)>,
    ready: Vec<EventId>,
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
        match pasts.form() {
            Form::Bits(pasts) => self.check(run, relevant, settings, &Whole { run, pasts }),
            Form::Clocks(pasts) => self.check(run, relevant, settings, &Whole { run, pasts }),
        }
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
        self.explain_part(run, relevant, settings, &Whole { run, pasts })
    }

    /// As [`explain`](Self::explain), for the part that was recorded before the run, with all that happens before it.
    pub(crate) fn explain_written(
        &mut self,
        run: &RecordedRun,
        pasts: &Pasts,
        relevant: &Relevant,
        settings: &Settings,
    ) -> Result<Vec<EventId>, Vec<EventId>> {
        self.explain_part(run, relevant, settings, &Written(Whole { run, pasts }))
    }

    fn explain_part(
        &mut self,
        run: &RecordedRun,
        relevant: &Relevant,
        settings: &Settings,
        part: &impl Part,
    ) -> Result<Vec<EventId>, Vec<EventId>> {
        self.constraints.collect(run, relevant, settings, part);
        if self.settle(run, part, 0) {
            return Ok(self.linearize(run, part));
        }
        // If there is a choice, every choice fails; so the first of each is as good as any.
        for n in 0..self.constraints.either.len() {
            let (event, first, _) = self.constraints.either[n];
            self.constraints.edges.push((event, self.constraints.drops[first as usize]));
        }
        Err(self.cycle(run, part))
    }

    /// Checks whether real objects could have done a whole run in an order that also respects these pairs.
    pub(crate) fn check_order(
        &mut self,
        run: &RecordedRun,
        pasts: &Pasts,
        relevant: &Relevant,
        settings: &Settings,
        order: &[(EventId, EventId)],
    ) -> bool {
        let part = Whole { run, pasts };
        self.constraints.collect(run, relevant, settings, &part);
        self.constraints.edges.extend_from_slice(order);
        self.settle(run, &part, 0)
    }

    /// What real objects require of a whole run beyond happens-before, with events named by `refer`.
    pub(crate) fn constraints(
        &mut self,
        run: &RecordedRun,
        pasts: &Pasts,
        relevant: &Relevant,
        settings: &Settings,
        refer: impl Fn(EventId) -> EventRef,
    ) -> OrderConstraints {
        self.constraints.collect(run, relevant, settings, &Whole { run, pasts });
        let before_one = |&(event, first, len): &(EventId, u32, u32)| {
            let drops = &self.constraints.drops[first as usize..(first + len) as usize];
            (refer(event), drops.iter().map(|&drop| refer(drop)).collect())
        };
        OrderConstraints {
            before: self.constraints.edges.iter().map(|&(a, b)| (refer(a), refer(b))).collect(),
            before_one: self.constraints.either.iter().map(before_one).collect(),
        }
    }

    /// The constraints of a whole run, each that one event comes before another. None if some constraint leaves a choice.
    pub(crate) fn edges(
        &mut self,
        run: &RecordedRun,
        pasts: &Pasts,
        relevant: &Relevant,
        settings: &Settings,
    ) -> Option<&[(EventId, EventId)]> {
        self.constraints.collect(run, relevant, settings, &Whole { run, pasts });
        self.constraints.either.is_empty().then_some(&self.constraints.edges)
    }

    /// Checks a part of a run.
    pub(crate) fn check(
        &mut self,
        run: &RecordedRun,
        relevant: &Relevant,
        settings: &Settings,
        part: &impl Part,
    ) -> bool {
        self.constraints.collect(run, relevant, settings, part);
        // The constraints of a single port never contradict each other: its messages are received in an order that respects
        // happens-before, and its receives and its receiver's drop are ordered.
        if !self.constraints.has_several_sources && self.constraints.either.is_empty() {
            return true;
        }
        self.settle(run, part, 0)
    }
    /// Tries the choices one after the other.
    fn settle(&mut self, run: &RecordedRun, part: &impl Part, k: usize) -> bool {
        if !self.acyclic(run, part) {
            return false;
        }
        let Some(&(event, first, len)) = self.constraints.either.get(k) else { return true };
        let drops = first as usize..(first + len) as usize;
        if self.constraints.drops[drops.clone()].iter().any(|d| self.constraints.edges.contains(&(event, *d)))
        {
            return self.settle(run, part, k + 1);
        }
        for d in drops {
            self.constraints.edges.push((event, self.constraints.drops[d]));
            if self.settle(run, part, k + 1) {
                return true;
            }
            self.constraints.edges.pop();
        }
        false
    }

    /// Whether happens-before and the edges together have a linear order.
    fn acyclic(&mut self, run: &RecordedRun, part: &impl Part) -> bool {
        // Usually the order by rank is such an order.
        if self.constraints.edges.iter().all(|&(a, b)| part.rank(a) < part.rank(b)) {
            return true;
        }
        let edges = self.constraints.edges.len();
        let is_cheap = edges <= MOST_EDGES && edges * edges <= PAIRS_PER_EVENT * run.events.len();
        if is_cheap { self.edges_are_acyclic(part) } else { self.events_are_acyclic(run, part) }
    }

    /// Whether no cycle goes from edge to edge, where happens-before is known and edges are few.
    fn edges_are_acyclic(&mut self, part: &impl Part) -> bool {
        let Consistency { constraints: Constraints { edges, .. }, leading, .. } = self;
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

    /// Whether the events have a linear order: repeatedly takes events whose predecessors have all been taken.
    fn events_are_acyclic(&mut self, run: &RecordedRun, part: &impl Part) -> bool {
        let members = self.link_all(run, part);
        self.sort(|_| ()) == members
    }

    /// The events of a part in an order that agrees with happens-before and the edges, without the events on or after a
    /// cycle.
    fn linearize(&mut self, run: &RecordedRun, part: &impl Part) -> Vec<EventId> {
        let mut line = Vec::with_capacity(self.link_all(run, part));
        self.sort(|event| line.push(event));
        line
    }

    /// A cycle of happens-before and the edges, where there is one.
    fn cycle(&mut self, run: &RecordedRun, part: &impl Part) -> Vec<EventId> {
        self.link_all(run, part);
        self.sort(|_| ());
        // Every remaining event has a remaining predecessor, so a walk backwards from any of them closes a cycle.
        let is_left = |i: &EventId| self.indegree[*i] > 0;
        let before = |i: EventId| {
            let own = run.own(run.at(i)).chain(part.takes(i).1.iter().copied());
            let required = self.constraints.edges.iter().filter(|(_, to)| *to == i).map(|(from, _)| *from);
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

    /// Records what comes directly after each event of a part. Returns the number of its events.
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
        for &(a, b) in &self.constraints.edges {
            link(&mut self.links, &mut self.head, &mut self.indegree, a, b);
        }
        self.ready.clear();
        self.ready.extend(members().filter(|&i| self.indegree[i] == 0));
        count
    }

    /// Takes the linked events, each after all its predecessors. Returns how many could be taken.
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
