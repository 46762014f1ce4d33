//! What can be asked of `cargo insyn`, in the words of its help.

use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Tests concurrent Rust programs: runs every synchronization behaviour of a program exactly once.
///
/// A program is a function under `#[insyn::test]`. Code that it uses is put under control by `#[insyn::instrument]`;
/// this command builds the tests of your packages with that switched on, and runs the programs it finds in them.
#[derive(Debug, Parser)]
#[command(name = "cargo-insyn", bin_name = "cargo insyn", version, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0    everything was done, and nothing is wrong
  1    a program fails: a deadlock, a panic, a bound on steps, a sequence against its specification, a test
  2    what was asked cannot be done: unknown program, unfit input, unreadable file
  3    the build failed; the compiler's errors are above
  4    a test binary died; what it had found until then is shown
  5    mutants survived, or are undecided
  130  interrupted; what was found until then is shown";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Sets a package up: the dependency, a first program, its specification and its tests
    Init(Init),
    /// Lists the programs of a package or workspace
    List(List),
    /// Runs every synchronization behaviour of programs, each once
    Explore(Explore),
    /// Runs a recorded sequence again and shows it step by step
    Replay(Replay),
    /// Judges programs by their specifications and their tests
    Check(Check),
    /// Makes a program do the sequences of a file of tests, or shows that it cannot
    Force(Force),
    /// Writes the sequences of a program down as tests
    Record(Record),
    /// Lists the mutants of a package, or shows them as diffs
    Mutants(Mutants),
    /// Runs every mutant of a package and says which tests tell it from the original
    Mutate(Mutate),
    /// Puts the parts of a campaign together
    Merge(Merge),
    /// Suggests invalid sequences that are worth trying on mutants
    Suggest(Suggest),
    /// Shows what came of a campaign, as tables, HTML and other documents
    Report(Report),
    /// Draws a recorded sequence as a space-time diagram
    Show(Show),
    /// Prints what makes a shell complete this command
    Completions(Completions),
    /// Prints the manual page of this command, or writes those of all its commands
    Man(Man),
}

/// Sets a package up: the dependency, a first program, its specification and its tests.
///
/// `insyn` is added to Cargo.toml, with the switch for tests. `tests/insyn.rs` is a first program to look at, to run and to
/// replace by one of your own; `tests/insyn/` has its specification and its tests. What is there already is left as it
/// is.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cargo insyn init                                    the package here
  cargo insyn init -p bank                            one of a workspace
  cargo insyn init --path ../insyn                    with insyn from a checkout")]
pub(crate) struct Init {
    /// The package to set up, in a workspace
    #[arg(short, long, value_name = "PACKAGE")]
    pub(crate) package: Option<String>,

    /// A checkout of insyn to depend on [default: the version of this command, from the registry]
    #[arg(long, value_name = "DIR")]
    pub(crate) path: Option<PathBuf>,

    /// Path to the Cargo.toml of the package or workspace
    #[arg(long, value_name = "PATH")]
    pub(crate) manifest_path: Option<PathBuf>,
}

/// Lists the programs of a package or workspace.
///
/// A program can be named by its function or by as much of its path as tells it apart: `works`, `tests::works`,
/// `my_crate::tests::works`.
#[derive(Debug, Args)]
pub(crate) struct List {
    #[command(flatten)]
    pub(crate) build: Build,

    /// How to print the result
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Runs every synchronization behaviour of programs, each once.
///
/// Without a name it explores all programs it finds. What fails is shown with the sequence that fails, and is saved as a
/// file that `cargo insyn replay` runs again.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cargo insyn explore                                 all programs of the package
  cargo insyn explore transfer                        the one whose function is `transfer`
  cargo insyn explore -p bank transfer --input '{accounts: 3}'
  cargo insyn explore --format json > explored.json")]
pub(crate) struct Explore {
    /// The programs to explore; all if none is named
    #[arg(value_name = "PROGRAM")]
    pub(crate) programs: Vec<String>,

    #[command(flatten)]
    pub(crate) build: Build,

