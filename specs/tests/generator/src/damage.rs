//! Texts that are wrong in one place or two.

use crate::Tape;

/// Pieces to put where they do not belong.
const PIECES: [&str; 44] = [
    "",
    " ",
    "\n",
    "\t",
    "\r\n",
    "-",
    "- ",
    ": ",
    ",",
    "#",
    "'",
    "\"",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    "&a ",
    "*a",
    "!t ",
    "|\n",
    "---\n",
    "...\n",
    "<<: ",
    "~",
    "0",
    "-1",
    "1e999",
    ".nan",
    "18446744073709551616",
    "true",
    "null",
    "\\",
    "\u{0}",
    "\u{7f}",
    "\u{85}",
    "\u{a0}",
    "\u{feff}",
    "\u{202e}",
    "é",
    "🦀",
    "@@ ",
    "+++ ",
];

/// A text with one to three parts removed, doubled, swapped, replaced or added.
pub fn damage(tape: &mut Tape<'_>, text: &str) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=tape.up_to(2) {
        let start = tape.below(chars.len() + 1);
        let end = (start + tape.up_to(8)).min(chars.len());
        match tape.below(6) {
            0 => drop(chars.splice(start..end, tape.word(&PIECES).chars())),
            1 => drop(chars.splice(start..start, tape.word(&PIECES).chars())),
            2 => drop(chars.drain(start..end)),
            3 => {
                let copy = chars[start..end].to_vec();
                drop(chars.splice(start..start, copy));
            }
            4 => lines(tape, &mut chars),
            _ => chars.truncate(start),
        }
    }
    chars.into_iter().collect()
}

/// Removes, doubles or swaps a line.
fn lines(tape: &mut Tape<'_>, chars: &mut Vec<char>) {
    let mut all: Vec<Vec<char>> = chars.split_inclusive(|&c| c == '\n').map(<[char]>::to_vec).collect();
    if all.is_empty() {
        return;
    }
    let (from, to) = (tape.below(all.len()), tape.below(all.len()));
    match tape.below(3) {
        0 => drop(all.remove(from)),
        1 => all.insert(to, all[from].clone()),
        _ => all.swap(from, to),
    }
    *chars = all.concat();
}
