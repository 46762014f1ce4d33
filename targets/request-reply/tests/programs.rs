//! Clients call a server that doubles numbers. A program's output is what they got.

#[allow(unreachable_pub, dead_code, reason = "it is the text of a whole crate")]
mod seeded {
    include!("../target/seeded.rs");
}

use serde::{Deserialize, Serialize};

/// How many clients call, how often, and how often they try.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    clients: u32,
    calls: u32,
    attempts: u32,
}

impl Default for Config {
    fn default() -> Self {
        Config { clients: 1, calls: 2, attempts: 2 }
    }
}

/// How long a client waits. Time is virtual: it may be over before any reply comes.
const PATIENCE: std::time::Duration = std::time::Duration::from_millis(100);

#[derive(Serialize)]
struct Output {
    /// What each client got; nothing where it gave up.
    replies: Vec<Vec<Option<u32>>>,
    carried_out: u64,
}

#[insyn::test(spec = "specs/request_reply.yaml", tests = "specs/request_reply.tests.yaml")]
fn request_reply(config: Config) -> Output {
    run(config)
}

#[insyn::instrument]
fn run(config: Config) -> Output {
    use request_reply::server::{CallError, Client, Server};

    fn calls(mut client: Client, calls: u32) -> Vec<Option<u32>> {
        let call = |n| {
            insyn::label!("ask", n);
            match client.call(n) {
                Ok(reply) => {
                    insyn::label!("reply", reply / 2);
                    assert_eq!(reply, 2 * n, "the reply to another request");
                    Some(reply)
                }
                Err(CallError::TimedOut) => {
                    insyn::label!("give_up", n);
                    None
                }
                Err(error) => panic!("{error}"),
            }
        };
        (1..=calls).map(call).collect()
    }

    let mut server = Server::start(|n| 2 * n);
    let clients: Vec<_> = (0..config.clients)
        .map(|_| {
            let client = server.connect(PATIENCE, config.attempts);
            std::thread::spawn(move || calls(client, config.calls))
        })
        .collect();
    let replies: Vec<Vec<Option<u32>>> =
        clients.into_iter().map(|client| client.join().expect("replies are right")).collect();
    let carried_out = server.stop();
    assert_eq!(carried_out, u64::from(config.clients * config.calls), "each request is carried out once");
    Output { replies, carried_out }
}

#[insyn::test(spec = "specs/replies.yaml", tests = "specs/double_reply.tests.yaml")]
#[should_panic(expected = "the reply to another request")]
fn double_reply(config: Config) -> Vec<Option<u32>> {
    let mut server = seeded::server::Server::start(|n| 2 * n);
    let mut client = server.connect(PATIENCE, config.attempts);
    let call = |n| {
        insyn::label!("ask", n);
        let reply = client.call(n).ok();
        match reply {
            Some(reply) => insyn::label!("reply", reply / 2),
            None => insyn::label!("give_up", n),
        }
        reply
    };
    let replies: Vec<Option<u32>> = (1..=config.calls).map(call).collect();
    for (n, reply) in (1..).zip(&replies) {
        assert!(reply.is_none_or(|reply| reply == 2 * n), "the reply to another request");
    }
    drop(client);
    server.stop();
    replies
}

mod checks {
    #[test]
    fn counts_are_as_expected() {
        target_checks::counts(env!("CARGO_MANIFEST_DIR"));
    }

    #[test]
    fn the_count_is_confirmed() {
        target_checks::confirm(6, || super::run(super::Config { clients: 1, calls: 1, attempts: 2 }));
        target_checks::confirm(18, || super::run(super::Config { clients: 2, calls: 1, attempts: 1 }));
    }

    #[test]
    fn the_bug_is_replayed() {
        target_checks::replays("double_reply");
    }

    #[test]
    fn verdicts_are_as_expected() {
        target_checks::verdicts(env!("CARGO_MANIFEST_DIR"), &["double_reply"]);
    }

    /// Without the bug no reply is taken for that to another request.
    #[test]
    fn replies_are_those_to_the_last_request() {
        let root = env!("CARGO_MANIFEST_DIR");
        assert_eq!(target_checks::executions(root, "request_reply", "specs/replies.tests.yaml").len(), 2);
    }

    #[test]
    fn only_attributes_were_added() {
        target_checks::sources(env!("CARGO_MANIFEST_DIR"));
    }
}
