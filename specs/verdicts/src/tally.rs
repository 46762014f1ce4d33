//! Counts how many mutants have which status, and computes the scores.

use std::collections::BTreeSet;

use crate::campaign::{Campaign, Counts, Group, KilledBy, Mutant, Phase, PhaseScore};
use crate::mutant::{Kill, KillKind, Status, Survival};

impl Campaign {
    /// Counts the mutants, and computes the scores: of all, after each phase, for each family in the order of `families`,
    /// and for each file.
    pub fn tally(&mut self, families: &[&str]) {
        let all: Vec<&Mutant> = self.details.iter().collect();
        let mutants = count(&all);
        let killed_by = KillKind::ALL.map(|kind| KilledBy {
            kind,
            mutants: all.iter().filter(|it| it.killed_by == Some(kind)).count(),
        });
        let phase = |name: Phase| {
            let is_killed = |it: &&&Mutant| {
                let by = |kill: &Kill| self.tests[kill.test].phase <= name;
                it.died || it.kills.iter().any(by)
            };
            let killed = all.iter().filter(is_killed).count();
            PhaseScore {
                name,
                tests: self.tests.iter().filter(|test| test.phase == name).count(),
                killed,
                score: score(killed, &mutants),
            }
        };
        let phases = Phase::ALL.map(phase).to_vec();
        let group = |name: &str, is_in: &dyn Fn(&Mutant) -> bool| {
            let counts = count(&all.iter().copied().filter(|it| is_in(it)).collect::<Vec<_>>());
            Group { name: name.to_owned(), mutants: counts, score: score(counts.killed, &counts) }
        };
        let families = families.iter().map(|family| group(family, &|it| it.family == *family));
        let families = families.filter(|group| group.mutants != Counts::default()).collect();
        let files: BTreeSet<&str> = all.iter().map(|it| it.file.as_str()).collect();
        let files = files.into_iter().map(|file| group(file, &|it| it.file == file)).collect();
        (self.phases, self.families, self.files) = (phases, families, files);
        self.killed_by = killed_by.into_iter().filter(|it| it.mutants > 0).collect();
        (self.mutants, self.score) = (mutants, score(mutants.killed, &mutants));
    }
}

/// In percent of the mutants that could be killed.
fn score(killed: usize, counts: &Counts) -> Option<f64> {
    let of = counts.killed + counts.survived + counts.undecided;
    // Rounded to two decimals, so that it is the same on every machine.
    (of > 0).then(|| (killed as f64 * 10_000.0 / of as f64).round() / 100.0)
}

fn count(mutants: &[&Mutant]) -> Counts {
    let of = |status: Status| mutants.iter().filter(|it| it.status == status).count();
    let mut counts = Counts {
        total: 0,
        unviable: of(Status::Unviable),
        equivalent: of(Status::Equivalent),
        undecided: of(Status::Undecided),
        killed: of(Status::Killed),
        survived: of(Status::Survived),
        allowed: mutants.iter().filter(|it| it.survival == Some(Survival::Allowed)).count(),
        unreached: of(Status::Unreached),
        skipped: of(Status::Skipped),
        pending: of(Status::Pending),
    };
    counts.total = counts.unviable + counts.equivalent + counts.undecided + counts.killed + counts.survived;
    counts
}
