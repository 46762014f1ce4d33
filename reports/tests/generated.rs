//! Many documents of campaigns, whole or nearly so: no panic while they are read, bounded memory, and a report in every format.

mod common;

use std::cell::Cell;

use insyn_generator::{Counting, Limit, Tape, check};
use insyn_reports::text::Style;
use insyn_reports::{document, github, html, junit, markdown, stryker, text};
use serde_json::Value;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const MEMORY: Limit = Limit { base: 256 << 10, per_byte: 64 };

/// Changes something in a value but not its shape, except that lists may become shorter or longer.
fn change(tape: &mut Tape<'_>, value: &mut Value) {
    match value {
        Value::Null => {}
        Value::Bool(it) => *it = !*it,
        Value::Number(it) => {
            *it = match tape.below(8) {
                0 => u64::from(u32::MAX).into(),
                1 => tape.up_to(300).into(),
                _ => tape.up_to(2).into(),
            }
        }
        Value::String(it) => match tape.below(4) {
            0 => it.clear(),
            1 => it.push_str(&it.clone()),
            // A word that may come from an enum stays.
            _ if it.len() < 16 && it.bytes().all(|byte| byte.is_ascii_lowercase()) => {}
            _ => *it = tape.word(&common::HOSTILE).to_owned(),
        },
        Value::Array(items) if items.is_empty() => {}
        Value::Array(items) => {
            let n = tape.below(items.len());
            match tape.below(3) {
                0 => drop(items.remove(n)),
                1 => items.push(items[n].clone()),
                _ => change(tape, &mut items[n]),
            }
        }
        Value::Object(fields) => {
            let count = fields.len().max(1);
            if let Some(field) = fields.values_mut().nth(tape.below(count)) {
                change(tape, field);
            }
        }
    }
}

/// Descends into a value to a random depth, and changes the part there.
fn change_inside(tape: &mut Tape<'_>, value: &mut Value) {
    let count = match &value {
        Value::Array(items) => items.len(),
        Value::Object(fields) => fields.len(),
        _ => 0,
    };
    if count == 0 || tape.chance(15) {
        return change(tape, value);
    }
    let n = tape.below(count);
    let inner = match value {
        Value::Array(items) => items.get_mut(n),
        Value::Object(fields) => fields.values_mut().nth(n),
        _ => None,
    };
    change_inside(tape, inner.expect("there are so many"));
}

#[test]
fn documents() {
    let example = serde_json::to_value(common::example()).expect("a document");
    let generate = |tape: &mut Tape<'_>| {
        let mut document = example.clone();
        for _ in 0..tape.up_to(4) {
            change_inside(tape, &mut document);
        }
        (document.to_string(), ())
    };
    let read = |text: &str| match document::read(text) {
        Ok(campaign) => Some(campaign),
        Err(error) => {
            assert!(!error.to_string().is_empty());
            None
        }
    };
    let count = Cell::new(0_u64);
    check("document", MEMORY, generate, read, |_, campaign, (), _| {
        let written = document::write(&campaign);
        assert_eq!(document::read(&written).as_ref(), Ok(&campaign));
        // Rendering takes much longer than reading, so only some documents are rendered.
        count.set(count.get() + 1);
        match count.get() % 50 {
            0 => drop(html::render(&campaign)),
            10 => drop(text::render(&campaign, Style::default())),
            20 => drop(markdown::render(&campaign)),
            30 => drop(github::render(&campaign, "")),
            40 => drop((junit::render(&campaign), stryker::render(&campaign))),
            _ => {}
        }
    });
}
