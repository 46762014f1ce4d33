//! Typed ids for the parts of a run, and the tables that they index.
//!
//! Ids count from one, so that `Option<Id>` is as small as the id. The first place of every table is therefore never used,
//! which is cheaper than subtracting one at every access.

use std::marker::PhantomData;
use std::num::{NonZeroU32, NonZeroU64};
use std::ops::{Index, IndexMut};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{fmt, mem, slice};

use crate::slots::Slots;

/// A place in a [`Table`].
pub trait Id: Copy {
    /// The id that stands for a place; none for the place that is never used.
    fn at(place: usize) -> Option<Self>;

    /// The place.
    fn place(self) -> usize;

    /// As [`at`](Self::at), without a check.
    ///
    /// # Safety
    /// The place must be neither zero nor larger than `u32::MAX`.
    unsafe fn at_unchecked(place: usize) -> Self;
}

/// Defines a type of ids.
macro_rules! ids {
    ($($(#[$about:meta])* $name:ident;)*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(NonZeroU32);

        impl Id for $name {
            #[inline]
            fn at(place: usize) -> Option<Self> {
                NonZeroU32::new(place as u32).map($name)
            }

            #[inline]
            fn place(self) -> usize {
                self.0.get() as usize
            }

            #[inline]
            #[expect(
                clippy::transmute_int_to_non_zero,
                reason = "`new_unchecked` is checked in the builds that users test in"
            )]
            unsafe fn at_unchecked(place: usize) -> Self {
                // SAFETY: the caller vouches for the place.
                $name(unsafe { mem::transmute::<u32, NonZeroU32>(place as u32) })
            }
        }

        impl $name {
            /// The first of all.
            #[allow(dead_code, reason = "not every kind of id has a first one that is special")]
            pub const FIRST: $name = $name(NonZeroU32::MIN);

            /// As a number, which is never zero.
            #[inline]
            #[allow(dead_code, reason = "not every kind of id is ever a number")]
            pub fn number(self) -> u32 {
                self.0.get()
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }
    )*};
}

ids! {
    /// An object of a run: a lock, a channel, a variable.
    ObjectId;
    /// A thread of a run.
    ThreadId;
    /// A process: a thread or an object, by its interned name, which holds for all runs of a worker.
    ProcessId;
    /// An event of a run. Events are numbered in the order in which they happened.
    EventId;
    /// The state of an object just before a completion of a run.
    SnapshotId;
}

/// An execution: identifies a run among those of all workers, so that an object kept from an earlier one is noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ExecutionId(NonZeroU64);

impl ExecutionId {
    /// The number of ids of a worker, larger than its number of executions.
    const BLOCK: u64 = 1 << 40;

    /// The first of a block of ids that no other worker uses: handles may outlive the worker that made them.
    pub(crate) fn first_of_a_worker() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let first = NEXT.fetch_add(Self::BLOCK, Ordering::Relaxed);
        ExecutionId(NonZeroU64::new(first).expect("it counts from one"))
    }

    /// The next execution of the same worker.
    pub fn next(self) -> Self {
        ExecutionId(self.0.saturating_add(1))
    }

    /// The worker that runs it.
    pub fn worker(self) -> u64 {
        self.0.get() / Self::BLOCK
    }
}

/// Items by id. The memory of items that have been cleared is kept for those that come after them.
#[derive(Clone, Debug)]
pub struct Table<I, T> {
    /// The first is never used.
    slots: Slots<T>,
    /// How many of them belong to this run, the unused one included.
    live: usize,
    /// Makes what fills a slot before its first use.
    blank: fn() -> T,
    by: PhantomData<I>,
}

impl<I: Id, T> Table<I, T> {
    /// An empty table, whose items begin as `blank` makes them.
    pub fn new(blank: fn() -> T) -> Self {
        Table { slots: Slots::new(blank()), live: 1, blank, by: PhantomData }
    }

