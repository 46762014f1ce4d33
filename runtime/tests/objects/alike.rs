//! Outside a program under test: the same code does the same with the standard library and with the replacements.

use super::panic_of;

/// Runs code once with `lib` as the standard library and once as the replacement; both must log the same.
macro_rules! alike {
    ($name:ident, |$log:ident| $body:block) => {
        #[test]
        fn $name() {
            #[allow(deprecated, reason = "what is deprecated is alike, too")]
            fn theirs($log: &mut Vec<String>) {
                use ::std as lib;
                $body
            }
            #[allow(deprecated, reason = "what is deprecated is alike, too")]
            fn ours($log: &mut Vec<String>) {
                use ::insyn::std as lib;
                $body
            }
            let (mut expected, mut found) = (Vec::new(), Vec::new());
            theirs(&mut expected);
            ours(&mut found);
            assert!(!expected.is_empty());
            assert_eq!(found, expected);
        }
    };
}
pub(crate) use alike;

macro_rules! log {
    ($log:ident, $($what:expr),* $(,)?) => {
        {
            $($log.push(format!("{:?}", $what));)*
        }
    };
}
pub(crate) use log;

alike!(mutexes, |log| {
    use lib::sync::{Arc, Mutex, TryLockError};
    use lib::thread;
    let mutex = Arc::new(Mutex::new(1));
    log!(log, mutex, mutex.lock(), mutex.try_lock(), Mutex::<u8>::default(), Mutex::from("x"));
    {
        let mut held = mutex.lock().unwrap();
        *held += 1;
        log!(log, mutex, *held, held, held.to_string());
        let other = Arc::clone(&mutex);
        log!(log, thread::spawn(move || format!("{:?}", other.try_lock())).join().unwrap());
    }
    let other = Arc::clone(&mutex);
    let poisoner = thread::spawn(move || {
        let _held = other.lock().unwrap();
        panic!("while it is held");
    });
    log!(log, poisoner.join().is_err(), mutex.is_poisoned(), mutex);
    let error = mutex.lock().unwrap_err();
    log!(log, error, error.to_string(), **error.get_ref());
    drop(error);
    match mutex.try_lock() {
        Err(error @ TryLockError::Poisoned(_)) => log!(log, error, error.to_string()),
        _ => panic!("it is poisoned"),
    }
    mutex.clear_poison();
    log!(log, mutex.is_poisoned(), mutex.lock().is_ok());
    let mut mutex = Mutex::new([1, 2]);
    mutex.get_mut().unwrap()[0] = 5;
    log!(log, mutex.into_inner());
    let unsized_lock: &Mutex<[i32]> = &Mutex::new([1, 2, 3]);
    log!(log, unsized_lock.lock().unwrap().len(), unsized_lock);
});

alike!(rwlocks, |log| {
    use lib::sync::{Arc, RwLock};
    use lib::thread;
    let lock = Arc::new(RwLock::new(1));
    log!(log, lock, RwLock::<u8>::default(), RwLock::from("x"));
    {
        let (a, b) = (lock.read().unwrap(), lock.try_read().unwrap());
        log!(log, *a + *b, a, b.to_string(), lock, lock.try_write());
    }
    {
        let mut held = lock.write().unwrap();
        *held += 1;
        log!(log, held, held.to_string(), lock, lock.try_read(), lock.try_write());
    }
    let other = Arc::clone(&lock);
    let reader = thread::spawn(move || {
        let _held = other.read().unwrap();
        panic!("while it is read");
    });
    log!(log, reader.join().is_err(), lock.is_poisoned());
    let other = Arc::clone(&lock);
    let writer = thread::spawn(move || {
        let _held = other.write().unwrap();
        panic!("while it is written");
    });
    log!(log, writer.join().is_err(), lock.is_poisoned(), lock);
    log!(log, lock.read().is_err(), lock.write().is_err(), lock.try_read(), lock.try_write());
    log!(log, lock.read().unwrap_err().to_string());
    let mut lock = Arc::into_inner(lock).unwrap();
    log!(log, lock.get_mut().is_err());
    lock.clear_poison();
    *lock.get_mut().unwrap() = 7;
    log!(log, lock.is_poisoned(), lock.into_inner());
    let unsized_lock: &RwLock<[i32]> = &RwLock::new([1, 2, 3]);
    log!(log, unsized_lock.read().unwrap().len(), unsized_lock);
});