    /// The input, as YAML or JSON; `@FILE` reads it from a file
    #[arg(long, value_name = "YAML")]
    pub(crate) input: Option<String>,

    /// How many OS threads explore; the result is the same for any number [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) workers: Option<u32>,

    /// Steps that an execution may have; one that has more fails
    #[arg(long, value_name = "N")]
    pub(crate) max_steps: Option<u64>,

    /// Stop after so many sequences
    #[arg(long, value_name = "N")]
    pub(crate) max_sequences: Option<u64>,

    /// Stop after so many executions
    #[arg(long, value_name = "N")]
    pub(crate) max_executions: Option<u64>,

    /// Run it so often at random instead of exploring it
    #[arg(long, value_name = "N")]
    pub(crate) sample: Option<u64>,

    /// Where random choices come from
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Stop each program at its first failure
    #[arg(long)]
    pub(crate) first_failure: bool,

    /// How to print the result
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,

    /// Where to put `explore.json` and the sequences that fail [default: `insyn` in the target directory, without
    /// `explore.json`]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

/// Runs a recorded sequence again and shows it step by step.
///
/// The file says of which program it is and with which input; failures of tests and of `cargo insyn explore` are
/// saved as such files.
#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// The file of the sequence
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The program, if the file does not say
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) program: Option<String>,

    #[command(flatten)]
    pub(crate) build: Build,
}

/// Judges programs by their specifications and their tests.
///
/// A specification (YAML) says which sequences are valid. The program is explored, every sequence is judged, and every
/// valid sequence is looked for among the feasible ones; both directions make the table
///
///               valid                          invalid
///   feasible    as it should be                synchronization failure
///   infeasible  failure: a path is missing     as it should be (tests that were tried)
///
/// Each test of a test file is an input, a sequence, and whether it should be feasible; the sequence is forced on the
/// program. Infeasible is proved by running out of choices, and says which step cannot happen and what stands in the way.
///
/// The files are those of `#[insyn::test(spec = "..", tests = "..")]`, unless others are given here. Without a name,
/// every program is checked that has such a file.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  cargo insyn check                                   all programs with a specification or tests
  cargo insyn check buffer --input '{slots: 3}'
  cargo insyn check buffer --spec buffer.yaml --tests buffer.tests.yaml --format json"
)]
pub(crate) struct Check {
    /// The programs to check; those with a specification or tests if none is named
    #[arg(value_name = "PROGRAM")]
    pub(crate) programs: Vec<String>,

    #[command(flatten)]
    pub(crate) build: Build,

    /// The specification, instead of the one that the program names
    #[arg(long, value_name = "FILE")]
    pub(crate) spec: Option<PathBuf>,

    /// The tests, instead of those that the program names
    #[arg(long, value_name = "FILE")]
    pub(crate) tests: Option<PathBuf>,

    /// The input, as YAML or JSON; `@FILE` reads it from a file
    #[arg(long, value_name = "YAML")]
    pub(crate) input: Option<String>,

    /// Steps that an execution may have
    #[arg(long, value_name = "N")]
    pub(crate) max_steps: Option<u64>,

    /// Stop exploring after so many sequences; valid ones that were not seen are forced
    #[arg(long, value_name = "N")]
    pub(crate) max_sequences: Option<u64>,

    /// Stop exploring, or forcing one sequence, after so many executions
    #[arg(long, value_name = "N")]
    pub(crate) max_executions: Option<u64>,

    /// How to print the result
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,

