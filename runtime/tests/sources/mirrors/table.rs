//! Compares the existing items with the replaced ones, and writes the table.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::instead::INSTEAD;
use crate::documentation::{Item, Module, Name};

const HEAD: &str = "\
# What the mirrors have

Every stable public item of the mirrored modules of the standard library of Rust {version}, and of `crossbeam_channel` 0.5
and `crossbeam_utils::sync` 0.8.

- **mirrored**: under control inside a program under test, the real thing elsewhere. All methods and traits are there but
  for those named under *missing*.
- **passed through**: the same item, under another path.
- **missing**: it has no mirror, and using it in instrumented code does not compile. What to use instead is said below the
  table.

Traits are compared by name, not by their arguments; those of other crates and those that are not stable are left out.
A test makes this file from the documentation of both sides, and fails if it differs.

The tables do not show what the compiler does for its own types alone. An `Arc<T>` that is already there does not turn into an
`Arc<dyn Trait>` or an `Arc<[T]>` by itself, as in an argument or a `let` with that type: what `Arc::new(..)` makes in
instrumented code does, and otherwise `Arc::from(Box::new(value) as Box<dyn Trait>)` means the same under `std`. An `Arc`, or
a `Pin` of one, is no receiver of a method (`self: Arc<Self>` is refused; make it an argument). And constructors that are `const`
in `std` are not.
";

/// The file, as far as it has been written.
pub(crate) struct Table {
    text: String,
    advised: BTreeSet<String>,
}

impl Table {
    pub(crate) fn new(version: &str) -> Self {
        Table { text: HEAD.replace("{version}", version), advised: BTreeSet::new() }
    }

    /// A section for a module and its replacement.
    pub(crate) fn module(&mut self, path: &str, real: &Module, mirror: &Module) {
        _ = writeln!(
            self.text,
            "\n## `{path}`\n\n| item | | state | methods | missing |\n|---|---|---|---|---|"
        );
        let mut missing = Vec::new();
        for (name, item) in real {
            let Name { name: called, kind } = name;
            let whole = format!("{path}::{called}");
            let (state, methods, lacks) = match mirror.get(name) {
                None => {
                    missing.push(whole);
                    ("**missing**", String::new(), String::new())
                }
                Some(mirrored) if mirrored.foreign => ("passed through", String::new(), String::new()),
                Some(mirrored) => {
                    let lacks = lacks(&whole, item, mirrored);
                    let there = item.methods.intersection(&mirrored.methods);
                    let said: Vec<_> = lacks.iter().map(|lack| code(&lack[whole.len()..])).collect();
                    missing.extend(lacks);
                    ("mirrored", list(there), said.join(", "))
                }
            };
            _ = writeln!(self.text, "| `{called}` | {kind} | {state} | {methods} | {lacks} |");
        }
        if missing.is_empty() {
            return;
        }
        self.text.push_str("\nMissing:\n\n");
        for lack in missing {
            let advice = INSTEAD.iter().find(|(path, _)| covers(path, &lack));
            let (of, advice) =
                advice.unwrap_or_else(|| panic!("`{lack}` is missing: say what to use instead"));
            if self.advised.insert((*of).to_owned()) {
                _ = writeln!(self.text, "- `{of}`: {advice}");
            }
        }
    }

    /// The whole file.
    pub(crate) fn finish(self) -> String {
        for (path, _) in INSTEAD {
            assert!(self.advised.contains(*path), "`{path}` is not missing: nothing else need be used");
        }
        self.text
    }
}

/// Whether advice is about something: `std::sync::atomic::*::as_ptr` is about that method of all types there.
fn covers(advice: &str, lack: &str) -> bool {
    match advice.split_once('*') {
        None => advice == lack,
        Some((front, end)) => lack
            .strip_prefix(front)
            .and_then(|rest| rest.strip_suffix(end))
            .is_some_and(|name| !name.contains(':')),
    }
}

/// What the replacement of an item lacks: `path::method`, `path: Trait`.
fn lacks(path: &str, real: &Item, mirrored: &Item) -> Vec<String> {
    let methods = real.methods.difference(&mirrored.methods).map(|name| format!("{path}::{name}"));
    let traits = real.traits.difference(&mirrored.traits).map(|name| format!("{path}: {name}"));
    methods.chain(traits).collect()
}

fn code(text: &str) -> String {
    format!("`{}`", text.trim_start_matches([':', ' ']))
}

fn list<'a>(names: impl Iterator<Item = &'a String>) -> String {
    names.map(|name| code(name)).collect::<Vec<_>>().join(" ")
}
