//! A mutant in the source: `mutants --apply` and `--revert` lose nothing.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::support::{self, Said};

const SOURCE: &str = "#[insyn::instrument]\npub mod code {\n    pub fn is_less(a: u32, b: u32) -> bool {\n        a < b\n    }\n}\n";

fn git(root: &Path, args: &[&str]) {
    let mut command = Command::new("git");
    command
        .args(["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"])
        .args(args);
    let output = command.current_dir(root).output().expect("git is there");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// The command, in a repository with a target directory of its own.
fn insyn(root: &Path, args: &[&str]) -> Said {
    let mut command = support::command(root, args);
    command.env_remove("CARGO_TARGET_DIR");
    support::listen(command)
}

#[test]
fn a_mutant_is_put_in_and_taken_out() {
    let directory = tempfile::tempdir().expect("a directory");
    let root = directory.path();
    let manifest = "[package]\nname = \"bank\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\ninsyn = { path = \"RUNTIME\" }\n[workspace]\n";
    support::copy_crate(root, &[], manifest, root);
    let source = root.join("src/lib.rs");
    support::place(&source, SOURCE);
    support::place(&root.join(".gitignore"), "target\n");
    let text = || fs::read_to_string(&source).expect("it is there");
    let listed = insyn(root, &["mutants", "--operators", "ROR"]);
    let line = listed.out.lines().find(|line| line.ends_with(" in is_less: `<` replaced by `<=`"));
    let id = line
        .and_then(|line| line.split(' ').next())
        .unwrap_or_else(|| panic!("{}{}", listed.out, listed.err));
    git(root, &["init", "--quiet"]);
    // What is not committed could not be told from the mutant.
    support::refused(
        &insyn(root, &["mutants", "--apply", id]),
        2,
        &["src/lib.rs has changes that are not committed"],
    );
    git(root, &["add", "."]);
    git(root, &["commit", "--quiet", "--message", "all"]);
    fs::write(&source, format!("{SOURCE}// more\n")).expect("it can be written");
    support::refused(
        &insyn(root, &["mutants", "--apply", id]),
        2,
        &["src/lib.rs has changes that are not committed"],
    );
    assert_eq!(text(), format!("{SOURCE}// more\n"), "nothing was changed");
    fs::write(&source, SOURCE).expect("it can be written");

    let applied = insyn(root, &["mutants", "--apply", id]);
    assert_eq!(applied.code, Some(0), "{}", applied.err);
    assert!(
        applied.out.contains("cargo insyn mutants --revert -p bank") && !applied.out.contains("git"),
        "{}",
        applied.out
    );
    assert_eq!(text(), SOURCE.replace("a < b", "a <= b"));
    support::refused(
        &insyn(root, &["mutants", "--apply", id]),
        2,
        &[&format!("mutant {id} is applied"), "--revert"],
    );
    // Changes that were made since are not overwritten.
    fs::write(&source, "fn mine() {}\n").expect("it can be written");
    support::refused(&insyn(root, &["mutants", "--revert"]), 2, &["was changed after", "bank.json"]);
    assert_eq!(text(), "fn mine() {}\n");
    fs::write(&source, SOURCE.replace("a < b", "a <= b")).expect("it can be written");
    let reverted = insyn(root, &["mutants", "--revert"]);
    assert_eq!((reverted.code, text().as_str()), (Some(0), SOURCE), "{}", reverted.err);
    support::refused(&insyn(root, &["mutants", "--revert"]), 2, &["no mutant of package `bank` is applied"]);

    // A mutant that was taken out by hand is out.
    assert_eq!(insyn(root, &["mutants", "--apply", id]).code, Some(0));
    fs::write(&source, SOURCE).expect("it can be written");
    assert_eq!(insyn(root, &["mutants", "--apply", id]).code, Some(0));
    assert_eq!(insyn(root, &["mutants", "--revert"]).code, Some(0));
    assert_eq!(text(), SOURCE);
    // Without a repository there is nothing to compare with, and the text is kept all the same.
    fs::remove_dir_all(root.join(".git")).expect("it is there");
    assert_eq!(insyn(root, &["mutants", "--apply", id]).code, Some(0));
    assert_eq!(insyn(root, &["mutants", "--revert"]).code, Some(0));
    assert_eq!(text(), SOURCE);
}
