//! `select!`: a guarded choice between entries and receivers.

mod expand;
mod parse;
mod word;
mod written;

use proc_macro2::TokenStream;
use quote::quote;

/// Both phases, one after the other.
pub(crate) fn select(input: TokenStream) -> TokenStream {
    match syn::parse2(input) {
        Ok(select) => expand::expand(&select),
        Err(error) => {
            // Braces, because there may be several errors and the macro is where one expression is expected.
            let errors = error.into_compile_error();
            quote!({ #errors })
        }
    }
}
