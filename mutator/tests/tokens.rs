//! A macro sees the same places as the text has: schemata of the compiler's tokens are those of the file.

use std::cell::Cell;

use insyn_mutator::{Numbered, Options, Schemata, find, number};
use quote::ToTokens;
use syn::Item;

mod mutation {
    pub(crate) fn is(number: u32) -> bool {
        super::ACTIVE.get() == number
    }
}

thread_local!(static ACTIVE: Cell<u32> = const { Cell::new(0) });

#[insyn::instrument]
#[rustfmt::skip]
mod sample {
    pub(crate) fn run(n: u32) -> u32 {
        let größe = "ä"; let m = n + 1; // Letters of two bytes stand before what is mutated.
	let tab = m * 2;
        let mut sum = match größe.len() {
            0 => 0,
            _ if n<=3 && !(tab==m) => n<<1|1,
            _ => -1i32 as u32 >> 1,
        };
        while sum > 100 {
            sum /= 2;
        }
        for i in 0..3 {
            sum += i;
            sum = sum
                .max(
                    tab - 1,
                );
        }
        vec![sum, 2].iter().sum::<u32>() + format!("{}", m % 3).len() as u32
    }
}

fn list() -> Vec<Numbered> {
    let found = find("sample.rs", include_str!("tokens.rs"), &Options::default()).expect("this is Rust");
    number(found.mutants)
}

#[test]
fn tokens_and_text_agree() {
    let list = list();
    assert!(list.len() > 50, "{}", list.len());
    let file = syn::parse_file(include_str!("tokens.rs")).expect("this is Rust");
    let is_sample = |item: &Item| matches!(item, Item::Mod(module) if module.ident == "sample");
    let mut item = file.items.into_iter().find(is_sample).expect("it is here");
    assert_eq!(Schemata::new(&list, "sample.rs").switch(&mut item), Vec::<&Numbered>::new());
    let Item::Mod(module) = &mut item else { unreachable!("it is a module") };
    module.attrs.clear();
    let plain = |text: &str| text.split_whitespace().collect::<String>();
    assert_eq!(plain(sample::SWITCHED), plain(&item.to_token_stream().to_string()));
}

#[test]
fn switches_are_those_of_the_list() {
    let original = sample::run(2);
    let returns = |numbered: &Numbered| numbered.mutant.replacement == " return 1;";
    let at_once = list().into_iter().find(returns).expect("it can return at once");
    ACTIVE.set(at_once.number);
    let mutated = sample::run(2);
    ACTIVE.set(0);
    assert_ne!(original, 1);
    assert_eq!((mutated, sample::run(2)), (1, original));
}
