//! Takes a YAML tree apart. Every error has its position and says what would be right.

use std::sync::Arc;

use insyn_sequences::Value;

use crate::problem::{Position, Problem, ProblemKind, did_you_mean};
use crate::yaml::{self, Content, Key, Node};

/// The file that is being read.
#[derive(Clone, Debug)]
pub(crate) struct Reader {
    pub(crate) file: Arc<str>,
}

/// A text in a file that has its own grammar.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) text: String,
    position: Position,
    /// Whether it appears verbatim in the file, starting at the position.
    verbatim: bool,
}

impl Source {
    /// The position of the character at an index; of the whole text if that is not known.
    pub(crate) fn at(&self, index: usize) -> Position {
        let mut at = self.position.clone();
        if self.verbatim {
            at.column += index;
        }
        at
    }
}

/// The entries of a mapping, all of them known.
pub(crate) struct Fields<'n> {
    node: &'n Node,
    entries: &'n [(Key, Node)],
}

impl<'n> Fields<'n> {
    pub(crate) fn get(&self, name: &str) -> Option<&'n Node> {
        self.entries.iter().find(|(key, _)| key.text == name).map(|(_, node)| node)
    }
}

impl Reader {
    /// Reads a text and checks that it has `insyn: KIND` and `version: 1`.
    pub(crate) fn open(file: &str, text: &str, kind: &str) -> Result<(Reader, Node), Problem> {
        let reader = Reader { file: file.into() };
        let node = yaml::tree(text).map_err(|error| Problem::of_yaml(&reader.file, error))?;
        if matches!(node.content, Content::Null) {
            let message = format!("this is not a {kind} file: it is empty");
            let hint = format!("a {kind} file starts with `insyn: {kind}`");
            return Err(reader.problem(&node, ProblemKind::Header, message, hint));
        }
        let entries = reader.entries(&node)?;
        let field = |name: &str| entries.iter().find(|(key, _)| key.text == name).map(|(_, node)| node);
        let (insyn, version) = (field("insyn"), field("version"));
        let found = insyn.map(Node::to_data);
        if found.as_ref().and_then(|it| it.as_str()) != Some(kind) {
            let message = match found {
                None => format!("this is not a {kind} file: `insyn` is missing"),
                Some(found) => format!("this is not a {kind} file: it has `insyn: {found}`"),
            };
            let hint = format!("a {kind} file starts with `insyn: {kind}`");
            return Err(reader.problem(insyn.unwrap_or(&node), ProblemKind::Header, message, hint));
        }
        let found = version.map(Node::to_data);
        if found.as_ref().and_then(|it| it.as_u64()) != Some(1) {
            let found = found.map_or("no version".to_owned(), |it| format!("version {it}"));
            let message = format!("this file has {found}, but only version 1 is supported");
            return Err(reader.problem(
                version.unwrap_or(&node),
                ProblemKind::Header,
                message,
                "write `version: 1`",
            ));
        }
        Ok((reader, node))
    }

    pub(crate) fn position(&self, node: &Node) -> Position {
        Position { file: self.file.clone(), line: node.line, column: node.column }
    }

    pub(crate) fn key(&self, key: &Key) -> Position {
        Position { file: self.file.clone(), line: key.line, column: key.column }
    }

