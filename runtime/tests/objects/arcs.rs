//! Arc and Weak: what they do, and which thread drops the last pointer.

use std::any::Any;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::{CStr, CString, OsStr, OsString};
use std::mem::MaybeUninit;
use std::path::{Path, PathBuf};
use std::pin::Pin;

use insyn::std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use insyn::std::sync::mpsc::{Sender, channel};
use insyn::std::sync::{Arc, Mutex, Weak};
use insyn::std::thread;
use insyn::{Explorer, explore};
use insyn_sequences::Kind;

use super::alike::{alike, log};
use super::{counts, explored, steady_outputs};

/// Everything that pointers can do in one thread, as text.
macro_rules! operations {
    ($log:ident, $lib:ident) => {
        use $lib::sync::{Arc, Weak};
        let mut a = Arc::new(vec![1]);
        log!($log, a, *a, Arc::strong_count(&a), Arc::weak_count(&a), Arc::get_mut(&mut a), a.len());
        let mut b = a.clone();
        let w = Arc::downgrade(&a);
        log!(
            $log,
            Arc::strong_count(&a),
            Arc::weak_count(&b),
            Arc::get_mut(&mut b),
            Arc::ptr_eq(&a, &b),
            a == b
        );
        log!(
            $log,
            w,
            w.strong_count(),
            w.weak_count(),
            w.upgrade(),
            w.ptr_eq(&w.clone()),
            w.as_ptr() == Arc::as_ptr(&a)
        );
        Arc::make_mut(&mut b).push(2);
        log!($log, a, b, a < b, a.max(b.clone()), Arc::strong_count(&b), w.upgrade());
        let mut only = Arc::new(5);
        let lost = Arc::downgrade(&only);
        *Arc::make_mut(&mut only) += 1;
        log!($log, only, lost.upgrade(), Arc::weak_count(&only), lost.strong_count(), lost.weak_count());
        let other = only.clone();
        log!($log, Arc::try_unwrap(only), Arc::strong_count(&other), Arc::try_unwrap(other));
        let (x, y) = (Arc::new(7), Arc::new(8));
        let x2 = Arc::clone(&x);
        log!(
            $log,
            Arc::into_inner(x),
            Arc::into_inner(x2),
            Arc::unwrap_or_clone(y.clone()),
            Arc::unwrap_or_clone(y)
        );
        let kept = Arc::new(1);
        let weak = Arc::downgrade(&kept);
        log!($log, Arc::try_unwrap(kept), weak.upgrade(), weak.strong_count(), weak.weak_count());
        let nothing = Weak::<u8>::new();
        log!($log, nothing.upgrade(), nothing.strong_count(), nothing.weak_count(), Weak::<u8>::default());
        let cyclic = Arc::new_cyclic(|me: &Weak<(u8, Weak<u8>)>| {
            log!($log, me.upgrade().is_none(), me.strong_count(), me.weak_count());
            (1, Weak::new())
        });
        log!($log, cyclic, Arc::strong_count(&cyclic), Arc::weak_count(&cyclic));
        struct Node(Weak<Node>, u8);
        let node = Arc::new_cyclic(|me| Node(me.clone(), 3));
        log!($log, node.0.upgrade().unwrap().1, Arc::strong_count(&node), Arc::weak_count(&node));

        let raw = Arc::into_raw(Arc::new("text".to_string()));
        // SAFETY: from `into_raw`, and taken back as often as counted.
        unsafe {
            Arc::increment_strong_count(raw);
            let one = Arc::from_raw(raw);
            log!($log, *raw, one, Arc::strong_count(&one));
            Arc::decrement_strong_count(raw);
            let weak = Weak::from_raw(Arc::downgrade(&one).into_raw());
            log!(
                $log,
                Arc::strong_count(&one),
                weak.upgrade(),
                Arc::weak_count(&one),
                format!("{one:p}") == format!("{raw:p}")
            );
        }

        let slice: Arc<[u8]> = Arc::from([1, 2]);
        log!(
            $log,
            slice,
            Arc::<[u8]>::from(vec![1]),
            Arc::<[u8]>::from(&[3_u8][..]),
            Arc::<[u8]>::from(&mut [4_u8][..])
        );
        log!(
            $log,
            (0..3).collect::<Arc<[u8]>>(),
            Arc::<[u8]>::default(),
            Arc::<[u8; 2]>::try_from(slice.clone())
        );
        log!(
            $log,
            Arc::<[u8; 3]>::try_from(slice.clone()),
            Arc::<str>::from("a"),
            Arc::<str>::from("b".to_string())
        );
        log!(
            $log,
            Arc::<str>::from(&mut *"m".to_string()),
            Arc::<[u8]>::from(Arc::<str>::from("c")),
            Arc::<str>::default()
        );
        log!(
            $log,
            Arc::<str>::from(Cow::Borrowed("d")),
            Arc::<str>::from(Cow::<str>::Owned("e".to_string()))
        );
        log!($log, Arc::<CStr>::from(c"f"), Arc::<CStr>::from(CString::from(c"g")), Arc::<CStr>::default());
        log!($log, Arc::<OsStr>::from(OsStr::new("h")), Arc::<OsStr>::from(OsString::from("i")));
        log!(
            $log,
            Arc::<Path>::from(Path::new("j")),
            Arc::<Path>::from(PathBuf::from("k")),
            Arc::<u8>::default()
        );
        log!($log, Arc::from(6), Arc::<u8>::from(Box::new(7)), Pin::<Arc<u8>>::default(), Arc::pin(8));
        let mut text: Arc<str> = Arc::from("abc");
        let same = text.clone();
        Arc::make_mut(&mut text).make_ascii_uppercase();
        let mut numbers: Arc<[u8]> = Arc::from([1, 2]);
        Arc::make_mut(&mut numbers)[0] = 9;
        log!($log, text, same, numbers, text.to_string(), <Arc<str> as AsRef<str>>::as_ref(&text));

        let any: Arc<dyn Any + Send + Sync> = Arc::from(Box::new(5_u8) as Box<dyn Any + Send + Sync>);
        log!(
            $log,
            any.clone().downcast::<u8>(),
            any.clone().downcast::<i8>().is_err(),
            Arc::strong_count(&any)
        );
        let trait_object: Arc<dyn Fn(u8) -> u8 + Send + Sync> =
            Arc::from(Box::new(|n: u8| n + 1) as Box<dyn Fn(u8) -> u8 + Send + Sync>);
        log!($log, trait_object(1), Arc::downgrade(&trait_object).upgrade().unwrap()(2));
        let error: Arc<dyn std::error::Error> = Arc::from(Box::from("wrong") as Box<dyn std::error::Error>);
        log!($log, error.to_string(), error);
        let mut uninit = Arc::<u8>::new_uninit();
        Arc::get_mut(&mut uninit).unwrap().write(3);
        let mut slots = Arc::<[u8]>::new_uninit_slice(2);
        Arc::get_mut(&mut slots).unwrap().fill(MaybeUninit::new(4));
        // SAFETY: written just above.
        log!($log, unsafe { uninit.assume_init() }, unsafe { slots.assume_init() });
        let mut map = BTreeMap::new();
        map.insert(Arc::<str>::from("key"), 1);
        log!($log, map.get("key"), format!("{:?} {}", Arc::new(1), Arc::new(2)));
    };
}

