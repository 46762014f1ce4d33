//! Which crates may depend on which: the command does not link the engine, and a user's tests compile no YAML library.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The names of all crates that a package of this workspace links, itself included.
#[track_caller]
fn linked(package: &str, options: &[&str]) -> BTreeSet<String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["tree", "--locked", "--offline", "--prefix", "none", "--format", "{p}"]);
    cargo.args(["--package", package, "--edges", "normal,build"]).args(options);
    let output = cargo.current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).expect("names are text");
    tree.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

/// The crates among them that are insyn's own.
#[track_caller]
fn own(package: &str) -> BTreeSet<String> {
    linked(package, &[]).into_iter().filter(|name| name.contains("insyn")).collect()
}

#[track_caller]
fn assert_own(package: &str, expected: &[&str]) {
    let expected: BTreeSet<String> = expected.iter().map(|&name| name.to_owned()).collect();
    assert_eq!(own(package), expected, "{package}");
}

#[test]
fn each_crate_depends_only_on_those_below() {
    assert_own("insyn-sequences", &["insyn-sequences"]);
    assert_own("insyn-graphs", &["insyn-graphs"]);
    assert_own("insyn-verdicts", &["insyn-sequences", "insyn-verdicts"]);
    assert_own("insyn-specs", &["insyn-sequences", "insyn-specs", "insyn-verdicts"]);
    assert_own("insyn-syntax", &["insyn-syntax"]);
    assert_own("insyn-mutator", &["insyn-mutator", "insyn-syntax"]);
    assert_own("insyn-macros", &["insyn-macros", "insyn-syntax"]);
    assert_own("insyn-reports", &["insyn-reports", "insyn-sequences", "insyn-specs", "insyn-verdicts"]);
    let below = ["insyn-sequences", "insyn-verdicts"];
    assert_own("insyn-engine", &[&below[..], &["insyn-engine"]].concat());
    assert_own("insyn-explorer", &[&below[..], &["insyn-engine", "insyn-explorer"]].concat());
    let runtime = [&below[..], &["insyn-engine", "insyn-explorer", "insyn-worker"]].concat();
    assert_own("insyn-worker", &runtime);
    assert_own("insyn", &[&runtime[..], &["insyn", "insyn-macros", "insyn-syntax"]].concat());
}

#[test]
fn the_command_does_not_link_the_engine() {
    let all = linked("cargo-insyn", &[]);
    assert!(all.contains("insyn-specs"), "{all:?}");
    assert!(
        !all.contains("insyn") && !all.contains("insyn-engine") && !all.contains("corosensei"),
        "{all:?}"
    );
}

#[test]
fn only_specifications_need_a_yaml_library() {
    let yaml = |options: &[&str]| {
        let all = linked("insyn", options);
        ["saphyr-parser", "serde_yaml", "unsafe-libyaml"].map(|name| all.contains(name))
    };
    assert_eq!(yaml(&[]), [false; 3]);
    assert_eq!(yaml(&["--features", "instrument"]), [false; 3]);
    assert_eq!(yaml(&["--features", "specs"]), [true; 3]);
}

/// The files of this workspace that have a word in them: sources, tests and manifests; this one is left out.
fn naming(word: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let (mut found, mut pending) = (Vec::new(), vec![root.to_owned()]);
    while let Some(path) = pending.pop() {
        let name = path.file_name().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
        if path.is_dir() {
            let is_ours =
                path == root || !name.starts_with('.') && name != "target" && name != "node_modules";
            let entries =
                is_ours.then(|| fs::read_dir(&path).expect("it can be listed")).into_iter().flatten();
            pending.extend(entries.map(|it| it.expect("an entry").path()));
        } else if name.ends_with(".rs") || name == "Cargo.toml" {
            let text = fs::read_to_string(&path).expect("it is text");
            let file: PathBuf = path.strip_prefix(root).expect("it is below").into();
            if text.contains(word) && file != Path::new(file!()) {
                found.push(file.display().to_string());
            }
        }
    }
    found.sort();
    found
}

/// docs/decisions/0001-yaml.md: a library that may have to go is named where it would be replaced, and nowhere else.
#[test]
fn one_file_names_each_yaml_library() {
    assert_eq!(naming("serde_yaml"), ["Cargo.toml", "specs/Cargo.toml", "specs/src/yaml.rs"]);
    assert_eq!(naming("unsafe_libyaml"), [""; 0]);
    assert_eq!(naming("unsafe-libyaml"), ["Cargo.toml"], "its level of optimization");
    assert_eq!(naming("saphyr_parser"), ["specs/src/yaml/marks.rs"]);
    assert_eq!(naming("saphyr-parser"), ["Cargo.toml", "specs/Cargo.toml"]);
    // What feeds the library stands behind the bounds, in one function.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let text = fs::read_to_string(root.join("specs/src/yaml.rs")).expect("it is there");
    let bounded = text.split("pub(crate) fn read<").nth(1).and_then(|rest| rest.split("\n}\n").next());
    let calls = |text: &str| text.matches("from_str(").count() + text.matches("from_reader(").count();
    assert_eq!((calls(&text), calls(bounded.expect("the bounded reader"))), (2, 2));
}
