//! Many graphs in JSON that are right or nearly so. `INSYN_INPUTS=100000` is what `.ci/long` reads.

use insyn_generator::{Counting, Limit, Tape, check};
use insyn_graphs::{Liveness, StateGraph, document};
use serde_json::{Value, json};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const MEMORY: Limit = Limit { base: 64 << 10, per_byte: 256 };

const NAMES: [&str; 3] = ["main", "worker", "\u{202e}"];
const LABELS: [&str; 6] = ["1", "end", "src/lib.rs:3:5", "\"", "\\u0000\n", "漢"];

/// States in a ring that the first thread walks; other threads wait, or jump to any state.
fn generate(tape: &mut Tape<'_>) -> (String, (usize, usize)) {
    let (threads, states) = (1 + tape.up_to(2), 1 + tape.up_to(5));
    let mut transitions: Vec<Value> = Vec::new();
    let mut state = |from: usize| {
        let at = |thread: usize| {
            let mut at = json!({"next": tape.word(&LABELS)});
            if thread > 0 && tape.chance(40) {
                at["activity"] = "blocked".into();
            } else {
                let to = if thread == 0 { (from + 1) % states } else { tape.below(states) };
                let mut step =
                    json!({"from": from, "threads": [thread], "operation": tape.word(&LABELS), "to": to});
                if tape.chance(50) {
                    step["place"] = tape.word(&LABELS).into();
                }
                transitions.push(step);
            }
            if tape.chance(30) {
                at["progress"] = tape.chance(50).into();
            }
            at
        };
        let mut state = json!({"threads": (0..threads).map(at).collect::<Vec<Value>>()});
        if tape.chance(30) {
            state["objects"] = tape.word(&LABELS).into();
        }
        if tape.chance(10) {
            state["open"] = true.into();
        }
        state
    };
    let described: Vec<Value> = (0..states).map(&mut state).collect();
    let graph = json!({
        "insyn": "graph",
        "version": 1,
        "threads": &NAMES[..threads],
        "initial": tape.below(states),
        "states": described,
        "transitions": transitions,
    });
    let text =
        if tape.chance(50) { serde_json::to_string_pretty(&graph) } else { serde_json::to_string(&graph) };
    (text.expect("it can be written"), (states, transitions.len()))
}

#[test]
fn graphs() {
    let read = |text: &str| match document::read(text) {
        Ok(graph) => Some(graph),
        Err(error) => {
            assert!(!error.to_string().is_empty());
            None
        }
    };
    check("graph", MEMORY, generate, read, |_, graph: StateGraph, &meant, is_whole| {
        if is_whole {
            assert_eq!((graph.states(), graph.transitions()), meant);
        }
        assert_eq!(document::read(&document::write(&graph)).expect("it was written"), graph);
        // Whatever is accepted can be judged, and every finding is shown by its run.
        let liveness = Liveness::of(&graph);
        for finding in liveness.findings(&graph) {
            assert_eq!(finding.check(&graph, &liveness), Ok(()));
        }
    });
}
