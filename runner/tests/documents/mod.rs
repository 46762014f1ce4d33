//! The content of documents: their blocks, and the commands in them.

use std::path::Path;

pub(crate) fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace")
}

/// The fenced blocks of a document: their language, and their lines.
pub(crate) fn blocks(text: &str) -> Vec<(&str, Vec<&str>)> {
    let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match line.trim_start().strip_prefix("```") {
            Some(language) if !inside => {
                found.push((language.trim(), Vec::new()));
                inside = true;
            }
            Some(_) => inside = false,
            None if inside => found.last_mut().expect("a block is open").1.push(line),
            None => {}
        }
    }
    assert!(!inside, "a block is not closed");
    found
}

/// The words of a shell command, up to a redirection, another command, or a comment.
pub(crate) fn words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted) = (Vec::new(), None::<String>, false);
    for c in text.chars() {
        match c {
            '\'' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            ' ' if !quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    let end = words.iter().position(|word| [">", ">>", "|", "||", "&&", "#"].contains(&word.as_str()));
    words.truncate(end.unwrap_or(words.len()));
    words
}

/// The commands of a block that begin with `$ cargo insyn`, each with the output that is shown under it.
pub(crate) fn shown<'b>(lines: &[&'b str]) -> Vec<(&'b str, Vec<&'b str>)> {
    let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in lines {
        match (line.strip_prefix("$ cargo insyn "), found.last_mut()) {
            (Some(command), _) => found.push((command, Vec::new())),
            (None, Some((_, output))) => output.push(line),
            (None, None) => {}
        }
    }
    found
}

/// Whether an output is the one that is shown, in which `…` stands for any number of lines.
pub(crate) fn is_shown(shown: &[&str], said: &[&str]) -> bool {
    match (shown, said) {
        ([], []) => true,
        (["…", rest @ ..], _) => (0..=said.len()).any(|left_out| is_shown(rest, &said[left_out..])),
        ([line, rest @ ..], [first, others @ ..]) => line == first && is_shown(rest, others),
        _ => false,
    }
}
