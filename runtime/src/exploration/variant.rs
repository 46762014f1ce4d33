//! From a row of the race table to the variant: what is kept, what is renewed, and what turns black.

use super::past::{bits, up_to};
use super::reality::{Part, Reality};
use super::table::Table;
use crate::execution::event::{Flags, Ix, NONE, Pick};
use crate::execution::ports::Delivery;
use crate::execution::script::Script;
use crate::execution::{Execution, Settings};
use crate::rules::Rule;

/// Memory for making variants, kept by the worker.
#[derive(Default, Debug)]
pub(crate) struct Maker {
    /// By event: it is removed, or changed, so that what happens after it cannot be kept.
    gone: Vec<bool>,
    /// By event: it may never change again.
    dark: Vec<bool>,
    /// By event: the row changes it.
    change: Vec<bool>,
    /// By event: it lasts, see [`Maker::mark_lasting`].
    lasting: Vec<bool>,
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
        script: &mut Script,
    ) -> bool {
        let check = settings.rules.has(Rule::Reality) && objects.may_be_unreal;
        let words = table.pasts.as_words();
        if check || words.is_none() {
            self.mark_changes(table);
            self.mark_dark(table);
        }
        let drops = check && settings.rules.has(Rule::UnrealDropped);
        if drops && !self.lasting_part_is_real(table, objects, settings) {
            return false;
        }
        if let Some(pasts) = words {
            write_short(table, pasts, script);
            return true;
        }
        self.write(table, script);
        for u in &table.recorded.unresolved {
            if !self.is_gone(u.prev) && !self.is_gone(u.also) {
                script.renew(u.chain, u.index);
            }
        }
        true
    }

    fn mark_changes(&mut self, table: &Table) {
        self.change.clear();
        self.change.resize(table.recorded.events.len(), false);
        for (event, _) in table.changes() {
            self.change[event as usize] = true;
        }
    }

    /// Everything that happens before a changed event, through its own past or its new partner's. (A row never changes
    /// an event that is in the past of another change, so the old partners seen on the way are the ones that stay.)
    fn mark_dark(&mut self, table: &Table) {
        let run = &table.recorded;
        self.dark.clear();
        self.dark.resize(run.events.len(), false);
        let mut top = 0;
        for (event, candidate) in table.changes() {
            for p in run.own(&run.events[event as usize]).chain(table.races.mates(candidate).iter().copied())
            {
                self.dark[p as usize] = true;
                top = top.max(p as usize + 1);
            }
        }
        for i in (0..top).rev() {
            if self.dark[i] {
                let event = &run.events[i];
                if event.prev != NONE {
                    self.dark[event.prev as usize] = true;
                }
                if event.also != NONE {
                    self.dark[event.also as usize] = true;
                }
                run.drops(event).iter().for_each(|&p| self.dark[p as usize] = true);
                run.mates(event).iter().for_each(|&p| self.dark[p as usize] = true);
            }
        }
    }

    fn is_gone(&self, event: Ix) -> bool {
        event != NONE && self.gone[event as usize]
    }

    fn write(&mut self, table: &Table, script: &mut Script) {
        let run = &table.recorded;
        script.start(&table.whole);
        self.gone.clear();
        self.gone.resize(run.events.len(), false);
        let mut changes = table.changes();
        for (i, event) in run.events.iter().enumerate() {
            let lost = |p: Ix| p != NONE && self.gone[p as usize];
            let change = if self.change[i] { changes.next() } else { None };
            let drops = run.drops(event);
            // Of what is lost nothing is changed, unless a test has switched the rule off.
            let is_lost = lost(event.prev) || lost(event.also) || drops.iter().any(|&p| lost(p));
            match change {
                Some((_, candidate)) if !is_lost => {
                    script.change(i, table.races.mates(candidate));
                    self.gone[i] = true;
                }
                _ if is_lost || run.mates(event).iter().any(|&m| lost(m)) => {
                    if !is_lost {
                        script.renew(event.chain, event.index);
                    }
                    script.remove(&table.whole, event.chain, i);
                    self.gone[i] = true;
                }
                _ if self.dark[i] => script.blacken(i),
                _ => {}
            }
        }
    }

    fn lasting_part_is_real(&mut self, table: &Table, objects: &ObjectKinds, settings: &Settings) -> bool {
        self.mark_lasting(table);
        let lasting = Lasting { table, lasting: &self.lasting, change: &self.change };
        self.reality.check(&table.recorded, objects, settings, &lasting)
    }

    /// What can never change again: black events that the row keeps, with all that happens before them.
    fn mark_lasting(&mut self, table: &Table) {
        let run = &table.recorded;
        self.lasting.clone_from(&self.dark);
        self.gone.clear();
        self.gone.resize(run.events.len(), false);
        for (i, event) in run.events.iter().enumerate() {
            let gone = |p: Ix| self.gone[p as usize] || self.change[p as usize];
            let removed =
                run.own(event).any(gone) || !self.change[i] && run.mates(event).iter().any(|&m| gone(m));
            self.gone[i] = removed;
            self.lasting[i] |= self.change[i] || event.flags.has(Flags::BLACK) && !removed;
        }
        for i in (0..run.events.len()).rev() {
            if self.lasting[i] {
                let event = &run.events[i];
                for p in run.own(event) {
                    self.lasting[p as usize] = true;
                }
                if !self.change[i] {
                    run.mates(event).iter().for_each(|&m| self.lasting[m as usize] = true);
                }
            }
        }
    }
}

