//! Graphs and models in the Aldebaran format (`.aut`), which tools for labelled transition systems read.
//!
//! The format has no escapes, and some tools end a label at the first quote. So quotes, percent signs, backslashes, control characters
//! and everything that is not ASCII are written as `%` and the two hexadecimal digits of each byte, as in URLs. A label of a graph
//! begins with the name of a thread and a colon, so none is the name of a silent step (`i`, `tau`).

use std::fmt::Write;

use crate::dot::label;
use crate::graph::StateGraph;
use crate::model::Model;

/// A state graph. Labels are the names of the threads and the operation: `main: lock`.
pub fn graph(graph: &StateGraph) -> String {
    let ids = graph.state_ids().flat_map(|it| graph.outgoing(it));
    let lines = ids.map(|id| {
        let it = graph.transition(id);
        (it.from.0 as usize, label(graph, id), it.to.0 as usize)
    });
    render(graph.transitions(), graph.states(), lines)
}

/// A model. The format does not say where words may end: a state where they may has a step `accept` to itself, unless all states are
/// such.
pub fn model(model: &Model) -> String {
    let marks = if (0..model.states()).all(|it| model.accepts_at(it)) { 0..0 } else { 0..model.states() };
    let accepting = marks.filter(|&it| model.accepts_at(it)).map(|it| (it, "accept".to_owned(), it));
    let steps = (0..model.states())
        .flat_map(|from| model.next(from).map(move |(letter, to)| (from, format!("letter: {letter}"), to)));
    let lines: Vec<_> = steps.chain(accepting).collect();
    render(lines.len(), model.states(), lines.into_iter())
}

fn render(transitions: usize, states: usize, lines: impl Iterator<Item = (usize, String, usize)>) -> String {
    let mut text = format!("des (0, {transitions}, {states})\n");
    for (from, label, to) in lines {
        writeln!(text, "({from}, \"{}\", {to})", escaped(&label)).expect("a string takes everything");
    }
    text
}

fn escaped(label: &str) -> String {
    let mut escaped = String::with_capacity(label.len());
    for byte in label.bytes() {
        match byte {
            b'"' | b'%' | b'\\' | 0..=31 | 127.. => {
                write!(escaped, "%{byte:02x}").expect("a string takes everything")
            }
            _ => escaped.push(char::from(byte)),
        }
    }
    escaped
}
