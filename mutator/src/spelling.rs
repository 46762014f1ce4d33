//! A guess at which name a misspelt one was meant to be.

/// The name most like what was written, whatever the case, if more than half of its letters are right.
pub(crate) fn nearest(written: &str, names: impl IntoIterator<Item = &'static str>) -> Option<&'static str> {
    let written = written.to_lowercase();
    names
        .into_iter()
        .map(|name| (edits(&written, &name.to_lowercase()), name))
        .filter(|(edits, name)| 2 * edits < written.chars().count().max(name.len()))
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, name)| name)
}

/// How many letters must be inserted, deleted or replaced to turn one word into the other (Levenshtein).
fn edits(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}
