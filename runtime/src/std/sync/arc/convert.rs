//! Conversions to counted pointers.

use std::borrow::Cow;
use std::ffi::{CStr, CString, OsStr, OsString};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync as real;

use super::Arc;

/// Declares conversions that the standard library's pointer has as well.
macro_rules! from {
    ($([$($generics:tt)*] $from:ty => $to:ty,)*) => {$(
        impl<$($generics)*> From<$from> for Arc<$to> {
            fn from(value: $from) -> Self {
                Arc::adopt(real::Arc::from(value))
            }
        }
    )*};
}

from! {
    [T] T => T,
    [T: ?Sized] Box<T> => T,
    [T] Vec<T> => [T],
    [T: Clone] &[T] => [T],
    [T: Clone] &mut [T] => [T],
    [T, const N: usize] [T; N] => [T],
    [] &str => str,
    [] &mut str => str,
    [] String => str,
    [] &CStr => CStr,
    [] &mut CStr => CStr,
    [] CString => CStr,
    [] &OsStr => OsStr,
    [] &mut OsStr => OsStr,
    [] OsString => OsStr,
    [] &Path => Path,
    [] &mut Path => Path,
    [] PathBuf => Path,
}

impl<'a, B> From<Cow<'a, B>> for Arc<B>
where
    B: ?Sized + ToOwned,
    Arc<B>: From<&'a B> + From<B::Owned>,
{
    fn from(value: Cow<'a, B>) -> Self {
        match value {
            Cow::Borrowed(value) => Arc::from(value),
            Cow::Owned(value) => Arc::from(value),
        }
    }
}

impl From<Arc<str>> for Arc<[u8]> {
    fn from(value: Arc<str>) -> Self {
        let (pointer, tally) = value.into_parts();
        Arc::counted(real::Arc::from(pointer), tally)
    }
}

impl<T, const N: usize> TryFrom<Arc<[T]>> for Arc<[T; N]> {
    type Error = Arc<[T]>;

    fn try_from(value: Arc<[T]>) -> Result<Self, Self::Error> {
        let (pointer, tally) = value.into_parts();
        match real::Arc::try_from(pointer) {
            Ok(pointer) => Ok(Arc::counted(pointer, tally)),
            Err(pointer) => Err(Arc::counted(pointer, tally)),
        }
    }
}

impl<T> FromIterator<T> for Arc<[T]> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Arc::adopt(values.into_iter().collect())
    }
}

impl<T: Default> Default for Arc<T> {
    fn default() -> Self {
        Arc::new(T::default())
    }
}

impl<T> Default for Arc<[T]> {
    fn default() -> Self {
        Arc::from([])
    }
}

impl Default for Arc<str> {
    fn default() -> Self {
        Arc::from("")
    }
}

impl Default for Arc<CStr> {
    fn default() -> Self {
        Arc::from(c"")
    }
}

impl<T: ?Sized> Default for Pin<Arc<T>>
where
    Arc<T>: Default,
{
    fn default() -> Self {
        // SAFETY: as in `Arc::pin`.
        unsafe { Pin::new_unchecked(Arc::default()) }
    }
}
