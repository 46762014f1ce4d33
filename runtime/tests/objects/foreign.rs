//! Objects in the wrong place: from another execution, or from outside a program where they would have to wait.

use std::sync::Mutex as Plain;

use insyn::crossbeam_channel::bounded;
use insyn::crossbeam_utils::sync::WaitGroup;
use insyn::std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use insyn::std::sync::mpsc::{channel, sync_channel};
use insyn::std::sync::{Arc, Barrier, Condvar, LazyLock, Mutex, Once, OnceLock, RwLock};
use insyn::std::thread;
use insyn::std::time::Duration;
use insyn::sync::{Delivery, Monitor, Semaphore, entry, port};
use insyn::{Explorer, Termination, explore};

use super::panic_of;

const REFUSAL: &str = "insyn: an object made in one execution was used in another, or outside";

/// Something that was made in an execution that is over.
fn left_over<T: Send + Sync + 'static>(make: fn() -> T) -> std::sync::Arc<T> {
    let kept = std::sync::Arc::new(Plain::new(None));
    let shared = kept.clone();
    let made = explore(move || *shared.lock().unwrap() = Some(make()));
    assert!(made.failures.is_empty(), "{made}");
    std::sync::Arc::new(kept.lock().unwrap().take().expect("it was made"))
}

/// Makes an object in one execution and uses it in another, and outside.
#[track_caller]
fn refused<T: Send + Sync + 'static>(make: fn() -> T, uses: fn(&T)) {
    let object = left_over(make);
    let message = panic_of(|| uses(&object));
    assert!(message.starts_with(REFUSAL), "{message}");
    refused_inside(make, uses);
}

/// Makes an object in one execution and uses it in another.
#[track_caller]
fn refused_inside<T: Send + Sync + 'static>(make: fn() -> T, uses: fn(&T)) {
    let object = left_over(make);
    // The location is where the program uses the object.
    let again = object.clone();
    let found = explore(move || uses(&again));
    let place = found.failures[0].panics[0].location.as_deref();
    assert!(place.is_some_and(|place| place.starts_with(file!())), "{place:?}");
    let found = explore(move || {
        let message = panic_of(|| uses(&object));
        assert!(message.starts_with(REFUSAL), "{message}");
    });
    // Even if the program catches the panic.
    assert!(matches!(&found.failures[..], [f] if f.termination == Termination::ForeignObject), "{found}");
}

#[test]
fn of_another_execution() {
    refused(|| Mutex::new(0), |m| drop(m.lock()));
    refused(|| Mutex::new(0), |m| m.clear_poison());
    refused(|| RwLock::new(0), |l| drop(l.read()));
    refused(|| RwLock::new(0), |l| drop(l.try_write()));
    refused(Condvar::new, |c| c.notify_one());
    refused(|| Barrier::new(1), |b| _ = b.wait());
    refused(WaitGroup::new, |g| drop(g.clone()));
    refused(Once::new, |o| o.call_once(|| ()));
    refused(Once::new, |o| _ = o.is_completed());
    refused(OnceLock::<u32>::new, |o| _ = o.get());
    refused(OnceLock::<u32>::new, |o| _ = o.set(1));
    refused(LazyLock::<u32>::default, |l| _ = **l);
    refused(|| AtomicU32::new(0), |a| _ = a.load(SeqCst));
    refused(|| AtomicU32::new(0), |a| a.store(1, SeqCst));
    refused(|| Arc::new(1), |a| drop(Arc::clone(a)));
    refused(|| Arc::downgrade(&Arc::new(1)), |w| drop(w.clone()));
    refused(|| AtomicU32::new(0), |a| _ = a.compare_exchange(0, 1, SeqCst, SeqCst));
    refused(Once::new, |o| o.wait_force());
    // Outside, a channel whose execution is over has lost its other side.
    refused_inside(|| channel::<u32>().0, |s| _ = s.send(1));
    refused_inside(|| channel::<u32>().0, |s| drop(s.clone()));
    refused_inside(|| sync_channel::<u32>(1).0, |s| _ = s.try_send(1));
    refused_inside(|| bounded::<u32>(1), |(s, _)| _ = s.send_timeout(1, Duration::MAX));
    refused_inside(|| bounded::<u32>(1), |(_, r)| drop(r.clone()));
    refused_inside(|| bounded::<u32>(1), |(_, r)| _ = r.recv_timeout(Duration::MAX));
    refused(|| Semaphore::new(1), |s| s.acquire());
    refused(|| Monitor::new(1), |m| drop(m.enter()));
    refused_inside(|| port::<u32>(Delivery::Fifo).0, |s| _ = s.send(1));
    refused_inside(|| entry::<u32, u32>().0, |caller| _ = caller.call(1));
    refused(thread::current, |t| t.unpark());
    refused(thread::current, |t| _ = t.id());
    refused(|| thread::spawn(|| ()), |h| _ = h.is_finished());
}

