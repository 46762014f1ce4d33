//! The sequences that would kill survivors, as tests in a file.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use insyn_sequences::file::flow;
use insyn_sequences::harmless;
use insyn_specs::TestFile;
use insyn_specs::test_file::Test;
use insyn_verdicts::campaign::Mutant;
use insyn_verdicts::{Campaign, Status, Survival};

use super::output::relative;
use crate::file;

/// What was done with the tests that would kill survivors.
pub(super) struct Written {
    pub(super) added: usize,
    /// Survivors that have no test, because the specification allows what they do.
    pub(super) allowed: usize,
    /// Other programs that have such tests.
    pub(super) others: BTreeSet<String>,
    /// The program of the file.
    pub(super) program: Option<String>,
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
    let mut written = Written { added: 0, allowed: 0, others: BTreeSet::new(), program: None };
    let mut of = known.program.clone();
    let mut names: BTreeSet<String> = known.tests.iter().map(|test| test.name.clone()).collect();
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
        let kills = format!("kills {}", it.id);
        let is_it = |test: &Test| {
            let about = test.about.as_deref().unwrap_or_default();
            test.name == kills || about.strip_prefix(&kills).is_some_and(|rest| rest.starts_with(" at "))
        };
        if known.tests.iter().any(is_it) {
            continue;
        }
        let mut title = title(it);
        if !names.insert(title.clone()) {
            title = format!("{title} ({})", it.id);
            names.insert(title.clone());
        }
        if text.is_empty() {
            text = format!("insyn: tests\nversion: 1\nprogram: {program}\ntests:\n");
        }
        let (_, entry) = test.split_once("- name: distinguishing\n").context("a test has a name")?;
        if !text.ends_with('\n') {
            text.push('\n');
        }
        let about = format!("{kills} at {}:{}:{}: {}", it.file, it.start.0, it.start.1, it.description);
        text.push_str(&format!("- name: {}\n  about: {}\n{entry}", flow(&title), flow(&about)));
        written.added += 1;
    }
    if written.added > 0 {
        // A malformed file must not be written.
        TestFile::read(&name, &text)?;
        // A link to the file stays a link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        file::replace(&path, text.as_bytes()).with_context(|| format!("{name} cannot be written"))?;
    }
    written.program = of;
    Ok(written)
}

/// The name of a test, in words: what it catches, and where.
fn title(mutant: &Mutant) -> String {
    let change = short(&mutant.description.replace('`', ""));
    match mutant.function.as_str() {
        "" => format!("catches: {change}"),
        function => format!("catches in {}: {change}", short(function)),
    }
}

/// A text that fits into a name: on one line, without its middle if it is long.
fn short(text: &str) -> String {
    const MOST: usize = 100;
    let text = harmless::line(text);
    let length = text.chars().count();
    if length <= MOST {
        return text;
    }
    let start: String = text.chars().take(MOST / 2).collect();
    let end: String = text.chars().skip(length - MOST / 2).collect();
    format!("{} … {}", start.trim_end(), end.trim_start())
}

/// The argument that makes a program run the tests of a file, if no source of its package has it yet. `path` is the path of the file.
pub(super) fn argument(path: &Path, root: &Path, sources: &[PathBuf]) -> Option<String> {
    let file = fs::canonicalize(path).ok()?;
    let name = relative(&fs::canonicalize(root).ok()?, &file);
    let argument = format!("tests = \"{}\"", name.to_str()?.replace('\\', "/"));
    let names_it = |path: &PathBuf| fs::read_to_string(path).is_ok_and(|text| text.contains(&argument));
    (!sources.iter().any(names_it)).then_some(argument)
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
    use insyn_verdicts::campaign::Program;
    use insyn_verdicts::mutant::Distinguishing;

    use super::*;

    /// Survivors of programs, each with a test.
    fn campaign(survivors: &[(&str, usize)]) -> Campaign {
        let program = |name: &str| Program { name: name.to_owned(), ..Program::default() };
        let test = "insyn: tests\nversion: 1\ntests:\n- name: distinguishing\n  sequence: [D]\n  expect: infeasible\n";
        let survivor = |(id, program): &(&str, usize)| Mutant {
            id: (*id).to_owned(),
            function: "serve".to_owned(),
            description: "`full < slots` replaced by `full <= slots`".to_owned(),
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
        let name = "catches in serve: full < slots replaced by full <= slots";
        assert_eq!(names, [name, &format!("{name} (GBS-3)"), &format!("{name} (GBS-4)")]);
        let about = file.tests[0].about.as_deref().unwrap_or_default();
        assert!(about.starts_with("kills GBS-1 at "), "{about}");
    }

    #[test]
    fn names_of_tests_are_short_and_harmless() {
        let long = Mutant {
            function: "f".repeat(10_000),
            description: format!("`\u{202e}{}` deleted\u{1b}[31m", "x".repeat(10_000)),
            ..Mutant::default()
        };
        let title = title(&long);
        assert!(title.chars().count() < 250, "{title}");
        assert!(title.contains("\\u{202e}") && title.contains("\\u{1b}[31m"), "{title}");
    }

    #[test]
    fn the_argument_is_told_until_a_source_has_it() {
        let directory = tempfile::tempdir().expect("it can be made");
        let [tests, source] = ["specs/bank.tests.yaml", "src/lib.rs"].map(|it| directory.path().join(it));
        for path in [&tests, &source] {
            fs::create_dir_all(path.parent().expect("a directory")).expect("it can be made");
            fs::write(path, "#[insyn::test]\n").expect("it can be written");
        }
        let told = || argument(&tests, directory.path(), std::slice::from_ref(&source));
        assert_eq!(told().as_deref(), Some("tests = \"specs/bank.tests.yaml\""));
        fs::write(&source, "#[insyn::test(tests = \"specs/bank.tests.yaml\")]\n").expect("it can be written");
        assert_eq!(told(), None);
    }

    #[test]
    fn programs_may_be_named_by_more_of_their_paths() {
        assert!(is_same("tests::fills", "fills") && is_same("fills", "a::tests::fills"));
        assert!(!is_same("fulfills", "fills"));
    }
}
