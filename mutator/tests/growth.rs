//! The code with all mutants grows with the code that they are in, however long a function is: counted in tokens, of
//! generated functions.

use std::fmt::Write;

use insyn_mutator::{Options, Schemata, find, number};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;

/// A function of so many statements behind a lock.
fn behind_a_lock(statements: usize) -> String {
    let mut text = String::from(
        "#[insyn::instrument]\nmod code {\nfn long(m: &Mutex<State>) -> u32 {\nlet state = m.lock().unwrap();\n\
         let seen = &state.seen;\nlet mut total = 0;\n",
    );
    for n in 0..statements {
        let _ = match n % 4 {
            3 => writeln!(text, "let t{n} = total + state.a * {n};"),
            _ => writeln!(
                text,
                "if state.a + {n} < state.b * 2 && state.c >= 1 {{ total = total + state.a; }}"
            ),
        };
    }
    text + "total + state.total + seen.len()\n}\n}\n"
}

/// A function of so many statements that send.
fn sending(statements: usize) -> String {
    let mut text =
        String::from("#[insyn::instrument]\nmod code {\nfn long(tx: &Sender<u32>, ty: &Sender<u32>) {\n");
    for n in 0..statements {
        let _ =
            writeln!(text, "tx.send({n} + 1).unwrap();\nwhile ty.len() > {n} {{ ty.send({n}).unwrap(); }}");
    }
    text + "}\n}\n"
}

/// The tokens of a text, and of the same with all its mutants; and how many mutants it has.
fn tokens(source: &str) -> (usize, usize, usize) {
    let mut file = syn::parse_file(source).expect("it is Rust");
    let before = count(file.to_token_stream());
    let list = number(find("src/lib.rs", source, &Options::default()).expect("it is Rust").mutants);
    let left = Schemata::new(&list, "src/lib.rs").switch_all(&mut file.items);
    assert!(left.is_empty(), "{left:?}");
    (before, count(file.to_token_stream()), list.len())
}

fn count(tokens: TokenStream) -> usize {
    let one = |token: TokenTree| match token {
        TokenTree::Group(group) => 2 + count(group.stream()),
        _ => 1,
    };
    tokens.into_iter().map(one).sum()
}

#[test]
fn code_with_mutants_grows_no_faster_than_code() {
    for (kind, generate) in [("behind a lock", behind_a_lock as fn(usize) -> String), ("sending", sending)] {
        let (short, short_with, few) = tokens(&generate(25));
        let (long, long_with, many) = tokens(&generate(200));
        assert!(many > 6 * few, "{kind}: {few} and {many} mutants");
        let (by_short, by_long) = (short_with as f64 / short as f64, long_with as f64 / long as f64);
        assert!(by_long < 1.15 * by_short, "{kind}: {by_short:.1} times the code, then {by_long:.1} times");
    }
}
