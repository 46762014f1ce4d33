//! The progress of a long piece of work: a bar on a terminal, otherwise a line now and then.

use std::cell::Cell;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::output::note;

/// The time between two lines if there is no terminal: short work prints nothing, and a log stays short.
const SILENCE: Duration = Duration::from_secs(30);

/// Shows the progress of a piece of work until it is dropped.
pub(super) struct Progress {
    name: String,
    bar: ProgressBar,
    /// When the next line is due.
    due: Cell<Instant>,
}

impl Progress {
    /// For work of unknown length.
    pub(super) fn new(name: &str) -> Self {
        let bar = ProgressBar::new_spinner();
        bar.set_prefix(name.to_owned());
        Self::with(name, bar, "{spinner} {prefix}: {msg} ({elapsed})")
    }

    /// For this many pieces of a kind.
    pub(super) fn through(pieces: usize, kind: &str) -> Self {
        let style = format!("{{wide_bar}} {{pos}}/{{len}} {kind}, {{msg}} ({{elapsed}}, {{eta}} to go)");
        Self::with(kind, ProgressBar::new(pieces as u64), &style)
    }

    fn with(name: &str, bar: ProgressBar, template: &str) -> Self {
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(100));
        Progress { name: name.to_owned(), bar, due: Cell::new(Instant::now() + SILENCE) }
    }

    /// Shows the progress.
    pub(super) fn show(&self, message: String) {
        if self.bar.is_hidden() {
            if let Some(line) = self.line(&message, Instant::now()) {
                note(&line);
            }
        } else {
            self.bar.set_message(message);
        }
    }

    /// Counts another finished piece, and shows the progress.
    pub(super) fn advance(&self, message: String) {
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
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_line_now_and_then() {
        let progress = Progress::new("select");
        let start = progress.due.get();
        let line = |later| progress.line("3 sequences", start + later);
        assert_eq!(line(Duration::ZERO).as_deref(), Some("select: 3 sequences"));
        assert_eq!(line(SILENCE / 2), None);
        assert_eq!(line(SILENCE).as_deref(), Some("select: 3 sequences"));
        assert_eq!(line(SILENCE + SILENCE / 2), None);
    }

    #[test]
    fn pieces_are_counted() {
        let progress = Progress::through(7, "mutants");
        progress.advance("1 killed".to_owned());
        progress.advance("2 killed".to_owned());
        let due = progress.due.get();
        assert_eq!(progress.line("2 killed", due).as_deref(), Some("2 of 7 mutants, 2 killed"));
    }
}
