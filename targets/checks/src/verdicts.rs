//! Judges programs by their specifications and their IN-SYN tests.

use std::fs;
use std::path::Path;

use insyn::specs::TestFile;
use insyn_verdicts::protocol::{Answer, Check, Checked, File, Force, Request, Tested};

use crate::golden::golden;
use crate::worker::{ask, programs};

/// Checks every program of the running test binary as `cargo insyn check` does. All must pass but those that are `wrong`
/// on purpose: their specifications must tell so, and their tests must pass too, since those expect what is wrong. What is
/// said of them is that in `reports/golden`, by the name of the directory `root`.
///
/// # Panics
/// If that is not so.
pub fn verdicts(root: &str, wrong: &[&str]) {
    let mut told = Vec::new();
    for program in programs() {
        let checked = check(&program);
        told.push(format!("{program}: {checked}"));
        let tests: Vec<&Tested> = checked.tests.iter().filter(|test| !test.passed).collect();
        assert!(tests.is_empty(), "{program}: {tests:#?}");
        assert!(!checked.tests.is_empty(), "{program} has no tests");
        let comparison = checked.comparison.as_ref().expect("a specification");
        let expected = if wrong.contains(&program.as_str()) { "incorrect" } else { "correct" };
        assert_eq!(comparison.answer.to_string(), expected, "{program}: {checked}");
        assert_eq!(checked.passed, expected == "correct", "{program}: {checked}");
        if expected == "correct" {
            assert_eq!(comparison.warnings, Vec::<String>::new(), "{program}");
        }
    }
    golden(root, "check.txt", &told.join("\n"));
}

fn check(program: &str) -> Checked {
    match ask(program, &Request::Check(Check::default())) {
        Ok(Answer::Checked(checked)) => *checked,
        other => panic!("{program}: {other:?}"),
    }
}

/// Forces the tests of a file, by its path from the directory `root`, which must pass; how many executions each took. As for
/// `cargo insyn force`, the specification is the one that the file names.
///
/// # Panics
/// If they do not.
pub fn executions(root: &str, program: &str, file: &str) -> Vec<(String, u64)> {
    let read = |name: &Path| {
        let text = fs::read_to_string(Path::new(root).join(name));
        let text = text.unwrap_or_else(|error| panic!("{}: {error}", name.display()));
        File { name: name.display().to_string(), text }
    };
    let tests = read(Path::new(file));
    let names = TestFile::read(file, &tests.text).unwrap_or_else(|problem| panic!("{problem}")).spec;
    let spec = names.map(|spec| read(&Path::new(file).with_file_name(spec)));
    let force = Force { spec, tests: Some(tests), ..Force::default() };
    let forced = match ask(program, &Request::Force(force)) {
        Ok(Answer::Forced(forced)) => forced,
        other => panic!("{program}: {other:?}"),
    };
    for test in &forced.tests {
        assert!(test.passed, "{program}: {test}");
    }
    forced.tests.into_iter().map(|test| (test.name, test.executions)).collect()
}
