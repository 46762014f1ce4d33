//! What the documents say of the code is true: the files they name are there.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[test]
fn architecture_names_files_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = std::fs::read_to_string(root.join("ARCHITECTURE.md")).expect("it is there");
    let map = text
        .split("## Code map")
        .nth(1)
        .and_then(|rest| rest.split("\n## ").next())
        .expect("it has a code map");
    let mut named = 0;
    for line in map.lines().filter(|line| line.starts_with("| `")) {
        let mut cells = line.split('|').skip(1);
        let (places, what) = (cells.next().unwrap_or_default(), cells.next().unwrap_or_default());
        let quoted = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_string).collect::<Vec<_>>();
        let mut folder = root.join(quoted(places).into_iter().next().unwrap_or_default());
        if folder.is_file() {
            folder.pop();
        }
        for place in quoted(places) {
            assert!(root.join(&place).exists(), "ARCHITECTURE.md names {place}");
            named += 1;
        }
        for file in quoted(what).into_iter().filter(|file| file.ends_with(".rs")) {
            let found = [folder.join(&file), folder.join("src").join(&file)];
            assert!(
                found.iter().any(|path| path.exists()),
                "ARCHITECTURE.md names {file} in {}",
                folder.display()
            );
            named += 1;
        }
    }
    assert!(named > 20, "only {named} places were found in the code map");
}

/// Every file of tests is in the index, and every file in the index is there.
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
            // The names that follow are of files in it.
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
