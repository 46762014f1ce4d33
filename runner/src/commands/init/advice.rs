//! What to do after `cargo insyn init`: how the package's own code is put under control.

use std::fs;
use std::path::{Path, PathBuf};

use crate::commands::output::sources;

/// How many files are named.
const MOST: usize = 5;

/// Files are read up to this size.
const LONGEST: u64 = 1 << 20;

/// What a file contains that uses threads, channels or locks.
const SIGNS: [&str; 3] = ["std::thread", "std::sync", "crossbeam"];

/// What to do next. `which` are the arguments that select the package.
pub(super) fn next(which: &str, root: &Path, crate_root: &Path, module: &Path) -> String {
    let name = |path: &Path| path.strip_prefix(root).unwrap_or(path).display().to_string();
    let mut text = format!(
        "
Next:
  cargo insyn explore{which}      run every interleaving of the first program
  cargo insyn check{which}        check it against its specification and its tests
  cargo insyn mutate{which}       mutate its code and see which mutants the tests kill

Then instrument your own code, in tests only:
  a module in braces    #[cfg_attr(test, insyn::instrument)]
                        mod bank {{ .. }}
  a file, bank.rs       #[cfg(not(test))]
                        mod bank;
                        #[cfg(test)]
                        #[insyn::instrument(path = \"bank.rs\")]
                        mod bank {{}}
  code in {root_name:<14}#[cfg_attr(test, insyn::instrument)]
                        use std::sync::Mutex;
                        (on each `use` of threads, channels and locks; `mutate` needs a module or a file)
and write programs that drive it in {module}.
",
        root_name = file_name(crate_root),
        module = name(module),
    );
    let found = users(crate_root.parent().unwrap_or(root), module);
    let named: Vec<String> = found.iter().take(MOST).map(|path| name(path)).collect();
    if !named.is_empty() {
        let more = match found.len().saturating_sub(MOST) {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        text.push_str(&format!("Threads, channels or locks are used in {}{more}.\n", named.join(", ")));
    }
    text.push_str("Exploration is CPU-bound; set `opt-level = 1` in `[profile.dev]` to speed it up.\n");
    text
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The sources in a directory that use threads, channels or locks, in order; the program itself is none of them.
fn users(directory: &Path, module: &Path) -> Vec<PathBuf> {
    let mut found = sources([directory.to_owned()]);
    found.retain(|path| {
        path != module
            && fs::metadata(path).is_ok_and(|it| it.len() <= LONGEST)
            && fs::read_to_string(path).is_ok_and(|text| SIGNS.iter().any(|sign| text.contains(sign)))
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_use_threads_are_named_up_to_a_number() {
        let directory = tempfile::tempdir().expect("it can be made");
        let root = directory.path();
        fs::create_dir_all(root.join("src/inner")).expect("it can be made");
        let write = |name: &str, text: &str| fs::write(root.join(name), text).expect("it can be written");
        write("src/lib.rs", "mod pool;");
        write("src/interleavings.rs", "use std::thread;");
        let text = || next("", root, &root.join("src/lib.rs"), &root.join("src/interleavings.rs"));
        assert!(!text().contains("are used in"), "{}", text());
        write("src/pool.rs", "use std::thread;");
        write("src/inner/mod.rs", "use std::sync::Mutex;");
        assert!(text().contains("are used in src/inner/mod.rs, src/pool.rs.\n"), "{}", text());
        (0..9).for_each(|n| write(&format!("src/a{n}.rs"), "use crossbeam_channel::bounded;"));
        assert!(text().contains("src/a4.rs and 6 more.\n"), "{}", text());
    }
}
