//! Escapes texts that a program or its author chose, for the format that they are put into.

use std::fmt::Write as _;

use insyn_sequences::harmless;

/// For HTML and XML, between tags and in attributes. Characters that XML does not allow become U+FFFD. Characters that change the direction of a text
/// are shown as escapes, since they can make a line look like another one.
pub(crate) fn markup(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c if harmless::acts(c) && !c.is_control() => safe.extend(c.escape_unicode()),
            c if is_character(c) => safe.push(c),
            _ => safe.push(char::REPLACEMENT_CHARACTER),
        }
    }
    safe
}

/// As [`markup`], and keeps line breaks and tabs in an attribute.
pub(crate) fn attribute(text: &str) -> String {
    markup(text).replace('\n', "&#10;").replace('\r', "&#13;").replace('\t', "&#9;")
}

/// Whether XML 1.0 allows a character. It allows some control characters of terminals, which are excluded here.
fn is_character(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r') || !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}')
}

/// JSON within a script element: it cannot contain the end of the element, the start of a comment, or anything that HTML
/// never allows. Characters that change the direction of a text are shown as escapes.
pub(crate) fn script(json: &str) -> String {
    // In JSON these occur only within strings, where they can be escaped.
    let is_special = |c: char| matches!(c, '<' | '\u{2028}' | '\u{2029}') || harmless::acts(c);
    let mut safe = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find(is_special) {
        let c = rest[at..].chars().next().expect("it was found there");
        safe.push_str(&rest[..at]);
        match harmless::acts(c) && !c.is_control() {
            true => write!(safe, "\\{}", c.escape_unicode()),
            false => write!(safe, "\\u{:04x}", u32::from(c)),
        }
        .expect("a string takes any text");
        rest = &rest[at + c.len_utf8()..];
    }
    safe + rest
}

/// For a terminal: no control characters, on one line.
pub(crate) fn terminal(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => safe.push(' '),
            c if harmless::acts(c) => safe.extend(c.escape_unicode()),
            c => safe.push(c),
        }
    }
    safe
}

/// In a list of mutants, a reason has at most this many lines.
const MOST_LINES: usize = 20;

/// As [`terminal`], but keeps the lines of a text, or the first of very many.
pub(crate) fn lines(text: &str) -> String {
    let mut lines: Vec<String> = text.trim_end().lines().take(MOST_LINES + 1).map(terminal).collect();
    if lines.len() > MOST_LINES {
        lines[MOST_LINES] = "…".to_owned();
    }
    lines.join("\n")
}

/// For a cell of a Markdown table or a line of a list: on one line, and without markup.
pub(crate) fn markdown(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in terminal(text).chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            // An `@` would mention a user, a `#` would link to an issue.
            '@' | '#' => write!(safe, "&#{};", u32::from(c)).expect("a string takes any text"),
            // Only between words, since no text is at the start of a line.
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '$' => {
                safe.push('\\');
                safe.push(c);
            }
            c => safe.push(c),
        }
    }
    safe
}

/// As [`markdown`], but keeps the lines of a text.
pub(crate) fn markdown_lines(text: &str) -> String {
    lines(text).lines().map(markdown).collect::<Vec<_>>().join("<br>")
}

/// Code within a line of Markdown, in a table too.
pub(crate) fn markdown_code(text: &str) -> String {
    format!("<code>{}</code>", markdown(text))
}

/// The value of a property of a GitHub annotation.
pub(crate) fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

/// The message of a GitHub annotation.
pub(crate) fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The text, cut after `longest` characters.
pub(crate) fn cut(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        None => text.to_owned(),
        Some(_) => text.chars().take(longest.saturating_sub(1)).chain(['…']).collect(),
    }
}
