//! The events of a process so far, as one number: equal numbers, equal events.

use std::collections::BTreeMap;
use std::fmt::Write;

/// Names an event: the `index`-th of `process`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct At {
    pub(super) process: u8,
    pub(super) index: u8,
}

/// What a receiving event took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pick {
    /// It is no receiving event.
    None,
    Nothing,
    /// Up to four partners.
    Partners([Option<At>; 4]),
}

impl Pick {
    pub(super) fn partners(partners: &[At]) -> Pick {
        assert!(partners.len() <= 4);
        Pick::Partners(std::array::from_fn(|i| partners.get(i).copied()))
    }
}

/// An event, without its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Token {
    pub(super) word: &'static str,
    /// The process of the object.
    pub(super) object: Option<u8>,
    pub(super) pick: Pick,
}

/// All histories that have occurred, as a tree: each is another one plus an event. The first ones, one for
/// each process, are empty.
pub(super) struct Histories {
    nodes: Vec<Node>,
    index: BTreeMap<(u32, Token), u32>,
}

#[derive(Clone, Copy)]
struct Node {
    len: u8,
    /// The history before the last event, and that event.
    last: Option<(u32, Token)>,
}

impl Histories {
    pub(super) fn new(processes: usize) -> Histories {
        Histories { nodes: vec![Node { len: 0, last: None }; processes], index: BTreeMap::new() }
    }

    /// The number of events.
    pub(super) fn len(&self, history: u32) -> u8 {
        self.nodes[history as usize].len
    }

    /// The history with one more event.
    pub(super) fn append(&mut self, history: u32, token: Token) -> u32 {
        let len = self.len(history) + 1;
        *self.index.entry((history, token)).or_insert_with(|| {
            self.nodes.push(Node { len, last: Some((history, token)) });
            self.nodes.len() as u32 - 1
        })
    }

    /// A line with the id of the process and its events.
    pub(super) fn render(
        &self,
        process: usize,
        history: u32,
        ids: &[String],
        names_objects: (bool, bool),
    ) -> String {
        let mut tokens = Vec::new();
        let mut node = self.nodes[history as usize];
        while let Some((before, token)) = node.last {
            tokens.push(token);
            node = self.nodes[before as usize];
        }
        let mut line = format!("{}:", ids[process]);
        for token in tokens.iter().rev() {
            write!(line, " | {}", token.render(process, ids, names_objects)).expect("a string takes it");
        }
        line
    }

    /// The event of a history with this index.
    pub(super) fn event(&self, history: u32, index: u8) -> Token {
        let mut node = self.nodes[history as usize];
        loop {
            let (before, token) = node.last.expect("it is that long");
            if node.len == index + 1 {
                return token;
            }
            node = self.nodes[before as usize];
        }
    }
}

impl Token {
    /// The event as text. Objects are named for threads, and where a completion is not on the object itself but on one
    /// that it is joined with.
    pub(super) fn render(
        self,
        process: usize,
        ids: &[String],
        (is_thread, is_thread_or_object): (bool, bool),
    ) -> String {
        let mut text = String::from(self.word);
        if let Some(object) = self.object
            && (is_thread || is_thread_or_object && usize::from(object) != process)
        {
            write!(text, " {}", ids[usize::from(object)]).expect("a string takes it");
        }
        match self.pick {
            Pick::None => {}
            Pick::Nothing => text.push_str(" = nothing"),
            Pick::Partners(partners) => {
                let name = |at: &At| format!("{}#{}", ids[usize::from(at.process)], at.index);
                let names: Vec<String> = partners.iter().flatten().map(name).collect();
                write!(text, " = {}", names.join(" + ")).expect("a string takes it");
            }
        }
        text
    }
}
