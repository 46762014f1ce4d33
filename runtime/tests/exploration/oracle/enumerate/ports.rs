//! Steps on ports (unbounded channels and timers in their simple form, ports of every delivery) and entries:
//! sends, calls, receives, selects.

use super::super::program::{self, Delivery, Object, Op, Otherwise, Select};
use super::history::{At, Pick};
use super::state::{Message, Payload, Phase, State};
use super::{Enumerator, REFUSED_CALL_RETURNS};

/// What a receive returned.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Received {
    /// The object and the sender.
    Message(usize, u8),
    /// No thread will send any more.
    Closed,
    Nothing,
}

impl Enumerator<'_> {
    pub(super) fn step_port(&mut self, state: &State, t: usize, op: &Op, o: usize, out: &mut Vec<State>) {
        let otherwise = match op {
            Op::Send(_, value) | Op::TrySend(_, value) | Op::SendTimeout(_, value) => {
                let number = Payload::Number(value.of(state.threads[t].last));
                return self.step_send(state, t, o, number, out);
            }
            Op::SendHandle(_, x) | Op::SendReceiver(_, x) => {
                let is_sender = matches!(op, Op::SendHandle(..));
                let payload = if is_sender { Payload::Handle(*x as u8) } else { Payload::Receiver(*x as u8) };
                let mut moved = state.clone();
                moved.give(t, payload);
                return self.step_send(&moved, t, o, payload, out);
            }
            Op::TryRecv(_) | Op::TryDrain(_) => Otherwise::Default,
            Op::RecvTimeout(_) => Otherwise::Timeout,
            _ => Otherwise::Wait,
        };
        for (received, mut next) in self.receives(state, t, &[o], otherwise) {
            if received == Received::Nothing && !matches!(op, Op::TryDrain(_)) {
                next.threads[t].last = Some(program::NOTHING_THERE);
            }
            if received == Received::Nothing && otherwise == Otherwise::Timeout {
                next.pass_time(t);
            }
            if matches!(received, Received::Message(..)) && matches!(op, Op::Drain(_) | Op::TryDrain(_)) {
                self.pass_by(&mut next, t);
            } else {
                self.advance(&mut next, t);
            }
            out.push(next);
        }
    }

    fn step_send(&mut self, state: &State, t: usize, o: usize, payload: Payload, out: &mut Vec<State>) {
        let mut next = state.clone();
        if self.send(&mut next, t, "send", o, payload).is_none() {
            next.not_delivered(t, payload);
        }
        self.advance(&mut next, t);
        out.push(next);
    }

    pub(super) fn step_select(&mut self, state: &State, t: usize, select: &Select, out: &mut Vec<State>) {
        let open = self.open_arms(state, t, select);
        for (received, mut next) in self.receives(state, t, &open, select.otherwise) {
            if let Received::Message(o, caller) = received
                && matches!(self.program.objects[o], Object::Entry { .. })
            {
                next.threads[t].kept.push(caller);
            }
            self.advance(&mut next, t);
            out.push(next);
        }
    }

    /// The arms whose guard holds, of those the thread can receive from.
    pub(super) fn open_arms(&self, state: &State, t: usize, select: &Select) -> Vec<usize> {
        let last = state.threads[t].last;
        let open =
            select.arms.iter().filter(|(o, guard)| self.can_receive(state, t, *o) && guard.holds(last));
        open.map(|(o, _)| *o).collect()
    }

    pub(super) fn step_entry(&mut self, state: &State, t: usize, op: &Op, out: &mut Vec<State>) {
        match op {
            Op::Call(..) if state.threads[t].phase == Phase::Calling => {}
            Op::Call(o, value) => {
                let mut next = state.clone();
                let value = value.of(state.threads[t].last);
                if self.send(&mut next, t, "call", *o, Payload::Number(value)).is_some() {
                    next.threads[t].phase = Phase::Calling;
                    next.threads[t].request = value;
                } else {
                    next.threads[t].last = None;
                    if REFUSED_CALL_RETURNS {
                        self.emit(&mut next, t, "return", Some(*o), Pick::None);
                    }
                    self.advance(&mut next, t);
                }
                out.push(next);
            }
            Op::Reply | Op::DropCall => {
                let mut next = state.clone();
                let caller = state.threads[t].kept.latest().expect("there is a call to reply to");
                let reply = matches!(op, Op::Reply).then(|| program::reply_to(state.threads[caller].request));
                next.threads[t].kept.pop();
                self.reply(&mut next, t, caller, reply);
                self.advance(&mut next, t);
                out.push(next);
            }
            Op::AcceptReply(_) | Op::Serve(_) if state.threads[t].phase == Phase::Replying => {
                let mut next = state.clone();
                let caller = state.threads[t].kept.latest().expect("there is a call to reply to");
                next.threads[t].kept.pop();
                next.threads[t].phase = Phase::Ready;
                self.reply(&mut next, t, caller, Some(program::EARLY_REPLY));
                if matches!(op, Op::AcceptReply(_)) {
                    self.advance(&mut next, t);
                }
                out.push(next);
            }
            Op::Accept(o) | Op::AcceptReply(o) | Op::Serve(o) => {
                for (received, mut next) in self.receives(state, t, &[*o], Otherwise::Wait) {
                    let mut accepted = false;
                    if let Received::Message(_, caller) = received {
                        accepted = true;
                        if matches!(op, Op::Accept(_)) {
                            next.threads[t].kept.push(caller);
                        } else if self.every_order {
                            next.threads[t].kept.push(caller);
                            next.threads[t].phase = Phase::Replying;
                            out.push(next);
                            continue;
                        } else {
                            self.reply(&mut next, t, usize::from(caller), Some(program::EARLY_REPLY));
                        }
                    }
                    if !accepted || !matches!(op, Op::Serve(_)) {
                        self.advance(&mut next, t);
                    }
                    out.push(next);
                }
            }
            _ => unreachable!("no operation on an entry"),
        }
    }

    /// The sending event; returns its place, unless the receiver is gone.
    pub(super) fn send(
        &mut self,
        next: &mut State,
        t: usize,
        word: &'static str,
        o: usize,
        payload: Payload,
    ) -> Option<At> {
        if let Some(gone) = next.channel(o).gone {
            self.emit(next, t, word, Some(o), Pick::partners(&[gone]));
            return None;
        }
        let at = self.emit(next, t, word, Some(o), Pick::Nothing);
        next.channel_mut(o).messages.push(Message { at, payload });
        Some(at)
    }

    /// Replies to an accepted call (with nothing when the call is dropped) and lets the caller go on.
    fn reply(&mut self, next: &mut State, t: usize, caller: usize, reply: Option<u8>) {
        let Some(Op::Call(o, _)) = self.next_op(next, caller) else {
            unreachable!("the caller waits in its call")
        };
        self.emit(next, t, "reply", Some(o), Pick::None);
        next.order(t, caller);
        self.go_on_after_call(next, caller, o, reply);
    }

    pub(super) fn go_on_after_call(&mut self, next: &mut State, caller: usize, o: usize, reply: Option<u8>) {
        next.threads[caller].last = reply;
        next.threads[caller].request = 0;
        self.go_on(next, caller, "return", o);
    }

    /// A thread that another has released goes on: at once, or as a step of its own where every order counts.
    pub(super) fn go_on(&mut self, next: &mut State, t: usize, word: &'static str, o: usize) {
        if self.every_order && next.threads[t].phase != Phase::GoingOn {
            next.threads[t].phase = Phase::GoingOn;
            return;
        }
        self.emit(next, t, word, Some(o), Pick::None);
        self.advance(next, t);
    }

    /// All outcomes of one receiving event over the open objects, and the state after each, with the thread still in its
    /// operation.
    fn receives(
        &mut self,
        state: &State,
        t: usize,
        open: &[usize],
        otherwise: Otherwise,
    ) -> Vec<(Received, State)> {
        let mut out = Vec::new();
        let mut surely = false;
        for &o in open {
            for i in self.deliverable(state, o) {
                surely |= !matches!(self.program.objects[o], Object::Timer { .. });
                let mut next = state.clone();
                let sender = self.receive(&mut next, t, (o, i), open);
                out.push((Received::Message(o, sender), next));
            }
        }
        if surely || !out.is_empty() && otherwise == Otherwise::Wait {
            return out;
        }
        let mut closed: Vec<At> = open.iter().filter_map(|&o| self.disconnect(state, o)).collect();
        let (received, pick) = if closed.len() == open.len() {
            closed.sort_by(|a, b| self.ids[usize::from(a.process)].cmp(&self.ids[usize::from(b.process)]));
            (Received::Closed, Pick::partners(&closed))
        } else if otherwise != Otherwise::Wait {
            (Received::Nothing, Pick::Nothing)
        } else {
            return out;
        };
        let mut next = state.clone();
        next.threads[t].last = None;
        let at = self.emit(&mut next, t, self.receiving_word(open[0]), Some(open[0]), pick);
        next.note_receive(at, open);
        out.push((received, next));
        out
    }

    /// Receives the message with this index; returns its sender.
    pub(super) fn receive(
        &mut self,
        next: &mut State,
        t: usize,
        (o, i): (usize, usize),
        open: &[usize],
    ) -> u8 {
        let message = next.channel_mut(o).messages.remove(i);
        let at = self.emit(next, t, self.receiving_word(o), Some(o), Pick::partners(&[message.at]));
        next.note_receive(at, open);
        self.taken(next, t, o, message.payload, at);
        message.at.process
    }

    fn receiving_word(&self, o: usize) -> &'static str {
        match self.program.objects[o] {
            Object::Entry { .. } => "accept",
            _ => "receive",
        }
    }

    /// Which of the waiting messages may be received now.
    pub(super) fn deliverable(&self, state: &State, o: usize) -> Vec<usize> {
        let messages = &state.channel(o).messages;
        let delivery = match self.program.objects[o] {
            Object::Port { delivery, .. } => delivery,
            _ => Delivery::Mailbox,
        };
        let comes_first = |i: usize| match delivery {
            Delivery::Channel | Delivery::Mailbox => i == 0,
            Delivery::Fifo => messages[..i].iter().all(|other| other.at.process != messages[i].at.process),
            Delivery::Causal => {
                let clocks = state.clocks.as_ref().expect("kept for causal ports");
                messages
                    .iter()
                    .all(|other| other.at == messages[i].at || !clocks.before(other.at, messages[i].at))
            }
            Delivery::Bag => true,
        };
        (0..messages.len()).filter(|&i| comes_first(i)).collect()
    }
}

impl State {
    /// Remembers the latest receive on each of the ports.
    pub(super) fn note_receive(&mut self, at: At, open: &[usize]) {
        for &o in open {
            self.channel_mut(o).last_receive = Some(at);
        }
    }
}
