//! Commands that help to write a specification: `events`, `spec new` and `spec graph`.

use std::fs;

use serde_json::json;

use crate::{fixture, json, refused, say};

#[test]
fn events_lists_what_can_be_matched() {
    let listed = &json(&["events", "tests::timid_buffer", "--format", "json"], 0)["programs"][0];
    assert_eq!((&listed["name"], &listed["complete"]), (&json!("timid_buffer"), &json!(true)));
    let events = listed["catalog"]["events"].as_array().expect("a list");
    let of = |matcher: &str| {
        events.iter().find(|it| it["matcher"] == matcher).unwrap_or_else(|| panic!("{matcher}: {events:?}"))
    };
    let accept = of("{entry: deposit}");
    assert_eq!(
        (&accept["op"], &accept["kind"], &accept["most"]),
        (&json!("accept"), &json!("entry"), &json!(3))
    );
    // Everything that is listed can be matched as it says: each matcher finds its events and no others.
    let all: Vec<String> = (0..)
        .zip(events)
        .map(|(n, it)| format!("  e{n}: {{match: {}}}\n", it["matcher"].as_str().expect("a text")))
        .collect();
    let rules: Vec<String> =
        (0..).zip(events).map(|(n, it)| format!("- at most {} e{n}\n", it["most"])).collect();
    let directory = tempfile::tempdir().expect("a directory");
    let spec = directory.path().join("spec.yaml");
    let text = format!(
        "insyn: spec\nversion: 1\nconformance: subset\nevents:\n{}constraints:\n{}",
        all.concat(),
        rules.concat()
    );
    fs::write(&spec, text).expect("it can be written");
    let checked = say(&["check", "tests::timid_buffer", "--spec", &spec.display().to_string()]);
    assert_eq!(checked.code, Some(0), "{}{}", checked.out, checked.err);
    assert!(!checked.out.contains("warning"), "{}", checked.out);

    let said = say(&["events", "tests::timid_buffer"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    for words in ["1 sequence, all there are", "thread ", "object ", "{entry: deposit} ", "in a sequence"] {
        assert!(said.out.contains(words), "{words:?} is not said: {}", said.out);
    }
    let said = say(&["events", "tests::fan_in", "--sample", "3"]);
    assert!(said.out.contains("not all"), "{}", said.out);
    refused(&["events", "bufer"], 2, &["did you mean `buffer`?"]);
}

/// Drafts of every program that has only normal executions pass the check of that program, and teach.
#[test]
fn a_draft_passes_the_check_of_its_program() {
    let directory = tempfile::tempdir().expect("a directory");
    for program in ["tests::timid_buffer", "tests::fan_in"] {
        let path = directory.path().join(format!("{}.yaml", program.replace(':', "")));
        let path = path.display().to_string();
        let drafted = say(&["spec", "new", program, "--out", &path]);
        assert_eq!(drafted.code, Some(0), "{}{}", drafted.out, drafted.err);
        assert!(drafted.out.contains("cargo insyn check"), "{}", drafted.out);
        let text = fs::read_to_string(&path).expect("it was written");
        assert!(text.starts_with("# yaml-language-server: $schema="), "{text}");
        assert!(text.contains("\nconformance: subset\n") && text.contains("\nconstraints:\n- "), "{text}");
        let checked = &json(&["check", program, "--spec", &path, "--format", "json"], 0)["programs"][0];
        assert_eq!(checked["feasible_invalid"], 0, "{text}");
        assert_ne!(checked["feasible_valid"], 0, "{text}");
        assert_eq!(checked["comparison"]["warnings"], json!([]), "{text}");
        refused(&["spec", "new", program, "--out", &path], 2, &["exists already"]);
    }
}

#[test]
fn a_specification_is_drawn() {
    let spec = fixture().join("buffer/spec.yaml").display().to_string();
    let drawn = say(&["spec", "graph", &spec]);
    assert_eq!(drawn.code, Some(0), "{}", drawn.err);
    assert!(
        drawn.out.starts_with("flowchart LR\n") && drawn.out.contains(" -- \"deposit\" --> "),
        "{}",
        drawn.out
    );
    let drawn = say(&["spec", "graph", &spec, "--format", "dot"]);
    assert!(drawn.out.starts_with("digraph ") && drawn.out.ends_with("}\n"), "{}", drawn.out);
    let cut = say(&["spec", "graph", &spec, "--max-states", "2"]);
    assert!(
        cut.err.contains("more states next to these are not drawn")
            || cut.err.contains("1 more state next to these"),
        "{}",
        cut.err
    );
    refused(&["spec", "graph", "no-such.yaml"], 2, &["no-such.yaml cannot be read"]);
}

/// `explore` and `check` write a page that shows every failure with its diagram.
#[test]
fn results_are_written_as_a_page() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = |name: &str| directory.path().join(name).display().to_string();
    let (explored, checked) = (path("explored.html"), path("checked.html"));
    let said =
        say(&["explore", "tests::panics", "tests::buffer", "--html", &explored, "--out", &path("out")]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    let page = fs::read_to_string(&explored).expect("it was written");
    assert_eq!(fs::read_to_string(path("out/explore.html")).expect("it was written"), page);
    for words in [
        "<title>explore: fixture</title>",
        "1 of 2 programs fail.",
        "class=\"diagram\"",
        "cargo insyn replay ",
        "Content-Security-Policy",
    ] {
        assert!(page.contains(words), "{words:?} is not in {page}");
    }
    let said = say(&["check", "tests::overfull_buffer", "--html", &checked]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    let page = fs::read_to_string(&checked).expect("it was written");
    for words in [
        "<title>check: fixture</title>",
        "The program fails.",
        "class=\"square\"",
        "tests pass",
        "class=\"diagram\"",
    ] {
        assert!(page.contains(words), "{words:?} is not in {page}");
    }
}
