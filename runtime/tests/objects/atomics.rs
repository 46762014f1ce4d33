//! Atomics: the same operations as the standard library's, sequentially consistent under control.

use insyn::std::sync::Arc;
use insyn::std::sync::atomic::{AtomicBool, AtomicI8, AtomicPtr, AtomicU32, AtomicUsize, Ordering};
use insyn::std::thread;
use insyn::{Exploration, Explorer, explore};

use super::alike::{alike, log};
use super::{counts, explored, panic_of, steady_outputs};

use Ordering::SeqCst;

/// Everything that an integer type can do, as text.
macro_rules! integer_operations {
    ($log:ident, $lib:ident, $($name:ident $t:ident)*) => {$(
        use $lib::sync::atomic::$name;
        let mut a = $name::new(100);
        let b = $name::from($t::MIN);
        log!($log, a, $name::default(), a.load(SeqCst), b.load(Ordering::Acquire), a.swap(5, Ordering::AcqRel));
        a.store(7, Ordering::Release);
        log!($log, a.fetch_add($t::MAX, SeqCst), a.fetch_sub($t::MAX, SeqCst), b.fetch_sub(1, SeqCst), b);
        log!($log, a.fetch_and(6, SeqCst), a.fetch_nand(3, SeqCst), a.fetch_or(9, SeqCst), a.fetch_xor(5, SeqCst));
        log!($log, a, a.fetch_max(50, SeqCst), a.fetch_min(20, SeqCst), b.fetch_max(0, SeqCst), a, b);
        log!($log, a.compare_exchange(20, 21, SeqCst, Ordering::Relaxed), a.compare_exchange(20, 1, SeqCst, SeqCst));
        log!($log, b.compare_exchange(b.load(SeqCst), 3, SeqCst, SeqCst).is_ok(), b);
        log!($log, a.compare_and_swap(21, 22, Ordering::AcqRel), a.compare_and_swap(1, 2, Ordering::Release), a);
        log!($log, a.fetch_update(SeqCst, SeqCst, |n| n.checked_add(1)), a.fetch_update(SeqCst, SeqCst, |_| None));
        *a.get_mut() += 4;
        log!($log, a.load(SeqCst), *a.get_mut(), a.fetch_add(1, SeqCst));
        *a.get_mut() -= 1;
        *a.get_mut() -= 1;
        log!($log, a.into_inner(), b.into_inner());
    )*};
}

macro_rules! operations {
    ($log:ident, $lib:ident) => {
        integer_operations!($log, $lib, AtomicI8 i8 AtomicI16 i16 AtomicI32 i32 AtomicI64 i64 AtomicIsize isize);
        integer_operations!($log, $lib, AtomicU8 u8 AtomicU16 u16 AtomicU32 u32 AtomicU64 u64 AtomicUsize usize);
        use $lib::sync::atomic::{AtomicBool, AtomicPtr, compiler_fence, fence};
        let mut a = AtomicBool::new(true);
        log!($log, a, AtomicBool::default(), AtomicBool::from(true), a.load(SeqCst), a.swap(false, SeqCst));
        for value in [false, true] {
            log!($log, a.fetch_and(value, SeqCst), a.fetch_nand(value, SeqCst), a.fetch_or(value, SeqCst), a);
            log!($log, a.fetch_xor(value, SeqCst), a.fetch_not(SeqCst), a);
        }
        log!($log, a.compare_exchange(true, false, SeqCst, SeqCst), a.compare_exchange(true, false, SeqCst, SeqCst));
        *a.get_mut() = true;
        log!($log, a.load(SeqCst), a.into_inner());
        let mut words = [1_u32, 2, 3];
        let start = words.as_mut_ptr();
        let mut p = AtomicPtr::new(start);
        let at = |p: *mut u32| p.wrapping_byte_sub(start as usize) as usize;
        log!($log, at(p.load(SeqCst)), at(p.fetch_ptr_add(2, SeqCst)), at(p.fetch_ptr_sub(1, SeqCst)));
        log!($log, at(p.fetch_byte_add(1, SeqCst)), at(p.fetch_byte_sub(1, SeqCst)), at(p.load(SeqCst)));
        log!($log, at(p.fetch_or(1, SeqCst)), at(p.fetch_xor(1, SeqCst)), at(p.fetch_and(!1, SeqCst)));
        // SAFETY: it points to the second word.
        log!($log, unsafe { *p.load(SeqCst) }, at(p.swap(start, SeqCst)), at(*p.get_mut()));
        log!($log, p.compare_exchange(start, start.wrapping_add(1), SeqCst, SeqCst) == Ok(start));
        *p.get_mut() = std::ptr::null_mut();
        log!($log, p, AtomicPtr::<u8>::default(), format!("{p:p}"), p.into_inner());
        fence(SeqCst);
        compiler_fence(SeqCst);
        let (a, p) = (AtomicBool::new(false), AtomicPtr::<u8>::default());
        let strange = std::hint::black_box([Ordering::Release, Ordering::AcqRel, Ordering::Acquire, Ordering::Relaxed]);
        log!($log, panic_of(|| a.load(strange[0])), panic_of(|| p.load(strange[1])));
        log!($log, panic_of(|| a.store(true, strange[2])), panic_of(|| a.store(true, strange[1])));
        log!($log, panic_of(|| a.compare_exchange(true, true, SeqCst, strange[0])));
        log!($log, panic_of(|| a.compare_exchange_weak(true, true, SeqCst, strange[1])));
        log!($log, panic_of(|| fence(strange[3])), panic_of(|| compiler_fence(strange[3])));
    };
}

