//! Programs under `#[should_panic]`: the commands agree with `cargo test`.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::support;

const CODE: &str = "
#[insyn::instrument]
pub mod code {
    use std::sync::{Arc, Mutex, mpsc};
    use std::thread;

    pub fn crossed() {
        let (a, b) = (Arc::new(Mutex::new(0)), Arc::new(Mutex::new(0)));
        let (c, d) = (a.clone(), b.clone());
        let other = thread::spawn(move || {
            let _a = c.lock().unwrap();
            let _b = d.lock().unwrap();
        });
        let guards = (b.lock().unwrap(), a.lock().unwrap());
        drop(guards);
        other.join().unwrap();
    }

    pub fn two() -> usize {
        let (sender, receiver) = mpsc::channel();
        let other = sender.clone();
        thread::spawn(move || other.send(1));
        sender.send(2).unwrap();
        drop(sender);
        receiver.iter().count()
    }
}

#[cfg(test)]
mod tests {
    use super::code;

    #[insyn::test]
    #[should_panic]
    fn fails() { code::crossed() }

    #[insyn::test]
    #[should_panic(expected = \"deadlock\")]
    fn deadlocks() { code::crossed() }

    #[should_panic = \"a panic of another kind\"]
    #[insyn::test]
    fn fails_otherwise() { code::crossed() }

    #[insyn::test]
    #[should_panic]
    fn passes() -> usize { code::two() }

    #[insyn::test]
    fn works() -> usize { code::two() }

    #[insyn::test(tests = \"impossible.yaml\")]
    #[should_panic(expected = \"expected infeasible\")]
    fn does_too_much() -> usize { code::two() }
}
";

const TESTS: &str = "insyn: tests
version: 1
program: does_too_much
tests:
- {name: nothing is sent, prefix: [{op: send}], expect: infeasible}
";

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("expected");
    let manifest = include_str!("../reckless/Cargo.toml").replace("reckless", "expected");
    support::copy_crate(&root, &[], &manifest, &root);
    support::place(&root.join("src/lib.rs"), CODE);
    support::place(&root.join("impossible.yaml"), TESTS);
    root
}

#[test]
fn programs_that_must_fail_agree_with_cargo_test() {
    let root = root();
    let mut command = Command::new(env!("CARGO"));
    command.args(["test", "--tests", "--no-fail-fast", "--features", "insyn/instrument,insyn/specs"]);
    command.current_dir(&root).env("CARGO_TARGET_DIR", support::target_directory());
    command.env_remove("CARGO_MANIFEST_DIR").env_remove("CARGO_PKG_NAME");
    let output = command.output().expect("it runs");
    let out = String::from_utf8_lossy(&output.stdout);
    let mut seen = 0;
    for (name, command) in [
        ("fails", "explore"),
        ("deadlocks", "explore"),
        ("fails_otherwise", "explore"),
        ("passes", "explore"),
        ("works", "explore"),
        ("does_too_much", "check"),
    ] {
        let line = |end: &str| {
            out.lines().any(|line| line.starts_with(&format!("test tests::{name} ")) && line.ends_with(end))
        };
        let passes = line("ok");
        assert!(passes || line("FAILED"), "{name} is not run: {out}");
        seen += usize::from(passes);
        let program =
            &support::json(&root, &[command, name, "--format", "json"], i32::from(!passes))["programs"][0];
        let expected = if name == "works" { serde_json::Value::Null } else { passes.into() };
        assert_eq!(program["as_expected"], expected, "{program}");
    }
    assert_eq!(seen, 4, "{out}");
    let shown = |command: &str, name: &str| support::say(&root, &[command, name]).out;
    let fails = shown("explore", "fails");
    assert!(fails.contains("#[should_panic] expects") && !fails.contains("replay"), "{fails}");
    let passes = shown("explore", "passes");
    assert!(
        passes.contains("every interleaving passes, but `#[should_panic]` expects a failure"),
        "{passes}"
    );
    let otherwise = shown("explore", "fails_otherwise");
    assert!(otherwise.contains("not the one that `#[should_panic(expected = ..)]` names"), "{otherwise}");
    assert!(otherwise.contains("cargo insyn replay "), "{otherwise}");
    let too_much = shown("check", "does_too_much");
    assert!(too_much.contains("this failure is the one that `#[should_panic]` expects"), "{too_much}");
}

#[test]
fn programs_that_must_fail_are_left_out_of_mutation_runs() {
    let root = root();
    let said = support::say(&root, &["mutate", "--operators", "RET"]);
    assert!(matches!(said.code, Some(0 | 5)), "{}{}", said.out, said.err);
    let notes: Vec<&str> = said.err.lines().filter(|line| line.contains("should_panic")).collect();
    let names = "deadlocks, does_too_much, fails, fails_otherwise, passes";
    assert_eq!(notes, [format!("note: left out, because of `#[should_panic]`: {names}")], "{}", said.err);
    let said = support::say(&root, &["mutate", "fails", "--operators", "RET"]);
    support::refused(&said, 2, &["no program to run mutants with: fails must fail (`#[should_panic]`)"]);
}
