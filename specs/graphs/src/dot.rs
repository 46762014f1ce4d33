//! Graphs and models in the language of Graphviz.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::graph::{StateGraph, TransitionId};
use crate::lasso::Lasso;
use crate::model::Model;

/// A state graph as a drawing. A run is marked: its stem is blue, its cycle red and bold. Open states are dashed.
pub fn graph(graph: &StateGraph, run: Option<&Lasso>) -> String {
    let among = |ids: Option<&Vec<TransitionId>>| ids.into_iter().flatten().copied().collect::<BTreeSet<_>>();
    let (stem, cycle) = (among(run.map(|it| &it.stem)), among(run.map(|it| &it.cycle)));
    let mut text =
        String::from("digraph states {\n  node [shape=box];\n  start [shape=point];\n  start -> 0;\n");
    for state in graph.state_ids() {
        let style = if graph.is_open(state) { ", style=dashed" } else { "" };
        line(&mut text, format_args!("{} [label={}{style}]", state.0, quoted(&graph.describe(state))));
    }
    for id in graph.state_ids().flat_map(|it| graph.outgoing(it)) {
        let it = graph.transition(id);
        let label = quoted(&label(graph, id));
        let style = match (cycle.contains(&id), stem.contains(&id)) {
            (true, _) => ", color=red, penwidth=2",
            (_, true) => ", color=blue",
            _ => "",
        };
        line(&mut text, format_args!("{} -> {} [label={label}{style}]", it.from.0, it.to.0));
    }
    text.push_str("}\n");
    text
}

/// A model as a drawing. States in which a word may end have two circles.
pub fn model(model: &Model) -> String {
    let mut text = String::from("digraph model {\n  rankdir=LR;\n  start [shape=point];\n  start -> 0;\n");
    for state in 0..model.states() {
        let shape = if model.accepts_at(state) { "doublecircle" } else { "circle" };
        line(&mut text, format_args!("{state} [label=\"{state}\", shape={shape}]"));
    }
    for state in 0..model.states() {
        for (letter, target) in model.next(state) {
            line(&mut text, format_args!("{state} -> {target} [label={}]", quoted(letter)));
        }
    }
    text.push_str("}\n");
    text
}

/// Who makes a step, and which: `main, worker: send`.
pub(crate) fn label(graph: &StateGraph, id: TransitionId) -> String {
    let it = graph.transition(id);
    let mut label = graph.name(it.thread).to_owned();
    for other in it.threads.iter().filter(|&other| other != it.thread) {
        label.push_str(", ");
        label.push_str(graph.name(other));
    }
    label.push_str(": ");
    label.push_str(it.operation);
    label
}

fn line(text: &mut String, content: std::fmt::Arguments<'_>) {
    writeln!(text, "  {content};").expect("a string takes everything");
}

/// A text in quotes. Graphviz knows escapes such as `\N` in labels, so each backslash is doubled; control characters and those that
/// turn the direction of a text are shown as escapes.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            c if is_hostile(c) => {
                write!(quoted, "\\\\u{{{:x}}}", u32::from(c)).expect("a string takes everything")
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Control characters, and those that change the direction of a text.
fn is_hostile(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}
