//! Steps on unbounded channels, ports and entries: sends, calls, receives, selects, drops.

use super::super::program::{self, Delivery, Object, Op, Otherwise, Select};
use super::history::{At, Pick};
use super::state::{Message, ObjectState, Phase, State};
use super::{Enumerator, REFUSED_CALL_RETURNS};

impl Enumerator<'_> {
    pub(super) fn step_port(&mut self, state: &State, t: usize, op: &Op, o: usize, out: &mut Vec<State>) {
        match op {
            Op::Send(_, value) => {
                let mut next = state.clone();
                let value = value.of(state.threads[t].last);
                if self.send(&mut next, t, "send", o, value).is_none() {
                    next.threads[t].last = None;
                }
                self.advance(&mut next, t);
                out.push(next);
            }
            Op::DropSender(_) => {
                let mut next = state.clone();
                self.drop_sender(&mut next, t, o);
                out.push(next);
            }
            Op::DropReceiver(_) => {
                let mut next = state.clone();
                self.drop_port(&mut next, t, o);
                out.push(next);
            }
            _ => {
                let otherwise =
                    if matches!(op, Op::TryRecv(_)) { Otherwise::Default } else { Otherwise::Wait };
                for (taken, mut next) in self.receives(state, t, &[o], otherwise) {
                    if taken.is_none() || !matches!(op, Op::Drain(_)) {
                        self.advance(&mut next, t);
                    }
                    out.push(next);
                }
            }
        }
    }

    pub(super) fn step_select(&mut self, state: &State, t: usize, select: &Select, out: &mut Vec<State>) {
        let open = self.open_arms(state, t, select);
        for (taken, mut next) in self.receives(state, t, &open, select.otherwise) {
            if let Some((o, caller)) = taken
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
                if self.send(&mut next, t, "call", *o, value).is_some() {
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
            Op::Accept(o) | Op::AcceptReply(o) | Op::Serve(o) => {
                for (taken, mut next) in self.receives(state, t, &[*o], Otherwise::Wait) {
                    match (taken, op) {
                        (Some((_, caller)), Op::Accept(_)) => next.threads[t].kept.push(caller),
                        (Some((_, caller)), _) => {
                            self.reply(&mut next, t, usize::from(caller), Some(program::EARLY_REPLY));
                        }
                        (None, _) => {}
                    }
                    if taken.is_none() || !matches!(op, Op::Serve(_)) {
                        self.advance(&mut next, t);
                    }
                    out.push(next);
                }
            }
            _ => unreachable!("no operation on an entry"),
        }
    }

    /// The event of sending; says where it is, unless the receiver is gone.
    fn send(&mut self, next: &mut State, t: usize, word: &'static str, o: usize, value: u8) -> Option<At> {
        let ObjectState::Port { dropped, .. } = next.objects[o] else { unreachable!("it is a port") };
        if let Some(dropped) = dropped {
            self.emit(next, t, word, Some(o), Pick::partners(&[dropped]));
            return None;
        }
        let at = self.emit(next, t, word, Some(o), Pick::Nothing);
        let ObjectState::Port { messages, .. } = &mut next.objects[o] else { unreachable!("it is a port") };
        messages.push(Message { at, value });
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

    fn go_on_after_call(&mut self, next: &mut State, caller: usize, o: usize, reply: Option<u8>) {
        self.emit(next, caller, "return", Some(o), Pick::None);
        next.threads[caller].last = reply;
        next.threads[caller].request = 0;
        self.advance(next, caller);
    }

    /// Drops the receiver. Calls that nobody has accepted return.
    fn drop_port(&mut self, next: &mut State, t: usize, o: usize) {
        let at = self.emit(next, t, "drop-receiver", Some(o), Pick::None);
        let ObjectState::Port { messages, dropped, .. } = &mut next.objects[o] else {
            unreachable!("it is a port")
        };
        *dropped = Some(at);
        let left = std::mem::take(messages);
        if matches!(self.program.objects[o], Object::Entry { .. }) {
            for message in left {
                let caller = usize::from(message.at.process);
                next.order_event(at, caller);
                self.go_on_after_call(next, caller, o, None);
            }
        }
        self.advance(next, t);
    }

    /// All outcomes of one receiving event over the open objects: what was taken (object and sender) and
    /// the state after, with the thread still in its operation.
    fn receives(
        &mut self,
        state: &State,
        t: usize,
        open: &[usize],
        otherwise: Otherwise,
    ) -> Vec<(Option<(usize, u8)>, State)> {
        let mut out = Vec::new();
        for &o in open {
            for i in self.deliverable(state, o) {
                let mut next = state.clone();
                let ObjectState::Port { messages, .. } = &mut next.objects[o] else {
                    unreachable!("it is a port")
                };
                let message = messages.remove(i);
                next.threads[t].last = Some(message.value);
                self.emit(&mut next, t, self.receiving_word(o), Some(o), Pick::partners(&[message.at]));
                out.push((Some((o, message.at.process)), next));
            }
        }
        if !out.is_empty() {
            return out;
        }
        let mut closed: Vec<At> = open.iter().filter_map(|&o| self.disconnect(state, o)).collect();
        let pick = if closed.len() == open.len() {
            closed.sort_by(|a, b| self.ids[usize::from(a.process)].cmp(&self.ids[usize::from(b.process)]));
            Pick::partners(&closed)
        } else if otherwise != Otherwise::Wait {
            Pick::Nothing
        } else {
            return out;
        };
        let mut next = state.clone();
        next.threads[t].last = None;
        self.emit(&mut next, t, self.receiving_word(open[0]), Some(open[0]), pick);
        out.push((None, next));
        out
    }

    fn receiving_word(&self, o: usize) -> &'static str {
        match self.program.objects[o] {
            Object::Entry { .. } => "accept",
            _ => "receive",
        }
    }

    /// Which of the waiting messages may be received now.
    fn deliverable(&self, state: &State, o: usize) -> Vec<usize> {
        let ObjectState::Port { messages, .. } = &state.objects[o] else { unreachable!("it is a port") };
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
