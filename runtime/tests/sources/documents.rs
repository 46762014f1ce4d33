//! The documents agree with the code: the files that they name exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[test]
fn architecture_names_files_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = fs::read_to_string(root.join("ARCHITECTURE.md")).expect("it is there");
    let folders = ["docs", "macros", "mutator", "peers", "reports", "runner", "runtime", "specs", "targets"];
    let is_place = |quoted: &&str| {
        let first = quoted.split('/').next().unwrap_or_default();
        quoted.contains('/') && folders.contains(&first)
    };
    let places: BTreeSet<&str> = text.split('`').skip(1).step_by(2).filter(is_place).collect();
    for place in &places {
        assert!(root.join(place).exists(), "ARCHITECTURE.md names {place}");
    }
    assert!(places.len() > 30, "only {} places were found", places.len());
}

/// Every source folder of the engine is described.
#[test]
fn architecture_has_every_folder_of_the_engine() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("../ARCHITECTURE.md")).expect("it is there");
    for entry in fs::read_dir(root.join("engine/src")).expect("it is there") {
        let entry = entry.expect("it can be read");
        if entry.path().is_dir() {
            let name = format!("`runtime/engine/src/{}/`", entry.file_name().display());
            assert!(text.contains(&name), "ARCHITECTURE.md does not name {name}");
        }
    }
}

/// Every test file is in the index, and every file in the index exists.
#[test]
fn the_index_of_tests_is_complete() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let text = fs::read_to_string(tests.join("README.md")).expect("there is an index");
    let mut named = BTreeSet::new();
    let mut folder = "";
    for quoted in text.split('`').skip(1).step_by(2) {
        if quoted.starts_with("docs/") {
            continue;
        } else if quoted.ends_with('/') {
            // The names that follow are those of files in it.
            folder = quoted;
        } else if quoted.ends_with(".rs") && !quoted.contains('/') && quoted != "main.rs" {
            named.insert(format!("{folder}{quoted}"));
        } else if quoted.ends_with(".rs") && quoted.contains('/') {
            named.insert(quoted.to_owned());
        }
    }
    let mut there = BTreeSet::new();
    let mut folders = vec![tests.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("it can be read") {
            let path = entry.expect("it can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let inside = path.strip_prefix(&tests).expect("it is inside");
                there.insert(inside.to_str().expect("it is text").replace('\\', "/"));
            }
        }
    }
    let missing: Vec<_> = there.difference(&named).collect();
    let gone: Vec<_> = named.difference(&there).collect();
    assert!(
        missing.is_empty() && gone.is_empty(),
        "runtime/tests/README.md lacks {missing:?}; gone: {gone:?}"
    );
}
