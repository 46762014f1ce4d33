//! The sequences that would kill survivors, as tests in a file.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use insyn_specs::TestFile;
use insyn_verdicts::{Campaign, Status, Survival};

use crate::file;

/// What was done with the tests that would kill survivors.
pub(super) struct Written {
    pub(super) added: usize,
    /// Survivors that have no test, because the specification allows what they do.
    pub(super) allowed: usize,
    /// Other programs that have such tests.
    pub(super) others: BTreeSet<String>,
}

/// Appends the sequences that would kill survivors to a file of tests, for the program of that file. A new file belongs to
/// the first program that has such sequences.
pub(super) fn write(path: &Path, campaign: &Campaign) -> Result<Written> {
    let name = path.display().to_string();
    let mut text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => bail!("{name} cannot be read: {error}"),
    };
    let known = match text.is_empty() {
        true => TestFile::default(),
        false => TestFile::read(&name, &text)?,
    };
    let mut written = Written { added: 0, allowed: 0, others: BTreeSet::new() };
    let mut of = known.program.clone();
    for it in campaign.details.iter().filter(|it| it.status == Status::Survived) {
        if it.survival == Some(Survival::Allowed) {
            written.allowed += 1;
            continue;
        }
        let Some((distinguishing, test)) =
            it.distinguishing.as_ref().and_then(|it| Some((it, it.test.as_ref()?)))
        else {
            continue;
        };
        let program = &campaign.programs[distinguishing.program].name;
        if !is_same(of.get_or_insert_with(|| program.clone()), program) {
            written.others.insert(program.clone());
            continue;
        }
        let title = format!("kills {}", it.id);
        if known.tests.iter().any(|test| test.name == title) {
            continue;
        }
        if text.is_empty() {
            text = format!("insyn: tests\nversion: 1\nprogram: {program}\ntests:\n");
        }
        let (_, entry) = test.split_once("- name: distinguishing\n").context("a test has a name")?;
        if !text.ends_with('\n') {
            text.push('\n');
        }
        let about = format!("{}:{}:{}: {}", it.file, it.start.0, it.start.1, it.description);
        text.push_str(&format!("- name: {title}\n  about: {}\n{entry}", serde_json::to_string(&about)?));
        written.added += 1;
    }
    if written.added > 0 {
        // A malformed file must not be written.
        TestFile::read(&name, &text)?;
        // A link to the file stays a link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        file::replace(&path, text.as_bytes()).with_context(|| format!("{name} cannot be written"))?;
    }
    Ok(written)
}

/// Whether two names mean the same program: one of them may be a longer part of its path.
fn is_same(one: &str, other: &str) -> bool {
    let ends = |long: &str, short: &str| {
        long.strip_suffix(short).is_some_and(|path| path.is_empty() || path.ends_with("::"))
    };
    ends(one, other) || ends(other, one)
}

#[cfg(test)]
mod tests {
    use insyn_verdicts::campaign::{Mutant, Program};
    use insyn_verdicts::mutant::Distinguishing;

    use super::*;

    /// Survivors of programs, each with a test.
    fn campaign(survivors: &[(&str, usize)]) -> Campaign {
        let program = |name: &str| Program { name: name.to_owned(), ..Program::default() };
        let test = "insyn: tests\nversion: 1\ntests:\n- name: distinguishing\n  sequence: [D]\n  expect: infeasible\n";
        let survivor = |(id, program): &(&str, usize)| Mutant {
            id: (*id).to_owned(),
            status: Status::Survived,
            distinguishing: Some(Distinguishing {
                program: *program,
                test: Some(test.to_owned()),
                ..Distinguishing::default()
            }),
            ..Mutant::default()
        };
        Campaign {
            programs: vec![program("fills"), program("empties")],
            details: survivors.iter().map(survivor).collect(),
            ..Campaign::default()
        }
    }

    #[test]
    fn a_file_has_tests_of_one_program() {
        let path = std::env::temp_dir().join(format!("insyn-{}.tests.yaml", std::process::id()));
        let _ = fs::remove_file(&path);
        let both = campaign(&[("GBS-1", 1), ("GBS-2", 0), ("GBS-3", 1)]);
        // A new file belongs to the first program that has tests.
        let Written { added, others, .. } = write(&path, &both).expect("it can be written");
        assert_eq!((added, others), (2, BTreeSet::from(["fills".to_owned()])));
        // It stays the file of that program, whatever comes first later; and nothing is added twice.
        let more = campaign(&[("GBS-2", 0), ("GBS-1", 1), ("GBS-4", 1)]);
        let Written { added, others, .. } = write(&path, &more).expect("it can be written");
        assert_eq!((added, others), (1, BTreeSet::from(["fills".to_owned()])));
        let file = fs::read_to_string(&path).expect("it was written");
        fs::remove_file(&path).expect("it is there");
        let file = TestFile::read("written", &file).expect("it is a test file");
        assert_eq!(file.program.as_deref(), Some("empties"));
        let names: Vec<&str> = file.tests.iter().map(|test| &*test.name).collect();
        assert_eq!(names, ["kills GBS-1", "kills GBS-3", "kills GBS-4"]);
    }

    #[test]
    fn programs_may_be_named_by_more_of_their_paths() {
        assert!(is_same("tests::fills", "fills") && is_same("fills", "a::tests::fills"));
        assert!(!is_same("fulfills", "fills"));
    }
}
