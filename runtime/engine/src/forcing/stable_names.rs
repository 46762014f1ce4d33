//! Whether the events in a forced run have the names that they would have once all facts are known.
//!
//! The names of some events depend on facts ([`crate::refinement`]) that perhaps only another execution shows: the events
//! of a channel get other names, and drops of handles become events. A run is *stable* if no fact that could still be
//! discovered about its processes concerns an event that the forced sequence would name. Then no discovery changes whether
//! the run follows the sequence; if all runs are stable, the other executions of the program need not be explored.

use std::borrow::Cow;

use insyn_sequences::{Named, ObservedEvent, Took};

use crate::Engine;
use crate::forcing::Forcing;
use crate::ids::ProcessId;
use crate::live::joined;
use crate::record::event::{Kind, Op};
use crate::refinement;

/// A counted pointer whose count is no object in this run, and the name that the object would have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Uncounted {
    process: ProcessId,
    names: Option<&'static [&'static str]>,
}

/// The name of a thread or object.
type Known<'x> = (&'x str, Option<Cow<'x, str>>);

fn named<'k>((id, name): &'k Known<'_>) -> Named<'k> {
    Named { id, name: name.as_deref() }
}

impl Engine {
    /// A pointer has been made that is not counted.
    #[inline]
    pub fn note_uncounted(&mut self, process: ProcessId) {
        if self.turns.forcing.is_some() {
            let names = self.threads[self.schedule.running].naming;
            self.turns.uncounted.push(Uncounted { process, names });
        }
    }

    /// See the [module](self).
    pub fn is_stable(&self, forcing: &Forcing) -> bool {
        if self.has_untested_poll() {
            return false;
        }
        // A sequence that names no such event does not pay for the check.
        forcing.is_stable()
            || !self.could_count(forcing)
                && !self.could_watch(forcing)
                && !self.could_share(forcing)
                && !self.could_lead(forcing)
    }

    /// Whether pointers could turn out to be counted.
    fn could_count(&self, forcing: &Forcing) -> bool {
        self.turns.uncounted.iter().any(|pointer| {
            let known = (self.processes.id(pointer.process), pointer.names.map(joined));
            self.could_name(forcing, &[Op::Clone, Op::Drop], &known)
        })
    }

    /// Whether it could matter when threads end, and which thread drops what they return.
    fn could_watch(&self, forcing: &Forcing) -> bool {
        // No thread waits for the end of the first.
        self.threads.iter().skip(1).any(|thread| {
            let could = |ops: &[Op], number| {
                let id = format!("{}/{}{number}", self.processes.id(thread.process), Kind::End.word());
                self.could_name(forcing, ops, &(&id, None))
            };
            !thread.facts.watched && could(&[Op::DropSender, Op::Disconnect], 1)
                || !thread.facts.counted && could(&[Op::Drop], 2)
        })
    }

    /// Whether channels could need an order of their own, or an order of the drops of their receivers.
    fn could_share(&self, forcing: &Forcing) -> bool {
        self.objects.ids().any(|id| {
            let (object, recorded) = (&self.objects[id], &self.run.objects[id]);
            let ops = match recorded.kind {
                Kind::Channel | Kind::Timer if recorded.is_port && !object.stays_port => Op::ALL,
                Kind::Channel | Kind::Bounded | Kind::Rendezvous | Kind::Timer
                    if !recorded.is_port
                        && object.receivers as usize + object.receiver_drops.len() > 1
                        && !self.processes.facts(recorded.process).counted =>
                {
                    &[Op::DropReceiver, Op::HangUp]
                }
                _ => return false,
            };
            self.could_name(forcing, ops, &(self.processes.id(recorded.process), object.title()))
        })
    }

    /// Whether it could matter which thread was the leader at a barrier: the leader is listed first.
    fn could_lead(&self, forcing: &Forcing) -> bool {
        let arrivals = self.run.events.ids().filter(|&i| {
            let event = self.run.at(i);
            event.op == Op::Arrive
                && event.object.is_some_and(|object| !self.run.objects[object].has_leader)
                && self.happens(event)
        });
        arrivals.into_iter().any(|i| {
            self.with_event(i, |event| {
                let usual = (forcing.steps)(event);
                (1..event.threads.len()).any(|leader| {
                    let mut threads = event.threads.clone();
                    threads[..=leader].rotate_right(1);
                    let took = Took::Threads(threads.clone());
                    let led = ObservedEvent {
                        op: event.op,
                        object: event.object,
                        threads,
                        took,
                        label: event.label,
                    };
                    (forcing.steps)(&led) != usual
                })
            })
        })
    }

    /// Whether an event with one of these operations on an object would be named, whichever thread did it and whatever it
    /// took.
    fn could_name(&self, forcing: &Forcing, ops: &[Op], object: &Known<'_>) -> bool {
        let ops = ops.iter().filter(|&&op| !refinement::is_stable(op) && (forcing.names)(op));
        let threads: Vec<Known<'_>> =
            self.threads.iter().map(|thread| (self.processes.id(thread.process), thread.title())).collect();
        let alone = || threads.iter().map(|thread| vec![named(thread)]);
        let names = |op, by: &[Named<'_>], took| {
            let observed =
                ObservedEvent { op, object: Some(named(object)), threads: by.to_vec(), took, label: None };
            (forcing.steps)(&observed).is_some()
        };
        ops.into_iter().any(|&op| {
            std::iter::once(Vec::new()).chain(alone()).any(|by| {
                [Took::Nothing, Took::Closed]
                    .into_iter()
                    .chain(alone().map(Took::Threads))
                    .any(|took| names(op, &by, took))
            })
        })
    }
}
