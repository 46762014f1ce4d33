//! Annotated crates of every edition: their own code is read in their edition, even in files that a macro reads;
//! what the macros add is read in the edition of the macros.

use std::fs;
use std::path::Path;
use std::process::Command;

/// One of everything that the macros write paths for. `dyn` is a keyword only since edition 2018.
const PROGRAM: &str = r#"
extern crate insyn;

insyn::instrumented! {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{mpsc, Arc, Mutex};
    use std::thread;

    static COUNT: AtomicUsize = AtomicUsize::new(0);

    thread_local! {
        static SEEN: Mutex<usize> = Mutex::new(0);
    }

    trait Adds: Send + Sync {
        fn add(&self) -> usize;
    }

    impl Adds for usize {
        fn add(&self) -> usize {
            COUNT.fetch_add(*self, Ordering::SeqCst)
        }
    }

    pub fn sum() -> usize {
        let adder: Arc<dyn Adds> = Arc::new(1);
        let counts = [const { AtomicUsize::new(0) }; 2];
        let (tx, rx) = mpsc::channel();
        for _ in 0..2 {
            let (tx, adder) = (tx.clone(), Arc::clone(&adder));
            thread::spawn(move || {
                adder.add();
                tx.send(1).unwrap();
            });
        }
        drop(tx);
        for got in rx {
            counts[0].fetch_add(got, Ordering::SeqCst);
        }
        SEEN.with(|seen| *seen.lock().unwrap() += 1);
        COUNT.load(Ordering::SeqCst) + counts[0].load(Ordering::SeqCst)
    }
}
"#;

const TESTS: &str = r#"
#[cfg(test)]
mod tests {
    #[cfg(feature = "on")]
    #[insyn::test]
    fn all_is_counted() -> usize {
        let sum = ROOT::sum();
        assert_eq!(sum, 4);
        sum
    }

    #[cfg(feature = "on")]
    #[insyn::test]
    fn a_select() -> u32 {
        let (tx, rx) = ::std::sync::mpsc::channel();
        tx.send(1).unwrap();
        insyn::select! {
            recv(rx) -> one => one,
            timeout(::std::time::Duration::from_secs(1)) => 0,
        }
    }

    WAYS
}
"#;

/// Code in which the editions differ. The macro reads it in several ways, and the compiler reads it directly too.
const HELD: &str = r#"
use std::sync::Mutex;

/// Before 2024, the temporaries of an `if let` live until its `else` is over.
pub fn in_else(list: &Mutex<Vec<usize>>) -> usize {
    if let Some(last) = list.lock().unwrap().pop() { last } else { list.lock().unwrap().len() }
}

/// Before 2024, the temporaries of the last expression of a block live until the statement around the block is over.
pub fn behind_block(total: &Mutex<usize>) -> usize {
    match { *total.lock().unwrap() } {
        before => before + *total.lock().unwrap(),
    }
}

const LINES: &str = "one
two";

/// Records its number when it is dropped.
struct Drops<'a>(&'a Mutex<Vec<u8>>, u8);

impl<'a> Drops<'a> {
    fn number(&self) -> u8 {
        self.1
    }
}

impl<'a> Drop for Drops<'a> {
    fn drop(&mut self) {
        self.0.lock().unwrap().push(self.1);
    }
}

/// The edition in which the compiler reads this, by its behaviour.
pub fn edition() -> u32 {
    assert_eq!(LINES.len(), match -1 { -1 => 7, _ => 0 });
    let list: Mutex<Vec<usize>> = Mutex::new(Vec::new());
    let kept = if let Some(_) = list.lock().unwrap().pop() { false } else { list.try_lock().is_err() };
    let kept_behind = match { list.lock().unwrap().len() } {
        _ => list.try_lock().is_err(),
    };
    assert_eq!(kept, kept_behind);
    let (tx, rx) = insyn::crossbeam_channel::unbounded();
    tx.send(1).unwrap();
    let drops: Mutex<Vec<u8>> = Mutex::new(Vec::new());
    insyn::crossbeam_channel::select! {
        recv(rx) -> _ => {
            let _first = Drops(&drops, 1);
            Drops(&drops, 2).number()
        }
    };
    let (tx, rx) = insyn::std::sync::mpsc::channel();
    tx.send(1).unwrap();
    insyn::select! {
        recv(rx) -> _ => {
            let _first = Drops(&drops, 1);
            Drops(&drops, 2).number()
        }
    };
    assert_eq!(*drops.lock().unwrap(), if kept { [1, 2, 1, 2] } else { [2, 1, 2, 1] });
    let pair = (0_u64, 0_u64);
    let all_captured = std::mem::size_of_val(&move || pair.0) == 16;
    let by_reference = std::mem::size_of_val(&[0_u8].into_iter().next().unwrap()) > 1;
    assert_eq!(all_captured, by_reference);
    match (kept, all_captured) {
        (false, false) => 2024,
        (true, false) => 2021,
        (true, true) => only(),
        (false, true) => 0,
    }
}
"#;

