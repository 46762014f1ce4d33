//! The result of a campaign: all that reports are made of. It says the same on every run, whatever the number of workers,
//! so it has no times in it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value as Data;

/// The version of the document that this crate writes and reads.
pub const VERSION: u32 = 1;

/// A campaign: the mutants of a package, and what became of each.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Campaign {
    /// [`VERSION`].
    pub version: u32,
    /// The package whose code was mutated.
    pub package: String,
    /// How many mutants came to which end.
    pub mutants: Counts,
    /// Distinguished mutants, in percent of those that are neither unviable nor equivalent; none if there are none of
    /// those.
    pub score: Option<f64>,
    /// The score after each phase: with collected sequences alone, then with written tests too.
    pub phases: Vec<Phase>,
    /// How often the package was built, attempts among them that found mutants which do not compile.
    pub builds: u32,
    /// The same for each family of operators.
    pub families: Vec<Group>,
    /// The same for each file.
    pub files: Vec<Group>,
    /// The programs that the mutants were run with.
    pub programs: Vec<Program>,
    /// The tests: collected ones first, then written ones, each in its order.
    pub tests: Vec<Test>,
    /// The mutants, in their order.
    pub details: Vec<Mutant>,
    /// The texts of the files that mutants are in, by their names from the root of the package.
    pub sources: BTreeMap<String, String>,
}

/// How many mutants came to which end. `total` is the sum of the five after it; what was left out is counted apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// All that were wanted and are reached by a program.
    pub total: usize,
    /// Do not compile.
    pub unviable: usize,
    /// Proved to do what the original does, for the inputs that were tried.
    pub equivalent: usize,
    /// A bound was reached before it was known.
    pub undecided: usize,
    /// A test tells them from the original.
    pub distinguished: usize,
    /// No test does, though some sequence would.
    pub survived: usize,
    /// Left out: no program ever comes to the code that they change.
    pub unreached: usize,
    /// Left out: a comment in the source says why.
    pub skipped: usize,
    /// Left out: not run yet, or in another part of the campaign.
    pub pending: usize,
}

/// A phase of a campaign.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Phase {
    /// `collected` or `written`.
    pub name: String,
    /// How many tests it has.
    pub tests: usize,
    /// How many mutants are distinguished after it.
    pub distinguished: usize,
    /// The score after it, in percent.
    pub score: Option<f64>,
}

/// The mutants of a family or of a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// The family or the file.
    pub name: String,
    /// What became of them.
    pub mutants: Counts,
    /// Their score, in percent.
    pub score: Option<f64>,
}

/// A program that mutants were run with.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Program {
    /// Its name.
    pub name: String,
    /// The input it ran with.
    pub input: Option<Data>,
    /// Its distinct sequences.
    pub sequences: u64,
    /// Whether these are all.
    pub complete: bool,
    /// Feasible against valid; none without a specification.
    pub validity: Option<Validity>,
}

/// The table of feasible and infeasible, valid and invalid sequences.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Validity {
    /// As it should be.
    pub feasible_valid: u64,
    /// Can happen and must not.
    pub feasible_invalid: u64,
    /// Should happen and cannot; none where the specification does not ask, as with conformance `subset`.
    pub infeasible_valid: Option<u64>,
    /// Was tried, and rightly cannot happen.
    pub infeasible_invalid: u64,
}

/// A test: an input and a sequence.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Test {
    /// Its place in the list of programs.
    pub program: usize,
    /// `collected` or `written`.
    pub phase: String,
    /// Its name.
    pub name: String,
    /// The input, if it is not the program's.
    pub input: Option<Data>,
    /// The sequence, one event each.
    pub sequence: Vec<String>,
    /// What the original does: whether it can do the sequence, and what comes of it.
    pub original: Outcome,
    /// An execution of the original that does it, as the text of a sequence file; none for what it cannot do, and where
    /// there would be too many.
    pub file: Option<String>,
    /// For each event of the sequence, the event of the file that it is, as `main/thread1#3`; empty if that is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<String>,
    /// What it is a variant of; none for the first sequence of a program, and for written tests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<Variant>,
}

/// How a sequence was found: as a race variant of another. So the collected tests of a program are a tree.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Variant {
    /// The other's place in the list of tests, before this one.
    pub of: usize,
    /// The events of the file whose partner the variant changed, as `main/thread1#3`; empty if there is no file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<String>,
}

/// What a program does with a test.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// `feasible`, `infeasible` or `unknown`.
    pub verdict: String,
    /// The ends and outputs that it can have then, in a fixed order.
    pub results: Vec<Ending>,
    /// Why the sequence cannot happen, if it cannot.
    pub why: String,
}

