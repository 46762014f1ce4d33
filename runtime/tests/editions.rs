//! Annotated crates of every edition: what the macros write is read in the edition of who wrote the macro's call.

use std::fs;
use std::path::Path;
use std::process::Command;

/// One of everything that the macros write paths for. `dyn` is a word of its own since the second edition only.
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

#[cfg(test)]
mod tests {
    #[insyn::test]
    fn all_is_counted() -> usize {
        let sum = ::sum_of_this_crate();
        assert_eq!(sum, 4);
        sum
    }

    #[insyn::test]
    fn a_select() -> u32 {
        let (tx, rx) = ::std::sync::mpsc::channel();
        tx.send(1).unwrap();
        insyn::select! {
            recv(rx) -> one => one,
            timeout(::std::time::Duration::from_secs(1)) => 0,
        }
    }
}
"#;

#[test]
fn every_edition() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("editions");
    let runtime = env!("CARGO_MANIFEST_DIR");
    for edition in ["2015", "2018", "2021", "2024"] {
        // A path from the root of the own crate begins with `crate` since the second edition.
        let own = if edition == "2015" { "::sum" } else { "crate::sum" };
        let manifest = format!(
            "[package]\nname = \"edition-{edition}\"\nedition = \"{edition}\"\n\n\
             [dependencies]\ninsyn = {{ path = {runtime:?}, features = [\"instrument\"] }}\n"
        );
        place(&root.join(edition).join("Cargo.toml"), &manifest);
        place(&root.join(edition).join("src/lib.rs"), &PROGRAM.replace("::sum_of_this_crate", own));
    }
    let workspace = "[workspace]\nresolver = \"2\"\nmembers = [\"2015\", \"2018\", \"2021\", \"2024\"]\n";
    place(&root.join("Cargo.toml"), workspace);
    fs::copy(Path::new(runtime).with_file_name("Cargo.lock"), root.join("Cargo.lock"))
        .expect("it can be copied");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target directory");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["test", "--workspace", "--quiet", "--lib", "--no-fail-fast"]);
    let output = cargo.current_dir(&root).env("CARGO_TARGET_DIR", target).output().expect("cargo runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(said.matches("2 passed").count(), 4, "{said}");
}

/// Only if it differs, so that nothing is built twice.
fn place(path: &Path, text: &str) {
    if !fs::read_to_string(path).is_ok_and(|there| there == text) {
        fs::create_dir_all(path.parent().expect("a directory")).expect("it can be made");
        fs::write(path, text).expect("it can be written");
    }
}
