//! Schemata behave as what they stand for: with no mutant on as the original, with one on as the source that it is
//! applied to. Each sample is compiled once with all its mutants behind switches, and beside it every mutated source as
//! a module of its own; both run, and what they say is compared.
//!
//! Sources that do not compile are found first, and left out. All others must compile as schemata too.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use insyn_mutator::{Mutant, Numbered, Options, Schemata, find, number};

#[test]
fn expressions() {
    check("expressions", include_str!("samples/expressions.rs"), 250);
}

#[test]
fn objects() {
    check("objects", include_str!("samples/objects.rs"), 250);
}

/// Compares all mutants of a sample, of which so many must compile.
fn check(name: &str, source: &str, at_least: usize) {
    let bench = Bench::new(name);
    let found = find("sample.rs", source, &Options::default()).expect("the sample is Rust");
    let wanted: Vec<Mutant> = found.mutants.into_iter().filter(|mutant| mutant.skipped.is_none()).collect();
    let mut list = number(wanted);
    for Numbered { number, mutant } in &list {
        bench.write(&format!("m{number}.rs"), &mutant.apply(source).expect("it is of this text"));
    }
    bench.write("m0.rs", source);
    let all = list.len();
    bench.leave_out_unviable(&mut list);
    assert!(list.len() >= at_least, "only {} of {all} mutants compile", list.len());

    let mut file = syn::parse_file(source).expect("the sample is Rust");
    let left = Schemata::new(&list, "sample.rs").switch_all(&mut file.items);
    let left: Vec<String> = left.iter().map(|numbered| numbered.mutant.to_string()).collect();
    assert!(left.is_empty(), "not put anywhere: {left:#?}");
    bench.write("schemata.rs", &prettyplease::unparse(&file));
    bench.write("main.rs", &comparing_program(&list));
    let built = bench.rustc("main.rs", &["-o", "compare"]);
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));

    let output = Command::new(bench.path("compare")).output().expect("it has been built");
    let differences = String::from_utf8_lossy(&output.stdout);
    let shown: Vec<String> = list.iter().map(|n| format!("{} {}", n.number, n.mutant)).collect();
    assert!(output.status.success() && differences.is_empty(), "{differences}\n{}", shown.join("\n"));
}

/// Runs the schemata with each number, and the source that has the mutant, and shows where they differ.
fn comparing_program(list: &[Numbered]) -> String {
    let numbers: BTreeSet<u32> = [0].into_iter().chain(list.iter().map(|numbered| numbered.number)).collect();
    let modules: String = numbers.iter().map(|number| format!("mod m{number};\n")).collect();
    let pairs: String = numbers.iter().map(|number| format!("    ({number}, m{number}::run),\n")).collect();
    format!(
        "#![allow(warnings)]
mod schemata;
{modules}
const PROGRAMS: &[(u32, fn())] = &[
{pairs}];

fn main() {{
    std::panic::set_hook(Box::new(|_| ()));
    for (number, program) in PROGRAMS {{
        insyn::mutation::set(*number);
        let (switched, applied) = (insyn::run(schemata::run), insyn::run(*program));
        if switched != applied {{
            println!(\"mutant {{number}}\\n  switched: {{switched}}\\n  applied:  {{applied}}\");
        }}
    }}
}}
"
    )
}

/// A directory to compile in.
struct Bench(PathBuf);

impl Bench {
    fn new(name: &str) -> Self {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(&directory).expect("a directory of our own");
        let bench = Bench(directory);
        bench.write("insyn.rs", include_str!("behaviour/insyn.rs"));
        let built = bench.rustc("insyn.rs", &["--crate-type", "rlib"]);
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        bench
    }

    fn path(&self, file: &str) -> PathBuf {
        self.0.join(file)
    }

    /// Writes a file, without the attribute, which has done its work.
    fn write(&self, file: &str, text: &str) {
        let text = text.replace("#[insyn::instrument]", "");
        fs::write(self.path(file), text).expect("the directory is our own");
    }

    fn rustc(&self, file: &str, args: &[&str]) -> Output {
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let lints = ["-A", "warnings", "-A", "arithmetic_overflow", "-A", "unconditional_panic"];
        let mut command = Command::new(rustc);
        command.current_dir(&self.0).args(["--edition", "2024", "-C", "overflow-checks=on"]).args(lints);
        if file != "insyn.rs" {
            command.args(["--extern", "insyn=libinsyn.rlib"]);
        }
        command.args(args).arg(file).output().expect("there is a compiler")
    }

    /// Takes the mutants off the list whose source does not compile. The compiler stops at the first phase in which
    /// something is wrong, so it is asked until nothing is.
    fn leave_out_unviable(&self, list: &mut Vec<Numbered>) {
        loop {
            let modules: Vec<String> = list.iter().map(|n| format!("pub mod m{};", n.number)).collect();
            self.write("viable.rs", &modules.join("\n"));
            let built = self.rustc(
                "viable.rs",
                &["--crate-type", "lib", "--emit", "metadata", "--error-format", "short", "--out-dir", "viable"],
            );
            if built.status.success() {
                return;
            }
            let told = String::from_utf8_lossy(&built.stderr);
            let wrong: BTreeSet<u32> = told
                .lines()
                .filter_map(|line| line.strip_prefix('m')?.split_once(".rs:")?.0.parse().ok())
                .collect();
            assert!(!wrong.is_empty(), "{told}");
            list.retain(|numbered| !wrong.contains(&numbered.number));
        }
    }
}
