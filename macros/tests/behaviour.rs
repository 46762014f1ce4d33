//! How `select!` interacts with the code around it: order of evaluation, control flow, names, temporaries, positions.

// The expansion names `::insyn`; here that is this file, with a stand-in for the runtime.
extern crate self as insyn;

#[expect(missing_docs, reason = "the items are those of the runtime, and documented there")]
pub mod select;

use std::cell::RefCell;
use std::panic::{Location, catch_unwind};
use std::sync::Mutex;
use std::time::Duration;

use insyn_macros::select;
use select::Queue;

#[test]
fn takes_an_open_arm_as_an_expression() {
    let (calls, messages) = (Queue::open([1]), Queue::open(["m"]));
    let choose = |accepting: bool| {
        select! {
            accept(calls) -> (request, _) if accepting => format!("call {request}"),
            recv(messages) -> message => format!("message {message}"),
        }
    };
    assert_eq!(choose(false), "message m");
    assert_eq!(choose(true), "call 1");
}

#[test]
fn knows_default_timeout_and_closed() {
    let (empty, ended) = (Queue::<u32>::open([]), Queue::<u32>::closed([]));
    assert_eq!(select! { recv(empty) -> _ => "message", default => "default" }, "default");
    let limit = Duration::from_secs(1);
    assert_eq!(select! { recv(empty) -> _ => "message", timeout(limit) => "timeout" }, "timeout");
    assert_eq!(select! { recv(ended) -> _ => "message", closed => "closed" }, "closed");
    // An arm that is not open does not keep the select alive.
    let result =
        select! { recv(empty) -> _ if false => "message", recv(ended) -> _ => "", closed => "closed" };
    assert_eq!(result, "closed");
}

#[test]
fn panics_when_all_is_closed_and_no_arm_says_so() {
    let panicked = catch_unwind(|| select! { recv(Queue::<u32>::closed([])) -> _ => {} });
    assert_eq!(panicked.unwrap_err().downcast_ref(), Some(&"every open arm is closed"));
}

#[test]
fn evaluates_guards_then_duration_then_sources() {
    let log = RefCell::new(Vec::new());
    fn seen<T>(log: &RefCell<Vec<&'static str>>, what: &'static str, value: T) -> T {
        log.borrow_mut().push(what);
        value
    }
    select! {
        recv(seen(&log, "first source", Queue::<u32>::open([]))) -> _ if seen(&log, "first guard", false) => {}
        timeout(seen(&log, "duration", Duration::MAX)) => seen(&log, "timeout", ()),
        recv(seen(&log, "second source", Queue::<u32>::open([]))) -> _ => {}
        accept(seen(&log, "third source", Queue::<u32>::open([]))) -> _ if seen(&log, "third guard", true) => {}
    }
    let order = ["first guard", "third guard", "duration", "first source", "second source", "third source"];
    assert_eq!(log.into_inner()[..6], order);
}

#[test]
fn lets_control_flow_out_of_bodies() {
    fn sum(numbers: &Queue<&str>) -> Result<u32, std::num::ParseIntError> {
        let mut sum = 0;
        'rounds: loop {
            loop {
                select! {
                    recv(numbers) -> number => {
                        if number == "skip" {
                            continue 'rounds;
                        }
                        if number == "stop" {
                            return Ok(sum);
                        }
                        sum += number.parse::<u32>()?
                    }
                    closed => break 'rounds,
                }
            }
        }
        Ok(sum + 100)
    }
    assert_eq!(sum(&Queue::closed(["1", "skip", "2"])), Ok(103));
    assert_eq!(sum(&Queue::closed(["1", "stop", "2"])), Ok(1));
    assert!(sum(&Queue::closed(["1", "x"])).is_err());
}

#[test]
fn keeps_its_names_apart_from_the_programs() {
    let (__open0, __source0, __ticket, __limit, __outcome) = (true, Queue::open([1]), 2, Duration::MAX, 3);
    // A name of the program that an expansion without hygiene would hide keeps its meaning, in every position.
    let total = select! {
        recv(__source0) -> __source1 if __open0 => __source1 + __ticket + __outcome + u32::from(__open0),
        recv(__source0) -> _ if !__open0 => 0,
        timeout(__limit) => 0,
    };
    assert_eq!(total, 7);

    // The same for names of types and modules.
    #[expect(non_camel_case_types, reason = "to be in the way")]
    #[expect(dead_code, reason = "to be in the way")]
    enum bool {
        Some,
        None,
    }
    #[expect(unused_imports, reason = "to be in the way")]
    use bool::{None, Some};
    assert_eq!(select! { recv(Queue::open([1])) -> m if 1 < 2 => m, }, 1);
}

#[test]
fn nests() {
    let (outer, inner) = (Queue::open([1]), Queue::open([2]));
    let both = select! {
        recv(outer) -> a => select! { recv(inner) -> b => (a, b) },
    };
    assert_eq!(both, (1, 2));
}

#[test]
fn frees_what_guards_and_durations_borrowed() {
    struct Server {
        calls: Queue<u32>,
        limit: Duration,
        served: Mutex<u32>,
    }
    impl Server {
        fn longer(&mut self) -> Duration {
            self.limit += self.limit;
            self.limit
        }
        fn serve(&mut self, request: u32) {
            *self.served.get_mut().unwrap() += request;
        }
    }
    let mut server = Server { calls: Queue::open([5]), limit: Duration::from_secs(1), served: Mutex::new(0) };
    for _ in 0..2 {
        select! {
            accept(server.calls) -> (request, _) if *server.served.lock().unwrap() < 10 => server.serve(request),
            // The guard's lock must be free again here.
            timeout(server.longer() * (1 + *server.served.try_lock().unwrap())) => server.serve(1),
        }
    }
    assert_eq!(*server.served.get_mut().unwrap(), 6);
}

#[test]
fn keeps_what_sources_borrow() {
    let shared = Mutex::new(vec![Queue::open([String::from("kept")])]);
    let length = select! {
        // The lock is a temporary that the receiver needs.
        recv(shared.lock().unwrap()[0]) -> text => text.len(),
    };
    assert_eq!(length, 4);
}

#[test]
fn takes_commas_as_a_match_does() {
    let queue = Queue::open([1, 2, 3]);
    let next = || {
        select! {
            recv(queue) -> n if true => if n == 1 { n } else { n * 10 }
            recv(queue) -> n if false => match n { 0 => 1, n => n }
            recv(queue) -> n if false => n,
            default => { 0 }
        }
    };
    assert_eq!([next(), next(), next(), next()], [1, 20, 30, 0]);
}

#[test]
fn tells_the_place_of_the_select() {
    let calls = Queue::open([()]);
    let line = line!() + 1;
    let at: &Location<'_> = select! {
        default => unreachable!(),
        accept(calls) -> ((), at) => at,
    };
    assert_eq!((at.file(), at.line()), (file!(), line));
}
