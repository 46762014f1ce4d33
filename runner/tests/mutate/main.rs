//! Campaigns on crates outside of this workspace: the textbook's experiment, results that do not depend on how they were
//! obtained, and mutants that do the worst.

mod alone;
#[cfg(target_os = "linux")]
mod attack;
#[cfg(unix)]
mod crashing;
mod editions;
#[cfg(target_os = "linux")]
mod interrupted;
#[cfg(target_os = "linux")]
mod killed;
mod kinds;
mod long;
mod loose;
#[cfg(target_os = "linux")]
mod running;
mod same;
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../support/mod.rs"]
mod support;
mod textbook;
#[cfg(target_os = "linux")]
mod vicious;
mod worst;
mod wrong;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use support::Said;

/// A crate outside of this workspace. Campaigns on one crate share a build, so only one runs at a time.
struct Crate {
    root: PathBuf,
    _alone: MutexGuard<'static, ()>,
}

/// A crate with this name, like a user's crate, with the copied files.
fn elsewhere(name: &str, copy: impl FnOnce(&Path)) -> Crate {
    static ALONE: Mutex<()> = Mutex::new(());
    let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    copy(&root);
    Crate { root, _alone: alone }
}

/// A copy of a crate.
fn copy(name: &str, from: &Path, files: &[&str], manifest: &str) -> Crate {
    elsewhere(name, |root| support::copy_crate(from, files, manifest, root))
}

fn textbook() -> Crate {
    textbook_in("textbook-buffer")
}

/// The textbook's buffer, without its check of counts, as a package of this name.
fn textbook_in(name: &str) -> Crate {
    target("textbook-buffer", name)
}

/// A target, without its checks, as a package of this name.
fn target(target: &str, name: &str) -> Crate {
    elsewhere(name, |root| support::copy_target(target, name, root))
}

fn reckless() -> Crate {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reckless");
    copy("reckless", &from, &["src/lib.rs"], include_str!("../reckless/Cargo.toml"))
}

impl Crate {
    fn say(&self, args: &[&str]) -> Said {
        support::say(&self.root, args)
    }

    #[track_caller]
    fn json(&self, args: &[&str], code: i32) -> Value {
        support::json(&self.root, args, code)
    }

    #[track_caller]
    fn refused(&self, args: &[&str], code: i32, words: &[&str]) {
        support::refused(&self.say(args), code, words);
    }

    /// A directory for results that does not exist yet.
    fn directory(&self, name: &str) -> String {
        let path = self.root.join(name);
        let _ = fs::remove_dir_all(&path);
        path.display().to_string()
    }
}

fn document(directory: &str) -> String {
    fs::read_to_string(Path::new(directory).join("campaign.json")).expect("a campaign leaves its document")
}

/// A mutant by its function, operator and replacement.
fn mutant<'c>(campaign: &'c Value, function: &str, operator: &str, replacement: &str) -> &'c Value {
    let all = campaign["details"].as_array().expect("a list").iter();
    let mut found = all
        .filter(|it| it["function"] == function)
        .filter(|it| it["operator"] == operator && it["replacement"] == replacement);
    let first = found.next().unwrap_or_else(|| panic!("there is a mutant {operator} {replacement}"));
    assert!(found.next().is_none(), "there is one mutant {operator} {replacement}");
    first
}

fn killers(campaign: &Value, mutant: &Value) -> Vec<String> {
    let name = |kill: &Value| {
        let test = &campaign["tests"][kill["test"].as_u64().expect("a number") as usize];
        test["name"].as_str().expect("a name").to_owned()
    };
    mutant["kills"].as_array().expect("a list").iter().map(name).collect()
}
