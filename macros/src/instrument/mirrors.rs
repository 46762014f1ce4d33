//! Which paths have a replacement, which replacements are under control, and which paths are rejected.
//!
//! Paths are lists of names from the root of a crate: `std::sync::Mutex` is `["std", "sync", "Mutex"]`, however the
//! program spells it.

/// Where a path leads in the crate `insyn`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mirror {
    /// How many names at the beginning of the path are replaced.
    pub(super) replaced: usize,
    /// What they are replaced with.
    pub(super) by: &'static [&'static str],
}

/// The replacement for a path; none if it has none.
pub(super) fn mirror(path: &[&str]) -> Option<Mirror> {
    let (replaced, by): (_, &[_]) = match path {
        ["std", "thread", ..] => (2, &["insyn", "std", "thread"]),
        ["std", "sync", ..] => (2, &["insyn", "std", "sync"]),
        // The module; an import of it also brings the macro of this name, which the replacement has, too.
        ["std", "panic", ..] => (2, &["insyn", "std", "panic"]),
        ["std" | "core", "time", ..] => (2, &["insyn", "std", "time"]),
        ["std" | "core", "hint", ..] => (2, &["insyn", "std", "hint"]),
        ["std", "thread_local"] => (2, &["insyn", "std", "thread_local"]),
        ["core", "sync", "atomic", ..] => (3, &["insyn", "std", "sync", "atomic"]),
        // The replacement has more items than `sync` of these two crates. That does no harm, since names are looked up one by one.
        ["core", "sync"] => (2, &["insyn", "std", "sync"]),
        ["alloc", "sync", ..] => (2, &["insyn", "std", "sync"]),
        ["crossbeam_channel", ..] => (1, &["insyn", "crossbeam_channel"]),
        ["crossbeam", "channel", ..] => (2, &["insyn", "crossbeam_channel"]),
        ["crossbeam", "select"] => (2, &["insyn", "crossbeam_channel", "select"]),
        ["crossbeam" | "crossbeam_utils", "sync", "WaitGroup", ..] => {
            (2, &["insyn", "crossbeam_utils", "sync"])
        }
        _ => return None,
    };
    Some(Mirror { replaced, by })
}

/// The names as slices.
pub(super) fn borrowed(path: &[String]) -> Vec<&str> {
    path.iter().map(String::as_str).collect()
}

/// The crates of replaced paths, and those that are rejected in part.
pub(super) const CRATES: [&str; 13] = [
    "std",
    "core",
    "alloc",
    "crossbeam_channel",
    "crossbeam",
    "crossbeam_utils",
    "crossbeam_deque",
    "crossbeam_epoch",
    "crossbeam_queue",
    "flume",
    "parking_lot",
    "insyn",
    "insyn_macros",
];

/// The canonical spelling of a path, `std::…` or `crossbeam_channel::…`, if it has a replacement or is one.
pub(super) fn proper<'a>(path: &[&'a str]) -> Option<Vec<&'a str>> {
    if let ["insyn", rest @ ..] = path {
        return Some(rest.to_vec());
    }
    let Mirror { replaced, by } = mirror(path)?;
    Some([&by[1..], &path[replaced..]].concat())
}

/// The items that a replaced module defines itself; it re-exports the rest from the real one.
const CONTROLLED: [(&[&str], &[&str]); 10] = [
    (&["std"], &["thread", "sync", "panic", "time", "hint", "thread_local"]),
    (
        &["std", "sync"],
        &[
            "Arc",
            "Barrier",
            "BarrierWaitResult",
            "Condvar",
            "LazyLock",
            "Mutex",
            "MutexGuard",
            "Once",
            "OnceLock",
            "OnceState",
            "RwLock",
            "RwLockReadGuard",
            "RwLockWriteGuard",
            "WaitTimeoutResult",
            "Weak",
            "atomic",
            "mpsc",
        ],
    ),
    (
        &["std", "sync", "mpsc"],
        &["IntoIter", "Iter", "Receiver", "Sender", "SyncSender", "TryIter", "channel", "sync_channel"],
    ),
    (
        &["std", "sync", "atomic"],
        &[
            "AtomicBool",
            "AtomicI16",
            "AtomicI32",
            "AtomicI64",
            "AtomicI8",
            "AtomicIsize",
            "AtomicPtr",
            "AtomicU16",
            "AtomicU32",
            "AtomicU64",
            "AtomicU8",
            "AtomicUsize",
            "compiler_fence",
            "fence",
            "spin_loop_hint",
        ],
    ),
    (
        &["std", "thread"],
        &[
            "AccessError",
            "Builder",
            "JoinHandle",
            "LocalKey",
            "Scope",
            "ScopedJoinHandle",
            "Thread",
            "ThreadId",
            "available_parallelism",
            "current",
            "panicking",
            "park",
            "park_timeout",
            "park_timeout_ms",
            "scope",
            "sleep",
            "sleep_ms",
            "spawn",
            "yield_now",
        ],
    ),
    (&["std", "panic"], &["catch_unwind", "resume_unwind", "set_hook", "take_hook"]),
    (&["std", "time"], &["Instant"]),
    (&["std", "hint"], &["spin_loop"]),
    (
        &["crossbeam_channel"],
        &[
            "IntoIter",
            "Iter",
            "Receiver",
            "Select",
            "SelectedOperation",
            "Sender",
            "TryIter",
            "after",
            "at",
            "bounded",
            "never",
            "select",
            "select_biased",
            "tick",
            "unbounded",
        ],
    ),
    (&["crossbeam_utils", "sync"], &["WaitGroup"]),
];

