//! Why some tests of crossbeam's channels are no tests of all their behaviours.

use std::fmt;

/// Why a test is skipped.
#[derive(Debug)]
pub(crate) enum Why {
    /// It decides by real time, and how.
    Time(&'static str),
    /// It decides by chance, and how.
    Chance(&'static str),
    /// It needs a long loop, and what for.
    Loop(&'static str),
}

impl Why {
    /// Whether there is no point in running it.
    pub(crate) fn is_not_run(&self) -> bool {
        matches!(self, Why::Loop(_))
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Time(how) => write!(f, "real time, {how}"),
            Why::Chance(how) => write!(f, "chance, {how}"),
            Why::Loop(how) => write!(f, "loop, {how}"),
        }
    }
}

const SLEEPS: Why = Why::Time("a thread sleeps so that another comes first");
const LIMIT: Why = Why::Time("a time-out, or a timer, is to be longer than what it is for");
const EARLY: Why =
    Why::Time("a timer is not to fire before its time, by the clock of a thread that only looks");
const LATE: Why = Why::Time("a sleep is to be longer than a timer");
const SHORTER: Why = Why::Time("of two timers, the shorter one is to fire first");

/// The tests that are skipped.
pub(crate) const SKIPPED: &[(&str, Why)] = &[
    ("after::fire", LATE),
    ("after::len_empty_full", LATE),
    ("after::ready", LIMIT),
    ("after::recv_race", SHORTER),
    ("after::recv_timeout", EARLY),
    ("after::select", LIMIT),
    ("after::stress_default", EARLY),
    ("after::try_recv", LATE),
    ("array::disconnect_wakes_sender", SLEEPS),
    ("array::recv_timeout", SLEEPS),
    ("array::send_timeout", SLEEPS),
    ("array::try_recv", SLEEPS),
    ("array::try_send", SLEEPS),
    ("golang::chan::main", Why::Loop("hundreds of threads, and thousands of messages")),
    (
        "golang::chan_test::test_chan",
        Why::Loop("ten programs in a row, whose behaviours multiply, and some of which sleep"),
    ),
    (
        "golang::chan_test::test_pseudo_random_send",
        Why::Chance("of two arms, each is to be taken often enough"),
    ),
    ("golang::chan_test::test_select_stress", Why::Loop("ten threads on four channels behind mutexes")),
    ("golang::doubleselect::main", Why::Loop("seven threads on channels behind mutexes, and four messages")),
    ("golang::nonblock::main", Why::Loop("it tries again by a ticker, some ten thousand times")),
    ("golang::select7::main", Why::Loop("nine programs in a row, whose behaviours multiply")),
    ("golang::sieve1::main", Why::Loop("its threads have no end")),
    ("list::recv_timeout", SLEEPS),
    ("list::try_recv", SLEEPS),
    ("never::tick_n", LIMIT),
    ("ready::disconnected", LIMIT),
    ("ready::fairness2", Why::Chance("every arm is to be taken at least once")),
    ("ready::timeout", LIMIT),
    ("ready::unblocks", LIMIT),
    ("select::disconnected", LIMIT),
    ("select::timeout", LIMIT),
    ("select::unblocks", LIMIT),
    ("select_macro::disconnected", LIMIT),
    ("select_macro::loop_try", LIMIT),
    ("select_macro::recv_timeout", SLEEPS),
    ("select_macro::send_timeout", SLEEPS),
    ("select_macro::timeout", LIMIT),
    ("select_macro::try_recv", SLEEPS),
    ("select_macro::try_send", SLEEPS),
    ("select_macro::unblocks", LIMIT),
    ("tick::fire", LATE),
    ("tick::intervals", LATE),
    ("tick::len_empty_full", LATE),
    ("tick::ready", LIMIT),
    ("tick::recv", EARLY),
    ("tick::recv_race", SHORTER),
    ("tick::recv_timeout", EARLY),
    ("tick::select", LIMIT),
    ("tick::stress_default", EARLY),
    ("tick::try_recv", LATE),
    ("zero::recv_in_send", SLEEPS),
    ("zero::recv_timeout", SLEEPS),
    ("zero::send_timeout", SLEEPS),
    ("zero::try_recv", SLEEPS),
    ("zero::try_send", SLEEPS),
];

/// Tests that try again after a time-out, or until something has come: there is a behaviour for every number of attempts. They
/// are stopped after this many steps.
pub(crate) const ENDLESS: &[(&str, u64)] = &[
    ("array::stress_timeout_two_threads", 60),
    ("iter::recv_try_iter", 60),
    ("list::stress_iter", 60),
    ("list::stress_timeout_two_threads", 60),
    ("mpsc::channel_tests::port_gone_concurrent", 5000),
    ("mpsc::channel_tests::port_gone_concurrent_shared", 5000),
    ("mpsc::channel_tests::stress_recv_timeout_shared", 30),
    ("mpsc::channel_tests::stress_recv_timeout_two_threads", 30),
    ("mpsc::channel_tests::test_recv_try_iter", 60),
    ("mpsc::sync_channel_tests::stress_recv_timeout_shared", 30),
    ("mpsc::sync_channel_tests::stress_recv_timeout_two_threads", 30),
    ("ready::duplicate_operations", 12),
    ("ready::fairness2", 30),
    ("ready::stress_timeout_two_threads", 30),
    ("select::duplicate_operations", 8),
    ("select::loop_try", 18),
    ("select::stress_timeout_two_threads", 60),
    ("select_macro::duplicate_operations", 8),
    ("select_macro::loop_try", 18),
    ("select_macro::stress_timeout_two_threads", 60),
    ("tick::ready", 18),
    ("tick::select", 18),
    ("zero::stress_iter", 30),
    ("zero::stress_timeout_two_threads", 15),
];
