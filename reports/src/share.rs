//! What several reports say in the same words.

use serde_json::Value as Data;

use crate::campaign::{Campaign, Ending, Kill, Mutant, Outcome, Status, Test};

/// A score: `92.3 %`, or `–` if there is nothing to score.
pub(crate) fn score(score: Option<f64>) -> String {
    score.map_or_else(|| "–".to_owned(), |score| format!("{score:.1} %"))
}

/// What a program does with a test, in one line.
pub(crate) fn outcome(outcome: &Outcome) -> String {
    let mut text = outcome.verdict.clone();
    let results: Vec<String> = outcome.results.iter().map(ending).collect();
    if !results.is_empty() {
        text = format!("{text}: {}", results.join(" or "));
    }
    if !outcome.why.is_empty() {
        text = format!("{text}, {}", outcome.why);
    }
    text
}

/// How an execution ended: `normal, output [1,2]`.
fn ending(ending: &Ending) -> String {
    match &ending.output {
        None | Some(Data::Null) => ending.termination.clone(),
        Some(output) => format!("{}, output {output}", ending.termination),
    }
}

/// Where a mutant is: `src/buffer.rs:12:17`.
pub(crate) fn place(mutant: &Mutant) -> String {
    format!("{}:{}:{}", mutant.file, mutant.start.0, mutant.start.1)
}

/// What a test is called: its program and its name.
pub(crate) fn test_name(campaign: &Campaign, test: &Test) -> String {
    match campaign.programs.get(test.program) {
        Some(program) => format!("{}: {}", program.name, test.name),
        None => test.name.clone(),
    }
}

/// Which test distinguishes a mutant, and by what.
pub(crate) fn kill(campaign: &Campaign, kill: &Kill) -> String {
    let name = campaign.tests.get(kill.test).map_or_else(
        || format!("test {}", kill.test + 1),
        |test| format!("test {} ({})", kill.test + 1, test_name(campaign, test)),
    );
    format!("{name} by {}; the mutant: {}", kill.difference, outcome(&kill.mutant))
}

/// Why a mutant came to its end, in words; empty if there is nothing to say.
pub(crate) fn reason(campaign: &Campaign, mutant: &Mutant) -> String {
    let own = mutant.reason.as_str();
    let said = |words: &str| if own.is_empty() { words.to_owned() } else { format!("{words}: {own}") };
    match mutant.status {
        Status::Distinguished => match mutant.kills.first() {
            Some(first) => {
                let more = match mutant.kills.len() - 1 {
                    0 => String::new(),
                    more => format!("; and by {more} more"),
                };
                format!("distinguished by {}{more}", kill(campaign, first))
            }
            None => said("distinguished"),
        },
        Status::Survived => match &mutant.distinguishing {
            Some(it) => format!(
                "no test distinguishes it; one with this sequence would: {} (the mutant: {}; the original: {})",
                it.sequence.join(", "),
                outcome(&it.mutant),
                outcome(&it.original)
            ),
            None => said("no test distinguishes it"),
        },
        Status::Undecided => said("a bound was reached before it was known"),
        Status::Equivalent => said("proved to do what the original does, for the inputs that were tried"),
        Status::Unviable => said("does not compile"),
        Status::Unreached => said("no program comes to the code that it changes"),
        Status::Skipped => said("skipped by a comment in the source"),
        Status::Pending => said("not run here"),
    }
}
