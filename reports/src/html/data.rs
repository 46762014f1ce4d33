//! The data for the script of the report. Short keys and indices keep it small; the script gives them names again.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use super::layouts::{Layouts, row_of_variant};
use insyn_verdicts::campaign::{Campaign, Mutant, Phase, Test};
use insyn_verdicts::mutant::{Difference, Kill, Rejection};
use insyn_verdicts::{KillKind, Status};

use crate::{operators, share};

/// JSON documents, one for each element of the report that holds data.
pub(super) struct Data {
    /// The data that lists and filters need.
    pub(super) index: String,
    /// For each mutant, the details that are shown when it is opened.
    pub(super) mutants: Vec<String>,
    /// For each test the same.
    pub(super) tests: Vec<String>,
    /// The texts that occur in diagrams.
    pub(super) words: String,
    /// The diagrams.
    pub(super) sequences: Vec<String>,
}

#[derive(Serialize)]
struct Index<'c> {
    statuses: Vec<&'static str>,
    families: Names<'c>,
    /// The codes of operators and their names in words.
    operators: BTreeMap<&'c str, &'c str>,
    files: Names<'c>,
    programs: Vec<&'c str>,
    phases: [&'static str; 2],
    differences: [&'static str; 3],
    /// Id, operator, family, file, line, column, status, function, change, and `test * differences + difference` of
    /// each kill.
    mutants: Vec<Value>,
    /// Name, program, phase, verdict; for a variant, the test that it is a variant of and, if it is known, the row of its race
    /// table.
    tests: Vec<Value>,
}

/// Texts, indexed in the order of their first use.
#[derive(Default)]
struct Names<'c> {
    all: Vec<&'c str>,
    places: BTreeMap<&'c str, usize>,
}

impl<'c> Names<'c> {
    fn of(names: impl Iterator<Item = &'c String>) -> Names<'c> {
        let mut all = Names::default();
        for name in names {
            all.place(name);
        }
        all
    }

    fn place(&mut self, name: &'c str) -> usize {
        *self.places.entry(name).or_insert_with(|| {
            self.all.push(name);
            self.all.len() - 1
        })
    }
}

impl Serialize for Names<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.all.serialize(serializer)
    }
}

impl Data {
    pub(super) fn of(campaign: &Campaign) -> Data {
        let mut layouts = Layouts::default();
        let mutants =
            campaign.details.iter().map(|mutant| detail(mutant, &mut layouts).to_string()).collect();
        let tests = campaign.tests.iter().map(|test| test_detail(test, &mut layouts).to_string()).collect();
        let index = serde_json::to_string(&index(campaign)).expect("its keys are texts");
        let (words, sequences) = layouts.finish();
        Data { index, mutants, tests, words, sequences }
    }
}

fn index(campaign: &Campaign) -> Index<'_> {
    let mut index = Index {
        statuses: Status::ALL.map(Status::word).to_vec(),
        families: Names::of(campaign.details.iter().map(|it| &it.family)),
        operators: campaign
            .details
            .iter()
            .map(|it| (it.operator.as_str(), operators::words(&it.operator)))
            .collect(),
        files: Names::of(campaign.details.iter().map(|it| &it.file)),
        programs: campaign.programs.iter().map(|it| it.name.as_str()).collect(),
        phases: Phase::ALL.map(Phase::word),
        differences: Difference::ALL.map(Difference::word),
        mutants: Vec::new(),
        tests: Vec::new(),
    };
    let differences = Difference::ALL.len();
    for it in &campaign.details {
        let kills: Vec<usize> =
            it.kills.iter().map(|kill| kill.test * differences + kill.difference as usize).collect();
        let status = Status::ALL.iter().position(|&status| status == it.status);
        index.mutants.push(json!([
            it.id,
            it.operator,
            index.families.places[it.family.as_str()],
            index.files.places[it.file.as_str()],
            it.start.0,
            it.start.1,
            status,
            it.function,
            it.description,
            kills,
        ]));
    }
    for it in &campaign.tests {
        let mut test =
            vec![json!(it.name), json!(it.program), json!(it.phase as usize), json!(it.original.verdict)];
        if let Some(variant) = &it.variant {
            let parent = campaign.tests.get(variant.of).and_then(|parent| parent.file.as_deref());
            let row = parent.zip(it.file.as_deref()).and_then(|(of, file)| row_of_variant(of, variant, file));
            test.push(json!(variant.of));
            test.extend(row.map(|row| json!(row)));
        }
        index.tests.push(Value::Array(test));
    }
    index
}

fn detail(mutant: &Mutant, layouts: &mut Layouts) -> Value {
    let mut detail = json!({
        "diff": mutant.diff,
        "reason": mutant.reason,
        "kills": kills(&mutant.kills),
        "all": mutant.all_kills,
        "killed_by": mutant.killed_by.map(KillKind::meaning),
        "survival": mutant.survival.map(|it| share::survival(Some(it))),
    });
    if let Some(it) = mutant.rejections.first() {
        detail["rejection"] = rejection(it, layouts);
    }
    if let Some(it) = &mutant.distinguishing {
        detail["distinguishing"] = json!({
            "program": it.program,
            "sequence": it.sequence,
            "event": it.event,
            "departure": it.departure.as_ref().map(share::departure),
            "mutant": share::outcome(&it.mutant),
            "original": share::outcome(&it.original),
            "test": it.test,
            "diagram": it.file.as_deref().and_then(|file| layouts.add(file)),
            "rows": it.file.as_deref().map(|file| layouts.rows(file, &it.steps, it.sequence.len())),
        });
    }
    detail
}

/// Why the test suite rejects a mutant, with the behaviour that shows it.
fn rejection(it: &Rejection, layouts: &mut Layouts) -> Value {
    json!({
        "program": it.program,
        "why": it.why,
        "sequence": it.sequence,
        "event": it.event,
        "diagram": it.file.as_deref().and_then(|file| layouts.add(file)),
        "rows": it.file.as_deref().map(|file| layouts.rows(file, &it.steps, it.sequence.len())),
    })
}

/// Kills that differ in their test alone are grouped: difference, event, outcome, tests, and where else the two differ.
fn kills(kills: &[Kill]) -> Vec<Value> {
    let mut groups: Vec<(&Kill, String, Vec<usize>)> = Vec::new();
    let mut places = BTreeMap::new();
    for kill in kills {
        let outcome = share::outcome(&kill.mutant);
        let why = (&kill.difference, kill.event, &kill.departure, outcome.clone());
        let place = *places.entry(why).or_insert(groups.len());
        match groups.get_mut(place) {
            Some((_, _, tests)) => tests.push(kill.test),
            None => groups.push((kill, outcome, vec![kill.test])),
        }
    }
    groups
        .into_iter()
        .map(|(kill, outcome, tests)| {
            let departure = kill.departure.as_ref().map(share::departure);
            json!([kill.difference.word(), kill.event, outcome, tests, departure])
        })
        .collect()
}

fn test_detail(test: &Test, layouts: &mut Layouts) -> Value {
    let changes = test.variant.as_ref().map_or(&[][..], |variant| &variant.changes);
    let mut detail = json!({
        "input": test.input,
        "sequence": test.sequence,
        "original": share::outcome(&test.original),
        "diagram": test.file.as_deref().and_then(|file| layouts.add(file)),
        "rows": test.file.as_deref().map(|file| layouts.rows(file, &test.steps, test.sequence.len())),
    });
    if let (Some(file), false) = (&test.file, changes.is_empty()) {
        detail["changes"] = json!(layouts.places(file, changes));
    }
    detail
}
