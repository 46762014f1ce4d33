//! From a row of the race table to the variant: what is kept, what is renewed, and what turns black.

use super::reality::{Mates, Reality};
use super::table::Table;
use crate::execution::Settings;
use crate::execution::event::{Event, Flags, Ix, NONE, Op, Pick, Run};
use crate::execution::objects::Object;
use crate::execution::script::{Name, Script, Step, Take};

/// Memory for making variants, kept by the worker.
#[derive(Default, Debug)]
pub(crate) struct Maker {
    /// By event: it is removed, or changed, so that what happens after it cannot be kept.
    gone: Vec<bool>,
    /// By event: it may never change again.
    dark: Vec<bool>,
    /// By event: one more than its place among the changes of the row.
    change: Vec<u32>,
    reality: Reality,
}

impl Maker {
    /// Writes the variant of the table's current row as a script. False if its lasting part is already unreal, so that
    /// nothing real could follow.
    pub(crate) fn make(
        &mut self,
        table: &Table,
        objects: &ObjectKinds,
        settings: &Settings,
        processes: usize,
        script: &mut Script,
    ) -> bool {
        let run = &table.run;
        self.mark_changes(table);
        self.mark_dark(table);
        if settings.rules.reality && objects.may_be_unreal && !self.lasting_part_is_real(table, objects, settings) {
            return false;
        }
        self.write(table, processes, script);
        for u in &run.unresolved {
            if !self.is_gone(u.prev) && !self.is_gone(u.also) {
                script.chain_mut(u.chain).renewed = true;
            }
        }
        true
    }

    fn mark_changes(&mut self, table: &Table) {
        self.change.clear();
        self.change.resize(table.run.events.len(), 0);
        for (n, (event, _)) in table.changes().enumerate() {
            self.change[event as usize] = n as u32 + 1;
        }
    }

    /// Everything that happens before a changed event, through its own past or its new partner's. (A row never changes
    /// an event that is in the past of another change, so the old partners seen on the way are the ones that stay.)
    fn mark_dark(&mut self, table: &Table) {
        let run = &table.run;
        self.dark.clear();
        self.dark.resize(run.events.len(), false);
        let mut top = 0;
        for (event, candidate) in table.changes() {
            for p in run.own(&run.events[event as usize]).chain(table.races.mates(candidate).iter().copied()) {
                self.dark[p as usize] = true;
                top = top.max(p as usize + 1);
            }
        }
        for i in (0..top).rev() {
            if self.dark[i] {
                let event = &run.events[i];
                for p in run.own(event).chain(run.list(event.mates).iter().copied()) {
                    self.dark[p as usize] = true;
                }
            }
        }
    }

    fn is_gone(&self, event: Ix) -> bool {
        event != NONE && self.gone[event as usize]
    }

    fn write(&mut self, table: &Table, processes: usize, script: &mut Script) {
        let run = &table.run;
        script.clear(processes);
        self.gone.clear();
        self.gone.resize(run.events.len(), false);
        let mut changes = table.changes();
        for (i, event) in run.events.iter().enumerate() {
            let name = |m: &Ix| {
                let e = &run.events[*m as usize];
                Name { chain: e.chain, index: e.index }
            };
            if run.own(event).any(|p| self.gone[p as usize]) {
                self.gone[i] = true;
                continue;
            }
            let mut step = Step { op: event.op, black: false, take: Take::No, location: Some(event.location) };
            if self.change[i] > 0 {
                let (_, candidate) = changes.next().expect("one for each mark");
                self.gone[i] = true;
                step.black = true;
                step.take = if candidate.len == 0 {
                    Take::Nothing
                } else {
                    script.take(table.races.mates(candidate).iter().map(name))
                };
                step.op = completed_op(run, event, table.races.mates(candidate));
                step.location = None;
                let chain = script.chain_mut(event.chain);
                chain.steps.push(step);
                chain.changed = true;
                continue;
            }
            let mates = run.list(event.mates);
            if mates.iter().any(|&m| self.gone[m as usize]) {
                self.gone[i] = true;
                script.chain_mut(event.chain).renewed = true;
                continue;
            }
            step.black = self.dark[i] || event.flags.has(Flags::BLACK);
            step.take = match event.pick {
                Pick::No => Take::No,
                Pick::Nothing => Take::Nothing,
                Pick::Mates => script.take(mates.iter().map(name)),
            };
            script.chain_mut(event.chain).steps.push(step);
        }
    }

    fn lasting_part_is_real(&mut self, table: &Table, objects: &ObjectKinds, settings: &Settings) -> bool {
        let run = &table.run;
        // Black events that the row keeps last too, with all that happens before them.
        let mut lasting = self.dark.clone();
        for (event, _) in table.changes() {
            lasting[event as usize] = true;
        }
        let mut removed = vec![false; run.events.len()];
        for (i, event) in run.events.iter().enumerate() {
            let gone = |p: Ix| removed[p as usize] || self.change[p as usize] > 0;
            removed[i] = run.own(event).any(gone)
                || self.change[i] == 0 && run.list(event.mates).iter().any(|&m| gone(m));
            if event.flags.has(Flags::BLACK) && !removed[i] {
                lasting[i] = true;
            }
        }
        for i in (0..run.events.len()).rev() {
            if lasting[i] {
                let event = &run.events[i];
                for p in run.own(event) {
                    lasting[p as usize] = true;
                }
                if self.change[i] == 0 {
                    for &m in run.list(event.mates) {
                        lasting[m as usize] = true;
                    }
                }
            }
        }
        let changed: Vec<&[Ix]> = table.changes().map(|(_, c)| table.races.mates(c)).collect();
        let mates: &Mates<'_> = &|i: Ix| match self.change[i as usize] {
            0 => (run.events[i as usize].pick, run.mates(i)),
            n if changed[n as usize - 1].is_empty() => (Pick::Nothing, &[]),
            n => (Pick::Mates, changed[n as usize - 1]),
        };
        self.reality.check(run, objects, settings, Some(&lasting), mates)
    }
}

/// The op of an event once it takes these mates: a completion is called after its call, and after the take of a pair.
fn completed_op(run: &Run, event: &Event, mates: &[Ix]) -> Op {
    let call = mates.iter().rev().map(|&m| &run.events[m as usize]).find(|e| e.pick == Pick::No && e.op != Op::Disconnect);
    match event.op {
        Op::Send | Op::Call | Op::Receive | Op::Accept => event.op,
        _ => call.map_or(event.op, |call| call.op),
    }
}

/// What the analysis needs to know about the objects of a run after the run itself is over.
#[derive(Default, Debug)]
pub(crate) struct ObjectKinds {
    /// By object: whether it delivers like a queue.
    pub(crate) mailbox: Vec<bool>,
    /// Some run of this program could be unreal.
    pub(crate) may_be_unreal: bool,
}

impl ObjectKinds {
    pub(crate) fn note(&mut self, objects: &[Object], run: &Run) {
        use crate::execution::event::Kind;
        use crate::execution::ports::Delivery;
        self.mailbox.clear();
        self.mailbox.extend(objects.iter().map(|o| o.delivery == Delivery::Mailbox));
        let ports = objects.iter().filter(|o| {
            matches!(o.kind, Kind::Channel | Kind::Port | Kind::Entry)
        });
        // A single queue cannot contradict itself; it takes two, or a receive that found nothing.
        let may_fail = |e: &Event| e.flags.has(Flags::MAY_FAIL) || e.op == Op::TryTake;
        self.may_be_unreal = ports.count() > 1 || run.events.iter().any(may_fail);
    }
}
