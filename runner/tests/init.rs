//! `cargo insyn init` on fresh crates.

#[allow(dead_code, reason = "other tests use the rest")]
mod support;

use std::fs;
use std::path::Path;
use std::process::Command;

use support::{say, workspace};
use tempfile::TempDir;

/// A crate as `cargo new` makes it, outside of this workspace.
fn fresh() -> TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    let root = directory.path();
    let made =
        cargo(root).args(["new", "--quiet", "--vcs", "none", "--name", "bank", "--lib", "bank"]).output();
    assert!(made.expect("cargo runs").status.success());
    // The same versions as everywhere else.
    fs::copy(workspace().join("Cargo.lock"), root.join("bank/Cargo.lock")).expect("it is there");
    directory
}

fn cargo(root: &Path) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(root);
    command
}

#[track_caller]
fn passes(root: &Path, args: &[&str]) -> String {
    let said = say(root, args);
    assert_eq!(said.code, Some(0), "{args:?}: {}{}", said.out, said.err);
    said.out
}

#[track_caller]
fn refused(root: &Path, args: &[&str], words: &[&str]) {
    support::refused(&say(root, args), 2, words);
}

/// All files of a directory that are not generated, with their contents.
fn files(root: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut left = vec![root.to_path_buf()];
    while let Some(directory) = left.pop() {
        for entry in fs::read_dir(directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                left.push(path);
            } else if path.file_name() != Some("Cargo.lock".as_ref()) {
                found.push((path.display().to_string(), fs::read_to_string(&path).expect("a text")));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn a_fresh_crate_can_be_explored_checked_and_mutated() {
    let directory = fresh();
    let root = directory.path().join("bank");
    let checkout = workspace().display().to_string();
    let said = passes(&root, &["init", "--path", &checkout]);
    for word in ["changed    Cargo.toml", "written    tests/insyn.rs", "cargo insyn check"] {
        assert!(said.contains(word), "{word:?} is not said: {said}");
    }
    let explored: serde_json::Value =
        serde_json::from_str(&passes(&root, &["explore", "--format", "json"])).expect("JSON");
    assert_eq!(explored["programs"][0]["name"], "handover_of_three");
    assert_eq!(explored["programs"][0]["sequences"], 4);
    let checked = passes(&root, &["check"]);
    assert!(checked.contains("handover_of_three"), "{checked}");
    let before = files(&root);
    let again = passes(&root, &["init", "--path", &checkout]);
    assert!(again.contains("kept       Cargo.toml") && !again.contains("written"), "{again}");
    assert_eq!(files(&root), before);
    // Every mutant is killed by its tests, or proved equivalent.
    passes(&root, &["mutate"]);
}

#[test]
fn insyn_comes_from_the_checkout_that_the_command_was_built_from() {
    let directory = fresh();
    let root = directory.path().join("bank");
    passes(&root, &["init"]);
    let manifest = fs::read_to_string(root.join("Cargo.toml")).expect("it is there");
    let path = manifest.lines().find_map(|line| line.strip_prefix("insyn = { path = \"")).expect("a path");
    let path = root.join(path.split('"').next().expect("it ends"));
    assert_eq!(path.canonicalize().ok(), workspace().join("runtime").canonicalize().ok(), "{manifest}");
    assert!(manifest.contains("features = [\"instrument\", \"specs\"]"), "{manifest}");
}

#[test]
fn before_2018_the_crate_is_named() {
    let directory = fresh();
    let root = directory.path().join("bank");
    passes(&root, &["init"]);
    let program = || fs::read_to_string(root.join("tests/insyn.rs")).expect("it is there");
    let today = program();
    assert!(!today.contains("extern crate"), "{today}");
    fs::remove_file(root.join("tests/insyn.rs")).expect("it is there");
    let manifest = fs::read_to_string(root.join("Cargo.toml")).expect("it is there");
    let older = manifest.replace("edition = \"2024\"", "edition = \"2015\"");
    assert_ne!(older, manifest);
    fs::write(root.join("Cargo.toml"), older).expect("it can be written");
    passes(&root, &["init"]);
    assert_eq!(program().replacen("\nextern crate insyn;\n", "", 1), today);
}

#[test]
fn what_somebody_has_written_is_never_overwritten() {
    let directory = fresh();
    let root = directory.path().join("bank");
    fs::create_dir(root.join("tests")).expect("it can be made");
    fs::write(root.join("tests/insyn.rs"), "// ours\n").expect("it can be written");
    let said = passes(&root, &["init"]);
    assert!(said.contains("kept       tests/insyn.rs"), "{said}");
    assert_eq!(fs::read_to_string(root.join("tests/insyn.rs")).expect("it is there"), "// ours\n");
    assert!(!root.join("tests/insyn").exists(), "a specification without its program is of no use");
}

#[test]
fn what_cannot_be_set_up_is_refused() {
    let directory = fresh();
    let above = directory.path();
    refused(above, &["init"], &["could not find `Cargo.toml`", "cargo new"]);
    refused(&above.join("bank"), &["init", "--path", "src"], &["no checkout of insyn"]);
    refused(&above.join("bank"), &["init", "-p", "bnk"], &["no package `bnk`", "did you mean `bank`"]);
    fs::write(above.join("Cargo.toml"), "[workspace]\nmembers = [\"bank\"]\nresolver = \"3\"\n")
        .expect("it can be written");
    refused(above, &["init"], &["workspace without a package of its own", "-p", "bank"]);
    let before = files(above);
    let manifest = above.join("bank/Cargo.toml");
    let damaged = format!("{}\ndev-dependencies = 1\n", fs::read_to_string(&manifest).expect("it is there"));
    fs::write(&manifest, damaged).expect("it can be written");
    let damaged = files(above);
    assert_ne!(damaged, before);
    refused(above, &["init", "-p", "bank"], &["Cargo.toml"]);
    assert_eq!(files(above), damaged, "nothing is written where something is wrong");
    let whole = before.iter().find(|(path, _)| path.ends_with("bank/Cargo.toml")).expect("it is there");
    fs::write(&manifest, &whole.1).expect("it can be written");
    passes(above, &["init", "-p", "bank"]);
    assert!(above.join("bank/tests/insyn/handover.yaml").is_file());
}

/// Where permissions count: an administrator may write everywhere, so there is nothing to test.
#[cfg(unix)]
#[test]
fn a_read_only_package_is_refused_as_a_whole() {
    use std::os::unix::fs::PermissionsExt;

    let directory = fresh();
    let root = directory.path().join("bank");
    let manifest = root.join("Cargo.toml");
    fs::set_permissions(&manifest, fs::Permissions::from_mode(0o444)).expect("it is ours");
    if fs::OpenOptions::new().append(true).open(&manifest).is_ok() {
        return;
    }
    let before = files(&root);
    refused(&root, &["init"], &["Cargo.toml cannot be written"]);
    assert_eq!(files(&root), before);
}
