//! Race tables: the textbook's table 7.3 and that of the paper on the history-free algorithm, with the sequences that
//! their variants lead to.

use insyn::Explorer;
use insyn::sync::Delivery;
use serde::Serialize;

use super::drawing::{Diagram, executions};
use super::programs;

/// How many sequences begin with a variant of a diagram.
fn sequences_from<R: Serialize + 'static>(
    diagram: &Diagram,
    changes: &[(&str, &str)],
    program: impl Fn() -> R + Send + Sync + 'static,
) -> u64 {
    let found = Explorer::new().prefix(diagram.variant(changes)).unwrap().explore(program);
    assert!(found.failures.is_empty(), "{found}");
    found.sequences
}

/// The sequences of the bounded buffer, Q0 to Q4, by the order of deposits (s1, s2, s3) and withdrawals (s4, s5, s6).
fn buffer(served: [&str; 6]) -> Diagram {
    let receives: Vec<String> = served.iter().zip(1..).map(|(s, i)| format!("r{i}<{s}")).collect();
    let drawing = format!("T1: s1 s2 s3 | T2: s4 s5 s6 | T3: {}", receives.join(" "));
    Diagram::of(&drawing, programs::bounded_buffer)
}

/// V1 reverses s3 and s5, V2 s3 and s4, V3 s2 and s4, and r2, r3, r4 are the receives with races: so Q0 is
/// D D W D W W.
fn q0() -> Diagram {
    buffer(["s1", "s2", "s4", "s3", "s5", "s6"])
}

#[test]
fn bounded_buffer_has_race_table_7_3() {
    let q0 = q0();
    assert_eq!(q0.race_sets(), "r2{s4} r3{s3} r4{s5}");
    let columns: Vec<String> = q0.races.columns.iter().map(|column| q0.name(column.event)).collect();
    assert_eq!(columns, ["r2", "r3", "r4"]);
    assert_eq!(q0.races.rows, [[0, 0, 1], [0, 1, -1], [1, -1, -1]]);
}

/// V1 and V2 lead to one sequence each (Q1 and Q2), V3 to Q3 and Q4; with Q0 these are all.
#[test]
fn variants_of_the_bounded_buffer_lead_to_its_other_sequences() {
    let q0 = q0();
    let from = |r, s| sequences_from(&q0, &[(r, s)], programs::bounded_buffer);
    assert_eq!([from("r4", "s5"), from("r3", "s3"), from("r2", "s4")], [1, 1, 2]);
    assert_eq!(executions(programs::bounded_buffer).len(), 5);
    let _q1 = buffer(["s1", "s2", "s4", "s5", "s3", "s6"]);
    let _q2 = buffer(["s1", "s2", "s3", "s4", "s5", "s6"]);
    let _q4 = buffer(["s1", "s4", "s2", "s5", "s3", "s6"]);
}

/// In Q3 a withdrawal cannot be accepted in place of the deposit s2, as the buffer is empty; nor can one in place of the
/// first deposit of any sequence.
#[test]
fn guards_keep_withdrawals_from_an_empty_buffer() {
    let q3 = buffer(["s1", "s4", "s2", "s3", "s5", "s6"]);
    assert_eq!(q3.race_sets(), "r2{s2} r4{s5}");
    assert_eq!(sequences_from(&q3, &[("r4", "s5")], programs::bounded_buffer), 1);
    assert_eq!(q0().race_set("r1").len(), 0);
}

/// D D D W W W has two races only: when it is full, a deposit is not open.
#[test]
fn guards_keep_deposits_from_a_full_buffer() {
    let q2 = buffer(["s1", "s2", "s3", "s4", "s5", "s6"]);
    assert_eq!(q2.race_sets(), "r2{s4} r3{s4}");
    assert_eq!(q2.races.rows, [[0, 1], [1, -1]]);
}

/// Q0 of the paper's figure 1: T5 receives from T4 first and so sends nothing to T2.
const SIX_THREADS: &str = "T1: s1 | T2: r1<s1 s2 | T3: r2<s2 r3<s3 | T4: s3 s4 | T5: r4<s4 r5<s5 | T6: s5";

#[test]
fn six_threads_have_race_rows_01_10_11() {
    for delivery in [Delivery::Fifo, Delivery::Mailbox] {
        let program = move || programs::six_threads(delivery);
        let q0 = Diagram::of(SIX_THREADS, program);
        assert_eq!(q0.race_sets(), "r2{s3} r4{s5}");
        // r2 and r4 are concurrent: which of them is the left column is a matter of taste.
        let mut rows = q0.rows(&["r4", "r2"]);
        rows.sort();
        assert_eq!(rows, [[0, 1], [1, 0], [1, 1]]);
        assert_eq!(executions(program).len(), 6);
        let from = |changes: &[(&str, &str)]| sequences_from(&q0, changes, program);
        let variants = [from(&[("r2", "s3")]), from(&[("r4", "s5")]), from(&[("r4", "s5"), ("r2", "s3")])];
        assert_eq!(variants, [1, 1, 1], "what T2 receives is settled by the variant");
    }
}

/// When T5 receives from T6 first, its send to T2 (s6) races with s1: the way to the two sequences that Q0's variants do
/// not lead to.
#[test]
fn six_threads_have_a_race_that_shows_only_in_a_variant() {
    let drawing = "T1: s1 | T2: r1<s1 s2 | T3: r2<s2 r3<s3 | T4: s3 s4 | T5: r4<s5 s6 r5<s4 | T6: s5";
    let q2 = Diagram::of(drawing, || programs::six_threads(Delivery::Fifo));
    assert_eq!(q2.race_sets(), "r1{s6} r2{s3} r4{s4}");
    let from = sequences_from(&q2, &[("r1", "s6")], || programs::six_threads(Delivery::Fifo));
    assert_eq!(from, 2, "r2 happens after r1 and is open again");
}

/// r1 is T2's receive, r2 T3's. From the sequence in the middle both others can be reached; from these, only it.
#[test]
fn tangled_cycle_is_three_sequences_in_a_row() {
    let races = |drawing| Diagram::of(drawing, programs::tangled_cycle).race_sets();
    assert_eq!(races("T1: s1 | T2: r1<s1 s2 | T3: r2<s2 | T4: s4"), "r2{s4}");
    assert_eq!(races("T1: s1 | T2: r1<s1 s2 | T3: r2<s4 s3 | T4: s4"), "r1{s3} r2{s2}");
    assert_eq!(races("T1: s1 | T2: r1<s3 s2 | T3: r2<s4 s3 | T4: s4"), "r1{s1}");
    assert_eq!(executions(programs::tangled_cycle).len(), 3);
}
