//! Texts that want to be more than texts: whatever stands in a campaign, each report keeps its own shape.

mod common;

use insyn_reports::diagram::{self, Diagram};
use insyn_reports::text::Style;
use insyn_reports::{github, html, junit, markdown, stryker, text};
use insyn_specs::file;
use insyn_verdicts::Campaign;
use proptest::prelude::*;
use unicode_width::UnicodeWidthStr as _;

/// The example with a text in all places where a program, its author or a compiler could have put it.
fn with(it: &str) -> Campaign {
    let mut campaign = common::example();
    let text = || it.to_owned();
    campaign.package = text();
    for program in &mut campaign.programs {
        (program.name, program.input) = (text(), Some(serde_json::json!({it: [it]})));
    }
    for test in &mut campaign.tests {
        (test.name, test.original.why) = (text(), text());
        test.sequence.iter_mut().for_each(|event| *event = text());
    }
    for mutant in &mut campaign.details {
        (mutant.function, mutant.description, mutant.replacement) = (text(), text(), text());
        (mutant.reason, mutant.diff, mutant.file, mutant.family) = (text(), text(), text(), text());
        for kill in &mut mutant.kills {
            kill.mutant.why = text();
        }
        if let Some(it) = &mut mutant.distinguishing {
            (it.mutant.why, it.original.why, it.test) = (text(), text(), Some(text()));
            it.sequence.iter_mut().for_each(|event| *event = text());
        }
    }
    campaign.sources = [(text(), text())].into();
    common::finish(campaign)
}

/// The names of all tags of a page, in order, and the lines of its data.
fn tags(page: &str) -> Vec<&str> {
    page.match_indices('<')
        .map(|(at, _)| page[at..].split(|c: char| c.is_whitespace() || c == '>').next().unwrap())
        .collect()
}

fn hostile() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        proptest::sample::select(common::HOSTILE.to_vec()).prop_map(str::to_owned),
        proptest::sample::select(vec![
            "<", ">", "&", "\"", "'", "|", "`", "\n", "\r", "%", "::", "]]>", "<!--", "\\", "🦀"
        ])
        .prop_map(str::to_owned),
        any::<char>().prop_map(String::from),
        "[ -~]{0,20}",
    ];
    proptest::collection::vec(pieces, 1..6).prop_map(|pieces| format!("x{}", pieces.concat()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn html_has_the_same_tags(it in hostile()) {
        let page = html::render(&with(&it));
        let plain = html::render(&with("plain"));
        prop_assert_eq!(tags(&page), tags(&plain));
        prop_assert!(page.chars().all(|c| c == '\n' || !c.is_control() || c == '\t' || c == '\r'));
    }

    #[test]
    fn junit_is_well_formed(it in hostile()) {
        let xml = junit::render(&with(&it));
        let document = roxmltree::Document::parse(&xml).unwrap();
        let cases: Vec<_> = document.descendants().filter(|node| node.has_tag_name("testcase")).collect();
        prop_assert_eq!(cases.len(), with(&it).details.len());
        let kept: String = it.chars().map(|c| if c.is_control() && !matches!(c, '\t' | '\n' | '\r') || matches!(c, '\u{fffe}' | '\u{ffff}') { '\u{fffd}' } else { c }).collect();
        prop_assert_eq!(cases[0].attribute("file"), Some(kept.as_str()));
    }

    #[test]
    fn stryker_keeps_every_text(it in hostile()) {
        let report: serde_json::Value = serde_json::from_str(&stryker::render(&with(&it))).unwrap();
        prop_assert_eq!(&report["files"][&it]["source"], &serde_json::Value::from(it.as_str()));
    }

    #[test]
    fn annotations_are_one_line_each(it in hostile()) {
        let text = github::render(&with(&it));
        prop_assert_eq!(text.lines().count(), 3);
        for line in text.split_terminator('\n') {
            prop_assert!(line.starts_with("::warning file=") || line.starts_with("::notice file="), "{}", line);
            prop_assert!(!line.contains('\r'));
            // Between the two marks there are the properties, and no more marks.
            let (properties, _) = line[2..].split_once("::").unwrap();
            prop_assert_eq!(properties.matches(',').count(), 5);
        }
    }

    #[test]
    fn markdown_has_the_same_tables(it in hostile()) {
        let shape = |text: &str| -> Vec<usize> {
            text.lines().map(|line| line.replace("\\\\", "").replace("\\|", "").matches('|').count()).collect()
        };
        let text = markdown::render(&with(&it));
        prop_assert_eq!(shape(&text), shape(&markdown::render(&with("plain"))));
        let tags = |text: &str| text.matches('<').count();
        prop_assert_eq!(tags(&text), tags(&markdown::render(&with("plain"))));
        prop_assert!(!text.contains('@'));
    }

    #[test]
    fn terminals_are_not_acted_on(it in hostile(), width in 30u16..120) {
        let text = text::render(&with(&it), Style { width, colour: false });
        prop_assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
        for line in text.lines() {
            prop_assert!(line.width() <= usize::from(width), "{} > {}: {:?}", line.width(), width, line);
        }
    }

    #[test]
    fn diagrams_keep_their_shape(it in hostile(), width in 30u16..120) {
        let mut sequence = common::server(&["deposit", "withdraw"]);
        for process in &mut sequence.processes {
            process.name = Some(format!("{}{it}", process.id));
            for event in &mut process.events {
                event.location = Some(insyn_sequences::Location { file: it.clone(), line: 1, column: 1 });
            }
        }
        let layout = Diagram::of(&sequence).unwrap();
        let svg = diagram::svg::render(&layout, &it);
        let document = roxmltree::Document::parse(&svg).unwrap();
        let events = document.descendants().filter(|node| node.attribute("class") == Some("std-event")).count();
        prop_assert_eq!(events, layout.rows.iter().map(|row| row.by.len()).sum::<usize>());
        let text = diagram::text::render(&layout, Style { width, colour: false });
        prop_assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
        for line in text.lines() {
            prop_assert!(line.width() <= usize::from(width), "{} > {}: {:?}", line.width(), width, line);
        }
    }
}

#[test]
fn long_messages_are_cut_where_they_would_be_in_the_way() {
    let campaign = with(&"<&\"long".repeat(1500));
    let summary = text::render(&campaign, Style::default());
    assert!(summary.len() < 100_000, "{}", summary.len());
    assert!(markdown::render(&campaign).len() < 60_000);
    assert!(github::render(&campaign).lines().all(|line| line.len() < 60_000));
    // The page has all of it.
    assert!(html::render(&campaign).contains(&"\\u003c&\\\"long".repeat(1500)));
}

#[test]
fn a_file_that_is_no_sequence_has_no_diagram() {
    for file in ["", "insyn: tests", "insyn: sequence\nversion: 9", "{"] {
        assert!(file::read(file).is_err());
        let mut campaign = common::example();
        campaign.tests.iter_mut().for_each(|test| test.file = Some(file.to_owned()));
        assert!(html::render(&campaign).contains("\"diagram\":null"));
    }
}
