//! Renewed events that never happened: who waits with one, and whether only an old partner was there.

use super::Execution;
use super::event::{Ix, Kind, NONE, Unresolved};
use super::objects::Object;

impl Execution {
    /// What a renewed event that never happened would have come after, for each process that waits with one.
    pub(crate) fn note_unresolved(&mut self) {
        if !self.script.renews {
            return;
        }
        for t in 0..self.live_threads {
            let thread = &self.threads[t];
            let (chain, prev, also) = (thread.process, thread.prev, thread.also);
            self.note_if_unresolved(chain, prev, also);
        }
        for o in 0..self.live_objects {
            let Object { line, prev, host, .. } = self.objects[o];
            if host == o as u32 {
                self.note_if_unresolved(line, prev, NONE);
            }
        }
    }

    /// Whether a renewed event found no new partner although an old one was there.
    pub(crate) fn has_repeat(&mut self) -> bool {
        (0..self.done.unresolved.len()).any(|u| {
            let chain = self.done.unresolved[u].chain;
            match self.processes.kind(chain) {
                Kind::Thread => {
                    let thread = (0..self.live_threads).find(|&t| self.threads[t].process == chain);
                    thread.is_some_and(|t| self.could_repeat(t as u32))
                }
                _ => {
                    let is_host =
                        |&o: &usize| self.objects[o].line == chain && self.objects[o].host == o as u32;
                    let object = (0..self.live_objects).find(is_host);
                    object.is_some_and(|o| self.could_complete(o as u32))
                }
            }
        })
    }

    fn note_if_unresolved(&mut self, chain: u32, prev: Ix, also: Ix) {
        if self.renews(chain) {
            let index = self.chain_len(chain);
            self.done.unresolved.push(Unresolved { chain, index, prev, also });
        }
    }
}