/// Code that compiles in one edition and not in the next, or not in the one before.
const ONLY: [(&str, &str); 4] = [
    (
        "2015",
        "pub fn only() -> u32 { ::seven(); let gen: &::std::fmt::Debug = &2015; let _ = gen; panic_of_before(); 2015 }\n\
         fn panic_of_before() { if false { panic!(\"{\") } }\n\
         extern \"C\" {}\n",
    ),
    (
        "2018",
        "pub fn only() -> u32 { crate::seven(); let gen: &::std::fmt::Debug = &2018; let _ = gen; 2018 }\n\
         extern \"C\" {}\n",
    ),
    (
        "2021",
        "pub fn only() -> u32 { let gen: &dyn std::fmt::Debug = &c\"2021\"; let _ = gen; 2021 }\n\
         extern \"C\" {}\n",
    ),
    ("2024", "pub fn only() -> u32 { if let 1 = 1 && true { 2024 } else { 0 } }\nunsafe extern \"C\" {}\n"),
];

/// The ways to include the code: the compiler reads the first, the macro all others.
const WAYS: [&str; 5] = ["inline", "by_macro", "by_macro::below", "by_attribute", "in_wrapper"];

/// How a crate includes the code in all these ways.
const MODULES: &str = r#"
pub fn seven() -> u32 {
    7
}

#[insyn::instrument]
pub mod inline {
    HELD
}

insyn::instrumented! {
    pub mod by_macro;
}

#[insyn::instrument(path = "elsewhere/by_path.rs")]
pub mod by_attribute {}

macro_rules! modules {
    ($($name:ident)*) => {
        insyn::instrumented! {
            $(pub mod $name;)*
        }
    };
}

modules!(in_wrapper);
"#;

/// The files that the macro reads, each with its module.
const FILES: [(&str, &str); 4] = [
    ("by_macro.rs", "by_macro"),
    ("by_macro/below.rs", "by_macro::below"),
    ("elsewhere/by_path.rs", "by_attribute"),
    ("in_wrapper.rs", "in_wrapper"),
];

/// The tests of what the code does in all these ways.
fn tests_of_ways(edition: &str, root: &str) -> String {
    let mut tests = String::new();
    for way in WAYS {
        let name = way.replace("::", "_");
        tests += &format!(
            "#[test] fn the_edition_of_{name}() {{ assert_eq!({root}::{way}::edition(), {edition}); }}\n"
        );
        // With the feature off, a deadlock would hang.
        for (function, start, line) in [("in_else", "Vec::new()", 6), ("behind_block", "1", 12)] {
            let file = FILES.iter().find(|(_, module)| *module == way);
            // The place of the step that is blocked ends its line; of a file that is the same as above only the line is shown.
            let blocked = match file {
                Some(_) => format!("⛔ held by main  :{line}\n"),
                None => "⛔ held by main".to_owned(),
            };
            let should = if edition == "2024" {
                String::new()
            } else {
                format!("#[should_panic(expected = {blocked:?})]")
            };
            tests += &format!(
                "#[cfg(feature = \"on\")] #[insyn::test] {should} fn {function}_{name}() -> usize {{ \
                 {root}::{way}::{function}(&::std::sync::Mutex::new({start})) }}\n"
            );
        }
    }
    tests
}

#[test]
fn every_edition() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("editions");
    let runtime = env!("CARGO_MANIFEST_DIR");
    for edition in ["2015", "2018", "2021", "2024"] {
        // A path from the root of the own crate begins with `crate` since edition 2018.
        let own = if edition == "2015" { "" } else { "crate" };
        let manifest = format!(
            "[package]\nname = \"edition-{edition}\"\nedition = \"{edition}\"\n\n\
             [features]\non = [\"insyn/instrument\"]\n\n\
             [dependencies]\ninsyn = {{ path = {runtime:?} }}\n"
        );
        let (_, only) = ONLY.iter().find(|(of, _)| *of == edition).expect("it is one of them");
        let held = format!("{HELD}{only}");
        let library = format!("{PROGRAM}{MODULES}{TESTS}")
            .replace("HELD", &held)
            .replace("WAYS", &tests_of_ways(edition, own))
            .replace("ROOT", own);
        let package = root.join(edition);
        place(&package.join("Cargo.toml"), &manifest);
        place(&package.join("src/lib.rs"), &library);
        for (file, module) in FILES {
            let below = if module == "by_macro" { "pub mod below;\n" } else { "" };
            let mut text = format!("{held}{below}");
            if module == "in_wrapper" {
                text = text.replace('\n', "\r\n");
            }
            place(&package.join("src").join(file), &text);
        }
    }
    let workspace = "[workspace]\nresolver = \"2\"\nmembers = [\"2015\", \"2018\", \"2021\", \"2024\"]\n";
    place(&root.join("Cargo.toml"), workspace);
    fs::copy(Path::new(runtime).with_file_name("Cargo.lock"), root.join("Cargo.lock"))
        .expect("it can be copied");
    test(&root, &["--features", "on"], "17 passed");
    // In an ordinary build the compiler reads all files itself.
    test(&root, &[], "5 passed");
}

/// Runs the tests of all crates, and expects this many of each to pass.
fn test(root: &Path, args: &[&str], passed: &str) {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target directory");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["test", "--workspace", "--quiet", "--lib", "--no-fail-fast"]).args(args);
    let output = cargo.current_dir(root).env("CARGO_TARGET_DIR", target).output().expect("cargo runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(said.matches(passed).count(), 4, "{said}");
}

/// Only if it differs, so that nothing is built twice.
fn place(path: &Path, text: &str) {
    if !fs::read_to_string(path).is_ok_and(|there| there == text) {
        fs::create_dir_all(path.parent().expect("a directory")).expect("it can be made");
        fs::write(path, text).expect("it can be written");
    }
}
