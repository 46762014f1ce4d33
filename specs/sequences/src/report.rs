//! The text of a failure, for people: how many interleavings fail, the steps that lead to it with one column per thread, its
//! cause if it can be told, and what passes instead.
//!
//! ```text
//! deadlock in 1 of 3 interleavings (shortest: 4 steps)
//!   main                            t
//! 1 lock b           src/lib.rs:21
//! 2 lock a ⛔ held by t         :22
//! 3                                 lock a              src/lib.rs:14
//! 4                                 lock b ⛔ held by main        :15
//! cause   opposite lock order: main holds b and waits for a, t holds a and waits for b
//! ```
//!
//! Tests, `explore`, `check` and `replay` all print this text. Which steps are left out is defined in `scene.rs`, and what a
//! cause is in [`causes`].

mod passing;
mod rows;
mod style;
mod table;

pub use style::{Environment, Style};

use crate::causes;
use crate::failing::{Failing, Share};
use crate::harmless;
use crate::order::Order;
use crate::scene::Scene;
use crate::sequence::{Location, Sequence};
use crate::termination::Termination;
use style::Ink;
use table::fold;

/// The width of the words before a line.
const WORD: usize = 8;

/// The text of a failure, without what to do next.
pub fn render(sequence: &Sequence, failing: &Failing, style: &Style) -> String {
    render_with(sequence, failing, style, |_| None)
}

/// As [`render`], with a line of the source below each step that has one.
pub fn render_with(
    sequence: &Sequence,
    failing: &Failing,
    style: &Style,
    source: impl FnMut(&Location) -> Option<String>,
) -> String {
    let mut text = headline(failing, style);
    let order = match Order::of(sequence) {
        Ok(order) => order,
        Err(malformed) => return text + &format!("  (the sequence cannot be shown: {malformed})\n"),
    };
    let scene = Scene::of(&order, failing);
    text.push_str(&other_panics(&scene, style));
    let mut rows = rows::rows(&scene, style);
    rows::add_sources(&mut rows, source);
    let threads: Vec<(usize, String)> = (0..sequence.processes.len())
        .filter(|&process| rows.iter().flat_map(|row| &row.cells).any(|cell| cell.thread == Some(process)))
        .map(|process| (process, rows::name(&scene, process, style)))
        .collect();
    if !rows.is_empty() {
        text.push_str(&table::table(&rows, &threads, style));
    }
    let shown = scene.numbers.iter().flatten().count();
    let left_out = failing.steps.saturating_sub(shown);
    if left_out > 0 && !style.full {
        let steps = plural(left_out, "step", "steps");
        text.push_str(&line("", &format!("{left_out} {steps} not shown: unrelated to the failure"), style));
    }
    if let Some(cause) = causes::cause(&scene) {
        text.push_str(&line("cause", &style.plain(&cause.text(&scene)), style));
    }
    if let Some(passes) = passing::passes(&scene) {
        text.push_str(&line("passes", &style.plain(&passes), style));
    }
    text
}

/// How many steps a sequence has: what threads did. What several of them complete together is one step.
pub fn steps_of(sequence: &Sequence) -> usize {
    let Ok(order) = Order::of(sequence) else { return 0 };
    sequence
        .events()
        .map(|at| match sequence.is_thread(at.process) {
            true => usize::from(order.completion(at).is_none()),
            false => usize::from(order.completed(at).next().is_some()),
        })
        .sum()
}

/// What to do next with a failure that was saved in a file: a line for each command.
pub fn next(file: &str, style: &Style) -> String {
    let mut text = String::new();
    for (word, option) in [("replay", ""), ("all", " --full")] {
        // Commands are there to be copied, so they are not folded.
        let word = style.paint(Ink::Strong, &style::padded(word, WORD));
        text.push_str(&format!("{word}cargo insyn replay {file}{option}\n"));
    }
    text
}

/// How it ended, how often, and in how many steps; then what happened, if that says more.
fn headline(failing: &Failing, style: &Style) -> String {
    let steps = format!("{} {}", failing.steps, plural(failing.steps, "step", "steps"));
    let (head, steps) = match failing.share {
        Some(share) => (format!("{} in {}", failing.ended, many(share)), format!("(shortest: {steps})")),
        None => (failing.ended.clone(), format!("after {steps}")),
    };
    let mut text = String::new();
    let width = if style.wrap { style.width } else { usize::MAX };
    for (n, part) in fold(&format!("{head} {steps}"), width).into_iter().enumerate() {
        let indent = if n == 0 { "" } else { "  " };
        text.push_str(&format!("{indent}{}\n", style.paint(Ink::Wrong, &part)));
    }
    let is_deadlock = matches!(failing.termination, Termination::Deadlock | Termination::LocalDeadlock);
    let tells_more = !is_deadlock || failing.waiting.is_empty();
    if tells_more {
        text.push_str(&said(&failing.message, style));
    }
    text
}

/// What other threads panicked with before the failure.
fn other_panics(scene: &Scene<'_>, style: &Style) -> String {
    let panics = scene.failing.panics.iter().enumerate();
    let others =
        panics.filter(|&(n, it)| it.message != scene.failing.message && rows::is_shown(scene, style, n));
    others
        .map(|(_, it)| said(&format!("{} panicked: {}", scene.label_of(&it.thread), it.message), style))
        .collect()
}

/// A message of the program.
fn said(message: &str, style: &Style) -> String {
    let mut text = String::new();
    for message in style.plain(&harmless::text(message)).lines() {
        let indent = message.len() - message.trim_start().len();
        match style.wrap {
            true => fold(message, style.width.saturating_sub(2 + indent).max(1))
                .iter()
                .for_each(|part| text.push_str(&format!("  {:indent$}{part}\n", ""))),
            false => text.push_str(&format!("  {message}\n")),
        }
    }
    text
}

/// How many interleavings, of how many.
fn many(share: Share) -> String {
    let Share { failing, of, complete } = share;
    let rest = if complete { "" } else { " explored so far" };
    format!("{failing} of {of} {}{rest}", plural(of as usize, "interleaving", "interleavings"))
}

/// A line with a word before it; what does not fit continues below.
fn line(word: &str, text: &str, style: &Style) -> String {
    let room = style.width.saturating_sub(WORD).max(1);
    let head = style.paint(Ink::Strong, &style::padded(word, WORD));
    let folded = fold(text, room);
    let mut lines = String::new();
    for (n, part) in folded.iter().enumerate() {
        let start = if n == 0 { head.clone() } else { " ".repeat(WORD) };
        lines.push_str(format!("{start}{part}").trim_end());
        lines.push('\n');
    }
    lines
}

fn plural<'w>(count: usize, one: &'w str, many: &'w str) -> &'w str {
    if count == 1 { one } else { many }
}
