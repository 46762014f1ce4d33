//! Without the feature flag, a program contains nothing of insyn.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const MANIFEST: &str = r#"
[package]
name = "plain"
edition = "2024"

[dependencies]
insyn = { path = "RUNTIME" }

# What the program does not use need not be fast.
[profile.release.package."*"]
opt-level = 0

[workspace]
"#;

const LIBRARY: &str = r#"
//! In a file of its own.
use std::sync::Mutex;
pub static TOTAL: Mutex<u32> = Mutex::new(0);
"#;

const PROGRAM: &str = r#"
insyn::instrumented! {
    mod library;
}

#[insyn::instrument(path = "other.rs")]
mod other {}

#[insyn::instrument]
mod program {
    use std::sync::{Arc, Mutex, mpsc};
    use std::thread;

    thread_local! {
        static COUNT: std::cell::Cell<u32> = const { std::cell::Cell::new(1) };
    }

    const START: Mutex<u32> = Mutex::new(1);

    pub fn run() -> u32 {
        let (tx, rx) = mpsc::channel();
        let total = Arc::new(insyn::name!("total", START));
        let worker = thread::spawn({
            let total = total.clone();
            move || {
                for n in rx {
                    insyn::label!("add", n);
                    *total.lock().unwrap() += n;
                }
            }
        });
        tx.send(2).unwrap();
        drop(tx);
        worker.join().unwrap();
        // Real ones: the types are the standard library's.
        let other: &'static std::sync::Mutex<u32> = &super::other::TOTAL;
        *super::library::TOTAL.lock().unwrap() = *total.lock().unwrap() + COUNT.get();
        let sum = *super::library::TOTAL.lock().unwrap() + *other.lock().unwrap();
        sum
    }
}

fn main() {
    println!("{}", program::run());
}
"#;

/// Builds the program as a user would, with this crate and without any feature.
fn build() -> PathBuf {
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR"));
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("instrument-off");
    let sources = package.join("src");
    fs::create_dir_all(&sources).expect("a folder can be made");
    let manifest = MANIFEST.replace("RUNTIME", &runtime.display().to_string());
    for (file, text) in [
        (package.join("Cargo.toml"), manifest.as_str()),
        (sources.join("main.rs"), PROGRAM),
        (sources.join("library.rs"), LIBRARY),
        (sources.join("other.rs"), LIBRARY),
    ] {
        fs::write(file, text).expect("a file can be written");
    }
    // The same versions of all dependencies as here, so that nothing has to be downloaded.
    fs::copy(runtime.join("../Cargo.lock"), package.join("Cargo.lock")).expect("the lock file can be copied");
    let built = Command::new(env!("CARGO"))
        .args(["build", "--release", "--offline", "--quiet"])
        .current_dir(&package)
        .env("CARGO_TARGET_DIR", package.join("target"))
        .status()
        .expect("cargo can be run");
    assert!(built.success());
    package.join("target/release/plain")
}

/// Whether a file has a symbol of the crate `insyn`: in both ways to spell them, names come after their lengths.
fn has_symbols(file: &Path) -> bool {
    let bytes = fs::read(file).expect("it can be read");
    bytes.windows(6).any(|window| window == b"5insyn")
}

#[test]
fn a_release_binary_has_nothing_of_insyn() {
    let binary = build();
    let output = Command::new(&binary).output().expect("it runs");
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "4");
    assert!(!has_symbols(&binary), "{}", binary.display());
    // This test binary has such symbols, and they are found.
    assert!(has_symbols(&std::env::current_exe().expect("it has a path")));
}