/// The lasting part of the variant that the current row of a table makes. Nothing in it happens after a change.
struct Lasting<'a> {
    table: &'a Table,
    lasting: &'a [bool],
    change: &'a [bool],
}

impl Lasting<'_> {
    /// The new mates of a changed event.
    fn new_mates(&self, i: Ix) -> &[Ix] {
        let found = self.table.changes().find(|(event, _)| *event == i);
        found.map_or(&[], |(_, candidate)| self.table.races.mates(candidate))
    }
}

impl Part for Lasting<'_> {
    fn has(&self, i: Ix) -> bool {
        self.lasting[i as usize]
    }

    fn takes(&self, i: Ix) -> (Pick, &[Ix]) {
        let run = &self.table.recorded;
        if !self.change[i as usize] {
            return (run.at(i).pick, run.mates(run.at(i)));
        }
        let mates = self.new_mates(i);
        (if mates.is_empty() { Pick::Nothing } else { Pick::Mates }, mates)
    }

    fn is_changed(&self, i: Ix) -> bool {
        self.change[i as usize]
    }

    fn before(&self, a: Ix, b: Ix) -> bool {
        let pasts = &self.table.pasts;
        if !pasts.are_known() || self.change[a as usize] {
            return false;
        }
        if !self.change[b as usize] {
            return pasts.before(a, b);
        }
        pasts.in_own(&self.table.recorded, a, b) || self.new_mates(b).iter().any(|&m| pasts.up_to(a, m))
    }
}

/// As [`Maker::make`], for a run whose pasts are one word each: what is removed, renewed or dark is a matter of masks.
fn write_short(table: &Table, pasts: &[u64], script: &mut Script) {
    let run = &table.recorded;
    let up_to = |event: Ix| up_to(pasts, event);
    let mut changed = 0u64;
    let mut dark = 0u64;
    for (i, candidate) in table.changes() {
        let event = run.at(i);
        changed |= 1 << i;
        dark |= up_to(event.prev) | up_to(event.also);
        for &mate in table.races.mates(candidate) {
            dark |= up_to(mate);
        }
    }
    script.start(&table.whole);
    bits(dark).for_each(|i| script.blacken(i));
    let mut lost = 0u64;
    // What happens after an event is recorded after it.
    let first = changed.trailing_zeros() as usize;
    for (i, past) in pasts.iter().enumerate().skip(first) {
        if past & changed == 0 {
            continue;
        }
        let event = &run.events[i];
        let is_gone = |p: Ix| (lost | changed).checked_shr(p).is_some_and(|gone| gone & 1 != 0);
        if !is_gone(event.prev) && !is_gone(event.also) && !run.drops(event).iter().any(|&p| is_gone(p)) {
            if changed >> i & 1 != 0 {
                continue;
            }
            script.renew(event.chain, event.index);
        }
        lost |= 1 << i;
        script.remove(&table.whole, event.chain, i);
    }
    // Of what is lost nothing is changed, unless a test has switched the rule off.
    for (i, candidate) in table.changes().filter(|(i, _)| lost >> i & 1 == 0) {
        script.change(i as usize, table.races.mates(candidate));
    }
    for u in &run.unresolved {
        if (up_to(u.prev) | up_to(u.also)) & changed == 0 {
            script.renew(u.chain, u.index);
        }
    }
}

/// What the analysis needs to know about the objects of a run after the run itself is over.
#[derive(Default, Debug)]
pub(crate) struct ObjectKinds {
    /// By object: whether it delivers like a queue.
    pub(crate) mailbox: Vec<bool>,
    /// By object: what a send meets when no receiver is left.
    pub(crate) gone: Vec<Ix>,
    /// By object: the process of its timeline.
    pub(crate) lines: Vec<u32>,
    /// The run, or a variant of it, could be unreal.
    pub(crate) may_be_unreal: bool,
    /// Some receive of the run could have found nothing.
    pub(crate) may_find_nothing: bool,
}

impl ObjectKinds {
    pub(crate) fn note(&mut self, x: &Execution) {
        // A single queue cannot contradict itself; it takes two, or a receive that found nothing.
        self.may_be_unreal = x.ports > 1 || x.may_find_nothing;
        self.may_find_nothing = x.may_find_nothing;
        self.mailbox.clear();
        self.gone.clear();
        self.lines.clear();
        if self.may_be_unreal {
            self.list(x);
        }
    }

    /// All objects, whether or not the run could be unreal.
    pub(crate) fn of(x: &Execution) -> Self {
        let mut objects = ObjectKinds { may_be_unreal: true, ..ObjectKinds::default() };
        objects.list(x);
        objects
    }

    fn list(&mut self, x: &Execution) {
        let objects = &x.objects[..x.live_objects];
        self.mailbox.extend(objects.iter().map(|o| o.delivery == Delivery::Mailbox));
        self.gone.extend(objects.iter().map(|o| o.receiver_drop));
        self.lines.extend(objects.iter().map(|o| objects[o.host as usize].line));
    }
}
