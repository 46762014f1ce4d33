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
    for word in [
        "changed    Cargo.toml",
        "written    src/interleavings.rs",
        "changed    src/lib.rs",
        "cargo insyn check",
    ] {
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
    // Nothing but tests depends on insyn.
    let tree = cargo(&root).args(["tree", "--offline", "--edges", "normal"]).output().expect("cargo runs");
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    assert_eq!(
        String::from_utf8_lossy(&tree.stdout).lines().count(),
        1,
        "{}",
        String::from_utf8_lossy(&tree.stdout)
    );
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

/// A crate of an old edition, with a binary only, is set up as any other.
#[test]
fn before_2018_the_crate_is_named() {
    let directory = fresh();
    let root = directory.path().join("bank");
    let manifest = fs::read_to_string(root.join("Cargo.toml")).expect("it is there");
    let older = manifest.replace("edition = \"2024\"", "edition = \"2015\"");
    assert_ne!(older, manifest);
    fs::write(root.join("Cargo.toml"), older).expect("it can be written");
    fs::remove_file(root.join("src/lib.rs")).expect("it is there");
    fs::write(root.join("src/main.rs"), "fn main() {}\n").expect("it can be written");
    let said = passes(&root, &["init"]);
    assert!(said.contains("changed    src/main.rs") && said.contains("  code in main.rs "), "{said}");
    let main = fs::read_to_string(root.join("src/main.rs")).expect("it is there");
    let added = "#[cfg(test)]\nextern crate insyn;\n#[cfg(test)]\nmod interleavings;\n";
    assert_eq!(main, format!("fn main() {{}}\n\n{added}"));
    let explored = passes(&root, &["explore"]);
    assert!(explored.contains("handover_of_three"), "{explored}");
}

/// The three ways that the advice shows: a module in braces, a file, and code at the root of the crate. The first two have mutants.
#[test]
fn own_code_is_instrumented_as_the_advice_shows() {
    let directory = fresh();
    let root = directory.path().join("bank");
    fs::write(root.join("src/lib.rs"), "pub mod pool;\nuse std::sync::Mutex;\n").expect("it can be written");
    let run = |name: &str| {
        format!(
            "pub fn {name}(threads: usize) -> usize {{
                let (sender, receiver) = std::sync::mpsc::channel();
                for n in 0..threads {{
                    let sender = sender.clone();
                    std::thread::spawn(move || sender.send(n));
                }}
                drop(sender);
                receiver.iter().count()
            }}\n"
        )
    };
    fs::write(root.join("src/pool.rs"), run("serve")).expect("it can be written");
    let said = passes(&root, &["init"]);
    assert!(said.contains("are used in src/lib.rs, src/pool.rs.\n"), "{said}");
    let lines = |first: &str, count: usize| -> String {
        let shown = said.lines().skip_while(|line| !line.starts_with(first)).take(count);
        shown.map(|line| line[24..].replace("bank", "pool").to_owned() + "\n").collect()
    };
    let module =
        lines("  a module in braces", 2).replace("mod pool", "pub mod inner").replace("..", &run("work"));
    let file = lines("  a file, ", 5).replace("mod pool", "pub mod pool");
    let flat = lines("  code in lib.rs", 2);
    assert_eq!(file.lines().count(), 5, "{said}");
    let lib = format!(
        "{file}{module}{}
        pub fn count() -> u32 {{
            let count = Arc::new(Mutex::new(0));
            let other = count.clone();
            let thread = thread::spawn(move || *other.lock().unwrap() += 1);
            *count.lock().unwrap() += 1;
            thread.join().unwrap();
            let count = *count.lock().unwrap();
            count
        }}
        #[cfg(test)]
        mod programs {{
            #[insyn::test] fn file() -> usize {{ super::pool::serve(3) }}
            #[insyn::test] fn braces() -> usize {{ super::inner::work(2) }}
            #[insyn::test] fn flat() -> u32 {{ super::count() }}
        }}
        #[cfg(test)]
        mod interleavings;\n",
        flat.replace("use std::sync::Mutex;", "use std::{sync::{Arc, Mutex}, thread};")
    );
    fs::write(root.join("src/lib.rs"), lib).expect("it can be written");
    let explored: serde_json::Value =
        serde_json::from_str(&passes(&root, &["explore", "--format", "json"])).expect("JSON");
    let counts: Vec<(String, u64)> = explored["programs"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| {
            (it["name"].as_str().expect("a name").to_owned(), it["sequences"].as_u64().expect("a number"))
        })
        .collect();
    let expected = [("handover_of_three", 4), ("braces", 2), ("file", 6), ("flat", 2)];
    assert_eq!(counts, expected.map(|(name, count)| (name.to_owned(), count)));
    let mutants = passes(&root, &["mutants"]);
    for place in ["src/pool.rs:", "src/lib.rs:"] {
        assert!(mutants.contains(place), "{place} has no mutants: {mutants}");
    }
    // Without tests the code compiles unchanged, and without insyn.
    let built =
        cargo(&root).args(["build", "--offline"]).env("CARGO_TARGET_DIR", root.join("target")).output();
    let built = built.expect("cargo runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    assert!(!String::from_utf8_lossy(&built.stderr).contains("Compiling insyn"));
}

#[test]
fn a_workflow_is_written_once() {
    let directory = fresh();
    let root = directory.path().join("bank");
    // The repository may be above the package.
    fs::create_dir(directory.path().join(".git")).expect("it can be made");
    fs::write(directory.path().join("Cargo.toml"), "[workspace]\nmembers = [\"bank\"]\nresolver = \"3\"\n")
        .expect("it can be written");
    passes(&root, &["init", "--ci", "github"]);
    let path = directory.path().join(".github/workflows/insyn.yml");
    let text = fs::read_to_string(&path).expect("it was written");
    let name = directory.path().file_name().expect("it has one").to_string_lossy().into_owned();
    for words in ["cargo insyn mutate -p bank --shard", &format!("working-directory: {name}")] {
        assert!(text.contains(words), "{words:?} is not in {text}");
    }
    fs::write(&path, "# ours\n").expect("it can be written");
    let again = passes(&root, &["init", "--ci", "github"]);
    assert!(again.contains("insyn.yml") && !again.contains("written"), "{again}");
    assert_eq!(fs::read_to_string(&path).expect("it is there"), "# ours\n");
    refused(&root, &["init", "--ci", "gitlab"], &["invalid value 'gitlab'"]);
}

#[test]
fn what_somebody_has_written_is_never_overwritten() {
    let directory = fresh();
    let root = directory.path().join("bank");
    let [program, lib] = ["src/interleavings.rs", "src/lib.rs"].map(|path| root.join(path));
    fs::write(&program, "// ours\n").expect("it can be written");
    let before = fs::read_to_string(&lib).expect("it is there");
    let said = passes(&root, &["init"]);
    assert!(said.contains("kept       src/interleavings.rs"), "{said}");
    assert_eq!(fs::read_to_string(&program).expect("it is there"), "// ours\n");
    assert_eq!(fs::read_to_string(&lib).expect("it is there"), before);
    assert!(!root.join("specs").exists(), "a specification without its program is of no use");
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
    assert!(above.join("bank/specs/handover.yaml").is_file());
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
