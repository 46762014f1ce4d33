//! The race-variant diagram: algorithm RV_RW, and the tree it builds as text and as a drawing.
//!
//! Steps by the paper's letters, in [`Grow::child`]: the index vector of a child node (a) is that of its parent with one
//! more event of thread `j`; the version vector (b) is that of its parent, and one more (d) if the event is a write.
//! If the version in `S` (c) and the one observed (e) are equal (f), the child is a prefix node, else a race-variant node.
//! Of prefix nodes with equal vectors one has children; the others are [`RvKind::Merged`] with it.
//!
//! The paper leaves open which unmarked node is selected next. Here it is the one that was made first, so of prefix
//! nodes with equal vectors the leftmost has the children; and nodes and race variants are numbered in the order in which
//! they stand in the text, each node before its children. (Figure 1, from which the paper numbers its example, is not
//! known to us. The variants are the same, under other numbers.)

use std::collections::{BTreeMap, VecDeque};
use std::fmt::{self, Write as _};

use super::{Access, RaceVariant, RwEvent, RwSequence};

/// The race-variant diagram of a sequence: a tree with a node for each of its prefixes, and one for each race variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RvDiagram {
    sequence: RwSequence,
    nodes: Vec<RvNode>,
}

/// A node of the diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RvNode {
    /// The node before it, as an index into [`RvDiagram::nodes`]; none for the root.
    pub parent: Option<usize>,
    /// The thread whose event leads here; none for the root.
    pub thread: Option<usize>,
    /// The index vector: for each thread how many of its events were executed.
    pub index: Vec<usize>,
    /// The version vector: for each variable its version then.
    pub versions: Vec<usize>,
    /// What it stands for.
    pub kind: RvKind,
}

/// What a node of the diagram stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RvKind {
    /// A prefix of the sequence.
    Prefix,
    /// The same prefix as another node, with equal vectors, reached by another order of concurrent events. The other one
    /// has the children.
    Merged {
        /// The other node.
        with: usize,
    },
    /// A race variant. It has no children.
    Variant {
        /// The number of the variant, from 1.
        number: usize,
    },
}

impl RvDiagram {
    /// Builds the diagram, if it has at most `most_nodes` nodes.
    pub(super) fn of(sequence: &RwSequence, most_nodes: usize) -> Option<RvDiagram> {
        let root = RvNode {
            parent: None,
            thread: None,
            index: vec![0; sequence.threads.len()],
            versions: vec![0; sequence.variables.len()],
            kind: RvKind::Prefix,
        };
        let mut grow = Grow {
            sequence,
            prefixes: BTreeMap::from([(root.index.clone(), 0)]),
            nodes: vec![root],
            children: vec![Vec::new()],
        };
        let mut unmarked = VecDeque::from([0]);
        while let Some(parent) = unmarked.pop_front() {
            for thread in 0..sequence.threads.len() {
                unmarked.extend(grow.child(parent, thread));
                if grow.nodes.len() > most_nodes {
                    return None;
                }
            }
        }
        Some(RvDiagram { sequence: sequence.clone(), nodes: grow.in_order() })
    }

    /// The nodes, each before its children, the root first.
    pub fn nodes(&self) -> &[RvNode] {
        &self.nodes
    }

    /// The event that leads to a node, with the version that it observes there, and its thread; none for the root.
    pub fn event(&self, node: &RvNode) -> Option<(usize, RwEvent)> {
        let thread = node.thread?;
        let mut event = *self.sequence.events.get(thread)?.get(node.index.get(thread)?.checked_sub(1)?)?;
        event.version = *node.versions.get(event.variable)?;
        Some((thread, event))
    }

    /// The race variants, by number.
    pub fn variants(&self) -> impl Iterator<Item = RaceVariant> + '_ {
        let variants = self.nodes.iter().filter(|node| matches!(node.kind, RvKind::Variant { .. }));
        variants.filter_map(|node| {
            let (thread, event) = self.event(node)?;
            let mut sequence = self.sequence.prefix(&node.index);
            *sequence.events[thread].last_mut()? = event;
            Some(RaceVariant { sequence, thread })
        })
    }

    /// The diagram as a drawing in the language of Graphviz: prefix nodes as boxes, race variants as dotted boxes, dashed
    /// lines between prefix nodes with equal vectors.
    pub fn to_dot(&self) -> String {
        let mut dot = String::from("digraph rv {\n  node [shape=box];\n");
        let mut line = |line: fmt::Arguments<'_>| writeln!(dot, "  {line}").expect("a string takes any text");
        for (i, node) in self.nodes.iter().enumerate() {
            let vectors = format!("{}\\n{}", vector(&node.index), vector(&node.versions));
            match node.kind {
                RvKind::Variant { number } => {
                    line(format_args!("n{i} [label=\"N{number}\\n{vectors}\", style=dotted];"))
                }
                _ => line(format_args!("n{i} [label=\"{vectors}\"];")),
            }
            if let Some(parent) = node.parent {
                let event = self.step(node).replace('\\', "\\\\").replace('"', "\\\"");
                line(format_args!("n{parent} -> n{i} [label=\"{event}\"];"));
            }
            if let RvKind::Merged { with } = node.kind {
                line(format_args!("n{with} -> n{i} [style=dashed, dir=none, constraint=false];"));
            }
        }
        dot.push_str("}\n");
        dot
    }

    /// The event that leads to a node: `1: R(A,0)`.
    fn step(&self, node: &RvNode) -> String {
        self.event(node).map_or_else(String::new, |(thread, event)| {
            format!("{}: {}", self.sequence.threads[thread], self.sequence.notation(event))
        })
    }
}

