//! The result of a campaign, from which all reports are made. It is the same on every run, whatever the number of workers, so it
//! contains no times.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value as Data;

use crate::mutant::{Distinguishing, Kill, KillKind, Rejection, Status, Survival};
use crate::reaction::Reaction;

/// The version of the document that this crate writes and reads.
pub const VERSION: u32 = 2;

/// A campaign: the mutants of a package, and the verdict on each.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Campaign {
    /// [`VERSION`].
    pub version: u32,
    /// The package whose code was mutated.
    pub package: String,
    /// How many mutants have which status.
    pub mutants: Counts,
    /// Killed mutants, in percent of those that are neither unviable nor equivalent; none if there are
    /// no such mutants.
    pub score: Option<f64>,
    /// How many mutants each kind of kill accounts for, in the order in which the kinds count.
    pub killed_by: Vec<KilledBy>,
    /// The textbook's experiment: the score after each phase, with collected sequences alone, then with written tests too.
    pub phases: Vec<PhaseScore>,
    /// How often the package was built, including attempts that found mutants which do not compile.
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

/// How many mutants have which status. `total` is the sum of the five after it; what was left out is counted apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// All mutants that were selected and that a program reaches.
    pub total: usize,
    /// Do not compile.
    pub unviable: usize,
    /// Proved to do what the original does, for the inputs that were tried.
    pub equivalent: usize,
    /// A bound was reached before it was known.
    pub undecided: usize,
    /// The test suite rejects them, or a sequence distinguishes them from the original.
    pub killed: usize,
    /// They differ from the original, and no test notices.
    pub survived: usize,
    /// Of the survivors, those whose differences the specification allows.
    pub allowed: usize,
    /// Left out: no program reaches the code that they change.
    pub unreached: usize,
    /// Left out by a comment in the source, which has the reason.
    pub skipped: usize,
    /// Left out: not run yet, or in another part of the campaign.
    pub pending: usize,
}

/// How many mutants a kind of kill accounts for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KilledBy {
    /// The kind.
    pub kind: KillKind,
    /// The mutants that no kind before it kills.
    pub mutants: usize,
}

/// Where a test comes from; a phase of the textbook's experiment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// It is a sequence of the original.
    #[default]
    Collected,
    /// It is in a file of IN-SYN tests.
    Written,
}

impl Phase {
    /// The phases, in their order.
    pub const ALL: [Phase; 2] = [Phase::Collected, Phase::Written];

    /// The word for it in files and reports.
    pub fn word(self) -> &'static str {
        match self {
            Phase::Collected => "collected",
            Phase::Written => "written",
        }
    }
}

/// The score after a phase of the textbook's experiment, in which only tests kill.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PhaseScore {
    /// The phase.
    pub name: Phase,
    /// How many tests it has.
    pub tests: usize,
    /// How many mutants are killed by tests of this phase or one before it.
    pub killed: usize,
    /// The score after it, in percent.
    pub score: Option<f64>,
}

/// The mutants of a family or of a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// The family or the file.
    pub name: String,
    /// How many of them have which status.
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
    /// Feasible and valid, as it should be.
    pub feasible_valid: u64,
    /// Feasible and invalid: can happen but must not.
    pub feasible_invalid: u64,
    /// Valid and infeasible: should happen but cannot; none if the conformance does not ask, as with `subset`.
    pub infeasible_valid: Option<u64>,
    /// Invalid and infeasible: was tried, and rightly cannot happen.
    pub infeasible_invalid: u64,
}

/// A test: an input and a sequence.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Test {
    /// Its place in the list of programs.
    pub program: usize,
    /// Where it comes from.
    pub phase: Phase,
    /// Its name.
    pub name: String,
    /// The input, if it is not the program's.
    pub input: Option<Data>,
    /// The sequence, one event each.
    pub sequence: Vec<String>,
    /// What the original does: whether it can do the sequence, and with which results.
    pub original: Reaction,
    /// An execution of the original that does it, as the text of a sequence file; none if it cannot do
    /// it, and if there would be too many files.
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

/// A mutant, and the verdict on it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mutant {
    /// Its name, which stays the same as long as the code does.
    pub id: String,
    /// The code of the operator.
    pub operator: String,
    /// The family of the operator.
    pub family: String,
    /// The file, from the root of the package.
    pub file: String,
    /// Where the change starts: line and column, from one.
    pub start: (u32, u32),
    /// Where it ends.
    pub end: (u32, u32),
    /// The function it is in.
    pub function: String,
    /// The change in a few words.
    pub description: String,
    /// The new text.
    pub replacement: String,
    /// The change as a unified diff.
    pub diff: String,
    /// The verdict on it.
    pub status: Status,
    /// For a killed mutant: the first kind of kill that applies.
    pub killed_by: Option<KillKind>,
    /// For a survivor: whether the specification allows it, or a test is missing.
    pub survival: Option<Survival>,
    /// Why: the compiler's reason, the bound that was reached, the reason in the source, how the process died.
    pub reason: String,
    /// Why the test suite rejects it: the first of each kind.
    pub rejections: Vec<Rejection>,
    /// The tests that distinguish it from the original.
    pub kills: Vec<Kill>,
    /// Whether these are all such tests. Otherwise the rest were not tried after the first.
    pub all_kills: bool,
    /// Whether it ended its process. It did so while it was explored, which is before any test.
    pub died: bool,
    /// For a survivor: what it can do and the original cannot, or the other way round.
    pub distinguishing: Option<Distinguishing>,
}

impl Counts {
    /// How many have a status.
    pub fn of(&self, status: Status) -> usize {
        match status {
            Status::Killed => self.killed,
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
