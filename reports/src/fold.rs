//! Long words on narrow terminals: a path is broken where its parts end, not where the terminal does.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Breaks the words of a text that are wider than `room` columns: after a slash, a colon or the like, or in the middle of a
/// part that does not fit by itself. Other words stay as they are, for a table to wrap.
pub fn fold(text: &str, room: usize) -> String {
    let fold = |word: &str| if word.width() <= room { word.to_owned() } else { fold_word(word, room.max(2)) };
    text.split(' ').map(fold).collect::<Vec<_>>().join(" ")
}

fn fold_word(word: &str, room: usize) -> String {
    let mut folded = String::new();
    let mut used = 0;
    for part in word.split_inclusive(|c: char| c.is_ascii_punctuation()) {
        if used > 0 && used + part.width() > room {
            folded.push('\n');
            used = 0;
        }
        for c in part.chars() {
            let wide = c.width().unwrap_or(0);
            if used + wide > room {
                folded.push('\n');
                used = 0;
            }
            folded.push(c);
            used += wide;
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_broken_where_their_parts_end() {
        for (text, room, folded) in [
            ("src/select.rs", 13, "src/select.rs"),
            ("src/select.rs", 12, "src/\nselect.rs"),
            ("src/part_of_something.rs", 11, "src/\npart_of_\nsomething.\nrs"),
            ("GBS-1 src/one/two.rs:12:44 in serve", 12, "GBS-1 src/one/\ntwo.rs:12:44 in serve"),
            ("abcdefgh", 3, "abc\ndef\ngh"),
            ("一二三", 4, "一二\n三"),
            ("ab", 0, "ab"),
            ("", 5, ""),
        ] {
            assert_eq!(fold(text, room), folded);
            let widest = folded.split(['\n', ' ']).map(|it| it.width()).max();
            assert!(widest <= Some(room.max(2)), "{folded}");
        }
    }
}
