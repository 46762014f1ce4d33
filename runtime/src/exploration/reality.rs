//! Could real objects have done this? A run is *unreal* when happens-before is cyclic together with what real objects
//! demand: messages leave a queue in the order they came in, "found empty" comes before every send not yet taken, a
//! delivered send before the receiver's drop, "not disconnected yet" before at least one of the senders' drops.
//!
//! While exploring, delivery is only causal; that keeps the exploration exact, at the price of a few such runs, which
//! are not counted.

use super::variant::ObjectKinds;
use crate::execution::Settings;
use crate::execution::event::{Ix, NONE, Op, Pick, Run};

/// What a receiving event takes: in the run, or in a variant of it.
pub(crate) type Mates<'a> = dyn Fn(Ix) -> (Pick, &'a [Ix]) + 'a;

/// Memory for the check.
#[derive(Default, Debug)]
pub(crate) struct Reality {
    /// Demands beyond happens-before: the first comes before the second.
    edges: Vec<(Ix, Ix)>,
    /// Demands with a choice: the event comes before at least one of the drops (a part of `drops`).
    either: Vec<(Ix, u32, u32)>,
    drops: Vec<Ix>,
    indegree: Vec<u32>,
    /// Successors, as a list per event threaded through `links`.
    head: Vec<u32>,
    links: Vec<(Ix, u32)>,
    ready: Vec<Ix>,
}

