//! A YAML document as a tree whose nodes know their positions.

use serde_json::Number;

/// A value and its place, counted from 1.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) line: usize,
    pub(crate) column: usize,
    /// For a text that appears verbatim on one line: the column of its first character.
    pub(crate) verbatim: Option<usize>,
    pub(crate) content: Content,
}

#[derive(Clone, Debug)]
pub(crate) enum Content {
    Null,
    Boolean(bool),
    Number(Number),
    Text(String),
    List(Vec<Node>),
    /// In the order of the text.
    Map(Vec<(Key, Node)>),
}

/// The key of an entry, and its place.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    pub(crate) text: String,
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Node {
    /// The kind of value, as it appears in messages.
    pub(crate) fn kind(&self) -> &'static str {
        match &self.content {
            Content::Null => "nothing",
            Content::Boolean(_) => "a truth value",
            Content::Number(_) => "a number",
            Content::Text(_) => "a text",
            Content::List(_) => "a list",
            Content::Map(_) => "a mapping",
        }
    }

    /// The bare value.
    pub(crate) fn to_data(&self) -> serde_json::Value {
        match &self.content {
            Content::Null => serde_json::Value::Null,
            Content::Boolean(it) => (*it).into(),
            Content::Number(it) => it.clone().into(),
            Content::Text(it) => it.as_str().into(),
            Content::List(all) => all.iter().map(Node::to_data).collect(),
            Content::Map(all) => all.iter().map(|(key, it)| (key.text.clone(), it.to_data())).collect(),
        }
    }
}
