//! `docs/mirrors.md`: every stable public item of the replaced modules, and whether it has a replacement.
//!
//! The items of the standard library are read from its documentation and kept in `mirrors/std.txt`, because not everyone has
//! that documentation installed; the items of crossbeam and of the replacements are read from theirs, which cargo makes.

mod facts;
mod instead;
mod table;

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use crate::documentation::{self, Documentation};

/// The replaced modules of the standard library.
const STD: [&str; 8] = [
    "std",
    "std::hint",
    "std::panic",
    "std::sync",
    "std::sync::atomic",
    "std::sync::mpsc",
    "std::thread",
    "std::time",
];

/// What is replaced at the root.
const OF_ROOT: &str = "thread_local";

/// Compares the file with what it should be, or rewrites it if the environment says so.
#[track_caller]
fn same(path: &Path, should: &str) {
    if env::var_os("INSYN_BLESS").is_some() {
        fs::write(path, should).expect("it can be written");
    }
    let is = fs::read_to_string(path).unwrap_or_default();
    let line = is.lines().zip(should.lines()).position(|(is, should)| is != should);
    assert!(
        is == should,
        "{} is out of date from line {} on: run this test with INSYN_BLESS=1 and look at what has changed",
        path.display(),
        1 + line.unwrap_or(is.lines().count().min(should.lines().count())),
    );
}

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The documentation of the replacements and of crossbeam's channels and utilities.
fn ours() -> Documentation {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target directory");
    let output = Command::new(env!("CARGO"))
        .args([
            "doc",
            "--package",
            "insyn",
            "--package",
            "crossbeam-channel",
            "--package",
            "crossbeam-utils",
            "--no-deps",
            "--locked",
        ])
        .env("CARGO_TARGET_DIR", target)
        .current_dir(here())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Documentation(target.join("doc"))
}

#[test]
fn what_the_standard_library_has() {
    let file = here().join("tests/sources/mirrors/std.txt");
    let facts = facts::read(&documentation::read(&file));
    // Another version has other items, which the file does not describe.
    if let Some((std, version)) = Documentation::of_std()
        && (version == facts.version || env::var_os("INSYN_BLESS").is_some())
    {
        let of = |path| match path {
            "std" => std.items(path, |name| name == OF_ROOT),
            _ => std.items(path, |_| true),
        };
        let modules = STD.iter().map(|path| ((*path).to_owned(), of(path))).collect();
        same(&file, &facts::write(&facts::Facts { version, modules }));
    }
}

#[test]
fn what_has_become_of_it() {
    let facts = facts::read(&documentation::read(&here().join("tests/sources/mirrors/std.txt")));
    let ours = ours();
    let mut table = table::Table::new(&facts.version);
    for (path, real) in &facts.modules {
        table.module(path, real, &ours.items(&format!("insyn::{path}"), |_| true));
    }
    let real = ours.items("crossbeam_channel", |_| true);
    table.module("crossbeam_channel", &real, &ours.items("insyn::crossbeam_channel", |_| true));
    let real = ours.items("crossbeam_utils::sync", |_| true);
    table.module("crossbeam_utils::sync", &real, &ours.items("insyn::crossbeam_utils::sync", |_| true));
    let text = table.finish();
    same(&here().parent().expect("the workspace").join("docs/mirrors.md"), &text);
}
