//! Loops that poll: check something, find nothing, yield, check again.
//!
//! Such a loop has a behaviour for every number of iterations, so its next poll waits until the polled object has changed
//! ([`Engine::polls_again`]). That is right for a loop that continues until then, and wrong for one that gives up. Which of
//! the two it is matters only when nothing else can move while the loop waits; then the loop is tested
//! ([`Engine::test_polls`]): its polls find nothing, again and again, until it does something else or the bound on steps is
//! reached. Either is a fact that the exploration starts again with: a loop that gives up no longer waits, so every number
//! of iterations is a behaviour; and a loop that does not give up is blocked forever.

use crate::access::with_running;
use crate::ids::{EventId, ObjectId, ThreadId};
use crate::objects::Answer;
use crate::refinement::{Fact, KnownPoll};
use crate::schedule::steps::{cannot_go_on, give_way};
use crate::threads::Status;
use crate::threads::poll::{Look, Poll};
use crate::{Engine, Place, same_place};

/// The state of threads that poll.
#[derive(Default)]
pub(crate) struct Polls {
    /// What earlier runs have shown.
    pub known: Vec<KnownPoll>,
    /// Some threads are being tested.
    pub(crate) are_tested: bool,
    /// Some threads poll what is behind a lock.
    pub(crate) are_behind_locks: bool,
}

impl Polls {
    /// Starts another run.
    #[inline]
    pub(crate) fn reset(&mut self) {
        let Polls { known: _, are_tested, are_behind_locks } = self;
        (*are_tested, *are_behind_locks) = (false, false);
    }
}

/// Lets other threads go first. If the thread has just polled an object, its next poll of the same object waits until the
/// object has changed: otherwise a polling loop could go on forever.
pub fn yield_turn() {
    let may_go_on = with_running(|engine| {
        let may_go_on = engine.step();
        if may_go_on && engine.settings.patient_polling {
            engine.await_change();
        }
        may_go_on && engine.may_go_on()
    });
    if !may_go_on {
        cannot_go_on();
    }
    give_way();
}

/// A poll by a loop that is being tested: counts towards the bound on steps.
#[cold]
#[inline(never)]
pub(crate) fn count_tested_poll() {
    if !with_running(Engine::step) {
        cannot_go_on();
    }
}

impl Engine {
    /// Whether a repeated poll finds nothing at once, since the loop it belongs to is being tested.
    #[inline]
    pub(crate) fn is_tested(&self) -> bool {
        self.polls.are_tested && self.threads[self.schedule.running].poll.is_tested
    }

    /// The running thread has polled an object; if it does nothing else before it yields, it is in a polling loop.
    #[inline]
    pub(crate) fn note_poll(&mut self, object: ObjectId, place: Place) {
        let me = self.schedule.running;
        let at = self.events_of(self.threads[me].process);
        self.threads[me].poll.polled =
            Look { object: Some(object), at, place: Some(place), is_behind: false };
    }

    /// The running thread yields: if it has only polled since it did anything else, its next poll waits for a change.
    fn await_change(&mut self) {
        let me = self.schedule.running;
        let next = self.events_of(self.threads[me].process);
        let Poll { polled, awaited, is_tested, .. } = self.threads[me].poll;
        if polled.at == next && polled.object.is_some() {
            self.threads[me].poll.awaited = polled;
            return;
        }
        match self.look_behind_lock() {
            Some((look, found)) if !is_tested || look.is_of(&awaited) => {
                self.polls.are_behind_locks = true;
                let poll = &mut self.threads[me].poll;
                (poll.awaited, poll.state) = (look, Some(found));
            }
            _ if is_tested && awaited.is_behind => self.record_abandoned_poll(me),
            _ => self.order_polled_readers(),
        }
    }

    /// Whether the next poll of an object waits until the object has changed: the same poll is repeated in a loop, and the
    /// loop is not known to give up.
    #[inline]
    pub(crate) fn polls_again(&self, object: ObjectId, place: Place) -> bool {
        let awaited = &self.threads[self.schedule.running].poll.awaited;
        awaited.object == Some(object) && self.polls_again_at(place)
    }