    /// How many items there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.live - 1
    }

    /// Forgets all items, but keeps their memory.
    #[inline]
    pub fn clear(&mut self) {
        self.live = 1;
    }

    /// Adds an item and returns its id. The item is blank, or what an earlier run has left at its place.
    #[inline]
    pub fn add(&mut self) -> I {
        let place = self.live;
        self.live += 1;
        if self.live > self.slots.len() {
            self.slots.grow(self.live, self.blank);
        }
        // SAFETY: a table has at least one place that is live, and far fewer than four billion.
        unsafe { I::at_unchecked(place) }
    }

    /// Adds an item.
    pub fn push(&mut self, item: T) -> I {
        let id = self.add();
        self[id] = item;
        id
    }

    /// The item of an id, if there is one.
    #[inline]
    pub fn get(&self, id: I) -> Option<&T> {
        self.slots.as_slice()[..self.live].get(id.place())
    }

    /// The ids of all items, in order.
    #[inline]
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + use<I, T> {
        // SAFETY: places are counted from one, and there are far fewer than four billion.
        (1..self.live).map(|place| unsafe { I::at_unchecked(place) })
    }

    /// All items, in the order of their ids.
    pub fn iter(&self) -> slice::Iter<'_, T> {
        self.slots.as_slice()[1..self.live].iter()
    }

    /// All items, in the order of their ids.
    pub fn iter_mut(&mut self) -> slice::IterMut<'_, T> {
        self.slots.as_mut_slice()[1..self.live].iter_mut()
    }
}

impl<I: Id, T> Index<I> for Table<I, T> {
    type Output = T;

    #[inline]
    fn index(&self, id: I) -> &T {
        self.slots.at(id.place(), self.live)
    }
}

impl<I: Id, T> IndexMut<I> for Table<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        self.slots.at_mut(id.place(), self.live)
    }
}

/// A value for each id of a table, in memory that is filled anew for every run.
#[derive(Debug)]
pub struct Values<I, T> {
    /// The first is never used.
    slots: Slots<T>,
    /// How many of them have a value, the unused one included.
    live: usize,
    by: PhantomData<I>,
}

impl<I: Id, T: Clone> Clone for Values<I, T> {
    fn clone(&self) -> Self {
        Values { slots: self.slots.clone(), live: self.live, by: PhantomData }
    }

    // Every variant copies values, and must not allocate for that.
    #[inline]
    fn clone_from(&mut self, other: &Self) {
        let all = other.slots();
        self.make_room(all.len() - 1).clone_from_slice(all);
    }
}

impl<I: Id, T: Default> Default for Values<I, T> {
    fn default() -> Self {
        Values::with(T::default())
    }
}

impl<I: Id, T> Values<I, T> {
    /// No values yet; `unused` fills the place that no id stands for.
    pub fn with(unused: T) -> Self {
        Values { slots: Slots::new(unused), live: 1, by: PhantomData }
    }

    /// All values by their places, of which the first is never used.
    #[inline]
    pub(crate) fn slots(&self) -> &[T] {
        &self.slots.as_slice()[..self.live]
    }

    /// Forgets all of them.
    #[inline]
    pub fn clear(&mut self) {
        self.live = 1;
    }

    /// The value of an id, if it has one.
    #[inline]
    pub fn get(&self, id: I) -> Option<&T> {
        self.slots().get(id.place())
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.live - 1
    }

    /// The id that the next value will have.
    #[inline]
    pub fn next(&self) -> I {
        // SAFETY: the first place is taken, and there are far fewer than four billion.
        unsafe { I::at_unchecked(self.live) }
    }

    /// The ids that have values, with these, in order.
    #[inline]
    pub fn pairs(&self) -> Pairs<'_, I, T> {
        self.pairs_after(0)
    }

    /// As [`pairs`](Self::pairs), without this many at the beginning.
    #[inline]
    pub fn pairs_after(&self, skipped: usize) -> Pairs<'_, I, T> {
        let next = skipped + 1;
        Pairs { values: self.slots().get(next..).unwrap_or_default().iter(), next, by: PhantomData }
    }

    /// The ids that have values, in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + use<I, T> {
        // SAFETY: places are counted from one, and there are far fewer than four billion.
        (1..self.live).map(|place| unsafe { I::at_unchecked(place) })
    }

    /// All values, in the order of their ids.
    #[inline]
    pub fn iter(&self) -> slice::Iter<'_, T> {
        self.slots()[1..].iter()
    }
}

