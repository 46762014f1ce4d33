//! Code as people write it: every mutant of insyn's own sources can be put in, alone and behind a switch.

use std::fs;
use std::path::Path;

use insyn_mutator::{Options, Schemata, find, number};
use walkdir::WalkDir;

#[test]
fn all_mutants_of_our_own_sources_have_a_place() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut all = 0;
    for package in ["mutator", "specs"] {
        for entry in WalkDir::new(root.join(package).join("src")).sort_by_file_name() {
            let entry = entry.expect("our own sources can be read");
            if entry.path().extension().is_some_and(|extension| extension == "rs") {
                all += put_in(entry.path());
            }
        }
    }
    assert!(all > 2000, "only {all} mutants");
}

/// Puts all mutants of a file in, as if all of it were annotated. Output: how many there are.
fn put_in(path: &Path) -> usize {
    let name = path.to_string_lossy();
    let source = fs::read_to_string(path).expect("our own sources can be read");
    let source = format!("#[insyn::instrument] mod all {{\n{source}\n}}");
    let found = find(&name, &source, &Options::default()).expect("our own sources are Rust");
    let list = number(found.mutants);
    let mut file = syn::parse_file(&source).expect("our own sources are Rust");
    let mut schemata = Schemata::new(&list, &name);
    let left = schemata.switch_all(&mut file.items);
    let left: Vec<String> = left.iter().map(|numbered| numbered.mutant.to_string()).collect();
    assert!(left.is_empty(), "not put anywhere: {left:#?}");
    assert!(list.iter().all(|n| schemata.sites()[&n.number].contains(&n.mutant.extent)));
    // What was made is Rust too.
    let _ = syn::parse_file(&prettyplease::unparse(&file)).unwrap_or_else(|error| panic!("{name}: {error}"));
    // One mutant alone is, for some of them.
    for numbered in list.iter().step_by(10) {
        let mutated = numbered.mutant.apply(&source).expect("it is of this text");
        syn::parse_file(&mutated).unwrap_or_else(|error| panic!("{}: {error}", numbered.mutant));
    }
    list.len()
}