/// The items that the module of this path (in canonical spelling) defines itself; none if it is not a replaced module.
pub(super) fn controlled(module: &[&str]) -> Option<&'static [&'static str]> {
    CONTROLLED.iter().find(|(path, _)| *path == module).map(|(_, names)| *names)
}

/// Whether a call of this path creates an object or a thread, and returns it, or its handles, and does nothing else.
pub(super) fn makes_object(path: &[&str]) -> bool {
    let Some(path) = proper(path) else { return false };
    match path.as_slice() {
        ["std", "thread", "spawn"] | ["std", "sync", "mpsc", "channel" | "sync_channel"] => true,
        ["crossbeam_channel", "bounded" | "unbounded" | "after" | "at" | "tick" | "never"] => true,
        ["crossbeam_utils", "sync", "WaitGroup", "new" | "default"] => true,
        ["sync", "Semaphore", "new" | "binary"] | ["sync", "ReentrantLock", "new"] => true,
        ["sync", "Monitor", "new" | "urgent"] | ["sync", "entry" | "port"] => true,
        ["std", "sync", "Arc", "new" | "new_cyclic" | "from" | "default"] => true,
        _ => is_constructor(&path),
    }
}

/// Whether a call of this path is an operation, and creates nothing.
pub(super) fn is_operation(path: &[&str]) -> bool {
    let Some(path) = proper(path) else { return false };
    let has = |module: &[&str], name| controlled(module).is_some_and(|names| names.contains(name));
    match path.as_slice() {
        [module @ .., name] if has(module, name) => {
            name.starts_with(char::is_lowercase) && controlled(&path).is_none() && !makes_object(&path)
        }
        [module @ .., name, function] if has(module, name) => {
            !matches!(*function, "new" | "default" | "from")
        }
        _ => false,
    }
}

/// Whether a path leads to a constructor that is a `const fn` in the standard library but not in the replacement.
pub(super) fn is_const_in_std(path: &[&str]) -> bool {
    proper(path).is_some_and(|path| {
        is_constructor(&path) && matches!(path.last(), Some(&"new"))
            || matches!(path.as_slice(), ["std", "sync", "Weak", "new"])
    })
}

fn is_constructor(path: &[&str]) -> bool {
    match path {
        [
            "std",
            "sync",
            "Mutex" | "RwLock" | "Condvar" | "Barrier" | "Once" | "OnceLock" | "LazyLock",
            "new" | "default" | "from",
        ] => true,
        ["std", "sync", "atomic", name, "new" | "default" | "from"] => name.starts_with("Atomic"),
        _ => false,
    }
}

/// Names that do not imply the standard library: a program may well define its own. If one of them is the standard
/// library's after all, it does not match the types of the replacements, so the compiler rejects it.
const COMMON: [&str; 19] = [
    "AccessError",
    "IntoIter",
    "Iter",
    "Scope",
    "Select",
    "SelectedOperation",
    "Thread",
    "ThreadId",
    "TryIter",
    "after",
    "at",
    "compiler_fence",
    "current",
    "fence",
    "never",
    "panicking",
    "select",
    "select_biased",
    "tick",
];

