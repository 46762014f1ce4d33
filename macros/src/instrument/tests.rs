//! What representative code is rewritten to, compared with `tests/instrument/expanded/*.rs`; and that nothing is
//! rewritten when the switch is off.
//!
//! `INSYN_BLESS=1 cargo test -p insyn-macros` rewrites the expected files.

use std::path::{Path, PathBuf};
use std::{env, fs};

use proc_macro2::TokenTree;
use syn::{Attribute, Meta};

use super::*;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/instrument")
}

/// An annotated item, or a macro around several.
enum Case {
    Attribute { args: TokenStream, item: TokenStream },
    Macro { items: TokenStream },
}

impl Case {
    /// Takes `#[insyn::instrument(..)]` off the one item that a file has, or `insyn::instrumented!`.
    fn read(file: &Path) -> Self {
        let text = fs::read_to_string(file).expect("the case can be read");
        let items = syn::parse_file(&text).expect("the case is Rust").items;
        let [item] = &items[..] else { panic!("{}: one item is expected", file.display()) };
        if let Item::Macro(mac) = item
            && mac.mac.path.segments.last().is_some_and(|last| last.ident == "instrumented")
        {
            return Case::Macro { items: mac.mac.tokens.clone() };
        }
        let tokens: Vec<TokenTree> = item.to_token_stream().into_iter().collect();
        let Some(TokenTree::Group(attr)) = tokens.get(1) else { panic!("an attribute is expected") };
        let attr = attr.stream();
        let attr: Attribute = syn::parse_quote!(#[#attr]);
        let args = match attr.meta {
            Meta::List(list) => list.tokens,
            _ => TokenStream::new(),
        };
        Case::Attribute { args, item: tokens[2..].iter().cloned().collect() }
    }

    fn expand(&self, on: bool) -> Result<TokenStream> {
        match self {
            Case::Attribute { args, item } => expand(args.clone(), item.clone(), on),
            Case::Macro { items } => expand_items(items.clone(), on),
        }
    }

    fn input(&self) -> &TokenStream {
        match self {
            Case::Attribute { item, .. } => item,
            Case::Macro { items } => items,
        }
    }
}

fn cases() -> Vec<PathBuf> {
    let files =
        fs::read_dir(folder()).expect("there are cases").map(|entry| entry.expect("it can be read").path());
    let mut files: Vec<PathBuf> =
        files.filter(|file| file.extension().is_some_and(|end| end == "rs")).collect();
    files.sort();
    assert!(files.len() > 10, "{files:?}");
    files
}

/// The same tokens, with the same spaces between them where those have a meaning.
fn assert_same(left: &TokenStream, right: &TokenStream) {
    let (left, right): (Vec<_>, Vec<_>) =
        (left.clone().into_iter().collect(), right.clone().into_iter().collect());
    assert_eq!(left.len(), right.len());
    for pair in left.iter().zip(&right) {
        match pair {
            (TokenTree::Group(a), TokenTree::Group(b)) => {
                assert_eq!(a.delimiter(), b.delimiter());
                assert_same(&a.stream(), &b.stream());
            }
            (TokenTree::Ident(a), TokenTree::Ident(b)) => assert_eq!(a, b),
            (TokenTree::Punct(a), TokenTree::Punct(b)) => {
                assert_eq!((a.as_char(), a.spacing()), (b.as_char(), b.spacing()));
            }
            (TokenTree::Literal(a), TokenTree::Literal(b)) => assert_eq!(a.to_string(), b.to_string()),
            (a, b) => panic!("{a} and {b} are not alike"),
        }
    }
}

#[test]
fn expansions() {
    let bless = env::var_os("INSYN_BLESS").is_some();
    for file in cases() {
        let name = file.file_name().expect("a file has a name");
        let output =
            Case::read(&file).expand(true).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        // Files that are read are shown and included by their own paths, which are of this machine.
        let output = output.to_string().replace(&format!("{}/", folder().display()), "");
        let parsed =
            syn::parse_str(&output).unwrap_or_else(|error| panic!("{}: {error}: {output}", file.display()));
        let shown = prettyplease::unparse(&parsed);
        let expected = folder().join("expanded").join(name);
        if bless {
            fs::write(&expected, &shown).expect("the expected file can be written");
        }
        let expected = fs::read_to_string(&expected).unwrap_or_default();
        assert!(shown == expected, "{}: expected:\n{expected}\nexpanded to:\n{shown}", file.display());
    }
}

#[test]
fn off_is_the_input() {
    for file in cases() {
        let case = Case::read(&file);
        if matches!(&case, Case::Attribute { args, .. } if args.to_string().contains("path =")) {
            continue;
        }
        let output = case.expand(false).expect("nothing is refused");
        assert_same(&output, case.input());
    }
}

#[test]
fn off_does_not_even_parse() {
    // Items that the macro would reject, and tokens that are not items, are left for the compiler to report.
    for item in
        ["static mut N: u32 = 0;", "async fn f() { g().await }", "extern \"C\" { fn f(); }", "1 + 1 ] [ ;"]
    {
        let Ok(item) = item.parse::<TokenStream>() else { continue };
        for args in ["", "skip", "imports(std::thread)", "keep(std::sync::Arc), reexports(a::b = std)"] {
            let output =
                expand(args.parse().expect("tokens"), item.clone(), false).expect("nothing is refused");
            assert_same(&output, &item);
        }
    }
}

#[test]
fn off_checks_arguments() {
    for (args, message) in [
        ("importz(std::thread)", "unknown argument `importz`; did you mean `imports`?"),
        ("path", "write `path = \"server.rs\"`"),
        ("skip, skip", "second `skip`: it can be given only once"),
        (
            "keep(std::collections::HashMap)",
            "`std::collections::HashMap` has no replacement, so it is never rewritten",
        ),
    ] {
        let args: TokenStream = args.parse().expect("tokens");
        let error = expand(
            args,
            quote!(
                fn f() {}
            ),
            false,
        )
        .expect_err(message);
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn off_reads_no_file() {
    let off =
        |args: TokenStream, item: TokenStream| expand(args, item, false).map(|output| output.to_string());
    let natural = off(
        quote!(path = "server.rs"),
        quote!(
            #[cfg(test)]
            pub mod server {}
        ),
    );
    assert_eq!(
        natural.expect("it is a module"),
        quote!(
            #[cfg(test)]
            pub mod server;
        )
        .to_string()
    );
    let other = off(
        quote!(path = "other/server.rs"),
        quote!(
            mod server {}
        ),
    );
    assert_eq!(
        other.expect("it is a module"),
        quote!(
            #[path = "other/server.rs"]
            mod server;
        )
        .to_string()
    );
    assert!(
        off(
            quote!(path = "server.rs"),
            quote!(
                fn server() {}
            )
        )
        .is_err()
    );
}

#[test]
fn names_and_labels() {
    let shown = |output: Result<TokenStream>| output.expect("it is right").to_string();
    assert_eq!(shown(expand_name(quote!("lock", Mutex::new(0)), false)), quote!(Mutex::new(0)).to_string());
    assert_eq!(
        shown(expand_name(quote!("lock", Mutex::new(0),), true)),
        quote!(::insyn::macro_support::named(::insyn::macro_support::naming(&["lock"]), Mutex::new(0)))
            .to_string()
    );
    assert_eq!(
        shown(expand_label(quote!("deposit"), true)),
        quote!(::insyn::macro_support::label("deposit")).to_string()
    );
    assert_eq!(
        shown(expand_label(quote!("deposit", n + 1), true)),
        quote!(::insyn::macro_support::label_with("deposit", &(n + 1))).to_string()
    );
    assert_eq!(shown(expand_label(quote!("deposit"), false)), "()");
    assert_eq!(
        shown(expand_label(quote!("deposit", n), false)),
        quote!(if false {
            let _ = &(n);
        })
        .to_string()
    );
    for wrong in [quote!(), quote!(lock, 1), quote!("lock"), quote!("lock", 1, 2)] {
        assert!(expand_name(wrong.clone(), true).is_err(), "{wrong}");
    }
    assert!(expand_label(quote!(1), false).is_err());
}
