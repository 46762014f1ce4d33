//! Campaigns on crates that are not ours: the textbook's experiment, results that are the same however they came about, and
//! mutants that do the worst.

#[allow(dead_code, reason = "other tests use the rest")]
mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use support::{Said, place};

/// A crate outside of this workspace. Campaigns on one crate share a build, so only one runs at a time.
struct Crate {
    root: PathBuf,
    _alone: MutexGuard<'static, ()>,
}

/// A copy of a crate, as a crate elsewhere is.
fn copy(name: &str, from: &Path, files: &[&str], manifest: &str) -> Crate {
    static ALONE: Mutex<()> = Mutex::new(());
    let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    support::copy_crate(from, files, manifest, &root);
    Crate { root, _alone: alone }
}

fn textbook() -> Crate {
    textbook_in("textbook-buffer")
}

/// The textbook's buffer, without its check of counts, as a package of this name.
fn textbook_in(name: &str) -> Crate {
    let files = [
        "src/lib.rs",
        "specs/buffer.yaml",
        "specs/buffer.tests.yaml",
        "specs/one_slot.yaml",
        "specs/one_slot.tests.yaml",
    ];
    target("textbook-buffer", name, &files)
}

/// A target, without its checks, as a package of this name.
fn target(target: &str, name: &str, files: &[&str]) -> Crate {
    let from = support::workspace().join("targets").join(target);
    let manifest = include_str!("reckless/Cargo.toml").replace("reckless", name);
    let manifest = format!("{manifest}\n[lib]\nname = \"{}\"\n", target.replace('-', "_"));
    let it = copy(name, &from, files, &manifest);
    let programs = fs::read_to_string(from.join("tests/programs.rs")).expect("it is there");
    let (programs, _) = programs.split_once("mod checks").expect("it has checks");
    place(&it.root.join("tests/programs.rs"), programs);
    it
}

