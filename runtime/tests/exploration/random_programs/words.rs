//! Words of random programs: the names of events, the orders in which they can happen, and edits of these orders.

use std::collections::{BTreeMap, BTreeSet};

use insyn::sequences::{EventRef, Named, ObservedEvent, Op, Order, Sequence, Took, observed_events};

use crate::oracle::enumerate::Letter;
use crate::oracle::random::Random;
use crate::oracle::tokens;

/// The names of events; some have no name, which hides them.
#[derive(Clone, Debug)]
pub(crate) struct Naming {
    detail: Detail,
    scope: Scope,
}

/// How much of an event is in its name. The less, the more abstract it is.
#[derive(Clone, Copy, Debug)]
enum Detail {
    /// Everything.
    Complete,
    /// All except what it took.
    Who,
    /// The operation and the object.
    What,
    /// The operation alone.
    Operation,
    /// The first thread alone.
    Thread,
}

/// Which events have names. (An event that no thread performs cannot wait for its turn, and never has a name.)
#[derive(Clone, Debug)]
enum Scope {
    All,
    /// Those about one object.
    Object(String),
    /// Those of one thread.
    Thread(String),
    /// Those with one of these operations.
    Operations(BTreeSet<String>),
}

impl Naming {
    /// A naming that names some events of a sequence, if there are any.
    pub(crate) fn draw(random: &mut Random, sequence: &Sequence) -> Naming {
        let order = Order::of(sequence).expect("the engine's sequences are in order");
        let all: Vec<ObservedEvent<'_>> = observed_events(&order).into_iter().map(|(_, it)| it).collect();
        let detail = random.pick(&[
            Detail::Complete,
            Detail::Complete,
            Detail::Who,
            Detail::Who,
            Detail::What,
            Detail::Operation,
            Detail::Thread,
        ]);
        let one = if all.is_empty() { None } else { Some(&all[random.below(all.len())]) };
        let id = |named: Option<&Named<'_>>| named.map(|it| it.id.to_owned());
        let scope = match (random.below(6), one) {
            (0, Some(one)) => id(one.object.as_ref()).map(Scope::Object),
            (1, Some(one)) => id(one.threads.first()).map(Scope::Thread),
            (2 | 3, _) => {
                let words: BTreeSet<String> = all.iter().map(|it| it.op.word().to_owned()).collect();
                Some(Scope::Operations(words.into_iter().filter(|_| random.chance(50)).collect()))
            }
            _ => None,
        };
        Naming { detail, scope: scope.unwrap_or(Scope::All) }
    }

    /// Whether an event with an operation can have a name.
    pub(crate) fn may_name(&self, op: Op) -> bool {
        !matches!(&self.scope, Scope::Operations(words) if !words.contains(op.word()))
    }

    /// The name of the event.
    pub(crate) fn name(&self, event: &ObservedEvent<'_>) -> Option<String> {
        let first = event.threads.first()?;
        let op = event.op.word();
        let named = match &self.scope {
            Scope::All => true,
            Scope::Object(id) => event.object.is_some_and(|object| object.id == id),
            Scope::Thread(id) => event.threads.iter().any(|thread| thread.id == id),
            Scope::Operations(words) => words.contains(op),
        };
        if !named {
            return None;
        }
        let object = event.object.map_or("", |object| object.id);
        let ids = |all: &[Named<'_>]| all.iter().map(|it| it.id).collect::<Vec<_>>().join("+");
        let who = || ids(&event.threads);
        Some(match self.detail {
            Detail::Complete => {
                let took = match &event.took {
                    Took::Nothing => String::from("nothing"),
                    Took::Closed => String::from("closed"),
                    Took::Threads(threads) => ids(threads),
                };
                format!("{op} {object} by {} took {took}", who())
            }
            Detail::Who => format!("{op} {object} by {}", who()),
            Detail::What => format!("{op} {object}"),
            Detail::Operation => op.to_owned(),
            Detail::Thread => first.id.to_owned(),
        })
    }
}

/// The names of the events of a program, by how the oracle identifies them. None if that is ambiguous: the same text
/// stands for an event with a name and for one without.
pub(crate) fn names<'s>(
    naming: &Naming,
    sequences: impl Iterator<Item = &'s Sequence>,
) -> Option<BTreeMap<Letter, Option<String>>> {
    let mut names = BTreeMap::new();
    for sequence in sequences {
        let order = Order::of(sequence).expect("the engine's sequences are in order");
        let observed: BTreeMap<EventRef, ObservedEvent<'_>> = observed_events(&order).into_iter().collect();
        for at in sequence.events() {
            let process = &sequence.processes[at.process];
            let letter = (process.id.clone(), tokens::text(sequence, process, sequence.event(at)));
            let name = observed.get(&at).and_then(|event| naming.name(event));
            if *names.entry(letter).or_insert_with(|| name.clone()) != name {
                return None;
            }
        }
    }
    Some(names)
}

/// A slightly or very different word; and whether it is to be all that happens.
pub(crate) fn edit(random: &mut Random, word: &[String], alphabet: &[String]) -> (Vec<String>, bool) {
    let mut word = word.to_vec();
    let len = word.len();
    if len == 0 || alphabet.is_empty() {
        return (alphabet.iter().take(1).cloned().collect(), random.chance(50));
    }
    match random.below(8) {
        0 => {
            word.truncate(random.below(len + 1));
            return (word, false);
        }
        1 => word.truncate(random.below(len)),
        2 if len > 1 => {
            let at = random.below(len - 1);
            word.swap(at, at + 1);
        }
        3 => word.swap(random.below(len), random.below(len)),
        4 => drop(word.remove(random.below(len))),
        5 => {
            let twice = word[random.below(len)].clone();
            word.insert(random.below(len + 1), twice);
        }
        6 => word[random.below(len)] = alphabet[random.below(alphabet.len())].clone(),
        _ => word = (0..len).map(|_| alphabet[random.below(alphabet.len())].clone()).collect(),
    }
    let whole = random.chance(70);
    if !whole {
        word.truncate(random.between(1, len).min(word.len()));
    }
    (word, whole)
}
