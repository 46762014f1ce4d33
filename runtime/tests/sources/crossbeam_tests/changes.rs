//! Replacements in the tests of crossbeam's channels.

/// In every file.
pub(crate) const EVERYWHERE: &[(&str, &str)] = &[
    // Crossbeam's scopes have no replacement; those of `std` are used instead.
    ("use crossbeam_utils::thread::scope;", "use crate::scopes::scope;"),
    // Random numbers are fixed.
    ("use rand::{thread_rng, Rng};", ""),
    ("let mut rng = thread_rng();", ""),
];

/// Scopes as `crossbeam_utils` has them, over those of `std`.
pub(crate) const SUPPORT: &str = r#"
mod scopes {
    use insyn::std::thread;

    pub struct Scope<'scope, 'env>(&'scope thread::Scope<'scope, 'env>);

    impl<'scope, 'env> Scope<'scope, 'env> {
        pub fn spawn<T: Send + 'scope>(
            &self,
            f: impl FnOnce(&Scope<'scope, 'env>) -> T + Send + 'scope,
        ) -> thread::ScopedJoinHandle<'scope, T> {
            let scope = self.0;
            scope.spawn(move || f(&Scope(scope)))
        }
    }

    pub fn scope<'env, R>(
        f: impl for<'scope> FnOnce(&Scope<'scope, 'env>) -> R,
    ) -> thread::Result<R> {
        Ok(thread::scope(|scope| f(&Scope(scope))))
    }
}

"#;

/// In one file: the file, the text to replace, and its replacement.
pub(crate) const IN_FILE: &[(&str, &str, &str)] = &[
    // Macros are not rewritten, so their paths name the replacements.
    ("golang", "::std::thread::spawn", "::insyn::std::thread::spawn"),
    ("golang", "::std::panic::catch_unwind", "::insyn::std::panic::catch_unwind"),
    // A panic of a thread counts, and needs no abort to do so.
    ("golang", "::std::process::abort();", "panic!(\"a goroutine has panicked\");"),
    // Allocation has nothing to do with synchronization, and the engine allocates too.
    ("golang", "#[global_allocator]", ""),
    ("mpsc", "cc::crossbeam_channel_internal!", "::insyn::crossbeam_channel::select!"),
];

