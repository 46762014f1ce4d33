//! The messages inside a channel, found by the event that put them there.
//!
//! The events of the messages in a channel have close numbers, so most messages fit into a few places, chosen by the last
//! digits of the number. A message whose place is taken is kept in a sorted list.

use std::mem::{ManuallyDrop, MaybeUninit, needs_drop};

use insyn_engine::ids::{EventId, Id as _};

pub(super) struct Messages<T> {
    /// By place: the event whose message is there, if one is.
    events: [Option<EventId>; PLACES],
    near: [Place; PLACES],
    far: Sorted<T>,
}

/// How many places there are.
const PLACES: usize = 16;

/// Room for most messages. Larger messages go to the sorted list: places for them would waste memory.
type Place = MaybeUninit<[usize; 4]>;

impl<T> Messages<T> {
    const HAS_PLACES: bool = size_of::<T>() <= size_of::<Place>() && align_of::<T>() <= align_of::<Place>();

    #[inline]
    pub(super) fn new() -> Self {
        Messages { events: [None; PLACES], near: [Place::uninit(); PLACES], far: Sorted::new() }
    }

    #[inline]
    pub(super) fn put(&mut self, event: EventId, message: T) {
        let place = event.place() % PLACES;
        if !Self::HAS_PLACES || self.events[place].is_some() {
            return self.far.put(event, message);
        }
        self.events[place] = Some(event);
        // SAFETY: a message fits into its place, and none is there.
        unsafe { self.near[place].as_mut_ptr().cast::<T>().write(message) };
    }

    #[inline]
    pub(super) fn take(&mut self, event: EventId) -> Option<T> {
        let place = event.place() % PLACES;
        if !Self::HAS_PLACES || self.events[place] != Some(event) {
            return self.far.take(event);
        }
        self.events[place] = None;
        // SAFETY: the message of this event is there, and has just been given up.
        Some(unsafe { self.near[place].as_ptr().cast::<T>().read() })
    }
}

impl<T> Drop for Messages<T> {
    fn drop(&mut self) {
        if needs_drop::<T>() {
            // Messages that a panic leaves behind must leak; as fields they would be dropped.
            let far = ManuallyDrop::new(std::mem::take(&mut self.far.slots));
            for event in self.events.into_iter().flatten() {
                drop(self.take(event));
            }
            drop_each(ManuallyDrop::into_inner(far));
        }
    }
}

/// Drops messages in their order. After one whose destructor panics the others leak, as those of the real channels do: a
/// second panic would end the process.
pub(super) fn drop_each<M>(messages: Vec<M>) {
    let mut left = ManuallyDrop::new(messages.into_iter());
    left.by_ref().for_each(drop);
    drop(ManuallyDrop::into_inner(left));
}

/// Messages in the order of their events. They nearly always arrive in that order, but leave in any order: an emptied slot
/// stays until many are empty, so that neither arriving nor leaving moves the others.
struct Sorted<T> {
    slots: Vec<(EventId, Option<T>)>,
    /// How many slots are not empty.
    inside: usize,
}

impl<T> Sorted<T> {
    fn new() -> Self {
        Sorted { slots: Vec::new(), inside: 0 }
    }

    #[cold]
    #[inline(never)]
    fn put(&mut self, event: EventId, message: T) {
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
    fn take(&mut self, event: EventId) -> Option<T> {
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

    /// An event by its number, from zero.
    fn event(n: usize) -> EventId {
        EventId::at(n + 1).expect("it is not the first place")
    }

    #[test]
    fn in_any_order() {
        let mut messages = Messages::new();
        for n in [3, 1, 7, 5] {
            messages.put(event(n), n * 10);
        }
        assert_eq!([7, 7, 1, 2].map(|n| messages.take(event(n))), [Some(70), None, Some(10), None]);
        messages.put(event(1), 11);
        assert_eq!([5, 3, 1].map(|n| messages.take(event(n))), [Some(50), Some(30), Some(11)]);
    }

    #[test]
    fn several_at_one_place() {
        let at = |n: usize| event(1 + n * PLACES);
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
        for n in 0..100 {
            messages.put(event(n), [n; 100]);
        }
        assert_eq!(messages.far.inside, 100);
        assert!((0..100).rev().all(|n| messages.take(event(n)).is_some_and(|it| it[0] == n)));
    }

    #[test]
    fn what_is_left_is_dropped_once() {
        let counted = std::rc::Rc::new(());
        let mut messages = Messages::new();
        for n in 0..40 {
            messages.put(event(n), counted.clone());
        }
        drop(messages.take(event(3)));
        drop(messages.take(event(30)));
        assert_eq!(std::rc::Rc::strong_count(&counted), 39);
        drop(messages);
        assert_eq!(std::rc::Rc::strong_count(&counted), 1);
    }

    #[test]
    fn room_is_bounded_by_what_is_inside() {
        let mut messages = Sorted::new();
        for n in 0..1_000 {
            messages.put(event(n), ());
            if n >= 3 {
                assert_eq!(messages.take(event(n - 3)), Some(()));
            }
        }
        assert!(messages.slots.len() <= 2 * 3 + 16 + 1);
    }
}
