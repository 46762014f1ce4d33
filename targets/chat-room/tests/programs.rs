//! Members greet each other and leave. A program's output is what happened in the room.

#[allow(unreachable_pub, dead_code, reason = "it is the text of a whole crate")]
mod seeded {
    include!("../target/seeded.rs");
}

use serde::{Deserialize, Serialize};

/// Who comes in.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    members: Vec<String>,
}

impl Default for Config {
    fn default() -> Self {
        Config { members: vec!["Ada".to_owned(), "Grace".to_owned()] }
    }
}

#[derive(Serialize)]
struct Output {
    /// Who spoke and who left, in order.
    minutes: Vec<String>,
    /// How much each member saw of it before it left.
    seen: Vec<usize>,
}

#[insyn::test(spec = "specs/chat_room.yaml", tests = "specs/chat_room.tests.yaml")]
fn chat_room(config: &Config) -> Output {
    run(config)
}

#[insyn::instrument]
fn run(config: &Config) -> Output {
    use chat_room::room::{Line, Room, Seat};

    fn greet(seat: Seat) -> usize {
        seat.say("hello").expect("the room stays while somebody is in it");
        let seen = seat.lines().count();
        seat.leave().expect("the room stays while somebody is in it");
        seen
    }

    let room = Room::open();
    let seats: Vec<Seat> =
        config.members.iter().map(|name| room.join(name).expect("the room is open")).collect();
    let members: Vec<_> = seats.into_iter().map(|seat| std::thread::spawn(move || greet(seat))).collect();
    let minutes = room.close().expect("the room does not panic");
    let seen = members.into_iter().map(|member| member.join().expect("the room stays")).collect();
    let minutes: Vec<String> = minutes
        .into_iter()
        .filter_map(|line| match line {
            Line::Joined(_) => None,
            Line::Said(name, words) => Some(format!("{name}: {words}")),
            Line::Left(name) => Some(format!("{name} leaves")),
        })
        .collect();
    assert_eq!(minutes.len(), 2 * config.members.len(), "words are lost: {minutes:?}");
    Output { minutes, seen }
}

#[insyn::test(
    input = "{members: [Ada]}",
    spec = "specs/chat_room.yaml",
    tests = "specs/early_disconnect.tests.yaml"
)]
#[should_panic(expected = "words are lost")]
fn early_disconnect(config: &Config) -> usize {
    use seeded::room::{Line, Room, Seat};

    let room = Room::open();
    let seats: Vec<Seat> =
        config.members.iter().map(|name| room.join(name).expect("the room is open")).collect();
    let members: Vec<_> = seats
        .into_iter()
        .map(|seat| std::thread::spawn(move || seat.say("hello").and_then(|()| seat.leave()).is_ok()))
        .collect();
    let minutes = room.close().expect("the room does not panic");
    let said = minutes.iter().filter(|line| matches!(line, Line::Said(..))).count();
    for member in members {
        member.join().expect("a member does not panic");
    }
    assert_eq!(said, config.members.len(), "words are lost");
    said
}

mod checks {
    #[test]
    fn counts_are_as_expected() {
        target_checks::counts(env!("CARGO_MANIFEST_DIR"));
    }

    #[test]
    fn verdicts_are_as_expected() {
        target_checks::verdicts(env!("CARGO_MANIFEST_DIR"), &["early_disconnect"]);
    }

    #[test]
    fn the_count_is_confirmed() {
        target_checks::confirm(4, || super::run(&super::Config { members: vec!["Ada".to_owned()] }));
    }

    #[test]
    fn the_bug_is_replayed() {
        target_checks::replays("early_disconnect");
    }

    #[test]
    fn only_attributes_were_added() {
        target_checks::sources(env!("CARGO_MANIFEST_DIR"));
    }
}
