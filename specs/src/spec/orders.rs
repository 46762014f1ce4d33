//! The orders in which the events of a sequence can have happened, as a specification reads them: partial orders of letters,
//! usually one. There are several where real objects leave a choice: an event happened before one of some others, and it is not
//! known which.

use std::collections::BTreeSet;

use insyn_sequences::observed::observed_events_of;
use insyn_sequences::{EventRef, Malformed, ObservedEvent, Op, Order, OrderConstraints, Sequence};

use super::instance::{Instance, Reading};
use super::poset::Poset;
use crate::word::{Letter, Word};

/// Partial orders of the same letters. A word belongs to them if it agrees with any of the orders.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Orders {
    /// The first order, which always exists, and the others.
    posets: Vec<Poset>,
    /// The first event that is neither named nor hidden, as text.
    unexpected: Option<String>,
}

impl Instance {
    /// The letters of a sequence, in the orders in which they can have happened.
    ///
    /// # Errors
    /// If the sequence is malformed, or no order satisfies the constraints.
    pub fn orders(&self, sequence: &Sequence, constraints: &OrderConstraints) -> Result<Orders, Malformed> {
        Orders::among(sequence, constraints, |op| self.may_read(op), |event| self.reading(event))
    }

    /// The events of a sequence that correspond to the letters of one of its words. Equal letters come in the order of their events.
    ///
    /// # Errors
    /// If the sequence is malformed.
    pub fn events(&self, sequence: &Sequence, word: &Word) -> Result<Vec<EventRef>, Malformed> {
        let order = Order::of(sequence)?;
        let read = |(at, event)| match self.reading(&event) {
            Reading::Letter(letter) => Some((letter, at)),
            Reading::Hidden | Reading::Unexpected => None,
        };
        let mut left: Vec<(Letter, EventRef)> =
            observed_events_of(&order, |op| self.may_read(op)).filter_map(read).collect();
        let take = |letter: &Letter| {
            let place = left.iter().position(|(it, _)| it == letter)?;
            Some(left.remove(place).1)
        };
        Ok(word.0.iter().filter_map(take).collect())
    }
}

impl Orders {
    /// The same for letters that the caller gives.
    ///
    /// # Errors
    /// If the sequence is malformed, or no order satisfies the constraints.
    pub fn of(
        sequence: &Sequence,
        constraints: &OrderConstraints,
        read: impl Fn(&ObservedEvent<'_>) -> Reading,
    ) -> Result<Orders, Malformed> {
        Orders::among(sequence, constraints, |_| true, read)
    }

    /// The same, for a specification that hides all events with other operations.
    fn among(
        sequence: &Sequence,
        constraints: &OrderConstraints,
        is_read: impl Fn(Op) -> bool,
        read: impl Fn(&ObservedEvent<'_>) -> Reading,
    ) -> Result<Orders, Malformed> {
        let order = Order::of(sequence)?.with(&constraints.before)?;
        let (mut letters, mut unexpected) = (Vec::new(), None);
        for (at, event) in observed_events_of(&order, is_read) {
            match read(&event) {
                Reading::Letter(letter) => letters.push((at, letter)),
                Reading::Hidden => {}
                Reading::Unexpected => unexpected = unexpected.or_else(|| Some(event.to_string())),
            }
        }
        let orders = choose(order, &constraints.before_one, &letters)?;
        let posets: BTreeSet<Poset> = orders.iter().map(|order| poset(order, &letters)).collect();
        Ok(Orders { posets: posets.into_iter().collect(), unexpected })
    }

    /// The letters, in one of the orders.
    pub fn letters(&self) -> &[Letter] {
        self.posets[0].letters()
    }

    /// The first event that is neither named nor hidden; none if there is none, or if everything that is not named is hidden.
    pub fn unexpected(&self) -> Option<&str> {
        self.unexpected.as_deref()
    }

    /// Each partial order.
    pub fn posets(&self) -> &[Poset] {
        &self.posets
    }

    /// Whether the letters can come in the order of a word.
    pub fn has_word(&self, word: &Word) -> bool {
        self.unexpected.is_none() && self.posets.iter().any(|poset| poset.has_word(word))
    }

    /// The length of the longest prefix of a word that agrees with one of the orders.
    pub fn follow(&self, word: &Word) -> usize {
        self.posets.iter().map(|poset| poset.follow(word)).max().unwrap_or(0)
    }

    /// The words. A word appears more than once if equal letters are concurrent, or if it agrees with several partial orders.
    pub fn words(&self) -> impl Iterator<Item = Word> {
        self.posets.iter().flat_map(Poset::words)
    }
}

/// Letters ordered by happens-before alone.
impl From<Poset> for Orders {
    fn from(poset: Poset) -> Self {
        Orders { posets: vec![poset], unexpected: None }
    }
}

fn poset(order: &Order<'_>, letters: &[(EventRef, Letter)]) -> Poset {
    let mut letters: Vec<&(EventRef, Letter)> = letters.iter().collect();
    // The number of events in its past, itself included: an order that agrees with the partial one.
    letters.sort_by_cached_key(|(at, _)| order.height(*at));
    Poset::of(letters.iter().map(|(_, letter)| letter.clone()).collect(), |a, b| {
        order.happens_before(letters[a].0, letters[b].0)
    })
}

/// The orders that result from one more constraint, one for each choice, if the choice matters for the letters.
fn choose<'s>(
    order: Order<'s>,
    constraints: &[(EventRef, Vec<EventRef>)],
    letters: &[(EventRef, Letter)],
) -> Result<Vec<Order<'s>>, Malformed> {
    let mut orders = vec![order];
    for (event, options) in constraints {
        let mut more = Vec::new();
        let mut impossible = None;
        for order in orders {
            if options.iter().any(|&it| order.happens_before(*event, it)) {
                more.push(order);
                continue;
            }
            let free = options.iter().find(|&&it| is_free(&order, constraints, letters, *event, it));
            for option in free.map_or(&options[..], std::slice::from_ref) {
                match order.clone().with(&[(*event, *option)]) {
                    Ok(order) => more.push(order),
                    Err(cycle) => impossible = Some(cycle),
                }
            }
        }
        orders = more;
        if let (true, Some(cycle)) = (orders.is_empty(), impossible) {
            return Err(cycle);
        }
    }
    Ok(orders)
}

/// Whether the constraint that `event` comes before `option` orders no letters and excludes nothing: whatever else is
/// chosen, neither a letter nor the event comes after the option.
fn is_free(
    order: &Order<'_>,
    constraints: &[(EventRef, Vec<EventRef>)],
    letters: &[(EventRef, Letter)],
    event: EventRef,
    option: EventRef,
) -> bool {
    let mut reached = vec![option];
    let mut next = 0;
    while let Some(&from) = reached.get(next) {
        next += 1;
        let is_after = |at: EventRef| at == from || order.happens_before(from, at);
        if is_after(event) || letters.iter().any(|(at, _)| is_after(*at)) {
            return false;
        }
        for (_, options) in constraints.iter().filter(|(event, _)| is_after(*event)) {
            reached.extend(options.iter().filter(|it| !reached.contains(it)).copied().collect::<Vec<_>>());
        }
    }
    true
}
