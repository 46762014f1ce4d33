//! The automaton of a specification for an input, as a graph: its states, and the events that lead from one to another.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;

use super::instance::{Instance, State};
use super::value::Slot;
use crate::problem::Problem;
use crate::word::Letter;

/// An automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// Its states; the first is where words begin. They come in the order of their distance from it.
    pub states: Vec<GraphState>,
    /// What leads from where to where, in the order of the states and then of the events in the file.
    pub edges: Vec<GraphEdge>,
    /// How many states are next to these, and left out because there are too many.
    pub left_out: usize,
}

/// A state of an automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphState {
    /// The values of the variables: `full = 1`.
    pub values: Vec<String>,
    /// Whether a sequence may end in it.
    pub accepts: bool,
    /// Whether a valid sequence can come from it. True of every state if some are left out, since those may decide.
    pub is_live: bool,
}

/// Events that lead from one state to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphEdge {
    /// The index of the state before.
    pub from: usize,
    /// The index of the state after.
    pub to: usize,
    /// The events, each with its arguments.
    pub letters: Vec<Letter>,
}

impl Instance {
    /// Its automaton, with at most so many states.
    ///
    /// # Errors
    /// If an argument has infinitely many values, or an expression cannot be computed.
    pub fn graph(&self, most: usize) -> Result<Graph, Problem> {
        let alphabet = self.alphabet()?;
        let mut places: BTreeMap<State, usize> = BTreeMap::from([(self.initial().clone(), 0)]);
        let mut waiting = VecDeque::from([self.initial().clone()]);
        let mut graph = Graph { states: Vec::new(), edges: Vec::new(), left_out: 0 };
        while let Some(state) = waiting.pop_front() {
            let from = graph.states.len();
            let mut edges: Vec<GraphEdge> = Vec::new();
            for letter in &alphabet {
                let Ok(next) = self.step(&state, letter)? else { continue };
                let fresh = places.len();
                let to = *places.entry(next.clone()).or_insert(fresh);
                if to == fresh && fresh < most {
                    waiting.push_back(next);
                }
                match edges.iter_mut().find(|edge| edge.to == to) {
                    Some(edge) => edge.letters.push(letter.clone()),
                    None => edges.push(GraphEdge { from, to, letters: vec![letter.clone()] }),
                }
            }
            let accepts = self.end(&state)?.is_none();
            graph.states.push(GraphState { values: self.values(&state), accepts, is_live: accepts });
            graph.edges.extend(edges);
        }
        graph.left_out = places.len() - graph.states.len();
        let known = graph.states.len();
        graph.edges.retain(|edge| edge.to < known);
        graph.mark_live();
        Ok(graph)
    }

    /// Whether some valid beginning of a word has this event, as far as so many states show.
    ///
    /// # Errors
    /// If an expression cannot be computed.
    pub(crate) fn reaches(&self, event: usize, most: usize) -> Result<bool, Problem> {
        let Ok(alphabet) = self.alphabet() else {
            // Then the states are not known. An event that nothing restricts can happen in each.
            let spec = self.spec();
            let is_named = |it: &super::Constraint| it.terms.iter().any(|term| term.event == event);
            return Ok(spec.events[event].when.is_none() && !spec.constraints.iter().any(is_named));
        };
        let mut seen = std::collections::BTreeSet::from([self.initial().clone()]);
        let mut waiting = VecDeque::from([self.initial().clone()]);
        while let Some(state) = waiting.pop_front() {
            for letter in &alphabet {
                let Ok(next) = self.step(&state, letter)? else { continue };
                if letter.event == event {
                    return Ok(true);
                }
                if seen.len() < most && seen.insert(next.clone()) {
                    waiting.push_back(next);
                }
            }
        }
        Ok(false)
    }

    /// The values of the variables in a state.
    fn values(&self, state: &State) -> Vec<String> {
        let shown = |slot: &Slot| match slot {
            Slot::One(value) => value.to_string(),
            Slot::Many { values, .. } => {
                let all: Vec<String> = values.iter().map(ToString::to_string).collect();
                format!("[{}]", all.join(", "))
            }
        };
        let names = self.spec().state.iter().map(|variable| &variable.name);
        names.zip(state.slots()).map(|(name, slot)| format!("{name} = {}", shown(slot))).collect()
    }
}

