//! The threads that have read a lock since the last completion on it, while readers are not ordered.

use crate::ids::{EventId, ThreadId};

/// See the [module](self).
#[derive(Debug, Default)]
pub(crate) struct Readings {
    /// The last completion on the lock when a thread last read it.
    since: Option<EventId>,
    /// The threads that have read since then, each with the last end of a read.
    by: Vec<(ThreadId, Option<EventId>)>,
}

impl Readings {
    pub(super) fn clear(&mut self) {
        self.since = None;
        self.by.clear();
    }

    /// Whether a thread has read since this completion, which is the last.
    pub(crate) fn has(&self, thread: ThreadId, last: Option<EventId>) -> bool {
        self.since == last && self.by.iter().any(|(reader, _)| *reader == thread)
    }

    /// A thread starts to read after this completion.
    pub(crate) fn start(&mut self, thread: ThreadId, last: Option<EventId>) {
        self.of(thread, last);
    }

    /// A thread that has read after this completion stops reading.
    pub(crate) fn end(&mut self, thread: ThreadId, last: Option<EventId>, event: EventId) {
        *self.of(thread, last) = Some(event);
    }

    /// The threads that have read since this completion, with the ends of their reads.
    pub(crate) fn ends(&self, last: Option<EventId>) -> impl Iterator<Item = (ThreadId, EventId)> {
        let by = if self.since == last { &self.by[..] } else { &[] };
        by.iter().filter_map(|&(thread, end)| Some((thread, end?)))
    }

    fn of(&mut self, thread: ThreadId, last: Option<EventId>) -> &mut Option<EventId> {
        if self.since != last {
            self.by.clear();
            self.since = last;
        }
        let at = self.by.iter().position(|(reader, _)| *reader == thread).unwrap_or_else(|| {
            self.by.push((thread, None));
            self.by.len() - 1
        });
        &mut self.by[at].1
    }
}