/// A path that a program would have to import to write only what is `written`, if that names something that must be
/// under control: `std::sync::Mutex` for `Mutex` and `Mutex::new`, `std::thread` for `thread::spawn`.
pub(super) fn suggested_import(written: &[&str]) -> Option<String> {
    let [first, rest @ ..] = written else { return None };
    for (module, names) in CONTROLLED.iter().skip(1) {
        // Only types have something of their own.
        let fits = rest.is_empty() || first.starts_with(char::is_uppercase);
        let is_module = controlled(&[*module, &[first]].concat()).is_some();
        if fits && !is_module && names.contains(first) && !COMMON.contains(first) {
            return Some(format!("{}::{first}", module.join("::")));
        }
        // A module is recognized by what is taken from it.
        if module.last() == Some(first) && rest.first().is_some_and(|second| names.contains(second)) {
            return Some(module.join("::"));
        }
    }
    match written {
        ["channel", "bounded" | "unbounded" | "Sender" | "Receiver" | "select", ..] => {
            Some("crossbeam::channel".to_owned())
        }
        _ => None,
    }
}

/// What the real item behind an import would do.
pub(super) fn why_under_control(import: &str) -> &'static str {
    match import {
        "std::thread::available_parallelism" => "make the program depend on the machine",
        "std::thread::Builder" => "start threads that are not under control",
        _ if import.starts_with("std::panic") => "treat all threads of the program as one that panics",
        _ => "stop the whole program when it waits",
    }
}

/// Why a path must not be used in instrumented code, and what to do instead.
pub(super) fn refused(path: &[&str]) -> Option<&'static str> {
    match path {
        ["std", "sync", "mpmc", ..] => Some(
            "`std::sync::mpmc` is not stable and has no replacement: use `crossbeam_channel`, or a `Mutex` around an \
             `mpsc::Receiver`",
        ),
        ["std", "sync", "ONCE_INIT"] => {
            Some("`ONCE_INIT` is deprecated and has no replacement: use `Once::new()`, which is the same")
        }
        [
            "std" | "core",
            "sync",
            "atomic",
            "ATOMIC_BOOL_INIT" | "ATOMIC_ISIZE_INIT" | "ATOMIC_USIZE_INIT",
        ] => Some(
            "the deprecated constants of `std::sync::atomic` have no replacement: use `new`, as in `AtomicUsize::new(0)`",
        ),
        ["std", "os", _, "thread", ..] => Some(
            "threads under control are none of the operating system's and have no handle there: leave code that needs one \
             without `#[insyn::instrument]`",
        ),
        ["crossbeam" | "crossbeam_utils", "thread", ..] | ["crossbeam", "scope"] => Some(
            "threads of crossbeam's scopes are not under control: use `std::thread::scope`, which has replaced them",
        ),
        ["crossbeam" | "crossbeam_utils", "sync", "WaitGroup", ..] => None,
        ["crossbeam" | "crossbeam_utils", "sync", ..] => Some(
            "the locks of `crossbeam::sync` are not under control, and waiting for one would stop the whole program: use \
             those of `std::sync` and `std::thread::park`",
        ),
        ["crossbeam" | "crossbeam_utils", "atomic", ..] => Some(
            "the cells of `crossbeam::atomic` are not under control, so not all their behaviours would be seen: use those of \
             `std::sync::atomic`",
        ),
        ["crossbeam", "queue" | "deque" | "epoch", ..]
        | ["crossbeam_queue" | "crossbeam_deque" | "crossbeam_epoch", ..] => Some(
            "the queues of crossbeam are not under control, so not all their behaviours would be seen: use a channel, or a \
             `Mutex` around a `VecDeque`",
        ),
        ["parking_lot", ..] => Some(
            "the locks of `parking_lot` are not under control, and waiting for one would stop the whole program: use those of \
             `std::sync`",
        ),
        ["flume", ..] => Some(
            "the channels of `flume` are not under control, and waiting for one would stop the whole program: use those of \
             `std::sync::mpsc` or `crossbeam_channel`",
        ),
        _ => None,
    }
}