/// The tree as text: for each node the event that leads to it, its index vector and its version vector.
impl fmt::Display for RvDiagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |all: &[String]| all.join(", ");
        let (threads, variables) = (names(&self.sequence.threads), names(&self.sequence.variables));
        writeln!(f, "index of ({threads}), version of ({variables})")?;
        let mut last_child = vec![0; self.nodes.len()];
        for (i, node) in self.nodes.iter().enumerate() {
            last_child[node.parent.unwrap_or(0)] = i;
        }
        let is_last = |i: usize| self.nodes[i].parent.is_none_or(|parent| last_child[parent] == i);
        // The prefix of the lines of a node's children.
        let mut margins: Vec<String> = Vec::with_capacity(self.nodes.len());
        for (i, node) in self.nodes.iter().enumerate() {
            let margin = node.parent.map_or("", |parent| margins[parent].as_str());
            let (branch, below) = match (node.parent, is_last(i)) {
                (None, _) => ("", ""),
                (Some(_), true) => ("└─ ", "   "),
                (Some(_), false) => ("├─ ", "│  "),
            };
            write!(f, "{margin}{branch}")?;
            if node.parent.is_some() {
                write!(f, "{}  ", self.step(node))?;
            }
            write!(f, "{} {}", vector(&node.index), vector(&node.versions))?;
            match node.kind {
                RvKind::Prefix => {}
                RvKind::Merged { .. } => f.write_str("  merged, as above")?,
                RvKind::Variant { number } => write!(f, "  race variant N{number}")?,
            }
            f.write_str("\n")?;
            let margin = format!("{margin}{below}");
            margins.push(margin);
        }
        Ok(())
    }
}

fn vector(numbers: &[usize]) -> String {
    let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
    format!("({})", numbers.join(","))
}

/// A diagram while it is made, its nodes in the order in which they are made.
struct Grow<'s> {
    sequence: &'s RwSequence,
    nodes: Vec<RvNode>,
    children: Vec<Vec<usize>>,
    /// The first prefix node with each index vector. The index vector determines the version vector, since it determines which writes were executed.
    prefixes: BTreeMap<Vec<usize>, usize>,
}

impl Grow<'_> {
    /// Creates the child of a prefix node that one more event of a thread leads to, if there is one. Returns it if it is
    /// to get children of its own.
    fn child(&mut self, parent: usize, thread: usize) -> Option<usize> {
        let RvNode { index, versions, .. } = &self.nodes[parent];
        if !self.sequence.is_enabled(thread, index) {
            return None;
        }
        let event = self.sequence.events[thread][index[thread]];
        let (mut index, mut versions) = (index.clone(), versions.clone());
        index[thread] += 1;
        if event.access == Access::Write {
            versions[event.variable] += 1;
        }
        let child = self.nodes.len();
        let kind = if event.version != versions[event.variable] {
            // Numbered when all nodes exist.
            RvKind::Variant { number: 0 }
        } else if let Some(&with) = self.prefixes.get(&index) {
            RvKind::Merged { with }
        } else {
            self.prefixes.insert(index.clone(), child);
            RvKind::Prefix
        };
        self.nodes.push(RvNode { parent: Some(parent), thread: Some(thread), index, versions, kind });
        self.children.push(Vec::new());
        self.children[parent].push(child);
        (kind == RvKind::Prefix).then_some(child)
    }

    /// The nodes, each before its children, with race variants numbered in this order.
    fn in_order(self) -> Vec<RvNode> {
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut open = vec![0];
        while let Some(node) = open.pop() {
            order.push(node);
            open.extend(self.children[node].iter().rev());
        }
        let mut place = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            place[old] = new;
        }
        let mut made: Vec<Option<RvNode>> = self.nodes.into_iter().map(Some).collect();
        let mut variants = 0;
        let renumber = |old: usize| {
            let mut node = made[old].take().expect("each node stands in one place");
            node.parent = node.parent.map(|parent| place[parent]);
            match &mut node.kind {
                RvKind::Prefix => {}
                RvKind::Merged { with } => *with = place[*with],
                RvKind::Variant { number } => {
                    variants += 1;
                    *number = variants;
                }
            }
            node
        };
        order.into_iter().map(renumber).collect()
    }
}
