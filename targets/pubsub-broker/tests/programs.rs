//! A publisher counts, and subscribers come while it does. A program's output is what each subscriber saw.

#[allow(unreachable_pub, dead_code, reason = "it is the text of a whole crate")]
mod seeded {
    include!("../target/seeded.rs");
}

use serde::Deserialize;

/// How many subscribe, and how many messages are published.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    subscribers: usize,
    messages: u32,
}

impl Default for Config {
    fn default() -> Self {
        Config { subscribers: 2, messages: 2 }
    }
}

/// What a subscriber sees ends with the last message, and nothing is left out before.
fn assert_no_gap(seen: &[u32], messages: u32) {
    let from = seen.first().copied().unwrap_or(messages + 1);
    assert_eq!(seen, (from..=messages).collect::<Vec<_>>(), "a message is lost");
}

/// Who comes when all is over sees nothing.
#[insyn::test(spec = "specs/pubsub_broker.yaml", tests = "specs/pubsub_broker.tests.yaml")]
fn pubsub_broker(config: Config) -> Vec<Vec<u32>> {
    run(config)
}

#[insyn::instrument]
fn run(config: Config) -> Vec<Vec<u32>> {
    let broker = pubsub_broker::broker::Broker::new();
    let subscribe = || {
        let seen: Vec<u32> = broker.subscribe("count").into_iter().flatten().collect();
        assert_no_gap(&seen, config.messages);
        seen
    };
    std::thread::scope(|scope| {
        let subscribers: Vec<_> = (0..config.subscribers).map(|_| scope.spawn(subscribe)).collect();
        for n in 1..=config.messages {
            broker.publish("count", n).expect("it is open");
        }
        broker.close();
        subscribers.into_iter().map(|it| it.join().expect("nothing is lost")).collect()
    })
}

#[insyn::test(
    input = "{subscribers: 1, messages: 2}",
    spec = "specs/pubsub_broker.yaml",
    tests = "specs/lost_message.tests.yaml"
)]
#[should_panic(expected = "a message is lost")]
fn lost_message(config: Config) -> Vec<Vec<u32>> {
    let broker = seeded::broker::Broker::new();
    let subscribe = || {
        let seen: Vec<u32> = broker.subscribe("count").into_iter().flatten().collect();
        assert_no_gap(&seen, config.messages);
        seen
    };
    std::thread::scope(|scope| {
        let subscribers: Vec<_> = (0..config.subscribers).map(|_| scope.spawn(subscribe)).collect();
        for n in 1..=config.messages {
            broker.publish("count", n).expect("it is open");
        }
        broker.close();
        subscribers.into_iter().map(|it| it.join().expect("nothing is lost")).collect()
    })
}

mod checks {
    #[test]
    fn counts_are_as_expected() {
        target_checks::counts(env!("CARGO_MANIFEST_DIR"));
    }

    #[test]
    fn verdicts_are_as_expected() {
        target_checks::verdicts(env!("CARGO_MANIFEST_DIR"), &["lost_message"]);
    }

    #[test]
    fn the_count_is_confirmed() {
        target_checks::confirm(4, || super::run(super::Config { subscribers: 1, messages: 2 }));
        target_checks::confirm(12, || super::run(super::Config { subscribers: 2, messages: 1 }));
        target_checks::confirm(20, || super::run(super::Config { subscribers: 2, messages: 2 }));
    }

    #[test]
    fn the_bug_is_replayed() {
        target_checks::replays("lost_message");
    }

    #[test]
    fn only_attributes_were_added() {
        target_checks::sources(env!("CARGO_MANIFEST_DIR"));
    }
}
