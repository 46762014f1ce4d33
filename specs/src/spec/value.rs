//! Types, and the slots that hold values.

use insyn_sequences::Value;

use crate::problem::{Position, Problem, ProblemKind};

/// The type of an expression, parameter, state variable or argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Type {
    /// A truth value.
    Boolean,
    /// A whole number.
    Integer,
    /// A text.
    Text,
}

impl Type {
    pub(super) const WORDS: [(&'static str, Type); 3] =
        [("boolean", Type::Boolean), ("integer", Type::Integer), ("text", Type::Text)];

    pub(crate) fn of(value: &Value) -> Type {
        match value {
            Value::Boolean(_) => Type::Boolean,
            Value::Integer(_) => Type::Integer,
            Value::Text(_) => Type::Text,
        }
    }

    /// The type in a sentence.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Type::Boolean => "a truth value",
            Type::Integer => "a number",
            Type::Text => "a text",
        }
    }
}

/// What a name stands for: one value, or one for each index from `first` on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Slot {
    One(Value),
    Many { first: i64, values: Vec<Value> },
}

impl Slot {
    fn place(&self, index: i64) -> Option<usize> {
        match self {
            Slot::One(_) => None,
            Slot::Many { first, .. } => usize::try_from(i128::from(index) - i128::from(*first)).ok(),
        }
    }

    pub(super) fn get(&self, index: i64) -> Option<&Value> {
        match self {
            Slot::One(_) => None,
            Slot::Many { values, .. } => values.get(self.place(index)?),
        }
    }

    pub(super) fn get_mut(&mut self, index: i64) -> Option<&mut Value> {
        let place = self.place(index)?;
        match self {
            Slot::One(_) => None,
            Slot::Many { values, .. } => values.get_mut(place),
        }
    }

    pub(super) fn length(&self) -> i64 {
        match self {
            Slot::One(_) => 1,
            Slot::Many { values, .. } => i64::try_from(values.len()).expect("memory is smaller"),
        }
    }

    pub(super) fn out_of_range(&self, at: &Position, index: i64) -> Problem {
        let first = if let Slot::Many { first, .. } = self { *first } else { 0 };
        let hint = match self.length() {
            0 => "there are no values".to_owned(),
            length => format!("indices go from {first} to {}", first + length - 1),
        };
        Problem::new(at, ProblemKind::Arithmetic, format!("there is no index {index}"), hint)
    }
}
