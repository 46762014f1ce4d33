//! Everything that the documents ask users to type exists: every `cargo insyn` command and option, and every linked file.

#[allow(dead_code, reason = "other tests use the rest")]
mod documents;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use documents::{blocks, words, workspace};

/// The documents for people: the README, the guide, those of the targets.
fn documents() -> Vec<PathBuf> {
    let root = workspace();
    let mut found = vec![
        root.join("README.md"),
        root.join("docs/guide.md"),
        root.join("docs/specs.md"),
        root.join("targets/README.md"),
    ];
    for target in fs::read_dir(root.join("targets")).expect("the targets") {
        let readme = target.expect("an entry").path().join("README.md");
        found.extend(readme.is_file().then_some(readme));
    }
    found.sort();
    found
}

/// The `cargo insyn` commands of a block, each as its arguments.
fn commands(lines: &[&str]) -> Vec<Vec<String>> {
    let starts = [
        "$ cargo insyn ",
        "- run: cargo insyn ",
        "run: cargo insyn ",
        "cargo insyn ",
        "cargo run -p cargo-insyn -- ",
    ];
    let rest = |line: &String| starts.iter().find_map(|start| line.strip_prefix(start)).map(words);
    // What GitHub substitutes.
    let lines: Vec<String> =
        lines.iter().map(|line| line.trim_start().replace("${{ matrix.shard }}", "1")).collect();
    lines.iter().filter_map(rest).collect()
}

/// Whether the command line understands this. It parses the arguments before `--help`, and does nothing.
fn understood(args: &[String]) -> Result<(), String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-insyn"));
    let output = command.arg("insyn").args(args).arg("--help").output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(()) } else { Err(said) }
}

#[test]
fn every_command_in_the_documents_is_understood() {
    let mut checked = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).expect("it is there");
        for (language, lines) in blocks(&text) {
            if !["console", "yaml"].contains(&language) {
                continue;
            }
            for args in commands(&lines) {
                understood(&args).unwrap_or_else(|why| panic!("{}: {args:?}: {why}", document.display()));
                checked += 1;
            }
        }
    }
    assert!(checked > 40, "only {checked} commands were found");
}

#[test]
fn what_does_not_exist_would_be_noticed() {
    for wrong in ["explode", "explore --inputs 1", "mutate --shard 5/4", "report --format pdf"] {
        assert!(understood(&words(wrong)).is_err(), "{wrong}");
    }
    let words = words("explore semaphores --input '{producers: 2, slots: 2}' > explored.json");
    assert_eq!(words, ["explore", "semaphores", "--input", "{producers: 2, slots: 2}"]);
}

#[test]
fn the_guide_has_every_command() {
    let guide = fs::read_to_string(workspace().join("docs/guide.md")).expect("it is there");
    let help =
        Command::new(env!("CARGO_BIN_EXE_cargo-insyn")).args(["insyn", "--help"]).output().expect("it runs");
    let help = String::from_utf8(help.stdout).expect("UTF-8");
    let listed = help.split("Commands:").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("commands");
    let names: Vec<&str> = listed.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() > 10, "{names:?}");
    for name in names.into_iter().filter(|&name| name != "help") {
        assert!(guide.contains(&format!("cargo insyn {name}")), "the guide does not speak of `{name}`");
    }
}

#[test]
fn the_readme_begins_with_the_campaign_and_the_tests() {
    let readme = fs::read_to_string(workspace().join("README.md")).expect("it is there");
    let commands: Vec<_> = blocks(&readme).into_iter().filter(|block| block.0 == "console").collect();
    assert_eq!(commands[0].1, ["cargo run -p cargo-insyn -- mutate -p textbook-buffer buffer"]);
    assert_eq!(commands[1].1, ["cargo test --workspace"]);
    // The checks that every commit has to pass are those that contributors are asked to run.
    let checks = fs::read_to_string(workspace().join(".ci/run")).expect("it is there");
    for command in ["cargo test --workspace", "cargo nextest run --workspace", "cargo test --workspace --doc"]
    {
        assert!(readme.contains(command), "the README has no `{command}`");
        assert!(checks.contains(&format!("step {command}")), "a commit does not have to pass `{command}`");
    }
}

