//! The build script of the realistic targets: `seeded.patch` applied to `src/lib.rs` makes `target/seeded.rs`.
//!
//! That file is in the package, and not where cargo keeps what build scripts write, because reports name it by its path:
//! they have to be the same on every machine, and a reader opens the file. It is in a folder `target`, because no mutants
//! are looked for there: those of a package must not depend on whether it was built.

#![expect(clippy::print_stdout, reason = "cargo reads what a build script prints")]

use std::path::Path;
use std::{env, fs};

fn main() {
    let root = env::var_os("CARGO_MANIFEST_DIR").expect("cargo runs it");
    let root = Path::new(&root);
    let read = |name: &str| {
        println!("cargo::rerun-if-changed={name}");
        fs::read_to_string(root.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    let seeded = target_seeding::apply(&read("src/lib.rs"), &read("seeded.patch"))
        .unwrap_or_else(|problem| panic!("seeded.patch does not apply: {problem}"));
    // Built again if somebody deletes it.
    println!("cargo::rerun-if-changed=target/seeded.rs");
    let file = root.join("target/seeded.rs");
    if fs::read_to_string(&file).is_ok_and(|there| there == seeded) {
        return;
    }
    fs::create_dir_all(root.join("target")).expect("a directory can be created");
    // At once, since another build may read it at the same time.
    let draft = file.with_extension(format!("draft-{}", std::process::id()));
    fs::write(&draft, seeded)
        .and_then(|()| fs::rename(&draft, &file))
        .expect("target/seeded.rs can be written");
}
