//! Single values of a file: text that may look like a number, lists that may be a single value, and the quoting
//! that makes any text a value.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::sequence::Value;

/// Words that stand for something other than text, in one version of YAML or another.
const RESERVED: [&str; 9] = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"];

/// The text as a value that can be used anywhere, also between braces: bare if it could not be mistaken for anything
/// else, in double quotes otherwise.
pub fn flow(text: &str) -> String {
    let bare = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "_-./#:".contains(c))
        && !text.ends_with(':')
        && !RESERVED.contains(&text.to_ascii_lowercase().as_str());
    if bare {
        return text.to_owned();
    }
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            // So that the depth of brackets can be found without parsing quotes.
            '[' | ']' | '{' | '}' => quoted.push_str(&format!("\\x{:02X}", u32::from(c))),
            ' '..='~' => quoted.push(c),
            _ if c.is_alphanumeric() => quoted.push(c),
            _ => quoted.push_str(&format!("\\U{:08X}", u32::from(c))),
        }
    }
    quoted.push('"');
    quoted
}

/// A value as it is written in a file: a text that looks like a number or a truth value is in quotes.
pub fn atom(value: &Value) -> String {
    match value {
        Value::Boolean(it) => it.to_string(),
        Value::Integer(it) => it.to_string(),
        Value::Text(it) => flow(it),
    }
}

/// A text, whole number or truth value, as it is.
pub(super) struct Atom(pub(super) Value);

impl<'de> Deserialize<'de> for Atom {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AtomVisitor)
    }
}

impl Serialize for Atom {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Value::Boolean(it) => serializer.serialize_bool(*it),
            Value::Integer(it) => serializer.serialize_i64(*it),
            Value::Text(it) => serializer.serialize_str(it),
        }
    }
}

struct AtomVisitor;

impl Visitor<'_> for AtomVisitor {
    type Value = Atom;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, a whole number, true or false")
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Atom, E> {
        Ok(Atom(Value::Text(value.to_owned())))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Atom, E> {
        Ok(Atom(Value::Boolean(value)))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Atom, E> {
        Ok(Atom(Value::Integer(value)))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Atom, E> {
        let too_great = |_| E::custom("the number is too large; write it as a text, in quotes");
        i64::try_from(value).map(|value| Atom(Value::Integer(value))).map_err(too_great)
    }
}

/// A text, number or truth value, as text: people leave out quotes.
pub(super) struct Scalar(pub(super) String);

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor)
    }
}

impl Serialize for Scalar {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

struct ScalarVisitor;

impl Visitor<'_> for ScalarVisitor {
    type Value = Scalar;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a single value")
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Scalar, E> {
        Ok(Scalar(value.to_owned()))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Scalar, E> {
        Ok(Scalar(value.to_string()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Scalar, E> {
        Ok(Scalar(value.to_string()))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Scalar, E> {
        Ok(Scalar(value.to_string()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Scalar, E> {
        Ok(Scalar(value.to_string()))
    }
}

/// The names of events or objects: one, or a list.
pub(super) enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

/// A list of one is written without brackets.
impl FromIterator<String> for OneOrMany {
    fn from_iter<I: IntoIterator<Item = String>>(names: I) -> Self {
        let mut names: Vec<String> = names.into_iter().collect();
        match names.len() {
            1 => OneOrMany::One(names.remove(0)),
            _ => OneOrMany::Many(names),
        }
    }
}

impl OneOrMany {
    pub(super) fn as_slice(&self) -> &[String] {
        match self {
            OneOrMany::One(name) => std::slice::from_ref(name),
            OneOrMany::Many(names) => names,
        }
    }
}

impl<'de> Deserialize<'de> for OneOrMany {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OneOrManyVisitor)
    }
}

impl Serialize for OneOrMany {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            OneOrMany::One(name) => serializer.serialize_str(name),
            OneOrMany::Many(names) => names.serialize(serializer),
        }
    }
}

struct OneOrManyVisitor;

impl<'de> Visitor<'de> for OneOrManyVisitor {
    type Value = OneOrMany;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name (of an event: `process-id#index`) or a list of names")
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<OneOrMany, E> {
        Ok(OneOrMany::One(value.to_owned()))
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut list: S) -> Result<OneOrMany, S::Error> {
        let mut names = Vec::new();
        while let Some(name) = list.next_element()? {
            names.push(name);
        }
        Ok(OneOrMany::Many(names))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_words_are_bare() {
        for bare in ["main", "main/thread2#0", "src/x.rs:10:5", "a-b_c.d"] {
            assert_eq!(flow(bare), bare);
        }
        for (text, quoted) in [
            ("", r#""""#),
            ("12", r#""12""#),
            ("Null", r#""Null""#),
            ("two words", r#""two words""#),
            ("key:", r#""key:""#),
            ("a,b", r#""a,b""#),
            ("[u8]", r#""\x5Bu8\x5D""#),
            ("say \"hi\\\"\n", r#""say \"hi\\\"\n""#),
            ("Grüße", "\"Grüße\""),
            ("\u{1b}\u{feff}", r#""\U0000001B\U0000FEFF""#),
        ] {
            assert_eq!(flow(text), quoted);
        }
    }
}