/// How much of a refused path `keep` has to name so that it may be used all the same; none if it never may.
pub(super) fn keepable<'a, 'b>(path: &'b [&'a str]) -> Option<&'b [&'a str]> {
    match path {
        ["std" | "core" | "alloc", ..] => None,
        ["crossbeam" | "crossbeam_utils", _, ..] => Some(&path[..2]),
        _ => refused(path).map(|_| &path[..1]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(path: &str) -> Vec<&str> {
        path.split("::").collect()
    }

    #[test]
    fn mirrors() {
        for (real, mirrored) in [
            ("std::thread::spawn", "insyn::std::thread::spawn"),
            ("std::sync::mpsc", "insyn::std::sync::mpsc"),
            ("core::sync::atomic::Ordering", "insyn::std::sync::atomic::Ordering"),
            ("alloc::sync::Arc", "insyn::std::sync::Arc"),
            ("core::hint::spin_loop", "insyn::std::hint::spin_loop"),
            ("std::panic::catch_unwind", "insyn::std::panic::catch_unwind"),
            ("crossbeam_channel", "insyn::crossbeam_channel"),
            ("crossbeam::channel::tick", "insyn::crossbeam_channel::tick"),
            ("crossbeam::select", "insyn::crossbeam_channel::select"),
            ("crossbeam::sync::WaitGroup::new", "insyn::crossbeam_utils::sync::WaitGroup::new"),
            ("crossbeam_utils::sync::WaitGroup", "insyn::crossbeam_utils::sync::WaitGroup"),
        ] {
            let path = split(real);
            let Mirror { replaced, by } = mirror(&path).expect(real);
            assert_eq!([by, &path[replaced..]].concat(), split(mirrored), "{real}");
        }
        for real in [
            "std",
            "core",
            "std::collections::HashMap",
            "core::sync::Exclusive",
            "core::panic",
            "crossbeam::epoch",
            "crossbeam::sync",
            "crossbeam_utils::sync::Parker",
        ] {
            assert_eq!(mirror(&split(real)), None, "{real}");
        }
    }

    #[test]
    fn refusals() {
        for path in [
            "std::sync::mpmc::channel",
            "std::sync::ONCE_INIT",
            "core::sync::atomic::ATOMIC_USIZE_INIT",
            "std::os::unix::thread::JoinHandleExt",
            "crossbeam::queue::SegQueue",
            "crossbeam_utils::atomic::AtomicCell",
            "crossbeam::sync",
            "crossbeam_utils::sync::ShardedLock",
            "crossbeam_epoch",
            "parking_lot::Mutex",
            "flume::bounded",
        ] {
            assert!(refused(&split(path)).is_some(), "{path}");
        }
        for path in [
            "std::sync::Once",
            "std::os::unix::net::UnixStream",
            "crossbeam_channel::Select",
            "crossbeam::utils::Backoff",
            "crossbeam::sync::WaitGroup",
        ] {
            assert_eq!(refused(&split(path)), None, "{path}");
        }
    }

    #[test]
    fn objects() {
        for path in [
            "std::sync::Mutex::new",
            "core::sync::atomic::AtomicU8::new",
            "crossbeam::channel::bounded",
            "crossbeam::sync::WaitGroup::new",
        ] {
            assert!(makes_object(&split(path)), "{path}");
        }
        for path in [
            "std::sync::Mutex::lock",
            "std::thread::sleep",
            "std::sync::PoisonError::new",
            "std::vec::Vec::new",
        ] {
            assert!(!makes_object(&split(path)), "{path}");
        }
        for path in ["std::thread::sleep", "std::sync::Arc::clone", "std::sync::Mutex::lock"] {
            assert!(is_operation(&split(path)), "{path}");
        }
        for path in [
            "std::time::Duration::from_secs",
            "std::sync::Arc::new",
            "std::sync::mpsc::channel",
            "std::sync::mpsc",
        ] {
            assert!(!is_operation(&split(path)), "{path}");
        }
        assert!(is_const_in_std(&split("insyn::std::sync::OnceLock::new")));
        assert!(!is_const_in_std(&split("std::sync::Arc::new")));
    }

    #[test]
    fn suggested_imports() {
        for (written, suggested) in [
            ("Mutex::new", Some("std::sync::Mutex")),
            ("AtomicBool", Some("std::sync::atomic::AtomicBool")),
            ("thread::spawn", Some("std::thread")),
            ("sync::Mutex::new", Some("std::sync")),
            ("mpsc::channel", Some("std::sync::mpsc")),
            ("channel", Some("std::sync::mpsc::channel")),
            ("channel::unbounded", Some("crossbeam::channel")),
            ("unbounded", Some("crossbeam_channel::unbounded")),
            ("WaitGroup::new", Some("crossbeam_utils::sync::WaitGroup")),
            ("sync::WaitGroup::new", Some("crossbeam_utils::sync")),
            ("catch_unwind", Some("std::panic::catch_unwind")),
            ("panic::catch_unwind", Some("std::panic")),
            ("panic", None),
            ("thread", None),
            ("time::Duration", None),
            ("Builder::new", Some("std::thread::Builder")),
            ("available_parallelism", Some("std::thread::available_parallelism")),
            ("Iter::new", None),
            ("HashMap::new", None),
        ] {
            assert_eq!(suggested_import(&split(written)).as_deref(), suggested, "{written}");
        }
    }
}