    #[cold]
    #[inline(never)]
    fn polls_again_at(&self, place: Place) -> bool {
        let t = &self.threads[self.schedule.running];
        t.poll.awaited.at == self.events_of(t.process)
            && t.poll.awaited.place.is_some_and(|at| same_place(at, place))
            && self.known_poll(self.schedule.running) != Some(true)
            && !(t.poll.is_tested && t.poll.awaited.is_behind)
    }

    /// Whether the thread that waits for this object has polled it before.
    pub(crate) fn has_polled(&self, object: ObjectId) -> bool {
        let t = &self.threads[self.schedule.running];
        t.poll.is_waiting && t.poll.awaited.object == Some(object)
    }

    /// Whether the loop in which a thread polls gives up, if that is known.
    fn known_poll(&self, thread: ThreadId) -> Option<bool> {
        let t = &self.threads[thread];
        let place = t.poll.awaited.place?;
        let known = self.polls.known.iter().find(|it| it.process == t.process && same_place(it.place, place));
        known.map(|it| it.gives_up)
    }

    /// Nothing can move: threads that wait in a loop not known to give up or to poll forever are tested.
    #[cold]
    #[inline(never)]
    pub(crate) fn test_polls(&mut self) {
        if self.schedule.unfinished == 0 || self.turns.forcing.is_some() {
            return;
        }
        for thread in self.threads.ids() {
            if self.threads[thread].poll.is_tested && self.has_left_lock(thread) {
                self.record_abandoned_poll(thread);
            } else if self.is_untested(thread) {
                self.threads[thread].poll.is_tested = true;
                self.polls.are_tested = true;
                self.schedule.asks = true;
                self.schedule.unasked = 0;
                self.wake(thread);
            }
        }
    }

    /// Whether a thread waits in a loop not known to give up or to poll forever.
    fn is_untested(&self, thread: ThreadId) -> bool {
        let t = &self.threads[thread];
        t.poll.is_waiting
            && t.status == Status::Blocked
            && self.known_poll(thread).is_none()
            && !self.is_locked_out(thread)
    }

    /// Whether some thread waits in such a loop. The loop is not tested if other threads only wait for their turns.
    pub(crate) fn has_untested_poll(&self) -> bool {
        self.schedule.unfinished > 0 && self.threads.ids().any(|thread| self.is_untested(thread))
    }

    /// A thread that is being tested has done something other than polling again.
    #[cold]
    #[inline(never)]
    pub(crate) fn record_abandoned_poll(&mut self, thread: ThreadId) {
        if self.threads[thread].poll.is_tested
            && let Some(place) = self.threads[thread].poll.awaited.place
        {
            let path = self.processes.path(self.threads[thread].process);
            self.refine(Fact::GivesUp(path, place));
        }
    }

    /// The bound on steps is reached: the loops that are being tested do not give up.
    #[cold]
    #[inline(never)]
    pub(crate) fn record_endless_polls(&mut self) {
        for thread in self.threads.ids() {
            let Poll { is_tested, awaited, .. } = self.threads[thread].poll;
            if is_tested && self.has_left_lock(thread) {
                self.record_abandoned_poll(thread);
            } else if let Some(place) = awaited.place.filter(|_| is_tested) {
                let path = self.processes.path(self.threads[thread].process);
                self.refine(Fact::PollsOn(path, place));
            }
        }
    }

    /// The running thread, whose call of an object waits, withdraws that call.
    #[cold]
    #[inline(never)]
    pub(crate) fn withdraw_poll(&mut self, object: ObjectId) -> Answer {
        let me = self.schedule.running;
        let host = self.run.objects[object].host;
        self.objects[host].pending.retain(|call| call.thread != Some(me));
        self.threads[me].calling = false;
        self.threads[me].poll.answer.unwrap_or(Answer::No)
    }

    /// The call of an object by a loop that is being tested; it finds nothing.
    #[cold]
    #[inline(never)]
    pub(crate) fn answer_tested_poll(
        &mut self,
        object: ObjectId,
        op: crate::record::event::Op,
        place: Place,
    ) -> (EventId, Answer) {
        let event = self.record_thread(op, object, place);
        self.note_poll(object, place);
        let me = self.schedule.running;
        (event, self.threads[me].poll.answer.unwrap_or(Answer::No))
    }
}
