//! Handles that are dropped, alone or with the messages they are in; and the effect on a thread that receives one.

use super::super::program::{HANDLE, Object, TIME};
use super::Enumerator;
use super::facts::Fact;
use super::history::{At, Pick};
use super::state::{LEAVING, Payload, RECEIVER, State};

impl Enumerator<'_> {
    /// The thread drops a sending handle; with the last one the object is disconnected.
    pub(super) fn drop_sender(&mut self, next: &mut State, t: usize, o: usize) {
        self.emit(next, t, "drop-sender", Some(o), Pick::None);
        let disconnects = self.disconnects(o);
        next.order(t, disconnects);
        let channel = next.channel_mut(o);
        channel.handles -= 1;
        if channel.handles == 0 {
            self.emit(next, disconnects, "disconnect", Some(o), Pick::None);
        }
        self.count_out(next, t, o);
    }

    /// The thread makes itself another sending handle, which is counted if that matters.
    pub(super) fn step_clone_sender(&mut self, state: &State, t: usize, o: usize, out: &mut Vec<State>) {
        let mut next = state.clone();
        if self.facts.is_known(Fact::Owned(o)) {
            self.call(&mut next, t, "clone", self.owners(o), &[]);
        }
        let channel = next.channel_mut(o);
        channel.clones[t] += 1;
        channel.handles += 1;
        channel.owners += 1;
        self.advance(&mut next, t);
        out.push(next);
    }

    /// The thread drops a handle that was inside a dropped value, or counts itself out.
    pub(super) fn bury(&mut self, state: &State, t: usize, item: u8, out: &mut Vec<State>) {
        let mut next = state.clone();
        next.threads[t].dying.pop_first();
        let o = usize::from(item & !(LEAVING | RECEIVER));
        if item & RECEIVER != 0 {
            self.drop_receiver(&mut next, t, o);
        } else if item & LEAVING == 0 {
            self.drop_sender(&mut next, t, o);
        } else {
            self.call(&mut next, t, "drop", self.owners(o), &[]);
            next.channel_mut(o).owners -= 1;
            self.end_of_channel(&mut next, t, o);
        }
        self.pass_by(&mut next, t);
        out.push(next);
    }

    /// A handle of a bounded channel of crossbeam has been dropped. The messages inside are dropped with the last handle of
    /// either side; which thread drops that one is counted if it matters.
    fn count_out(&mut self, next: &mut State, t: usize, o: usize) {
        if !matches!(self.program.objects[o], Object::Flow { capacity: Some(1..), .. }) {
            return;
        }
        if self.facts.is_known(Fact::Owned(o)) {
            next.threads[t].dying.push_first(LEAVING | o as u8);
        } else {
            next.channel_mut(o).owners -= 1;
            self.end_of_channel(next, t, o);
        }
    }

    fn end_of_channel(&mut self, next: &mut State, t: usize, o: usize) {
        if next.channel(o).owners > 0 {
            return;
        }
        for item in dying_inside(next, o).into_iter().rev() {
            self.show(Fact::Owned(o));
            next.threads[t].dying.push_first(item);
        }
        next.channel_mut(o).messages.clear();
    }

    /// Main makes all handles but the first of each side, of the channels that are counted.
    pub(super) fn deal_handles(&mut self, state: &mut State, o: usize, count: u32) {
        if self.facts.is_known(Fact::Owned(o)) {
            for _ in 1..count {
                self.call(state, 0, "clone", self.owners(o), &[]);
            }
        }
    }

    pub(super) fn step_drop_receiver(&mut self, state: &State, t: usize, o: usize, out: &mut Vec<State>) {
        let mut next = state.clone();
        self.drop_receiver(&mut next, t, o);
        self.advance(&mut next, t);
        out.push(next);
    }

    fn drop_receiver(&mut self, next: &mut State, t: usize, o: usize) {
        let object = self.program.objects[o];
        match object {
            // No thread sends to a timer, so this cannot be observed.
            Object::Timer { .. } => next.channel_mut(o).receivers &= !(1 << t),
            _ if object.receivers().count_ones() > 1 => self.drop_one_of_several(next, t, o),
            _ if self.is_object(o) => {
                let drop = self.call(next, t, "drop-receiver", o, &[]);
                next.channel_mut(o).receivers = 0;
                self.gone(next, t, o, drop);
                self.count_out(next, t, o);
            }
            _ => {
                let drop = self.emit(next, t, "drop-receiver", Some(o), Pick::None);
                next.channel_mut(o).receivers = 0;
                if matches!(object, Object::Entry { .. }) {
                    self.refuse_calls(next, o, drop);
                }
                self.gone(next, t, o, drop);
            }
        }
    }

    /// No thread will receive any more: the messages inside are dropped with the receiver, in order.
    fn gone(&mut self, next: &mut State, t: usize, o: usize, at: At) {
        if !self.outlives_receivers(o) {
            // Before what is still to be dropped of the message that the receiver was in.
            for item in dying_inside(next, o).into_iter().rev() {
                next.threads[t].dying.push_first(item);
                if !self.is_object(o) {
                    self.show(Fact::Shared(o));
                }
            }
        }
        self.nobody_receives(next, o, at);
    }

    /// No thread will receive any more.
    fn nobody_receives(&self, next: &mut State, o: usize, at: At) {
        let outlives = self.outlives_receivers(o);
        let channel = next.channel_mut(o);
        channel.gone = Some(at);
        if !outlives {
            channel.messages.clear();
        }
    }

    /// Whether the messages inside are not dropped with the last receiver, as in crossbeam's bounded channels.
    fn outlives_receivers(&self, o: usize) -> bool {
        matches!(self.program.objects[o], Object::Flow { capacity: Some(_), .. })
    }

    /// Calls that no thread has accepted return.
    fn refuse_calls(&mut self, next: &mut State, o: usize, drop: At) {
        for message in std::mem::take(&mut next.channel_mut(o).messages) {
            let caller = usize::from(message.at.process);
            next.order_event(drop, caller);
            self.go_on_after_call(next, caller, o, None);
        }
    }

    /// Drops one of several receiving handles; after the last, the channel hangs up.
    fn drop_one_of_several(&mut self, next: &mut State, t: usize, o: usize) {
        self.emit(next, t, "drop-receiver", Some(o), Pick::None);
        let hang_up = self.process(self.hang_up_of(o));
        next.order(t, hang_up);
        self.count_out(next, t, o);
        next.channel_mut(o).receivers &= !(1 << t);
        if next.channel(o).receivers > 0 {
            return;
        }
        let at = self.emit(next, hang_up, "hang-up", Some(o), Pick::None);
        if self.is_object(o) {
            // The hang-up takes its place on the timeline at once.
            let timeline = self.timeline(o);
            let completion = self.emit(next, timeline, "hang-up", Some(o), Pick::partners(&[at]));
            self.nobody_receives(next, o, completion);
        } else {
            self.gone(next, t, o, at);
        }
    }

    /// The thread has received the content of a message. A timer that ticks goes on after that.
    pub(super) fn taken(&mut self, next: &mut State, t: usize, o: usize, payload: Payload, at: At) {
        next.threads[t].last = Some(match payload {
            Payload::Number(number) => number,
            Payload::Handle(x) => {
                let senders = &mut next.channel_mut(usize::from(x)).senders;
                if *senders >> t & 1 == 1 {
                    next.threads[t].dying.push(x);
                } else {
                    *senders |= 1 << t;
                }
                HANDLE
            }
            Payload::Receiver(x) => {
                next.channel_mut(usize::from(x)).receivers = 1 << t;
                HANDLE
            }
            Payload::Time => {
                if matches!(self.program.objects[o], Object::Timer { tick: true, .. }) {
                    next.order_event(at, self.process(o));
                    self.fire(next, o);
                }
                TIME
            }
        });
    }

    /// Searches for ports whose receives are not ordered: they are objects then.
    pub(super) fn look_for_sharing(&mut self, state: &State) {
        use super::super::program::{Op, Side};
        let Some(clocks) = &state.clocks else { return };
        for o in 0..state.objects.len() {
            if self.program.objects[o].receivers().count_ones() < 2 || self.is_object(o) {
                continue;
            }
            let receives = |t: &usize| match self.next_op(state, *t) {
                Some(
                    Op::Recv(from)
                    | Op::TryRecv(from)
                    | Op::RecvTimeout(from)
                    | Op::Drain(from)
                    | Op::TryDrain(from),
                ) => from == o,
                Some(Op::Choose(choice)) => {
                    choice.arms.iter().any(|(from, side)| *from == o && matches!(side, Side::Recv))
                }
                _ => false,
            };
            let receiving: Vec<usize> = (0..state.threads.len()).filter(receives).collect();
            let unordered = state.channel(o).last_receive.is_some_and(|last| {
                receiving.iter().any(|&t| t != usize::from(last.process) && !clocks.is_past(last, t))
            });
            if receiving.len() > 1 || unordered {
                self.show(Fact::Shared(o));
                return;
            }
        }
    }
}

/// The handles that are in messages inside the channel, in order, and have to be dropped with it.
fn dying_inside(state: &State, o: usize) -> Vec<u8> {
    state.channel(o).messages.iter().filter_map(|message| message.payload.dies()).collect()
}

impl State {
    /// The content of a message that could not be sent comes back: a handle is dropped.
    pub(super) fn not_delivered(&mut self, t: usize, payload: Payload) {
        self.threads[t].last = None;
        if let Some(item) = payload.dies() {
            self.threads[t].dying.push(item);
        }
    }
}
