//! Statics, which start anew in every execution and give what they make its names.

use std::any::Any;

use super::event::Kind;
use super::ids::ProcessId;
use super::{Engine, current};

/// What a static holds in the running program.
pub(super) struct StaticValue {
    /// The address of the static.
    key: usize,
    value: Box<dyn Any>,
}

/// What a static holds in the running program; made by `init` where it is touched first. None outside a program.
///
/// The objects in it are named by the static, so that it does not matter which thread that is.
pub(crate) fn of_static<T: 'static>(
    key: usize,
    name: &'static str,
    init: impl FnOnce() -> T,
) -> Option<&'static T> {
    let engine = current()?;
    if let Some(found) = engine.find_static::<T>(key) {
        return Some(found);
    }
    let me = engine.running;
    let process = engine.processes.of_static(name);
    let creator = std::mem::replace(&mut engine.threads[me].creator, process);
    let naming = engine.threads[me].naming.take();
    let value = init();
    let engine = current()?;
    engine.threads[me].creator = creator;
    engine.threads[me].naming = naming;
    // Two threads may have come here at once, if making it had to wait; the first one counts.
    if engine.find_static::<T>(key).is_none() {
        engine.statics.push(StaticValue { key, value: Box::new(value) });
    }
    engine.find_static(key)
}

impl Engine {
    fn find_static<T: 'static>(&self, key: usize) -> Option<&'static T> {
        let found = self.statics.iter().find(|s| s.key == key)?;
        let value: *const T = found.value.downcast_ref::<T>()?;
        // SAFETY: the box stays where it is until the run is over and every thread of the program has ended.
        Some(unsafe { &*value })
    }

    /// The how many-th process of its kind a static makes.
    pub(super) fn count_in_static(&mut self, creator: ProcessId, kind: Kind) -> u32 {
        let count = self.static_counts.entry((creator, kind)).or_insert(0);
        *count += 1;
        *count
    }
}
