//! What programs are rewritten to, compared with `tests/test/*.expanded.rs`.
//!
//! `INSYN_BLESS=1 cargo test -p insyn-macros` rewrites the expected files.

use std::path::Path;
use std::{env, fs};

use proc_macro2::TokenStream;
use quote::quote;

use super::expand;

/// Compares the expansion, as Rust would be written, with what is expected.
#[track_caller]
fn compare(name: &str, attr: TokenStream, item: TokenStream) {
    let tokens = expand(attr, item, true, true).expect("it can be a program");
    let file = syn::parse2(tokens).expect("the output is Rust");
    let found = prettyplease::unparse(&file);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/test/{name}.expanded.rs"));
    if env::var_os("INSYN_BLESS").is_some() {
        fs::write(&path, &found).expect("it can be written");
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(found, expected, "{name}");
}

#[test]
fn without_an_input() {
    compare(
        "without_an_input",
        quote!(workers = 2, spurious_wakeups, sample = 100),
        quote! {
            /// What it is about.
            #[should_panic(expected = "deadlock")]
            fn works() -> u32 {
                std::thread::spawn(|| 1).join().unwrap()
            }
        },
    );
}

#[test]
fn with_an_input() {
    let item = quote!(
        fn buffer(Config { slots }: Config) -> Vec<u32> {
            run(slots)
        }
    );
    compare("with_an_input", quote!(input = "{slots: 2}"), item);
}

#[test]
fn with_a_borrowed_input_in_a_file() {
    let item = quote!(
        fn buffer(config: &Config) {
            run(config)
        }
    );
    compare("with_a_borrowed_input", quote!(input_file = "inputs/small.yaml", keep(std::sync::Arc)), item);
}

#[test]
fn with_a_specification_and_tests() {
    let item = quote!(
        fn buffer() {
            run()
        }
    );
    compare("with_a_specification", quote!(spec = "spec.yaml", tests = "tests.yaml"), item);
}

#[test]
fn in_a_module_that_is_instrumented_already() {
    // Otherwise `Mutex` would be rejected, because its import is outside.
    compare(
        "instrumented_already",
        quote!(__instrumented, seed = 1),
        quote!(
            fn lock() {
                Mutex::new(1);
            }
        ),
    );
}

#[test]
fn specifications_need_their_feature() {
    let item = quote!(
        fn buffer() {
            run()
        }
    );
    for (attr, name) in
        [(quote!(spec = "spec.yaml"), "spec"), (quote!(seed = 1, tests = "tests.yaml"), "tests")]
    {
        let test = expand(attr, item.clone(), true, false).expect("it is refused inside").to_string();
        let (_, error) = test.split_once("compile_error !").expect("the feature is off");
        assert!(error.starts_with(&format!(" (\"`{name}` needs the feature `specs` of insyn")), "{error}");
        assert!(error.contains(r#"features = [\"instrument\", \"specs\"]"#), "{error}");
        assert!(!test.contains("insyn :: program"), "{test}");
    }
    let neither = expand(quote!(seed = 1), item, true, false).expect("it is a program").to_string();
    assert!(!neither.contains("compile_error"), "{neither}");
}