alike!(condition_variables, |log| {
    use lib::sync::{Arc, Condvar, Mutex};
    use lib::thread;
    use lib::time::Duration;
    let pair = Arc::new((Mutex::new(0), Condvar::new()));
    log!(log, pair.1, Condvar::default());
    pair.1.notify_one();
    pair.1.notify_all();
    let short = Duration::from_millis(2);
    let (guard, result) = pair.1.wait_timeout(pair.0.lock().unwrap(), short).unwrap();
    log!(log, *guard, result, result.timed_out(), result.eq(&result));
    let (guard, result) = pair.1.wait_timeout_while(guard, short, |n| *n == 0).unwrap();
    log!(log, *guard, result);
    let (guard, result) = pair.1.wait_timeout_while(guard, short, |n| *n != 0).unwrap();
    log!(log, *guard, result);
    let (guard, notified) = pair.1.wait_timeout_ms(guard, 2).unwrap();
    log!(log, notified);
    drop(guard);
    let other = Arc::clone(&pair);
    let adder = thread::spawn(move || {
        for _ in 0..3 {
            *other.0.lock().unwrap() += 1;
            other.1.notify_all();
        }
    });
    log!(log, *pair.1.wait_while(pair.0.lock().unwrap(), |n| *n < 2).unwrap() >= 2);
    let hour = Duration::from_secs(3600);
    let (guard, result) = pair.1.wait_timeout_while(pair.0.lock().unwrap(), hour, |n| *n < 3).unwrap();
    log!(log, *guard, result);
    drop(guard);
    adder.join().unwrap();
    let other = Arc::clone(&pair);
    thread::spawn(move || {
        let _held = other.0.lock();
        panic!("while it is held");
    })
    .join()
    .unwrap_err();
    let poisoned = pair.0.lock().unwrap_err().into_inner();
    let error = pair.1.wait_timeout(poisoned, short).unwrap_err();
    log!(log, error, error.get_ref().1);
});

alike!(barriers, |log| {
    use lib::sync::{Arc, Barrier};
    use lib::thread;
    for n in [0, 1] {
        let barrier = Barrier::new(n);
        log!(log, barrier, barrier.wait(), barrier.wait().is_leader());
    }
    let barrier = Arc::new(Barrier::new(3));
    let threads: Vec<_> = (0..2)
        .map(|_| {
            let barrier = Arc::clone(&barrier);
            thread::spawn(move || barrier.wait().is_leader())
        })
        .collect();
    let leads = barrier.wait().is_leader();
    let leaders = threads.into_iter().map(|t| t.join().unwrap()).chain([leads]).filter(|leads| *leads);
    log!(log, leaders.count());
});

alike!(onces, |log| {
    use lib::sync::Once;
    use lib::thread;
    let once = Once::new();
    log!(log, once, once.is_completed());
    log!(log, panic_of(|| once.call_once(|| panic!("the first"))));
    log!(log, panic_of(|| once.call_once(|| ())), panic_of(|| once.wait()), once.is_completed());
    log!(log, panic_of(|| once.call_once_force(|state| panic!("{}", state.is_poisoned()))));
    once.call_once_force(|state| log!(log, state));
    once.call_once_force(|state| log!(log, state));
    once.call_once(|| panic!("it is done"));
    log!(log, once.is_completed());
    once.wait();
    once.wait_force();
    let once = Once::new();
    thread::scope(|s| {
        s.spawn(|| once.call_once(|| ()));
        once.wait();
        once.wait_force();
    });
    log!(log, once.is_completed());
});

