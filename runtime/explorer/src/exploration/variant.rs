//! From a row of the race table to the variant: what is kept, what is renewed, and what turns black.

use super::bits::up_to;
use super::consistency::Consistency;
use super::constraints::Part;
use super::order::HappensBefore;
use super::past::Form;
use super::relevant::Relevant;
use super::set::{Set, bits};
use super::table::Table;
use insyn_engine::Settings;
use insyn_engine::ids::{EventId, Id as _};
use insyn_engine::record::event::Pick;
use insyn_engine::rules::Rule;
use insyn_engine::script::Script;

/// Memory for making variants, kept by the worker.
#[derive(Default, Debug)]
pub(crate) struct Maker {
    /// Events that are removed or changed, so that nothing after them can be kept.
    gone: Set,
    /// Events that turn black.
    dark: Set,
    /// Events that the row changes.
    change: Set,
    /// Events that can never change again in the variant of the row.
    lasting: Set,
    consistency: Consistency,
}

impl Maker {
    /// Writes the variant of the table's current row as a script. False if its permanent part is already inconsistent, so
    /// that no consistent run could follow.
    pub(crate) fn make(
        &mut self,
        table: &Table,
        relevant: &Relevant,
        settings: &Settings,
        script: &mut Script,
    ) -> bool {
        let check = relevant.may_be_inconsistent
            && settings.rules.has(Rule::Consistency)
            && settings.rules.has(Rule::InconsistentDropped);
        let words = table.pasts.as_words();
        if check || words.is_none() {
            self.mark_changes(table);
            self.mark_dark(table);
        }
        if check && !self.lasting_part_is_consistent(table, relevant, settings) {
            return false;
        }
        if let Some(pasts) = words {
            write_short(table, pasts, script);
            return true;
        }
        self.write(table, script);
        for u in &table.recorded.unresolved {
            let is_gone = |it: Option<EventId>| it.is_some_and(|it| self.gone.has(it));
            if !is_gone(u.prev) && !is_gone(u.also) {
                script.renew(u.process);
            }
        }
        true
    }

    fn mark_changes(&mut self, table: &Table) {
        self.change.clear_for(table.recorded.events.len());
        table.changes().for_each(|(event, _)| self.change.insert(event));
    }

    /// Marks all that happens before a changed event, through its own past or its new partner's. (A row never changes an
    /// event in the past of another change, so the partners of all these events stay.)
    fn mark_dark(&mut self, table: &Table) {
        let run = &table.recorded;
        self.dark.clear_for(run.events.len());
        let mut last = None;
        for (event, candidate) in table.changes() {
            for p in run.own(run.at(event)).chain(table.partners(candidate).iter().copied()) {
                self.dark.insert(p);
                last = last.max(Some(p));
                if let Form::Bits(bits) = table.pasts.form() {
                    self.dark.add_words(bits.of(p));
                }
            }
        }
        if let (Form::Clocks(_), Some(last)) = (table.pasts.form(), last) {
            for (i, event) in run.events.pairs().take(last.place()).rev() {
                if self.dark.has(i) {
                    let before = run.own(event).chain(run.partners(event).iter().copied());
                    before.for_each(|p| self.dark.insert(p));
                }
            }
        }
    }

    fn write(&mut self, table: &Table, script: &mut Script) {
        let run = &table.recorded;
        script.start(&table.whole);
        self.gone.clear_for(run.events.len());
        let mut changes = table.changes();
        for (i, event) in run.events.pairs() {
            let change = if self.change.has(i) { changes.next() } else { None };
            // Nothing that is lost is changed, unless a test has switched the rule off.
            let is_lost = run.own(event).any(|p| self.gone.has(p));
            match change {
                Some((_, candidate)) if !is_lost => {
                    script.change(i, table.partners(candidate));
                    self.gone.insert(i);
                }
                _ if is_lost || run.partners(event).iter().any(|&m| self.gone.has(m)) => {
                    if !is_lost {
                        script.renew(event.process);
                    }
                    script.remove(&table.whole, event.process, i);
                    self.gone.insert(i);
                }
                _ if self.dark.has(i) => script.blacken(i),
                _ => {}
            }
        }
    }

