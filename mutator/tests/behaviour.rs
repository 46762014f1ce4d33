//! Schemata behave as what they stand for: with no mutant on as the original, with one on as the source that it is
//! applied to. Each sample is compiled once with all its mutants behind switches, and beside it every mutated source as
//! a module of its own; both run, and what they print is compared.
//!
//! Which mutated sources do not compile is written down beside the sample; all others must compile as schemata too.
//! Some of the sources are compared each time. `cargo test -p insyn-mutator --test behaviour -- --ignored` compares
//! all, and checks which of them compile.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use insyn_mutator::{Mutant, Numbered, Options, Schemata, find, number};

const EXPRESSIONS: Sample = Sample {
    name: "expressions",
    edition: "2024",
    before_2024: false,
    source: include_str!("samples/expressions.rs"),
    unviable: include_str!("samples/expressions.unviable"),
};

const OBJECTS: Sample = Sample {
    name: "objects",
    edition: "2024",
    before_2024: false,
    source: include_str!("samples/objects.rs"),
    unviable: include_str!("samples/objects.unviable"),
};

/// The edition decides what outlives what. Schemata for earlier ones are right in all.
const fn outliving(name: &'static str, edition: &'static str) -> Sample {
    Sample {
        name,
        edition,
        before_2024: true,
        source: include_str!("samples/outliving.rs"),
        unviable: include_str!("samples/outliving.unviable"),
    }
}

#[test]
fn some_expressions() {
    EXPRESSIONS.compare("some", 12);
}

#[test]
fn some_objects() {
    OBJECTS.compare("some", 12);
}

#[test]
fn what_outlives_a_block_before_2024() {
    outliving("before_2024", "2021").compare("some", 6);
    outliving("since_2024", "2024").compare("some", 12);
}

#[test]
#[ignore = "compiles some hundred modules, which takes a minute"]
fn all_that_outlives_a_block_before_2024() {
    outliving("before_2024", "2021").compare("all", 1);
    outliving("since_2024", "2024").compare("all", 1);
}

#[test]
#[ignore = "compiles some hundred modules, which takes a minute"]
fn all_expressions() {
    EXPRESSIONS.compare("all", 1);
}

#[test]
#[ignore = "compiles some hundred modules, which takes a minute"]
fn all_objects() {
    OBJECTS.compare("all", 1);
}

struct Sample {
    name: &'static str,
    edition: &'static str,
    before_2024: bool,
    source: &'static str,
    /// The mutants whose source does not compile, one on each line.
    unviable: &'static str,
}

impl Sample {
    /// Compares one mutant out of `out_of`; checks that all compile if all are compared.
    fn compare(&self, name: &str, out_of: u32) {
        let bench = Bench::new(&format!("{name}_{}", self.name), self);
        let found = find("sample.rs", self.source, &Options::default()).expect("the sample is Rust");
        let mutants = found.mutants.into_iter().filter(|mutant| mutant.skipped.is_none());
        let mut list = number(mutants);
        for Numbered { number, mutant, .. } in &list {
            bench.write(&format!("m{number}.rs"), &mutant.apply(self.source).expect("it is of this text"));
        }
        bench.write("m0.rs", self.source);
        if out_of == 1 {
            let unviable: Vec<String> = bench.unviable(&list).iter().map(ToString::to_string).collect();
            bench.write("unviable", &unviable.join("\n"));
            assert_eq!(
                unviable,
                self.unviable.lines().collect::<Vec<_>>(),
                "see {:?}",
                bench.path("unviable")
            );
        }
        list.retain(|numbered| !self.unviable.lines().any(|line| line == numbered.mutant.to_string()));
        assert!(list.len() > 100, "only {} mutants", list.len());
        compare(&bench, self.source, &list, out_of);
    }
}

fn compare(bench: &Bench, source: &str, list: &[Numbered], out_of: u32) {
    let mut file = syn::parse_file(source).expect("the sample is Rust");
    let mut schemata = Schemata::new(list, "sample.rs").before_2024(bench.before_2024);
    let left = schemata.switch_all(&mut file.items);
    let left: Vec<String> = left.iter().map(|numbered| numbered.mutant.to_string()).collect();
    assert!(left.is_empty(), "not put anywhere: {left:#?}");
    bench.write("schemata.rs", &prettyplease::unparse(&file));
    bench.write("main.rs", &comparing_program(list, out_of));
    let built = bench.rustc("main.rs", &["-o", "compare"]);
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));

    let output = Command::new(bench.path("compare")).output().expect("it has been built");
    let differences = String::from_utf8_lossy(&output.stdout);
    let shown: Vec<String> = list.iter().map(|n| format!("{} {}", n.number, n.mutant)).collect();
    assert!(output.status.success() && differences.is_empty(), "{differences}\n{}", shown.join("\n"));
}

/// Runs the schemata with each number, and the source that has the mutant, and shows where they differ.
fn comparing_program(list: &[Numbered], out_of: u32) -> String {
    let numbers = list.iter().map(|numbered| numbered.number).filter(|number| number % out_of == 0);
    let numbers: BTreeSet<u32> = [0].into_iter().chain(numbers).collect();
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
struct Bench {
    directory: PathBuf,
    edition: &'static str,
    before_2024: bool,
}

impl Bench {
    fn new(name: &str, sample: &Sample) -> Self {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(&directory).expect("a directory of our own");
        let bench = Bench { directory, edition: sample.edition, before_2024: sample.before_2024 };
        bench.write("insyn.rs", include_str!("behaviour/insyn.rs"));
        let built = bench.rustc("insyn.rs", &["--crate-type", "rlib"]);
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        bench
    }

    fn path(&self, file: &str) -> PathBuf {
        self.directory.join(file)
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
        command
            .current_dir(&self.directory)
            .args(["--edition", self.edition, "-C", "overflow-checks=on"])
            .args(lints);
        if file != "insyn.rs" {
            command.args(["--extern", "insyn=libinsyn.rlib"]);
        }
        command.args(args).arg(file).output().expect("there is a compiler")
    }

    /// The mutants whose source does not compile. The compiler stops at the first phase in which something is wrong, so
    /// it is asked until nothing is.
    fn unviable<'a>(&self, list: &'a [Numbered]) -> Vec<&'a Mutant> {
        let mut wrong = BTreeSet::new();
        loop {
            let viable = list.iter().filter(|numbered| !wrong.contains(&numbered.number));
            let modules: Vec<String> =
                viable.map(|numbered| format!("pub mod m{};", numbered.number)).collect();
            self.write("viable.rs", &modules.join("\n"));
            let built = self.rustc(
                "viable.rs",
                &[
                    "--crate-type",
                    "lib",
                    "--emit",
                    "metadata",
                    "--error-format",
                    "short",
                    "--out-dir",
                    "viable",
                ],
            );
            if built.status.success() {
                let unviable = list.iter().filter(|numbered| wrong.contains(&numbered.number));
                return unviable.map(|numbered| &numbered.mutant).collect();
            }
            let errors = String::from_utf8_lossy(&built.stderr);
            let before = wrong.len();
            let number = |line: &str| line.strip_prefix('m')?.split_once(".rs:")?.0.parse::<u32>().ok();
            wrong.extend(errors.lines().filter_map(number));
            assert!(wrong.len() > before, "{errors}");
        }
    }
}
