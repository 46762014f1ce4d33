//! The program's output is from whom T2, T3 (twice) and T5 (twice) received.

use six_threads::Received;

#[insyn::test(spec = "specs/six_threads.yaml", tests = "specs/six_threads.tests.yaml")]
fn six_threads() -> (u32, [u32; 2], [u32; 2]) {
    let Received { by_t2, by_t3, by_t5 } = six_threads::six_threads();
    assert!(by_t2 == 1 || by_t5 == [6, 4], "T5 sends to T2 only when it has heard of T6 first");
    (by_t2, by_t3, by_t5)
}

mod checks {
    #[test]
    fn counts_are_as_expected() {
        target_checks::counts(env!("CARGO_MANIFEST_DIR"));
    }

    #[test]
    fn verdicts_are_as_expected() {
        target_checks::verdicts(env!("CARGO_MANIFEST_DIR"), &[]);
    }
}
