//! What the papers count is what the tests of the targets check.

use std::fs;
use std::path::Path;

use serde_json::Value;
use target_checks::{Count, papers, table};

#[test]
fn the_counts_of_the_papers_are_checked_by_the_targets() {
    let counts = papers().expect("the file can be read");
    assert!(counts.iter().filter(|count| count.paper.is_some()).count() >= 14);
    let targets = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the targets");
    for count in counts {
        let path = targets.join(&count.package).join("expected.yaml");
        let text = fs::read_to_string(&path).expect("a target has its counts");
        let rows: Vec<Value> = insyn::specs::input::read(&text).expect("rows");
        let same = |row: &&Value| {
            row["program"] == count.program.as_str() && row.get("input") == count.input.as_ref()
        };
        let row = rows.iter().find(same).unwrap_or_else(|| panic!("{} has no row {count:?}", path.display()));
        assert_eq!(row["sequences"], count.sequences, "{count:?}");
    }
}

/// The lines of the table if this is what is found.
fn lines(found: impl Fn(&Count) -> u64) -> (Vec<String>, Result<(), String>) {
    let mut lines = Vec::new();
    let counts = papers().expect("the file can be read");
    let result = table(&counts, |count| Ok(found(count)), |line| lines.push(line));
    (lines, result)
}

#[test]
fn the_guide_shows_the_table() {
    let (lines, result) = lines(|count| count.sequences);
    assert_eq!(result, Ok(()));
    let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide.md");
    let guide = fs::read_to_string(guide).expect("there is a guide");
    let shown = format!("$ cargo run -p target-checks --example counts\n{}\n", lines.join("\n"));
    assert!(guide.contains(&shown), "the guide does not show\n{shown}");
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{shown}");
}

#[test]
fn a_count_that_differs_is_marked() {
    let (lines, result) = lines(|count| count.sequences + u64::from(count.package == "prod-cons"));
    assert_eq!(result, Err("1 of 18 are not as expected".to_owned()));
    let marked: Vec<&String> = lines.iter().filter(|line| line.starts_with('≠')).collect();
    assert!(matches!(marked[..], [row] if row.contains(" 420 ") && row.contains(" 421 ")), "{marked:?}");
}
