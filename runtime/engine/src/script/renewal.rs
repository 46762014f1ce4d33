//! Renewed events that never happened: which threads wait with one, and whether only an old partner was there.

use crate::Engine;
use crate::ids::{EventId, ObjectId, ProcessId};
use crate::record::event::Kind;
use crate::record::run::{RecordedObject, Unresolved};

impl Engine {
    /// What a renewed event that never happened would have come after, for each process that waits with one.
    pub(crate) fn note_unresolved(&mut self) {
        if !self.script.renews {
            return;
        }
        for t in self.threads.ids() {
            let thread = &self.threads[t];
            let (process, prev, also) = (thread.process, thread.prev, thread.also);
            self.note_if_unresolved(process, prev, also);
        }
        for o in self.objects.ids() {
            let RecordedObject { timeline, host, .. } = self.run.objects[o];
            if host == o {
                self.note_if_unresolved(timeline, self.objects[o].prev, None);
            }
        }
    }

    /// Whether a renewed event found no new partner although an old one was there.
    pub fn has_repeat(&mut self) -> bool {
        (0..self.run.unresolved.len()).any(|u| {
            let process = self.run.unresolved[u].process;
            match self.processes.kind(process) {
                Kind::Thread => {
                    let thread = self.threads.ids().find(|&t| self.threads[t].process == process);
                    thread.is_some_and(|t| self.could_repeat(t))
                }
                _ => {
                    let is_host = |&o: &ObjectId| {
                        self.run.objects[o].timeline == process && self.run.objects[o].host == o
                    };
                    self.objects.ids().find(is_host).is_some_and(|o| self.could_complete(o))
                }
            }
        })
    }

    fn note_if_unresolved(&mut self, process: ProcessId, prev: Option<EventId>, also: Option<EventId>) {
        if self.renews(process) {
            self.run.unresolved.push(Unresolved { process, prev, also });
        }
    }
}
