//! Instrumented code keeps its meaning: types, temporaries, control flow, places.

use std::panic::Location;

#[insyn::instrument]
mod code {
    use std::sync::{Arc, Mutex, RwLock, mpsc};
    use std::thread;

    pub(super) trait Shape {
        fn area(&self) -> u32;
    }

    struct Square(u32);

    impl Shape for Square {
        fn area(&self) -> u32 {
            self.0 * self.0
        }
    }

    struct Scene {
        shapes: Vec<Arc<dyn Shape + Send + Sync>>,
        double: Arc<dyn Fn(u32) -> u32 + Send + Sync>,
        name: Arc<str>,
    }

    fn scene() -> Arc<Scene> {
        let one: Arc<dyn Shape + Send + Sync> = Arc::new(Square(2));
        let two = Arc::new(Square(3)) as Arc<dyn Shape + Send + Sync>;
        let mut shapes = vec![one, two];
        shapes.push(Arc::new(Square(1)));
        Arc::new(Scene { shapes, double: Arc::new(|n| n + n), name: Arc::from("scene") })
    }

    pub(super) fn pointers() -> (u32, usize) {
        let scene = scene();
        let area = scene.shapes.iter().map(|shape| shape.area()).sum::<u32>();
        let numbers: Arc<[u32]> = Arc::new([1, 2, 3]);
        ((scene.double)(area), scene.name.len() + numbers.len())
    }

    pub(super) fn early(text: &str) -> Result<u32, std::num::ParseIntError> {
        // The names for the value are dropped if there is no value.
        let lock = Mutex::new(text.parse::<u32>()?);
        let other = RwLock::new(match lock.into_inner() {
            Ok(0) => return Ok(0),
            Ok(n) => n,
            Err(_) => unreachable!(),
        });
        Ok(other.into_inner().unwrap() + 1)
    }

    pub(super) fn temporaries() -> usize {
        let texts = Mutex::new(vec![String::from("kept")]);
        // The guard lives to the end of the statement, and the borrow with it.
        let length = texts.lock().unwrap().iter().map(String::len).sum::<usize>();
        let borrowed = String::from("borrowed");
        let lock = Mutex::new(borrowed.as_str());
        let reference = &Mutex::new(borrowed.len());
        *reference.lock().unwrap() + length + lock.lock().unwrap().len()
    }

    pub(super) fn moved() -> usize {
        let text = String::from("moved");
        let (parts, rest) = (vec![text], 1);
        let shared = Arc::new(parts);
        let worker = thread::spawn({
            let shared = Arc::clone(&shared);
            move || shared.len()
        });
        worker.join().unwrap() + rest
    }

    #[track_caller]
    fn here() -> &'static std::panic::Location<'static> {
        std::panic::Location::caller()
    }

    pub(super) fn place() -> (&'static std::panic::Location<'static>, u32) {
        let line = line!() + 1;
        let lock = Mutex::new(here());
        let place = *lock.lock().unwrap();
        (place, line)
    }

    pub(super) fn shown() -> String {
        static COUNT: Mutex<u32> = Mutex::new(3);
        let (tx, rx) = mpsc::channel::<u32>();
        drop(tx);
        format!("{:?} {} {}", rx.try_recv(), COUNT.lock().unwrap(), matches!(rx.recv(), Err(mpsc::RecvError)))
    }
}

#[test]
fn pointers_become_trait_objects() {
    assert_eq!(code::pointers(), (28, 8));
    let sequential = insyn::Explorer::new().sequential(true);
    sequential.explore(|| assert_eq!(code::pointers(), (28, 8))).assert_ok();
}

#[test]
fn control_flow_and_temporaries_stay() {
    let check = || {
        assert_eq!(code::early("1"), Ok(2));
        assert_eq!(code::early("0"), Ok(0));
        assert!(code::early("x").is_err());
        assert_eq!(code::temporaries(), 20);
        assert_eq!(code::moved(), 2);
        assert_eq!(code::shown(), "Err(Disconnected) 3 true");
    };
    check();
    insyn::explore(check).assert_ok();
}

#[test]
fn places_stay() {
    let (place, line): (&Location<'_>, u32) = code::place();
    assert_eq!((place.file(), place.line()), (file!(), line));
    assert_eq!(place.column(), 31);
}

#[insyn::instrument]
mod catching {
    use std::panic;
    use std::sync::Mutex;
    use std::sync::mpsc::{Receiver, channel};
    use std::thread;

    /// Waits in the middle of a panic.
    struct Waits(Receiver<()>);

    impl Drop for Waits {
        fn drop(&mut self) {
            self.0.recv().unwrap();
            assert!(thread::panicking());
        }
    }

    pub(super) fn caught(middle: &'static str) -> (bool, bool, String) {
        let (go_on, may_go_on) = channel();
        let other = thread::spawn(move || {
            let _waits = Waits(may_go_on);
            std::panic!("in the {middle} of it");
        });
        let (first, second) = (Mutex::new(0), Mutex::new(0));
        let caught = panic::catch_unwind(panic::AssertUnwindSafe(|| {
            *first.lock().unwrap() = 1;
            let _held = first.lock().unwrap();
            panic!("with a lock");
        }));
        assert!(caught.is_err());
        *second.lock().unwrap() = 2;
        go_on.send(()).unwrap();
        let said = other.join().unwrap_err().downcast::<String>().unwrap();
        (first.is_poisoned(), second.is_poisoned(), *said)
    }
}

/// The module `std::panic` is rewritten, and the macro of the same name with it.
#[test]
fn panics_are_caught() {
    let found = insyn::explore(|| {
        assert_eq!(catching::caught("middle"), (true, false, "in the middle of it".to_owned()));
    });
    found.assert_ok();
}
