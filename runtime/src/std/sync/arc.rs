//! Replacement for [`std::sync::Arc`].
//!
//! The memory is the standard library's: an [`Arc`] is one of its pointers together with the engine's name of the count. In
//! most programs the order in which pointers are cloned and dropped cannot be observed, and neither is an operation. They
//! are operations if the *count matters*: the program reads it, or the destructor of the value synchronizes, so that it
//! matters which thread drops the last pointer. The first execution that shows this makes the exploration start again.
//!
//! When the count matters, the engine decides which drop is the last. A real count must not lead to another result, so a
//! thread that drops the last real pointer while other drops may still follow in the engine's order leaves the pointer
//! behind ([`parting`]).

mod convert;
mod io;
mod mutate;
mod parting;
mod raw;
mod traits;
mod weak;

use std::any::Any;
use std::mem::{self, ManuallyDrop, MaybeUninit};
use std::ops::Deref;
use std::panic::Location;
use std::pin::Pin;
use std::sync as real;

use insyn_engine::Place;
use insyn_engine::access::{current_execution, is_alive, is_asked, with};
use insyn_engine::calls::pointers;
use insyn_engine::calls::pointers::{Count, Pointer};
use insyn_engine::ids::ExecutionId;

pub use weak::Weak;

/// A counted pointer. See [`std::sync::Arc`].
///
/// Under control counting is explored where it matters: which thread drops the last pointer, and with it the value, if the
/// value's destructor synchronizes; what [`strong_count`](Self::strong_count), [`try_unwrap`](Self::try_unwrap),
/// [`Weak::upgrade`] and the like return.
///
/// # What is missing
/// The compiler lets only the standard library's own pointers
/// - turn into pointers to a trait object or slice by themselves: write
///   `Arc::from(Box::new(value) as Box<dyn Trait>)`, which means the same with the standard library's;
/// - be the receiver of a method (`self: Arc<Self>`): write a function that takes `this: Arc<Self>`;
/// - point to a value that has a destructor and borrows from something that ends at the same time.
///
/// A [`Waker`](std::task::Waker) is made from the standard library's `Arc` only. Allocators are not stable yet.
///
/// ```
/// use insyn::std::sync::{Arc, mpsc};
/// use insyn::std::thread;
///
/// // Whichever thread drops the last pointer drops the sender; the receiver sees that either way.
/// let found = insyn::explore(|| {
///     let (tx, rx) = mpsc::channel::<()>();
///     let shared = Arc::new(tx);
///     let other = Arc::clone(&shared);
///     thread::spawn(move || drop(other));
///     drop(shared);
///     assert!(rx.recv().is_err());
/// });
/// found.assert_ok();
/// assert_eq!(found.sequences, 2);
/// ```
pub struct Arc<T: ?Sized> {
    pointer: ManuallyDrop<real::Arc<T>>,
    tally: Option<Tally>,
}

/// The count of a pointer under control.
#[derive(Clone, Copy)]
struct Tally {
    execution: ExecutionId,
    count: Count,
}

impl Tally {
    /// A new count, inside a program under test.
    fn new() -> Option<Self> {
        current_execution().map(|execution| Tally { execution, count: pointers::new(execution) })
    }

    /// Whether the count is still kept: it is not once the program is over.
    fn is_alive(self) -> bool {
        is_alive(self.execution)
    }

    /// Clones a pointer.
    ///
    /// # Panics
    /// In another execution than its own.
    #[track_caller]
    fn clone_pointer(self, pointer: Pointer, place: Place) {
        with(self.execution, |_| ());
        self.count.clone_pointer(self.execution, pointer, place);
    }

    /// How many strong and weak pointers there are.
    #[track_caller]
    fn look(self, place: Place) -> (usize, usize) {
        self.count.look(self.execution, place)
    }
}

/// The count, if it may be used: it may not once the program is over.
///
/// # Panics
/// In another execution than its own.
#[track_caller]
fn asked(tally: Option<Tally>) -> Option<Tally> {
    let tally = tally?;
    is_asked(tally.execution).then_some(tally)
}

impl<T> Arc<T> {
    /// A pointer to `data`.
    pub fn new(data: T) -> Arc<T> {
        Arc::adopt(real::Arc::new(data))
    }

