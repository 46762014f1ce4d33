//! Code that the macros reject, with the message and its position.

#[test]
fn refusals() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*.rs");
    cases.compile_fail("tests/ui/instrument/*.rs");
    cases.compile_fail("tests/ui/test/*.rs");
}