/// An alias of the same name would shadow an installed command, which cargo warns about, and refuses some day.
#[test]
fn the_repository_does_not_shadow_the_installed_command() {
    let config = fs::read_to_string(workspace().join(".cargo/config.toml")).expect("it is there");
    let aliases: Vec<&str> =
        config.lines().filter_map(|line| line.split_once(" = ").map(|it| it.0)).collect();
    assert_eq!(aliases, ["insyn-dev"]);
    let listed =
        Command::new(env!("CARGO")).arg("--list").current_dir(workspace()).output().expect("it runs");
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    assert!(listed.contains("alias: run --package cargo-insyn --"), "{listed}");
}

#[test]
fn all_targets_are_listed() {
    let root = workspace().join("targets");
    let listed = fs::read_to_string(root.join("README.md")).expect("it is there");
    for target in fs::read_dir(root).expect("the targets").map(|it| it.expect("an entry").path()) {
        let name = target.file_name().expect("it has one").to_string_lossy().into_owned();
        if target.join("README.md").is_file() {
            assert!(listed.contains(&format!("]({name}/README.md)")), "targets/README.md has no {name}");
        }
    }
}

#[test]
fn links_lead_somewhere() {
    for document in documents() {
        let text = fs::read_to_string(&document).expect("it is there");
        let here = document.parent().expect("it is a file");
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.starts_with("http") || link.starts_with('#') || link.contains(char::is_whitespace) {
                continue;
            }
            let path = here.join(link.split('#').next().unwrap_or(link));
            assert!(path.exists(), "{}: {link}", document.display());
        }
    }
}

/// One document describes what depends on the operating system, and names the sources.
#[test]
fn every_source_that_depends_on_the_system_is_named() {
    let root = workspace();
    let document = fs::read_to_string(root.join("docs/systems.md")).expect("it is there");
    let mut pending: Vec<PathBuf> = ["macros", "mutator", "reports", "runner", "runtime", "specs"]
        .map(|name| root.join(name))
        .into_iter()
        .collect();
    let mut named = 0;
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            // Tests declare for themselves where they run.
            let entries =
                fs::read_dir(&path).expect("it can be listed").map(|it| it.expect("an entry").path());
            pending.extend(entries.filter(|it| !it.ends_with("tests") && !it.ends_with("target")));
            continue;
        }
        let name = path.strip_prefix(root).expect("it is below").display().to_string();
        if !name.ends_with(".rs") || !name.contains("/src/") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("it is text");
        // The unit tests in a source declare it for themselves, too.
        let code = text.split("mod tests {").next().unwrap_or_default();
        let depends =
            ["#[cfg(unix", "#[cfg(not(unix", "#[cfg(windows", "#[cfg(not(any(unix", "target_os", "\"/proc/"];
        let code: String = code.lines().filter(|line| !line.trim_start().starts_with("`#[cfg")).collect();
        if depends.iter().any(|it| code.contains(it)) {
            assert!(document.contains(&format!("`{name}`")), "{name} is not named in docs/systems.md");
            named += 1;
        }
    }
    assert!(named >= 6, "only {named} were found");
}

/// The report names operators in words: each that there is, and no other.
#[test]
fn every_operator_has_a_name_in_words() {
    let said = Command::new(env!("CARGO_BIN_EXE_cargo-insyn"))
        .args(["insyn", "mutants", "--list-operators"])
        .output();
    let said = String::from_utf8(said.expect("it runs").stdout).expect("UTF-8");
    let mut codes: Vec<&str> =
        said.lines().skip(1).filter_map(|line| line.split_whitespace().next()).collect();
    codes.retain(|code| code.len() == 3 && code.chars().all(|c| c.is_ascii_uppercase()));
    let mut named: Vec<&str> = insyn_reports::operators::WORDS.iter().map(|(code, _)| *code).collect();
    codes.sort_unstable();
    named.sort_unstable();
    assert!(codes.len() > 60, "{said}");
    assert_eq!(named, codes);
}
