//! Terminals: nothing is wider than 40, 80 or 120 columns but for commands to be copied, and colours come only if they are wanted.

use std::path::Path;
use std::process::Command;

use super::{fixture, support};

/// Runs the command on a terminal of this width. Output: what it prints, with the ends of lines of a file.
fn on_terminal(columns: u32, args: &[&str], variables: &[(&str, &str)]) -> String {
    on_terminal_in(fixture(), columns, args, variables)
}

fn on_terminal_in(root: &Path, columns: u32, args: &[&str], variables: &[(&str, &str)]) -> String {
    let inner = support::command(root, args);
    let words = [inner.get_program()].into_iter().chain(inner.get_args());
    let quoted: Vec<String> =
        words.map(|it| format!("'{}'", it.to_string_lossy().replace('\'', "'\\''"))).collect();
    let line = format!("stty cols {columns} rows 50; exec {}", quoted.join(" "));
    let mut command = Command::new("script");
    command.args(["-qec", &line, "/dev/null"]).current_dir(root);
    for (name, value) in inner.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.env("TERM", "xterm").env_remove("NO_COLOR").env_remove("CARGO_TERM_COLOR");
    command.envs(variables.iter().copied());
    let said = support::listen(command);
    assert!(said.err.is_empty(), "{}", said.err);
    said.out.replace("\r\n", "\n")
}

/// A line without colours.
fn plain(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        text.push_str(before);
        rest = after.split_once(|c: char| c.is_ascii_alphabetic()).map_or("", |(_, rest)| rest);
    }
    text + rest
}

#[test]
fn nothing_is_wider_than_the_terminal() {
    for columns in [40, 80, 120] {
        for args in [
            &["list", "--quiet"][..],
            &["explore", "fan_in", "panics", "--quiet"],
            &["check", "buffer", "--quiet"],
            &["force", "buffer/tests.yaml", "--quiet"],
            &["mutants", "--quiet"],
            &["mutants", "--list-operators"],
        ] {
            let text = on_terminal(columns, args, &[]);
            assert!(text.lines().count() > 2, "{text}");
            for line in text.lines().map(plain).filter(|line| !line.contains("cargo insyn ")) {
                assert!(line.chars().count() <= columns as usize, "{args:?} in {columns} columns: {line:?}");
            }
        }
    }
}

#[test]
fn colours_come_if_they_are_wanted() {
    let has_colours = |args: &[&str], variables: &[(&str, &str)]| {
        on_terminal(80, &[&["list", "--quiet"], args].concat(), variables).contains("\u{1b}[1m")
    };
    assert!(has_colours(&[], &[]));
    assert!(!has_colours(&[], &[("NO_COLOR", "1")]));
    assert!(!has_colours(&["--color", "never"], &[]));
    assert!(has_colours(&["--color", "always"], &[("NO_COLOR", "1")]));
    let said = support::say(fixture(), &["force", "buffer/tests.yaml"]);
    assert!(!said.out.contains('\u{1b}'), "{}", said.out);
    let said = support::say(fixture(), &["force", "buffer/tests.yaml", "--color", "always"]);
    assert!(said.out.contains("\u{1b}[1;32mok\u{1b}[0m    "), "{}", said.out);
}

/// While cargo builds there is always something to see: its own lines, with and without a terminal.
#[test]
fn cargos_progress_is_seen() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("seen");
    let manifest = include_str!("../reckless/Cargo.toml").replace("reckless", "seen");
    support::copy_crate(&root, &[], &manifest, &root);
    let code = |name: &str| {
        format!(
            "#[insyn::instrument] pub mod code {{ pub fn {name}() -> bool {{ 1 < 2 }} }}\n#[insyn::test(sequential)]\nfn nothing() {{ assert!(code::{name}()); }}\n"
        )
    };
    let id = std::process::id();
    support::place(&root.join("src/lib.rs"), &code(&format!("a{id}")));
    let text = plain(&on_terminal_in(&root, 80, &["list"], &[]));
    assert!(text.contains("Compiling seen v"), "{text}");
    support::place(&root.join("src/lib.rs"), &code(&format!("b{id}")));
    let said = support::say(&root, &["list"]);
    assert!(said.err.contains("   Compiling seen v") && said.err.contains("    Finished "), "{}", said.err);
    assert!(!said.out.contains("Compiling"), "{}", said.out);
    // Of the build with mutants only the status is passed on.
    support::place(&root.join("src/lib.rs"), &code(&format!("c{id}")));
    let said = support::say(&root, &["mutate"]);
    assert!(said.err.contains("   Compiling seen v"), "{}", said.err);
}
