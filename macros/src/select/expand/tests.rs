//! What representative selects expand to, compared with `tests/expand/*.rs`.

use super::*;

use quote::quote;

/// The expansion is the body of a function, laid out as a person would have written it.
#[track_caller]
fn assert_expands(input: TokenStream, expected: &str) {
    let block = expand(&syn::parse2(input).expect("a select"));
    let file = syn::parse2(quote!(fn select() #block)).expect("a block");
    let actual = prettyplease::unparse(&file);
    assert!(actual == expected, "expected:\n{expected}\nexpanded to:\n{actual}");
}

#[test]
fn guard_and_closed() {
    assert_expands(
        quote! {
            accept(self.deposit) -> call if self.full < SLOTS => { self.deposit(call) }
            recv(orders) -> Order { id, .. } => id,
            closed => break,
        },
        include_str!("../../../tests/expand/guard_and_closed.rs"),
    );
}

#[test]
fn timeout() {
    assert_expands(
        quote! {
            recv(a) -> m => m,
            recv(b) -> m if x || y => m,
            timeout(after(1)) => return
        },
        include_str!("../../../tests/expand/timeout.rs"),
    );
}

#[test]
fn default() {
    assert_expands(
        quote! { default => {} accept(entry) -> mut call => call.reply(()) },
        include_str!("../../../tests/expand/default.rs"),
    );
}

#[test]
fn a_guard_is_shown_without_its_mutants() {
    let shown = |guard: &str| {
        written(original(&syn::parse_str(guard).expect("it is an expression")).to_token_stream())
    };
    for guard in ["n < cap", "(n < cap)", "if a { b } else { c }"] {
        assert_eq!(shown(guard), guard);
    }
    let whole = "(if ::insyn::mutation::is(3u32) { n <= cap } else if ::insyn::mutation::is(4u32) { true } else { n < cap })";
    assert_eq!(shown(whole), "n < cap");
    assert_eq!(shown("n > (if ::insyn::mutation::is(41u32) { 1 } else { 0 })"), "n > 0");
}
