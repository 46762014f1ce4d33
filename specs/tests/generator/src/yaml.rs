//! Data, and the many ways to write it in YAML.

use serde_json::{Map, Number, Value};

use crate::Tape;

/// Texts that YAML could take for something else, and others.
const TEXTS: [&str; 30] = [
    "a",
    "two words",
    "",
    " ",
    "true",
    "no",
    "~",
    "null",
    "12",
    "-1",
    "0x1f",
    "1e3",
    ".inf",
    ".nan",
    "- a",
    "a: b",
    "#",
    "a #b",
    "it's",
    "\"",
    "[x]",
    "{y}",
    "&a",
    "*a",
    "!t",
    "%",
    "é🦀",
    "a\nb",
    "\u{1}\t\u{7f}",
    "\u{85}\u{a0}\u{2028}\u{feff}\u{202e}",
];

/// Words that are texts however they are written.
pub const WORDS: [&str; 8] =
    ["a", "deposit", "main", "x1", "worker", "client-1", "main/thread1", "src/lib.rs"];

/// Any data, at most so deep.
pub fn data(tape: &mut Tape<'_>, depth: usize) -> Value {
    match tape.below(if depth > 0 { 10 } else { 6 }) {
        0 => Value::Null,
        1 => Value::Bool(tape.chance(50)),
        2 => Value::Number(tape.integer().into()),
        3 => {
            Number::from_f64(f64::from(tape.up_to(9) as u8) / 8.0 + 0.0625).map_or(Value::Null, Value::Number)
        }
        4 => Value::from(tape.word(&WORDS)),
        5 => Value::from(tape.word(&TEXTS)),
        6 | 7 => (0..tape.up_to(3)).map(|_| data(tape, depth - 1)).collect(),
        _ => {
            let mut map = Map::new();
            for _ in 0..tape.up_to(3) {
                let key = if tape.chance(30) { tape.word(&TEXTS) } else { tape.word(&WORDS) };
                map.insert(key.to_owned(), data(tape, depth - 1));
            }
            Value::Object(map)
        }
    }
}

/// A document with this value, in any of its forms.
pub fn document(tape: &mut Tape<'_>, value: &Value) -> String {
    let mut text = String::new();
    if tape.chance(10) {
        text += "# a comment\n\n";
    }
    if tape.chance(10) {
        text += "---\n";
    }
    match value {
        Value::Array(_) | Value::Object(_) => block(tape, value, 0, &mut text),
        _ => text += &format!("{}\n", flow(tape, value)),
    }
    if tape.chance(5) {
        text += "...\n";
    }
    text
}

/// On lines of its own, each so far indented.
fn block(tape: &mut Tape<'_>, value: &Value, indent: usize, text: &mut String) {
    let space = " ".repeat(indent);
    match value {
        Value::Array(items) if !items.is_empty() && tape.chance(70) => {
            for item in items {
                *text += &format!("{space}-");
                inner(tape, item, indent, text);
            }
        }
        Value::Object(entries) if !entries.is_empty() && (indent == 0 || tape.chance(70)) => {
            for (key, item) in entries {
                *text += &format!("{space}{}:", scalar(tape, key));
                inner(tape, item, indent, text);
            }
        }
        _ => *text += &format!("{space}{}\n", flow(tape, value)),
    }
}

/// What follows a dash or a colon.
fn inner(tape: &mut Tape<'_>, value: &Value, indent: usize, text: &mut String) {
    match value {
        Value::Array(_) | Value::Object(_) if tape.chance(60) => {
            text.push('\n');
            let more = 1 + tape.up_to(3);
            block(tape, value, indent + more, text);
        }
        Value::Null if tape.chance(50) => text.push('\n'),
        _ => {
            let comment = if tape.chance(5) { " # a comment" } else { "" };
            *text += &format!(" {}{comment}\n", flow(tape, value));
        }
    }
}

/// On one line.
pub fn flow(tape: &mut Tape<'_>, value: &Value) -> String {
    match value {
        Value::String(text) => scalar(tape, text),
        Value::Null if tape.chance(50) => "~".to_owned(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|it| flow(tape, it)).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(entries) => {
            let entry = |(key, it): (&String, &Value)| format!("{}: {}", scalar(tape, key), flow(tape, it));
            let entries: Vec<String> = entries.iter().map(entry).collect();
            format!("{{{}}}", entries.join(", "))
        }
        // As in JSON, but that YAML has no numbers such as `1e3` without a point.
        other => other.to_string(),
    }
}

/// A text, bare or in quotes.
pub fn scalar(tape: &mut Tape<'_>, text: &str) -> String {
    let is_plain = |c: char| c == ' ' || c.is_ascii_graphic() || c.is_alphabetic();
    let is_word = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "/_-.".contains(c))
        && !["true", "false", "no", "null", "y", "n", "yes", "on", "off"].contains(&text);
    match tape.below(4) {
        0..2 if is_word => text.to_owned(),
        0 | 2 if text.chars().all(is_plain) => format!("'{}'", text.replace('\'', "''")),
        _ => double(text),
    }
}

/// In double quotes, with escapes.
fn double(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted += "\\n",
            c if c.is_control() || c.is_whitespace() && c != ' ' || matches!(c, '\u{feff}' | '\u{202e}') => {
                quoted += &format!("\\U{:08X}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted + "\""
}
