//! Layouts of sequences, and how they are drawn.

mod common;

use insyn_reports::diagram::{self, Diagram};
use insyn_reports::text::Style;
use insyn_sequences::{Sequence, SequenceFile};
use insyn_specs::file;

fn read(processes: &str) -> Sequence {
    file::read(&format!("insyn: sequence\nversion: 1\nprocesses:\n{processes}")).unwrap().sequence
}

/// Two threads send to one channel, of which the first sends twice; main receives twice.
fn fan_in() -> Sequence {
    read(
        "- id: main
  kind: thread
  events:
  - {op: receive, on: main/channel1, from: main/thread1#0}
  - {op: receive, on: main/channel1, from: main/thread2#0}
- {id: main/channel1, kind: channel}
- id: main/thread1
  kind: thread
  name: twice
  events:
  - {op: send, on: main/channel1, from: nothing}
  - {op: send, on: main/channel1, from: nothing}
- id: main/thread2
  kind: thread
  name: once
  events:
  - {op: send, on: main/channel1, from: nothing}
",
    )
}

#[test]
fn a_row_for_each_event_and_an_arrow_for_each_pair() {
    let drawn = diagram::text::render(&Diagram::of(&fan_in()).unwrap(), Style::default());
    let expected = "\
main
│  twice
│  │  once
│  │  │
│  ●  │  1  send channel1
●◀─┤  │  2  receive channel1, from 1 twice
│  │  ●  3  send channel1
●◀─┼──┤  4  receive channel1, from 3 once
│  ●  │  5  send channel1
";
    assert_eq!(drawn, expected);
}

/// The second message of a thread cannot overtake its first, but once that is received it may come before another's.
#[test]
fn race_sets_have_what_could_have_been_taken_instead() {
    let layout = Diagram::of(&fan_in()).unwrap();
    let races: Vec<(usize, Vec<Vec<usize>>)> =
        layout.rows.iter().enumerate().map(|(n, row)| (n, row.races.clone())).collect();
    assert_eq!(races, [(0, vec![]), (1, vec![vec![2]]), (2, vec![]), (3, vec![vec![4]]), (4, vec![])]);
    let svg = diagram::svg::render(&layout, "fan-in");
    assert!(svg.contains("could have taken instead: 3"), "{svg}");
}

#[test]
fn a_call_has_a_mark_on_its_thread_and_one_on_the_object_and_blocked_ones_are_seen() {
    let sequence = read(
        "- id: main
  kind: thread
  events:
  - {op: lock, on: main/mutex1}
  - {op: lock, on: main/mutex1}
- id: main/mutex1
  kind: mutex
  events:
  - {op: lock, from: main#0}
",
    );
    let drawn = diagram::text::render(&Diagram::of(&sequence).unwrap(), Style::default());
    let expected = "\
main
│  mutex1
│  ┊
●─▶○  1  lock mutex1
×  ┊  2  lock mutex1, blocked
";
    assert_eq!(drawn, expected);
}

#[test]
fn the_event_that_differs_is_marked() {
    let sequence = common::server(&["deposit", "withdraw"]);
    let mut layout = Diagram::of(&sequence).unwrap();
    assert!(!layout.mark(&sequence, "main/nobody#0"));
    assert!(layout.mark(&sequence, "main/thread1#2"));
    let marked: Vec<&str> = layout.rows.iter().filter(|row| row.differs).map(|row| row.op.word()).collect();
    assert_eq!(marked, ["accept"]);
    assert!(diagram::text::render(&layout, Style::default()).contains("▲ here it differs"));
    assert_eq!(diagram::svg::render(&layout, "").matches("class=\"std-differs\"").count(), 1);
}

#[test]
fn lanes_that_do_not_fit_are_left_out() {
    let sequence = common::server(&["deposit"; 30]);
    let layout = Diagram::of(&sequence).unwrap();
    let drawn = diagram::text::render(&layout, Style { width: 80, colour: false });
    assert!(drawn.contains("(32 of 32 lines do not fit)"), "{drawn}");
    assert_eq!(drawn.lines().count(), layout.rows.len() + 1);
    let wide = diagram::text::render(&layout, Style { width: 200, colour: false });
    assert!(!wide.contains("do not fit"));
}

#[test]
fn nothing_happened() {
    let layout = Diagram::of(&Sequence::default()).unwrap();
    assert_eq!(diagram::text::render(&layout, Style::default()), "");
    assert!(diagram::svg::render(&layout, "nothing").starts_with("<svg "));
}

/// The textbook's table beside the diagram: in the diagram's order, by the numbers of its rows.
#[test]
fn the_race_table_of_a_file() {
    let races = "races:
  columns:
  - {event: main#1, instead: [nothing, main/thread1#1]}
  - {event: main#0, instead: [main/thread2#0]}
  rows:
  - [0, 1]
  - [1, 0]
  - [2, 0]
  - [2, 1]
  more: true
";
    let mut file = SequenceFile::from(fan_in());
    file = file::read(&(file.write().unwrap() + races)).unwrap();
    let layout = Diagram::of_file(&file).unwrap();
    assert_eq!(layout.rows[3].races, [vec![], vec![4]]);
    let shown = diagram::races::render(&layout, Style::default());
    let expected = "\
What could have been taken instead
2  receive channel1, from 1 twice: 3
4  receive channel1, from 3 once: nothing, 5

Variants (a number is taken instead; · as it was; - does not come up)
    [2]      [4]
V1    ·  nothing
V2    ·        5
V3    3        ·
V4    3        5
and more
";
    assert_eq!(shown, expected);
    let narrow = diagram::races::render(&layout, Style { width: 14, colour: false });
    assert!(
        narrow.contains("    [2]\nV1    ·\n") && narrow.contains("        [4]\nV1  nothing\n"),
        "{narrow}"
    );
    assert!(diagram::svg::render(&layout, "").contains("could have taken instead: nothing, 5"));
    assert!(narrow.lines().all(|line| line.chars().count() <= 14), "{narrow}");
    // A sequence alone shows less.
    assert_eq!(diagram::races::render(&Diagram::of(&file.sequence).unwrap(), Style::default()), "");
}

/// Of a pair, the event that stays is not shown.
#[test]
fn races_at_a_rendezvous() {
    let text = "insyn: sequence
version: 1
processes:
- id: main
  kind: thread
  events:
  - {op: take, on: main/rendezvous1}
  - {op: take, on: main/rendezvous1}
- id: main/rendezvous1
  kind: rendezvous
  events:
  - {op: take, from: [main/thread1#0, main#0]}
  - {op: take, from: [main/thread2#0, main#1]}
- id: main/thread1
  kind: thread
  events:
  - {op: put, on: main/rendezvous1}
- id: main/thread2
  kind: thread
  events:
  - {op: put, on: main/rendezvous1}
races:
  columns:
  - {event: main/rendezvous1#0, instead: [[main/thread2#0, main#0]]}
  rows:
  - [1]
";
    let layout = Diagram::of_file(&file::read(text).unwrap()).unwrap();
    assert_eq!(layout.rows[0].races, [[1]]);
    assert_eq!(layout.races.unwrap().rows, [[1]]);
}