    /// Whether real objects could have done the events that can never change again: those that are black and those that
    /// the row turns black. All that happens before a black event is black too, so the row keeps all of it.
    fn lasting_part_is_consistent(
        &mut self,
        table: &Table,
        relevant: &Relevant,
        settings: &Settings,
    ) -> bool {
        self.lasting.clear_for(table.recorded.events.len());
        self.lasting.add(&relevant.black);
        self.lasting.add(&self.dark);
        self.lasting.add(&self.change);
        let Maker { lasting, change, consistency, .. } = self;
        match table.pasts.form() {
            Form::Bits(pasts) => {
                let lasting = Lasting { table, pasts, lasting, change };
                consistency.check(&table.recorded, relevant, settings, &lasting)
            }
            Form::Clocks(pasts) => {
                let lasting = Lasting { table, pasts, lasting, change };
                consistency.check(&table.recorded, relevant, settings, &lasting)
            }
        }
    }
}

/// The permanent part of the variant that the current row of a table makes. No event in it happens after a change.
struct Lasting<'a, H> {
    table: &'a Table,
    /// Its happens-before.
    pasts: &'a H,
    lasting: &'a Set,
    change: &'a Set,
}

impl<H> Lasting<'_, H> {
    /// The new partners of a changed event.
    fn new_partners(&self, i: EventId) -> &[EventId] {
        let found = self.table.changes().find(|(event, _)| *event == i);
        found.map_or(&[], |(_, candidate)| self.table.partners(candidate))
    }
}

impl<H: HappensBefore> Part for Lasting<'_, H> {
    fn has(&self, i: EventId) -> bool {
        self.lasting.has(i)
    }

    fn takes(&self, i: EventId) -> (Pick, &[EventId]) {
        let run = &self.table.recorded;
        if !self.change.has(i) {
            return (run.at(i).pick, run.partners(run.at(i)));
        }
        let partners = self.new_partners(i);
        (if partners.is_empty() { Pick::Nothing } else { Pick::Partners }, partners)
    }

    fn is_changed(&self, i: EventId) -> bool {
        self.change.has(i)
    }

    fn before(&self, a: EventId, b: EventId) -> bool {
        let pasts = self.pasts;
        if self.change.has(a) {
            return false;
        }
        if !self.change.has(b) {
            return pasts.before(a, b);
        }
        pasts.in_own(&self.table.recorded, a, b)
            || self.new_partners(b).iter().any(|&m| pasts.up_to(a, Some(m)))
    }

    fn rank(&self, i: EventId) -> usize {
        // No event of the part happens after a changed event, and a changed event may take one that was recorded later.
        if self.change.has(i) { i.place() + self.table.recorded.events.len() } else { i.place() }
    }
}

/// As [`Maker::make`], for a run whose pasts are one word each: the removed, renewed and black events are computed with
/// masks.
fn write_short(table: &Table, pasts: &[u64], script: &mut Script) {
    let run = &table.recorded;
    let up_to = |event: Option<EventId>| up_to(pasts, event);
    let mut changed = 0u64;
    let mut dark = 0u64;
    for (i, candidate) in table.changes() {
        let event = run.at(i);
        changed |= 1 << i.place();
        dark |= up_to(event.prev) | up_to(event.also);
        for &partner in table.partners(candidate) {
            dark |= up_to(Some(partner));
        }
    }
    script.start(&table.whole);
    bits(dark).filter_map(EventId::at).for_each(|i| script.blacken(i));
    let mut lost = 0u64;
    // Events that happen after an event are recorded after it.
    let first = changed.trailing_zeros() as usize;
    for (i, event) in run.events.pairs_after(first - 1) {
        let i_bit = 1 << i.place();
        if pasts[i.place()] & changed == 0 {
            continue;
        }
        let is_gone = |p: Option<EventId>| (lost | changed) >> p.map_or(0, EventId::place) & 1 != 0;
        let drops = run.drops(event);
        if !is_gone(event.prev) && !is_gone(event.also) && !drops.iter().any(|&p| is_gone(Some(p))) {
            if changed & i_bit != 0 {
                continue;
            }
            script.renew(event.process);
        }
        lost |= i_bit;
        script.remove(&table.whole, event.process, i);
    }
    // Nothing that is lost is changed, unless a test has switched the rule off.
    for (i, candidate) in table.changes().filter(|(i, _)| lost >> i.place() & 1 == 0) {
        script.change(i, table.partners(candidate));
    }
    for u in &run.unresolved {
        if (up_to(u.prev) | up_to(u.also)) & changed == 0 {
            script.renew(u.process);
        }
    }
}
