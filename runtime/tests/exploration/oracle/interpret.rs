//! Runs a program on the library, as [`super::program`] defines it.
//!
//! [`run`] is the closure to explore: it makes the objects, deals out the handles ([`objects`]) and is thread 0.
//! A [`Runner`] is one thread going through its operations; [`messages`] has those on channels, [`choices`] crossbeam's
//! selects, [`select`] the library's own, [`locks`] and [`memory`] what threads share by reference.

mod choices;
mod locks;
mod memory;
mod messages;
mod objects;
mod select;

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;

use insyn::std::sync::MutexGuard;
use insyn::std::thread::{self, Thread};
use insyn::sync::{Call, MonitorGuard};

use super::program::{self, Op, Program};
use memory::RwGuard;
use objects::{Bundle, Protected, ReceiveHandle, World};
use select::Taken;

/// A thread that has been spawned.
trait Child {
    /// Whether it has panicked.
    fn join(self: Box<Self>) -> bool;
    fn is_finished(&self) -> bool;
}

impl Child for thread::JoinHandle<()> {
    fn join(self: Box<Self>) -> bool {
        (*self).join().is_err()
    }

    fn is_finished(&self) -> bool {
        thread::JoinHandle::is_finished(self)
    }
}

impl Child for thread::ScopedJoinHandle<'_, ()> {
    fn join(self: Box<Self>) -> bool {
        (*self).join().is_err()
    }

    fn is_finished(&self) -> bool {
        thread::ScopedJoinHandle::is_finished(self)
    }
}

/// Runs the program, as its thread 0. (The world is shared by a real pointer: nothing in it does
/// anything when it is dropped, so it cannot be observed which thread drops it.)
pub(crate) fn run(program: &Program) {
    let world = Arc::new(World::new(program));
    if program.scoped {
        thread::scope(|scope| {
            let spawn = |child: usize| -> (Thread, Box<dyn Child + '_>) {
                let world = Arc::clone(&world);
                let handle = scope.spawn(move || run_thread(&world, child));
                (handle.thread().clone(), Box::new(handle))
            };
            Runner::new(&world, 0).run(&spawn);
        });
    } else {
        run_thread(&world, 0);
    }
}

/// Runs a thread, which spawns others without a scope.
fn run_thread(world: &Arc<World>, t: usize) {
    world.started(t, thread::current());
    let spawn = |child: usize| -> (Thread, Box<dyn Child>) {
        let world = Arc::clone(world);
        let builder = thread::Builder::new().name(format!("thread {child}"));
        let handle = builder.spawn(move || run_thread(&world, child)).expect("a thread can be spawned");
        (handle.thread().clone(), Box::new(handle))
    };
    Runner::new(world, t).run(&spawn);
}

/// A thread going through its operations.
struct Runner<'w> {
    world: &'w World,
    t: usize,
    handles: Bundle,
    last: Option<u8>,
    mutexes: BTreeMap<usize, MutexGuard<'w, Protected>>,
    reentrants: BTreeMap<usize, Vec<Box<dyn Deref<Target = ()> + 'w>>>,
    monitors: BTreeMap<usize, MonitorGuard<'w, u8>>,
    rwlocks: BTreeMap<usize, Vec<RwGuard<'w>>>,
    kept: Vec<Call<u8, u8>>,
}

