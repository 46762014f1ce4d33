//! Ports: unbounded channels and entries. A receive happens on the receiving thread and picks a send.
//!
//! A send never blocks; it picks NOTHING (it is delivered) or the receiver's drop (it is not). A disconnect is one sending
//! event after all the senders' drops, and is received without being used up. What a receive takes is decided in
//! [`crate::ports::receives`].

pub mod receives;

use crate::access::{Operation, with};
use crate::delivery::Delivery;
use crate::ids::{EventId, ExecutionId, ObjectId, ProcessId, ThreadId};
use crate::objects::{Answer, State};
use crate::record::event::{Event, Flags, Kind, Op, Pick, Span};
use crate::record::run::RecordedObject;
use crate::refinement::Fact;
use crate::schedule::steps;
use crate::schedule::steps::{begin, begin_if_alive, begin_to_make, perform, wait};
use crate::threads::WaitFor;
use crate::{Engine, Place, Plan};

/// Makes a port with one handle for sending.
pub fn new_port(execution: ExecutionId, kind: Kind, delivery: Delivery) -> ObjectId {
    begin_to_make(execution, |engine| {
        let process = engine.new_process(kind);
        let o = engine.new_port(process, kind);
        engine.run.objects[o].delivery = delivery;
        o
    })
}

/// A sent message.
#[derive(Clone, Copy, Debug)]
pub struct Sent {
    /// The name of the message.
    pub event: EventId,
    /// In this run the receiver was dropped first, although the drop comes later in the sequence.
    pub is_late: bool,
}

/// Sends (`op` is a send or the call of an entry); an error if the receiver is gone.
// Inlined where programs are optimized, so that a send is one piece of code; but not where mutants make many copies of each.
#[cfg_attr(not(any(feature = "mutants", debug_assertions)), inline(always))]
#[track_caller]
pub fn send(execution: ExecutionId, port: ObjectId, op: Op, place: Place) -> Result<Sent, ()> {
    match perform(execution, Send { port, op, place }) {
        Some(sent) => sent,
        None => send_later(execution, port, op, place),
    }
}

/// The operation of sending; if the thread has to wait, it records what for.
#[derive(Clone, Copy)]
struct Send {
    port: ObjectId,
    op: Op,
    place: Place,
}

impl Operation for Send {
    type Output = Option<Result<Sent, ()>>;

    #[cfg_attr(not(any(feature = "mutants", debug_assertions)), inline(always))]
    fn perform(self, engine: &mut Engine) -> Option<Result<Sent, ()>> {
        let Send { port, op, place } = self;
        match engine.try_send(port, op, place) {
            Ok(sent) => Some(sent),
            Err(on) => {
                engine.block(on, place);
                None
            }
        }
    }
}

/// As [`send`], for a thread that has begun to send and must wait for an event that comes first by the script.
#[cold]
#[inline(never)]
fn send_later(execution: ExecutionId, port: ObjectId, op: Op, place: Place) -> Result<Sent, ()> {
    loop {
        wait();
        if let Some(sent) = with(execution, |engine| Send { port, op, place }.perform(engine)) {
            return sent;
        }
    }
}

/// Another handle for sending; no event.
#[track_caller]
pub fn clone_sender(execution: ExecutionId, object: ObjectId) {
    with(execution, |engine| engine.objects[object].handles += 1);
}

/// Drops a handle for sending; the last one disconnects.
pub fn drop_sender(execution: ExecutionId, object: ObjectId, place: Place) {
    begin_if_alive(execution, |engine| {
        let drop = engine.record_thread(Op::DropSender, object, place);
        let channel = &mut engine.objects[object];
        channel.drops.push(drop);
        channel.handles -= 1;
        if channel.handles == 0 {
            engine.disconnect(object, place);
        }
    });
}

/// Drops a receiver of a port; after the last one, sends fail.
pub fn drop_receiver(execution: ExecutionId, port: ObjectId, place: Place) {
    begin_if_alive(execution, |engine| engine.drop_receiver(port, place));
}

