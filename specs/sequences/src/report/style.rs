//! How a report is set: its width, its colours, and which characters it may use.

use std::ffi::OsStr;

/// How a report is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// The number of columns.
    pub width: usize,
    /// Whether there are colours.
    pub colour: bool,
    /// Whether there are characters beyond ASCII.
    pub unicode: bool,
    /// Whether every step is shown, also those that do not matter for the failure.
    pub full: bool,
    /// Whether the headline and messages are broken to the width too. A test must not do that: what its panic message
    /// contains would depend on the terminal.
    pub wrap: bool,
}

impl Default for Style {
    fn default() -> Self {
        Style { width: crate::text::WIDTH, colour: false, unicode: true, full: false, wrap: false }
    }
}

/// What the environment says about colours and characters, given as the values of variables.
#[derive(Clone, Copy, Debug, Default)]
pub struct Environment<'e> {
    /// Whether the text goes to a terminal.
    pub is_terminal: bool,
    /// `NO_COLOR`.
    pub no_color: Option<&'e OsStr>,
    /// `CARGO_TERM_COLOR`, or an option that takes its place.
    pub color: Option<&'e OsStr>,
    /// The first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set and not empty.
    pub locale: Option<&'e OsStr>,
}

impl Environment<'_> {
    /// Whether to colour: on terminals, unless `NO_COLOR` has a value (<https://no-color.org>); `always` and `never` decide
    /// before both.
    pub fn colour(&self) -> bool {
        match self.color.and_then(OsStr::to_str) {
            Some("always") => true,
            Some("never") => false,
            _ => self.is_terminal && self.no_color.is_none_or(OsStr::is_empty),
        }
    }

    /// Whether characters beyond ASCII can be shown: the locale says so, or there is none. (Without one there is usually no
    /// terminal either, but a file or a service that takes UTF-8.)
    pub fn unicode(&self) -> bool {
        let Some(locale) = self.locale else { return true };
        let locale = locale.to_string_lossy().to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    }
}

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    Plain,
    /// What failed.
    Wrong,
    /// Names of threads, and words at the left.
    Strong,
    /// Places in the source.
    Faint,
}

impl Style {
    /// The text in the colour of what it is.
    pub(crate) fn paint(&self, ink: Ink, text: &str) -> String {
        let code = match ink {
            _ if !self.colour || text.is_empty() => return text.to_owned(),
            Ink::Plain => return text.to_owned(),
            Ink::Wrong => "1;31",
            Ink::Strong => "1",
            Ink::Faint => "2",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }

    /// Where a thread is blocked.
    pub(crate) fn blocked(&self) -> &'static str {
        if self.unicode { "⛔" } else { "BLOCKED" }
    }

    /// Where something failed.
    pub(crate) fn failed(&self) -> &'static str {
        if self.unicode { "✗" } else { "FAILED" }
    }

    /// Stands for what is left out.
    pub(crate) fn dots(&self) -> &'static str {
        if self.unicode { "…" } else { "..." }
    }

    /// The text in characters that can be shown.
    pub(crate) fn plain(&self, text: &str) -> String {
        if self.unicode || text.is_ascii() {
            return text.to_owned();
        }
        let mut plain = String::with_capacity(text.len());
        for c in text.chars() {
            match c {
                '…' => plain.push_str("..."),
                c if c.is_ascii() => plain.push(c),
                c => plain.extend(c.escape_default()),
            }
        }
        plain
    }
}

/// How many columns a text takes on a terminal, for the characters that names and reports usually have.
pub(crate) fn columns(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

fn columns_of(c: char) -> usize {
    match u32::from(c) {
        0x300..=0x36f | 0x200b..=0x200d | 0xfe00..=0xfe0f => 0,
        0x1100..=0x115f
        | 0x26d4
        | 0x2e80..=0xa4cf
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f
        | 0xff00..=0xff60
        | 0xffe0..=0xffe6
        | 0x1f300..=0x1faff
        | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

/// The text, filled up with spaces to this many columns.
pub(crate) fn padded(text: &str, width: usize) -> String {
    let used = columns(text);
    format!("{text}{}", " ".repeat(width.saturating_sub(used)))
}

/// The text, or its end where it takes more than this many columns.
pub(crate) fn end_of(text: &str, width: usize, dots: &str) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let room = width.saturating_sub(columns(dots));
    let mut used = 0;
    let mut start = text.len();
    for (at, c) in text.char_indices().rev() {
        used += columns_of(c);
        if used > room {
            break;
        }
        start = at;
    }
    format!("{dots}{}", &text[start..])
}

/// The text, or its start where it takes more than this many columns.
pub(crate) fn start_of(text: &str, width: usize, dots: &str) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let room = width.saturating_sub(columns(dots));
    let mut used = 0;
    let fits = |c: &char| {
        used += columns_of(*c);
        used <= room
    };
    let start: String = text.chars().take_while(fits).collect();
    format!("{start}{dots}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_for_terminals_that_do_not_refuse_them() {
        let set = |value: &'static str| Some(OsStr::new(value));
        for (is_terminal, no_color, color, expected) in [
            (true, None, None, true),
            (true, set(""), None, true),
            (true, set("1"), None, false),
            (true, set("0"), set("auto"), false),
            (false, None, None, false),
            (false, set("1"), set("always"), true),
            (true, None, set("never"), false),
        ] {
            let environment = Environment { is_terminal, no_color, color, locale: None };
            assert_eq!(environment.colour(), expected, "{environment:?}");
        }
    }

    #[test]
    fn characters_are_those_of_the_locale() {
        let locale =
            |name: &'static str| Environment { locale: Some(OsStr::new(name)), ..Environment::default() };
        assert!(
            locale("de_DE.UTF-8").unicode() && locale("C.utf8").unicode() && Environment::default().unicode()
        );
        assert!(
            !locale("C").unicode() && !locale("POSIX").unicode() && !locale("de_DE.ISO-8859-1").unicode()
        );
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(
            (columns("⛔"), columns("✗"), columns("鎖🦀"), columns("é"), columns("e\u{301}")),
            (2, 1, 4, 1, 1)
        );
        assert_eq!(end_of("鎖鎖鎖", 5, "…"), "…鎖鎖");
        assert_eq!(end_of("abcdef", 5, "..."), "...ef");
        assert_eq!(start_of("abcdef", 5, "…"), "abcd…");
        assert_eq!(padded("鎖", 4), "鎖  ");
    }
}
