//! Inputs: any YAML, of any shape or of one that a program takes.

use std::collections::BTreeMap;

use insyn_generator::{Tape, check, yaml};
use insyn_specs::input;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::MEMORY;

fn any(tape: &mut Tape<'_>) -> (String, Value) {
    let data = yaml::data(tape, 4);
    (yaml::document(tape, &data), data)
}

#[test]
fn any_data() {
    let read = |text: &str| input::read::<Value>(text).ok();
    check("input of any shape", MEMORY, any, read, |_, found, meant, is_whole| {
        if is_whole {
            assert_eq!(found, *meant);
        }
    });
}

/// What a program might take.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Order {
    slots: u8,
    #[serde(default)]
    names: Vec<String>,
    mode: Mode,
    limits: Option<BTreeMap<String, i64>>,
    pair: (bool, f64),
    inner: Option<Box<Order>>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Mode {
    Fifo,
    Lifo,
}

fn order(tape: &mut Tape<'_>, depth: usize) -> Value {
    let mut order = json!({
        "slots": tape.up_to(255),
        "mode": tape.word(&["fifo", "lifo"]),
        "pair": [tape.chance(50), tape.up_to(9)],
    });
    if tape.chance(70) {
        order["names"] = (0..tape.up_to(4)).map(|_| Value::from(tape.word(&yaml::WORDS))).collect();
    }
    if tape.chance(50) {
        let entry = |_| (tape.word(&yaml::WORDS).to_owned(), Value::from(tape.integer()));
        order["limits"] = Value::Object((0..3).map(entry).collect());
    }
    if depth > 0 && tape.chance(40) {
        order["inner"] = self::order(tape, depth - 1);
    }
    order
}

#[test]
fn of_a_shape() {
    let generate = |tape: &mut Tape<'_>| {
        let order = order(tape, 3);
        (yaml::document(tape, &order), order)
    };
    let read = |text: &str| match input::read::<Order>(text) {
        Ok(order) => Some(order),
        Err(error) => {
            assert!(!error.bare().is_empty());
            None
        }
    };
    check("input of a program's shape", MEMORY, generate, read, |_, found: Order, meant, is_whole| {
        if is_whole {
            assert_eq!(found, serde_json::from_value(meant.clone()).expect("an order"));
        }
    });
}
