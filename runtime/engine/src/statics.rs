//! Statics, which start anew in every execution, and by which the objects in them are named.

use std::any::Any;
use std::collections::BTreeMap;

use crate::Engine;
use crate::access::with_current;
use crate::ids::ProcessId;
use crate::record::event::Kind;

/// The statics of the program.
#[derive(Default)]
pub struct Statics {
    /// What they hold.
    pub values: Vec<StaticValue>,
    /// How many processes of which kind each has made.
    counts: BTreeMap<(ProcessId, Kind), u32>,
}

impl Statics {
    /// Starts another run. What the statics hold is dropped when a run ends.
    #[inline]
    pub fn reset(&mut self) {
        let Statics { values: _, counts } = self;
        // Clearing a map costs time even if it is empty; most programs have no statics.
        if !counts.is_empty() {
            counts.clear();
        }
    }
}

/// What a static holds in the running program.
pub struct StaticValue {
    /// The address of the static.
    key: usize,
    value: Box<dyn Any>,
}

/// What a static holds in the running program; made by `init` where it is touched first. None outside a program.
///
/// The objects in it are named by the static, so that it does not matter which thread touches it first.
pub fn of_static<T: 'static>(key: usize, name: &'static str, init: impl FnOnce() -> T) -> Option<&'static T> {
    if let Some(found) = with_current(|engine| engine.find_static::<T>(key))? {
        return Some(found);
    }
    let (me, creator, naming) = with_current(|engine| {
        let me = engine.schedule.running;
        let process = engine.processes.of_static(name);
        let creator = std::mem::replace(&mut engine.threads[me].creator, process);
        (me, creator, engine.threads[me].naming.take())
    })?;
    let value = StaticValue { key, value: Box::new(init()) };
    // If `init` had to wait, two threads may have made a value; the first one counts.
    let (found, unused) = with_current(|engine| {
        engine.threads[me].creator = creator;
        engine.threads[me].naming = naming;
        let unused = match engine.find_static::<T>(key) {
            Some(_) => Some(value),
            None => {
                engine.statics.values.push(value);
                None
            }
        };
        (engine.find_static(key), unused)
    })?;
    drop(unused);
    found
}

impl Engine {
    fn find_static<T: 'static>(&self, key: usize) -> Option<&'static T> {
        let found = self.statics.values.iter().find(|s| s.key == key)?;
        let value: *const T = found.value.downcast_ref::<T>()?;
        // SAFETY: the box stays where it is until the run is over and every thread of the program has ended.
        Some(unsafe { &*value })
    }

    /// The number of the next process of a kind that a static makes.
    pub(crate) fn count_in_static(&mut self, creator: ProcessId, kind: Kind) -> u32 {
        let count = self.statics.counts.entry((creator, kind)).or_insert(0);
        *count += 1;
        *count
    }
}
