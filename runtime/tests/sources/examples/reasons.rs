//! Why some examples do not hold in every behaviour.

/// Examples that depend on time, and how.
pub(crate) const FAILS: &[(&str, &str)] = &[
    ("std::sync::mpsc::Receiver::recv_timeout", "the message may come after the timeout"),
    (
        "std::sync::mpsc::Receiver::recv_timeout (2)",
        "the sender sleeps so that the receiver times out first; it may also be late itself",
    ),
    (
        "std::sync::mpsc::Receiver::try_iter",
        "the messages are expected after a sleep, and may come earlier or later",
    ),
    (
        "std::sync::mpsc::TryIter",
        "the messages are expected after a sleep; sent later, they meet a receiver that is gone, and the sender unwraps",
    ),
    ("std::thread::Result", "it copies a file that is not there; its own authors compile it only"),
    ("crossbeam_channel::never", "after the timeout the receiver is gone, and the sender unwraps"),
    (
        "crossbeam_channel::Sender::send",
        "the receiver sleeps before it goes, so that a message is sent in time; it may also be sent too late",
    ),
    (
        "crossbeam_channel::Sender::send_timeout",
        "the receiver sleeps so that the send times out first; it may also be received in time",
    ),
    (
        "crossbeam_channel::Sender::send_deadline",
        "the receiver sleeps so that the send times out first; it may also be received in time",
    ),
    (
        "crossbeam_channel::Receiver::recv_timeout",
        "the sender sleeps so that the receiver times out first; the message may also come in time",
    ),
    (
        "crossbeam_channel::Receiver::recv_deadline",
        "the sender sleeps so that the receiver times out first; the message may also come in time",
    ),
    ("crossbeam_channel::Receiver::try_iter", "the messages are expected after a sleep, and may come later"),
    ("crossbeam_channel::TryIter", "the messages are expected after a sleep, and may come later"),
    (
        "crossbeam_channel (12)",
        "the first message ends `main`, and the other sender, which meets no receiver, unwraps",
    ),
    (
        "crossbeam_channel::Select::select",
        "the first message ends `main`, and the other sender, which meets no receiver, unwraps",
    ),
    (
        "crossbeam_channel::Select::select_timeout",
        "the first message, or the timeout, ends `main`; senders that meet no receiver unwrap",
    ),
    (
        "crossbeam_channel::Select::select_deadline",
        "the first message, or the deadline, ends `main`; senders that meet no receiver unwrap",
    ),
    (
        "crossbeam_channel::Select::ready",
        "the first message ends `main`, and the other sender, which meets no receiver, unwraps",
    ),
    (
        "crossbeam_channel::Select::ready_timeout",
        "it panics when it times out, which the senders' sleeps are too short for",
    ),
    (
        "crossbeam_channel::Select::ready_deadline",
        "it panics when it times out, which the senders' sleeps are too short for",
    ),
    (
        "crossbeam_channel::select (2)",
        "the senders sleep so that nothing is ready; senders that meet no receiver unwrap",
    ),
    (
        "crossbeam_channel::select (3)",
        "the senders sleep so that it times out first, and it panics if it does not",
    ),
    (
        "crossbeam_channel::select (4)",
        "the first sender sleeps longer than the second; it panics if the first is first, and the other sender unwraps",
    ),
];

/// Examples that instrumentation refuses, and why.
pub(crate) const REFUSED: &[(&str, &str)] = &[
    ("std::sync", STATIC_MUT),
    ("std::sync::ONCE_INIT", "deprecated, and without a mirror: `Once::new()` is the same"),
    ("std::sync::Once::call_once", STATIC_MUT),
    ("std::sync::atomic", POINTER),
    ("std::sync::atomic::AtomicBool::from_ptr", POINTER),
    ("std::sync::atomic::AtomicI32::from_ptr", POINTER),
    ("std::sync::atomic::AtomicPtr::from_ptr", POINTER),
    ("std::sync::atomic::AtomicUsize::from_ptr", POINTER),
    ("std::sync::atomic::compiler_fence", STATIC_MUT),
    (
        "crossbeam_channel (7)",
        "its threads are those of `crossbeam_utils`; `std::thread::scope` has replaced them",
    ),
];

const STATIC_MUT: &str = "it has a `static mut`, which cannot start anew in each execution";
const POINTER: &str = "it takes a pointer to the value of an atomic variable, which lives in the engine";

/// Examples that wait again after each timeout, so that there is a behaviour for every number of timeouts.
pub(crate) const ENDLESS: &[(&str, &str)] = &[
    ("std::sync::Condvar::wait_timeout", "it waits again after each timeout"),
    ("std::sync::Condvar::wait_timeout_ms", "it waits again after each timeout"),
    ("crossbeam_channel (13)", "it looks at a ticker until a timer fires"),
];

/// Examples with too many behaviours to explore: what is written in place of what.
pub(crate) const SMALLER: &[(&str, &str, &str)] = &[
    ("std::sync::Arc (6)", "0..10", "0..3"),
    ("std::sync::Arc::into_inner (2)", "size = 100000", "size = 3"),
    ("std::sync::Mutex (2)", "N: usize = 10", "N: usize = 3"),
    ("std::sync::mpsc (2)", "0..10", "0..5"),
    ("std::sync::OnceLock (2)", "{ 1000 }", "{ 2 }"),
];
