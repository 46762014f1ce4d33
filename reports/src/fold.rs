//! Breaks long words for narrow terminals: a path is broken between its parts, not at the edge of the terminal.

use unicode_width::UnicodeWidthStr as _;

/// Words may be broken after these characters, the best first.
const ENDS: [fn(char) -> bool; 3] = [|c| c == '/', |c| c == ':', |c| c.is_ascii_punctuation()];

/// Breaks the words of a text that are wider than `room` columns: after a slash, a colon or similar, or in the middle of a
/// part that does not fit by itself. Other words stay as they are, for a table to wrap.
pub fn fold(text: &str, room: usize) -> String {
    let room = room.max(2);
    let word = |word: &str| lines(word, room, &ENDS).join("\n");
    let line = |line: &str| line.split(' ').map(word).collect::<Vec<_>>().join(" ");
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// A word on lines of at most `room` columns.
fn lines(word: &str, room: usize, ends: &[fn(char) -> bool]) -> Vec<String> {
    if word.width() <= room {
        return vec![word.to_owned()];
    }
    let parts: Vec<Vec<String>> = match ends {
        [end, worse @ ..] => word.split_inclusive(*end).map(|part| lines(part, room, worse)).collect(),
        [] => word.chars().map(|c| vec![c.to_string()]).collect(),
    };
    let mut lines: Vec<String> = Vec::new();
    for part in parts.into_iter().flatten() {
        match lines.last_mut() {
            Some(last) if last.width() + part.width() <= room => last.push_str(&part),
            _ => lines.push(part),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_broken_where_their_parts_end() {
        for (text, room, folded) in [
            ("src/select.rs", 13, "src/select.rs"),
            ("src/select.rs", 12, "src/\nselect.rs"),
            ("src/part_of_something.rs", 12, "src/part_of_\nsomething.rs"),
            ("GBS-1 src/one/two.rs:12:44 in serve", 12, "GBS-1 src/one/\ntwo.rs:12:44 in serve"),
            ("abcdefgh", 3, "abc\ndef\ngh"),
            ("一二三", 4, "一二\n三"),
            ("abcd\nefgh ijkl\n", 4, "abcd\nefgh ijkl\n"),
            ("ab", 0, "ab"),
            ("", 5, ""),
        ] {
            assert_eq!(fold(text, room), folded);
            let widest = folded.split(['\n', ' ']).map(|it| it.width()).max();
            assert!(widest <= Some(room.max(2)), "{folded}");
        }
    }
}