/// Waits for the answer to a call that has been sent, and records the return.
pub fn await_reply(execution: ExecutionId, entry: ObjectId, call: EventId, place: Place) -> Answer {
    steps::catch_up();
    let must_wait = with(execution, |engine| {
        let me = engine.schedule.running;
        if let Some((also, answer)) = engine.threads[me].progress.answer.take() {
            engine.threads[me].also = Some(also);
            engine.threads[me].answer = Some(answer);
        }
        if engine.threads[me].answer.is_some() {
            return false;
        }
        // A call that has been accepted is replied to, though the entry may be gone by now.
        let is_waiting = engine.run.at(call).taken_by.is_none();
        let drop = engine.run.objects[entry].receiver_drop.filter(|_| is_waiting);
        if drop.is_some() {
            engine.threads[me].also = drop;
            engine.threads[me].answer = Some(Answer::Gone);
        } else {
            engine.block(WaitFor::Reply { object: entry }, place);
        }
        drop.is_none()
    });
    if must_wait {
        wait();
    }
    with(execution, |engine| {
        engine.record_thread(Op::Return, entry, place);
        engine.threads[engine.schedule.running].answer.take().expect("a call of an entry is answered")
    })
}

/// Replies to a call that was accepted.
#[track_caller]
pub fn reply(execution: ExecutionId, entry: ObjectId, call: EventId, answer: Answer, place: Place) {
    begin(execution, |engine| {
        let reply = engine.record_thread(Op::Reply, entry, place);
        let caller = engine.run.at(call).by();
        engine.answer_call(caller, reply, answer);
    });
}

impl Engine {
    fn drop_receiver(&mut self, port: ObjectId, place: Place) {
        let drop = self.record_thread(Op::DropReceiver, port, place);
        let o = &mut self.objects[port];
        o.receiver_drops.push(drop);
        o.receivers -= 1;
        if o.receivers > 0 {
            return;
        }
        let gone = if o.receiver_drops.len() == 1 { drop } else { self.hang_up(port, place) };
        self.run.objects[port].receiver_drop = Some(gone);
        // Most receivers are dropped when every other thread is gone.
        if self.schedule.unfinished > 1 {
            self.wake_senders(port, gone);
        }
        // No server will accept the calls of these threads any more.
        if self.run.objects[port].kind == Kind::Entry {
            for i in 0..self.objects[port].unreceived.len() {
                let call = self.objects[port].unreceived[i];
                let caller = self.run.at(call).by();
                self.answer_call(caller, gone, Answer::Gone);
            }
        }
    }

    /// Answers the call of a thread: the thread goes on after `also`.
    fn answer_call(&mut self, caller: ThreadId, also: EventId, answer: Answer) {
        let thread = &mut self.threads[caller];
        if thread.progress.taking {
            thread.progress.answer = Some((also, answer));
            return;
        }
        thread.also = Some(also);
        thread.answer = Some(answer);
        self.wake(caller);
    }

    pub fn new_port(&mut self, process: ProcessId, kind: Kind) -> ObjectId {
        let o = self.new_object(process, kind, State::Port);
        self.run.ports += 1;
        self.run.objects[o].is_port = true;
        o
    }

    #[cfg_attr(not(any(feature = "mutants", debug_assertions)), inline(always))]
    fn try_send(&mut self, port: ObjectId, op: Op, place: Place) -> Result<Result<Sent, ()>, WaitFor> {
        let process = self.threads[self.schedule.running].process;
        let gone = self.run.objects[port].receiver_drop;
        let meets = match self.plan(process) {
            Plan::Fixed(past) => match self.script.takes(past) {
                [] if self.script.doubtful && self.is_surely_gone(gone) => {
                    return Err(self.leave_script(process));
                }
                [] => None,
                [drop, ..] => match Some(self.again(*drop).map_err(WaitFor::Event)?) {
                    drop if drop == gone => drop,
                    _ => return Err(self.leave_script(process)),
                },
            },
            Plan::Renewed if gone.is_none_or(|it| self.is_old(it)) => {
                return Err(WaitFor::ReceiverDrop { object: port });
            }
            Plan::Renewed | Plan::Free => gone,
        };
        if let Some(meets) = meets {
            self.record_pick(
                op,
                Some(port),
                Pick::Partners,
                &[meets],
                Span::default(),
                Flags::default(),
                place,
            );
            return Ok(Err(()));
        }
        let sent =
            self.record_pick(op, Some(port), Pick::Nothing, &[], Span::default(), Flags::default(), place);
        self.run.objects[port].sending.push(sent);
        let o = &mut self.objects[port];
        o.unreceived.push(sent);
        if let Some(receiver) = o.receiver {
            self.wake_receiver(receiver, sent);
        }
        Ok(Ok(Sent { event: sent, is_late: gone.is_some() }))
    }