    /// A pointer to the value that `data_fn` makes, which may hold weak pointers to itself. See
    /// [`std::sync::Arc::new_cyclic`].
    #[track_caller]
    pub fn new_cyclic<F>(data_fn: F) -> Arc<T>
    where
        F: FnOnce(&Weak<T>) -> T,
    {
        let place = Location::caller();
        let tally =
            current_execution().map(|execution| Tally { execution, count: pointers::unborn(execution) });
        let pointer = real::Arc::new_cyclic(|weak| {
            let weak = Uncounted::new(weak.clone(), tally);
            data_fn(&weak.0)
        });
        if let Some(tally) = tally {
            tally.clone_pointer(Pointer::Strong, place);
        }
        Arc::counted(pointer, tally)
    }

    /// A pointer to memory that is not initialized.
    #[must_use]
    pub fn new_uninit() -> Arc<MaybeUninit<T>> {
        Arc::adopt(real::Arc::new_uninit())
    }

    /// A pointer to memory that is all zeros.
    #[must_use]
    pub fn new_zeroed() -> Arc<MaybeUninit<T>> {
        Arc::new(MaybeUninit::zeroed())
    }

    /// A pinned pointer.
    pub fn pin(data: T) -> Pin<Arc<T>> {
        // SAFETY: what a counted pointer points to does not move, and `get_mut` needs the pointer itself.
        unsafe { Pin::new_unchecked(Arc::new(data)) }
    }

    /// The value, if this is the only strong pointer. See [`std::sync::Arc::try_unwrap`].
    ///
    /// # Errors
    /// The pointer, if there is another.
    #[track_caller]
    pub fn try_unwrap(this: Arc<T>) -> Result<T, Arc<T>> {
        let Some(tally) = asked(this.tally) else {
            let (pointer, tally) = this.into_parts();
            return real::Arc::try_unwrap(pointer).map_err(|pointer| Arc::counted(pointer, tally));
        };
        if !tally.count.drop_if_last(tally.execution, Location::caller()) {
            return Err(this);
        }
        let (pointer, _) = this.into_parts();
        parting::take_back(&pointer);
        real::Arc::try_unwrap(pointer).map_err(|_| unreachable!("it is the only one"))
    }

    /// The value, if this is the last strong pointer; it is dropped in any case. See [`std::sync::Arc::into_inner`].
    #[track_caller]
    pub fn into_inner(this: Arc<T>) -> Option<T> {
        let (pointer, tally) = this.into_parts();
        match asked(tally) {
            None => {
                parting::take_back(&pointer);
                real::Arc::into_inner(pointer)
            }
            Some(tally) => {
                tally.count.must_matter(tally.execution);
                parting::part(pointer, tally, Location::caller()).and_then(real::Arc::into_inner)
            }
        }
    }
}

/// A weak pointer that has not been counted, and is not counted down when it is dropped.
struct Uncounted<T>(ManuallyDrop<Weak<T>>);

impl<T> Uncounted<T> {
    fn new(pointer: real::Weak<T>, tally: Option<Tally>) -> Self {
        Uncounted(ManuallyDrop::new(Weak::counted(pointer, tally)))
    }
}

impl<T> Drop for Uncounted<T> {
    fn drop(&mut self) {
        // SAFETY: the pointer is not used after this.
        drop(unsafe { ManuallyDrop::take(&mut self.0) }.into_real());
    }
}

impl<T> Arc<[T]> {
    /// A pointer to memory for a slice that is not initialized.
    #[must_use]
    pub fn new_uninit_slice(len: usize) -> Arc<[MaybeUninit<T>]> {
        Arc::adopt(real::Arc::new_uninit_slice(len))
    }

    /// A pointer to memory for a slice, all zeros.
    #[must_use]
    pub fn new_zeroed_slice(len: usize) -> Arc<[MaybeUninit<T>]> {
        (0..len).map(|_| MaybeUninit::zeroed()).collect()
    }
}

impl<T> Arc<MaybeUninit<T>> {
    /// The pointer, now that the memory is initialized.
    ///
    /// # Safety
    /// It must be.
    #[must_use]
    pub unsafe fn assume_init(self) -> Arc<T> {
        let (pointer, tally) = self.into_parts();
        // SAFETY: the caller vouches for it.
        Arc::counted(unsafe { pointer.assume_init() }, tally)
    }
}