/// A counted pointer counts the pointers of its own execution.
#[test]
fn pointers_of_another_execution() {
    let all: [fn(&Arc<u32>); 3] =
        [|a| _ = Arc::strong_count(a), |a| _ = Arc::weak_count(a), |a| _ = Arc::downgrade(a).upgrade()];
    for uses in all {
        let kept = std::sync::Arc::new(Plain::new(None));
        let shared = kept.clone();
        let made = explore(move || *shared.lock().unwrap() = Some(Arc::new(1)));
        assert!(made.failures.is_empty(), "{made}");
        let pointer = kept.lock().unwrap().take().expect("it was made");
        let found = explore(move || uses(&pointer));
        let [failure] = &found.failures[..] else { panic!("{found}") };
        assert_eq!(failure.termination, Termination::ForeignObject);
        let place = failure.panics[0].location.as_deref();
        assert!(place.is_some_and(|place| place.starts_with(file!())), "{place:?}");
    }
}

/// Operations that need no answer do no harm: the object can be dropped and printed.
#[test]
fn of_another_execution_but_dropped_or_shown() {
    let kept = std::sync::Arc::new(Plain::new(None));
    let shared = kept.clone();
    explore(move || {
        let objects = (Mutex::new(1), RwLock::new(1), Arc::new(Mutex::new(1)), thread::current());
        *shared.lock().unwrap() = Some((objects, Once::new(), Barrier::new(3), OnceLock::from(1)));
    })
    .assert_ok();
    let (objects, once, barrier, cell) = kept.lock().unwrap().take().expect("they were made");
    let shown = "(Mutex { .. }, RwLock { .. }, Mutex { .. }, Thread { name: Some(\"main\"), .. })";
    assert_eq!(format!("{objects:?}"), shown);
    assert_eq!(format!("{once:?} {barrier:?}"), "Once { .. } Barrier { .. }");
    drop((objects, once, barrier, cell));
}

/// Uses a real object inside a program where it would have to wait.
#[track_caller]
fn refuses_to_wait<T: Send + Sync + 'static>(object: T, uses: fn(&T)) {
    Explorer::new()
        .sequential(true)
        .explore({
            let object = std::sync::Arc::new(object);
            move || {
                let message = panic_of(|| uses(&object));
                let expected = "insyn: an object made outside the program under test would have to wait";
                assert!(message.starts_with(expected), "{message}");
            }
        })
        .assert_ok();
}

#[test]
fn real_objects_refuse_to_wait_inside() {
    refuses_to_wait(Mutex::new(0), |m| {
        let _held = m.lock().unwrap();
        drop(m.lock());
    });
    refuses_to_wait(RwLock::new(0), |l| {
        let _held = l.read().unwrap();
        drop(l.write());
    });
    refuses_to_wait(RwLock::new(0), |l| {
        let _held = l.write().unwrap();
        drop(l.read());
    });
    refuses_to_wait((Mutex::new(0), Condvar::new()), |(m, c)| {
        drop(c.wait_timeout(m.lock().unwrap(), Duration::from_millis(1)));
    });
    refuses_to_wait(Barrier::new(2), |b| _ = b.wait());
    refuses_to_wait(Once::new(), Once::wait);
    refuses_to_wait(Once::new(), |o| o.call_once(|| o.call_once(|| ())));
    refuses_to_wait(OnceLock::<u32>::new(), |o| _ = o.wait());
}

/// A real object that need not wait works inside a program.
#[test]
fn real_objects_work_inside() {
    let objects = std::sync::Arc::new((
        RwLock::new(1),
        OnceLock::new(),
        AtomicU32::new(0),
        Arc::new(5),
        Barrier::new(1),
    ));
    let found = explore(move || {
        let (lock, cell, variable, pointer, barrier) = &*objects;
        *lock.write().unwrap() += 1;
        assert!(*lock.read().unwrap() > 1);
        assert_eq!(*cell.get_or_init(|| 1), 1);
        variable.fetch_add(1, SeqCst);
        assert!(barrier.wait().is_leader());
        let other = Arc::clone(pointer);
        assert_eq!(Arc::strong_count(&other), 2);
        assert_eq!(thread::spawn(move || *other).join().unwrap(), 5);
    });
    found.assert_ok();
    assert_eq!(found.sequences, 1);
}
