//! The progress of a long piece of work: a bar on a terminal, otherwise a line at its start and now and then.

use std::cell::Cell;
use std::io::{self, IsTerminal as _};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::display::{self, Paint};
use crate::exit::{label, say};

/// The time between two lines if there is no terminal: a log stays short.
const SILENCE: Duration = Duration::from_secs(30);

/// The column in which the first word of a line ends, as in what cargo prints.
const COLUMN: usize = 12;

/// The bar that is shown now, above which lines are printed.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Prints a line on standard error while work may be in progress.
pub(crate) fn aside(line: &str) {
    let shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match shown {
        Some(bar) => bar.suspend(|| say(line)),
        None => say(line),
    }
}

/// Prints a line in the form of cargo's: `    Exploring transfer`.
pub(crate) fn status(paint: Paint, word: &str, rest: &str) {
    if !display::is_quiet() {
        aside(&status_line(paint, word, rest, display::colours_err()));
    }
}

fn status_line(paint: Paint, word: &str, rest: &str, colour: bool) -> String {
    let indent = " ".repeat(COLUMN.saturating_sub(word.len()));
    let word = if colour { paint.on(word) } else { word.to_owned() };
    format!("{indent}{word} {rest}")
}

/// Where bars are drawn.
fn target() -> ProgressDrawTarget {
    if display::is_quiet() { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() }
}

/// Shows the progress of a piece of work until it is dropped.
pub(crate) struct Progress {
    name: String,
    bar: ProgressBar,
    /// When the next line is due.
    due: Cell<Instant>,
}

impl Progress {
    /// For work of unknown length, and what it is.
    pub(crate) fn new(word: &str, name: &str) -> Self {
        let bar = ProgressBar::with_draw_target(None, target()).with_prefix(name.to_owned());
        Self::with(word, name, name, bar, "{spinner} {prefix}: {msg} ({elapsed})")
    }

    /// For this many pieces of a kind.
    pub(crate) fn through(word: &str, pieces: usize, kind: &str) -> Self {
        let style = format!("{{wide_bar}} {{pos}}/{{len}} {kind}, {{msg}} ({{elapsed}}, {{eta}} to go)");
        let bar = ProgressBar::with_draw_target(Some(pieces as u64), target());
        Self::with(word, &format!("{pieces} {kind}"), kind, bar, &style)
    }

    fn with(word: &str, begun: &str, name: &str, bar: ProgressBar, template: &str) -> Self {
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(100));
        if bar.is_hidden() && !io::stderr().is_terminal() {
            status(Paint::Good, word, begun);
        }
        *SHOWN.lock().unwrap_or_else(PoisonError::into_inner) = Some(bar.clone());
        Progress { name: name.to_owned(), bar, due: Cell::new(Instant::now() + SILENCE) }
    }

    /// Shows the progress.
    pub(crate) fn show(&self, message: String) {
        if !self.bar.is_hidden() {
            self.bar.set_message(message);
        } else if let Some(line) = self.line(&message, Instant::now()).filter(|_| !display::is_quiet()) {
            label(Paint::Note, "note", &line);
        }
    }

    /// Counts another finished piece, and shows the progress.
    pub(crate) fn advance(&self, message: String) {
        self.bar.inc(1);
        self.show(message);
    }

    /// The line to print without a terminal, if one is due.
    fn line(&self, message: &str, now: Instant) -> Option<String> {
        if now < self.due.get() {
            return None;
        }
        self.due.set(now + SILENCE);
        let name = &self.name;
        Some(match self.bar.length() {
            Some(pieces) => format!("{} of {pieces} {name}, {message}", self.bar.position()),
            None => format!("{name}: {message}"),
        })
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        *SHOWN.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_line_now_and_then() {
        let progress = Progress::new("Exploring", "select");
        let start = progress.due.get();
        let line = |later| progress.line("3 sequences", start + later);
        assert_eq!(line(Duration::ZERO).as_deref(), Some("select: 3 sequences"));
        assert_eq!(line(SILENCE / 2), None);
        assert_eq!(line(SILENCE).as_deref(), Some("select: 3 sequences"));
        assert_eq!(line(SILENCE + SILENCE / 2), None);
    }

    #[test]
    fn pieces_are_counted() {
        let progress = Progress::through("Running", 7, "mutants");
        progress.advance("1 killed".to_owned());
        progress.advance("2 killed".to_owned());
        let due = progress.due.get();
        assert_eq!(progress.line("2 killed", due).as_deref(), Some("2 of 7 mutants, 2 killed"));
    }

    #[test]
    fn lines_are_aligned_with_those_of_cargo() {
        assert_eq!(status_line(Paint::Good, "Exploring", "transfer", false), "   Exploring transfer");
        assert_eq!(
            status_line(Paint::Good, "Running", "7", true),
            format!("     {} 7", Paint::Good.on("Running"))
        );
    }
}
