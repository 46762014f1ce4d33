//! Random executions with shared variables, selects, and the locks and meeting points that [`programs`](super::programs)
//! does not have.
//!
//! As there, a program is a list of steps for each thread. All calls that wait are in one list; an execution lets
//! either a thread do its next step or one of the possible completions happen, chosen by a list of bytes.

use insyn_sequences::{EventRef, Kind, Op, Pick, Sequence};
use proptest::prelude::*;

use super::build::Build;

const THREADS: usize = 4;

/// What a thread does next.
#[derive(Clone, Debug)]
pub enum Step {
    /// A call to an object, with nothing to it but that it waits.
    Call(Op, Object),
    /// Reads a variable.
    Load,
    /// Takes the lock, or gives it back.
    Lock(Op),
    Unlock,
    /// Waits on the condition with a timeout.
    Wait,
    Expire,
    /// Offers and what ends the select otherwise.
    Select(Vec<(Op, Object)>),
    /// What is done once.
    Once,
    Complete,
    Park(Op),
    Unpark(usize),
    /// Looks at the timer, if this is the thread that may.
    Timer,
    /// Asks whether a thread has ended.
    Ask(usize),
    /// Comes after all that another thread has done, unless that is in a call: as if it had been started by it.
    Follow(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Object {
    Variable,
    Lock,
    Condition,
    /// The three channels share a timeline, which the first holds.
    Buffer,
    Meeting,
    Queue,
    Barrier,
    Once,
    Count,
}

pub fn sequences() -> impl Strategy<Value = Sequence> {
    let channel = || prop_oneof![Just(Object::Buffer), Just(Object::Meeting), Just(Object::Queue)];
    let offer = (prop_oneof![Just(Op::OfferPut), Just(Op::OfferTake)], channel());
    let ready = (prop_oneof![Just(Op::ReadyPut), Just(Op::ReadyTake)], channel());
    let offers = || prop_oneof![3 => prop::collection::vec(offer.clone(), 1..4), 1 => prop::collection::vec(ready.clone(), 1..3)];
    let otherwise = prop::option::weighted(0.2, prop_oneof![Just(Op::OfferDefault), Just(Op::OfferTimeout)]);
    let select = (offers(), otherwise).prop_map(|(mut offers, otherwise)| {
        offers.extend(otherwise.map(|op| (op, offers[0].1)));
        Step::Select(offers)
    });
    let call = |op: Op, object: Object| Just(Step::Call(op, object));
    let variables = prop_oneof![
        3 => Just(Step::Load),
        2 => call(Op::Store, Object::Variable),
        1 => call(Op::Update, Object::Variable),
    ];
    let locks = prop_oneof![
        3 => prop_oneof![Just(Op::Read), Just(Op::Write)].prop_map(Step::Lock),
        2 => Just(Step::Unlock),
    ];
    let waits = prop_oneof![
        3 => Just(Step::Wait),
        1 => call(Op::NotifyOne, Object::Condition),
        1 => call(Op::NotifyAll, Object::Condition),
        1 => prop_oneof![Just(Op::Park), Just(Op::ParkTimeout)].prop_map(Step::Park),
        1 => (0..THREADS).prop_map(Step::Unpark),
    ];
    let channels = prop_oneof![
        3 => select,
        1 => (0..THREADS).prop_map(Step::Follow),
        1 => (prop_oneof![Just(Op::Put), Just(Op::Take)], channel()).prop_map(|(op, it)| Step::Call(op, it)),
    ];
    let others = prop_oneof![
        1 => call(Op::Arrive, Object::Barrier),
        1 => Just(Step::Once),
        1 => call(Op::Await, Object::Once),
        1 => call(Op::Clone, Object::Count),
        1 => Just(Step::Timer),
        1 => (0..THREADS).prop_map(Step::Ask),
        1 => (0..THREADS).prop_map(Step::Follow),
    ];
    // What a program does most of the time, since much of it needs others who do the same.
    let themes = [variables.boxed(), locks.boxed(), waits.boxed(), channels.boxed(), others.boxed()];
    let any_step = prop::strategy::Union::new(themes.clone());
    let scripts = prop::sample::select(themes.to_vec()).prop_flat_map(move |theme| {
        let step = prop_oneof![3 => theme, 2 => any_step.clone()];
        prop::collection::vec(prop::collection::vec(step, 0..7), THREADS)
    });
    (scripts, prop::collection::vec(any::<u8>(), 150))
        .prop_map(|(scripts, choices)| Run::new(scripts).run(&choices))
}

/// A call that waits. The hang-up of the buffer waits too, though no thread does.
#[derive(Clone, Copy, Debug)]
struct Call {
    thread: Option<usize>,
    op: Op,
    object: usize,
    at: EventRef,
}

/// A completion that is possible: its type, the object it is about, and what it picks.
type Possible = (Op, usize, Vec<EventRef>);

struct Run {
    build: Build,
    scripts: Vec<Vec<Step>>,
    ended: Vec<Option<EventRef>>,
    calls: Vec<Call>,
    /// What the next event of a thread comes after.
    pending: Vec<Vec<EventRef>>,
    threads: Vec<usize>,
    objects: Vec<usize>,
    parkers: Vec<usize>,
    ends: Vec<usize>,
    timer: usize,
    hang_up: usize,
    last_write: Option<EventRef>,
    /// Who holds the lock, and whether for writing.
    holders: Vec<(usize, bool)>,
    announced: bool,
    /// Threads on the condition, with the completion of their wait.
    sleepers: Vec<(usize, EventRef)>,
    inside: [usize; 2],
    busy: bool,
    done: Option<EventRef>,
    tokens: [bool; THREADS],
    fire: Option<EventRef>,
    drops: Vec<EventRef>,
}

impl Run {
    fn new(scripts: Vec<Vec<Step>>) -> Run {
        let mut build = Build::default();
        let id = |thread: usize| if thread == 0 { "main".to_owned() } else { format!("main/thread{thread}") };
        let part = |build: &mut Build, name: &str, kind| -> Vec<usize> {
            (0..THREADS).map(|it| build.process(&format!("{}/{name}", id(it)), kind)).collect()
        };
        let threads: Vec<usize> = (0..THREADS).map(|it| build.process(&id(it), Kind::Thread)).collect();
        let kinds = [
            Kind::Atomic,
            Kind::RwLock,
            Kind::Condvar,
            Kind::Bounded,
            Kind::Rendezvous,
            Kind::Channel,
            Kind::Barrier,
            Kind::Once,
            Kind::Arc,
        ];
        let objects = kinds.map(|kind| build.process(&format!("main/{}1", kind.word()), kind)).to_vec();
        let timer = build.process("main/timer1", Kind::Timer);
        Run {
            parkers: part(&mut build, "parker1", Kind::Parker),
            ends: part(&mut build, "end", Kind::End),
            hang_up: build.process("main/bounded1/hang-up", Kind::Bounded),
            fire: Some(build.event(timer, Op::Fire, Some(timer), Pick::None)),
            timer,
            build,
            scripts: scripts.into_iter().map(|script| script.into_iter().rev().collect()).collect(),
            ended: vec![None; THREADS],
            calls: Vec::new(),
            pending: vec![Vec::new(); THREADS],
            threads,
            objects,
            last_write: None,
            holders: Vec::new(),
            announced: false,
            sleepers: Vec::new(),
            inside: [0, 0],
            busy: false,
            done: None,
            tokens: [false; THREADS],
            drops: Vec::new(),
        }
    }

    fn run(mut self, choices: &[u8]) -> Sequence {
        for &choice in choices {
            let ready: Vec<usize> = (0..THREADS).filter(|&it| self.is_ready(it)).collect();
            let mut possible = self.possible();
            let count = ready.len() + possible.len();
            if count == 0 {
                break;
            }
            let choice = usize::from(choice) % count;
            if choice < ready.len() {
                self.step(ready[choice]);
            } else {
                self.complete(possible.swap_remove(choice - ready.len()));
            }
        }
        self.build.finish()
    }

    fn object(&self, object: Object) -> usize {
        self.objects[object as usize]
    }

    fn is_ready(&self, thread: usize) -> bool {
        self.ended[thread].is_none() && self.calls.iter().all(|call| call.thread != Some(thread))
    }

    fn add(&mut self, thread: usize, op: Op, object: Option<usize>, pick: Pick) -> EventRef {
        let event = self.build.event(self.threads[thread], op, object, pick);
        let pending = std::mem::take(&mut self.pending[thread]);
        self.build.after(event, &pending);
        self.build.at(event, "src/program.rs", event.index as u32 + 1, event.process as u32 + 1);
        event
    }

    fn call(&mut self, thread: usize, op: Op, object: usize) {
        let at = self.add(thread, op, Some(object), Pick::None);
        self.calls.push(Call { thread: Some(thread), op, object, at });
    }

    fn look(&mut self, thread: usize, op: Op, object: usize, at: Option<EventRef>) {
        let pick = at.map_or(Pick::Nothing, |at| Pick::Partners(vec![at]));
        self.add(thread, op, Some(object), pick);
    }

    fn step(&mut self, thread: usize) {
        let Some(step) = self.scripts[thread].pop() else { return self.end(thread) };
        match step {
            Step::Call(op, object) => self.call(thread, op, self.object(object)),
            Step::Load => self.look(thread, Op::Load, self.object(Object::Variable), self.last_write),
            Step::Lock(op) if self.holds(thread).is_none() => {
                self.call(thread, op, self.object(Object::Lock))
            }
            Step::Unlock => match self.holds(thread) {
                Some(true) => self.call(thread, Op::Unlock, self.object(Object::Lock)),
                Some(false) => self.call(thread, Op::UnlockRead, self.object(Object::Lock)),
                None => {}
            },
            Step::Wait => {
                self.scripts[thread].push(Step::Expire);
                self.call(thread, Op::Wait, self.object(Object::Condition));
            }
            // Who has been notified meanwhile does not call.
            Step::Expire if self.sleepers.iter().any(|&(it, _)| it == thread) => {
                self.call(thread, Op::Expire, self.object(Object::Condition));
            }
            Step::Select(offers) => {
                self.add(thread, Op::Select, None, Pick::None);
                for (op, object) in offers {
                    self.call(thread, op, self.object(object));
                }
            }
            Step::Once => {
                self.look(thread, Op::Load, self.object(Object::Once), self.done);
                if self.done.is_none() {
                    self.call(thread, Op::Begin, self.object(Object::Once));
                }
            }
            Step::Complete => self.call(thread, Op::Complete, self.object(Object::Once)),
            Step::Park(op) => self.call(thread, op, self.parkers[thread]),
            Step::Unpark(other) => self.call(thread, Op::Unpark, self.parkers[other]),
            Step::Timer if thread == 0 => {
                let fire = self.fire.take();
                self.look(thread, Op::Receive, self.timer, fire);
            }
            Step::Ask(other) => self.look(thread, Op::Receive, self.ends[other], self.ended[other]),
            Step::Follow(other)
                if other != thread && self.calls.iter().all(|it| it.thread != Some(other)) =>
            {
                let process = self.threads[other];
                let last = self.build.events_of(process).checked_sub(1);
                self.pending[thread].extend(last.map(|index| EventRef { process, index }));
            }
            Step::Lock(_) | Step::Expire | Step::Timer | Step::Follow(_) => {}
        }
    }

    /// A thread that ends drops its receiver of the buffer; the last one to do so hangs up.
    fn end(&mut self, thread: usize) {
        let buffer = self.object(Object::Buffer);
        let drop = self.add(thread, Op::DropReceiver, Some(buffer), Pick::None);
        self.drops.push(drop);
        let end = self.ends[thread];
        let disconnect = self.build.event(end, Op::Disconnect, Some(end), Pick::None);
        self.build.after(disconnect, &[drop]);
        self.ended[thread] = Some(disconnect);
        if self.drops.len() == THREADS {
            let at = self.build.event(self.hang_up, Op::HangUp, Some(buffer), Pick::None);
            self.build.after(at, &self.drops);
            self.calls.push(Call { thread: None, op: Op::HangUp, object: buffer, at });
        }
    }

    fn holds(&self, thread: usize) -> Option<bool> {
        self.holders.iter().find(|(holder, _)| *holder == thread).map(|&(_, writes)| writes)
    }

    fn possible(&self) -> Vec<Possible> {
        let mut possible = Vec::new();
        for call in &self.calls {
            let alone = || vec![(call.op, call.object, vec![call.at])];
            let if_so = |open: bool| if open { alone() } else { Vec::new() };
            possible.extend(match call.op {
                Op::Read => if_so(!self.announced && !self.holders.iter().any(|&(_, writes)| writes)),
                Op::Write => [if_so(self.holders.is_empty()), self.blocks(call)].concat(),
                Op::Put | Op::OfferPut | Op::ReadyPut if call.object == self.object(Object::Meeting) => {
                    self.meets(call)
                }
                Op::ReadyTake if call.object == self.object(Object::Meeting) => self.meets(call),
                Op::Put | Op::OfferPut | Op::ReadyPut => {
                    if_so(call.object == self.object(Object::Queue) || self.inside[0] == 0)
                }
                Op::Take | Op::OfferTake | Op::ReadyTake => if_so(self.holds_message(call.object)),
                Op::NotifyOne if !self.sleepers.is_empty() => {
                    let waits = self.sleepers.iter().map(|&(_, wait)| wait);
                    waits.map(|wait| (call.op, call.object, vec![call.at, wait])).collect()
                }
                Op::Arrive => {
                    let other = self.calls.iter().find(|it| it.op == Op::Arrive && it.thread < call.thread);
                    other.map(|it| (call.op, call.object, vec![it.at, call.at])).into_iter().collect()
                }
                Op::Begin => if_so(!self.busy),
                Op::Await => if_so(self.done.is_some()),
                Op::Park => if_so(self.tokens[call.thread.unwrap_or_default()]),
                _ => alone(),
            });
        }
        possible
    }

    fn holds_message(&self, channel: usize) -> bool {
        channel == self.object(Object::Buffer) && self.inside[0] > 0
            || channel == self.object(Object::Queue) && self.inside[1] > 0
    }

    /// A waiting writer keeps out each waiting reader.
    fn blocks(&self, write: &Call) -> Vec<Possible> {
        if self.announced || self.holders.is_empty() || self.holders.iter().any(|&(_, writes)| writes) {
            return Vec::new();
        }
        let reads = self.calls.iter().filter(|it| it.op == Op::Read);
        reads.map(|read| (Op::Block, write.object, vec![write.at, read.at])).collect()
    }

    /// Who a put, or an offer that only asks, can meet.
    fn meets(&self, call: &Call) -> Vec<Possible> {
        let others = self.calls.iter().filter(|it| it.object == call.object && it.thread != call.thread);
        let wanted = |op: Op| match call.op {
            Op::ReadyTake => matches!(op, Op::Put | Op::OfferPut),
            _ => matches!(op, Op::Take | Op::OfferTake),
        };
        let op = |other: Op| if call.op.leaves_waiting() { call.op } else { other };
        others.filter(|it| wanted(it.op)).map(|it| (op(it.op), call.object, vec![call.at, it.at])).collect()
    }

    fn complete(&mut self, (op, object, partners): Possible) {
        let joined = [Object::Buffer, Object::Meeting, Object::Queue].map(|it| self.object(it));
        let timeline = if joined.contains(&object) { joined[0] } else { object };
        let completion = self.build.event(timeline, op, Some(object), Pick::Partners(partners.clone()));
        let completed = match op {
            Op::Block => 0,
            Op::ReadyPut | Op::ReadyTake => 1,
            _ => partners.len(),
        };
        let released: Vec<usize> = partners[..completed]
            .iter()
            .filter_map(|at| self.calls.iter().find(|call| call.at == *at))
            .map(|call| call.thread.unwrap_or(THREADS))
            .collect();
        self.calls.retain(|call| !released.contains(&call.thread.unwrap_or(THREADS)));
        let thread = released.first().copied().unwrap_or(THREADS);
        let channel = usize::from(object == joined[2]);
        match op {
            Op::Store | Op::Update => self.last_write = Some(completion),
            Op::Read => self.holders.push((thread, false)),
            Op::Write => {
                self.holders.push((thread, true));
                self.announced = false;
            }
            Op::Unlock | Op::UnlockRead => self.holders.retain(|&(holder, _)| holder != thread),
            Op::Block => self.announced = true,
            Op::Wait => self.sleepers.push((thread, completion)),
            Op::Expire => self.sleepers.retain(|&(sleeper, _)| sleeper != thread),
            Op::NotifyOne => self.wake(completion, |wait| partners.contains(&wait)),
            Op::NotifyAll => self.wake(completion, |_| true),
            Op::Put | Op::OfferPut if object != joined[1] => self.inside[channel] += 1,
            Op::Take | Op::OfferTake if object != joined[1] => self.inside[channel] -= 1,
            Op::Begin if self.done.is_none() => {
                self.busy = true;
                self.scripts[thread].push(Step::Complete);
            }
            Op::Complete => {
                self.busy = false;
                self.done = Some(completion);
            }
            Op::Park | Op::ParkTimeout => self.tokens[thread] = false,
            Op::Unpark => {
                let parked = self.parkers.iter().position(|&it| it == object).unwrap_or_default();
                self.tokens[parked] = true;
            }
            _ => {}
        }
    }

    fn wake(&mut self, by: EventRef, which: impl Fn(EventRef) -> bool) {
        let woken: Vec<usize> =
            self.sleepers.iter().filter(|&&(_, wait)| which(wait)).map(|&(sleeper, _)| sleeper).collect();
        self.sleepers.retain(|(sleeper, _)| !woken.contains(sleeper));
        for sleeper in woken {
            self.calls.retain(|call| call.op != Op::Expire || call.thread != Some(sleeper));
            self.pending[sleeper].push(by);
        }
    }
}
