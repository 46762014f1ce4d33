//! Statics, which start anew in every execution and give what they make its names.

use std::any::Any;

use super::event::Kind;
use super::ids::ProcessId;
use super::{Execution, current};

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
    let x = current()?;
    if let Some(found) = x.find_static::<T>(key) {
        return Some(found);
    }
    let me = x.running;
    let process = x.processes.of_static(name);
    let creator = std::mem::replace(&mut x.threads[me].creator, process);
    let naming = x.threads[me].naming.take();
    let value = init();
    let x = current()?;
    x.threads[me].creator = creator;
    x.threads[me].naming = naming;
    // Two threads may have come here at once, if making it had to wait; the first one counts.
    if x.find_static::<T>(key).is_none() {
        x.statics.push(StaticValue { key, value: Box::new(value) });
    }
    x.find_static(key)
}

impl Execution {
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
