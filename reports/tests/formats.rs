//! The reports of the example, word for word. `UPDATE_GOLDEN=1` rewrites them; read the diff.

mod common;

use std::fs;
use std::path::Path;

use insyn_reports::text::Style;
use insyn_reports::{document, github, html, junit, markdown, page, stryker, text};
use insyn_verdicts::Campaign;

#[track_caller]
fn golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, expected, "{name} is another; UPDATE_GOLDEN=1 writes it anew");
}

#[test]
fn terminal() {
    golden("summary.txt", &text::render(&common::example(), Style::default()));
    golden("narrow.txt", &text::render(&common::example(), Style { width: 40, colour: false }));
    golden("empty.txt", &text::render(&common::empty(), Style::default()));
}

#[test]
fn other_formats() {
    let example = common::example();
    golden("summary.md", &markdown::render(&example));
    golden("annotations.txt", &github::render(&example, ""));
    golden("junit.xml", &junit::render(&example));
    golden("stryker.json", &stryker::render(&example));
    golden("hostile.md", &markdown::render(&common::hostile()));
    golden("hostile-annotations.txt", &github::render(&common::hostile(), ""));
    golden("empty.md", &markdown::render(&common::empty()));
    golden("empty.xml", &junit::render(&common::empty()));
}

/// Whatever the names of files and programs, nothing is wider than a terminal of 40 columns, and paths break between their parts.
#[test]
fn long_names_on_a_narrow_terminal() {
    let mut campaign = common::example();
    let path = "src/workers/scheduling/fair_round_robin_queue.rs";
    campaign.programs[0].name = "a_program_with_a_name_that_is_far_too_long".into();
    campaign.details.iter_mut().for_each(|it| it.file = path.into());
    campaign = common::finish(campaign);
    let shown = text::render(&campaign, Style { width: 40, colour: false });
    for line in shown.lines() {
        assert!(line.chars().count() <= 40, "{line:?} in\n{shown}");
    }
    assert!(
        shown.contains("          src/workers/scheduling/\n          fair_round_robin_queue.rs:\n"),
        "{shown}"
    );
    golden("narrow-names.txt", &shown);
}

/// Colour is used only on request, and changes nothing else.
#[test]
fn colour() {
    let plain = text::render(&common::example(), Style::default());
    let coloured = text::render(&common::example(), Style { colour: true, ..Style::default() });
    assert!(!plain.contains('\u{1b}'));
    assert!(coloured.contains("\u{1b}["));
    let mut stripped = String::new();
    let mut rest = coloured.as_str();
    while let Some(at) = rest.find('\u{1b}') {
        stripped.push_str(&rest[..at]);
        rest = &rest[at + rest[at..].find('m').unwrap() + 1..];
    }
    stripped.push_str(rest);
    let trim = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    assert_eq!(trim(&stripped), trim(&plain));
}

/// Equal campaigns give equal bytes, however they were built.
#[test]
fn reports_are_deterministic() {
    let all = |campaign: &Campaign| {
        let style = Style::default();
        let text = text::render(campaign, style);
        [
            text,
            html::render(campaign),
            stryker::render(campaign),
            junit::render(campaign),
            markdown::render(campaign),
            github::render(campaign, ""),
        ]
    };
    for campaign in [common::example(), common::empty(), common::hostile(), common::large(30, 50)] {
        let again = document::read(&document::write(&campaign)).unwrap();
        assert_eq!(all(&campaign), all(&again));
    }
}

/// Stryker's viewers compute a score of their own: killed in percent of killed and survived.
#[test]
fn the_score_of_a_stryker_viewer_is_ours() {
    let mut campaign = common::example();
    campaign.details.retain(|mutant| mutant.reason != "more than 10000 executions");
    let campaign = common::finish(campaign);
    let report: serde_json::Value = serde_json::from_str(&stryker::render(&campaign)).unwrap();
    let files = report["files"].as_object().unwrap();
    let mutants: Vec<_> = files.values().flat_map(|file| file["mutants"].as_array().unwrap()).collect();
    assert_eq!(mutants.len(), campaign.details.len());
    let count = |status: &str| mutants.iter().filter(|it| it["status"] == status).count() as f64;
    assert!(count("Survived") > 0.0);
    let score = 100.0 * count("Killed") / (count("Killed") + count("Survived"));
    assert_eq!(format!("{score:.2}"), format!("{:.2}", campaign.score.unwrap()));
}

/// The page is self-contained: nothing in it refers to another resource.
#[test]
fn the_page_is_self_contained() {
    for campaign in [common::example(), common::empty()] {
        assert_self_contained(&html::render(&campaign));
    }
    assert_self_contained(&page::render(&common::page()));
}

fn assert_self_contained(page: &str) {
    for outside in ["http://", "https://", "src=", "@import", "url(//"] {
        let here = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!here.contains(outside), "{outside}");
    }
}

/// The page of a check shows what fails first, the table, the tests and the sequence; hostile texts add no element.
#[test]
fn the_page_of_a_check_shows_everything() {
    let page = page::render(&common::page());
    let position = |words: &str| page.find(words).unwrap_or_else(|| panic!("{words:?} is not in {page}"));
    assert!(position("#program-1\">bounded-buffer faulty") < position("#program-0\">bounded-buffer select"));
    assert!(position("1 of 2 programs fail.") < position("id=\"program-0\""));
    for words in [
        "<td class=\"n bad\">36</td>",
        "1 of 2 tests pass",
        "cargo insyn replay target",
        "class=\"std-texts\"",
        "did you mean `put`?",
    ] {
        position(words);
    }
    assert!(!page.contains("<script"));
    let tags = |page: &str| {
        let body = &page[page.find("<body>").expect("a body")..];
        body.match_indices('<')
            .map(|(at, _)| body[at..].split([' ', '>']).next().unwrap_or_default().to_owned())
            .collect::<Vec<_>>()
    };
    let mut hostile = common::hostile_page();
    let mut plain = hostile.clone();
    for it in plain.programs.iter_mut().flat_map(|it| &mut it.cases) {
        it.title = "plain".into();
    }
    hostile.title = "</title><script>alert(1)</script>".into();
    assert_eq!(tags(&page::render(&hostile)), tags(&page::render(&plain)));
}

/// Lists are data that is read on demand: the HTML of the page does not grow with them.
#[test]
fn a_large_page_is_mostly_data() {
    let body = |campaign: &Campaign| {
        let page = html::render(campaign);
        page[page.find("<main>").unwrap()..page.find("</main>").unwrap()].len()
    };
    let (small, large) = (body(&common::large(23, 10)), body(&common::large(460, 500)));
    assert!(large < small + small / 10, "{small} and {large}");
}
