//! Makes texts that a program chose safe to print on a terminal: control characters are escaped, and long texts are cut.

/// How many characters of a text are shown.
const LONGEST: usize = 1_000;

/// Whether a character acts on a terminal: a control character, or one that changes the direction of the text, which can make a line look
/// like another one.
pub fn acts(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text on one line, with characters that act on a terminal escaped.
pub fn line(text: &str) -> String {
    written_out(text, acts)
}

/// The text with its lines as they are, and all other characters that act on a terminal escaped.
pub fn lines(text: &str) -> String {
    written_out(text, |c| acts(c) && !matches!(c, '\n' | '\t'))
}

/// As [`lines`]; a very long text is cut, with the number of characters left out.
///
/// ```
/// use insyn_sequences::harmless;
///
/// assert_eq!(harmless::text("left: 1\nright: \u{1b}[31m2"), "left: 1\nright: \\u{1b}[31m2");
/// assert!(harmless::text(&"a".repeat(10_000)).ends_with("aaa… (9000 more characters)"));
/// ```
pub fn text(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        None => lines(text),
        Some((end, _)) => {
            format!("{}… ({} more characters)", lines(&text[..end]), text[end..].chars().count())
        }
    }
}

fn written_out(text: &str, which: impl Fn(char) -> bool) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if which(c) { safe.extend(c.escape_default()) } else { safe.push(c) }
    }
    safe
}

/// A name on one line, or its end where it is too long: the end of an id or a path says more than its start.
pub fn name(text: &str, longest: usize) -> String {
    end(&line(text), longest)
}

/// The text, or its end where it is longer than this many characters.
pub(crate) fn end(text: &str, longest: usize) -> String {
    let length = text.chars().count();
    if length <= longest {
        return text.to_owned();
    }
    std::iter::once('…').chain(text.chars().skip(length + 1 - longest)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_on_a_terminal_is_written_out() {
        assert_eq!(line("a\n\t\u{1b}[31m\u{202e}b\u{9b}"), "a\\n\\t\\u{1b}[31m\\u{202e}b\\u{9b}");
        assert_eq!(text("a\r\n\tb\u{2066}"), "a\\r\n\tb\\u{2066}");
        assert_eq!(line("\"🦀\" <'é'>"), "\"🦀\" <'é'>");
    }

    #[test]
    fn long_texts_are_cut_at_characters() {
        assert_eq!(text(&"🦀".repeat(LONGEST)), "🦀".repeat(LONGEST));
        let long = format!("{}… (1 more characters)", "🦀".repeat(LONGEST));
        assert_eq!(text(&"🦀".repeat(LONGEST + 1)), long);
        assert_eq!(name("main/thread1", 8), "…thread1");
        assert_eq!(name("\u{1b}", 40), "\\u{1b}");
    }
}
