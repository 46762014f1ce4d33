//! The list of the standard library's items.
//!
//! ```text
//! Rust 1.95.0
//! module std::sync
//! struct Arc: new clone_from …
//! struct Arc is: Clone Debug …
//! ```

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::documentation::{Item, Module, Name};

/// The items of one version of the standard library.
#[derive(Default)]
pub(crate) struct Facts {
    pub(crate) version: String,
    pub(crate) modules: BTreeMap<String, Module>,
}

/// Reads the list.
pub(crate) fn read(text: &str) -> Facts {
    let mut facts = Facts::default();
    let mut module = String::new();
    for line in text.lines() {
        if let Some(version) = line.strip_prefix("Rust ") {
            facts.version = version.to_owned();
        } else if let Some(path) = line.strip_prefix("module ") {
            module = path.to_owned();
            facts.modules.insert(module.clone(), Module::new());
        } else if let Some((item, all)) = line.split_once(':') {
            let all = all.split_whitespace().map(str::to_owned).collect();
            let mut words = item.split(' ');
            let mut word = || words.next().map(str::to_owned);
            let (kind, name) = (word().expect("a kind"), word().expect("a name"));
            let items = facts.modules.get_mut(&module).expect("a module comes first");
            let item = items.entry(Name { name, kind }).or_default();
            match word() {
                Some(_) => item.traits = all,
                None => item.methods = all,
            }
        }
    }
    facts
}

/// Writes the list.
pub(crate) fn write(facts: &Facts) -> String {
    let mut text = format!("Rust {}\n", facts.version);
    for (path, items) in &facts.modules {
        _ = writeln!(text, "\nmodule {path}");
        for (Name { name, kind }, Item { methods, traits, .. }) in items {
            let mut line = |what: &str, all: Vec<&str>| {
                let space = if all.is_empty() { "" } else { " " };
                _ = writeln!(text, "{kind} {name}{what}:{space}{}", all.join(" "));
            };
            line("", methods.iter().map(String::as_str).collect());
            if !traits.is_empty() {
                line(" is", traits.iter().map(String::as_str).collect());
            }
        }
    }
    text
}
