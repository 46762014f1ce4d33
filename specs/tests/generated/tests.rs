//! IN-SYN tests: inputs, sequences of steps, prefixes, recorded sequences, expectations.

use insyn_generator::{Tape, check, yaml};
use insyn_sequences::{Op, Termination};
use insyn_specs::TestFile;
use serde_json::{Value, json};

use crate::{MEMORY, accepted, sequences};

/// A step with `before` steps before it.
fn step(tape: &mut Tape<'_>, before: usize, is_partial: bool) -> Value {
    let ops: Vec<&str> = Op::recorded().map(Op::word).collect();
    let mut step = match tape.below(5) {
        0 => json!(tape.word(&["deposit", "withdraw(3)", "put('A', true)", "move(1 + 2, -1)"])),
        1 => json!({"event": tape.word(&["deposit", "close"]), "arguments": [tape.integer(), "A"]}),
        2 => json!({"event": "deposit(1)", "thread": tape.word(&["producer*", "main", "*"])}),
        3 => json!({"op": tape.word(&ops), "on": tape.word(&yaml::WORDS)}),
        _ => json!({"label": tape.word(&yaml::WORDS), "value": tape.up_to(9), "from": "nothing"}),
    };
    if is_partial && step.is_object() && before > 0 {
        let after: Vec<usize> = (1..=before).filter(|_| tape.chance(70)).collect();
        step["after"] = after.into();
    }
    step
}

fn steps(tape: &mut Tape<'_>) -> Value {
    let is_partial = tape.chance(20);
    let count = tape.up_to(if is_partial { 4 } else { 7 });
    (0..count).map(|before| step(tape, before, is_partial)).collect()
}

fn test(tape: &mut Tape<'_>, number: usize) -> Value {
    let mut test = json!({"name": format!("{} {number}", tape.word(&["fills up", "é: 'x'", "a # b"]))});
    match tape.below(8) {
        0..4 => test["sequence"] = steps(tape),
        4..7 => test["prefix"] = steps(tape),
        _ => test["recorded"] = json!({"processes": sequences::processes(tape).0}),
    }
    if tape.chance(50) {
        test["input"] = yaml::data(tape, 2);
    }
    if tape.chance(20) {
        test["about"] = "a note".into();
    }
    match tape.below(4) {
        0 => {}
        1 => test["expect"] = tape.word(&["feasible", "infeasible"]).into(),
        2 => test["expect"] = json!({"feasible": false}),
        _ => {
            let termination = tape.pick(&Termination::WORDS).0;
            test["expect"] = json!({"termination": termination, "output": yaml::data(tape, 1)});
        }
    }
    test
}

fn tests(tape: &mut Tape<'_>) -> (String, Value) {
    let count = tape.up_to(3);
    let tests: Vec<Value> = (0..count).map(|number| test(tape, number)).collect();
    let mut file = json!({"insyn": "tests", "version": 1, "tests": tests});
    if tape.chance(50) {
        file["program"] = tape.word(&yaml::WORDS).into();
    }
    if tape.chance(50) {
        file["spec"] = "buffer.yaml".into();
    }
    (yaml::document(tape, &file), file)
}

#[test]
fn test_files() {
    let read = |text: &str| accepted(text, TestFile::read("t.yaml", text));
    check("tests", MEMORY, tests, read, |_, found: TestFile, meant, is_whole| {
        if is_whole {
            let meant = meant["tests"].as_array().expect("a list");
            assert_eq!(found.tests.len(), meant.len());
            for (test, meant) in found.tests.iter().zip(meant) {
                assert_eq!(
                    (Some(test.name.as_str()), &test.input),
                    (meant["name"].as_str(), &meant["input"])
                );
            }
        }
        for test in &found.tests {
            test.sequence.lines();
        }
        // What is written is read back as the same, and written as the same bytes.
        let written = found.write().expect("what was read can be written");
        let again =
            TestFile::read("t.yaml", &written).unwrap_or_else(|problem| panic!("{problem}\n{written}"));
        assert_eq!(again.write().expect("what was read can be written"), written);
    });
}