/// How an execution ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ending {
    /// `normal`, `deadlock`, `panic`, ..
    pub termination: String,
    /// What the program returned.
    pub output: Option<Data>,
}

/// A mutant, and what became of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mutant {
    /// Its name, which stays as long as the code does.
    pub id: String,
    /// The code of the operator.
    pub operator: String,
    /// The family of the operator.
    pub family: String,
    /// The file, from the root of the package.
    pub file: String,
    /// Where the change begins: line and column, from one.
    pub start: (u32, u32),
    /// Where it ends.
    pub end: (u32, u32),
    /// The function it is in.
    pub function: String,
    /// The change in a few words.
    pub description: String,
    /// What stands there instead.
    pub replacement: String,
    /// The change as a unified diff.
    pub diff: String,
    /// What became of it.
    pub status: Status,
    /// Why: the compiler's reason, the bound that was reached, the reason in the source, how the process died.
    pub reason: String,
    /// The tests that distinguish it.
    pub kills: Vec<Kill>,
    /// Whether these are all tests that do. Otherwise it was not tried further after the first.
    pub all_kills: bool,
    /// For a survivor: what it can do and the original cannot.
    pub distinguishing: Option<Distinguishing>,
}

/// What became of a mutant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// A test tells it from the original.
    Distinguished,
    /// No test does, though some sequence would.
    Survived,
    /// A bound was reached before it was known.
    Undecided,
    /// It does what the original does, for the inputs that were tried.
    #[default]
    Equivalent,
    /// It does not compile.
    Unviable,
    /// No program ever comes to the code that it changes.
    Unreached,
    /// A comment in the source says why.
    Skipped,
    /// It was not run yet, or is in another part of the campaign.
    Pending,
}

impl Status {
    /// Every end, in the order in which reports show them: what needs a person comes first.
    pub const ALL: [Status; 8] = [
        Status::Survived,
        Status::Undecided,
        Status::Distinguished,
        Status::Equivalent,
        Status::Unviable,
        Status::Unreached,
        Status::Skipped,
        Status::Pending,
    ];

    /// The word that stands for it in files and reports.
    pub fn word(self) -> &'static str {
        match self {
            Status::Distinguished => "distinguished",
            Status::Survived => "survived",
            Status::Undecided => "undecided",
            Status::Equivalent => "equivalent",
            Status::Unviable => "unviable",
            Status::Unreached => "unreached",
            Status::Skipped => "skipped",
            Status::Pending => "pending",
        }
    }
}

impl Counts {
    /// How many came to one end.
    pub fn of(&self, status: Status) -> usize {
        match status {
            Status::Distinguished => self.distinguished,
            Status::Survived => self.survived,
            Status::Undecided => self.undecided,
            Status::Equivalent => self.equivalent,
            Status::Unviable => self.unviable,
            Status::Unreached => self.unreached,
            Status::Skipped => self.skipped,
            Status::Pending => self.pending,
        }
    }
}

/// A test that distinguishes a mutant.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Kill {
    /// Its place in the list of tests.
    pub test: usize,
    /// What is different: `feasibility`, `termination`, `output`, or `death` of the process.
    pub difference: String,
    /// The first event of the test's sequence that one of the two cannot follow, from zero; one beyond them if it does not
    /// end there; none if both can do them all.
    pub event: Option<usize>,
    /// If no event of the test's sequence tells: where else the two part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub departure: Option<Departure>,
    /// What the mutant does.
    pub mutant: Outcome,
}

/// Where executions of a mutant and of the original that do the same sequence part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Departure {
    /// At an event that the sequence does not name.
    At {
        /// The event, by its name in the execution: `main/thread1#3`.
        event: String,
        /// What the mutant does there.
        mutant: String,
        /// What the original does there.
        original: String,
    },
    /// Nowhere: all events are the same, and only the result differs.
    Nowhere,
    /// That is not known, as no such execution was kept: there are too many.
    Unknown,
}

/// A sequence that a test should have.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Distinguishing {
    /// The program's place in the list of programs.
    pub program: usize,
    /// The sequence, one event each.
    pub sequence: Vec<String>,
    /// The first event that one of the two cannot follow, from zero; none if both can do them all, with other results.
    pub event: Option<usize>,
    /// Then: where else the two part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub departure: Option<Departure>,
    /// What the mutant does.
    pub mutant: Outcome,
    /// What the original does.
    pub original: Outcome,
    /// The mutant's execution, as the text of a sequence file.
    pub file: Option<String>,
    /// For each event of the sequence, the event of the file that it is, as `main/thread1#3`; empty if that is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<String>,
    /// The test, as an entry of a test file.
    pub test: Option<String>,
}
