//! `docs/examples.md`: the examples in the documentation of the standard library and of crossbeam's channels, explored.
//!
//! No copy of them is kept here. They are found where they are installed, put into one crate under `#[insyn::instrument]`,
//! each in a module of its own, and every behaviour of each is run: it must hold in all of them, or depend on time, and
//! then [`reasons`] explains how.

mod found;
mod reasons;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::documentation::Documentation;
use crate::subject::{self, Module, Program, Subject, Verdict};
use found::Example;
use reasons::{ENDLESS, FAILS, REFUSED, SMALLER};

/// How many steps an example with infinitely many behaviours may do.
const STEPS: u64 = 60;

/// The version whose documentation the file describes.
const VERSION: &str = "1.95.0";

const HEAD: &str = "\
# The examples of the documentation, explored

All examples in the documentation of `std::sync`, `std::sync::mpsc`, `std::sync::atomic`, `std::thread` and
`std::time::Instant` of Rust {version}, and of `crossbeam_channel` {crossbeam}, each run in **every** behaviour that it has,
with `#[insyn::instrument]` and no other change than those named in the last table. Those that need an unstable feature, do not compile on purpose or are not
tested by their own authors are left out; of the integers, which have the same examples, `AtomicI32` and `AtomicUsize` are
here. An example ends as a program does, with its `main`: no matter who waits then. A panic of a thread counts, also if
nobody waits for it.

";

#[test]
#[ignore = "compiles some hundred examples, and needs the documentation of that version of Rust: run with --run-ignored"]
fn examples_hold_in_every_behaviour() {
    let (std, version) = Documentation::of_std().expect("installed by `rustup component add rust-docs`");
    assert_eq!(version, VERSION, "docs/examples.md speaks of Rust {VERSION}");
    let (sources, crossbeam) = subject::crossbeam();
    let mut examples = Vec::new();
    for module in ["std::sync", "std::sync::mpsc", "std::thread"] {
        examples.extend(found::in_pages(&std, module, |_| true));
    }
    examples.extend(found::in_pages(&std, "std::sync::atomic", |name| {
        !name.starts_with("AtomicI") && !name.starts_with("AtomicU")
            || ["AtomicI32", "AtomicUsize"].contains(&name)
    }));
    let timed = found::in_pages(&std, "std::time", |name| name == "Instant");
    examples.extend(timed.into_iter().filter(|example| example.name.contains("Instant")));
    examples.extend(found::in_sources(&sources.join("src"), "crossbeam_channel"));

    let subject = Subject { name: "documented-examples", edition: "2024", opt_level: 0, support: "" };
    let modules: Vec<Module> = examples.iter().map(module).collect();
    let verdicts = subject::explore(&subject, &modules);
    let text =
        HEAD.replace("{version}", VERSION).replace("{crossbeam}", &crossbeam) + &table(&examples, &verdicts);
    subject::same_document("examples.md", &text);
}

/// An example as a module that can be explored.
fn module(example: &Example) -> Module {
    let Example { name, code, should_panic } = example;
    let mut code = code.clone();
    for (_, big, small) in SMALLER.iter().filter(|(example, ..)| example == name) {
        assert!(code.contains(big), "there is no `{big}` in `{name}`");
        code = code.replace(big, small);
    }
    let program = Program {
        name: name.clone(),
        function: "main".to_owned(),
        should_panic: *should_panic,
        endless: ENDLESS.iter().any(|(example, _)| example == name).then_some(STEPS),
    };
    Module { code: code.replacen("fn main()", "pub fn main()", 1), programs: vec![program] }
}

/// One row for each example; every failure has a reason, and every reason a failure.
fn table(examples: &[Example], verdicts: &BTreeMap<String, Verdict>) -> String {
    let mut text = String::new();
    let (mut held, mut failed, mut refused) = (String::new(), String::new(), String::new());
    let (mut holding, mut failing) = (0, 0);
    for Example { name, should_panic, .. } in examples {
        let reason = |of: &[(&str, &'static str)], what: &str| {
            let reason = of.iter().find(|(example, _)| example == name).map(|(_, reason)| *reason);
            reason.unwrap_or_else(|| panic!("`{name}` {what}, and no reason is given"))
        };
        match &verdicts[name] {
            Verdict::Holds { sequences } => {
                holding += 1;
                let mut note = String::new();
                if *should_panic {
                    note.push_str(", all of which panic, as they should");
                }
                for (_, big, small) in SMALLER.iter().filter(|(example, ..)| example == name) {
                    _ = write!(note, ", with `{small}` in place of `{big}`");
                }
                _ = writeln!(held, "| `{name}` | {sequences}{note} |");
            }
            Verdict::Endless { sequences } => {
                holding += 1;
                let why = reason(ENDLESS, "has no end of behaviours");
                _ = writeln!(held, "| `{name}` | no end, since {why}; {sequences} end within a few steps |");
            }
            Verdict::Fails { sequences, failing: bad, how } => {
                failing += 1;
                let reason = reason(FAILS, how);
                _ = writeln!(failed, "| `{name}` | {bad} of {sequences} | {reason} |");
            }
            Verdict::Refused { message } => {
                let reason = reason(REFUSED, message);
                _ = writeln!(refused, "| `{name}` | {reason} |");
            }
        }
    }
    for (name, _) in FAILS {
        assert!(matches!(verdicts.get(*name), Some(Verdict::Fails { .. })), "`{name}` does not fail");
    }
    for (name, _) in REFUSED {
        assert!(matches!(verdicts.get(*name), Some(Verdict::Refused { .. })), "`{name}` compiles");
    }
    _ = writeln!(
        text,
        "## Depend on time, or on files ({failing})\n\n| example | fails in | why |\n|---|---|---|\n{failed}"
    );
    _ = writeln!(text, "## Do not compile under instrumentation ({})\n", REFUSED.len());
    _ = writeln!(text, "| example | why |\n|---|---|\n{refused}");
    _ = write!(text, "## Hold ({holding})\n\n| example | behaviours |\n|---|---|\n{held}");
    text
}