/// Constants of a test, or of a module.
pub(crate) const CONSTANTS: &[(&str, &str, u32)] = &[
    ("after::capacity", "COUNT", 2),
    ("after::stress_default", "COUNT", 2),
    ("after::select", "THREADS", 2),
    ("after::select", "COUNT", 3),
    ("after::ready", "THREADS", 2),
    ("after::ready", "COUNT", 2),
    ("after::stress_clone", "RUNS", 2),
    ("after::stress_clone", "THREADS", 2),
    ("after::stress_clone", "COUNT", 1),
    ("after::fairness", "COUNT", 2),
    ("after::fairness_duplicates", "COUNT", 2),
    ("array::len", "COUNT", 2),
    ("array::len", "CAP", 10),
    ("array::spsc", "COUNT", 3),
    ("array::mpmc", "COUNT", 1),
    ("array::mpmc", "THREADS", 2),
    ("array::stress_oneshot", "COUNT", 3),
    ("array::stress_iter", "COUNT", 2),
    ("array::stress_timeout_two_threads", "COUNT", 2),
    ("array::drops", "RUNS", 2),
    ("array::drops", "STEPS", 2),
    ("array::linearizable", "COUNT", 2),
    ("array::linearizable", "THREADS", 2),
    ("array::fairness", "COUNT", 3),
    ("array::fairness_duplicates", "COUNT", 3),
    ("array::channel_through_channel", "COUNT", 2),
    ("golang::fifo", "N", 2),
    ("golang::select2", "N", 2),
    ("golang::chan_test::test_nonblock_recv_race", "N", 2),
    ("golang::chan_test::test_nonblock_select_race", "N", 1),
    ("golang::chan_test::test_nonblock_select_race2", "N", 1),
    ("golang::chan_test::test_self_select", "N", 1),
    ("golang::chan_test::test_select_fairness", "TRIALS", 2),
    ("golang::chan_test::test_pseudo_random_send", "N", 1),
    ("golang::chan_test::test_multi_consumer", "NWORK", 1),
    ("golang::chan_test::test_multi_consumer", "NITER", 1),
    ("golang::chan1", "N", 2),
    ("golang::chan1", "M", 2),
    ("list::try_send", "COUNT", 3),
    ("list::send", "COUNT", 3),
    ("list::send_timeout", "COUNT", 3),
    ("list::spsc", "COUNT", 3),
    ("list::mpmc", "COUNT", 1),
    ("list::mpmc", "THREADS", 2),
    ("list::stress_oneshot", "COUNT", 3),
    ("list::stress_iter", "COUNT", 2),
    ("list::stress_timeout_two_threads", "COUNT", 2),
    ("list::drops", "RUNS", 2),
    ("list::drops", "STEPS", 2),
    ("list::linearizable", "COUNT", 2),
    ("list::linearizable", "THREADS", 2),
    ("list::fairness", "COUNT", 3),
    ("list::fairness_duplicates", "COUNT", 3),
    ("list::channel_through_channel", "COUNT", 2),
    ("list::stack_overflow", "N", 100),
    ("mpsc::channel_tests::stress", "COUNT", 3),
    ("mpsc::channel_tests::recv_a_lot", "N", 100),
    ("mpsc::sync_channel_tests::stress", "N", 3),
    ("mpsc::sync_channel_tests::stress_recv_timeout_two_threads", "N", 2),
    ("mpsc::sync_channel_tests::stress_recv_timeout_shared", "AMT", 1),
    ("mpsc::sync_channel_tests::stress_recv_timeout_shared", "NTHREADS", 2),
    ("mpsc::sync_channel_tests::stress_shared", "AMT", 2),
    ("mpsc::sync_channel_tests::stress_shared", "NTHREADS", 2),
    ("mpsc::sync_channel_tests::recv_a_lot", "N", 100),
    ("mpsc::select_tests::stress", "AMT", 2),
    ("ready::stress_recv", "COUNT", 2),
    ("ready::stress_send", "COUNT", 2),
    ("ready::stress_mixed", "COUNT", 2),
    ("ready::stress_timeout_two_threads", "COUNT", 2),
    ("ready::channel_through_channel", "COUNT", 2),
    ("ready::fairness1", "COUNT", 2),
    ("ready::fairness2", "COUNT", 2),
    ("select::loop_try", "RUNS", 1),
    ("select::stress_recv", "COUNT", 2),
    ("select::stress_send", "COUNT", 2),
    ("select::stress_mixed", "COUNT", 2),
    ("select::stress_timeout_two_threads", "COUNT", 2),
    ("select::matching", "THREADS", 2),
    ("select::matching_with_leftover", "THREADS", 3),
    ("select::channel_through_channel", "COUNT", 2),
    ("select::linearizable_try", "COUNT", 2),
    ("select::linearizable_timeout", "COUNT", 2),
    ("select::fairness1", "COUNT", 2),
    ("select::fairness2", "COUNT", 2),
    ("select::sync_and_clone", "THREADS", 2),
    ("select::send_and_clone", "THREADS", 2),
    ("select::reuse", "COUNT", 2),
    ("select_macro::loop_try", "RUNS", 1),
    ("select_macro::stress_recv", "COUNT", 2),
    ("select_macro::stress_send", "COUNT", 2),
    ("select_macro::stress_mixed", "COUNT", 2),
    ("select_macro::stress_timeout_two_threads", "COUNT", 2),
    ("select_macro::matching", "THREADS", 2),
    ("select_macro::matching_with_leftover", "THREADS", 3),
    ("select_macro::channel_through_channel", "COUNT", 2),
    ("select_macro::linearizable_default", "COUNT", 2),
    ("select_macro::linearizable_timeout", "COUNT", 2),
    ("select_macro::fairness1", "COUNT", 2),
    ("select_macro::fairness2", "COUNT", 2),
    ("select_macro::fairness_recv", "COUNT", 2),
    ("select_macro::fairness_send", "COUNT", 2),
    ("select_macro::unfairness", "COUNT", 2),
    ("select_macro::unfairness_timeout", "COUNT", 2),
    ("select_macro::unfairness_try", "COUNT", 2),
    ("tick::stress_default", "COUNT", 2),
    ("tick::select", "THREADS", 2),
    ("tick::ready", "THREADS", 2),
    ("tick::fairness", "COUNT", 2),
    ("tick::fairness_duplicates", "COUNT", 1),
    ("zero::len", "COUNT", 2),
    ("zero::spsc", "COUNT", 3),
    ("zero::mpmc", "COUNT", 1),
    ("zero::mpmc", "THREADS", 2),
    ("zero::stress_oneshot", "COUNT", 3),
    ("zero::stress_iter", "COUNT", 2),
    ("zero::stress_timeout_two_threads", "COUNT", 2),
    ("zero::drops", "RUNS", 2),
    ("zero::drops", "STEPS", 2),
    ("zero::fairness", "COUNT", 2),
    ("zero::fairness_duplicates", "COUNT", 2),
    ("zero::channel_through_channel", "COUNT", 2),
];

