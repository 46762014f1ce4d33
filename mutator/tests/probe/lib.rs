//! `#[insyn::instrument]` as a test of schemata needs it: finds the mutants of the file it stands in, and puts all of them
//! into the module it stands on, from the tokens that the compiler gives it.

use std::fs;

use insyn_mutator::{Options, Schemata, find, number};
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Item, parse_quote};

/// The module with all its mutants, and with `SWITCHED`, which is the text of it.
#[proc_macro_attribute]
pub fn instrument(_: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let mut item: Item = syn::parse(item).expect("a module");
    let name = item.to_token_stream().into_iter().next().expect("it has tokens").span();
    let file = name.local_file().expect("it is in a file");
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo says so");
    let file = if file.exists() { file } else { std::path::Path::new(&manifest).join(file) };
    let source = fs::read_to_string(&file).expect("the compiler has read it");
    // Places in a text are known to the tokens of `proc-macro2` itself, not to those that the compiler makes of it.
    proc_macro2::fallback::force();
    let list = number(find("sample.rs", &source, &Options::default()).expect("it is Rust").mutants);
    proc_macro2::fallback::unforce();
    let left = Schemata::new(&list, "sample.rs").switch(&mut item);
    if let Some(left) = left.first() {
        let message = format!("not put anywhere: {}", left.mutant);
        return quote!(compile_error!(#message);).into();
    }
    let Item::Mod(module) = &mut item else { panic!("it stands on modules only") };
    module.attrs.clear();
    let switched = module.to_token_stream().to_string();
    let (_, items) = module.content.as_mut().expect("it is written out");
    items.push(parse_quote!(pub const SWITCHED: &str = #switched;));
    at_home(item.into_token_stream()).into()
}

/// Input: `::insyn::mutation::is`. Output: `crate::mutation::is`.
fn at_home(tokens: TokenStream) -> TokenStream {
    let mut output: Vec<TokenTree> = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let mut inside = proc_macro2::Group::new(group.delimiter(), at_home(group.stream()));
                inside.set_span(group.span());
                output.push(TokenTree::Group(inside));
            }
            TokenTree::Ident(word) if word == "insyn" => {
                output.truncate(output.len() - 2);
                output.push(TokenTree::Ident(proc_macro2::Ident::new("crate", word.span())));
            }
            token => output.push(token),
        }
    }
    output.into_iter().collect()
}
