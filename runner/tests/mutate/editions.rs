//! Mutants in crates of older editions: the code that is compiled with them is still of that edition.

use std::path::Path;

use crate::copy;
use crate::support::place;

/// Both deadlock before edition 2024: the temporaries of an `if let` live until its `else` is over, and those of the last
/// expression of a block until the end of the statement around it.
const HELD: &str = "
use std::sync::Mutex;

pub fn in_else(list: &Mutex<Vec<usize>>) -> usize {
    if let Some(last) = list.lock().unwrap().pop() { last + 1 } else { list.lock().unwrap().len() + 2 }
}

pub fn behind_block(total: &Mutex<usize>) -> usize {
    let one = 1;
    match { *total.lock().unwrap() + one } {
        sum => sum + *total.lock().unwrap(),
    }
}
";

const LIBRARY: &str = "
insyn::instrumented! { pub mod read; }

#[insyn::instrument]
pub mod inline {
    HELD
}

#[cfg(test)]
mod tests {
    #[insyn::test]
    fn read_in_else() -> usize { crate::read::in_else(&std::sync::Mutex::new(Vec::new())) }

    #[insyn::test]
    fn read_behind_block() -> usize { crate::read::behind_block(&std::sync::Mutex::new(1)) }

    #[insyn::test]
    fn inline_in_else() -> usize { crate::inline::in_else(&std::sync::Mutex::new(Vec::new())) }

    #[insyn::test]
    fn inline_behind_block() -> usize { crate::inline::behind_block(&std::sync::Mutex::new(1)) }
}
";

#[test]
fn the_original_is_of_the_edition_of_its_crate() {
    let manifest = include_str!("../reckless/Cargo.toml").replace("reckless", "older");
    let it = copy("older", Path::new(""), &[], &manifest.replace("2024", "2021"));
    place(&it.root.join("src/lib.rs"), &LIBRARY.replace("HELD", HELD));
    place(&it.root.join("src/read.rs"), HELD);
    for program in ["read_in_else", "read_behind_block", "inline_in_else", "inline_behind_block"] {
        let args = ["mutate", program, "--operators", "AOR", "--out", &it.directory(program)];
        it.refused(&args, 1, &["fails unmutated", "deadlock"]);
    }
}