/// What else is replaced in a test, and by what.
pub(crate) const IN_TEST: &[(&str, &str, &str)] = &[
    ("array::len", "0..50", "0..3"),
    ("array::len", "50 - i - 1", "3 - i - 1"),
    ("array::drops", "rng.gen_range(0..STEPS)", "STEPS"),
    ("array::drops", "rng.gen_range(0..50)", "2"),
    ("list::len", "0..50", "0..3"),
    ("list::len", "50 - i - 1", "3 - i - 1"),
    ("list::drops", "rng.gen_range(0..STEPS)", "STEPS"),
    ("list::drops", "rng.gen_range(0..STEPS / 10)", "2"),
    ("zero::drops", "rng.gen_range(0..STEPS)", "STEPS"),
    ("golang::chan_test::test_self_select", "&[0, 10]", "&[0]"),
    ("golang::goroutines::main", "100i32", "3i32"),
    ("mpsc::channel_tests::stress_shared", "{ 10_000 }", "{ 2 }"),
    ("mpsc::channel_tests::stress_shared", "{ 8 }", "{ 2 }"),
    ("mpsc::channel_tests::send_from_outside_runtime", "0..40", "0..3"),
    ("mpsc::channel_tests::recv_from_outside_runtime", "0..40", "0..3"),
    ("mpsc::channel_tests::stress_recv_timeout_two_threads", "stress_factor() + 100", "2"),
    ("mpsc::channel_tests::stress_recv_timeout_shared", "stress_factor() + 100", "2"),
    ("mpsc::channel_tests::shared_chan_stress", "stress_factor() + 100", "3"),
    ("mpsc::sync_channel_tests::shared_chan_stress", "stress_factor() + 100", "3"),
    ("mpsc::channel_tests::destroy_upgraded_shared_port_when_sender_still_active", "0..5000", "0..1"),
    ("mpsc::sync_channel_tests::destroy_upgraded_shared_port_when_sender_still_active", "0..5000", "0..1"),
    ("mpsc::sync_channel_tests::issue_15761", "0..100", "0..2"),
    ("mpsc::select_tests::unblocks", "0..20", "0..2"),
    ("mpsc::select_tests::both_ready", "0..20", "0..2"),
    ("mpsc::select_tests::cloning3", "0..1000", "0..1"),
    ("mpsc::select_tests::oneshot_data_waiting", "0..100", "0..2"),
    ("mpsc::select_tests::stream_data_waiting", "0..100", "0..2"),
    ("mpsc::select_tests::shared_data_waiting", "0..100", "0..2"),
    ("mpsc::select_tests::sync2", "0..100", "0..2"),
    ("tick::recv_two", "0..10", "0..2"),
];
