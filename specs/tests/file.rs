//! The file form: what is written is read back, and nothing that is read does harm.

#[path = "../sequences/tests/common/mod.rs"]
mod common;

use std::time::{Duration, Instant};

use common::build::{Build, listing_7_1};
use common::sequences;
use insyn_sequences::{EventRef, Kind, Op, Pick, Sequence, SequenceFile, Termination};
use insyn_specs::file::{self, FileErrorKind};
use proptest::prelude::*;

const GREETING: &str = "\
insyn: sequence
version: 1
about:
  program: greeting
  seed: \"42\"
ended: normal
processes:
- id: main
  kind: thread
  events:
  - {op: receive, on: main/channel1, from: nothing}
  - {op: receive, on: main/channel1, from: main/thread1#0, at: src/main.rs:7:9}
  - {op: receive, on: main/channel1, from: main/channel1#0}
  - {op: join, after: main/thread1#1}
- id: main/channel1
  kind: channel
  events:
  - {op: disconnect, after: main/thread1#1}
- id: main/thread1
  kind: thread
  name: \"the greeter\"
  events:
  - {op: send, on: main/channel1, from: nothing, after: [main#0, main/channel1#0]}
  - {op: drop-sender, on: main/channel1}
";

#[test]
fn what_is_read_is_written_again() {
    let file = file::read(GREETING).unwrap();
    assert_eq!(file.about["program"], "greeting");
    assert_eq!(file.ended, Some(Termination::Normal));
    assert_eq!(file.sequence.processes[2].name.as_deref(), Some("the greeter"));
    assert_eq!(file.sequence.processes[1].events[0].object, Some(1));
    assert_eq!(file.sequence.processes[0].events[0].pick, Pick::Nothing);
    assert_eq!(file.sequence.processes[0].events[3].object, None);
    assert_eq!(file.write().unwrap(), GREETING);
}

#[test]
fn how_it_ended_need_not_be_known() {
    let text = GREETING.replace("ended: normal\n", "");
    let file = file::read(&text).unwrap();
    assert_eq!(file.ended, None);
    assert_eq!(file.write().unwrap(), text);
    for (word, end) in Termination::WORDS {
        let file = file::read(&GREETING.replace("ended: normal", &format!("ended: {word}"))).unwrap();
        assert_eq!(file.ended, Some(end));
    }
    let error = file::read(&GREETING.replace("ended: normal", "ended: badly")).unwrap_err();
    let expected = "ended: unknown end \"badly\"; use one of normal, deadlock, local-deadlock, panic, bound";
    assert_eq!(error.to_string(), expected);
}

const RACES: &str = "\
races:
  columns:
  - {event: main#0, instead: [main/thread1#0]}
  - {event: main#1, instead: [nothing, [main/channel1#0, main/thread1#1]]}
  rows:
  - [0, 2]
  - [1, -1]
  more: true
";

#[test]
fn races_are_written_and_read() {
    let text = format!("{GREETING}{RACES}");
    let file = file::read(&text).unwrap();
    let races = file.races.as_ref().unwrap();
    assert_eq!(races.columns[1].race_set[0], []);
    assert_eq!(races.race_set(races.columns[0].event), [[EventRef { process: 2, index: 0 }]]);
    assert_eq!((races.rows[1].as_slice(), races.more), ([1, -1].as_slice(), true));
    assert_eq!(file.write().unwrap(), text);
    let none = format!("{GREETING}races:\n  columns: []\n  rows: []\n");
    assert_eq!(file::read(&none).unwrap().write().unwrap(), none);
}

#[test]
fn races_that_do_not_fit_are_refused() {
    for (from, to, words) in [
        ("[0, 2]", "[0, 3]", "row 1 of `races` does not fit; give a number for each of its 2 columns"),
        ("[1, -1]", "[1, -2]", "row 2 of `races` does not fit"),
        ("[1, -1]", "[1]", "row 2 of `races` does not fit"),
        ("event: main#0", "event: main#9", "column 1 of `races`: there is no event \"main#9\""),
        ("[main/thread1#0]", "[main/thread7#0]", "column 1 of `races`: there is no process"),
        ("event: main#0", "event: main", "column 1 of `races`: \"main\" does not name an event"),
        ("more: true", "much: true", "unknown field `much`"),
    ] {
        let text = format!("{GREETING}{}", RACES.replacen(from, to, 1));
        let error = file::read(&text).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn a_rendezvous_in_a_file() {
    let text = SequenceFile::from(listing_7_1()).write().unwrap();
    assert!(
        text.contains("  name: C1\n  events:\n  - {op: take, from: [main/thread1#0, main/thread2#0]}\n"),
        "{text}"
    );
}

/// Objects that meet in a select share a timeline; what happens on it says which of them it is about.
#[test]
fn a_shared_timeline_in_a_file() {
    let mut build = Build::default();
    let main = build.process("main", Kind::Thread);
    let [one, two] = ["main/bounded1", "main/bounded2"].map(|id| build.process(id, Kind::Bounded));
    build.event(main, Op::Select, None, Pick::None);
    build.does(main, Op::OfferTake, one);
    let offer = build.does(main, Op::OfferPut, two);
    build.event(one, Op::OfferPut, Some(two), Pick::Partners(vec![offer]));
    let file = SequenceFile::from(build.finish());
    let text = file.write().unwrap();
    assert_eq!(
        text,
        "insyn: sequence\nversion: 1\nprocesses:\n\
         - id: main\n  kind: thread\n  events:\n\
         \x20 - {op: select}\n\
         \x20 - {op: offer-take, on: main/bounded1}\n\
         \x20 - {op: offer-put, on: main/bounded2}\n\
         - id: main/bounded1\n  kind: bounded\n  events:\n\
         \x20 - {op: offer-put, on: main/bounded2, from: main#2}\n\
         - id: main/bounded2\n  kind: bounded\n  events: []\n"
    );
    assert_eq!(file::read(&text).unwrap(), file);
}

#[test]
fn people_may_write_freely() {
    let text = "# by hand\nprocesses:\n  - {id: b, kind: mutex, events: [{op: lock, on: ~}]}\n  - id: a\n    kind: thread\n\
                about: {seed: 42, exact: true, ratio: 0.5, of: -1}\nversion: 1\ninsyn: sequence\n";
    let file = file::read(text).unwrap();
    assert_eq!(file.sequence.processes[0].id, "a");
    assert_eq!(file.sequence.processes[1].events[0].object, None);
    assert_eq!(file.about["seed"], "42");
    assert_eq!(file::read(&file.write().unwrap()).unwrap(), file);
}

#[test]
fn a_malformed_sequence_is_not_written() {
    let mut build = Build::default();
    let main = build.process("main", Kind::Thread);
    build.event(main, Op::Join, None, Pick::None);
    let mut sequence = build.finish();
    sequence.processes[0].events[0].object = Some(5);
    assert!(SequenceFile::from(sequence).write().is_err());
}

fn error(text: &str) -> String {
    file::read(text).unwrap_err().to_string()
}

/// A file with one thread that does one event.
fn with_event(event: &str) -> String {
    format!("insyn: sequence\nversion: 1\nprocesses:\n- id: main\n  kind: thread\n  events:\n  - {event}\n")
}

#[test]
fn errors_say_what_to_do() {
    assert_eq!(
        error("a: 1"),
        "this is not a sequence file: `insyn` is missing; use a file with `insyn: sequence`"
    );
    assert_eq!(
        error("insyn: spec\nrules: []"),
        "this is not a sequence file: it has `insyn: spec`; use a file with `insyn: sequence`"
    );
    assert_eq!(
        error("insyn: sequence\nversion: 2\nthreads: []"),
        "this sequence file has version 2, but only version 1 is supported; write it again with this release"
    );
    assert_eq!(
        error("insyn: sequence\nprocesses: []"),
        "this sequence file has no version, but only version 1 is supported; write it again with this release"
    );
    assert_eq!(
        error("insyn: sequence\nversion: 1\nprocesses: [{id: a, kind: thread}, {id: a, kind: mutex}]"),
        "two processes have the id \"a\"; give each its own"
    );
    let kinds = Kind::ALL.map(Kind::word).join(", ");
    assert_eq!(
        error("insyn: sequence\nversion: 1\nprocesses: [{id: a, kind: tread}]"),
        format!("a: unknown kind \"tread\"; use one of {kinds}")
    );
    assert!(
        error(&with_event("{op: recieve}"))
            .starts_with("main#0: unknown operation \"recieve\"; use one of send, ")
    );
    assert_eq!(
        error(&with_event("{op: send, on: main/channel1}")),
        "main#0: there is no process \"main/channel1\"; add it to `processes` or correct the id"
    );
    assert_eq!(
        error(&with_event("{op: join, after: main#1}")),
        "main#0: there is no event \"main#1\", because that process has 1 (counted from 0); correct the index"
    );
    assert_eq!(
        error(&with_event("{op: join, after: main}")),
        "main#0: \"main\" does not name an event; write `process-id#index`, or `nothing` in `from`"
    );
    assert_eq!(
        error(&with_event("{op: join, at: src/main.rs}")),
        "main#0: \"src/main.rs\" is not a place in a source; write `file:line:column`"
    );
}

#[test]
fn bad_yaml_is_located() {
    let FileErrorKind::Yaml { message, position } = file::read("insyn: [\n}").unwrap_err().kind else {
        panic!("this is no YAML");
    };
    assert_eq!(position, Some((2, 1)), "{message}");

    let unknown = file::read(&with_event("{op: send, form: nothing}")).unwrap_err();
    assert!(matches!(unknown.kind, FileErrorKind::Yaml { position: Some((7, 16)), .. }), "{unknown:?}");
    assert_eq!(
        unknown.to_string(),
        "not a valid sequence file: processes[0].events[0]: unknown field `form`, expected one of `op`, `on`, \
         `from`, `after`, `empty`, `label`, `value`, `at` at line 7 column 16; correct the YAML there"
    );
}

/// Every text is answered with an error, and soon.
#[test]
fn hostile_files() {
    let many = 100_000;
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for i in 1..40 {
        bomb += &format!("a{i}: &a{i} [{}]\n", vec![format!("*a{}", i - 1); 10].join(", "));
    }
    let event = "{op: send}";
    let wide = format!(
        "insyn: sequence\nversion: 1\nprocesses:\n- {{id: p, kind: thread, events: &e [{}]}}\n{}",
        vec![event; 2_000].join(", "),
        (0..2_000).map(|i| format!("- {{id: p{i}, kind: thread, events: *e}}\n")).collect::<String>()
    );
    let long =
        format!("insyn: sequence\nversion: 1\nabout: {{a: &a {}, {}}}\nprocesses: []", "x".repeat(many), {
            (0..2_000).map(|i| format!("b{i}: *a")).collect::<Vec<_>>().join(", ")
        });
    let texts = [
        String::new(),
        "\0".to_owned(),
        "~".to_owned(),
        "sequence".to_owned(),
        "- insyn: sequence".to_owned(),
        "insyn: sequence\nversion: 1\nprocesses: {}".to_owned(),
        "insyn: sequence\nversion: [1]\nprocesses: []".to_owned(),
        "insyn: sequence\nversion: 1\nprocesses: []\n---\ninsyn: sequence".to_owned(),
        "insyn: sequence\nversion: 99999999999999999999999999999999999999999999999\nprocesses: []".to_owned(),
        "insyn: sequence\nversion: 1\nprocesses: [!mutex {id: a, kind: b}]".to_owned(),
        "insyn: &a sequence\nversion: 1\nprocesses: [*b]".to_owned(),
        "insyn: sequence\nversion: 1\nprocesses: &a [*a]".to_owned(),
        with_event("{op: send, from: main#18446744073709551615}"),
        with_event("{op: send, from: main#99999999999999999999999999}"),
        with_event("{op: send, from: main#-1}"),
        with_event("{op: send, from: main#+0}"),
        with_event("{op: send, from: '#'}"),
        with_event("{op: send, from: [[main#0]]}"),
        with_event("{op: send, from: {main: 0}}"),
        with_event("{op: send, from: 3}"),
        with_event("{op: send, at: x:4294967296:1}"),
        with_event("{op: [send]}"),
        with_event("{op: send, op: send}"),
        with_event("{}"),
        with_event("send"),
        bomb,
        wide,
        long,
        "[".repeat(many),
        "{a: ".repeat(many),
        "{\"]\": ".repeat(many),
        "- ".repeat(many),
        "? ".repeat(many),
        "!a ".repeat(many),
        "&a ".repeat(many),
        (0..2_000).map(|i| " ".repeat(i) + "a:\n").collect(),
        format!("insyn: sequence\nversion: 1\nprocesses: {}{}", "[".repeat(many), "]".repeat(many)),
    ];
    for text in texts {
        let start = Instant::now();
        let result = file::read(&text);
        let took = start.elapsed();
        let beginning: String = text.chars().take(60).collect();
        assert!(result.is_err(), "{beginning:?} was read");
        assert!(took < Duration::from_secs(60), "{beginning:?} took {took:?}");
    }
}

#[test]
fn aliases_that_expand_too_far_are_rejected() {
    let text = format!(
        "insyn: sequence\nversion: 1\nabout: {{a: &a {}{}}}\nprocesses: []",
        "x".repeat(1000),
        (0..100).map(|i| format!(", b{i}: *a")).collect::<String>()
    );
    assert_eq!(file::read(&text).unwrap_err().kind, FileErrorKind::TooManyAliases);
}

/// Sequences that no execution has, with any names; only the canonical form is kept.
fn odd_sequences() -> impl Strategy<Value = Sequence> {
    (sequences(), prop::collection::vec((".*", prop::option::of(".*")), 20), any::<u64>()).prop_map(
        |(sequence, names, bits)| {
            let mut processes = sequence.processes;
            let count = processes.len();
            for (i, (process, (id, name))) in processes.iter_mut().zip(names).enumerate() {
                process.id = if bits >> i & 1 == 1 { format!("{id}{i}") } else { format!("{i}#{id}") };
                process.name = name;
                for event in &mut process.events {
                    match bits >> 20 & 7 {
                        0 => event.object = None,
                        1 => event.object = Some(bits as usize % count),
                        2 => event.pick = Pick::Partners(Vec::new()),
                        _ => {}
                    }
                    if let Some(location) = &mut event.location {
                        location.file = process.id.clone();
                        location.line = bits as u32;
                    }
                }
            }
            Sequence::from_processes(processes).unwrap()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn round_trip(sequence in sequences()) {
        let file = SequenceFile::from(sequence);
        let text = file.write().unwrap();
        let read = file::read(&text).unwrap();
        prop_assert_eq!(&read, &file);
        prop_assert_eq!(read.write().unwrap(), text);
    }

    #[test]
    fn odd_names_round_trip(sequence in odd_sequences(), about in prop::collection::btree_map(".*", ".*", 0..4)) {
        let file = SequenceFile { about, sequence, ..SequenceFile::default() };
        let text = file.write().unwrap();
        prop_assert_eq!(file::read(&text).unwrap(), file, "{}", text);
    }

    #[test]
    fn damaged_files_do_no_harm(
        sequence in sequences(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<char>(), any::<bool>()), 1..5),
    ) {
        let mut text: Vec<char> = SequenceFile::from(sequence).write().unwrap().chars().collect();
        for (at, c, insert) in damage {
            let at = at.index(text.len());
            if insert { text.insert(at, c) } else { text[at] = c }
        }
        let text: String = text.into_iter().collect();
        // A comment or a name may have come of it; what is read can always be written.
        if let Ok(file) = file::read(&text) {
            prop_assert!(file.write().is_ok());
        }
    }
}
