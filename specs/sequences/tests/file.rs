//! The JSON form of sequence files: what is written is read back, and what is not a sequence is refused.

mod common;

use common::build::{Build, listing_7_1, select, waiting_writer};
use common::sequences;
use insyn_sequences::file::DocumentErrorKind;
use insyn_sequences::{EventRef, Kind, Op, Pick, RaceColumn, RaceTable, SequenceFile, Termination, Value};
use proptest::prelude::*;

fn round_trip(file: &SequenceFile) {
    let text = file.to_json().unwrap();
    assert_eq!(&SequenceFile::from_json(&text).unwrap(), file, "{text}");
    assert!(!text.contains('\n'));
}

#[test]
fn everything_is_read_back() {
    for sequence in [listing_7_1(), select(), waiting_writer()] {
        round_trip(&SequenceFile::from(sequence));
    }
    let mut build = Build::default();
    let [main, other] = build.threads(["main", "main/thread1"]);
    let channel = build.named("main/channel1", Kind::Channel, "true");
    let sends = [build.does(main, Op::Send, channel), build.does(other, Op::Send, channel)];
    build.takes(main, Op::Receive, channel, &sends[1..]);
    for value in [Value::Boolean(true), Value::Integer(-3), Value::Text("3\u{1b}".to_owned())] {
        build.label(main, "a label", Some(value));
    }
    build.label(main, "nothing", None);
    build.at(sends[0], "src/a file.rs", 7, 9);
    build.after(sends[1], &sends[..1]);
    let looks = build.event(main, Op::Receive, Some(channel), Pick::Nothing);
    build.empty(looks, &[channel, other]);
    let column = RaceColumn {
        event: EventRef { process: 0, index: 1 },
        race_set: vec![vec![], vec![EventRef { process: 0, index: 0 }]],
    };
    round_trip(&SequenceFile {
        about: [("input".to_owned(), "{slots: 2}\n".to_owned())].into(),
        ended: Some(Termination::LocalDeadlock),
        sequence: build.finish(),
        races: Some(RaceTable { columns: vec![column], rows: vec![vec![1], vec![-1]], more: true }),
    });
}

#[test]
fn what_is_no_sequence_is_refused() {
    let read = |text: &str| SequenceFile::from_json(text).unwrap_err();
    assert!(matches!(read("insyn: sequence").kind, DocumentErrorKind::Json { .. }));
    assert!(matches!(read(r#"{"insyn": "sequence", "version": 1}"#).kind, DocumentErrorKind::Json { .. }));
    let other = read(r#"{"insyn": "tests", "version": 1, "processes": []}"#);
    assert_eq!(other.kind, DocumentErrorKind::NotASequence { found: Some("tests".to_owned()) });
    let newer = read(r#"{"insyn": "sequence", "version": 2, "processes": []}"#);
    assert_eq!(newer.kind, DocumentErrorKind::Version { found: Some("2".to_owned()) });
    let event = r#"{"insyn": "sequence", "version": 1, "processes": [
        {"id": "main", "kind": "thread", "events": [{"op": "receive", "from": "main#4"}]}
    ]}"#;
    assert_eq!(read(event).kind.place(), Some("main#0"));
    let empty = event.replace(r#""from": "main#4""#, r#""from": "nothing", "empty": "main/channel1""#);
    let unknown =
        DocumentErrorKind::UnknownProcess { place: "main#0".to_owned(), id: "main/channel1".to_owned() };
    assert_eq!(read(&empty).kind, unknown);
}

#[test]
fn what_is_not_canonical_is_not_written() {
    let mut sequence = listing_7_1();
    sequence.processes.reverse();
    assert!(SequenceFile::from(sequence).to_json().is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_sequence_is_read_back(sequence in sequences()) {
        round_trip(&SequenceFile::from(sequence));
    }
}
