//! Hostile texts: whatever texts a campaign contains, each report keeps its structure.

mod common;

use insyn_reports::diagram::{self, Diagram};
use insyn_reports::text::Style;
use insyn_reports::{github, html, junit, markdown, stryker, text};
use insyn_specs::file;
use insyn_verdicts::mutant::Departure;
use insyn_verdicts::{Campaign, Status};
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
        (mutant.id, mutant.operator) = (text(), text());
        for kill in &mut mutant.kills {
            kill.mutant.why = text();
        }
        for rejection in &mut mutant.rejections {
            rejection.why = text();
            rejection.sequence.iter_mut().for_each(|event| *event = text());
        }
        if let Some(it) = &mut mutant.distinguishing {
            (it.mutant.why, it.original.why, it.test) = (text(), text(), Some(text()));
            it.sequence.iter_mut().for_each(|event| *event = text());
            it.departure = Some(Departure::At { event: text(), mutant: text(), original: text() });
            for result in it.mutant.results.iter_mut().chain(&mut it.original.results) {
                result.output = Some(serde_json::json!({it.sequence[0].clone(): [text()]}));
            }
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

/// Whether a character changes the direction of the text around it.
fn turns(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Characters that change the direction of a text are shown as escapes in reports for people; documents for machines keep them.
#[test]
fn directions_are_written_out() {
    let all =
        "\u{61c}\u{200e}\u{200f}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}";
    let campaign = with(&format!("if {all}}} ⟵ {{"));
    let page = html::render(&campaign);
    let style = Style::default();
    let shown = [
        &page,
        &junit::render(&campaign),
        &markdown::render(&campaign),
        &github::render(&campaign, ""),
        &text::render(&campaign, style),
    ]
    .map(|it| it.to_owned());
    for text in shown {
        assert!(!text.contains(turns), "{text}");
        assert!(text.replace(['\n', ' '], "").contains("u{202e}"), "{text}");
    }
    // In the data of the page, a script reads a backslash from two.
    assert!(page.contains(r"if \\u{61c}\\u{200e}"));
    let kept: serde_json::Value = serde_json::from_str(&stryker::render(&campaign)).unwrap();
    assert!(kept["files"].as_object().unwrap().keys().all(|name| name.contains(all)));
}

/// The reason of each mutant, in several lines.
fn in_lines(status: Status) -> Campaign {
    let mut campaign = common::example();
    for mutant in &mut campaign.details {
        (mutant.status, mutant.distinguishing) = (status, None);
        mutant.rejections.clear();
        mutant.reason =
            "E0382: use of moved value: `job`\n  moved in the loop\r\n\n  clone it | or <b>not</b>\n".into();
    }
    common::finish(campaign)
}

#[test]
fn reasons_keep_their_lines() {
    let survivors = in_lines(Status::Survived);
    let annotations = github::render(&survivors, "");
    assert!(
        annotations.contains("`job`%0A  moved in the loop%0A%0A  clone it | or <b>not</b>\n"),
        "{annotations}"
    );
    let list = markdown::render(&survivors);
    let item = r"\`job\`<br>  moved in the loop<br><br>  clone it \| or &lt;b&gt;not&lt;/b&gt;";
    assert!(list.contains(item), "{list}");
    let summary = text::render(&survivors, Style::default());
    let cell = "`job`\n            moved in the loop\n\n            clone it | or <b>not</b>\n";
    assert!(summary.contains(cell), "{summary}");
    let xml = junit::render(&survivors);
    let document = roxmltree::Document::parse(&xml).unwrap();
    let failure = document.descendants().find(|node| node.has_tag_name("failure")).unwrap();
    assert!(failure.attribute("message").unwrap().contains("`job`\n  moved in the loop\r\n"));
    // A very long reason is cut in a list.
    let mut endless = survivors;
    endless.details.iter_mut().for_each(|it| it.reason = "and so on\n".repeat(5_000));
    let lines =
        text::render(&endless, Style::default()).lines().filter(|line| line.contains("and so on")).count();
    assert_eq!(lines, 20 * endless.details.len());
    assert!(github::render(&endless, "").lines().all(|line| line.matches("%0A").count() < 25));
    assert!(markdown::render(&endless).lines().all(|line| line.matches("<br>").count() < 31));
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
        let mut kept = String::new();
        for c in it.chars() {
            match c {
                c if turns(c) => kept.extend(c.escape_unicode()),
                '\t' | '\n' | '\r' => kept.push(c),
                c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => kept.push('\u{fffd}'),
                c => kept.push(c),
            }
        }
        prop_assert_eq!(cases[0].attribute("file"), Some(kept.as_str()));
    }

    #[test]
    fn stryker_keeps_every_text(it in hostile()) {
        let report: serde_json::Value = serde_json::from_str(&stryker::render(&with(&it))).unwrap();
        prop_assert_eq!(&report["files"][&it]["source"], &serde_json::Value::from(it.as_str()));
    }

    #[test]
    fn annotations_are_one_line_each(it in hostile()) {
        let text = github::render(&with(&it), "");
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
        // A reason of several lines keeps them.
        let tags = |text: &str| text.replace("<br>", "").matches('<').count();
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
    assert!(github::render(&campaign, "").lines().all(|line| line.len() < 60_000));
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
