//! Messages that have been sent and not received.

use crate::ids::EventId;
use std::ops::Deref;

/// The sends of a port that have not been received, the earliest first.
#[derive(Default, Debug)]
pub struct Unreceived {
    sends: Vec<EventId>,
    /// Those before this place have been received. Most receives take the earliest, and so move nothing.
    first: usize,
}

/// For so few, a linear search is quicker.
const FEW: usize = 8;

impl Unreceived {
    pub const fn new() -> Self {
        Unreceived { sends: Vec::new(), first: 0 }
    }

    #[inline]
    pub fn clear(&mut self) {
        self.sends.clear();
        self.first = 0;
    }

    /// Adds a send, which is later than all others.
    #[inline]
    pub fn push(&mut self, send: EventId) {
        debug_assert!(self.sends.last().is_none_or(|&last| last < send));
        self.sends.push(send);
    }

    /// The position of a send, if it has not been received.
    #[inline]
    pub fn position(&self, send: EventId) -> Option<usize> {
        if self.len() <= FEW {
            self.iter().position(|&it| it == send)
        } else {
            self.binary_search(&send).ok()
        }
    }

    /// Takes out the send at a place.
    #[inline]
    pub fn remove(&mut self, at: usize) {
        let list = &mut self.sends[self.first..];
        match at {
            0 => {}
            1 => list.swap(0, 1),
            _ => list.copy_within(..at, 1),
        }
        self.first += 1;
    }
}

impl Deref for Unreceived {
    type Target = [EventId];

    #[inline]
    fn deref(&self) -> &[EventId] {
        &self.sends[self.first..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::Id as _;

    #[test]
    fn what_is_left_stays_in_order() {
        let mut unreceived = Unreceived::new();
        let event = |n: usize| EventId::at(n + 1).expect("it is not the first place");
        (0..40).for_each(|n| unreceived.push(event(2 * n)));
        let mut left: Vec<EventId> = unreceived.to_vec();
        for step in [0, 38, 17, 0, 3, 34, 1, 20].into_iter().cycle() {
            let at = step % left.len();
            assert_eq!(unreceived.position(left[at]), Some(at));
            assert_eq!(unreceived.position(event(left[at].place())), None);
            unreceived.remove(at);
            left.remove(at);
            assert_eq!(*unreceived, *left);
            if left.is_empty() {
                break;
            }
        }
        unreceived.push(event(100));
        assert_eq!(*unreceived, [event(100)]);
    }
}