alike!(once_locks, |log| {
    use lib::sync::OnceLock;
    use lib::thread;
    let mut cell = OnceLock::new();
    log!(log, cell, cell.get(), cell.get_mut(), cell.take(), OnceLock::<u8>::default());
    log!(log, panic_of(|| *cell.get_or_init(|| panic!("no value"))), cell.get());
    log!(log, cell.get_or_init(|| 1), cell.get_or_init(|| 2), cell.set(3), cell, cell.wait());
    *cell.get_mut().unwrap() += 10;
    log!(log, cell.clone(), cell == cell.clone(), cell == OnceLock::new(), OnceLock::from(5));
    log!(log, cell.take(), cell, cell.set(4), cell.set(5), cell.clone().into_inner());
    let cell = OnceLock::new();
    thread::scope(|s| {
        s.spawn(|| cell.set(1));
        log!(log, cell.wait());
    });
});

alike!(lazy_locks, |log| {
    use lib::sync::LazyLock;
    let mut lazy = LazyLock::new(|| 1 + 1);
    log!(log, lazy, LazyLock::get(&lazy), LazyLock::get_mut(&mut lazy));
    log!(log, *lazy, LazyLock::force(&lazy), lazy, LazyLock::get(&lazy));
    *lazy += 1;
    *LazyLock::force_mut(&mut lazy) += 1;
    log!(log, LazyLock::get_mut(&mut lazy), *LazyLock::<u8>::default());
    let lazy: LazyLock<u8> = LazyLock::new(|| panic!("no value"));
    log!(log, panic_of(|| *lazy), panic_of(|| *lazy), LazyLock::get(&lazy), lazy);
});

alike!(threads, |log| {
    use lib::thread;
    use lib::time::Duration;
    log!(log, thread::available_parallelism().is_ok(), thread::panicking());
    let handle = thread::Builder::new().name("named".to_string()).stack_size(1 << 20);
    let handle = handle.spawn(|| thread::current().name().map(str::to_string)).unwrap();
    log!(log, handle.thread().name(), handle, handle.join().unwrap());
    log!(log, thread::spawn(|| thread::current().name().is_none()).join().unwrap());
    let me = thread::current();
    log!(log, me.id() == thread::current().id(), format!("{:?}", me.id()).starts_with("ThreadId("));
    log!(log, format!("{me:?}").contains("id: ThreadId("), format!("{me:?}").ends_with(", .. }"));
    log!(log, thread::spawn(move || me.id() == thread::current().id()).join().unwrap());
    thread::current().unpark();
    thread::park();
    thread::park_timeout(Duration::from_millis(1));
    thread::sleep(Duration::from_millis(1));
    thread::yield_now();
    lib::hint::spin_loop();
    let me = thread::current();
    let sleeper = thread::spawn(move || {
        thread::park();
        me.unpark();
    });
    log!(log, sleeper.is_finished());
    sleeper.thread().unpark();
    thread::park();
    sleeper.join().unwrap();
    let finished = thread::spawn(|| ());
    while !finished.is_finished() {
        thread::yield_now();
    }
    log!(log, finished.join());
    let mut numbers = [1, 2];
    let sum = thread::scope(|s| {
        let handle = s.spawn(|| numbers.iter().sum::<i32>());
        log!(log, handle.thread().name(), handle);
        let builder = thread::Builder::new().name("scoped".to_string());
        log!(log, builder.spawn_scoped(s, || 1).unwrap().thread().name());
        handle.join().unwrap()
    });
    numbers[0] = sum;
    log!(log, numbers);
    log!(log, panic_of(|| thread::scope(|s| drop(s.spawn(|| panic!("not joined"))))));
    let name = thread::Builder::new().name("a\0b".to_string());
    log!(log, panic_of(|| name.spawn(|| ())));
});

