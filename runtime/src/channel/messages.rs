//! The messages inside a channel, found by the event that put them there.
//!
//! They come nearly always in the order of their events and leave in any. A slot that has been emptied stays until many are
//! empty, so that neither coming nor leaving moves the others.

use crate::execution::event::Ix;

pub(super) struct Messages<T> {
    /// Sorted by event.
    slots: Vec<(Ix, Option<T>)>,
    /// How many slots are not empty.
    inside: usize,
}

impl<T> Messages<T> {
    /// Room for a few messages, so that a short run allocates once.
    pub(super) fn new() -> Self {
        let room = if size_of::<T>() <= 64 { 8 } else { 0 };
        Messages { slots: Vec::with_capacity(room), inside: 0 }
    }

    #[inline]
    pub(super) fn put(&mut self, event: Ix, message: T) {
        self.inside += 1;
        match self.slots.last() {
            Some((last, _)) if *last >= event => self.put_between(event, message),
            _ => self.slots.push((event, Some(message))),
        }
    }

    #[cold]
    #[inline(never)]
    fn put_between(&mut self, event: Ix, message: T) {
        match self.slots.binary_search_by_key(&event, |slot| slot.0) {
            Ok(at) => self.slots[at].1 = Some(message),
            Err(at) => self.slots.insert(at, (event, Some(message))),
        }
    }

    #[inline]
    pub(super) fn take(&mut self, event: Ix) -> Option<T> {
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
        assert_eq!(messages.inside, 0);
    }

    #[test]
    fn room_is_bounded_by_what_is_inside() {
        let mut messages = Messages::new();
        for event in 0..1_000 {
            messages.put(event, ());
            if event >= 3 {
                assert_eq!(messages.take(event - 3), Some(()));
            }
        }
        assert!(messages.slots.len() <= 2 * 3 + 16 + 1);
    }
}
