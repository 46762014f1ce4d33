//! What the macros refuse, and the words and the place they refuse it with.

#[test]
fn refusals() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*.rs");
    cases.compile_fail("tests/ui/instrument/*.rs");
    cases.compile_fail("tests/ui/test/*.rs");
}
