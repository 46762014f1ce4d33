//! What specifications and tests can match in a program: its threads, its objects, and the kinds of their events.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::canonical::Malformed;
use crate::file::flow;
use crate::observed::{Took, observed_events};
use crate::order::Order;
use crate::sequence::{Kind, Op, Sequence, Value};

/// How many texts are kept of the values of a label.
const MOST_TEXTS: usize = 20;

/// Patterns are no longer than this.
const LONGEST: usize = 500;

/// What can be matched.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Catalog {
    /// How many sequences it is made from.
    pub sequences: u64,
    /// The threads.
    pub threads: Vec<Member>,
    /// The objects.
    pub objects: Vec<Member>,
    /// The kinds of events.
    pub events: Vec<EventClass>,
}

/// A thread or an object.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Its id: `main/thread2/mutex1`.
    pub id: String,
    /// The name that the program gave it.
    pub name: Option<String>,
    /// The word for what it is.
    pub kind: String,
    /// The pattern that matches it, and what has the same name.
    pub pattern: String,
}

/// Events that differ in nothing that a matcher distinguishes, other than the thread.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventClass {
    /// The operation.
    pub op: String,
    /// The pattern of its object.
    pub object: Option<String>,
    /// The word for what the object is.
    pub kind: Option<String>,
    /// The text of the label.
    pub label: Option<String>,
    /// The values that the label carries.
    pub values: Values,
    /// What a receive or an accept took, if not a message or a call: `nothing` or `closed`.
    pub from: Option<String>,
    /// The patterns of the threads that do it.
    pub threads: Vec<String>,
    /// The least number of them in a sequence.
    pub least: u64,
    /// The greatest number of them in a sequence.
    pub most: u64,
    /// How to match it in a specification: `{op: put, on: items}`.
    pub matcher: String,
}

/// The values that a label carries.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Values {
    /// None.
    #[default]
    None,
    /// Truth values.
    Booleans,
    /// Whole numbers, from the least to the greatest.
    Integers(i64, i64),
    /// Texts.
    Texts(Vec<String>),
    /// Of several types, too many, or not always there.
    Mixed,
}

/// A catalog that is being made.
#[derive(Clone, Debug, Default)]
pub struct Cataloguing {
    sequences: u64,
    /// By id.
    members: BTreeMap<String, (Kind, Option<String>)>,
    events: BTreeMap<Key, Seen>,
}

