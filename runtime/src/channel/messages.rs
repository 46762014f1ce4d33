//! The messages inside a channel, found by the event that put them there.
//!
//! Events are numbers that come close together, so most messages have a place of their own among a few, by the last digits
//! of their event. Those whose place is taken are kept in a sorted list.

use crate::execution::event::Ix;

pub(super) struct Messages<T> {
    /// Each at the place of its event.
    near: Vec<Option<(Ix, T)>>,
    far: Sorted<T>,
}

/// How many places there are.
const PLACES: usize = 16;

/// Larger messages have none: most of the memory would never be used.
const LARGEST: usize = 64;

impl<T> Messages<T> {
    pub(super) fn new() -> Self {
        let places = if size_of::<T>() <= LARGEST { PLACES } else { 0 };
        Messages { near: (0..places).map(|_| None).collect(), far: Sorted::new() }
    }

    #[inline]
    pub(super) fn put(&mut self, event: Ix, message: T) {
        match self.near.get_mut(event as usize % PLACES) {
            Some(place @ None) => *place = Some((event, message)),
            _ => self.far.put(event, message),
        }
    }

    #[inline]
    pub(super) fn take(&mut self, event: Ix) -> Option<T> {
        match self.near.get_mut(event as usize % PLACES) {
            Some(place) if place.as_ref().is_some_and(|(at, _)| *at == event) => {
                place.take().map(|(_, message)| message)
            }
            _ => self.far.take(event),
        }
    }
}

/// Messages in the order of their events. They come nearly always in that order and leave in any: a slot that has been
/// emptied stays until many are empty, so that neither coming nor leaving moves the others.
struct Sorted<T> {
    slots: Vec<(Ix, Option<T>)>,
    /// How many slots are not empty.
    inside: usize,
}

impl<T> Sorted<T> {
    fn new() -> Self {
        Sorted { slots: Vec::new(), inside: 0 }
    }

    #[cold]
    #[inline(never)]
    fn put(&mut self, event: Ix, message: T) {
        self.inside += 1;
        match self.slots.last() {
            Some((last, _)) if *last >= event => {
                match self.slots.binary_search_by_key(&event, |slot| slot.0) {
                    Ok(at) => self.slots[at].1 = Some(message),
                    Err(at) => self.slots.insert(at, (event, Some(message))),
                }
            }
            _ => self.slots.push((event, Some(message))),
        }
    }

    #[cold]
    #[inline(never)]
    fn take(&mut self, event: Ix) -> Option<T> {
        let at = self.slots.binary_search_by_key(&event, |slot| slot.0).ok()?;
        let message = self.slots[at].1.take()?;
        self.inside -= 1;
        if self.inside == 0 {
            self.slots.clear();
        } else if self.slots.len() > 2 * self.inside + 16 {
            self.slots.retain(|slot| slot.1.is_some());
        }
        Some(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_any_order() {
        let mut messages = Messages::new();
        for event in [3, 1, 7, 5] {
            messages.put(event, event * 10);
        }
        assert_eq!([7, 7, 1, 2].map(|event| messages.take(event)), [Some(70), None, Some(10), None]);
        messages.put(1, 11);
        assert_eq!([5, 3, 1].map(|event| messages.take(event)), [Some(50), Some(30), Some(11)]);
    }

    #[test]
    fn several_at_one_place() {
        let at = |n: usize| (1 + n * PLACES) as Ix;
        let mut messages = Messages::new();
        for n in [2, 0, 3, 1] {
            messages.put(at(n), n);
        }
        assert_eq!([0, 2, 2].map(|n| messages.take(at(n))), [Some(0), Some(2), None]);
        messages.put(at(4), 4);
        assert_eq!([1, 4, 3].map(|n| messages.take(at(n))), [Some(1), Some(4), Some(3)]);
        assert_eq!(messages.far.inside, 0);
    }

    #[test]
    fn large_ones_have_no_places() {
        let mut messages = Messages::new();
        for event in 0..100 {
            messages.put(event, [event; LARGEST]);
        }
        assert!(messages.near.is_empty());
        assert!((0..100).rev().all(|event| messages.take(event).is_some_and(|it| it[0] == event)));
    }

    #[test]
    fn room_is_bounded_by_what_is_inside() {
        let mut messages = Sorted::new();
        for event in 0..1_000 {
            messages.put(event, ());
            if event >= 3 {
                assert_eq!(messages.take(event - 3), Some(()));
            }
        }
        assert!(messages.slots.len() <= 2 * 3 + 16 + 1);
    }
}