    pub(crate) fn problem(
        &self,
        node: &Node,
        kind: ProblemKind,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Problem {
        Problem::new(&self.position(node), kind, message, hint)
    }

    fn wrong(&self, node: &Node, wanted: &str) -> Problem {
        let message = format!("this is {}, not {wanted}", node.kind());
        self.problem(node, ProblemKind::Type, message, format!("write {wanted}"))
    }

    /// A mapping with any keys.
    pub(crate) fn entries<'n>(&self, node: &'n Node) -> Result<&'n [(Key, Node)], Problem> {
        match &node.content {
            Content::Map(entries) => Ok(entries),
            _ => Err(self.wrong(node, "a mapping")),
        }
    }

    /// A mapping with no other keys than these.
    pub(crate) fn fields<'n>(&self, node: &'n Node, known: &[&'static str]) -> Result<Fields<'n>, Problem> {
        let entries = self.entries(node)?;
        if let Some((key, _)) = entries.iter().find(|(key, _)| !known.contains(&key.text.as_str())) {
            let message = format!("unknown key `{}`", key.text.escape_debug());
            let hint = did_you_mean(&key.text, known.iter().copied());
            return Err(Problem::new(&self.key(key), ProblemKind::Unknown, message, hint));
        }
        Ok(Fields { node, entries })
    }

    /// A field that must be there.
    pub(crate) fn required<'n>(&self, fields: &Fields<'n>, name: &str) -> Result<&'n Node, Problem> {
        fields.get(name).ok_or_else(|| {
            self.problem(
                fields.node,
                ProblemKind::Type,
                format!("`{name}` is missing"),
                format!("add `{name}: …`"),
            )
        })
    }

    pub(crate) fn list<'n>(&self, node: &'n Node) -> Result<&'n [Node], Problem> {
        match &node.content {
            Content::List(nodes) => Ok(nodes),
            _ => Err(self.wrong(node, "a list")),
        }
    }

    /// A list, or a single item instead of a list.
    pub(crate) fn one_or_many<'n>(&self, node: &'n Node) -> &'n [Node] {
        match &node.content {
            Content::List(nodes) => nodes,
            _ => std::slice::from_ref(node),
        }
    }

    pub(crate) fn text<'n>(&self, node: &'n Node) -> Result<&'n str, Problem> {
        match &node.content {
            Content::Text(text) => Ok(text),
            _ => Err(self.wrong(node, "a text")),
        }
    }

    pub(crate) fn boolean(&self, node: &Node) -> Result<bool, Problem> {
        match node.content {
            Content::Boolean(it) => Ok(it),
            _ => Err(self.wrong(node, "true or false")),
        }
    }

    /// A single value.
    pub(crate) fn value(&self, node: &Node) -> Result<Value, Problem> {
        value_of(&node.to_data()).ok_or_else(|| self.wrong(node, "a whole number, a text, true or false"))
    }

    /// One of some words.
    pub(crate) fn word<T: Copy>(
        &self,
        node: &Node,
        what: &str,
        words: &[(&'static str, T)],
    ) -> Result<T, Problem> {
        let text = self.text(node)?;
        words.iter().find(|(word, _)| *word == text).map(|&(_, it)| it).ok_or_else(|| {
            let message = format!("unknown {what} `{}`", text.escape_debug());
            let hint = did_you_mean(text, words.iter().map(|(word, _)| *word));
            self.problem(node, ProblemKind::Unknown, message, hint)
        })
    }

    /// A text with its own grammar; numbers and truth values are taken as they are written.
    pub(crate) fn source(&self, node: &Node) -> Result<Source, Problem> {
        let mut position = self.position(node);
        let text = match &node.content {
            Content::Text(text) => text.clone(),
            Content::Number(it) => it.to_string(),
            Content::Boolean(it) => it.to_string(),
            _ => return Err(self.wrong(node, "an expression")),
        };
        if let Some(column) = node.verbatim {
            position.column = column;
        }
        Ok(Source { text, position, verbatim: node.verbatim.is_some() })
    }

    /// A key with its own grammar.
    pub(crate) fn source_of_key(&self, key: &Key) -> Source {
        Source { text: key.text.clone(), position: self.key(key), verbatim: true }
    }
}

/// A single value of data.
pub(crate) fn value_of(data: &serde_json::Value) -> Option<Value> {
    match data {
        serde_json::Value::Bool(it) => Some(Value::Boolean(*it)),
        serde_json::Value::Number(it) => it.as_i64().map(Value::Integer),
        serde_json::Value::String(it) => Some(Value::Text(it.clone())),
        _ => None,
    }
}
