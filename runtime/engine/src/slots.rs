//! The memory of a table, in which every place is within bounds.

use std::mem;

/// Items by place. Their number is a power of two, so that every place, once masked, is that of an item: an access needs no
/// branch, and no code for its failure. That is worth a tenth of all instructions of a short run.
///
/// A place that is not in use is a mistake of the engine. With the feature `checked-access`, which insyn's own tests have on,
/// an access to one panics; without, it is an access to another item, and never to other memory.
#[derive(Clone, Debug)]
pub(crate) struct Slots<T> {
    /// Their number is a power of two.
    items: Vec<T>,
    /// The number of items, minus one.
    mask: usize,
}

/// The smallest number of items after the first: a few unused items cost less than growing repeatedly.
const FEWEST: usize = 16;

impl<T> Slots<T> {
    /// One item.
    pub(crate) fn new(first: T) -> Self {
        Slots { items: vec![first], mask: 0 }
    }

    /// How many items there are, whether in use or not.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.mask + 1
    }

    /// All of them.
    #[inline]
    pub(crate) fn as_slice(&self) -> &[T] {
        &self.items
    }

    /// All of them.
    #[inline]
    pub(crate) fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.items
    }

    /// Makes room for this many items at least.
    #[cold]
    #[inline(never)]
    pub(crate) fn grow(&mut self, len: usize, blank: impl FnMut() -> T) {
        let len = len.next_power_of_two().max(FEWEST);
        self.items.resize_with(len, blank);
        self.mask = len - 1;
    }

    /// As [`grow`](Self::grow), with copies of the first item.
    #[cold]
    #[inline(never)]
    pub(crate) fn extend(&mut self, len: usize)
    where
        T: Clone,
    {
        let first = self.items[0].clone();
        self.grow(len, || first.clone());
    }

    /// The item at a place, of which `live` are in use.
    #[inline]
    #[expect(
        clippy::transmute_ptr_to_ref,
        reason = "`&*` and `get_unchecked` are checked in the builds that users test in"
    )]
    pub(crate) fn at(&self, place: usize, live: usize) -> &T {
        check(place, live);
        let item = self.items.as_ptr().wrapping_add(place & self.mask);
        // SAFETY: the mask is the number of items less one, and that number is a power of two.
        unsafe { mem::transmute::<*const T, &T>(item) }
    }

    /// As [`at`](Self::at).
    #[inline]
    #[expect(clippy::transmute_ptr_to_ref, reason = "as in `at`")]
    pub(crate) fn at_mut(&mut self, place: usize, live: usize) -> &mut T {
        check(place, live);
        let item = self.items.as_mut_ptr().wrapping_add(place & self.mask);
        // SAFETY: as in `at`.
        unsafe { mem::transmute::<*mut T, &mut T>(item) }
    }
}

#[inline]
fn check(place: usize, live: usize) {
    if cfg!(feature = "checked-access") {
        assert!(place < live, "the place {place} is not in use, only {live} are");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ptr;

    #[test]
    fn every_place_is_within_bounds() {
        let mut slots = Slots::new(0);
        for len in 1..40 {
            if len > slots.len() {
                slots.grow(len, || len);
            }
            let all = slots.as_slice();
            assert!(all.len() >= len && all.len().is_power_of_two() && all.len() == slots.len());
            let is_inside =
                |place: usize| all.as_ptr_range().contains(&ptr::from_ref(slots.at(place, usize::MAX)));
            assert!((0..100).all(is_inside));
        }
    }

    #[test]
    #[cfg_attr(not(feature = "checked-access"), ignore = "not checked in this build")]
    #[should_panic = "the place 3 is not in use"]
    fn a_place_that_is_not_in_use_is_noticed() {
        let mut slots = Slots::new(0);
        slots.grow(4, || 1);
        slots.at(3, 3);
    }
}
