//! Mutants of long functions.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{self, copy_crate, place};
use crate::{Crate, elsewhere};

/// A function of so many statements behind a lock. Up to the middle, something is borrowed that the lock protects.
fn statements(number: usize) -> String {
    let mut text = String::new();
    for n in 0..number {
        let _ = match n % 6 {
            3 => writeln!(text, "        let t{n} = total + state.a * {};", n % 7),
            4 => writeln!(text, "        if t{} > state.b {{ total += 1; }}", n - 1),
            5 => writeln!(text, "        total = total.max(state.c);"),
            2 if n < number / 2 => writeln!(text, "        if seen.len() > {n} {{ total += state.b; }}"),
            _ => writeln!(
                text,
                "        if state.a + {} < state.b * 2 && state.c >= 1 {{ total = total + state.a; }}",
                n % 5
            ),
        };
    }
    text
}

/// A library with such a function, beside others.
fn library(number: usize, others: &str) -> String {
    format!(
        "//! Generated.

#[insyn::instrument]
pub mod desk {{
    use std::sync::{{Mutex, mpsc}};

    pub struct State {{ pub a: u32, pub b: u32, pub c: u32, pub total: u32, pub seen: Vec<u32> }}

    pub fn long(m: &Mutex<State>, job: Vec<u32>, out: &mpsc::Sender<Vec<u32>>) -> u32 {{
        let state = m.lock().unwrap();
        let seen = &state.seen;
        let mut total = 0;
{}        loop {{
            total += 1;
            if total > 2 {{
                out.send(job).unwrap();
                break;
            }}
        }}
        total + state.total
    }}

    pub fn work() -> u32 {{
        let (out, jobs) = mpsc::channel();
        let m = Mutex::new(State {{ a: 1, b: 2, c: 1, total: 0, seen: Vec::new() }});
        let total = long(&m, vec![1], &out);
        drop(out);
        total + jobs.iter().count() as u32
    }}
{others}}}

#[cfg(test)]
mod tests {{
    #[insyn::test]
    fn work() -> u32 {{
        super::desk::work()
    }}
}}
",
        statements(number)
    )
}

fn generated(name: &str, text: &str) -> Crate {
    elsewhere(name, |root| {
        let manifest = include_str!("../reckless/Cargo.toml").replace("reckless", name);
        copy_crate(Path::new(""), &[], &manifest, root);
        place(&root.join("src/lib.rs"), text);
    })
}

/// Mutants that clash in what they move or borrow are told apart without a copy of the function for each.
#[test]
fn mutants_of_a_long_function_clash() {
    let it = generated("long_function", &library(24, ""));
    let out = it.directory("out");
    let said = it.say(&["mutate", "--format", "json", "--out", &out]);
    let campaign: Value =
        serde_json::from_str(&said.out).unwrap_or_else(|_| panic!("{}{}", said.out, said.err));
    let of = |operator: &str| -> Vec<&Value> {
        let details = campaign["details"].as_array().expect("a list").iter();
        details.filter(|it| it["operator"] == operator && it["function"] == "long").collect()
    };
    assert!(campaign["details"].as_array().is_some_and(|it| it.len() > 500), "{}", said.out.len());
    assert!(campaign["builds"].as_u64().is_some_and(|it| it <= 5), "{}", campaign["builds"]);
    // The lock cannot be dropped as long as what it protects is borrowed: up to the last statement with `seen`.
    let library = library(24, "");
    let borrowed = library.lines().enumerate().filter(|(_, line)| line.contains("seen.len()"));
    let last = borrowed.map(|(at, _)| at as u64 + 1).last().expect("something is borrowed");
    let splits = of("LSP");
    assert!(splits.len() > 15, "{splits:?}");
    for split in splits {
        let is_borrowed = split["start"][0].as_u64().expect("a line") < last;
        let reason = split["reason"].as_str().unwrap_or_default();
        assert_eq!(split["status"] == "unviable", is_borrowed, "{split}");
        assert_eq!(reason.starts_with("E0505: cannot move out of `state`"), is_borrowed, "{split}");
    }
    // The loop goes round only with this one.
    let [again] = of("BCR")[..] else { panic!("there is one: {:?}", of("BCR")) };
    assert_eq!(again["status"], "unviable", "{again}");
    assert!(
        again["reason"].as_str().is_some_and(|it| it.starts_with("E0382: use of moved value: `job`")),
        "{again}"
    );
    for operator in ["SDU", "SND"] {
        for sent in of(operator) {
            assert_ne!(sent["status"], "unviable", "{sent}");
        }
    }
}

/// A crate of 10,000 mutants, one function of 300 lines among them.
#[test]
#[ignore = "builds a crate of 10,000 mutants several times, which takes minutes"]
#[expect(clippy::print_stdout, reason = "the figures are what the long checks are run for")]
fn ten_thousand_mutants() {
    let mut others = String::new();
    for n in 0..35 {
        let _ = write!(
            others,
            "
    pub fn short{n}(m: &Mutex<State>, n: u32) -> u32 {{
        let mut state = m.lock().unwrap();
        state.total = state.total + n * {n};
        if state.a + n < state.b * 2 && state.c >= 1 {{ state.total = state.total + state.a; }}
        let mut i = 0;
        while i < n && state.b > {n} {{
            state.b -= 1;
            i += 1;
        }}
        if state.total > 4 || i > 2 {{ state.seen.push(n + 1); }}
        state.total + i
    }}
"
        );
    }
    let it = generated("ten_thousand", &library(290, &others));
    let build = |features: &str| {
        let mut command = Command::new(env!("CARGO"));
        command.args(["build", "--quiet", "--tests", "--features", features]).current_dir(&it.root);
        command.env("CARGO_TARGET_DIR", it.root.join("target")).env("CARGO_INCREMENTAL", "0");
        let began = Instant::now();
        assert!(command.status().expect("there is cargo").success());
        began.elapsed()
    };
    let _ = std::fs::remove_dir_all(it.root.join("target"));
    let from_nothing = build("insyn/instrument,insyn/specs");
    place(&it.root.join("src/lib.rs"), &format!("{}\n// changed\n", library(290, &others)));
    let alone = build("insyn/instrument,insyn/specs");
    // What the crate depends on is built for mutants once for all campaigns.
    build("insyn/mutants,insyn/specs");
    let out = it.directory("out");
    let args = ["mutate", "--format", "json", "--shard", "1/5000", "--out", &out];
    let mut command = support::command(&it.root, &args);
    command.env("CARGO_TARGET_DIR", it.root.join("target"));
    let began = Instant::now();
    let said = support::listen(command);
    let took = began.elapsed();
    let campaign: Value =
        serde_json::from_str(&said.out).unwrap_or_else(|_| panic!("{}{}", said.out, said.err));
    let mutants = campaign["details"].as_array().map_or(0, Vec::len);
    let times = |of: Duration| took.as_secs_f64() / of.as_secs_f64();
    println!(
        "{mutants} mutants, {} builds: {took:.1?}; {:.1} times the plain build of all ({from_nothing:.1?}), {:.1} times that \
         of the crate alone ({alone:.1?})",
        campaign["builds"],
        times(from_nothing),
        times(alone)
    );
    assert!(mutants >= 10_000, "{mutants}");
    assert!(times(from_nothing) < 10.0, "{:.1} times the plain build", times(from_nothing));
}
