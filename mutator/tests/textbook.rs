//! The textbook's bounded buffer, of which it has 95 mutants.
//!
//! `cargo test -p insyn-mutator --test textbook -- --nocapture` lists those that are found here, family by family.

use std::collections::BTreeMap;

use insyn_mutator::{Family, Found, Options, Schemata, find, number};

#[test]
fn the_server_with_a_selective_wait() {
    let families = families("bounded_buffer.rs", include_str!("samples/bounded_buffer.rs"));
    assert_eq!(families, [("guards", 9), ("operators", 49), ("channels", 3), ("locks", 0), ("threads", 0)]);
}

#[test]
fn the_monitor() {
    let families = families("monitor_buffer.rs", include_str!("samples/monitor_buffer.rs"));
    assert_eq!(families, [("guards", 9), ("operators", 47), ("channels", 0), ("locks", 26), ("threads", 0)]);
}

/// How many mutants there are of each family. All of them have a place behind a switch.
fn families(name: &str, source: &str) -> Vec<(&'static str, usize)> {
    let Found { mutants, .. } = find(name, source, &Options::default()).expect("it is Rust");
    let mut by_family: BTreeMap<Family, Vec<String>> = BTreeMap::new();
    for mutant in &mutants {
        by_family.entry(mutant.operator.family).or_default().push(format!("{} {mutant}", mutant.id()));
    }
    let list = number(mutants);
    let mut file = syn::parse_file(source).expect("it is Rust");
    let left = Schemata::new(&list, name).switch_all(&mut file.items);
    assert!(left.is_empty(), "not put anywhere: {left:?}");
    let count = |family| by_family.get(&family).map_or(0, Vec::len);
    show(&by_family, list.len());
    Family::ALL.map(|family| (family.name(), count(family))).to_vec()
}

#[expect(clippy::print_stdout, reason = "the list is for people who ask for it")]
fn show(by_family: &BTreeMap<Family, Vec<String>>, all: usize) {
    for (family, mutants) in by_family {
        println!("{family}: {}", mutants.len());
        mutants.iter().for_each(|mutant| println!("  {mutant}"));
    }
    println!("all: {all}\n");
}