alike!(all_operations_outside, |log| {
    operations!(log, lib);
});

#[test]
fn all_operations_inside() {
    fn theirs(log: &mut Vec<String>) {
        use std as lib;
        operations!(log, lib);
    }
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

/// The order in which pointers to plain data are counted cannot be observed.
#[test]
fn counting_is_no_event_where_it_does_not_matter() {
    let found = explore(|| {
        let data = Arc::new((String::from("shared"), Mutex::new(0)));
        for _ in 0..3 {
            let data = Arc::clone(&data);
            thread::spawn(move || assert_eq!(data.0.len(), 6));
        }
    });
    found.assert_ok();
    assert_eq!(found.sequences, 1);
}

/// The last of two to drop a pointer drops the sender behind it.
#[test]
fn the_last_drop_decides_where_a_sender_is_dropped() {
    let (found, outputs) = explored(Explorer::new(), || {
        let (tx, rx) = channel::<()>();
        let mine = Arc::new(tx);
        let other = Arc::clone(&mine);
        thread::spawn(move || drop(other));
        drop(mine);
        assert!(rx.recv().is_err());
    });
    found.assert_ok();
    assert_eq!(outputs, counts([("null", 2)]));
}

/// Reports which thread drops it.
struct Told(Sender<&'static str>);

impl Drop for Told {
    fn drop(&mut self) {
        let name = if thread::current().name() == Some("main") { "main" } else { "other" };
        let _ = self.0.send(name);
    }
}

#[test]
fn the_destructor_runs_on_the_thread_that_is_last() {
    let outputs = steady_outputs(|| {
        let (tx, rx) = channel();
        let mine = Arc::new(Told(tx));
        let others = [(); 2].map(|()| Arc::clone(&mine));
        thread::scope(|s| {
            for other in others {
                s.spawn(move || drop(other));
            }
            drop(mine);
        });
        let told: Vec<_> = rx.iter().collect();
        assert_eq!(told.len(), 1, "it is dropped once");
        told[0]
    });
    // Clones first, then three drops in any order.
    assert_eq!(outputs, counts([("\"main\"", 2), ("\"other\"", 4)]));
}

/// A destructor that only asks which thread it is on makes the count matter, too.
#[test]
fn a_destructor_may_depend_on_its_thread() {
    static LAST: std::sync::Mutex<Option<String>> = std::sync::Mutex::new(None);
    struct Asks;
    impl Drop for Asks {
        fn drop(&mut self) {
            *LAST.lock().unwrap() = Some(format!("{:?}", thread::current().id()));
        }
    }
    let found = Explorer::new().workers(1);
    let (found, outputs) = explored(found, || {
        let mine = Arc::new(Asks);
        let other = Arc::clone(&mine);
        let thread = thread::spawn(move || drop(other));
        drop(mine);
        thread.join().unwrap();
        LAST.lock().unwrap().take()
    });
    found.assert_ok();
    assert_eq!(outputs, counts([("\"ThreadId(1)\"", 1), ("\"ThreadId(11)\"", 1)]));
}

/// Pointers inside pointers: when the inner count matters, so does the outer.
#[test]
fn pointers_behind_pointers() {
    let outputs = steady_outputs(|| {
        let (tx, rx) = channel();
        let mine = Arc::new(Arc::new(Told(tx)));
        let other = Arc::clone(&mine);
        let thread = thread::spawn(move || drop(other));
        drop(mine);
        thread.join().unwrap();
        rx.recv().unwrap()
    });
    assert_eq!(outputs, counts([("\"main\"", 1), ("\"other\"", 1)]));
}

#[test]
fn upgrade_before_or_after_the_last_drop() {
    let outputs = steady_outputs(|| {
        let strong = Arc::new(AtomicU32::new(1));
        let weak = Arc::downgrade(&strong);
        thread::scope(|s| {
            s.spawn(move || drop(strong));
            weak.upgrade().map(|value| value.load(SeqCst))
        })
    });
    assert_eq!(outputs.keys().collect::<Vec<_>>(), ["1", "null"]);
}

/// A value that was saved by an upgrade is dropped by the thread that saved it.
#[test]
fn an_upgrade_keeps_the_value_alive() {
    let outputs = steady_outputs(|| {
        let (tx, rx) = channel();
        let strong = Arc::new(Told(tx));
        let weak = Arc::downgrade(&strong);
        let seen = thread::scope(|s| {
            s.spawn(move || drop(strong));
            weak.upgrade().is_some()
        });
        (seen, rx.recv().unwrap())
    });
    let expected = ["[false,\"other\"]", "[true,\"main\"]", "[true,\"other\"]"];
    assert_eq!(outputs.keys().collect::<Vec<_>>(), expected);
}

#[test]
fn exactly_one_gets_the_value() {
    let outputs = steady_outputs(|| {
        let mine = Arc::new(5);
        let other = Arc::clone(&mine);
        thread::scope(|s| {
            let other = s.spawn(move || Arc::into_inner(other));
            let mine = Arc::into_inner(mine);
            (mine, other.join().unwrap())
        })
    });
    assert_eq!(outputs, counts([("[5,null]", 1), ("[null,5]", 1)]));
}

/// Unlike `into_inner`, `try_unwrap` may fail for both, and gives the pointer back.
#[test]
fn nobody_may_get_the_value() {
    let outputs = steady_outputs(|| {
        let mine = Arc::new(5);
        let other = Arc::clone(&mine);
        thread::scope(|s| {
            let other = s.spawn(move || Arc::try_unwrap(other).ok());
            let mine = Arc::try_unwrap(mine).ok();
            (mine, other.join().unwrap())
        })
    });
    let keys: Vec<_> = outputs.keys().map(String::as_str).collect();
    assert_eq!(keys, ["[5,null]", "[null,5]", "[null,null]"]);
}

/// The completions on the pointer, of each sequence.
fn completions(program: impl Fn() + Send + Sync + 'static) -> Vec<String> {
    let seen = std::sync::Arc::new(std::sync::Mutex::new(BTreeMap::<u32, Vec<String>>::new()));
    let shared = seen.clone();
    let observed = Explorer::new().observe(move |ended| {
        let sequence = ended.sequence();
        let pointers = sequence.processes.iter().filter(|process| process.kind == Kind::Arc);
        let words = pointers.flat_map(|process| &process.events).map(|event| event.op.word());
        let words = words.collect::<Vec<_>>().join(" ");
        shared.lock().unwrap().entry(ended.round()).or_default().push(words);
    });
    observed.explore(program).assert_ok();
    let mut words = seen.lock().unwrap().pop_last().expect("there is one").1;
    words.sort();
    words
}

/// An attempt that fails has a name of its own: a pointer that stays is not dropped, and a weak one is not upgraded.
#[test]
fn failed_attempts_have_names() {
    let found = completions(|| {
        let mine = Arc::new(5);
        let other = Arc::clone(&mine);
        let unwraps = thread::spawn(move || Arc::try_unwrap(other).is_ok());
        drop(mine);
        unwraps.join().unwrap();
    });
    assert_eq!(
        found,
        ["clone drop try-unwrap", "clone failed-unwrap drop drop", "clone failed-unwrap drop drop"]
    );
    let found = completions(|| {
        let strong = Arc::new(5);
        let weak = Arc::downgrade(&strong);
        let upgrades = thread::spawn(move || drop(weak.upgrade()));
        drop(strong);
        upgrades.join().unwrap();
    });
    assert_eq!(found.first().unwrap(), "clone drop failed-upgrade drop");
    assert!(
        found[1..]
            .iter()
            .all(|words| words.starts_with("clone upgrade ")
                || words.starts_with("clone drop failed-upgrade ")),
        "{found:?}"
    );
    // It is dropped in any case.
    let found = completions(|| {
        let mine = Arc::new(5);
        let other = Arc::clone(&mine);
        let takes = thread::spawn(move || Arc::into_inner(other));
        assert_ne!(Arc::into_inner(mine).is_some(), takes.join().unwrap().is_some());
    });
    assert_eq!(found, ["clone drop drop", "clone drop drop"]);
}

/// A loop that tries again and yields waits for the other threads to drop their pointers.
#[test]
fn waiting_to_be_the_only_one() {
    let outputs = steady_outputs(|| {
        let mut mine = Arc::new(AtomicU32::new(0));
        for _ in 0..2 {
            let other = Arc::clone(&mine);
            thread::spawn(move || {
                other.fetch_add(1, SeqCst);
            });
        }
        loop {
            match Arc::try_unwrap(mine) {
                Ok(value) => return value.into_inner(),
                Err(again) => mine = again,
            }
            thread::yield_now();
        }
    });
    assert_eq!(outputs.keys().collect::<Vec<_>>(), ["2"]);
}

#[test]
fn counts_are_seen_in_order() {
    let outputs = steady_outputs(|| {
        let mine = Arc::new(0);
        let other = Arc::clone(&mine);
        thread::scope(|s| {
            s.spawn(move || drop(other));
            (Arc::strong_count(&mine), Arc::strong_count(&mine))
        })
    });
    assert_eq!(outputs, counts([("[1,1]", 1), ("[2,1]", 1), ("[2,2]", 1)]));
}

#[test]
fn writing_in_place_or_to_a_clone() {
    let outputs = steady_outputs(|| {
        let mut mine = Arc::new(vec![1]);
        let place = Arc::as_ptr(&mine);
        let other = Arc::clone(&mine);
        let in_place = thread::scope(|s| {
            s.spawn(move || assert_eq!(*other, [1]));
            let can = Arc::get_mut(&mut mine).is_some();
            Arc::make_mut(&mut mine).push(2);
            (can, Arc::as_ptr(&mine) == place)
        });
        assert_eq!(*mine, [1, 2]);
        in_place
    });
    // If a clone replaced the value, either thread may be the last to drop the old one.
    assert_eq!(outputs, counts([("[false,false]", 2), ("[false,true]", 1), ("[true,true]", 1)]));
}

/// A value that `make_mut` takes from weak pointers is gone for them, unless they were upgraded before.
#[test]
fn weak_pointers_lose_what_moves() {
    let outputs = steady_outputs(|| {
        let mut mine = Arc::new(1);
        let weak = Arc::downgrade(&mine);
        thread::scope(|s| {
            let other = s.spawn(move || weak.upgrade().map(|value| *value));
            *Arc::make_mut(&mut mine) += 1;
            (other.join().unwrap(), *mine)
        })
    });
    assert_eq!(outputs.keys().collect::<Vec<_>>(), ["[1,2]", "[null,2]"]);
}

/// While a value is being made there is nothing to upgrade to; afterwards there is.
#[test]
fn values_that_know_themselves() {
    let outputs = steady_outputs(|| {
        let (tx, rx) = channel::<Weak<u32>>();
        let asks = thread::spawn(move || rx.recv().unwrap().upgrade().map(|value| *value));
        let made = Arc::new_cyclic(|me| {
            tx.send(me.clone()).unwrap();
            5
        });
        let seen = asks.join().unwrap();
        assert_eq!(*made, 5);
        seen
    });
    // Of the threads that come too early, some drop the weak pointer before the value is there and some after.
    assert_eq!(outputs, counts([("5", 1), ("null", 2)]));
}

/// Pointers as addresses are counted, too.
#[test]
fn addresses_keep_their_count() {
    let outputs = steady_outputs(|| {
        let (tx, rx) = channel();
        let mine = Arc::new(Told(tx));
        let address = Arc::into_raw(Arc::clone(&mine)) as usize;
        let thread = thread::spawn(move || {
            // SAFETY: from `into_raw` above, once.
            unsafe { Arc::decrement_strong_count(address as *const Told) };
        });
        drop(mine);
        thread.join().unwrap();
        rx.recv().unwrap()
    });
    assert_eq!(outputs, counts([("\"main\"", 1), ("\"other\"", 1)]));
}

/// A program that ends with pointers in blocked threads drops their values, once.
#[test]
fn blocked_threads_drop_what_they_point_to() {
    static DROPPED: AtomicU32Real = AtomicU32Real::new(0);
    static MADE: AtomicU32Real = AtomicU32Real::new(0);
    type AtomicU32Real = std::sync::atomic::AtomicU32;
    struct Counted(#[expect(dead_code, reason = "dropped with it")] Sender<()>);
    impl Drop for Counted {
        fn drop(&mut self) {
            DROPPED.fetch_add(1, SeqCst);
        }
    }
    for seed in 0..5 {
        let found = Explorer::new().seed(seed).explore(|| {
            let (tx, rx) = channel();
            MADE.fetch_add(1, SeqCst);
            let mine = Arc::new(Counted(tx));
            for _ in 0..2 {
                let other = Arc::clone(&mine);
                thread::spawn(move || {
                    drop(Arc::clone(&other));
                    thread::park();
                    drop(other);
                });
            }
            drop(mine);
            let _ = rx.recv();
        });
        assert!(found.sequences > 0 && found.sequences == found.deadlocks, "{found}");
        assert_eq!(found.leaked, 0, "{found}");
    }
    assert_eq!(DROPPED.load(SeqCst), MADE.load(SeqCst));
}
