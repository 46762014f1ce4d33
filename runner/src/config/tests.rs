//! Which settings count, and what is said about wrong ones.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;
use std::{env, fs};

use clap::ArgMatches;

use super::*;

/// The command line with settings of profiles, as text.
fn completed(arguments: &[&str], variables: &[(&str, &str)], config: &str) -> Result<String> {
    let command = crate::cli::command();
    let arguments: Vec<OsString> = ["cargo-insyn"].iter().chain(arguments).map(OsString::from).collect();
    let matches: ArgMatches = command.try_get_matches_from(&arguments)?;
    let mut built = crate::cli::command();
    built.build();
    let variables = variables.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
    let profiles = |_: &ArgMatches| Profiles::of_file(&crate::cli::command(), config).map(Some);
    let all = complete_with(arguments, &built, &matches, variables.collect(), profiles)?;
    let text: Vec<String> = all.iter().skip(1).map(|it| it.to_string_lossy().into_owned()).collect();
    Ok(text.join(" "))
}

const CONFIG: &str = "\
[profile.default]
workers = 4
max-steps = 100
features = [\"slow\"]

[profile.ci]
workers = 2
locked = true

[profile.ci.mutate]
workers = 1
";

#[track_caller]
fn refused(config: &str, words: &[&str]) {
    let error = format!("{:#}", completed(&["explore"], &[], config).expect_err("it is refused"));
    for word in words {
        assert!(error.contains(word), "{word:?} is not said: {error}");
    }
}

#[test]
fn the_command_line_counts_before_the_environment_and_that_before_the_profile() {
    let of = |arguments: &[&str], variables: &[(&str, &str)]| {
        completed(arguments, variables, CONFIG).expect("it fits")
    };
    assert_eq!(of(&["explore"], &[]), "explore --workers=4 --max-steps=100 --features=slow");
    assert_eq!(
        of(&["explore", "--workers", "8"], &[]),
        "explore --workers 8 --max-steps=100 --features=slow"
    );
    let variables = [("INSYN_WORKERS", "6"), ("INSYN_OFFLINE", "true"), ("INSYN_MAX_STEPS", "")];
    assert_eq!(
        of(&["explore"], &variables),
        "explore --offline --workers=6 --max-steps=100 --features=slow",
        "an empty variable is none"
    );
    assert_eq!(
        of(&["explore", "--workers", "8"], &variables[..1]),
        "explore --workers 8 --max-steps=100 --features=slow"
    );
    let chosen = "--workers=2 --locked --max-steps=100 --features=slow";
    assert_eq!(
        of(&["explore", "--config-profile", "ci"], &[]),
        format!("explore --config-profile ci {chosen}")
    );
    assert_eq!(of(&["explore"], &[("INSYN_CONFIG_PROFILE", "ci")]), format!("explore {chosen}"));
    assert_eq!(
        of(&["explore", "--config-profile", "default"], &[("INSYN_CONFIG_PROFILE", "ci")]),
        "explore --config-profile default --workers=4 --max-steps=100 --features=slow"
    );
}

#[test]
fn a_command_has_settings_of_its_own_and_only_those_that_it_has() {
    let of = |arguments: &[&str]| {
        completed(arguments, &[("INSYN_CONFIG_PROFILE", "ci")], CONFIG).expect("it fits")
    };
    assert_eq!(of(&["mutate"]), "mutate --workers=1 --locked --max-steps=100 --features=slow");
    assert_eq!(of(&["list"]), "list --locked --features=slow");
    assert_eq!(of(&["man"]), "man", "commands that do not build have no profile");
}

#[test]
fn what_excludes_a_setting_counts_before_it() {
    let config = "[profile.default]\nrelease = true\nworkspace = true\nexclude = [\"slow\"]\n";
    let of = |arguments: &[&str], variables: &[(&str, &str)]| {
        completed(arguments, variables, config).expect("it fits")
    };
    assert_eq!(of(&["list"], &[]), "list --workspace --release --exclude=slow");
    assert_eq!(of(&["list", "--profile", "fast", "-p", "bank"], &[]), "list --profile fast -p bank");
    assert_eq!(of(&["list"], &[("INSYN_PROFILE", "fast")]), "list --workspace --profile=fast --exclude=slow");
    assert_eq!(of(&["list"], &[("INSYN_RELEASE", "false")]), "list --workspace --exclude=slow");
}

#[test]
fn unknown_keys_name_the_nearest_the_file_and_the_line() {
    refused(
        "[profile.default]\nmax-sequence = 3\n",
        &["insyn.toml:2:1: unknown key `max-sequence`", "did you mean `max-sequences`?"],
    );
    refused("[profil.default]\n", &["insyn.toml:1:2: unknown key `profil`", "did you mean `profile`?"]);
    refused("[profile.ci]\nworker = 1\n", &["insyn.toml:2:1", "in profile `ci`", "`workers`"]);
    refused("[profile.ci.mutat]\n", &["insyn.toml:1:13: unknown key `mutat`", "did you mean `mutate`?"]);
    refused(
        "[profile.ci.mutate]\nmemori = 1\n",
        &["insyn.toml:2:1: unknown key `memori` in table `mutate`", "`memory`"],
    );
    refused(
        "[profile.default]\nzzzzzzzz = 3\n",
        &["insyn.toml:2:1: unknown key `zzzzzzzz`", "known are: all-features, "],
    );
}

#[test]
fn wrong_values_are_refused_where_they_are() {
    refused("[profile.default]\nworkers = 0\n", &["insyn.toml:2:11: invalid value '0' for '--workers <N>'"]);
    refused("[profile.default]\nlocked = 1\n", &["insyn.toml:2:10: `locked` takes `true` or `false`"]);
    refused("[profile.default]\nworkers = true\n", &["insyn.toml:2:11: `workers` takes a text or a number"]);
    refused("[profile.default]\nfeatures = 1.5\n", &["insyn.toml:2:12: `features` takes a list"]);
    refused("[profile.default]\ncolor = \"pink\"\n", &["insyn.toml:2:9: invalid value 'pink'"]);
    refused("[profile.default\n", &["insyn.toml:1:17: "]);
    refused("profile = 1\n", &["insyn.toml:1:11: `profile` is not a table"]);
    let unset =
        completed(&["explore"], &[("INSYN_CONFIG_PROFILE", "cy")], CONFIG).expect_err("there is none");
    assert_eq!(unset.to_string(), "insyn.toml has no profile `cy`; did you mean `ci`?");
    let wrong = completed(&["explore"], &[("INSYN_OFFLINE", "perhaps")], CONFIG).expect_err("it is no flag");
    assert_eq!(wrong.to_string(), "INSYN_OFFLINE: write `true` or `false`, not `perhaps`");
    let wrong = completed(&["explore"], &[("INSYN_WORKERS", "many")], CONFIG).expect_err("it is no number");
    assert!(wrong.to_string().starts_with("INSYN_WORKERS: invalid value 'many'"), "{wrong}");
}

#[test]
fn hostile_keys_are_written_out_and_cut() {
    let long = "k".repeat(10_000);
    let error =
        completed(&["explore"], &[], &format!("[profile.default]\n{long} = 1\n")).expect_err("it is unknown");
    assert!(error.to_string().len() < 3_000, "{error}");
    refused("[profile.\"\\u001b[31m\"]\nx = 1\n", &["\\u{1b}[31m"]);
    refused("[profile.\"\\u202e\"]\n\"\\u202e\" = 1\n", &["unknown key `\\u{202e}`"]);
}

#[test]
fn the_configuration_is_in_one_place() {
    let directory = tempfile::tempdir().expect("it can be made");
    let root = directory.path();
    let read = || Profiles::read(&crate::cli::command(), root);
    fs::write(root.join("Cargo.toml"), "[workspace]\n").expect("it can be written");
    assert_eq!(read().expect("nothing is wrong"), None);
    fs::write(root.join("Cargo.toml"), "[workspace.metadata.insyn.profile.default]\nworkerz = 3\n")
        .expect("it can be written");
    let error = read().expect_err("a key is unknown").to_string();
    assert!(error.starts_with("Cargo.toml:2:1: unknown key `workerz`"), "{error}");
    fs::write(root.join("Cargo.toml"), "[workspace.metadata.insyn.profile.default]\nworkers = 3\n")
        .expect("it can be written");
    assert!(read().expect("nothing is wrong").is_some());
    fs::write(root.join("insyn.toml"), CONFIG).expect("it can be written");
    let error = read().expect_err("there are two").to_string();
    assert!(error.contains("in two places") && error.contains("Cargo.toml"), "{error}");
    fs::write(root.join("Cargo.toml"), "[workspace]\n").expect("it can be written");
    assert!(read().expect("nothing is wrong").is_some());
    fs::remove_file(root.join("insyn.toml"))
        .and_then(|()| fs::create_dir(root.join("insyn.toml")))
        .expect("it can be made");
    assert!(read().expect_err("it is no file").to_string().contains("insyn.toml cannot be read"));
}

/// Every setting is an option of a command, and has one form in all of them.
#[test]
fn every_setting_is_an_option() {
    let command = crate::cli::command();
    let all =
        || command.get_subcommands().flat_map(clap::Command::get_arguments).chain(command.get_arguments());
    for option in SETTINGS {
        let kinds: Vec<_> =
            all().filter(|it| it.get_long() == Some(option)).map(clap::Arg::get_action).collect();
        assert!(!kinds.is_empty(), "there is no option --{option}");
        assert!(
            kinds.windows(2).all(|pair| format!("{:?}", pair[0]) == format!("{:?}", pair[1])),
            "{option}"
        );
    }
    assert!(SETTINGS.is_sorted());
}

/// The tables of the guide have every variable that the sources name, and no other.
#[test]
fn the_guide_has_every_variable() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let guide = fs::read_to_string(root.join("docs/guide.md")).expect("it is there");
    let (_, section) = guide.split_once("### Variables").expect("the guide has the section");
    let section = section.split("\n## ").next().unwrap_or_default();
    let listed: BTreeSet<String> = section
        .lines()
        .filter_map(|line| line.strip_prefix("| `INSYN_")?.split('`').next())
        .map(|rest| format!("INSYN_{rest}"))
        .collect();
    let mut expected: BTreeSet<String> = SETTINGS.iter().chain([&CHOICE]).map(|it| variable(it)).collect();
    expected.extend(INTERNAL.iter().map(|&it| it.to_owned()));
    let mut pending: Vec<_> =
        ["macros", "mutator", "reports", "runner", "runtime", "specs"].map(|it| root.join(it)).into();
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            let entries =
                fs::read_dir(&path).expect("it can be listed").map(|it| it.expect("an entry").path());
            pending.extend(entries.filter(|it| !it.ends_with("target")));
        } else if path.extension().is_some_and(|it| it == "rs") && !path.ends_with("config/tests.rs") {
            let text = fs::read_to_string(&path).expect("it is text");
            let literals = text.split("\"INSYN_").skip(1).filter_map(|rest| rest.split('"').next());
            let is_name =
                |it: &&str| !it.is_empty() && it.chars().all(|c| c.is_ascii_uppercase() || c == '_');
            expected.extend(literals.filter(is_name).map(|it| format!("INSYN_{it}")));
        }
    }
    assert_eq!(listed, expected);
}