fn reckless() -> Crate {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reckless");
    copy("reckless", &from, &["src/lib.rs"], include_str!("reckless/Cargo.toml"))
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

    /// A directory for results that is not there yet.
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

#[test]
fn the_textbooks_experiment() {
    let it = textbook();
    let out = it.directory("experiment");
    let campaign = it.json(&["mutate", "buffer", "--format", "json", "--out", &out], 0);
    let reports = [
        ("text", "summary.txt"),
        ("markdown", "summary.md"),
        ("junit", "junit.xml"),
        ("github", "annotations.txt"),
        ("stryker", "stryker.json"),
        ("html", "report.html"),
    ];
    compare_with_golden(&it, "textbook-buffer", &out, &reports);
    let expected = serde_json::json!({
        "total": 78, "unviable": 2, "equivalent": 6, "undecided": 0, "distinguished": 70, "survived": 0,
        "unreached": 64, "skipped": 0, "pending": 0
    });
    assert_eq!(campaign["mutants"], expected);
    assert_eq!(campaign["score"], 100.0);
    assert_eq!(
        (&campaign["phases"][0]["name"], &campaign["phases"][0]["score"]),
        (&"collected".into(), &94.29.into())
    );
    assert_eq!(
        (&campaign["phases"][1]["name"], &campaign["phases"][1]["score"]),
        (&"written".into(), &100.0.into())
    );
    // The four sequences, and no others.
    let collected = campaign["tests"].as_array().unwrap().iter().filter(|test| test["phase"] == "collected");
    let words: Vec<String> = collected
        .map(|test| test["sequence"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect())
        .collect();
    let mut sorted = words.clone();
    sorted.sort();
    assert_eq!(sorted, ["DDWDWW", "DDWWDW", "DWDDWW", "DWDWDW"]);
    // What lets the buffer do more than it should is told by the invalid sequences only.
    let too_many = mutant(&campaign, "serve", "GBS", "full_slots <= capacity");
    assert_eq!(killers(&campaign, too_many), ["three deposits into two slots"]);
    let too_early = mutant(&campaign, "serve", "GBS", "full_slots >= 0");
    assert!(killers(&campaign, too_early).contains(&"a withdrawal from an empty buffer".to_owned()));
    // Every mutant that is left out says why.
    for left_out in campaign["details"].as_array().unwrap() {
        let status = left_out["status"].as_str().unwrap();
        if status != "distinguished" {
            assert_ne!(left_out["reason"], "", "{left_out}");
        }
    }
}

/// Reports of the campaign, as they are committed. `UPDATE_GOLDEN=1` writes them anew.
#[track_caller]
fn compare_with_golden(it: &Crate, target: &str, results: &str, reports: &[(&str, &str)]) {
    let golden = support::workspace().join("reports/golden").join(target);
    for &(format, file) in reports {
        let made = it.root.join(file);
        let said = it.say(&["report", results, "--format", format, "--out", &made.display().to_string()]);
        assert_eq!(said.code, Some(0), "{}", said.err);
        let made = fs::read_to_string(made).expect("it was written");
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            place(&golden.join(file), &made);
        }
        let expected = fs::read_to_string(golden.join(file)).expect("it is committed");
        assert!(made == expected, "{file} is not what is committed; `UPDATE_GOLDEN=1` writes it anew");
    }
}

/// The same of two programs that are smaller still: of one a rendezvous, of the other semaphores.
#[test]
fn small_campaigns_are_as_committed() {
    let targets: [(&str, &[&str]); 2] = [
        ("cp", &["src/lib.rs", "src/cp.rs", "specs/cp.yaml", "specs/cp.tests.yaml"]),
        (
            "three-semaphores",
            &[
                "src/lib.rs",
                "src/three_semaphores.rs",
                "specs/three_semaphores.yaml",
                "specs/three_semaphores.tests.yaml",
            ],
        ),
    ];
    for (name, files) in targets {
        let it = target(name, name, files);
        let out = it.directory("campaign");
        let said = it.say(&["mutate", "--out", &out]);
        assert!(matches!(said.code, Some(0 | 5)), "{}{}", said.out, said.err);
        compare_with_golden(&it, name, &out, &[("text", "summary.txt"), ("markdown", "summary.md")]);
        // Of the smallest all of it: the document with its sequences, their races and what they are variants of.
        if name == "cp" {
            compare_with_golden(&it, name, &out, &[("json", "campaign.json")]);
        }
    }
}

#[test]
fn the_textbooks_first_example() {
    let it = textbook();
    let campaign = it.json(&["mutate", "one_slot", "--format", "json", "--out", &it.directory("example")], 5);
    let right = mutant(&campaign, "serve_all_but_one", "GBS", "full_slots + 1 <= capacity");
    assert_eq!(right["status"], "distinguished");
    assert_eq!(killers(&campaign, right), ["two deposits in a row"]);
    // Survivors come with a sequence, and with that they do not survive.
    let survivor = mutant(&campaign, "serve_all_but_one", "GBS", "full_slots >= 0");
    assert_eq!(survivor["status"], "survived");
    let tests = it.root.join("more.tests.yaml");
    fs::copy(it.root.join("specs/one_slot.tests.yaml"), &tests).expect("it can be copied");
    let tests = tests.display().to_string();
    let out = it.directory("example");
    it.json(&["mutate", "one_slot", "--format", "json", "--out", &out, "--write-tests", &tests], 5);
    let more = it.json(&["mutate", "one_slot", "--format", "json", "--out", &out, "--tests", &tests], 0);
    assert_eq!(more["mutants"]["survived"], 0);
    assert_eq!(more["score"], 100.0);
}

#[test]
fn the_same_bytes_however_it_was_run() {
    let it = textbook();
    let whole = it.directory("whole");
    it.json(&["mutate", "one_slot", "--format", "json", "--workers", "1", "--out", &whole], 5);
    let whole = document(&whole);
    let many = it.directory("many");
    it.json(&["mutate", "one_slot", "--format", "json", "--workers", "5", "--out", &many], 5);
    assert_eq!(document(&many), whole);
    let parts: Vec<String> = (1..=3).map(|n| it.directory(&format!("part{n}"))).collect();
    for (n, part) in (1..).zip(&parts) {
        let said = it.say(&["mutate", "one_slot", "--shard", &format!("{n}/3"), "--out", part]);
        assert!(matches!(said.code, Some(0 | 5)), "{}", said.err);
    }
    let merged = it.directory("merged");
    let said = it.say(&["merge", &parts[2], &parts[0], &parts[1], "--out", &merged]);
    assert_eq!(said.code, Some(5), "{}", said.err);
    assert_eq!(document(&merged), whole);
    // Parts of different campaigns are not one.
    let other = it.directory("other");
    it.json(&["mutate", "buffer", "--format", "json", "--out", &other], 0);
    it.refused(&["merge", &parts[0], &other, "--out", &merged], 2, &["different tests"]);
}

/// Random sequences are the same for a seed, however the campaign is run; of a small program, all are found.
#[test]
fn sequences_collected_at_random() {
    let it = textbook();
    let campaign = |seed: &str, more: &[&str], name: &str| {
        let out = it.directory(name);
        let args = ["mutate", "buffer", "--collect", "random", "--seed", seed, "--out", &out];
        let said = it.say(&[&args, more].concat());
        assert!(matches!(said.code, Some(0 | 5)), "{}", said.err);
        out
    };
    let whole = document(&campaign("7", &["--workers", "1"], "random"));
    assert_eq!(document(&campaign("7", &["--workers", "4"], "random4")), whole);
    let parts =
        ["1/2", "2/2"].map(|part| campaign("7", &["--shard", part], &format!("random{}", &part[..1])));
    let merged = it.directory("random-merged");
    let said = it.say(&["merge", &parts[1], &parts[0], "--out", &merged]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert_eq!(document(&merged), whole);
    let words = |text: &str| {
        let campaign: Value = serde_json::from_str(text).expect("a document");
        let tests = campaign["tests"].as_array().unwrap().iter().filter(|test| test["phase"] == "collected");
        let word = |test: &Value| {
            test["sequence"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect()
        };
        tests.map(word).collect::<Vec<String>>()
    };
    let found = words(&whole);
    let mut sorted = found.clone();
    sorted.sort();
    assert_eq!(sorted, ["DDWDWW", "DDWWDW", "DWDDWW", "DWDWDW"]);
    // By other seeds they come in other orders.
    let others = (8..12).map(|seed| words(&document(&campaign(&seed.to_string(), &[], "random-other"))));
    assert!(others.into_iter().any(|other| other != found), "{found:?}");
    it.refused(&["mutate", "buffer", "--seed", "7"], 2, &["`--collect random`"]);
}

/// Killed at any moment, a campaign goes on and ends with the same bytes.
#[test]
fn a_campaign_that_is_killed_goes_on() {
    let it = textbook();
    let whole = it.directory("unkilled");
    it.json(&["mutate", "one_slot", "--format", "json", "--out", &whole], 5);
    let whole = document(&whole);
    let killed = it.directory("killed");
    let args = ["mutate", "one_slot", "--format", "json", "--workers", "1", "--out", &killed];
    let results =
        || fs::read_to_string(Path::new(&killed).join("results.jsonl")).unwrap_or_default().lines().count();
    let mut interrupted = 0;
    for round in 1..=20 {
        let mut run = support::command(&it.root, &args)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it runs");
        // As soon as so many mutants are known, or when it has ended by itself.
        while run.try_wait().expect("it can be asked").is_none() {
            if results() >= round * 3 {
                run.kill().expect("it can be killed");
                interrupted += 1;
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        run.wait().expect("it ends");
    }
    assert!(interrupted > 10, "killed {interrupted} times");
    it.json(&args, 5);
    assert_eq!(document(&killed), whole);
}

/// A mutant in the build with all of them does what it does alone in the source.
#[test]
fn mutants_do_what_they_do_alone() {
    // Its source is changed, so nobody else may use it.
    let it = textbook_in("textbook-alone");
    let campaign = it.json(&["mutate", "buffer", "--format", "json", "--out", &it.directory("together")], 0);
    let source = it.root.join("src/lib.rs");
    let original = fs::read_to_string(&source).expect("it is there");
    let tried = campaign["details"].as_array().unwrap().iter().filter(|it| it["status"] == "distinguished");
    for mutant in tried.step_by(11) {
        let id = mutant["id"].as_str().unwrap();
        let said = it.say(&["mutants", id, "--apply"]);
        assert_eq!(said.code, Some(0), "{}", said.err);
        let recorded = it.say(&["record", "buffer", "--max", "10000"]);
        fs::write(&source, &original).expect("it can be taken back");
        assert_eq!(recorded.code, Some(0), "{}", recorded.err);
        for (n, test) in campaign["tests"].as_array().unwrap().iter().enumerate() {
            let kill = mutant["kills"].as_array().unwrap().iter().find(|kill| kill["test"] == n);
            let can = match kill {
                Some(kill) => kill["mutant"]["verdict"] == "feasible",
                None => test["original"]["verdict"] == "feasible",
            };
            let steps = test["sequence"].as_array().unwrap().iter();
            let steps: String = steps.map(|step| format!("  - {}\n", step.as_str().unwrap())).collect();
            let is_there = recorded.out.contains(&format!("  sequence:\n{steps}  expect"));
            assert_eq!(is_there, can, "{id}, {}:\n{}", test["name"], recorded.out);
        }
    }
}

#[test]
fn mutants_that_do_the_worst() {
    let it = reckless();
    let out = it.directory("worst");
    let args = ["mutate", "adds", "--format", "json", "--patience", "2", "--memory", "512", "--out", &out];
    let said = it.say(&args);
    let campaign: Value =
        serde_json::from_str(&said.out).unwrap_or_else(|_| panic!("{}{}", said.out, said.err));
    let reason = |function: &str, operator: &str, replacement: &str| {
        let mutant = mutant(&campaign, function, operator, replacement);
        assert_eq!(mutant["status"], "distinguished", "{mutant}");
        mutant["reason"].as_str().unwrap().to_owned()
    };
    let aborted = reason("check", "GTR", "true");
    assert!(aborted.contains("the process died"), "{aborted}");
    let all: Vec<&str> =
        campaign["details"].as_array().unwrap().iter().filter_map(|it| it["reason"].as_str()).collect();
    assert!(all.iter().any(|it| it.contains("a loop without synchronization")), "{all:?}");
    assert!(all.iter().any(|it| it.contains("out of memory")), "{all:?}");
    assert_eq!(campaign["mutants"]["undecided"], 0, "{all:?}");
}

/// A mutant that dies only where no real channels could have brought it is not killed by that.
#[test]
fn only_the_mutant_that_moves_too_often_does_not_compile() {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/moving");
    let manifest = include_str!("reckless/Cargo.toml").replace("reckless", "moving");
    let it = copy("moving", &from, &["src/lib.rs"], &manifest);
    let out = it.directory("moves");
    let operators = "SDU,SND,BCR";
    let campaign =
        it.json(&["mutate", "work", "--operators", operators, "--format", "json", "--out", &out], 0);
    let status = |operator: &str| {
        let details = campaign["details"].as_array().expect("a list").iter();
        let mut found = details.filter(|it| it["operator"] == operator && it["function"] == "pass");
        found.next().map(|it| (it["status"].as_str(), it["reason"].as_str()))
    };
    // The loop goes round only with this one; the others move the value as the original does.
    let (verdict, reason) = status("BCR").expect("there is one");
    assert_eq!(verdict, Some("unviable"));
    assert!(reason.is_some_and(|it| it.starts_with("E0382: use of moved value: `job`")), "{reason:?}");
    for operator in ["SDU", "SND"] {
        assert_eq!(status(operator).expect("there is one").0, Some("distinguished"), "{operator}");
    }
    assert_eq!(campaign["builds"], 3);
}

#[test]
fn a_death_that_is_not_real_does_not_count() {
    let it = reckless();
    let out = it.directory("unreal");
    let campaign = it.json(
        &["mutate", "crosses", "--operators", "guards,operators", "--format", "json", "--out", &out],
        5,
    );
    let told_more = mutant(&campaign, "believe", "GBS", "told >= 3");
    assert_eq!(told_more["status"], "undecided", "{told_more}");
    let reason = told_more["reason"].as_str().unwrap();
    assert!(reason.contains("no real objects could do"), "{reason}");
    // One that dies where they could is killed.
    let believes_all = mutant(&campaign, "believe", "GTR", "true");
    assert_eq!(believes_all["status"], "distinguished", "{believes_all}");
    assert!(believes_all["reason"].as_str().unwrap().starts_with("the process died"), "{believes_all}");
}

#[test]
fn what_cannot_be_done_is_said() {
    let it = reckless();
    it.refused(&["mutate", "fails"], 1, &["fails before anything is mutated", "assertion"]);
    it.refused(&["mutate", "adds", "--operators", "gaurds"], 2, &["did you mean `guards`"]);
    it.refused(&["mutate", "ads"], 2, &["did you mean `adds`"]);
    it.refused(&["mutate", "adds", "--shard", "3/2"], 2, &["K from 1 to N"]);
    let out = it.directory("elsewhere");
    fs::create_dir_all(&out).expect("it can be made");
    let state = Path::new(&out).join("state.json");
    let write = |text: &str| fs::write(&state, text).expect("it can be written");
    write(r#"{"version": 9}"#);
    it.refused(&["mutate", "adds", "--operators", "GNG", "--out", &out], 2, &["another release", "--out"]);
    write(r#"{"version": 1, "package": "bank", "key": ""}"#);
    it.refused(&["mutate", "adds", "--operators", "GNG", "--out", &out], 2, &["of package `bank`"]);
    it.refused(&["mutants", "GBS-00000000"], 2, &["there is no mutant `GBS-00000000`"]);
    let diff = it.root.join("nothing.diff");
    fs::write(&diff, "").expect("it can be written");
    let said = it.say(&["mutants", "--in-diff", &diff.display().to_string()]);
    assert_eq!((said.code, said.out.as_str()), (Some(0), "0 mutants\n"));
}

#[test]
fn mutants_are_listed() {
    let it = textbook();
    let listed = it.json(&["mutants", "--format", "json", "--operators", "guards"], 0);
    let all = listed["mutants"].as_array().unwrap();
    assert!(all.iter().all(|it| it["family"] == "guards") && all.len() > 10);
    let id = all[0]["id"].as_str().unwrap();
    let said = it.say(&["mutants", id, "--diff"]);
    assert!(said.out.starts_with("--- src/lib.rs\n+++ src/lib.rs "), "{}", said.out);
    let operators = it.json(&["mutants", "--list-operators", "--format", "json"], 0);
    assert!(operators["operators"].as_array().unwrap().len() > 50);
}
