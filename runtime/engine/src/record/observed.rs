//! The events of a run as they appear in sequences: by name, and with a call and its completion as one event.

use std::borrow::Cow;

use insyn_sequences::{Named, ObservedEvent, Took};

use crate::Engine;
use crate::ids::{EventId, ObjectId, ProcessId, ThreadId};
use crate::record::event::{Event, Op, Pick};

/// What a specification can observe of an event, in numbers. They hold for one worker, as long as its threads have the same
/// names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Outline {
    op: Op,
    /// The object by its process, and its names by their address and number.
    object: Option<(ProcessId, Option<(usize, usize)>)>,
    /// The process of the thread; none if the event belongs to several threads, whose calls an object completed together.
    thread: Option<ProcessId>,
    took: Taken,
}

/// What an event took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Taken {
    Nothing,
    Closed,
    /// Something of the thread with this process.
    Thread(ProcessId),
}

impl Engine {
    /// Whether sequences contain an event. They contain the completion of a call, but not the call.
    pub fn happens(&self, event: &Event) -> bool {
        if event.op.is_turn() || event.op == Op::Select {
            return false;
        }
        if !self.is_of_thread(event) {
            return true;
        }
        if event.pick != Pick::No || event.object.is_none() {
            return true;
        }
        // A handle for receiving that is not the only one is dropped without a completion.
        let object = &self.run.objects[event.on()];
        let is_call = !object.is_port && event.op != Op::DropReceiver && object.kind.completes(event.op);
        !is_call && !self.is_completed(event)
    }

    /// Whether an event belongs to a reader, because the readers of its lock are not ordered.
    fn is_unordered_read(&self, event: &Event) -> bool {
        event.op.is_reading()
            && event.object.is_some_and(|object| self.run.objects[object].is_unordered)
            && self.is_of_thread(event)
    }

    /// Whether an event of a thread is a call that an object has completed.
    fn is_completed(&self, call: &Event) -> bool {
        call.taken_by.is_some_and(|by| !self.is_of_thread(self.run.at(by)))
    }

    /// Whether an event is a thread's own.
    fn is_of_thread(&self, event: &Event) -> bool {
        event.thread.is_some_and(|it| event.process == self.threads[it].process)
    }

    /// The call that represents all threads that arrive at a barrier together. Which thread arrived first does not belong
    /// to the sequence, unless the program asks for the leader; so this is the call of the thread whose id comes first.
    pub fn first_arrival(&self, event: &Event) -> Option<EventId> {
        if event.op != Op::Arrive || event.pick == Pick::No || self.run.objects[event.on()].has_leader {
            return None;
        }
        let id = |call: EventId| self.processes.id(self.threads[self.run.at(call).by()].process);
        self.run.partners(event).iter().copied().min_by_key(|&call| id(call))
    }

    /// An event in numbers, if it is as simple as most are: it has no label, and took no more than one thing.
    pub fn outline(&self, i: EventId) -> Option<Outline> {
        let run = &self.run;
        let event = run.at(i);
        let is_thread = self.is_of_thread(event);
        let process = |event: &Event| self.threads[event.by()].process;
        let partners = run.partners(event);
        let mut took = partners
            .iter()
            .map(|&m| run.at(m))
            .filter(|partner| self.is_of_thread(partner) && (is_thread || partner.taken_by == Some(i)));
        let (first, second) = (took.next(), took.next());
        if second.is_some() || self.label_of(i).is_some() {
            return None;
        }
        let object = event.object.map(|object| {
            let names = self.objects[object].names;
            (self.run.objects[object].process, names.map(|it| (it.as_ptr().addr(), it.len())))
        });
        let took = match first {
            // It has the name that it would have if readers were ordered.
            _ if self.is_unordered_read(event) => Taken::Thread(process(event)),
            Some(partner) => Taken::Thread(process(partner)),
            None if partners.is_empty() => Taken::Nothing,
            None => Taken::Closed,
        };
        Some(Outline { op: event.op, object, thread: is_thread.then(|| process(event)), took })
    }

    /// Calls `show` with an event as it appears in sequences.
    pub fn with_event<R>(&self, i: EventId, show: impl FnOnce(&ObservedEvent<'_>) -> R) -> R {
        let run = &self.run;
        let event = run.at(i);
        let is_thread = self.is_of_thread(event);
        let partners = run.partners(event);
        let taken: Vec<EventId> =
            partners.iter().copied().filter(|&m| self.is_of_thread(run.at(m))).collect();
        let (threads, took): (Vec<ThreadId>, Vec<ThreadId>) = match is_thread {
            true if self.is_unordered_read(event) => (vec![event.by()], vec![event.by()]),
            true => (vec![event.by()], taken.iter().map(|&m| run.at(m).by()).collect()),
            false => {
                let callers =
                    taken.iter().filter(|&&m| run.at(m).taken_by == Some(i)).map(|&m| run.at(m).by());
                let mut callers: Vec<ThreadId> = callers.collect();
                if event.op == Op::Arrive {
                    // As in the sequence: the leader first, if there is one.
                    let led = usize::from(self.run.objects[event.on()].has_leader);
                    callers[led..].sort_by_key(|&t| self.processes.id(self.threads[t].process));
                }
                (callers.clone(), callers)
            }
        };
        let label = self.label_of(i);
        self.with_observed(event.op, event.object, &threads, &took, partners.is_empty(), label, show)
    }

    /// Calls `show` with a call of a thread, as if it had been completed.
    pub(crate) fn with_call<R>(
        &self,
        thread: ThreadId,
        op: Op,
        object: ObjectId,
        show: impl FnOnce(&ObservedEvent<'_>) -> R,
    ) -> R {
        self.with_observed(op, Some(object), &[thread], &[thread], false, None, show)
    }

    #[expect(clippy::too_many_arguments, reason = "an event has so many parts")]
    fn with_observed<R>(
        &self,
        op: Op,
        object: Option<ObjectId>,
        threads: &[ThreadId],
        took: &[ThreadId],
        took_nothing: bool,
        label: Option<&insyn_sequences::Label>,
        show: impl FnOnce(&ObservedEvent<'_>) -> R,
    ) -> R {
        type Known<'x> = (&'x str, Option<Cow<'x, str>>);
        let thread = |&t: &ThreadId| -> Known<'_> {
            let thread = &self.threads[t];
            (self.processes.id(thread.process), thread.title())
        };
        let (threads, took): (Vec<Known<'_>>, Vec<Known<'_>>) =
            (threads.iter().map(thread).collect(), took.iter().map(thread).collect());
        let object: Option<Known<'_>> = object.map(|object| {
            (self.processes.id(self.run.objects[object].process), self.objects[object].title())
        });
        fn named<'k>((id, name): &'k Known<'_>) -> Named<'k> {
            Named { id, name: name.as_deref() }
        }
        let observed = ObservedEvent {
            op,
            object: object.as_ref().map(named),
            threads: threads.iter().map(named).collect(),
            took: match (took.is_empty(), took_nothing) {
                (true, true) => Took::Nothing,
                (true, false) => Took::Closed,
                _ => Took::Threads(took.iter().map(named).collect()),
            },
            label,
        };
        show(&observed)
    }
}
