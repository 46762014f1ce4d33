//! The command, run in crates outside of this workspace.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The output of the command.
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// The root of this workspace.
pub(crate) fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace")
}

/// The target directory of this workspace.
pub(crate) fn target_directory() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target directory")
}

/// The command, in a directory. It uses this workspace's target directory, and crates outside of it have no own profile,
/// so that their dependencies are built once for all of them.
pub(crate) fn command(root: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-insyn"));
    command.arg("insyn").args(args).current_dir(root);
    command.env("CARGO_TARGET_DIR", target_directory());
    // The variables of this package are not those of the crate.
    command.env_remove("CARGO_MANIFEST_DIR").env_remove("CARGO_PKG_NAME");
    command
}

/// A command, run by a shell that does something first.
pub(crate) fn through_shell(inner: &Command, before: &str) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", &format!("{before}; exec \"$@\""), "sh"])
        .arg(inner.get_program())
        .args(inner.get_args());
    if let Some(directory) = inner.get_current_dir() {
        command.current_dir(directory);
    }
    for (name, value) in inner.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
}

pub(crate) fn listen(mut command: Command) -> Said {
    let output = command.output().expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Said { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
}

pub(crate) fn say(root: &Path, args: &[&str]) -> Said {
    listen(command(root, args))
}

/// Runs the command, which must end with this code, and reads the document that it prints.
#[track_caller]
pub(crate) fn json(root: &Path, args: &[&str], code: i32) -> Value {
    let said = say(root, args);
    assert_eq!(said.code, Some(code), "{}{}", said.out, said.err);
    serde_json::from_str(&said.out).unwrap_or_else(|error| panic!("{error}: {}", said.out))
}

/// The command must have ended with this code, and have printed these words.
#[track_caller]
pub(crate) fn refused(said: &Said, code: i32, words: &[&str]) {
    assert_eq!(said.code, Some(code), "{}{}", said.out, said.err);
    for word in words {
        assert!(said.err.contains(word), "{word:?} is not said: {}", said.err);
    }
}

/// Writes a file atomically, since tests run at the same time, and only if it differs, so that nothing is built twice.
pub(crate) fn place(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|there| there == text) {
        return;
    }
    fs::create_dir_all(path.parent().expect("a directory")).expect("it can be made");
    let draft = format!("draft-{}-{:?}", std::process::id(), std::thread::current().id());
    let draft = path.with_extension(draft);
    fs::write(&draft, text).and_then(|()| fs::rename(&draft, path)).expect("it can be written");
}

/// Copies a crate that depends on `RUNTIME`, which becomes the one here, with the same versions of all dependencies as here.
pub(crate) fn copy_crate(from: &Path, files: &[&str], manifest: &str, to: &Path) {
    place(
        &to.join("Cargo.toml"),
        &manifest.replace("RUNTIME", &workspace().join("runtime").display().to_string()),
    );
    for file in files {
        place(&to.join(file), &fs::read_to_string(from.join(file)).expect("it is there"));
    }
    lock(to);
}

/// Copies a target without its checks, as a package of this name.
pub(crate) fn copy_target(target: &str, name: &str, to: &Path) {
    let from = workspace().join("targets").join(target);
    let files = ["src", "specs"].into_iter().flat_map(|directory| {
        let entries = fs::read_dir(from.join(directory)).expect("a target has it");
        entries.map(move |entry| {
            let name = entry.expect("it can be listed").file_name();
            format!("{directory}/{}", name.to_str().expect("names are plain"))
        })
    });
    let files: Vec<String> = files.collect();
    let manifest = include_str!("../reckless/Cargo.toml").replace("reckless", name);
    let manifest = format!("{manifest}\n[lib]\nname = \"{}\"\n", target.replace('-', "_"));
    copy_crate(&from, &files.iter().map(String::as_str).collect::<Vec<_>>(), &manifest, to);
    let programs = fs::read_to_string(from.join("tests/programs.rs")).expect("it is there");
    let (programs, _) = programs.split_once("mod checks").expect("it has checks");
    place(&to.join("tests/programs.rs"), programs);
}

/// The same versions as everywhere else, unless cargo has written a lock file already.
pub(crate) fn lock(to: &Path) {
    if !to.join("Cargo.lock").is_file() {
        place(
            &to.join("Cargo.lock"),
            &fs::read_to_string(workspace().join("Cargo.lock")).expect("it is there"),
        );
    }
}
