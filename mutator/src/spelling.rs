//! Guesses the intended name for a misspelt one.

/// The most similar name, ignoring case, if more than half of its letters are right.
pub(crate) fn nearest(written: &str, names: impl IntoIterator<Item = &'static str>) -> Option<&'static str> {
    let written = written.to_lowercase();
    names
        .into_iter()
        .map(|name| (strsim::levenshtein(&written, &name.to_lowercase()), name))
        .filter(|(edits, name)| 2 * edits < written.chars().count().max(name.len()))
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, name)| name)
}