impl<T> Arc<[MaybeUninit<T>]> {
    /// The pointer, now that the memory is initialized.
    ///
    /// # Safety
    /// It must be.
    #[must_use]
    pub unsafe fn assume_init(self) -> Arc<[T]> {
        let (pointer, tally) = self.into_parts();
        // SAFETY: the caller vouches for it.
        Arc::counted(unsafe { pointer.assume_init() }, tally)
    }
}

impl Arc<dyn Any + Send + Sync> {
    /// The pointer as one to a `T`, if it is one. See [`std::sync::Arc::downcast`].
    ///
    /// # Errors
    /// The pointer, if it is none.
    pub fn downcast<T>(self) -> Result<Arc<T>, Self>
    where
        T: Any + Send + Sync,
    {
        let (pointer, tally) = self.into_parts();
        match pointer.downcast() {
            Ok(pointer) => Ok(Arc::counted(pointer, tally)),
            Err(pointer) => Err(Arc::counted(pointer, tally)),
        }
    }
}

impl<T: ?Sized> Arc<T> {
    /// A pointer to a value that has no count yet.
    fn adopt(pointer: real::Arc<T>) -> Self {
        Arc::counted(pointer, Tally::new())
    }

    fn counted(pointer: real::Arc<T>, tally: Option<Tally>) -> Self {
        Arc { pointer: ManuallyDrop::new(pointer), tally }
    }

    fn into_parts(self) -> (real::Arc<T>, Option<Tally>) {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: `this` is not used any more, nor dropped.
        (unsafe { ManuallyDrop::take(&mut this.pointer) }, this.tally)
    }

    /// A weak pointer to the same value. See [`std::sync::Arc::downgrade`].
    #[must_use = "this returns a new `Weak` pointer, without modifying the original `Arc`"]
    #[track_caller]
    pub fn downgrade(this: &Arc<T>) -> Weak<T> {
        if let Some(tally) = this.tally {
            tally.clone_pointer(Pointer::Weak, Location::caller());
        }
        Weak::counted(real::Arc::downgrade(&this.pointer), this.tally)
    }

    /// How many weak pointers there are. See [`std::sync::Arc::weak_count`].
    #[must_use]
    #[track_caller]
    pub fn weak_count(this: &Arc<T>) -> usize {
        match asked(this.tally) {
            Some(tally) => tally.look(Location::caller()).1,
            None => real::Arc::weak_count(&this.pointer),
        }
    }

    /// How many strong pointers there are. See [`std::sync::Arc::strong_count`].
    #[must_use]
    #[track_caller]
    pub fn strong_count(this: &Arc<T>) -> usize {
        match asked(this.tally) {
            Some(tally) => tally.look(Location::caller()).0,
            None => real::Arc::strong_count(&this.pointer),
        }
    }

    /// Whether both point to the same memory. See [`std::sync::Arc::ptr_eq`].
    #[must_use]
    pub fn ptr_eq(this: &Arc<T>, other: &Arc<T>) -> bool {
        real::Arc::ptr_eq(&this.pointer, &other.pointer)
    }
}

impl<T: ?Sized> Deref for Arc<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.pointer
    }
}

impl<T: ?Sized> Clone for Arc<T> {
    #[track_caller]
    fn clone(&self) -> Arc<T> {
        if let Some(tally) = self.tally {
            tally.clone_pointer(Pointer::Strong, Location::caller());
        }
        Arc::counted(real::Arc::clone(&self.pointer), self.tally)
    }
}

impl<T: ?Sized> Drop for Arc<T> {
    fn drop(&mut self) {
        // SAFETY: the pointer is not used after this.
        let pointer = unsafe { ManuallyDrop::take(&mut self.pointer) };
        match self.tally {
            // In every other case the drop only decreases the count, or frees memory.
            Some(tally)
                if tally.count.matters()
                    || mem::needs_drop::<T>() && real::Arc::strong_count(&pointer) == 1 =>
            {
                parting::drop_counted(pointer, tally);
            }
            _ => drop(pointer),
        }
    }
}