impl Graph {
    fn mark_live(&mut self) {
        if self.left_out > 0 {
            self.states.iter_mut().for_each(|state| state.is_live = true);
            return;
        }
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.states.len()];
        for edge in &self.edges {
            before[edge.to].push(edge.from);
        }
        let mut visit: Vec<usize> = (0..self.states.len()).filter(|&it| self.states[it].accepts).collect();
        while let Some(at) = visit.pop() {
            for &from in &before[at] {
                if !std::mem::replace(&mut self.states[from].is_live, true) {
                    visit.push(from);
                }
            }
        }
    }

    /// The graph in the language of Mermaid. Accepting states have a double border; grey ones lead to no valid sequence.
    pub fn mermaid(&self) -> String {
        let mut text = String::from("flowchart LR\n  begin(( )) --> s0\n");
        for (n, state) in self.states.iter().enumerate() {
            let [open, close] = if state.accepts { ["([", "])"] } else { ["[", "]"] };
            let class = match (state.accepts, state.is_live) {
                (true, _) => ":::accepts",
                (false, true) => "",
                (false, false) => ":::dead",
            };
            line(
                &mut text,
                format_args!("  s{n}{open}\"{}\"{close}{class}", state.label(n, entities, "<br>")),
            );
        }
        for edge in &self.edges {
            let label = entities(&edge.label());
            line(&mut text, format_args!("  s{} -- \"{label}\" --> s{}", edge.from, edge.to));
        }
        if let Some(sentence) = self.sentence() {
            line(&mut text, format_args!("  more[\"{}\"]:::dead", entities(&sentence)));
        }
        text.push_str(
            "  classDef accepts stroke-width:3px\n  classDef dead fill:none,stroke:#999,color:#999\n",
        );
        text
    }

    /// The graph in the language of Graphviz, drawn likewise.
    pub fn dot(&self, name: &str) -> String {
        let mut text = String::new();
        line(&mut text, format_args!("digraph \"{}\" {{", quoted(name)));
        text.push_str("  rankdir=LR\n  node [shape=box]\n  begin [shape=point]\n  begin -> s0\n");
        for (n, state) in self.states.iter().enumerate() {
            let style = match (state.accepts, state.is_live) {
                (true, _) => ", peripheries=2",
                (false, true) => "",
                (false, false) => ", color=gray, fontcolor=gray",
            };
            line(&mut text, format_args!("  s{n} [label=\"{}\"{style}]", state.label(n, quoted, "\\n")));
        }
        for edge in &self.edges {
            let label = quoted(&edge.label());
            line(&mut text, format_args!("  s{} -> s{} [label=\"{label}\"]", edge.from, edge.to));
        }
        if let Some(sentence) = self.sentence() {
            line(&mut text, format_args!("  more [shape=plaintext, label=\"{}\"]", quoted(&sentence)));
        }
        text.push_str("}\n");
        text
    }

    /// Says how many states are not shown.
    pub fn sentence(&self) -> Option<String> {
        let states = if self.left_out == 1 { "state" } else { "states" };
        (self.left_out > 0).then(|| format!("{} more {states} next to these", self.left_out))
    }
}

impl GraphState {
    fn label(&self, n: usize, escape: impl Fn(&str) -> String, separator: &str) -> String {
        match self.values.is_empty() {
            true => n.to_string(),
            false => self.values.iter().map(|it| escape(it)).collect::<Vec<_>>().join(separator),
        }
    }
}

impl GraphEdge {
    /// The events, with commas between them. Of many, the first, and how many more there are.
    fn label(&self) -> String {
        const MOST: usize = 6;
        let shown: Vec<String> = self.letters.iter().take(MOST).map(ToString::to_string).collect();
        match self.letters.len().saturating_sub(MOST) {
            0 => shown.join(", "),
            more => format!("{} and {more} more", shown.join(", ")),
        }
    }
}

fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("a string takes any text");
}

/// A text inside double quotes in Mermaid, which knows characters by their numbers.
fn entities(text: &str) -> String {
    let mut all = String::new();
    for c in text.chars() {
        match c {
            c if c.is_alphanumeric() || " =,.()[]'-_+".contains(c) => all.push(c),
            c => write!(all, "#{};", u32::from(c)).expect("a string takes any text"),
        }
    }
    all
}

/// A text inside double quotes in DOT.
fn quoted(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect::<String>().replace('\\', "\\\\").replace('"', "\\\"")
}
