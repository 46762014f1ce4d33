//! Names and settings that are too long, or that act on a terminal: errors are short, harmless, and name the place.

use std::fs;
use std::path::PathBuf;

use super::{fixture, say, support};

/// Right-to-left marks and control characters, and a name of ten thousand characters.
fn names() -> [String; 3] {
    ["\u{202e}niaf".to_owned(), "fan\u{1b}[31m\u{7}in".to_owned(), "x".repeat(10_000)]
}

#[test]
fn names_are_cut_and_written_out() {
    for name in names() {
        for args in [
            vec!["explore", name.as_str()],
            vec!["explore", "-p", name.as_str()],
            vec!["explore", "--workspace", "--exclude", name.as_str()],
            vec!["explore", "--config-profile", name.as_str()],
            vec!["mutants", name.as_str()],
            vec!["replay", name.as_str()],
            vec!["force", name.as_str()],
            vec!["report", name.as_str()],
            vec!["explore", "--workers", name.as_str()],
            vec!["explore", "tests::fan_in", "--input", name.as_str()],
            vec![name.as_str()],
        ] {
            let said = say(&args);
            assert_eq!(said.code, Some(2), "{args:?}: {}{}", said.out, said.err);
            let error = said.err.split("error: ").nth(1).unwrap_or_else(|| panic!("{args:?}: {}", said.err));
            assert!(error.len() < 4_000, "{}: {} bytes", args[0], error.len());
            let acts = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
            assert!(!said.err.contains(acts), "{args:?}: {:?}", said.err);
        }
    }
}

/// A crate of its own, with a configuration.
fn configured(name: &str, config: &str) -> PathBuf {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let manifest = include_str!("../reckless/Cargo.toml").replace("reckless", name);
    support::copy_crate(&root, &[], &manifest, &root);
    support::place(&root.join("src/lib.rs"), "#[insyn::test(sequential)]\nfn nothing() {}\n");
    support::place(&root.join("insyn.toml"), config);
    root
}

#[test]
fn a_wrong_configuration_is_refused_before_anything_is_built() {
    let root =
        configured("misconfigured", "[profile.default]\nworkers = 2\n\n[profile.ci]\nmax-sequence = 3\n");
    let said = support::say(&root, &["explore"]);
    support::refused(
        &said,
        2,
        &["insyn.toml:5:1: unknown key `max-sequence` in profile `ci`; did you mean `max-sequences`?"],
    );
    assert!(!said.err.contains("Compiling"), "{}", said.err);
    assert_eq!(
        support::say(&root, &["man"]).code,
        Some(0),
        "commands that do not build need no configuration"
    );
}

#[test]
fn settings_come_from_profiles_and_variables() {
    let root = configured("configured", "[profile.default]\nquiet = true\n\n[profile.loud]\nquiet = false\n");
    let quiet = support::say(&root, &["explore"]);
    assert_eq!((quiet.code, quiet.err.as_str()), (Some(0), ""), "{}", quiet.out);
    let loud = support::say(&root, &["explore", "--config-profile", "loud"]);
    assert!(loud.err.contains("Finished") && loud.err.contains("   Exploring nothing\n"), "{}", loud.err);
    // In two parts, since the guide lists every variable that the sources name.
    let typo = ["INSYN_", "WORKER_S"].concat();
    let mut command = support::command(&root, &["explore"]);
    command.env("INSYN_CONFIG_PROFILE", "loud").env("INSYN_COLOR", "always").env(typo, "3");
    let loud = support::listen(command);
    assert!(loud.err.contains("\u{1b}[1;32mExploring\u{1b}[0m nothing"), "{}", loud.err);
    assert!(
        loud.err.contains("INSYN_WORKER_S is not a variable of insyn; did you mean INSYN_WORKERS?"),
        "{}",
        loud.err
    );
    let mut command = support::command(&root, &["explore"]);
    command.env("INSYN_WORKERS", "none");
    support::refused(
        &support::listen(command),
        2,
        &["INSYN_WORKERS: invalid value 'none' for '--workers <N>'"],
    );
}

/// Cargo's own options reach cargo.
#[test]
fn cargos_options_are_cargos() {
    let root = configured("optional", "");
    support::refused(
        &support::say(&root, &["list", "--profile", "nowhere"]),
        3,
        &["profile `nowhere` is not defined"],
    );
    support::refused(&support::say(&root, &["list", "--jobs", "0"]), 3, &["jobs may not be 0"]);
    let lock = root.join("Cargo.lock");
    let locked = fs::read_to_string(&lock).expect("it is there");
    // A version that nobody has published: the lock file would have to change.
    fs::write(&lock, locked.replace("name = \"optional\"", "name = \"another\"")).expect("it can be written");
    let said = support::say(&root, &["list", "--locked", "--offline"]);
    fs::write(&lock, &locked).expect("it can be written");
    assert!(matches!(said.code, Some(2 | 3)), "{}{}", said.out, said.err);
    assert!(said.err.contains("--locked"), "{}", said.err);
    let directory = tempfile::tempdir().expect("a directory");
    let target = directory.path().join("elsewhere");
    let said = support::say(&root, &["mutants", "--target-dir", &target.display().to_string()]);
    support::refused(&said, 2, &["no annotated code to mutate"]);
    let json = support::json(&root, &["list", "--workspace", "--all-features", "--format", "json"], 0);
    assert_eq!(json["programs"][0]["name"], "nothing");
    let said = support::say(&root, &["list", "--workspace", "--exclude", "optional"]);
    support::refused(&said, 2, &["no package here depends on insyn, but for those left out"]);
}

#[test]
fn limits_on_time_and_records_are_reached() {
    let bound = |args: &[&str]| {
        let args =
            [&["explore", "fan_in", "--input", "{senders: 8}", "--workers", "1", "--format", "json"], args]
                .concat();
        let program = support::json(fixture(), &args, 0)["programs"][0].clone();
        assert_eq!(program["complete"], false, "{program}");
        program["bound"].as_str().expect("a bound").to_owned()
    };
    assert!(bound(&["--time-limit", "0"]).contains("time"));
    let records = ["explore", "long", "--record-limit", "1", "--format", "json"];
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("long-records");
    let manifest = include_str!("../reckless/Cargo.toml").replace("reckless", "long-records");
    support::copy_crate(&root, &[], &manifest, &root);
    let code = "#[insyn::test(max_steps = 1_000_000_000)]
        fn long() {
            let value = std::sync::Mutex::new(0u64);
            for _ in 0..100_000 { *value.lock().unwrap() += 1; }
        }";
    support::place(&root.join("src/lib.rs"), code);
    let program = support::json(&root, &records, 0)["programs"][0].clone();
    assert!(program["bound"].as_str().is_some_and(|it| it.contains("record")), "{program}");
    support::refused(&support::say(&root, &["explore", "--record-limit", "0"]), 2, &["--record-limit"]);
}