    /// Where to put `check.json` and the sequences that fail [default: `insyn` in the target directory, without
    /// `check.json`]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

/// Makes a program do the sequences of a file of tests, or shows that it cannot.
///
/// A test is an input, a sequence and what should come of them:
///
///   insyn: tests
///   version: 1
///   program: buffer
///   spec: buffer.yaml
///   tests:
///   - name: three deposits into two slots
///     input: {slots: 2}
///     sequence: [deposit, deposit, deposit, withdraw, withdraw, withdraw]
///     expect: infeasible
///
/// Names are events of the specification, or labels (`insyn::label!`) if there is none. A `prefix` leaves the rest free.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Force {
    /// The file of the tests
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The program, if the file does not say
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) program: Option<String>,

    /// The only test to force
    #[arg(long, value_name = "NAME")]
    pub(crate) test: Option<String>,

    /// The specification, instead of the one that the file or the program names
    #[arg(long, value_name = "FILE")]
    pub(crate) spec: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) build: Build,

    /// Steps that an execution may have
    #[arg(long, value_name = "N")]
    pub(crate) max_steps: Option<u64>,

    /// Give a test up after so many executions: its verdict is then unknown
    #[arg(long, value_name = "N")]
    pub(crate) max_executions: Option<u64>,

    /// How to print the result
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Writes the sequences of a program down as tests, for `cargo insyn force`.
///
/// With a specification, each is written as its events; without one, completely.
#[derive(Debug, Args)]
pub(crate) struct Record {
    /// The program
    #[arg(value_name = "PROGRAM")]
    pub(crate) program: String,

    #[command(flatten)]
    pub(crate) build: Build,

    /// The specification, instead of the one that the program names
    #[arg(long, value_name = "FILE")]
    pub(crate) spec: Option<PathBuf>,

    /// The input, as YAML or JSON; `@FILE` reads it from a file
    #[arg(long, value_name = "YAML")]
    pub(crate) input: Option<String>,

    /// No more sequences than this
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) max: u64,

    /// The file to write; it must not exist [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// Lists the mutants of a package.
///
/// A mutant is a small change of the annotated code, made by an operator. Operators belong to the families guards,
/// operators, channels, locks and threads. A mutant that is not wanted is skipped by a comment that says why:
///
///   // insyn: skip CRP, guards: the number of retries is not part of the protocol
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  cargo insyn mutants                                 all mutants of the package
  cargo insyn mutants --operators guards,channels     those of two families
  cargo insyn mutants --diff GBS-5c0d93f1             one of them, as a diff
  cargo insyn mutants --apply GBS-5c0d93f1            one of them, put into the source"
)]
pub(crate) struct Mutants {
    /// Only these, by their names
    #[arg(value_name = "MUTANT")]
    pub(crate) mutants: Vec<String>,

    #[command(flatten)]
    pub(crate) which: Which,

    /// Show each as a diff
    #[arg(long)]
    pub(crate) diff: bool,

    /// Put the mutant that is named into the source, to look at it or to build it alone
    #[arg(long, conflicts_with = "diff")]
    pub(crate) apply: bool,

    /// List the operators instead
    #[arg(long, conflicts_with_all = ["diff", "apply", "mutants"])]
    pub(crate) list_operators: bool,

    #[command(flatten)]
    pub(crate) build: Build,

    /// How to print the result
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Runs every mutant of a package and says which tests tell it from the original.
///
/// All mutants are compiled into one build. The program itself must be right: it is checked first. Then each mutant is
/// explored, and compared with the original
///
///   1. by collected tests: every sequence of the original;
///   2. by written tests: those of `#[insyn::test(tests = "..")]` or `--tests`, invalid sequences among them.
///
/// A test distinguishes a mutant if it cannot do what the original can, or the other way round, or ends otherwise, or
/// returns something else. A mutant that no test distinguishes is proved equivalent, or comes with a sequence that tells
/// the two apart; what reached a bound is undecided.
///
/// What is known is kept on disk after each mutant: after an interrupt, running again goes on where it was.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Exit codes: 0 all mutants are distinguished or equivalent; 1 the program itself fails; 5 some survived or are undecided.

Examples:
  cargo insyn mutate -p bounded-buffer select
  cargo insyn mutate --operators guards,-GNG          some operators only
  cargo insyn mutate --in-diff changes.diff           only mutants on lines that a diff changes
  cargo insyn mutate --shard 2/4 --out part2          a quarter of the mutants, to be merged with the others"
)]
pub(crate) struct Mutate {
    /// The programs to run mutants with; all of the package if none is named
    #[arg(value_name = "PROGRAM")]
    pub(crate) programs: Vec<String>,

    #[command(flatten)]
    pub(crate) which: Which,