impl<'w> Runner<'w> {
    fn new(world: &'w World, t: usize) -> Runner<'w> {
        Runner {
            world,
            t,
            handles: world.take_bundle(t),
            last: None,
            mutexes: BTreeMap::new(),
            reentrants: BTreeMap::new(),
            monitors: BTreeMap::new(),
            rwlocks: BTreeMap::new(),
            kept: Vec::new(),
        }
    }

    fn run<'s>(mut self, spawn: &dyn Fn(usize) -> (Thread, Box<dyn Child + 's>)) {
        let mut children: BTreeMap<usize, Box<dyn Child + 's>> = BTreeMap::new();
        let world = self.world;
        let ops = &world.program.threads[self.t].ops;
        let mut pc = 0;
        while let Some(op) = ops.get(pc) {
            if let Some(next) = program::steer(op, pc, self.last) {
                pc = next;
                continue;
            }
            pc += 1;
            match op {
                Op::Spawn(child) => {
                    let (thread, handle) = spawn(*child);
                    world.started(*child, thread);
                    children.insert(*child, handle);
                }
                Op::Join(child) => {
                    if let Some(child) = children.remove(child) {
                        let panicked = child.join();
                        self.last = if panicked { Some(1) } else { self.last };
                    }
                }
                Op::IsFinished(child) => {
                    if let Some(child) = children.get(child) {
                        self.last = Some(u8::from(child.is_finished()));
                    }
                }
                Op::Unpark(other) => {
                    if world.program.can_unpark(self.t, pc - 1, *other) {
                        world.thread(*other).unpark();
                    }
                }
                op => self.perform(op),
            }
        }
    }

    /// Releases everything, in the defined order.
    fn give_back(&mut self) {
        for o in 0..self.world.objects.len() {
            drop(self.mutexes.remove(&o));
            while let Some(guard) = self.reentrants.get_mut(&o).and_then(Vec::pop) {
                drop(guard);
            }
            drop(self.monitors.remove(&o));
            while let Some(guard) = self.rwlocks.get_mut(&o).and_then(Vec::pop) {
                drop(guard);
            }
        }
        while let Some(call) = self.kept.pop() {
            drop(call);
        }
        for o in 0..self.world.objects.len() {
            while let Some(sender) = self.handles.take_sender(o) {
                drop(sender);
            }
            drop(self.handles.receivers.remove(&o));
            while let Some(group) = self.handles.groups.get_mut(&o).and_then(Vec::pop) {
                drop(group);
            }
            while let Some(pointer) = self.handles.pointers.get_mut(&o).and_then(Vec::pop) {
                drop(pointer);
            }
            while let Some(pointer) = self.handles.weak.get_mut(&o).and_then(Vec::pop) {
                drop(pointer);
            }
        }
    }

    fn perform(&mut self, op: &Op) {
        match *op {
            Op::Send(o, _)
            | Op::TrySend(o, _)
            | Op::SendTimeout(o, _)
            | Op::SendHandle(o, _)
            | Op::SendReceiver(o, _) => self.send(op, o),
            Op::SendBy(o, value) => self.send_by(o, value),
            Op::Recv(o) | Op::TryRecv(o) | Op::RecvTimeout(o) => self.receive(op, o),
            Op::Drain(o) | Op::TryDrain(o) => self.drain(op, o),
            Op::Len(o) | Op::IsEmpty(o) | Op::IsFull(o) => self.look(op, o),
            Op::CloneSender(o) => self.handles.clone_sender(o),
            Op::DropSender(o) => drop(self.handles.take_sender(o)),
            Op::DropReceiver(o) => self.drop_receiver(o),
            Op::Choose(ref choice) => self.choose(choice),
            Op::Lock(o) | Op::LockOrPanic(o) | Op::TryLock(o) | Op::Unlock(o) => self.lock(op, o),
            Op::Panic => panic!("gives up"),
            Op::Poison(o) => self.poison(o),
            Op::LockInPanic(o) => self.lock_in_panic(o),
            Op::IsPoisoned(o) => self.is_poisoned(o),
            Op::ClearPoison(o) => self.clear_poison(o),
            Op::Wait(o) | Op::WaitTimeout(o) | Op::WaitWhile(o) | Op::WaitTimeoutWhile(o) => self.wait(op, o),
            Op::NotifyOne(o) => self.condvar(o).notify_one(),
            Op::NotifyAll(o) => self.condvar(o).notify_all(),
            Op::Acquire(o) => self.semaphore(o).acquire(),
            Op::Release(o) => self.semaphore(o).release(),
            Op::TryAcquire(o) => self.last = Some(u8::from(self.semaphore(o).try_acquire())),
            Op::Call(o, value) => self.call(o, value),
            Op::Accept(_) | Op::AcceptReply(_) | Op::Serve(_) => self.serve(op),
            Op::Reply => {
                if let Some(call) = self.kept.pop() {
                    let request = *call.request();
                    call.reply(program::reply_to(request));
                }
            }
            Op::DropCall => drop(self.kept.pop()),
            Op::Select(ref select) => self.select(select),
            Op::Enter(o)
            | Op::Exit(o)
            | Op::MonitorWait(o, _)
            | Op::Signal(o, _)
            | Op::SignalAll(o, _)
            | Op::Waiting(o, _) => self.monitor(op, o),
            Op::Store(o, _)
            | Op::AtomicLoad(o)
            | Op::Swap(o, _)
            | Op::FetchAdd(o, _)
            | Op::CompareExchange(o, ..)
            | Op::FetchUpdate(o)
            | Op::UpdateOdd(o) => self.atomic(op, o),
            Op::Read(o)
            | Op::TryRead(o)
            | Op::Write(o)
            | Op::TryWrite(o)
            | Op::UnlockRw(o)
            | Op::Downgrade(o) => self.rwlock(op, o),
            Op::Arrive(o, asks) => self.arrive(o, asks),
            Op::CloneGroup(o) | Op::DropGroup(o) | Op::WaitGroup(o) => self.wait_group(op, o),
            Op::IsDone(o)
            | Op::DoOnce(o, _)
            | Op::DoOnceOrPanic(o)
            | Op::SetOnce(o, _)
            | Op::AwaitOnce(o)
            | Op::AwaitOnceOrPanic(o)
            | Op::FailOnce(o) => self.once(op, o),
            Op::Park => thread::park(),
            Op::ParkTimeout => thread::park_timeout(messages::A_WHILE),
            Op::CloneArc(o)
            | Op::DropArc(o)
            | Op::DowngradeArc(o)
            | Op::CloneWeak(o)
            | Op::DropWeak(o)
            | Op::TryUnwrap(o)
            | Op::StrongCount(o)
            | Op::WeakCount(o)
            | Op::Upgrade(o) => self.pointer(op, o),
            Op::Yield => thread::yield_now(),
            Op::Sleep => thread::sleep(messages::A_WHILE),
            Op::Now => self.last = Some(self.world.time()),
            Op::Remember(value) => self.last = Some(value),
            Op::Load(o) => {
                if let Some(number) = self.number(o) {
                    self.last = Some(number);
                }
            }
            Op::Add(o, value) => {
                let more = value.of(self.last);
                if let Some(number) = self.number_mut(o) {
                    *number = number.wrapping_add(more);
                }
            }
            Op::Spawn(_) | Op::Join(_) | Op::IsFinished(_) | Op::Unpark(_) => {
                unreachable!("done by the caller")
            }
            Op::UnlessOdd(_) | Op::UnlessIs(..) | Op::Back(_) => unreachable!("done by the caller"),
        }
    }

    fn serve(&mut self, op: &Op) {
        let (Op::Accept(o) | Op::AcceptReply(o) | Op::Serve(o)) = op else { unreachable!("it accepts") };
        let Some(ReceiveHandle::Entry(entry)) = self.handles.receivers.get(o) else { return };
        match op {
            Op::Accept(_) => {
                let call = entry.accept().ok();
                self.last = call.as_ref().map(|call| *call.request());
                self.kept.extend(call);
            }
            Op::AcceptReply(_) => self.last = entry.accept_and_reply(program::EARLY_REPLY).ok(),
            _ => {
                while entry.accept_and_reply(program::EARLY_REPLY).is_ok() {}
                self.last = None;
            }
        }
    }

    fn select(&mut self, select: &program::Select) {
        match select::select(self, select) {
            Taken::Call(call) => {
                self.last = Some(*call.request());
                self.kept.push(call);
            }
            Taken::Message(message) => self.got(message),
            Taken::Nothing => self.last = None,
            Taken::NoArm => {}
        }
    }
}

impl Drop for Runner<'_> {
    /// At the end of the thread, even in a panic.
    fn drop(&mut self) {
        self.give_back();
    }
}
