//! Guesses which word a misspelt one was meant to be.

/// The most similar word, if one is similar: more than half of the letters must be right.
pub(crate) fn nearest<T: AsRef<str>>(written: &str, words: impl IntoIterator<Item = T>) -> Option<T> {
    words
        .into_iter()
        .map(|word| (edits(written, word.as_ref()), word))
        .filter(|(edits, word)| 2 * edits < written.chars().count().max(word.as_ref().chars().count()))
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, word)| word)
}

/// How many letters must be inserted, deleted or replaced to turn one word into the other (Levenshtein).
fn edits(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    // `row[j]` is the distance from the letters of `from` seen so far to the first `j` letters of `to`.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_edits() {
        assert_eq!(edits("", "recv"), 4);
        assert_eq!(edits("recv", "recv"), 0);
        assert_eq!(edits("receive", "recv"), 3);
        assert_eq!(edits("kitten", "sitting"), 3);
    }

    #[test]
    fn guesses_only_what_is_alike() {
        let words = ["imports", "path"];
        assert_eq!(nearest("import", words), Some("imports"));
        assert_eq!(nearest("pth", words), Some("path"));
        assert_eq!(nearest("seed", words), None);
    }
}
