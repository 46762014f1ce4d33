//! Many Cargo.tomls, most of them valid: no panic, bounded memory, and nothing in them is lost.

use insyn_generator::{Limit, Tape, check};
use toml_edit::DocumentMut;

use super::manifest::{name, with_insyn};
use crate::campaign::spec_of_profile;

const MEMORY: Limit = Limit { base: 256 << 10, per_byte: 2 << 10 };

/// insyn among the dependencies, in the forms that cargo knows.
const INSYN: [&str; 6] = [
    "insyn = \"0.1\"\n",
    "insyn = { path = '../insyn', optional = true }\n",
    "insyn.workspace = true\n",
    "insyn = { version = \"0.1\", features = [\"specs\"], default-features = false }\n",
    "\"insyn\" = {git = \"https://example.org/insyn\"}\n",
    "insyn.path = \"x\"\ninsyn.version = \"1\"\n",
];

/// Other sections, of which a manifest has some.
const SECTIONS: [&str; 9] = [
    "[dev-dependencies]\nproptest = \"1\"\n",
    "[dev-dependencies.rand]\nversion = \"0.9\"\n",
    "[features]\ndefault = []\n",
    "[profile.dev]\nopt-level = 1\n",
    "[profile.dev.package.\"bank@0.1.0\"]\nopt-level = 2\n",
    "[profile.dev.package]\n\"*\".opt-level = 3\n",
    "[[test]]\nname = \"all\"\npath = \"tests/all.rs\"\n",
    "[target.'cfg(unix)'.dependencies]\nlibc = \"0.2\"\n",
    "[workspace]\nmembers = [\"a\", 'b',\n  # c\n]\n",
];

fn manifest(tape: &mut Tape<'_>) -> (String, Vec<&'static str>) {
    let mut parts = vec!["[package]\nname = \"bank\"\nversion = \"0.1.0\"\n"];
    if tape.chance(30) {
        parts.push("autotests = false # by hand\n");
    }
    if tape.chance(20) {
        parts.push("edition.workspace = true\n");
    }
    if tape.chance(80) {
        parts.push("\n[dependencies]\nserde = { version = \"1\", features = [\"derive\"] }\n");
        if tape.chance(50) {
            parts.push(tape.word(&INSYN));
        }
    } else if tape.chance(50) {
        parts.push("[dependencies.insyn]\npath = \"../insyn\"\n");
    }
    for section in SECTIONS {
        if tape.chance(25) {
            // Two tables of the same name are an error of TOML.
            parts.push(section);
        }
    }
    if tape.chance(30) {
        parts.push("\n# the end");
    }
    (parts.concat(), parts)
}

#[test]
fn manifests_keep_what_they_have() {
    let read = |text: &str| {
        spec_of_profile(text, "dev", "bank");
        name(text);
        with_insyn(text, Some("../insyn/runtime")).ok()
    };
    check("configuration", MEMORY, manifest, read, |text, new: String, parts, is_whole| {
        // The result is TOML again, and a second change leaves it as it is.
        let document: DocumentMut = new.parse().expect("it is TOML");
        assert_eq!(with_insyn(&new, None).expect("insyn is there"), new);
        assert!(document["dev-dependencies"].get("insyn").is_some(), "{new}");
        assert_eq!(name(&new), name(text));
        if is_whole {
            assert!(parts.iter().flat_map(|part| part.lines()).all(|line| new.contains(line)), "{new}");
            assert_eq!(name(&new).as_deref(), Some("bank"));
        }
    });
}