    /// The specification, instead of the one that the program names
    #[arg(long, value_name = "FILE")]
    pub(crate) spec: Option<PathBuf>,

    /// The tests, instead of those that the program names
    #[arg(long, value_name = "FILE")]
    pub(crate) tests: Option<PathBuf>,

    /// The input, as YAML or JSON; `@FILE` reads it from a file
    #[arg(long, value_name = "YAML")]
    pub(crate) input: Option<String>,

    /// How many mutants run at once; the result is the same for any number [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) workers: Option<u32>,

    /// Only the k-th of n equal parts of the mutants
    #[arg(long, value_name = "K/N")]
    pub(crate) shard: Option<Shard>,

    /// Steps that an execution of a mutant may have [default: 1,000 and ten times the original's most]
    #[arg(long, value_name = "N")]
    pub(crate) max_steps: Option<u64>,

    /// Executions of a mutant [default: 1,000 and ten times the original's]
    #[arg(long, value_name = "N")]
    pub(crate) max_executions: Option<u64>,

    /// Seconds after which a mutant that does nothing that insyn can see is taken to loop for ever. Nothing else is decided
    /// by time
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) patience: u64,

    /// Megabytes of memory that a mutant may have
    #[arg(long, value_name = "MIB", default_value_t = 2048, value_parser = clap::value_parser!(u64).range(16..))]
    pub(crate) memory: u64,

    /// Begin anew, even if results are there
    #[arg(long)]
    pub(crate) fresh: bool,

    /// Append the sequences that distinguish survivors to this file of tests
    #[arg(long, value_name = "FILE")]
    pub(crate) write_tests: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) build: Build,

    /// How to print the result
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,

    /// Where results are kept [default: `insyn/mutate/PACKAGE` in the target directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

/// Puts the parts of a campaign together that `cargo insyn mutate --shard` has run.
///
/// The result is what one run of all mutants would have been, byte for byte.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  cargo insyn mutate --shard 1/2 --out part1
  cargo insyn mutate --shard 2/2 --out part2          perhaps on another machine
  cargo insyn merge part1 part2 --out whole")]
pub(crate) struct Merge {
    /// The directories of the parts
    #[arg(value_name = "DIR", required = true)]
    pub(crate) parts: Vec<PathBuf>,

    /// How to print the result
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,

    /// Where to put the whole
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
}

/// Suggests invalid sequences that are worth trying on mutants.
///
/// Sequences that the program can do are edited, one event moved at a time, until a rule of the specification objects; for
/// each rule and event the first such sequence is taken. Collected sequences cannot distinguish a mutant that only does more
/// than it should; these can.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  cargo insyn suggest buffer --out buffer.tests.yaml
  cargo insyn mutate buffer --tests buffer.tests.yaml")]
pub(crate) struct Suggest {
    /// The program
    #[arg(value_name = "PROGRAM")]
    pub(crate) program: String,

    #[command(flatten)]
    pub(crate) build: Build,

    /// The specification, instead of the one that the program names
    #[arg(long, value_name = "FILE")]
    pub(crate) spec: Option<PathBuf>,

    /// The input, as YAML or JSON; `@FILE` reads it from a file
    #[arg(long, value_name = "YAML")]
    pub(crate) input: Option<String>,

    /// No more sequences than this
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) max: usize,

    /// The file to write; it must not exist [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// Which mutants are wanted.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Which {
    /// Operators, by code or family; those after a minus are left out [default: all]
    #[arg(long, value_name = "OPERATORS", help_heading = "Mutants", allow_hyphen_values = true)]
    pub(crate) operators: Option<String>,

    /// Only mutants on lines that this unified diff adds or changes
    #[arg(long, value_name = "FILE", help_heading = "Mutants")]
    pub(crate) in_diff: Option<PathBuf>,

    /// Mutate functions under `#[insyn::test]` too
    #[arg(long, help_heading = "Mutants")]
    pub(crate) drivers: bool,
}