alike!(thread_locals, |log| {
    use lib::thread;
    use std::cell::{Cell, RefCell};
    static NUMBERS: [u8; 2] = [1, 2];
    lib::thread_local! {
        /// Documented.
        static NUMBER: Cell<u32> = Cell::new(NUMBERS.len() as u32 - 1);
        pub static TEXT: RefCell<String> = RefCell::new("a".to_string());
        static CONSTANT: Cell<u32> = const { Cell::new(5) };
        #[allow(dead_code)]
        pub(crate) static NEVER: Cell<u32> = panic!("set before it is used")
    }
    lib::thread_local!(static ALONE: u8 = const { 3 });
    log!(log, NUMBER, NUMBER.get(), NUMBER.replace(2), NUMBER.take(), NUMBER.get());
    NUMBER.set(7);
    NEVER.set(9);
    log!(log, NUMBER.get(), NEVER.get(), CONSTANT.get(), ALONE.with(|n| *n), NUMBER.try_with(Cell::get));
    TEXT.with_borrow_mut(|text| text.push('b'));
    log!(log, TEXT.with_borrow(|text| text.len()), TEXT.replace("c".to_string()), TEXT.take());
    TEXT.set("d".to_string());
    log!(log, TEXT.with(|text| text.borrow().clone()));
    log!(log, panic_of(|| TEXT.with_borrow_mut(|_| TEXT.take())).contains("already"));
    log!(log, thread::spawn(|| (NUMBER.get(), TEXT.take(), CONSTANT.get())).join().unwrap());
});

