//! How a thread ended, and what it returned.

use std::any::Any;
use std::mem;

/// How a thread ended. It has a tag of its own, so that the check at the end of every thread is one comparison.
#[repr(u8)]
pub enum Outcome {
    Pending,
    Returned(Erased),
    Panicked(Box<dyn Any + Send>),
}

/// A boxed value of a type that only the join handle knows.
pub struct Erased {
    value: *mut (),
    /// None if there is nothing to drop, nor any memory to free.
    drop: Option<unsafe fn(*mut ())>,
    /// Dropping the value does something.
    needs_drop: bool,
}

impl Outcome {
    #[inline]
    pub(crate) fn runs_user_code(&self) -> bool {
        match self {
            Outcome::Pending => false,
            Outcome::Returned(value) => value.needs_drop,
            Outcome::Panicked(_) => true,
        }
    }
}

impl Erased {
    pub fn new<T>(value: T) -> Self {
        unsafe fn drop_box<T>(value: *mut ()) {
            // SAFETY: `value` came from `Box::into_raw` of a `Box<T>` below and is dropped once.
            drop(unsafe { Box::from_raw(value.cast::<T>()) });
        }
        let needs_drop = mem::needs_drop::<T>();
        Erased {
            value: Box::into_raw(Box::new(value)).cast(),
            drop: (needs_drop || size_of::<T>() > 0).then_some(drop_box::<T>),
            needs_drop,
        }
    }

    /// # Safety
    /// The value must have been a `T`.
    pub unsafe fn into_inner<T>(self) -> T {
        let value = self.value;
        mem::forget(self);
        // SAFETY: as the caller vouches; `forget` keeps it from being dropped twice.
        *unsafe { Box::from_raw(value.cast::<T>()) }
    }
}

impl Drop for Erased {
    fn drop(&mut self) {
        if let Some(drop) = self.drop {
            // SAFETY: made by `new` for the right type, and not yet dropped.
            unsafe { drop(self.value) }
        }
    }
}