/// What distinguishes events: operation, object, label, and what was taken.
type Key = (Op, Option<Object>, Option<String>, Option<&'static str>);

/// An object by its name, or by its id if it has none that a pattern can have.
type Object = (Kind, Result<String, String>);

#[derive(Clone, Debug, Default)]
struct Seen {
    sequences: u64,
    least: u64,
    most: u64,
    threads: BTreeSet<String>,
    values: BTreeSet<Option<Value>>,
}

impl Cataloguing {
    /// Adds a sequence.
    ///
    /// # Errors
    /// If it is not in canonical form.
    pub fn add(&mut self, sequence: &Sequence) -> Result<(), Malformed> {
        let order = Order::of(sequence)?;
        for process in &sequence.processes {
            if !self.members.contains_key(&process.id) {
                self.members.insert(process.id.clone(), (process.kind, process.name.clone()));
            }
        }
        let mut counts: BTreeMap<Key, u64> = BTreeMap::new();
        for (_, event) in observed_events(&order) {
            let object = event.object.and_then(|it| {
                let (kind, _) = self.members.get(it.id)?;
                let name = it.name.filter(|name| is_plain(name));
                Some((*kind, name.map(str::to_owned).ok_or_else(|| it.id.to_owned())))
            });
            let from = match (event.op, &event.took) {
                (Op::Accept | Op::Receive, Took::Nothing) => Some("nothing"),
                (Op::Accept | Op::Receive, Took::Closed) => Some("closed"),
                _ => None,
            };
            let key = (event.op, object, event.label.map(|it| it.text.clone()), from);
            *counts.entry(key.clone()).or_default() += 1;
            let seen = self.events.entry(key).or_default();
            seen.threads.extend(event.threads.iter().map(|it| it.id.to_owned()));
            if let Some(label) = event.label.filter(|_| seen.values.len() <= MOST_TEXTS * 50) {
                seen.values.insert(label.value.clone());
            }
        }
        for (key, count) in counts {
            let seen = self.events.get_mut(&key).expect("it was just seen");
            seen.least = if seen.sequences == 0 { count } else { seen.least.min(count) };
            seen.most = seen.most.max(count);
            seen.sequences += 1;
        }
        self.sequences += 1;
        Ok(())
    }

    /// The catalog.
    pub fn finish(self) -> Catalog {
        let patterns: BTreeMap<String, String> =
            self.members.keys().map(|id| (id.clone(), self.pattern(id))).collect();
        let member = |(id, (kind, name)): (&String, &(Kind, Option<String>))| Member {
            id: id.clone(),
            name: name.clone(),
            kind: kind.word().to_owned(),
            pattern: patterns[id].clone(),
        };
        let of = |wanted: fn(Kind) -> bool| {
            self.members.iter().filter(|(_, (kind, _))| wanted(*kind)).map(member).collect()
        };
        let threads = of(|kind| kind == Kind::Thread);
        let objects = of(|kind| !matches!(kind, Kind::Thread | Kind::Static | Kind::Turns));
        let sequences = self.sequences;
        let class = |((op, object, label, from), seen): (&Key, &Seen)| {
            let pattern = object.as_ref().map(|(_, name)| match name {
                Ok(name) => name.clone(),
                Err(id) => patterns[id].clone(),
            });
            let threads: BTreeSet<&String> = seen.threads.iter().map(|id| &patterns[id]).collect();
            EventClass {
                op: op.word().to_owned(),
                kind: object.as_ref().map(|(kind, _)| kind.word().to_owned()),
                matcher: matcher(*op, pattern.as_deref(), label.as_deref(), *from),
                object: pattern,
                values: if label.is_some() { values(&seen.values) } else { Values::None },
                label: label.clone(),
                from: from.map(str::to_owned),
                threads: threads.into_iter().cloned().collect(),
                least: if seen.sequences < sequences { 0 } else { seen.least },
                most: seen.most,
            }
        };
        let events = self.events.iter().map(class).collect();
        Catalog { sequences, threads, objects, events }
    }

    /// The pattern for a thread or an object: its name, or the shortest end of its id that belongs to nothing else.
    fn pattern(&self, id: &str) -> String {
        if let Some(name) = self.members[id].1.as_ref().filter(|name| is_plain(name)) {
            return name.clone();
        }
        let ends = id.rmatch_indices('/').map(|(slash, _)| &id[slash + 1..]).chain([id]);
        let is_taken = |end: &str| {
            self.members.iter().filter(|(other, _)| *other != id).any(|(other, (_, name))| {
                let is_end = other.strip_suffix(end).is_some_and(|it| it.is_empty() || it.ends_with('/'));
                let named =
                    name.as_deref().is_some_and(|name| name == end || name.split('/').any(|it| it == end));
                is_end || named
            })
        };
        ends.into_iter().find(|end| !is_taken(end)).unwrap_or(id).to_owned()
    }
}

/// Whether a name can be a pattern that matches itself.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.len() <= LONGEST && !name.contains(['*', '<'])
}

fn matcher(op: Op, object: Option<&str>, label: Option<&str>, from: Option<&str>) -> String {
    let fields = match (label.filter(|it| is_plain(it)), object, op, from) {
        (Some(label), ..) => vec![format!("label: {}", flow(label))],
        (_, Some(entry), Op::Accept, None) => vec![format!("entry: {}", flow(entry))],
        _ => {
            let on = object.map(|it| format!("on: {}", flow(it)));
            [Some(format!("op: {}", op.word())), on, from.map(|it| format!("from: {it}"))]
                .into_iter()
                .flatten()
                .collect()
        }
    };
    format!("{{{}}}", fields.join(", "))
}

fn values(all: &BTreeSet<Option<Value>>) -> Values {
    let known: Vec<&Value> = all.iter().flatten().collect();
    if known.is_empty() {
        return Values::None;
    }
    if known.len() < all.len() {
        return Values::Mixed;
    }
    let integers: Option<Vec<i64>> =
        known.iter().map(|it| if let Value::Integer(n) = it { Some(*n) } else { None }).collect();
    let texts: Option<Vec<String>> =
        known.iter().map(|it| if let Value::Text(text) = it { Some(text.clone()) } else { None }).collect();
    match (integers, texts) {
        (Some(numbers), _) => Values::Integers(numbers[0], numbers[numbers.len() - 1]),
        (_, Some(texts)) if texts.len() <= MOST_TEXTS => Values::Texts(texts),
        _ if known.iter().all(|it| matches!(it, Value::Boolean(_))) => Values::Booleans,
        _ => Values::Mixed,
    }
}
