//! The verdict on a mutant, and the evidence for it.
//!
//! A worker decides the [`Verdict`] on a mutant and one program, because it has the evidence. The verdict on the mutant is the
//! strongest of these ([`Verdict::of_all`]).

use serde::{Deserialize, Serialize};

use crate::reaction::Reaction;

/// The verdicts on a mutant, strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The test suite rejects it, or a sequence distinguishes it from the original.
    Killed(KillKind),
    /// It differs from the original, and no test notices.
    Survived(Survival),
    /// A bound was reached before anything was shown.
    Undecided,
    /// Every behaviour and every result is the original's, for the input that was tried.
    Equivalent,
}

impl Verdict {
    /// The verdict on a mutant that was run with several programs: the strongest. None without programs.
    pub fn of_all(verdicts: impl IntoIterator<Item = Verdict>) -> Option<Verdict> {
        verdicts.into_iter().min()
    }

    /// How a mutant with this verdict is counted.
    pub fn status(self) -> Status {
        match self {
            Verdict::Killed(_) => Status::Killed,
            Verdict::Survived(_) => Status::Survived,
            Verdict::Undecided => Status::Undecided,
            Verdict::Equivalent => Status::Equivalent,
        }
    }
}

/// What kills a mutant. A mutant is counted under the first kind that does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KillKind {
    /// A behaviour of it deadlocks, panics, or reaches the step bound that the original stays far below. `cargo test`
    /// rejects it.
    Exploration,
    /// It returns what the original never does.
    Result,
    /// It does something that the specification forbids, or no longer does what the specification demands.
    Specification,
    /// It cannot do a sequence that was collected from the original, or ends it in another way.
    Collected,
    /// A written IN-SYN test distinguishes it from the original.
    Written,
}

impl KillKind {
    /// Every kind, in the order in which they count.
    pub const ALL: [KillKind; 5] = [
        KillKind::Exploration,
        KillKind::Result,
        KillKind::Specification,
        KillKind::Collected,
        KillKind::Written,
    ];

    /// The word for it in files and reports.
    pub fn word(self) -> &'static str {
        match self {
            KillKind::Exploration => "exploration",
            KillKind::Result => "result",
            KillKind::Specification => "specification",
            KillKind::Collected => "collected",
            KillKind::Written => "written",
        }
    }

    /// What the kind means, to complete "killed by".
    pub fn meaning(self) -> &'static str {
        match self {
            KillKind::Exploration => "exploration: a behaviour deadlocks, panics or does not end",
            KillKind::Result => "result: it returns what the original never does",
            KillKind::Specification => "specification: an invalid sequence, or a valid one lost",
            KillKind::Collected => "collected sequences of the original",
            KillKind::Written => "written tests",
        }
    }
}

/// Why no test notices a mutant that differs from the original.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Survival {
    /// A test with the distinguishing sequence would kill it.
    Missing,
    /// The specification allows every difference. If it should not, tighten the specification.
    Allowed,
}

impl Survival {
    /// The word for it in files and reports.
    pub fn word(self) -> &'static str {
        match self {
            Survival::Missing => "missing",
            Survival::Allowed => "allowed",
        }
    }
}

/// How a mutant is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The test suite rejects it, or a sequence distinguishes it from the original.
    Killed,
    /// It differs from the original, and no test notices.
    Survived,
    /// A bound was reached before anything was shown.
    Undecided,
    /// It does what the original does, for the inputs that were tried.
    #[default]
    Equivalent,
    /// It does not compile.
    Unviable,
    /// No program reaches the code that it changes.
    Unreached,
    /// A comment in the source leaves it out, and has the reason.
    Skipped,
    /// It was not run yet, or is in another part of the campaign.
    Pending,
}

impl Status {
    /// Every status, in the order in which reports show them: those that need attention come first.
    pub const ALL: [Status; 8] = [
        Status::Survived,
        Status::Undecided,
        Status::Killed,
        Status::Equivalent,
        Status::Unviable,
        Status::Unreached,
        Status::Skipped,
        Status::Pending,
    ];

