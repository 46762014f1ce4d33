//! What the macros refuse, and the words and the place they refuse it with.

#[test]
fn refusals() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
