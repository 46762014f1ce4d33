//! The next step of a thread: which file has it, and whether it may be done before other threads move.

use super::super::program::{Object, Op};
use super::Enumerator;
use super::clocks::A_WHILE;
use super::facts::Fact;
use super::history::Pick;
use super::state::{Phase, State};

impl Enumerator<'_> {
    /// Whether the operation can be done now, and neither changes nor is changed by what other threads may do first.
    pub(super) fn is_undisturbed(&self, state: &State, t: usize, op: &Op) -> bool {
        match op {
            Op::Join(child) => state.threads[*child].phase == Phase::Finished,
            Op::Exit(_) | Op::Signal(..) | Op::SignalAll(..) | Op::MonitorWait(..) => {
                state.threads[t].phase == Phase::Ready
            }
            Op::Len(o) | Op::IsEmpty(o) => {
                matches!(self.program.objects[*o], Object::Flow { capacity: Some(0), .. })
            }
            Op::DropReceiver(o) => matches!(self.program.objects[*o], Object::Timer { .. }),
            Op::IsFull(o) => !matches!(self.program.objects[*o], Object::Flow { capacity: Some(1..), .. }),
            Op::CloneArc(o) | Op::DropArc(o) | Op::DowngradeArc(o) | Op::CloneWeak(o) | Op::DropWeak(o) => {
                !self.is_counted(*o)
            }
            Op::CloneSender(o) => !self.facts.is_known(Fact::Owned(*o)),
            Op::CloneGroup(_) => true,
            Op::WaitGroup(o) => state.threads[t].phase == Phase::Awaiting && state.is_given_up(*o),
            Op::Waiting(..) | Op::Panic | Op::Yield | Op::Sleep | Op::Now => true,
            Op::Spawn(_) | Op::Reply | Op::DropCall | Op::Remember(_) | Op::Load(_) | Op::Add(..) => true,
            _ => false,
        }
    }

    /// Adds the states that the thread's current operation can lead to now.
    pub(super) fn step(&mut self, state: &State, t: usize, op: &Op, out: &mut Vec<State>) {
        match op {
            Op::Spawn(child) => {
                let mut next = state.clone();
                next.hand_on(t, *child);
                self.begin(&mut next, *child);
                self.advance(&mut next, t);
                out.push(next);
            }
            Op::Join(child) => {
                if state.threads[*child].phase == Phase::Finished {
                    let mut next = state.clone();
                    next.catch_up(*child, t);
                    next.joined |= 1 << *child;
                    self.emit(&mut next, t, "join", None, Pick::None);
                    if state.threads[*child].panicked {
                        next.threads[t].last = Some(1);
                        next.threads[t].panicked |= self.is_done(state, t);
                    }
                    self.advance(&mut next, t);
                    out.push(next);
                }
            }
            Op::IsFinished(child) => self.step_is_finished(state, t, *child, out),
            Op::Send(o, _)
            | Op::TrySend(o, _)
            | Op::SendTimeout(o, _)
            | Op::SendHandle(o, _)
            | Op::SendReceiver(o, _)
            | Op::Recv(o)
            | Op::TryRecv(o)
            | Op::RecvTimeout(o)
            | Op::Drain(o)
            | Op::TryDrain(o) => {
                if self.is_object(*o) {
                    self.step_attempt(state, t, out);
                } else {
                    self.step_port(state, t, op, *o, out);
                }
            }
            Op::SendBy(o, value) => self.step_send_by(state, t, *o, *value, out),
            Op::Len(o) | Op::IsEmpty(o) | Op::IsFull(o) => self.step_look(state, t, op, *o, out),
            Op::CloneSender(o) => self.step_clone_sender(state, t, *o, out),
            Op::DropSender(o) => {
                let mut next = state.clone();
                next.give_sender(t, *o);
                self.drop_sender(&mut next, t, *o);
                self.advance(&mut next, t);
                out.push(next);
            }
            Op::DropReceiver(o) => self.step_drop_receiver(state, t, *o, out),
            Op::Choose(choice) => self.step_choice(state, t, choice, out),
            Op::Call(..) | Op::Accept(_) | Op::AcceptReply(_) | Op::Serve(_) | Op::Reply | Op::DropCall => {
                self.step_entry(state, t, op, out);
            }
            Op::Select(select) => self.step_select(state, t, select, out),
            Op::Poison(o) if matches!(self.program.objects[*o], Object::RwLock) => {
                self.step_rwlock(state, t, op, *o, out);
            }
            Op::Lock(o)
            | Op::TryLock(o)
            | Op::Unlock(o)
            | Op::Poison(o)
            | Op::LockInPanic(o)
            | Op::LockOrPanic(o) => self.step_lock(state, t, op, *o, out),
            Op::IsPoisoned(o) | Op::ClearPoison(o) => self.step_is_poisoned(state, t, op, *o, out),
            Op::Acquire(o) | Op::TryAcquire(o) | Op::Release(o) => self.step_semaphore(state, t, op, *o, out),
            Op::Wait(o)
            | Op::WaitTimeout(o)
            | Op::WaitWhile(o)
            | Op::WaitTimeoutWhile(o)
            | Op::NotifyOne(o)
            | Op::NotifyAll(o) => self.step_condvar(state, t, op, *o, out),
            Op::Enter(o) | Op::Exit(o) | Op::MonitorWait(o, _) | Op::Signal(o, _) | Op::SignalAll(o, _) => {
                self.step_monitor(state, t, op, *o, out);
            }
            Op::Store(o, _)
            | Op::AtomicLoad(o)
            | Op::Swap(o, _)
            | Op::FetchAdd(o, _)
            | Op::CompareExchange(o, ..)
            | Op::FetchUpdate(o)
            | Op::UpdateOdd(o) => self.step_atomic(state, t, op, *o, out),
            Op::Read(o)
            | Op::TryRead(o)
            | Op::Write(o)
            | Op::TryWrite(o)
            | Op::UnlockRw(o)
            | Op::Downgrade(o) => self.step_rwlock(state, t, op, *o, out),
            Op::Arrive(o, _) => self.step_barrier(state, t, *o, out),
            Op::CloneGroup(o) | Op::DropGroup(o) | Op::WaitGroup(o) => {
                self.step_wait_group(state, t, op, *o, out);
            }
            Op::IsDone(o)
            | Op::DoOnce(o, _)
            | Op::DoOnceOrPanic(o)
            | Op::SetOnce(o, _)
            | Op::AwaitOnce(o)
            | Op::AwaitOnceOrPanic(o)
            | Op::FailOnce(o) => self.step_once(state, t, op, *o, out),
            Op::Park | Op::ParkTimeout | Op::Unpark(_) => self.step_park(state, t, op, out),
            Op::CloneArc(o)
            | Op::DropArc(o)
            | Op::DowngradeArc(o)
            | Op::CloneWeak(o)
            | Op::DropWeak(o)
            | Op::TryUnwrap(o)
            | Op::StrongCount(o)
            | Op::WeakCount(o)
            | Op::Upgrade(o) => self.step_pointer(state, t, op, *o, out),
            Op::Panic => {
                let mut next = state.clone();
                self.panic(&mut next, t);
                out.push(next);
            }
            Op::Remember(_) | Op::Waiting(..) | Op::Yield | Op::Sleep | Op::Now => {
                let mut next = state.clone();
                match op {
                    Op::Remember(value) => next.threads[t].last = Some(*value),
                    Op::Waiting(o, condition) => next.threads[t].last = Some(state.waiting(*o, *condition)),
                    Op::Sleep => next.pass_time(t),
                    Op::Now => {
                        let now = next.look_at_clock(t);
                        next.threads[t].last = Some(((now + A_WHILE / 2) / A_WHILE) as u8);
                    }
                    _ => {}
                }
                self.advance(&mut next, t);
                out.push(next);
            }
            Op::Load(o) | Op::Add(o, _) => {
                let mut next = state.clone();
                let last = state.threads[t].last;
                match op {
                    Op::Add(_, value) => {
                        let number = &mut next.numbers[*o];
                        *number = number.wrapping_add(value.of(last));
                    }
                    _ => next.threads[t].last = Some(state.numbers[*o]),
                }
                self.advance(&mut next, t);
                out.push(next);
            }
            Op::UnlessOdd(_) | Op::UnlessIs(..) | Op::Back(_) => unreachable!("passed by on the way"),
        }
    }
}
