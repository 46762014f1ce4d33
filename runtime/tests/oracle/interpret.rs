//! Runs a program on the library, as [`super::program`] says it goes.
//!
//! [`run`] is the closure to explore: it makes the objects, deals out the handles ([`objects`]) and is thread 0.
//! A [`Runner`] is one thread going through its operations; [`select`] has the selects.

mod objects;
mod select;

use std::collections::BTreeMap;
use std::ops::Deref;

use insyn::std::sync::{Arc, Condvar, MutexGuard};
use insyn::std::thread;
use insyn::sync::{Call, MonitorGuard, Semaphore};

use super::program::{self, Holder, Op, Program};
use objects::{Bundle, Protected, ReceiveHandle, SendHandle, Shared, World};
use select::Taken;

/// A thread that has been spawned: what joins it.
type Join<'s> = Box<dyn FnOnce() + 's>;

/// Runs the program, as its thread 0.
pub(crate) fn run(program: &Program) {
    let world = Arc::new(World::new(program));
    if program.scoped {
        thread::scope(|scope| {
            let spawn = |child: usize| -> Join<'_> {
                let world = Arc::clone(&world);
                let handle = scope.spawn(move || run_thread(&world, child));
                Box::new(move || drop(handle.join()))
            };
            Runner::new(&world, 0).run(&spawn);
        });
    } else {
        run_thread(&world, 0);
    }
}