/// Ids with their values, in order. Written by hand, since iterator adapters are not inlined in unoptimized builds, in
/// which users run their tests.
pub struct Pairs<'a, I, T> {
    values: slice::Iter<'a, T>,
    /// The place of the first value that is left.
    next: usize,
    by: PhantomData<I>,
}

impl<'a, I: Id, T> Iterator for Pairs<'a, I, T> {
    type Item = (I, &'a T);

    #[inline]
    fn next(&mut self) -> Option<(I, &'a T)> {
        let value = self.values.next()?;
        // SAFETY: places are counted from the second on, and there are far fewer than four billion.
        let id = unsafe { I::at_unchecked(self.next) };
        self.next = self.next.wrapping_add(1);
        Some((id, value))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.values.size_hint()
    }
}

impl<I: Id, T> DoubleEndedIterator for Pairs<'_, I, T> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        let value = self.values.next_back()?;
        // SAFETY: as in `next`.
        Some((unsafe { I::at_unchecked(self.next + self.values.len()) }, value))
    }
}

impl<I: Id, T> ExactSizeIterator for Pairs<'_, I, T> {}

impl<I: Id, T: Clone> Values<I, T> {
    /// The same value for each of the first `len` ids.
    pub fn of(len: usize, value: T) -> Self {
        let mut values = Values::with(value.clone());
        values.fill(len, value);
        values
    }

    /// The same value for each of the first `len` ids.
    #[inline]
    pub fn fill(&mut self, len: usize, value: T) {
        self.make_room(len).fill(value);
    }

    /// Room for this many values, with whatever an earlier run has left there; by their places, of which the first is never
    /// used.
    #[inline]
    pub fn make_room(&mut self, len: usize) -> &mut [T] {
        self.live = len + 1;
        if self.live > self.slots.len() {
            self.slots.extend(self.live);
        }
        &mut self.slots.as_mut_slice()[..self.live]
    }

    /// Adds a value for the next id.
    #[inline]
    pub fn push(&mut self, value: T) -> I {
        let id = self.next();
        self.live += 1;
        if self.live > self.slots.len() {
            self.slots.extend(self.live);
        }
        self[id] = value;
        id
    }

    /// Copies the values of `other`, and appends `value` up to this many.
    #[inline]
    pub fn copy(&mut self, other: &Self, len: usize, value: T) {
        self.clone_from(other);
        self.extend_to(len, value);
    }

    /// Makes room for this many values, new ones being `value`.
    #[inline]
    pub fn extend_to(&mut self, len: usize, value: T) {
        let known = self.live.min(len + 1);
        self.make_room(len)[known..].fill(value);
    }
}

impl<I: Id, T> Index<I> for Values<I, T> {
    type Output = T;

    #[inline]
    fn index(&self, id: I) -> &T {
        self.slots.at(id.place(), self.live)
    }
}

impl<I: Id, T> IndexMut<I> for Values<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        self.slots.at_mut(id.place(), self.live)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_id_takes_no_memory() {
        assert_eq!(size_of::<Option<ObjectId>>(), size_of::<u32>());
    }

    #[test]
    fn a_copy_takes_no_new_memory() {
        let mut values: Values<EventId, u64> = Values::of(10, 1);
        let memory = values.slots().as_ptr();
        values.clone_from(&Values::of(5, 2));
        assert_eq!((values.slots().as_ptr(), values.len()), (memory, 5));
    }

    #[test]
    fn what_is_cleared_leaves_its_memory() {
        let mut table: Table<ObjectId, String> = Table::new(String::new);
        let first = table.add();
        table[first].push_str("kept");
        table.clear();
        assert_eq!((table.len(), table.ids().count()), (0, 0));
        assert_eq!((table.add(), table[first].as_str()), (first, "kept"));
        let second = table.add();
        assert_eq!(table.ids().collect::<Vec<_>>(), [first, second]);
        assert_eq!(table.iter().collect::<Vec<_>>(), ["kept", ""]);
    }
}
