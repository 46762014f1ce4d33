//! Mutants of a whole package: its sources, and the files that annotated modules are in.

use std::fs;
use std::path::{Path, PathBuf};

use insyn_mutator::{Options, find_package};

/// A package of these files.
fn package(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&root);
    for (file, text) in files {
        let file = root.join(file);
        fs::create_dir_all(file.parent().expect("it is in a directory")).expect("a directory of our own");
        fs::write(file, text).expect("a directory of our own");
    }
    root
}

const CODE: &str = "pub fn code() { f(1); }";

#[test]
fn annotated_modules_are_followed_into_their_files() {
    let root = package(
        "followed",
        &[
            ("Cargo.toml", ""),
            (
                "src/lib.rs",
                "insyn::instrumented! { mod one; mod two { mod three; } #[path = \"odd/name.rs\"] mod four; }",
            ),
            ("src/one.rs", "mod inner; pub fn code() { f(1); }"),
            ("src/one/inner.rs", CODE),
            ("src/two/three/mod.rs", CODE),
            ("src/odd/name.rs", "mod beside;"),
            ("src/odd/beside.rs", CODE),
            ("src/main.rs", "#[insyn::instrument(path = \"server.rs\")] mod server {}\nmod plain;"),
            ("src/server.rs", "mod store;"),
            ("src/server/store.rs", CODE),
            ("src/plain.rs", "#[insyn::instrument] mod kept { mod away; }\nfn not_annotated() { f(1); }"),
            ("src/plain/kept/away.rs", CODE),
            ("src/unused.rs", CODE),
            ("target/generated.rs", "#[insyn::instrument] fn code() { f(1); }"),
            ("inside/Cargo.toml", ""),
            ("inside/src/lib.rs", "#[insyn::instrument] fn code() { f(1); }"),
            ("tests/driver.rs", "#[insyn::instrument] fn code() { f(1); }"),
        ],
    );
    let package = find_package(&root, &Options::default()).expect("it can be read");
    let mut files: Vec<&str> = package.mutants.iter().map(|mutant| mutant.file.as_str()).collect();
    files.dedup();
    let expected = [
        "src/odd/beside.rs",
        "src/one.rs",
        "src/one/inner.rs",
        "src/plain/kept/away.rs",
        "src/server/store.rs",
        "src/two/three/mod.rs",
        "tests/driver.rs",
    ];
    assert_eq!(files, expected);
    assert!(package.sources.keys().eq(expected));
    for mutant in &package.mutants {
        let mutated = mutant.apply(&package.sources[&mutant.file]).expect("it is of this text");
        assert_ne!(mutated, package.sources[&mutant.file]);
    }
}

#[test]
fn what_cannot_be_read_is_told() {
    let root = package(
        "told",
        &[
            ("Cargo.toml", ""),
            ("src/lib.rs", "#[insyn::instrument] fn code() { f(1); }"),
            ("tests/ui/broken.rs", "#[insyn::instrument] fn code( {"),
            ("tests/ui/other.rs", "not Rust at all, and of no interest"),
            ("src/skips.rs", "#[insyn::instrument] fn code() {\n// insyn: skip gaurds: why\nf(1); }"),
        ],
    );
    let package = find_package(&root, &Options::default()).expect("it can be read");
    assert_eq!(package.mutants.len(), 4);
    let shown = |errors: &[insyn_mutator::FindError]| {
        errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    assert!(shown(&package.unread).starts_with("tests/ui/broken.rs:1:"), "{}", shown(&package.unread));
    assert_eq!(shown(&package.wrong), "src/skips.rs:2:1: unknown operator `gaurds`; did you mean `guards`?");
    let error = find_package(&root.join("nowhere"), &Options::default()).unwrap_err();
    assert!(error.to_string().contains("nowhere"), "{error}");
}
