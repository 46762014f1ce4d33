//! Replacement for [`std::sync::atomic`].
//!
//! # What differs under control
//! - Every operation is **sequentially consistent**, whatever [`Ordering`] it is given: all operations on all variables
//!   happen as if one after the other. Behaviours that only a weaker ordering allows are not explored; a program that is
//!   right here may still be wrong with `Relaxed`. Orderings that make no sense (a `Release` load) panic as they do in the
//!   standard library.
//! - Loads of the same value are not ordered among each other: any number of threads that only read are one behaviour.
//!   (With [`Explorer::ordered_loads`](crate::Explorer::ordered_loads) they are ordered.)
//! - `compare_exchange_weak` never fails spuriously, unless [`Explorer::spurious_failures`](crate::Explorer::spurious_failures)
//!   is set. [`fence`] and [`compiler_fence`] do nothing.
//! - No `new` is `const`: a variable belongs to the execution it is made in.
//!
//! The value of a variable under control lives in the engine, so there is no `as_ptr` and no `from_ptr`; use `get_mut`
//! where you have exclusive access to the variable.
//!
//! ```compile_fail,E0277
//! let flag = insyn::std::sync::atomic::AtomicBool::new(false);
//! flag.as_ptr();
//! ```
//!
//! ```
//! use insyn::std::sync::atomic::{AtomicBool, Ordering};
//! use insyn::std::thread;
//!
//! let found = insyn::explore(|| {
//!     let (x, y) = (AtomicBool::new(false), AtomicBool::new(false));
//!     thread::scope(|s| {
//!         let a = s.spawn(|| {
//!             x.store(true, Ordering::SeqCst);
//!             y.load(Ordering::SeqCst)
//!         });
//!         y.store(true, Ordering::SeqCst);
//!         let b = x.load(Ordering::SeqCst);
//!         assert!(a.join().unwrap() || b, "one of the two sees the other");
//!     });
//! });
//! found.assert_ok();
//! assert_eq!(found.sequences, 3);
//! ```

mod boolean;
mod integer;
mod operations;
mod pointer;
mod variable;

use insyn_engine::access::is_under_control;
use std::sync::atomic as real;

pub use boolean::AtomicBool;
pub use integer::{
    AtomicI8, AtomicI16, AtomicI32, AtomicI64, AtomicIsize, AtomicU8, AtomicU16, AtomicU32, AtomicU64,
    AtomicUsize,
};
pub use pointer::AtomicPtr;
pub use std::sync::atomic::Ordering;

/// Orders what comes before it and what comes after. See [`std::sync::atomic::fence`]. Under control everything is ordered
/// anyway.
///
/// # Panics
/// If `order` is [`Ordering::Relaxed`].
#[track_caller]
pub fn fence(order: Ordering) {
    if !is_under_control() || order == Ordering::Relaxed {
        real::fence(order);
    }
}

/// Keeps the compiler from moving memory accesses. See [`std::sync::atomic::compiler_fence`].
///
/// # Panics
/// If `order` is [`Ordering::Relaxed`].
#[track_caller]
pub fn compiler_fence(order: Ordering) {
    real::compiler_fence(order);
}

/// Hints that the thread spins until another thread makes progress.
#[deprecated(note = "replaced by `hint::spin_loop`, as in the standard library")]
pub fn spin_loop_hint() {
    crate::std::hint::spin_loop();
}

/// No variable implements this trait: functions on raw pointers to a variable require it, so that the compiler prints what
/// to do instead.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the value of a variable under control has no address",
    label = "there is no pointer to the value of `{Self}`",
    note = "use `get_mut` where you have the variable to yourself, or leave this code without `#[insyn::instrument]`"
)]
pub trait InMemory {}