impl Reality {
    /// Checks a whole run.
    pub(crate) fn check_run<'a>(&mut self, run: &'a Run, objects: &ObjectKinds, settings: &Settings) -> bool {
        if !objects.may_be_unreal {
            return true;
        }
        let mates: &Mates<'a> = &|i: Ix| (run.at(i).pick, run.mates(run.at(i)));
        self.check(run, objects, settings, None, mates)
    }

    /// Checks the events in `among` (all if none is given; closed under happens-before), with the mates they have.
    pub(crate) fn check<'a>(
        &mut self,
        run: &'a Run,
        objects: &ObjectKinds,
        settings: &Settings,
        among: Option<&[bool]>,
        mates: &Mates<'a>,
    ) -> bool {
        let within = |i: Ix| among.is_none_or(|a| a[i as usize]);
        self.demand(run, objects, settings, &within, mates);
        if self.edges.is_empty() && self.either.is_empty() {
            return true;
        }
        self.settle(run, &within, mates, 0)
    }

    /// Collects what real objects demand.
    fn demand<'a>(
        &mut self,
        run: &'a Run,
        objects: &ObjectKinds,
        settings: &Settings,
        within: &dyn Fn(Ix) -> bool,
        mates: &Mates<'a>,
    ) {
        self.edges.clear();
        self.either.clear();
        self.drops.clear();
        for object in 0..objects.mailbox.len() as u32 {
            self.demand_of(run, object, objects.mailbox[object as usize], within, mates);
        }
        if settings.rules.disconnect_after_some_drop {
            self.demand_some_drop(run, within, mates);
        }
    }

    fn demand_of<'a>(
        &mut self,
        run: &'a Run,
        port: u32,
        mailbox: bool,
        within: &dyn Fn(Ix) -> bool,
        mates: &Mates<'a>,
    ) {
        let events = || (0..run.events.len() as Ix).filter(|&i| within(i));
        let delivered = |i: Ix| {
            let e = &run.events[i as usize];
            e.object == port && matches!(e.op, Op::Send | Op::Call) && mates(i).0 == Pick::Nothing
        };
        let sends: Vec<Ix> = events().filter(|&i| delivered(i)).collect();
        if sends.is_empty() {
            return;
        }
        let mut taken: Vec<Ix> = Vec::new();
        for i in events() {
            let e = &run.events[i as usize];
            match e.op {
                Op::DropReceiver if e.object == port => self.edges.extend(sends.iter().map(|&s| (s, i))),
                Op::Receive | Op::Accept => match mates(i) {
                    (Pick::Nothing, _) => {
                        let open =
                            if e.list.len == 0 { std::slice::from_ref(&e.object) } else { run.list(e.list) };
                        if open.contains(&port) {
                            self.edges.extend(sends.iter().filter(|s| !taken.contains(s)).map(|&s| (i, s)));
                        }
                    }
                    (_, &[s, ..]) if delivered(s) => {
                        if let Some(&last) = taken.last().filter(|_| mailbox) {
                            self.edges.push((last, s));
                        }
                        taken.push(s);
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        if let Some(&last) = taken.last().filter(|_| mailbox) {
            self.edges.extend(sends.iter().filter(|s| !taken.contains(s)).map(|&s| (last, s)));
        }
    }

    /// "Not disconnected yet" comes before at least one of the drops that led to the disconnect.
    fn demand_some_drop<'a>(&mut self, run: &'a Run, within: &dyn Fn(Ix) -> bool, mates: &Mates<'a>) {
        for i in (0..run.events.len() as Ix).filter(|&i| within(i)) {
            let e = &run.events[i as usize];
            let found_empty = match e.op {
                Op::Receive | Op::Accept => mates(i).0 == Pick::Nothing,
                // A completion that took its call alone while nothing was inside.
                Op::TryTake => e.pick != Pick::No && e.state == 0 && mates(i).1.len() == 1,
                _ => false,
            };
            if !found_empty {
                continue;
            }
            let single = [e.object];
            let is_receive = matches!(e.op, Op::Receive | Op::Accept);
            let open = if is_receive && e.list.len > 0 { run.list(e.list) } else { &single[..] };
            let first = self.drops.len() as u32;
            let mut all = true;
            for &port in open {
                let closed = run.events.iter().position(|c| c.op == Op::Disconnect && c.object == port);
                match closed.filter(|&c| within(c as Ix)) {
                    Some(c) => self.drops.extend_from_slice(run.list(run.events[c].list)),
                    None => all = false,
                }
            }
            if all {
                self.either.push((i, first, self.drops.len() as u32 - first));
            } else {
                self.drops.truncate(first as usize);
            }
        }
    }

    /// Tries the choices one after the other.
    fn settle<'a>(&mut self, run: &'a Run, within: &dyn Fn(Ix) -> bool, mates: &Mates<'a>, k: usize) -> bool {
        if !self.acyclic(run, within, mates) {
            return false;
        }
        let Some(&(event, first, len)) = self.either.get(k) else { return true };
        let drops = first as usize..(first + len) as usize;
        if self.drops[drops.clone()].iter().any(|d| self.edges.contains(&(event, *d))) {
            return self.settle(run, within, mates, k + 1);
        }
        for d in drops {
            self.edges.push((event, self.drops[d]));
            if self.settle(run, within, mates, k + 1) {
                return true;
            }
            self.edges.pop();
        }
        false
    }

    /// Whether happens-before and the edges together can be put in a line.
    fn acyclic<'a>(&mut self, run: &'a Run, within: &dyn Fn(Ix) -> bool, mates: &Mates<'a>) -> bool {
        let n = run.events.len();
        self.indegree.clear();
        self.indegree.resize(n, 0);
        self.head.clear();
        self.head.resize(n, NONE);
        self.links.clear();
        self.ready.clear();
        let mut members = 0;
        for i in (0..n as Ix).filter(|&i| within(i)) {
            members += 1;
            for p in run.own(&run.events[i as usize]).chain(mates(i).1.iter().copied()) {
                link(&mut self.links, &mut self.head, &mut self.indegree, p, i);
            }
        }
        for &(a, b) in &self.edges {
            link(&mut self.links, &mut self.head, &mut self.indegree, a, b);
        }
        self.ready.extend((0..n as Ix).filter(|&i| within(i) && self.indegree[i as usize] == 0));
        let mut done = 0;
        while let Some(i) = self.ready.pop() {
            done += 1;
            let mut at = self.head[i as usize];
            while at != NONE {
                let (to, next) = self.links[at as usize];
                self.indegree[to as usize] -= 1;
                if self.indegree[to as usize] == 0 {
                    self.ready.push(to);
                }
                at = next;
            }
        }
        done == members
    }
}

fn link(links: &mut Vec<(Ix, u32)>, head: &mut [u32], indegree: &mut [u32], from: Ix, to: Ix) {
    links.push((to, head[from as usize]));
    head[from as usize] = links.len() as u32 - 1;
    indegree[to as usize] += 1;
}
