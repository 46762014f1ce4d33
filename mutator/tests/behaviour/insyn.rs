//! Stands for insyn when schemata and mutants are compiled by themselves: the switch, and objects that one thread can
//! use. What would block for good panics, so that every program ends.

use std::cell::{Cell, RefCell};
use std::fmt::Debug;
use std::panic;

pub mod mutation {
    use std::cell::Cell;

    thread_local!(static ACTIVE: Cell<u32> = const { Cell::new(0) });

    pub fn is(number: u32) -> bool {
        ACTIVE.get() == number
    }

    pub fn set(number: u32) {
        ACTIVE.set(number);
    }
}

thread_local! {
    static SAID: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    static FUEL: Cell<u32> = const { Cell::new(0) };
}

/// Writes a value down.
pub fn say(value: impl Debug) {
    fuel();
    let _ = SAID.try_with(|said| said.borrow_mut().push(format!("{value:?}")));
}

/// Ends a program that goes on for too long.
pub fn fuel() {
    let left = FUEL.get();
    assert!(left > 0, "out of fuel");
    FUEL.set(left - 1);
}

/// What a program says, and how it ends.
pub fn run(program: fn()) -> String {
    SAID.take();
    FUEL.set(500);
    let end = match panic::catch_unwind(program) {
        Ok(()) => "done".to_owned(),
        Err(panic) => match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
            (Some(message), _) => (*message).to_owned(),
            (_, Some(message)) => message.clone(),
            _ => "panicked".to_owned(),
        },
    };
    format!("{} {end}", SAID.take().join(" "))
}

/// The first open arm that has a message is taken.
#[macro_export]
macro_rules! select {
    () => { panic!("blocked") };
    (closed => $body:expr $(,)?) => { $body };
    (recv($source:expr) -> $p:pat $(if $guard:expr)? => $body:block, $($rest:tt)*) => {
        $crate::select!(@ $source, $p, (true $(&& $guard)?), $body, $($rest)*)
    };
    (recv($source:expr) -> $p:pat $(if $guard:expr)? => $body:block $($rest:tt)*) => {
        $crate::select!(@ $source, $p, (true $(&& $guard)?), $body, $($rest)*)
    };
    (recv($source:expr) -> $p:pat $(if $guard:expr)? => $body:expr, $($rest:tt)*) => {
        $crate::select!(@ $source, $p, (true $(&& $guard)?), $body, $($rest)*)
    };
    (@ $source:expr, $p:pat, $open:expr, $body:expr, $($rest:tt)*) => {
        match if $open { $source.try_recv().ok() } else { None } {
            Some($p) => $body,
            None => $crate::select!($($rest)*),
        }
    };
}

pub mod sync {
    use std::cell::{Cell, RefCell, RefMut};
    use std::collections::VecDeque;
    use std::rc::Rc;
    use std::time::Duration;

    pub use super::channels as mpsc;

    /// A value that says when it is taken and when it is free again.
    pub struct Mutex<T> {
        name: &'static str,
        value: RefCell<T>,
    }

