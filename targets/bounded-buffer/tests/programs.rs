//! Producers deposit an item each, consumers withdraw one each. A program's output is what each consumer got.

use bounded_buffer::Buffer;
use bounded_buffer::monitor_sc::{MonitorSc, Notify};
use bounded_buffer::monitor_su::MonitorSu;
use bounded_buffer::select::Server;
use bounded_buffer::semaphores::Semaphores;
use bounded_buffer::{crossbeam as crossbeam_buffer, faulty as faulty_buffer, mpsc as mpsc_buffer};
use serde::Deserialize;

/// How many threads use the buffer, and how many slots it has.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    producers: u32,
    consumers: u32,
    slots: usize,
}

impl Default for Config {
    fn default() -> Self {
        Config { producers: 2, consumers: 2, slots: 2 }
    }
}

/// Starts all producers, then all consumers, and checks that what came out is what went in.
#[insyn::instrument]
fn produce_and_consume(config: Config, buffer: &impl Buffer) -> Vec<u32> {
    std::thread::scope(|scope| {
        for item in 0..config.producers {
            scope.spawn(move || buffer.deposit(item));
        }
        let consumers: Vec<_> =
            (0..config.consumers).map(|_| scope.spawn(move || buffer.withdraw())).collect();
        let mut withdrawn: Vec<u32> = Vec::new();
        for consumer in consumers {
            let item = consumer.join().expect("a consumer ends with an item");
            assert!(item < config.producers, "nobody has deposited {item}");
            assert!(!withdrawn.contains(&item), "{item} was withdrawn twice");
            withdrawn.push(item);
        }
        withdrawn
    })
}

#[insyn::test(spec = "specs/bounded_buffer.yaml", tests = "specs/bounded_buffer.tests.yaml")]
fn select(config: Config) -> Vec<u32> {
    let buffer = Server::start(config.slots);
    let withdrawn = produce_and_consume(config, &buffer);
    buffer.stop();
    withdrawn
}

/// An item is put over another that nobody has taken yet.
#[insyn::test(
    input = "{producers: 3, consumers: 3, slots: 2}",
    spec = "specs/bounded_buffer.yaml",
    tests = "specs/faulty.tests.yaml"
)]
#[should_panic(expected = "was withdrawn twice")]
fn faulty(config: Config) -> Vec<u32> {
    let buffer = faulty_buffer::Server::start(config.slots);
    let withdrawn = produce_and_consume(config, &buffer);
    buffer.stop();
    withdrawn
}

#[insyn::test(spec = "specs/bounded_buffer.yaml", tests = "specs/bounded_buffer.tests.yaml")]
fn semaphores(config: Config) -> Vec<u32> {
    produce_and_consume(config, &Semaphores::new(config.slots))
}

#[insyn::test(spec = "specs/bounded_buffer.yaml", tests = "specs/bounded_buffer.tests.yaml")]
fn monitor_su(config: Config) -> Vec<u32> {
    produce_and_consume(config, &MonitorSu::new(config.slots))
}

#[insyn::test(spec = "specs/bounded_buffer.yaml", tests = "specs/bounded_buffer.tests.yaml")]
fn monitor_sc(config: Config) -> Vec<u32> {
    produce_and_consume(config, &MonitorSc::new(config.slots, Notify::All))
}

/// The one who is notified may be any that waits.
#[insyn::test(spec = "specs/bounded_buffer.yaml", tests = "specs/bounded_buffer.tests.yaml")]
fn monitor_sc_notify_one(config: Config) -> Vec<u32> {
    produce_and_consume(config, &MonitorSc::new(config.slots, Notify::One))
}

/// The one who is notified is the one who has waited longest, as in the papers.
#[insyn::test(longest_waiter, spec = "specs/bounded_buffer.yaml", tests = "specs/bounded_buffer.tests.yaml")]
fn monitor_sc_longest_waiter(config: Config) -> Vec<u32> {
    produce_and_consume(config, &MonitorSc::new(config.slots, Notify::One))
}

#[insyn::test(spec = "specs/bounded_buffer.yaml", tests = "specs/bounded_buffer.tests.yaml")]
fn mpsc(config: Config) -> Vec<u32> {
    produce_and_consume(config, &mpsc_buffer::Channel::new(config.slots))
}

#[insyn::test(spec = "specs/bounded_buffer.yaml", tests = "specs/bounded_buffer.tests.yaml")]
fn crossbeam(config: Config) -> Vec<u32> {
    produce_and_consume(config, &crossbeam_buffer::Channel::new(config.slots))
}

mod checks {
    #[test]
    fn counts_are_as_expected() {
        target_checks::counts(env!("CARGO_MANIFEST_DIR"));
    }

    #[test]
    fn verdicts_are_as_expected() {
        target_checks::verdicts(env!("CARGO_MANIFEST_DIR"), &["faulty"]);
    }
}