    /// The word for it in files and reports.
    pub fn word(self) -> &'static str {
        match self {
            Status::Killed => "killed",
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

/// Why the test suite rejects a mutant: its exploration, its results, or the specification.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rejection {
    /// The program's place in the list of programs.
    pub program: usize,
    /// [`KillKind::Exploration`], [`KillKind::Result`] or [`KillKind::Specification`].
    pub kind: KillKind,
    /// In a few words, what is rejected: `deadlock`, an output, the objection of the specification.
    pub why: String,
    /// The events of a behaviour that shows it, one each; empty if the process died, or if no behaviour does what one
    /// should.
    pub sequence: Vec<String>,
    /// The event that the specification objects to, from zero; one beyond the last if the sequence must not end there.
    pub event: Option<usize>,
    /// That behaviour, as the text of a sequence file.
    pub file: Option<String>,
    /// For each event of the sequence, the event of the file that it is, as `main/thread1#3`; empty if that is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<String>,
}

/// A test that distinguishes a mutant from the original.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kill {
    /// Its place in the list of tests.
    pub test: usize,
    /// What is different.
    pub difference: Difference,
    /// The first event of the test's sequence that one of the two cannot follow, from zero; one beyond them if it does not
    /// end there; none if both can do them all.
    pub event: Option<usize>,
    /// If no event of the test's sequence distinguishes them: where else the two differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub departure: Option<Departure>,
    /// What the mutant does.
    pub mutant: Reaction,
}

/// How a mutant and the original differ in the same test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Difference {
    /// Only one of the two can do it.
    #[default]
    Feasibility,
    /// Both can, and end in different ways.
    Termination,
    /// Both end in the same way, and return different values.
    Output,
}

impl Difference {
    /// Every difference, in the order of their declaration.
    pub const ALL: [Difference; 3] = [Difference::Feasibility, Difference::Termination, Difference::Output];

    /// The word for it in files and reports.
    pub fn word(self) -> &'static str {
        match self {
            Difference::Feasibility => "feasibility",
            Difference::Termination => "termination",
            Difference::Output => "output",
        }
    }
}

/// Where executions of a mutant and of the original first differ, although they do the same sequence.
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
    /// Unknown, because no such execution was kept: there are too many.
    Unknown,
}

/// A sequence that a test should have, to kill a survivor.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Distinguishing {
    /// The program's place in the list of programs.
    pub program: usize,
    /// The sequence, one event each.
    pub sequence: Vec<String>,
    /// The first event that one of the two cannot follow, from zero; none if both can do them all, with different results.
    pub event: Option<usize>,
    /// If both can: where else the two differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub departure: Option<Departure>,
    /// What the mutant does.
    pub mutant: Reaction,
    /// What the original does.
    pub original: Reaction,
    /// The mutant's execution, as the text of a sequence file.
    pub file: Option<String>,
    /// For each event of the sequence, the event of the file that it is, as `main/thread1#3`; empty if that is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<String>,
    /// The test, as an entry of a test file.
    pub test: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_verdict_counts() {
        let killed = Verdict::Killed(KillKind::Written);
        let all = [Verdict::Equivalent, killed, Verdict::Undecided, Verdict::Killed(KillKind::Result)];
        assert_eq!(Verdict::of_all(all), Some(Verdict::Killed(KillKind::Result)));
        assert_eq!(Verdict::of_all([Verdict::Undecided, Verdict::Equivalent]), Some(Verdict::Undecided));
        let survivors = [Survival::Allowed, Survival::Missing].map(Verdict::Survived);
        assert_eq!(Verdict::of_all(survivors), Some(Verdict::Survived(Survival::Missing)));
        assert_eq!(Verdict::of_all([]), None);
    }
}