alike!(thread_locals_at_the_end, |log| {
    use lib::sync::mpsc::{Sender, channel};
    use lib::thread;
    use std::cell::{Cell, RefCell};
    lib::thread_local! {
        static PLAIN: Cell<u32> = const { Cell::new(1) };
        static EARLY: RefCell<Option<Tell>> = const { RefCell::new(None) };
        static LATE: RefCell<Option<Tell>> = const { RefCell::new(None) };
    }
    struct Tell(Sender<String>, &'static str);
    impl Drop for Tell {
        fn drop(&mut self) {
            let mine = if self.1 == "early" { &EARLY } else { &LATE };
            let error = mine.try_with(|_| ()).unwrap_err();
            // A value without a destructor can be used to the end; the value that was used first is dropped last.
            let other = LATE.try_with(|_| ()).is_ok() || EARLY.try_with(|_| ()).is_ok();
            let said = format!("{} {error:?} {error} {} {other}", self.1, PLAIN.get());
            let _ = self.0.send(said);
        }
    }
    let (tx, rx) = channel();
    thread::spawn(move || {
        EARLY.set(Some(Tell(tx.clone(), "early")));
        LATE.set(Some(Tell(tx, "late")));
    })
    .join()
    .unwrap();
    log!(log, rx.iter().collect::<Vec<_>>());
});

trait Probe {
    const HAS_IT: bool = false;
}

/// Declares types that show whether another type has a trait: their own constant exists only if it does.
macro_rules! probes {
    ($($name:ident: $bound:path;)*) => {$(
        struct $name<T: ?Sized>(std::marker::PhantomData<T>);

        impl<T: ?Sized> Probe for $name<T> {}

        impl<T: ?Sized + $bound> $name<T> {
            const HAS_IT: bool = true;
        }
    )*};
}

probes! {
    IsSend: Send;
    IsSync: Sync;
    IsUnpin: Unpin;
    IsUnwindSafe: std::panic::UnwindSafe;
    IsRefUnwindSafe: std::panic::RefUnwindSafe;
    IsClone: Clone;
    IsCopy: Copy;
    IsDebug: std::fmt::Debug;
    IsDisplay: std::fmt::Display;
    IsPointer: std::fmt::Pointer;
    IsDefault: Default;
    IsPartialEq: PartialEq;
    IsEq: Eq;
    IsOrd: Ord;
    IsHash: std::hash::Hash;
    IsError: std::error::Error;
    IsDeref: std::ops::Deref;
    IsDerefMut: std::ops::DerefMut;
}

macro_rules! traits {
    ($log:ident, $($t:ty,)*) => {$(
        log!($log, (
            stringify!($t),
            [IsSend::<$t>::HAS_IT, IsSync::<$t>::HAS_IT, IsUnpin::<$t>::HAS_IT],
            [IsUnwindSafe::<$t>::HAS_IT, IsRefUnwindSafe::<$t>::HAS_IT, IsClone::<$t>::HAS_IT, IsCopy::<$t>::HAS_IT],
            [IsDebug::<$t>::HAS_IT, IsDisplay::<$t>::HAS_IT, IsPointer::<$t>::HAS_IT, IsDefault::<$t>::HAS_IT],
            [IsPartialEq::<$t>::HAS_IT, IsEq::<$t>::HAS_IT, IsOrd::<$t>::HAS_IT, IsHash::<$t>::HAS_IT],
            [IsError::<$t>::HAS_IT, IsDeref::<$t>::HAS_IT, IsDerefMut::<$t>::HAS_IT],
        ));
    )*};
}

alike!(traits, |log| {
    use lib::sync::atomic::*;
    use lib::sync::*;
    use lib::thread::*;
    use std::cell::Cell;
    traits! { log,
        Mutex<u8>, Mutex<Cell<u8>>, Mutex<*const u8>, MutexGuard<'static, u8>, MutexGuard<'static, Cell<u8>>,
        RwLock<u8>, RwLock<Cell<u8>>, RwLock<*const u8>, RwLock<std::fmt::Arguments<'static>>,
        RwLockReadGuard<'static, u8>, RwLockReadGuard<'static, Cell<u8>>,
        RwLockWriteGuard<'static, u8>, RwLockWriteGuard<'static, Cell<u8>>,
        Condvar, WaitTimeoutResult, Barrier, BarrierWaitResult, Once, OnceState,
        OnceLock<u8>, OnceLock<Cell<u8>>, OnceLock<*const u8>, OnceLock<&'static mut u8>, OnceLock<&'static Cell<u8>>,
        LazyLock<u8>, LazyLock<Cell<u8>>, LazyLock<*const u8>, LazyLock<u8, Cell<u8>>, LazyLock<u8, *const u8>,
        Arc<u8>, Arc<Cell<u8>>, Arc<str>, Arc<dyn std::any::Any>, Arc<*const u8>, Arc<f32>, Arc<std::fmt::Error>,
        Arc<std::marker::PhantomPinned>, Weak<u8>, Weak<Cell<u8>>, Weak<str>,
        AtomicBool, AtomicI8, AtomicI64, AtomicU16, AtomicU32, AtomicUsize, AtomicPtr<u8>, AtomicPtr<Cell<u8>>,
        Thread, ThreadId, JoinHandle<u8>, JoinHandle<Cell<u8>>, JoinHandle<*const u8>, Builder, AccessError,
        ScopedJoinHandle<'static, u8>, ScopedJoinHandle<'static, *const u8>, Scope<'static, 'static>,
        LocalKey<u8>, LocalKey<Cell<u8>>, lib::time::Instant,
    }
});

alike!(instants, |log| {
    use lib::time::{Duration, Instant};
    let (start, second) = (Instant::now(), Duration::from_secs(1));
    let later = start + second;
    log!(log, later > start, later - start, start - later, later.duration_since(start), start == start);
    log!(log, start.checked_duration_since(later), start.saturating_duration_since(later));
    log!(log, start.elapsed() < second * 60, later - second == start, start.max(later) == later);
    let mut moved = start;
    moved += second;
    log!(log, moved == later);
    moved -= second;
    log!(log, moved == start, start.checked_add(Duration::MAX), start.checked_sub(Duration::MAX));
    log!(log, panic_of(|| start + Duration::MAX), panic_of(|| start - Duration::MAX));
    log!(log, format!("{start:?}").starts_with("Instant { tv_sec: "));
});