/// Runs a thread, which spawns others without a scope.
fn run_thread(world: &Arc<World>, t: usize) {
    let spawn = |child: usize| -> Join<'static> {
        let world = Arc::clone(world);
        let builder = thread::Builder::new().name(format!("thread {child}"));
        let handle = builder.spawn(move || run_thread(&world, child)).expect("a thread can be spawned");
        Box::new(move || drop(handle.join()))
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
            kept: Vec::new(),
        }
    }

    fn run<'s>(mut self, spawn: &dyn Fn(usize) -> Join<'s>) {
        let mut children: BTreeMap<usize, Join<'s>> = BTreeMap::new();
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
                    children.insert(*child, spawn(*child));
                }
                Op::Join(child) => {
                    if let Some(join) = children.remove(child) {
                        join();
                    }
                }
                op => self.perform(op),
            }
        }
        self.end();
    }

    /// Gives everything back, in the order laid down.
    fn end(mut self) {
        for o in 0..self.world.objects.len() {
            drop(self.mutexes.remove(&o));
            while let Some(guard) = self.reentrants.get_mut(&o).and_then(Vec::pop) {
                drop(guard);
            }
            drop(self.monitors.remove(&o));
        }
        while let Some(call) = self.kept.pop() {
            drop(call);
        }
        for o in 0..self.world.objects.len() {
            drop(self.handles.senders.remove(&o));
            drop(self.handles.receivers.remove(&o));
        }
    }

    fn perform(&mut self, op: &Op) {
        match *op {
            Op::Send(o, value) => self.send(o, value.of(self.last)),
            Op::Recv(o) => self.receive(o),
            Op::TryRecv(o) => match self.receiver(o) {
                Some(ReceiveHandle::Channel(receiver)) => self.last = receiver.try_recv().ok(),
                Some(ReceiveHandle::Port(receiver)) => self.last = receiver.try_recv().ok(),
                _ => {}
            },
            Op::Drain(o) => {
                while self.receiver(o).is_some() {
                    self.receive(o);
                    if self.last.is_none() {
                        break;
                    }
                }
            }
            Op::DropSender(o) => drop(self.handles.senders.remove(&o)),
            Op::DropReceiver(o) => self.drop_receiver(o),
            Op::Lock(o) | Op::TryLock(o) | Op::Unlock(o) => self.lock(op, o),
            Op::Wait(o) => self.wait(o),
            Op::NotifyOne(o) => self.condvar(o).notify_one(),
            Op::NotifyAll(o) => self.condvar(o).notify_all(),
            Op::Acquire(o) => self.semaphore(o).acquire(),
            Op::Release(o) => self.semaphore(o).release(),
            Op::TryAcquire(o) => self.last = Some(u8::from(self.semaphore(o).try_acquire())),
            Op::Call(o, value) => {
                if let Some(SendHandle::Caller(caller)) = self.handles.senders.get(&o) {
                    self.last = caller.call(value.of(self.last)).ok();
                }
            }
            Op::Accept(_) | Op::AcceptReply(_) | Op::Serve(_) => self.serve(op),
            Op::Reply => {
                if let Some(call) = self.kept.pop() {
                    let request = *call.request();
                    call.reply(program::reply_to(request));
                }
            }
            Op::DropCall => drop(self.kept.pop()),
            Op::Select(ref select) => self.select(select),
            Op::Enter(o) | Op::Exit(o) | Op::MonitorWait(o, _) | Op::Signal(o, _) | Op::SignalAll(o, _) => {
                self.monitor(op, o);
            }
            Op::Remember(value) => self.last = Some(value),
            Op::Load(o) => {
                if let Some(number) = self.number(o) {
                    self.last = Some(*number);
                }
            }
            Op::Add(o, value) => {
                let more = value.of(self.last);
                if let Some(number) = self.number(o) {
                    *number = number.wrapping_add(more);
                }
            }
            Op::Spawn(_) | Op::Join(_) | Op::UnlessOdd(_) | Op::UnlessIs(..) | Op::Back(_) => {
                unreachable!("done by the caller")
            }
        }
    }

    /// The number under a mutex or monitor, if the thread is inside.
    fn number(&mut self, o: usize) -> Option<&mut u8> {
        let under_mutex = self.mutexes.get_mut(&o).map(|guard| &mut guard.number);
        under_mutex.or_else(|| self.monitors.get_mut(&o).map(|guard| &mut **guard))
    }

    /// The receiving handle, if the thread can use it.
    fn receiver(&self, o: usize) -> Option<&ReceiveHandle> {
        match self.world.program.objects[o].receiver() {
            Some(Holder::Under(mutex)) => self.mutexes.get(&mutex)?.receivers.get(&o),
            _ => self.handles.receivers.get(&o),
        }
    }

    fn drop_receiver(&mut self, o: usize) {
        match self.world.program.objects[o].receiver() {
            Some(Holder::Under(mutex)) => {
                if let Some(guard) = self.mutexes.get_mut(&mutex) {
                    drop(guard.receivers.remove(&o));
                }
            }
            _ => drop(self.handles.receivers.remove(&o)),
        }
    }

    fn send(&mut self, o: usize, value: u8) {
        let sent = match self.handles.senders.get(&o) {
            Some(SendHandle::Channel(sender)) => sender.send(value).is_ok(),
            Some(SendHandle::Bounded(sender)) => sender.send(value).is_ok(),
            Some(SendHandle::Port(sender)) => sender.send(value).is_ok(),
            _ => return,
        };
        if !sent {
            self.last = None;
        }
    }

    fn receive(&mut self, o: usize) {
        match self.receiver(o) {
            Some(ReceiveHandle::Channel(receiver)) => self.last = receiver.recv().ok(),
            Some(ReceiveHandle::Port(receiver)) => self.last = receiver.recv().ok(),
            _ => {}
        }
    }

    fn lock(&mut self, op: &Op, o: usize) {
        match (&self.world.objects[o], op) {
            (Shared::Mutex(_), Op::Unlock(_)) => drop(self.mutexes.remove(&o)),
            (Shared::Mutex(_), _) if self.mutexes.contains_key(&o) => {}
            (Shared::Mutex(mutex), Op::Lock(_)) => {
                self.mutexes.insert(o, mutex.lock().expect("nothing panics"));
            }
            (Shared::Mutex(mutex), _) => {
                let guard = mutex.try_lock().ok();
                self.last = Some(u8::from(guard.is_some()));
                self.mutexes.extend(guard.map(|guard| (o, guard)));
            }
            (Shared::Reentrant(_), Op::Unlock(_)) => drop(self.reentrants.entry(o).or_default().pop()),
            (Shared::Reentrant(lock), Op::Lock(_)) => {
                let guard = lock.lock();
                self.reentrants.entry(o).or_default().push(Box::new(guard));
            }
            (Shared::Reentrant(lock), _) => {
                let guard = lock.try_lock();
                self.last = Some(u8::from(guard.is_some()));
                if let Some(guard) = guard {
                    self.reentrants.entry(o).or_default().push(Box::new(guard));
                }
            }
            _ => unreachable!("it is a lock"),
        }
    }

    fn condvar(&self, o: usize) -> &'w Condvar {
        let Shared::Condvar(condvar, _) = &self.world.objects[o] else {
            unreachable!("it is a condition variable")
        };
        condvar
    }

    fn semaphore(&self, o: usize) -> &'w Semaphore {
        let Shared::Semaphore(semaphore) = &self.world.objects[o] else { unreachable!("it is a semaphore") };
        semaphore
    }

    fn wait(&mut self, o: usize) {
        let Shared::Condvar(condvar, mutex) = &self.world.objects[o] else {
            unreachable!("it is a condition variable")
        };
        if let Some(guard) = self.mutexes.remove(mutex) {
            let guard = condvar.wait(guard).expect("nothing panics");
            self.mutexes.insert(*mutex, guard);
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
            Taken::Message(value) => self.last = Some(value),
            Taken::Nothing => self.last = None,
            Taken::NoArm => {}
        }
    }

    fn monitor(&mut self, op: &Op, o: usize) {
        let Shared::Monitor(monitor, conditions) = &self.world.objects[o] else {
            unreachable!("it is a monitor")
        };
        match (op, self.monitors.get_mut(&o)) {
            (Op::Enter(_), None) => {
                self.monitors.insert(o, monitor.enter());
            }
            (Op::Exit(_), Some(_)) => drop(self.monitors.remove(&o)),
            (Op::MonitorWait(_, c), Some(guard)) => guard.wait(&conditions[*c]),
            (Op::Signal(_, c), Some(guard)) => guard.signal(&conditions[*c]),
            (Op::SignalAll(_, c), Some(guard)) => guard.signal_all(&conditions[*c]),
            _ => {}
        }
    }
}