alike!(all_operations_outside, |log| {
    operations!(log, lib);
});

/// In one thread a variable under control is a variable.
#[test]
fn all_operations_inside() {
    #[allow(deprecated, reason = "what is deprecated is alike, too")]
    fn theirs(log: &mut Vec<String>) {
        use std as lib;
        operations!(log, lib);
    }
    #[allow(deprecated, reason = "what is deprecated is alike, too")]
    fn ours(log: &mut Vec<String>) {
        use insyn::std as lib;
        operations!(log, lib);
    }
    let mut expected = Vec::new();
    theirs(&mut expected);
    let found = explore(move || {
        let mut found = Vec::new();
        ours(&mut found);
        assert_eq!(found, expected);
    });
    found.assert_ok();
    assert_eq!(found.sequences, 1);
}

#[test]
fn loads_do_not_order_each_other() {
    for readers in [1, 5] {
        let found = explore(move || {
            let x = AtomicU32::new(7);
            thread::scope(|s| {
                for _ in 0..readers {
                    s.spawn(|| assert_eq!(x.load(SeqCst), 7));
                }
            });
        });
        found.assert_ok();
        assert_eq!(found.sequences, 1);
    }
}

fn store_buffering() -> (bool, bool) {
    let (x, y) = (AtomicBool::new(false), AtomicBool::new(false));
    thread::scope(|s| {
        let a = s.spawn(|| {
            x.store(true, Ordering::Relaxed);
            y.load(Ordering::Relaxed)
        });
        y.store(true, Ordering::Relaxed);
        let b = x.load(Ordering::Relaxed);
        (a.join().unwrap(), b)
    })
}

#[test]
fn store_buffering_has_three_outcomes() {
    let expected = counts([("[false,true]", 1), ("[true,false]", 1), ("[true,true]", 1)]);
    assert_eq!(steady_outputs(store_buffering), expected);
    let (found, outputs) = explored(Explorer::new().ordered_loads(true), store_buffering);
    found.assert_ok();
    assert_eq!(outputs, expected);
}

/// A load on the timeline of its variable returns the value at its completion.
#[test]
fn ordered_loads_are_what_they_say() {
    let program = || {
        let x = AtomicU32::new(0);
        thread::scope(|s| {
            s.spawn(|| x.store(1, SeqCst));
            let a = s.spawn(|| x.load(SeqCst));
            let b = x.load(SeqCst);
            (a.join().unwrap(), b)
        })
    };
    // Without an order, each load sees the write or not. With it, three completions come in any order.
    assert_eq!(steady_outputs(program), counts([("[0,0]", 1), ("[0,1]", 1), ("[1,0]", 1), ("[1,1]", 1)]));
    let (found, outputs) = explored(Explorer::new().ordered_loads(true), program);
    found.assert_ok();
    assert_eq!(outputs, counts([("[0,0]", 2), ("[0,1]", 1), ("[1,0]", 1), ("[1,1]", 2)]));
}

#[test]
fn additions_are_not_lost() {
    let outputs = steady_outputs(|| {
        let sum = AtomicUsize::new(0);
        thread::scope(|s| {
            for n in 1..=3 {
                let sum = &sum;
                s.spawn(move || sum.fetch_add(n, SeqCst));
            }
        });
        sum.into_inner()
    });
    assert_eq!(outputs, counts([("6", 6)]));
}

#[test]
fn additions_that_load_and_store_are_lost() {
    let outputs = steady_outputs(|| {
        let sum = AtomicUsize::new(0);
        let add = || sum.store(sum.load(SeqCst) + 1, SeqCst);
        thread::scope(|s| {
            s.spawn(add);
            s.spawn(add);
        });
        sum.into_inner()
    });
    assert_eq!(outputs, counts([("1", 2), ("2", 2)]));
}

