//! The calls to the runtime in instrumented code.
//!
//! All of them are ordinary calls whose argument is the original expression. So temporaries live as long as before, and
//! types, `?`, `return` and `break` inside keep their meaning.

use proc_macro2::{Literal, Span, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::{Expr, parse_quote_spanned};

use super::file_tokens;

/// Generated code: names as in the macro's definition, errors at the program's position. In a file that was read it has no
/// position, which distinguishes it from the original tokens.
pub(super) fn site(place: Span) -> Span {
    let site = Span::mixed_site();
    if file_tokens::is_reading() { site } else { site.located_at(place) }
}

/// Input: `Mutex::new(0)`. Output: the same, and the object it creates gets these names.
///
/// ```text
/// named(naming(&["lock"]), Mutex::new(0))
/// ```
pub(super) fn named(names: &[String], value: &Expr) -> Expr {
    let site = site(value.span());
    parse_quote_spanned! {site=>
        ::insyn::macro_support::named(::insyn::macro_support::naming(&[#(#names),*]), #value)
    }
}

/// Input: the argument of `Arc::new(..)`. Output: a call that makes the pointer, and lets the compiler turn what it
/// points to into a trait object or a slice, as it does with the standard library's.
pub(super) fn arc(value: &Expr, place: Span) -> Expr {
    let site = site(place);
    parse_quote_spanned! {site=> ::insyn::macro_support::arc(::std::boxed::Box::new(#value)) }
}

/// Input: `value as T`. Output: the same where the compiler has to know the type beforehand.
pub(super) fn of_type(ty: &syn::Type, value: &Expr) -> Expr {
    let site = site(value.span());
    parse_quote_spanned! {site=> ::insyn::macro_support::core::convert::identity::<#ty>(#value) }
}

/// Input: `[const { value }; length]`. Output: an array of that many values, made one by one.
pub(super) fn array(value: &Expr, length: &Expr) -> Expr {
    let site = site(value.span());
    parse_quote_spanned! {site=> ::insyn::macro_support::core::array::from_fn::<_, { #length }, _>(|_| #value) }
}

/// A place in a file.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) column: u32,
}

impl Place {
    /// The call that reports this place.
    pub(super) fn report(&self) -> TokenStream {
        let file = &self.file;
        let (line, column) = (Literal::u32_unsuffixed(self.line), Literal::u32_unsuffixed(self.column));
        let site = Span::mixed_site();
        quote_spanned!(site=> ::insyn::macro_support::place(#file, #line, #column))
    }

    /// Input: an expression. Output: the same, evaluated after the place is reported.
    pub(super) fn before(&self, value: &Expr) -> Expr {
        let (site, report) = (Span::mixed_site(), self.report());
        parse_quote_spanned! {site=> ::insyn::macro_support::at(#report, #value) }
    }

    /// Input: an expression. Output: the same; the place is reported when it has been evaluated.
    pub(super) fn after(&self, value: &Expr) -> Expr {
        let (site, report) = (Span::mixed_site(), self.report());
        parse_quote_spanned! {site=> ::insyn::macro_support::then(#value, #report) }
    }
}
