//! Completions for shells, and manual pages.

use std::fs;
use std::process::{Command, Output};

fn insyn(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cargo-insyn")).arg("insyn").args(args).output().expect("it runs")
}

fn out(args: &[&str]) -> String {
    let output = insyn(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn every_shell_is_told_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = out(&["completions", shell]);
        for word in ["explore", "mutate", "max-sequences", "list-operators"] {
            assert!(script.contains(word), "{shell} is not told {word}");
        }
    }
    assert_eq!(insyn(&["completions", "abacus"]).status.code(), Some(2));
}

/// Bash itself completes a command and an option with the script.
#[test]
fn bash_understands_its_completions() {
    let directory = tempfile::tempdir().expect("a directory");
    let script = directory.path().join("cargo-insyn.bash");
    fs::write(&script, out(&["completions", "bash"])).expect("it can be written");
    let complete = "source \"$1\"; f=$(complete -p cargo-insyn | sed 's/.*-F \\([^ ]*\\).*/\\1/'); shift
        COMP_WORDS=(cargo-insyn \"$@\"); COMP_CWORD=$#; $f cargo-insyn \"${!#}\" \"\"; echo \"${COMPREPLY[@]}\"";
    let ask = |words: &[&str]| {
        let mut bash = Command::new("bash");
        let output = bash.args(["-c", complete, "bash"]).arg(&script).args(words).output();
        output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let Ok(commands) = ask(&["expl"]) else { return };
    assert_eq!(commands, "explore");
    assert_eq!(ask(&["explore", "--max-se"]).expect("bash is there"), "--max-sequences");
}

/// A link in place of an output file is replaced; its target stays unchanged.
#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let directory = tempfile::tempdir().expect("a directory");
    let [victim, link] = ["victim", "cargo-insyn.1"].map(|name| directory.path().join(name));
    fs::write(&victim, "precious").expect("it can be written");
    std::os::unix::fs::symlink(&victim, &link).expect("it can be made");
    out(&["man", "--out", &directory.path().to_string_lossy()]);
    assert_eq!(fs::read_to_string(&victim).expect("it is there"), "precious");
    assert!(fs::read_to_string(&link).expect("it is there").contains(".TH cargo-insyn 1"));
}

#[test]
fn there_is_a_page_for_each_command() {
    let whole = out(&["man"]);
    assert!(whole.starts_with(".ie") && whole.contains(".TH cargo-insyn 1"), "{whole}");
    let directory = tempfile::tempdir().expect("a directory");
    let pages = directory.path().join("man1");
    out(&["man", "--out", &pages.display().to_string()]);
    let listed = whole.lines().filter_map(|line| line.strip_suffix("(1)"));
    let mut found = 0;
    for name in listed.map(|name| name.replace("\\-", "-")) {
        let page = fs::read_to_string(pages.join(format!("{name}.1"))).expect(&name);
        assert!(page.contains(&format!(".TH {name} 1")), "{name}");
        found += 1;
    }
    assert!(found > 10, "{found} pages");
    let explore = fs::read_to_string(pages.join("cargo-insyn-explore.1")).expect("it is there");
    assert!(explore.contains("\\-\\-max\\-sequences"), "{explore}");
    assert_eq!(insyn(&["man", "--out", "/dev/null/man1"]).status.code(), Some(2));
}