/// Of two exchanges one succeeds, and the other returns what it found.
#[test]
fn one_of_two_exchanges_fails() {
    let outputs = steady_outputs(|| {
        let owner = AtomicI8::new(-1);
        let take = |me| owner.compare_exchange(-1, me, SeqCst, SeqCst);
        thread::scope(|s| {
            let a = s.spawn(|| take(1));
            let b = take(2);
            (format!("{:?}", a.join().unwrap()), format!("{b:?}"))
        })
    });
    assert_eq!(outputs, counts([("[\"Err(2)\",\"Ok(-1)\"]", 1), ("[\"Ok(-1)\",\"Err(1)\"]", 1)]));
}

#[test]
fn updates_try_again() {
    let outputs = steady_outputs(|| {
        let x = AtomicU32::new(1);
        thread::scope(|s| {
            s.spawn(|| x.update(SeqCst, SeqCst, |n| n * 3));
            s.spawn(|| x.try_update(SeqCst, SeqCst, |n| Some(n + 1)));
        });
        x.into_inner()
    });
    let keys: Vec<_> = outputs.keys().map(String::as_str).collect();
    assert_eq!(keys, ["4", "6"]);
}

/// All threads read what was written through `get_mut`.
#[test]
fn exclusive_access_is_no_event() {
    let found = explore(|| {
        let mut x = AtomicU32::new(0);
        thread::scope(|s| _ = s.spawn(|| x.store(5, SeqCst)));
        *x.get_mut() += 1;
        let x = Arc::new(x);
        let other = Arc::clone(&x);
        let seen = thread::spawn(move || other.load(SeqCst));
        assert_eq!((x.load(SeqCst), seen.join().unwrap()), (6, 6));
    });
    found.assert_ok();
    assert_eq!(found.sequences, 1);
}

/// A pointer is published by a store, and a thread that loads it can use what it points to.
#[test]
fn pointers_are_published() {
    let outputs = steady_outputs(|| {
        let slot = AtomicPtr::<u32>::default();
        let seen = thread::scope(|s| {
            s.spawn(|| slot.store(Box::into_raw(Box::new(42)), SeqCst));
            let p = slot.load(SeqCst);
            // SAFETY: it was made from a box, which is freed below, when this is over.
            (!p.is_null()).then(|| unsafe { *p })
        });
        // SAFETY: as above; the thread that stored it has ended.
        drop(unsafe { Box::from_raw(slot.into_inner()) });
        seen
    });
    assert_eq!(outputs, counts([("42", 1), ("null", 1)]));
}

/// Two threads, and a lock that spins: which is first, and whether the other has tried without success meanwhile.
#[test]
fn locks_that_spin() {
    fn with(lock: fn(&AtomicBool) -> bool) -> Exploration {
        explore(move || {
            let locked = AtomicBool::new(false);
            let inside = AtomicUsize::new(0);
            thread::scope(|s| {
                for _ in 0..2 {
                    s.spawn(|| {
                        while !lock(&locked) {
                            thread::yield_now();
                        }
                        assert_eq!(inside.fetch_add(1, SeqCst), 0, "there is nobody else");
                        inside.fetch_sub(1, SeqCst);
                        locked.store(false, SeqCst);
                    });
                }
            });
        })
    }
    let by_exchange = with(|locked| locked.compare_exchange(false, true, SeqCst, SeqCst).is_ok());
    let by_swap = with(|locked| !locked.swap(true, SeqCst));
    for found in [by_exchange, by_swap] {
        found.assert_ok();
        assert_eq!(found.sequences, 4, "{found}");
    }
}

/// The drops of a thread that polls forever, when the program is over, do not count as its next operation.
#[test]
fn destructors_are_no_giving_up() {
    struct Last(AtomicBool);
    impl Drop for Last {
        fn drop(&mut self) {
            self.0.store(true, SeqCst);
        }
    }
    let found = Explorer::new().max_steps(200).explore(|| {
        let flag = AtomicBool::new(false);
        let _last = Last(AtomicBool::new(false));
        while !flag.load(SeqCst) {
            thread::yield_now();
        }
    });
    assert_eq!((found.sequences, found.deadlocks, found.step_bounds), (1, 1, 0), "{found}");
}

/// A loop that polls a flag and yields waits until the flag is set.
#[test]
fn spinning_comes_to_an_end() {
    let found = explore(|| {
        let flag = AtomicBool::new(false);
        thread::scope(|s| {
            s.spawn(|| flag.store(true, SeqCst));
            while !flag.load(SeqCst) {
                insyn::std::hint::spin_loop();
            }
        });
    });
    found.assert_ok();
    assert_eq!(found.sequences, 2);
}
