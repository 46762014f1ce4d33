//! Many diffs, most of them intact: no panic, bounded memory, and the lines that they change.

use std::collections::{BTreeMap, BTreeSet};

use insyn_generator::{Limit, Tape, check};

use super::Lines;

const MEMORY: Limit = Limit { base: 64 << 10, per_byte: 256 };

/// Names of files, as a diff writes them after `+++ ` and as they are.
const FILES: [(&str, &str); 6] = [
    ("b/src/lib.rs", "src/lib.rs"),
    ("b/x/src/main.rs\t2024-01-01 00:00:00", "x/src/main.rs"),
    ("src/no_prefix.rs", "src/no_prefix.rs"),
    ("b/two words.rs", "two words.rs"),
    ("\"b/src/caf\\303\\251.rs\"", "src/café.rs"),
    ("\"b/a\\\"b\\\\c\\t.rs\"", "a\"b\\c\t.rs"),
];

/// What lines of a file may contain: some look like parts of a diff.
const CONTENTS: [&str; 9] = [
    "let x = 1;",
    "",
    "++ b/src/other.rs",
    "-- a/src/other.rs",
    "@@ -1,2 +1,2 @@",
    "diff --git a/x b/x",
    "\\ No newline",
    "é\u{85}🦀",
    " ",
];

type Changed = BTreeMap<String, BTreeSet<u32>>;

/// A hunk from a line on, and where the next one may begin.
fn hunk(tape: &mut Tape<'_>, start: u32, changed: &mut BTreeSet<u32>) -> (String, u32) {
    let (mut body, mut old, mut new) = (String::new(), 0, 0);
    for _ in 0..=tape.up_to(6) {
        let (sign, content) = (tape.word(&[" ", "+", "-"]), tape.word(&CONTENTS));
        if sign != " " {
            changed.insert(start + new);
        }
        new += u32::from(sign != "-");
        old += u32::from(sign != "+");
        // Some programs omit the space of an empty line.
        body += match (sign, content, tape.chance(20)) {
            (" ", "", true) => "",
            _ => sign,
        };
        body += &format!("{content}\n");
        if tape.chance(3) {
            body += "\\ No newline at end of file\n";
        }
    }
    let range = |tape: &mut Tape<'_>, count: u32| match count {
        1 if tape.chance(50) => start.to_string(),
        _ => format!("{start},{count}"),
    };
    let (old, ranges) = (range(tape, old), range(tape, new));
    (format!("@@ -{old} +{ranges} @@{}\n{body}", tape.word(&["", " fn f() {", " @@"])), start + new)
}

fn diff(tape: &mut Tape<'_>) -> (String, Changed) {
    let (mut text, mut all) = (String::new(), Changed::new());
    for _ in 0..=tape.up_to(2) {
        let (written, name) = tape.pick(&FILES);
        if tape.chance(60) {
            text += "diff --git a/x b/x\nindex 0123456..789abcd 100644\n";
        }
        let is_deleted = tape.chance(10);
        let to = if is_deleted { "/dev/null" } else { written };
        text += &format!("--- {}\n+++ {to}\n", tape.word(&["a/x", "/dev/null"]));
        let mut changed = BTreeSet::new();
        let mut start = 1;
        for _ in 0..tape.up_to(3) {
            let skipped = tape.up_to(40) as u32;
            let (hunk, next) = hunk(tape, start + skipped, &mut changed);
            text += &hunk;
            start = next;
        }
        if !is_deleted && !changed.is_empty() {
            all.entry((*name).to_owned()).or_default().extend(changed);
        }
    }
    if tape.chance(10) {
        text += "Only in b: binary\nBinary files a/x.png and b/x.png differ\n";
    }
    (text, all)
}

#[test]
fn diffs_change_the_lines_that_they_name() {
    // Every text is a diff: it counts as accepted if it names a line.
    let read = |text: &str| {
        let lines = Lines::read(text);
        (!lines.0.is_empty()).then_some(lines)
    };
    check("diff", MEMORY, diff, read, |_, found: Lines, meant, is_whole| {
        if is_whole {
            assert_eq!(found.0, *meant);
        }
    });
}