    pub struct Guard<'a, T> {
        mutex: &'a Mutex<T>,
        value: RefMut<'a, T>,
    }

    impl<T> Mutex<T> {
        pub fn new(name: &'static str, value: T) -> Self {
            Mutex { name, value: RefCell::new(value) }
        }

        pub fn lock(&self) -> Result<Guard<'_, T>, ()> {
            match self.value.try_borrow_mut() {
                Ok(value) => {
                    super::say(("lock", self.name));
                    Ok(Guard { mutex: self, value })
                }
                Err(_) => panic!("deadlock at {}", self.name),
            }
        }

        pub fn try_lock(&self) -> Result<Guard<'_, T>, ()> {
            super::say(("try_lock", self.name));
            self.value.try_borrow_mut().map(|value| Guard { mutex: self, value }).map_err(drop)
        }
    }

    impl<T> Drop for Guard<'_, T> {
        fn drop(&mut self) {
            if !std::thread::panicking() {
                super::say(("unlock", self.mutex.name));
            }
        }
    }

    impl<T> std::ops::Deref for Guard<'_, T> {
        type Target = T;
        fn deref(&self) -> &T {
            &self.value
        }
    }

    impl<T> std::ops::DerefMut for Guard<'_, T> {
        fn deref_mut(&mut self) -> &mut T {
            &mut self.value
        }
    }

    /// A condition that is there as soon as it has been waited for.
    pub struct Condvar(pub &'static str);

    impl Condvar {
        pub fn wait<G>(&self, guard: G) -> Result<G, ()> {
            super::say(("wait", self.0));
            Ok(guard)
        }

        pub fn wait_timeout<G>(&self, guard: G, _: Duration) -> Result<(G, bool), ()> {
            super::say(("wait_timeout", self.0));
            Ok((guard, true))
        }

        pub fn wait_while<T, G: std::ops::DerefMut<Target = T>>(
            &self,
            mut guard: G,
            mut condition: impl FnMut(&mut T) -> bool,
        ) -> Result<G, ()> {
            super::say(("wait_while", self.0, condition(&mut guard)));
            Ok(guard)
        }

        pub fn notify_one(&self) {
            super::say(("notify_one", self.0));
        }

        pub fn notify_all(&self) {
            super::say(("notify_all", self.0));
        }
    }

    pub struct Semaphore(Cell<usize>);

    impl Semaphore {
        pub fn new(permits: usize) -> Self {
            Semaphore(Cell::new(permits))
        }

        pub fn acquire(&self) {
            super::say(("acquire", self.0.get()));
            self.0.set(self.0.get().checked_sub(1).expect("no permit"));
        }

        pub fn release(&self) {
            self.0.set(self.0.get() + 1);
            super::say(("release", self.0.get()));
        }
    }

    pub struct Queue<T>(pub(super) Rc<RefCell<VecDeque<T>>>, pub(super) usize);
}

pub mod channels {
    use std::rc::Rc;

    pub use std::sync::mpsc::{RecvError, RecvTimeoutError, SendError, TryRecvError, TrySendError};

    use super::sync::Queue;

    pub struct SyncSender<T>(Queue<T>);
    pub struct Receiver<T>(Queue<T>);

    pub fn sync_channel<T>(capacity: usize) -> (SyncSender<T>, Receiver<T>) {
        let queue = Rc::default();
        (SyncSender(Queue(Rc::clone(&queue), capacity)), Receiver(Queue(queue, capacity)))
    }

    impl<T> Clone for SyncSender<T> {
        fn clone(&self) -> Self {
            SyncSender(Queue(self.0.0.clone(), self.0.1))
        }
    }

    impl<T> Drop for SyncSender<T> {
        fn drop(&mut self) {
            if !std::thread::panicking() {
                super::say("sender dropped");
            }
        }
    }

    impl<T> SyncSender<T> {
        pub fn send(&self, value: T) -> Result<(), SendError<T>> {
            super::say(("send", self.0.0.borrow().len()));
            assert!(self.0.0.borrow().len() < self.0.1, "the channel is full");
            self.0.0.borrow_mut().push_back(value);
            Ok(())
        }

        pub fn try_send(&self, value: T) -> Result<(), TrySendError<T>> {
            if self.0.0.borrow().len() < self.0.1 {
                self.0.0.borrow_mut().push_back(value);
                Ok(())
            } else {
                Err(TrySendError::Full(value))
            }
        }
    }

    impl<T> Receiver<T> {
        pub fn recv(&self) -> Result<T, RecvError> {
            super::say(("recv", self.0.0.borrow().len()));
            Ok(self.0.0.borrow_mut().pop_front().expect("the channel is empty"))
        }

        pub fn try_recv(&self) -> Result<T, TryRecvError> {
            self.0.0.borrow_mut().pop_front().ok_or(TryRecvError::Empty)
        }

        pub fn recv_timeout(&self, limit: std::time::Duration) -> Result<T, RecvTimeoutError> {
            super::say(limit);
            self.0.0.borrow_mut().pop_front().ok_or(RecvTimeoutError::Timeout)
        }
    }
}

pub mod thread {
    /// A thread that runs as soon as it is spawned.
    pub struct JoinHandle<T>(T);

    pub fn spawn<T>(body: impl FnOnce() -> T) -> JoinHandle<T> {
        super::say("spawn");
        let value = body();
        super::say("end");
        JoinHandle(value)
    }

    impl<T> JoinHandle<T> {
        pub fn join(self) -> Result<T, Box<dyn std::any::Any + Send>> {
            super::say("join");
            Ok(self.0)
        }
    }

    pub fn park() {
        panic!("parked");
    }
}