/// A part of the mutants: `2/4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    pub(crate) number: usize,
    pub(crate) of: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts =
            text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Shard { number, of }),
            _ => Err("write K/N, with K from 1 to N".to_owned()),
        }
    }
}

/// Shows what came of a campaign, as tables, HTML and other documents.
///
/// A campaign leaves its results in a directory; this reads `campaign.json` in it. The HTML report is one file that needs
/// nothing else, to be opened, kept or sent.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cargo insyn report                                  tables of the only campaign there is
  cargo insyn report --open                           the HTML report, in a browser
  cargo insyn report target/insyn/mutate/bank --format markdown --out summary.md
  cargo insyn report --format github                  annotations of lines, in GitHub Actions")]
pub(crate) struct Report {
    /// The results of the campaign [default: the only one in `insyn/mutate` of the target directory]
    #[arg(value_name = "DIR")]
    pub(crate) directory: Option<PathBuf>,

    /// What to make of it [default: text, html with `--open`]
    #[arg(long, value_enum)]
    pub(crate) format: Option<ReportFormat>,

    /// The file to write [default: standard output, for html `report.html` in DIR]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Open the HTML report in a browser
    #[arg(long)]
    pub(crate) open: bool,

    /// Path to the Cargo.toml of the package or workspace
    #[arg(long, value_name = "PATH")]
    pub(crate) manifest_path: Option<PathBuf>,
}

/// Draws a recorded sequence as a space-time diagram: a line for each process, a row for each event, an arrow for each
/// pair.
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// The file of the sequence
    #[arg(value_name = "SEQUENCE")]
    pub(crate) file: PathBuf,

    /// Write it to this file too, as SVG
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
}

/// Prints what makes a shell complete this command.
///
/// Shells complete the words after `cargo-insyn`, which is what `cargo insyn` starts; how the words after `cargo` are
/// completed is up to cargo.
///
///   cargo insyn completions bash > ~/.local/share/bash-completion/completions/cargo-insyn
///   cargo insyn completions fish > ~/.config/fish/completions/cargo-insyn.fish
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

/// Prints the manual page of this command, or writes those of all its commands.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cargo insyn man --out ~/.local/share/man/man1       then `man cargo-insyn-explore`
  cargo insyn man > cargo-insyn.1                     the page of the whole")]
pub(crate) struct Man {
    /// Write one page for each command into this directory
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

/// Which packages are built, and how.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Build {
    /// The package to look at; all that use insyn if none is named
    #[arg(short, long, value_name = "PACKAGE", help_heading = "Build")]
    pub(crate) package: Vec<String>,

    /// Path to the Cargo.toml of the package or workspace
    #[arg(long, value_name = "PATH", help_heading = "Build")]
    pub(crate) manifest_path: Option<PathBuf>,

    /// Features of the packages to switch on
    #[arg(short = 'F', long, value_name = "FEATURES", help_heading = "Build")]
    pub(crate) features: Vec<String>,

    /// Do not switch default features on
    #[arg(long, help_heading = "Build")]
    pub(crate) no_default_features: bool,

    /// Build with optimizations
    #[arg(short, long, help_heading = "Build")]
    pub(crate) release: bool,

    /// Say what cargo says while it builds
    #[arg(short, long, help_heading = "Build")]
    pub(crate) verbose: bool,
}

/// How a result is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Tables for people
    #[default]
    Text,
    /// One JSON document
    Json,
}

/// What a report is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// Tables for people
    Text,
    /// One file to look around in
    Html,
    /// The document that all the others are made of
    Json,
    /// The report schema of the Stryker family, for its viewers
    Stryker,
    /// XML for continuous integration
    Junit,
    /// A summary for pull requests
    Markdown,
    /// Annotations for GitHub Actions
    Github,
}

/// The arguments without the `insyn` that cargo puts before them.
pub(crate) fn arguments() -> impl Iterator<Item = OsString> {
    let is_cargos = |(n, arg): &(usize, OsString)| *n == 1 && arg == "insyn";
    std::env::args_os().enumerate().filter(move |arg| !is_cargos(arg)).map(|(_, arg)| arg)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        super::Cli::command().debug_assert();
    }
}
