//! What to use instead of items that have no replacement.

/// Paths of items, methods (`Type::method`) and traits (`Type: Trait`) from the root of a crate, and the advice. A star
/// stands for any one name.
pub(crate) const INSTEAD: &[(&str, &str)] = &[
    (
        "crossbeam_utils::sync::*",
        "only its wait groups are mirrored; use the locks of `std::sync` and `std::thread::park`",
    ),
    ("std::sync::Arc: As*", "a trait of Windows; hand the object inside to whoever wants its handle"),
    ("std::sync::ONCE_INIT", "deprecated; use `Once::new()`"),
    ("std::sync::atomic::ATOMIC_*_INIT", "deprecated; use `new`, as in `AtomicUsize::new(0)`"),
    (
        "std::sync::atomic::*::as_ptr",
        "the value of a variable under control lives in the engine; use `get_mut` where you have the variable to yourself",
    ),
    (
        "std::sync::atomic::*::from_ptr",
        "the value of a variable under control lives in the engine; share the variable itself",
    ),
    (
        "std::thread::JoinHandle: *Handle",
        "a trait of Windows for handles of the operating system, which threads under control have not",
    ),
    (
        "std::thread::JoinHandle: From",
        "a handle of the operating system, on Windows, is made of it; threads under control have none",
    ),
    (
        "std::thread::JoinHandle: JoinHandleExt",
        "threads under control have no handle of the operating system; leave code that needs one without \
         `#[insyn::instrument]`",
    ),
];
