//! The panic that a run ended with.

use insyn_engine::ids::ThreadId;
use insyn_engine::{Engine, PanicInfo};

/// The panic that no join has passed on: the last panic of the first thread that ended with one. (The thread may have
/// caught others before.)
pub(super) fn fatal_panic(engine: &Engine) -> Option<&PanicInfo> {
    engine.panics.all.get(fatal(engine)?)
}

/// As [`fatal_panic`], as an index.
pub(super) fn fatal(engine: &Engine) -> Option<usize> {
    let thread = engine.threads.ids().find(|&t| is_fatal(engine, t))?;
    engine.panics.all.iter().rposition(|p| p.thread == thread)
}

/// Whether a thread ended with a panic that no join has passed on.
pub(super) fn is_fatal(engine: &Engine, thread: ThreadId) -> bool {
    engine.threads[thread].panicked && (thread == ThreadId::FIRST || !engine.threads[thread].joined)
}
