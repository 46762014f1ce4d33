//! What is counted: how many mutants came to which end, and the scores that follow.

use std::collections::BTreeSet;

use crate::campaign::{Campaign, Counts, Group, Kill, Mutant, Phase, Status};

/// The phases of a campaign, in order.
pub const PHASES: [&str; 2] = ["collected", "written"];

impl Campaign {
    /// Counts the mutants, and computes the scores: of all, after each phase, for each family in the order of `families`,
    /// and for each file.
    pub fn tally(&mut self, families: &[&str]) {
        let all: Vec<&Mutant> = self.details.iter().collect();
        let mutants = count(&all);
        let phase = |(n, name): (usize, &&str)| {
            let is_killed = |it: &&&Mutant| {
                let by = |kill: &Kill| PHASES[..=n].contains(&self.tests[kill.test].phase.as_str());
                // A mutant whose process died did so while it was explored.
                it.status == Status::Distinguished && (it.kills.is_empty() || it.kills.iter().any(by))
            };
            let distinguished = all.iter().filter(is_killed).count();
            Phase {
                name: (*name).to_owned(),
                tests: self.tests.iter().filter(|test| test.phase == **name).count(),
                distinguished,
                score: score(distinguished, &mutants),
            }
        };
        let phases = PHASES.iter().enumerate().map(phase).collect();
        let group = |name: &str, is_in: &dyn Fn(&Mutant) -> bool| {
            let counts = count(&all.iter().copied().filter(|it| is_in(it)).collect::<Vec<_>>());
            Group { name: name.to_owned(), mutants: counts, score: score(counts.distinguished, &counts) }
        };
        let families = families.iter().map(|family| group(family, &|it| it.family == *family));
        let families = families.filter(|group| group.mutants != Counts::default()).collect();
        let files: BTreeSet<&str> = all.iter().map(|it| it.file.as_str()).collect();
        let files = files.into_iter().map(|file| group(file, &|it| it.file == file)).collect();
        (self.phases, self.families, self.files) = (phases, families, files);
        (self.mutants, self.score) = (mutants, score(mutants.distinguished, &mutants));
    }
}

/// In percent of the mutants that could be distinguished.
fn score(distinguished: usize, counts: &Counts) -> Option<f64> {
    let of = counts.distinguished + counts.survived + counts.undecided;
    // To two places, so that it is the same on every machine.
    (of > 0).then(|| (distinguished as f64 * 10_000.0 / of as f64).round() / 100.0)
}

fn count(mutants: &[&Mutant]) -> Counts {
    let of = |status: Status| mutants.iter().filter(|it| it.status == status).count();
    let mut counts = Counts {
        total: 0,
        unviable: of(Status::Unviable),
        equivalent: of(Status::Equivalent),
        undecided: of(Status::Undecided),
        distinguished: of(Status::Distinguished),
        survived: of(Status::Survived),
        unreached: of(Status::Unreached),
        skipped: of(Status::Skipped),
        pending: of(Status::Pending),
    };
    counts.total =
        counts.unviable + counts.equivalent + counts.undecided + counts.distinguished + counts.survived;
    counts
}
