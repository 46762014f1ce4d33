//! What is printed besides results, and in which colours: `--quiet`, `--verbose` and `--color`, for the whole process.

use std::env;
use std::io::{self, IsTerminal};
use std::sync::OnceLock;

use clap::{Args, ValueEnum};
use insyn_sequences::report::Environment;

/// The heading in the help.
const HEADING: &str = "Display";

/// What is printed besides the result. Every command has these.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct Display {
    /// Print no progress and no notes
    #[arg(short, long, global = true, help_heading = HEADING, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Print the commands that cargo runs
    #[arg(short, long, global = true, help_heading = HEADING)]
    pub(crate) verbose: bool,

    /// When to use colours [default: auto]
    #[arg(long, value_name = "WHEN", global = true, help_heading = HEADING)]
    pub(crate) color: Option<Color>,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    /// As cargo has it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Color::Auto => "auto",
            Color::Always => "always",
            Color::Never => "never",
        }
    }
}

static DISPLAY: OnceLock<Display> = OnceLock::new();

/// From now on the options hold.
pub(crate) fn set(display: Display) {
    // The options are read once.
    let _ = DISPLAY.set(display);
}

fn get() -> Display {
    DISPLAY.get().copied().unwrap_or_default()
}

/// Whether progress and notes are not wanted.
pub(crate) fn is_quiet() -> bool {
    get().quiet
}

/// Whether cargo is to print its commands.
pub(crate) fn is_verbose() -> bool {
    get().verbose
}

/// When to use colours, if the options say so.
pub(crate) fn color() -> Option<Color> {
    get().color
}

/// A text on standard output, in a colour if colours are wanted there.
pub(crate) fn out(paint: Paint, text: &str) -> String {
    if colours_out() { paint.on(text) } else { text.to_owned() }
}

/// Whether standard output is coloured.
pub(crate) fn colours_out() -> bool {
    is_coloured(io::stdout().is_terminal())
}

/// Whether standard error is coloured.
pub(crate) fn colours_err() -> bool {
    is_coloured(io::stderr().is_terminal())
}

/// Whether to colour: by the option, else as every report of insyn does.
fn is_coloured(is_terminal: bool) -> bool {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    let option = get().color.map(|color| color.word().into());
    let (no_color, color) = (set("NO_COLOR"), option.or_else(|| set("CARGO_TERM_COLOR")));
    Environment { is_terminal, no_color: no_color.as_deref(), color: color.as_deref(), locale: None }.colour()
}

/// A colour, as cargo uses them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paint {
    /// Headings and names.
    Bold,
    /// What is right, and what is being done.
    Good,
    /// What is wrong.
    Bad,
    /// What needs attention.
    Warning,
    /// What is said besides.
    Note,
    /// What matters less.
    Dim,
}

impl Paint {
    /// The text in this colour, for a terminal. Spaces around it are left alone.
    pub(crate) fn on(self, text: &str) -> String {
        let code = match self {
            Paint::Bold => "1",
            Paint::Good => "1;32",
            Paint::Bad => "1;31",
            Paint::Warning => "1;33",
            Paint::Note => "1;36",
            Paint::Dim => "2",
        };
        match text.is_empty() {
            true => String::new(),
            false => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_painted_where_there_is_nothing() {
        assert_eq!(Paint::Bad.on(""), "");
        assert_eq!(Paint::Bad.on("FAIL"), "\u{1b}[1;31mFAIL\u{1b}[0m");
    }
}
