//! The report schema of the Stryker family (`mutation-testing-report-schema`, version 2), which its viewers open.
//!
//! | here | there | why |
//! |---|---|---|
//! | killed | `Killed` | |
//! | survived | `Survived` | the reason has the sequence that would kill it |
//! | equivalent | `Ignored` | it is left out of the score, with the proof as its reason |
//! | undecided | `Pending` | its result is not known; `Timeout` counts as detected there, which would raise the score without a proof |
//! | unviable | `CompileError` | |
//! | unreached | `Ignored` | `NoCoverage` lowers the score there, and unreached mutants do not lower ours |
//! | skipped | `Ignored` | with the reason in the source |
//!
//! So a viewer computes the campaign's score, except for undecided mutants: they lower ours, and viewers leave
//! `Pending` ones out until they are decided.

use std::collections::BTreeMap;

use serde::Serialize;

use insyn_verdicts::Status;
use insyn_verdicts::campaign::{Campaign, Mutant};

use crate::share;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'c> {
    schema_version: &'static str,
    thresholds: Thresholds,
    framework: Framework,
    files: BTreeMap<&'c str, File<'c>>,
    test_files: BTreeMap<&'c str, TestFile>,
}

#[derive(Serialize)]
struct Thresholds {
    high: u8,
    low: u8,
}

#[derive(Serialize)]
struct Framework {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct File<'c> {
    language: &'static str,
    source: &'c str,
    mutants: Vec<MutantResult<'c>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MutantResult<'c> {
    id: &'c str,
    mutator_name: &'c str,
    description: &'c str,
    replacement: &'c str,
    location: Location,
    status: &'static str,
    status_reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    killed_by: Option<Vec<String>>,
}

#[derive(Serialize)]
struct Location {
    start: Position,
    end: Position,
}

#[derive(Serialize)]
struct Position {
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct TestFile {
    tests: Vec<TestDefinition>,
}

#[derive(Serialize)]
struct TestDefinition {
    id: String,
    name: String,
}

/// The report as JSON. Tests are grouped by their programs; a test's id is its place in the list of tests.
pub fn render(campaign: &Campaign) -> String {
    let mut files = BTreeMap::new();
    for (name, source) in &campaign.sources {
        files.insert(name.as_str(), File { language: "rust", source, mutants: Vec::new() });
    }
    for mutant in &campaign.details {
        let file = files.entry(mutant.file.as_str());
        let file = file.or_insert(File { language: "rust", source: "", mutants: Vec::new() });
        file.mutants.push(result(campaign, mutant));
    }
    let mut test_files = BTreeMap::new();
    for (n, test) in campaign.tests.iter().enumerate() {
        let program = campaign.programs.get(test.program).map_or("", |program| program.name.as_str());
        let file = test_files.entry(program).or_insert(TestFile { tests: Vec::new() });
        file.tests.push(TestDefinition {
            id: n.to_string(),
            name: format!("{} ({})", test.name, test.phase.word()),
        });
    }
    let report = Report {
        schema_version: "2",
        thresholds: Thresholds { high: 80, low: 60 },
        framework: Framework { name: "insyn", version: env!("CARGO_PKG_VERSION") },
        files,
        test_files,
    };
    serde_json::to_string_pretty(&report).expect("its keys are texts") + "\n"
}

fn result<'c>(campaign: &'c Campaign, mutant: &'c Mutant) -> MutantResult<'c> {
    let kills: Vec<String> = mutant.kills.iter().map(|kill| kill.test.to_string()).collect();
    let position = |(line, column): (u32, u32)| Position { line: line.max(1), column: column.max(1) };
    MutantResult {
        id: &mutant.id,
        mutator_name: &mutant.operator,
        description: &mutant.description,
        replacement: &mutant.replacement,
        location: Location { start: position(mutant.start), end: position(mutant.end) },
        status: status(mutant.status),
        status_reason: share::reason(campaign, mutant),
        killed_by: (!kills.is_empty()).then_some(kills),
    }
}

fn status(status: Status) -> &'static str {
    match status {
        Status::Killed => "Killed",
        Status::Survived => "Survived",
        Status::Undecided | Status::Pending => "Pending",
        Status::Unviable => "CompileError",
        Status::Equivalent | Status::Unreached | Status::Skipped => "Ignored",
    }
}
