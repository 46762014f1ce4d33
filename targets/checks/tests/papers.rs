//! What the papers count is what the tests of the targets check.

use std::fs;
use std::path::Path;

use serde_json::Value;

#[test]
fn the_counts_of_the_papers_are_checked_by_the_targets() {
    let counts = target_checks::papers().expect("the file can be read");
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
