//! The program's output is from whom T2 and T3 received.

use tangled_cycle::Received;

#[insyn::test(spec = "specs/tangled_cycle.yaml", tests = "specs/tangled_cycle.tests.yaml")]
fn tangled_cycle() -> (u32, u32) {
    let Received { by_t2, by_t3 } = tangled_cycle::tangled_cycle();
    assert!((by_t2, by_t3) != (3, 2), "each would have to come before the other");
    (by_t2, by_t3)
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
