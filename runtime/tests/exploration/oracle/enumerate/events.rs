//! Events and processes: what a step records, and the behaviour at the end.

use super::super::program::{Object, Op};
use super::facts::Fact;
use super::history::{At, Pick, Token};
use super::state::{Phase, State};
use super::{Behaviour, End, Enumerator};

impl Enumerator<'_> {
    /// The process of an object. (Numbers beyond those of the objects stand for the processes that belong to them.)
    pub(super) fn process(&self, object: usize) -> usize {
        self.program.threads.len() + object
    }

    /// The number of the process that hangs up the channel when its last receiver is gone.
    pub(super) fn hang_up_of(&self, o: usize) -> usize {
        2 * self.program.objects.len() + o
    }

    /// The number of the process of the thread's end.
    pub(super) fn thread_end(&self, t: usize) -> usize {
        3 * self.program.objects.len() + t
    }

    /// The number of the object that the thread parks on.
    pub(super) fn parker(&self, t: usize) -> usize {
        3 * self.program.objects.len() + self.program.threads.len() + t
    }

    /// The number of the count of the channel's handles, of both sides.
    pub(super) fn owners(&self, o: usize) -> usize {
        3 * self.program.objects.len() + 2 * self.program.threads.len() + o
    }

    /// The process on which calls to the object complete.
    pub(super) fn timeline(&self, o: usize) -> usize {
        let known = o < self.program.objects.len();
        self.process(if known { self.facts.root(o) } else { o })
    }

    /// Whether sends and receives on the channel or timer are puts and takes that complete on it.
    pub(super) fn is_object(&self, o: usize) -> bool {
        self.facts.is_object(self.program, o)
    }

    pub(super) fn is_counted(&self, o: usize) -> bool {
        self.facts.is_known(Fact::Counted(o))
    }

    /// Adds an event to a process; returns its place.
    pub(super) fn emit(
        &mut self,
        state: &mut State,
        process: usize,
        word: &'static str,
        object: Option<usize>,
        pick: Pick,
    ) -> At {
        let token = Token { word, object: object.map(|o| self.process(o) as u8), pick };
        let history = self.histories.append(state.histories[process], token);
        state.histories[process] = history;
        let at = At { process: process as u8, index: self.histories.len(history) - 1 };
        state.latest.push(at);
        if let Some(clocks) = &mut state.clocks {
            clocks.tick(at, &pick);
        }
        at
    }

    /// The latest event of a process.
    pub(super) fn latest(&self, state: &State, process: usize) -> At {
        At { process: process as u8, index: self.histories.len(state.histories[process]) - 1 }
    }

    /// The thread calls the object and the call completes: two events. `with` are partners besides the call. (If the
    /// call is open already, because it was left waiting, it is not made again.)
    pub(super) fn call(
        &mut self,
        state: &mut State,
        t: usize,
        word: &'static str,
        o: usize,
        with: &[At],
    ) -> At {
        let call = self.open(state, t, word, o);
        self.complete(state, t, word, o, &[&[call], with].concat())
    }

    /// As [`call`](Self::call), where the completion has another name if the call has not succeeded.
    pub(super) fn attempt_call(
        &mut self,
        state: &mut State,
        t: usize,
        (word, failed): (&'static str, &'static str),
        o: usize,
        succeeds: bool,
    ) {
        let call = self.open(state, t, word, o);
        self.complete(state, t, if succeeds { word } else { failed }, o, &[call]);
    }

    /// Makes the call, if it is not open already; returns its event.
    pub(super) fn open(&mut self, state: &mut State, t: usize, word: &'static str, o: usize) -> At {
        match state.threads[t].phase {
            Phase::Called => self.latest(state, t),
            _ => self.emit(state, t, word, Some(o), Pick::None),
        }
    }

    /// A completion on the object, which the thread goes on after.
    pub(super) fn complete(
        &mut self,
        state: &mut State,
        t: usize,
        word: &'static str,
        o: usize,
        partners: &[At],
    ) -> At {
        let timeline = self.timeline(o);
        let completion = self.emit(state, timeline, word, Some(o), Pick::partners(partners));
        state.order(timeline, t);
        completion
    }

    /// The process that has the disconnect of the object as its event.
    pub(super) fn disconnects(&self, o: usize) -> usize {
        self.process(if self.is_object(o) { self.program.objects.len() + o } else { o })
    }

    /// The disconnect of the object, if it has happened. A timer is never disconnected.
    pub(super) fn disconnect(&self, state: &State, o: usize) -> Option<At> {
        let gone = state.channel(o).handles == 0 && !matches!(self.program.objects[o], Object::Timer { .. });
        gone.then(|| At { process: self.disconnects(o) as u8, index: 0 })
    }

    /// The behaviour of an execution that has ended.
    pub(super) fn behaviour(&mut self, mut state: State) -> Behaviour {
        let finished = |t: &usize| state.threads[*t].phase == Phase::Finished;
        let is_fatal =
            |t: usize| state.threads[t].panicked && finished(&t) && (t == 0 || state.joined >> t & 1 == 0);
        let end = if (0..state.threads.len()).any(is_fatal) {
            End::Panic
        } else if (0..state.threads.len()).all(|t| finished(&t)) {
            End::Normal
        } else {
            End::Deadlock
        };
        for t in 0..state.threads.len() {
            if let Some(attempt) = self.attempt(&state, t) {
                self.announce(&mut state, t, &attempt);
            } else if let Some((word, o)) = self.open_call(&state, t) {
                self.emit(&mut state, t, word, Some(o), Pick::None);
            }
        }
        let mut lines: Vec<String> = (0..self.ids.len())
            .filter(|&p| self.histories.len(state.histories[p]) > 0)
            .map(|p| self.histories.render(p, state.histories[p], &self.ids, self.names_objects(p)))
            .collect();
        lines.sort();
        Behaviour { lines, end }
    }

    /// Whether the process is a thread, and whether it is a thread or an object.
    pub(super) fn names_objects(&self, process: usize) -> (bool, bool) {
        (process < self.program.threads.len(), process < self.process(self.program.objects.len()))
    }

    /// The call that a blocked thread has made, where a call and its completion are one step.
    fn open_call(&self, state: &State, t: usize) -> Option<(&'static str, usize)> {
        let op = self.next_op(state, t)?;
        match (state.threads[t].phase, op) {
            (Phase::Ready, Op::Lock(o) | Op::LockInPanic(o) | Op::LockOrPanic(o)) => Some(("lock", o)),
            (Phase::Ready, Op::Acquire(o)) => Some(("acquire", o)),
            (Phase::Ready, Op::Release(o)) => Some(("release", o)),
            (Phase::Ready, Op::Enter(o)) => Some(("enter", o)),
            (Phase::Ready, Op::Read(o)) => Some(("read", o)),
            (Phase::Ready, Op::Write(o)) => Some(("write", o)),
            (Phase::Ready, Op::Arrive(o, _)) => Some(("arrive", o)),
            (Phase::Ready, Op::Park) => Some(("park", self.parker(t))),
            (
                Phase::Beginning,
                Op::DoOnce(o, _) | Op::DoOnceOrPanic(o) | Op::SetOnce(o, _) | Op::FailOnce(o),
            ) => Some(("begin", o)),
            (Phase::Awaiting, Op::AwaitOnce(o) | Op::AwaitOnceOrPanic(o)) => Some(("await", o)),
            (
                Phase::Sleeping,
                Op::Wait(o) | Op::WaitTimeout(o) | Op::WaitWhile(o) | Op::WaitTimeoutWhile(o),
            ) => match self.program.objects[o] {
                Object::Condvar { mutex } => (!state.is_waiting(t, o)).then_some(("lock", mutex)),
                _ => None,
            },
            _ => None,
        }
    }
}