    /// Whether the drop of a port's receiver is in the past of the running thread, so that none of its sends could be
    /// delivered.
    #[cold]
    #[inline(never)]
    fn is_surely_gone(&self, gone: Option<EventId>) -> bool {
        gone.is_some_and(|gone| {
            let drops = self.run.drops(self.run.at(gone));
            let knows = |event: EventId| self.is_in_past(event);
            knows(gone) || !drops.is_empty() && drops.iter().all(|&drop| knows(drop))
        })
    }

    /// Wakes the threads whose sends wait for the drop of a port's receiver.
    fn wake_senders(&mut self, port: ObjectId, drop: EventId) {
        let name = self.name_of(drop);
        for t in self.threads.ids() {
            let waits = self.threads[t].waits_for;
            if waits == (WaitFor::ReceiverDrop { object: port }) || waits == WaitFor::Event(name) {
                self.wake(t);
            }
        }
    }

    /// Wakes a thread that waits to receive, if it may take what has arrived.
    fn wake_receiver(&mut self, receiver: ThreadId, event: EventId) {
        let welcome = match self.threads[receiver].waits_for {
            WaitFor::Event(name) => self.name_of(event) == name,
            WaitFor::Message { renewed, .. } => !renewed || !self.is_old(event),
            _ => false,
        };
        if welcome {
            self.wake(receiver);
        }
    }

    /// Records that all handles for receiving on a channel are gone, where there were several.
    pub fn hang_up(&mut self, object: ObjectId, place: Place) -> EventId {
        let RecordedObject { process, kind, .. } = self.run.objects[object];
        let process = self.child_process(process, kind, 2);
        let Engine { objects, run, .. } = self;
        // An event before this one comes before one of several drops, but perhaps it is not known before which.
        run.may_find_nothing = true;
        let list = run.push_list(&objects[object].receiver_drops);
        self.record_end(Op::HangUp, process, object, list, place)
    }

    /// Records an event that follows the drop of the last of several handles, whichever thread drops it.
    fn record_end(
        &mut self,
        op: Op,
        process: ProcessId,
        object: ObjectId,
        list: Span,
        place: Place,
    ) -> EventId {
        let event = Event {
            process,
            index: 0,
            op,
            pick: Pick::No,
            flags: Flags::default(),
            thread: None,
            object: Some(object),
            prev: None,
            also: None,
            partner: None,
            partners: Span::default(),
            list,
            snapshot: None,
            taken_by: None,
            location: place,
        };
        self.record(event, &[])
    }

    /// Records that every handle for sending on a channel is gone, and wakes the threads that wait for that.
    pub fn disconnect(&mut self, object: ObjectId, place: Place) {
        let RecordedObject { process, kind, is_port, .. } = self.run.objects[object];
        let process = if is_port { process } else { self.child_process(process, kind, 1) };
        let Engine { objects, run, .. } = self;
        let list = run.push_list(&objects[object].drops);
        let closed = self.record_end(Op::Disconnect, process, object, list, place);
        self.run.objects[object].closed = Some(closed);
        if is_port {
            if let Some(receiver) = self.objects[object].receiver {
                // The thread itself checks whether this is what it waits for.
                self.wake(receiver);
            }
        } else {
            self.advance(object);
        }
    }

    /// Whether a thread that waits with a renewed receive or send could have had an old partner.
    pub(crate) fn could_repeat(&mut self, thread: ThreadId) -> bool {
        self.schedule.running = thread;
        match self.threads[thread].waits_for {
            WaitFor::ReceiverDrop { .. } => true,
            WaitFor::Version { object } => {
                let newer = |write: &Option<EventId>| write.is_some_and(|it| !self.is_in_past(it));
                !self.has_polled(object)
                    || self.run.objects[object].versions.iter().any(|(write, _)| newer(write))
            }
            WaitFor::Message { renewed: true, .. } => {
                let me = thread;
                let open: Vec<ObjectId> =
                    self.objects.ids().filter(|&o| self.objects[o].receiver == Some(me)).collect();
                let any = open.iter().any(|&o| !self.objects[o].unreceived.is_empty());
                let any_closed = open.iter().any(|&o| self.run.objects[o].closed.is_some());
                any || any_closed && (self.threads[thread].any_closed || self.all_closed(&open))
                    || self.threads[thread].may_fail && !self.surely_there(&open, Flags::default())
            }
            _ => false,
        }
    }
}

/// The exploration starts again with a channel that has an order of its own.
pub fn share(execution: ExecutionId, object: ObjectId) -> ! {
    steps::start_again(execution, |engine| {
        Fact::Shared(engine.processes.path(engine.run.objects[object].process))
    })
}
