//! Where a thread is in its operations: what comes next, what it cannot do and skips, what it has to do at the end.

use super::super::program::{Choice, Delivery, Holder, Object, OnceShape, Op, Otherwise, Side, steer};
use super::Enumerator;
use super::facts::Fact;
use super::state::{ObjectState, Phase, State};

impl Enumerator<'_> {
    /// The operation that the thread is in or about to do; none if it has not started, has something to drop before, or
    /// has done all.
    pub(super) fn next_op(&self, state: &State, t: usize) -> Option<Op> {
        let thread = &state.threads[t];
        if matches!(thread.phase, Phase::Unborn | Phase::Ending | Phase::Finished) || !thread.dying.is_empty()
        {
            return None;
        }
        match self.program.threads[t].ops.get(usize::from(thread.pc)) {
            Some(Op::Choose(choice)) => Some(self.reduced(state, t, choice)),
            Some(Op::IsEmpty(o)) if matches!(self.program.objects[*o], Object::Timer { .. }) => {
                // A check whether an arm could be taken, in which the first arm is 0.
                let arms = vec![(*o, Side::Recv)];
                let otherwise = Otherwise::Default;
                Some(Op::Choose(Choice { arms, otherwise, ready: true, biased: false, never: false }))
            }
            Some(op) => Some(op.clone()),
            None => self.last_duty(state, t),
        }
    }

    /// The select with only the arms that the thread has the handles for; with one arm it is that operation.
    fn reduced(&self, state: &State, t: usize, choice: &Choice) -> Op {
        let arms = self.arms(state, t, choice);
        if let ([(o, side)], false) = (&arms[..], choice.ready) {
            return match (*side, choice.otherwise) {
                (Side::Recv, Otherwise::Wait) => Op::Recv(*o),
                (Side::Recv, Otherwise::Default) => Op::TryRecv(*o),
                (Side::Recv, Otherwise::Timeout) => Op::RecvTimeout(*o),
                (Side::Send(value), Otherwise::Wait) => Op::Send(*o, value),
                (Side::Send(value), Otherwise::Default) => Op::TrySend(*o, value),
                (Side::Send(value), Otherwise::Timeout) => Op::SendTimeout(*o, value),
            };
        }
        Op::Choose(Choice { arms, ..choice.clone() })
    }

    /// The arms that the thread has the handles for.
    fn arms(&self, state: &State, t: usize, choice: &Choice) -> Vec<(usize, Side)> {
        let usable = |(o, side): &&(usize, Side)| match side {
            Side::Send(_) => state.has_sender(t, *o),
            Side::Recv => self.can_receive(state, t, *o),
        };
        choice.arms.iter().filter(usable).copied().collect()
    }

    /// What a thread still has to do when its operations are done.
    fn last_duty(&self, state: &State, t: usize) -> Option<Op> {
        let objects = || self.program.objects.iter().enumerate();
        for (o, _) in objects() {
            match &state.objects[o] {
                ObjectState::Lock { owner, .. } if *owner == Some(t as u8) => return Some(Op::Unlock(o)),
                ObjectState::Monitor { owner, .. } if *owner == Some(t as u8) => return Some(Op::Exit(o)),
                ObjectState::RwLock { .. } if state.owns(t, o) || state.reads(t, o) => {
                    return Some(Op::UnlockRw(o));
                }
                _ => {}
            }
        }
        if !state.threads[t].kept.is_empty() {
            return Some(Op::DropCall);
        }
        for (o, object) in objects() {
            if state.has_sender(t, o) {
                return Some(Op::DropSender(o));
            }
            let under = matches!(object.receiver(), Some(Holder::Under(_)));
            if !under && state.has_receiver(t, o) {
                return Some(Op::DropReceiver(o));
            }
            if state.handles(t, o) > 0 {
                return Some(Op::DropGroup(o));
            }
            match state.pointers(t, o) {
                (0, 0) => {}
                (0, _) => return Some(Op::DropWeak(o)),
                _ => return Some(Op::DropArc(o)),
            }
        }
        let left = |child: &usize| {
            let born = state.threads[*child].phase != Phase::Unborn;
            self.program.threads[*child].parent == 0 && born && state.joined >> child & 1 == 0
        };
        let mut children = 1..state.threads.len();
        children.find(|child| t == 0 && self.program.scoped && left(child)).map(Op::Join)
    }

    /// Whether the thread has reached its last duties.
    pub(super) fn is_done(&self, state: &State, t: usize) -> bool {
        usize::from(state.threads[t].pc) >= self.program.threads[t].ops.len()
    }

    /// The thread panics: only its last duties are left.
    pub(super) fn panic(&self, state: &mut State, t: usize) {
        state.threads[t].panicked = true;
        state.threads[t].pc = self.program.threads[t].ops.len() as u8;
        state.threads[t].phase = Phase::Ready;
        self.pass_by(state, t);
    }

    /// Starts the thread.
    pub(super) fn begin(&self, state: &mut State, t: usize) {
        state.threads[t].phase = Phase::Ready;
        self.pass_by(state, t);
    }

    /// Moves the thread on to the next operation that it can do, or to its end.
    pub(super) fn advance(&self, state: &mut State, t: usize) {
        let ops = &self.program.threads[t].ops;
        state.threads[t].phase = Phase::Ready;
        if usize::from(state.threads[t].pc) < ops.len() {
            state.threads[t].pc += 1;
        }
        self.pass_by(state, t);
    }

    /// Skips the operations that the thread cannot do. (If it has something to drop before, that comes first.)
    pub(super) fn pass_by(&self, state: &mut State, t: usize) {
        if !state.threads[t].dying.is_empty() {
            return;
        }
        let ops = &self.program.threads[t].ops;
        while let Some(op) = ops.get(usize::from(state.threads[t].pc)) {
            let pc = usize::from(state.threads[t].pc);
            let next = match steer(op, pc, state.threads[t].last) {
                Some(next) => next,
                None if self.can_do(state, t, op) => break,
                None => pc + 1,
            };
            state.threads[t].pc = ops.len().min(next) as u8;
        }
        if usize::from(state.threads[t].pc) >= ops.len() {
            state.threads[t].last = None;
            if self.last_duty(state, t).is_none() {
                let watched = self.facts.is_known(Fact::Watched(t));
                state.threads[t].phase = if watched { Phase::Ending } else { Phase::Finished };
            }
        }
    }

    /// Whether the thread is in a position to do the operation, even if it then has to wait.
    fn can_do(&self, state: &State, t: usize, op: &Op) -> bool {
        let object = |o: &usize| self.program.objects[*o];
        match op {
            Op::Spawn(_) | Op::Join(_) | Op::UnlessOdd(_) | Op::UnlessIs(..) | Op::Back(_) => true,
            Op::IsFinished(child) => {
                self.program.threads[*child].parent == t
                    && state.threads[*child].phase != Phase::Unborn
                    && state.joined >> child & 1 == 0
            }
            Op::Remember(_) | Op::Panic | Op::Yield | Op::Sleep | Op::Now => true,
            Op::Load(o) | Op::Add(o, _) => {
                let may_look = matches!(op, Op::Load(_)) && state.reads(t, *o);
                matches!(object(o), Object::Mutex | Object::Monitor { .. } | Object::RwLock)
                    && (state.owns(t, *o) || may_look)
            }
            Op::Send(o, _) | Op::CloneSender(o) | Op::DropSender(o) | Op::Call(o, _) => {
                state.has_sender(t, *o)
            }
            Op::TrySend(o, _) => {
                matches!(object(o), Object::Buffer { .. } | Object::Flow { .. }) && state.has_sender(t, *o)
            }
            Op::SendTimeout(o, _) => matches!(object(o), Object::Flow { .. }) && state.has_sender(t, *o),
            Op::SendHandle(o, x) => {
                let sent =
                    matches!(object(x), Object::Port { .. } | Object::Buffer { .. } | Object::Flow { .. });
                o != x
                    && sent
                    && object(o).carries_handles()
                    && state.has_sender(t, *o)
                    && state.has_sender(t, *x)
            }
            Op::SendReceiver(o, x) => {
                o != x
                    && object(x).has_movable_receiver()
                    && object(o).carries_handles()
                    && state.has_sender(t, *o)
                    && self.can_receive(state, t, *x)
            }
            Op::SendBy(o, _) => {
                let points_to_handle = matches!(object(o), Object::Arc { to: Some(x), .. } if !matches!(object(&x), Object::Mutex));
                points_to_handle && state.pointers(t, *o).0 > 0
            }
            Op::Recv(o) | Op::TryRecv(o) | Op::DropReceiver(o) => self.can_receive(state, t, *o),
            Op::RecvTimeout(o) | Op::TryDrain(o) => {
                let is_port =
                    matches!(object(o), Object::Port { delivery, .. } if delivery != Delivery::Channel);
                let is_drained = matches!(op, Op::TryDrain(_)) && matches!(object(o), Object::Timer { .. });
                !is_port && !is_drained && self.can_receive(state, t, *o)
            }
            Op::Drain(o) => !matches!(object(o), Object::Timer { .. }) && self.can_receive(state, t, *o),
            Op::IsEmpty(o) if matches!(object(o), Object::Timer { .. }) => state.has_receiver(t, *o),
            Op::Len(o) | Op::IsEmpty(o) | Op::IsFull(o) => {
                matches!(object(o), Object::Flow { .. })
                    && (state.has_sender(t, *o) || state.has_receiver(t, *o))
            }
            Op::Accept(o) | Op::AcceptReply(o) | Op::Serve(o) => self.can_receive(state, t, *o),
            Op::Select(select) => !self.open_arms(state, t, select).is_empty(),
            Op::Choose(choice) => !self.arms(state, t, choice).is_empty(),
            Op::Lock(o) | Op::TryLock(o) => {
                matches!(object(o), Object::Reentrant) || !state.owns(t, *o) && self.can_reach(state, t, *o)
            }
            Op::Poison(o) => match object(o) {
                Object::Mutex => state.owns(t, *o),
                Object::RwLock => state.owns(t, *o) || state.reads(t, *o),
                _ => false,
            },
            Op::LockInPanic(o) | Op::LockOrPanic(o) => {
                matches!(object(o), Object::Mutex) && !state.owns(t, *o) && !self.program.is_pointed_to(*o)
            }
            Op::IsPoisoned(o) | Op::ClearPoison(o) => {
                matches!(object(o), Object::Mutex | Object::RwLock) && !self.program.is_pointed_to(*o)
            }
            Op::Unlock(o)
            | Op::Exit(o)
            | Op::MonitorWait(o, _)
            | Op::Signal(o, _)
            | Op::SignalAll(o, _)
            | Op::Waiting(o, _) => state.owns(t, *o),
            Op::Enter(o) => !state.owns(t, *o),
            Op::Wait(o) | Op::WaitTimeout(o) | Op::WaitWhile(o) | Op::WaitTimeoutWhile(o) => {
                match object(o) {
                    Object::Condvar { mutex } => state.owns(t, mutex),
                    _ => false,
                }
            }
            Op::NotifyOne(_) | Op::NotifyAll(_) | Op::Acquire(_) | Op::TryAcquire(_) | Op::Release(_) => true,
            Op::Reply | Op::DropCall => !state.threads[t].kept.is_empty(),
            Op::Store(..) | Op::AtomicLoad(_) | Op::Swap(..) | Op::FetchAdd(..) => true,
            Op::CompareExchange(..) | Op::FetchUpdate(_) | Op::UpdateOdd(_) => true,
            Op::Read(o) | Op::TryRead(o) | Op::TryWrite(o) => !state.owns(t, *o),
            Op::Write(o) => !state.owns(t, *o) && !state.reads(t, *o),
            Op::UnlockRw(o) => state.owns(t, *o) || state.reads(t, *o),
            Op::Downgrade(o) => state.owns(t, *o),
            Op::CloneGroup(o) | Op::DropGroup(o) | Op::WaitGroup(o) => state.handles(t, *o) > 0,
            Op::Arrive(..) | Op::DoOnce(..) | Op::DoOnceOrPanic(_) => true,
            Op::FailOnce(o) | Op::IsDone(o) | Op::AwaitOnce(o) => {
                !matches!(object(o), Object::Once { shape: OnceShape::Lazy | OnceShape::Doomed })
            }
            Op::AwaitOnceOrPanic(o) => matches!(object(o), Object::Once { shape: OnceShape::Once }),
            Op::SetOnce(o, _) => matches!(object(o), Object::Once { shape: OnceShape::Lock }),
            Op::Park | Op::ParkTimeout => true,
            Op::Unpark(other) => self.program.can_unpark(t, usize::from(state.threads[t].pc), *other),
            Op::CloneArc(o) | Op::DowngradeArc(o) => state.pointers(t, *o).0 > 0,
            Op::DropArc(o) | Op::TryUnwrap(o) => {
                // While it holds the mutex inside, it keeps its pointers.
                let holds = matches!(object(o), Object::Arc { to: Some(x), .. } if state.owns(t, x));
                state.pointers(t, *o).0 > 0 && !holds
            }
            Op::CloneWeak(o) | Op::DropWeak(o) | Op::Upgrade(o) => state.pointers(t, *o).1 > 0,
            Op::StrongCount(o) | Op::WeakCount(o) => state.pointers(t, *o) != (0, 0),
        }
    }

    /// Whether the thread can take a mutex: it has a pointer, if the mutex is behind one.
    fn can_reach(&self, state: &State, t: usize, mutex: usize) -> bool {
        let points = |object: &Object| matches!(object, Object::Arc { to: Some(x), .. } if *x == mutex);
        let mut pointers = (0..self.program.objects.len()).filter(|&o| points(&self.program.objects[o]));
        pointers.next().is_none_or(|pointer| state.pointers(t, pointer).0 > 0)
    }

    pub(super) fn can_receive(&self, state: &State, t: usize, o: usize) -> bool {
        match self.program.objects[o].receiver() {
            Some(Holder::Under(mutex)) => state.has_receiver(0, o) && state.owns(t, mutex),
            _ => state.has_receiver(t, o),
        }
    }
}
