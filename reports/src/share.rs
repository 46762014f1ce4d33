//! Texts that several reports share.

use serde_json::Value as Data;

use insyn_verdicts::campaign::{Campaign, Mutant, Test, Validity};
use insyn_verdicts::mutant::{Departure, Kill, Rejection};
use insyn_verdicts::reaction::{Ending, Reaction};
use insyn_verdicts::{Status, Survival};

/// A score: `92.3 %`, or `–` if there is nothing to score.
pub(crate) fn score(score: Option<f64>) -> String {
    score.map_or_else(|| "–".to_owned(), |score| format!("{score:.1} %"))
}

/// How many valid words are infeasible: `-` if the conformance does not ask, with [`NOT_ASKED`] below.
pub(crate) fn missing(validity: &Validity) -> String {
    validity.infeasible_valid.map_or_else(|| "-".to_owned(), |count| count.to_string())
}

/// The meaning of `-` in the table of feasible and valid.
pub(crate) const NOT_ASKED: &str = "- conformance subset does not ask which valid words are infeasible";

/// What a program does with a test, in one line.
pub(crate) fn outcome(outcome: &Reaction) -> String {
    let mut text = outcome.verdict.word().to_owned();
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
        None | Some(Data::Null) => ending.termination.to_string(),
        Some(output) => format!("{}, output {output}", ending.termination),
    }
}

/// Where a mutant is: `src/buffer.rs:12:17`.
pub(crate) fn place(mutant: &Mutant) -> String {
    format!("{}:{}:{}", mutant.file, mutant.start.0, mutant.start.1)
}

/// The full name of a test: its program and its name.
pub(crate) fn test_name(campaign: &Campaign, test: &Test) -> String {
    match campaign.programs.get(test.program) {
        Some(program) => format!("{}: {}", program.name, test.name),
        None => test.name.clone(),
    }
}

/// Which test kills a mutant, and by which difference.
pub(crate) fn kill(campaign: &Campaign, kill: &Kill) -> String {
    let name = campaign.tests.get(kill.test).map_or_else(
        || format!("test {}", kill.test + 1),
        |test| format!("test {} ({})", kill.test + 1, test_name(campaign, test)),
    );
    let sequence = campaign.tests.get(kill.test).map_or(&[][..], |test| &test.sequence);
    let first = match first_difference(sequence, kill.event, kill.departure.as_ref()) {
        first if first.is_empty() => first,
        first => format!("; first difference: {first}"),
    };
    format!("{name} by {}{first}; the mutant: {}", kill.difference.word(), outcome(&kill.mutant))
}

/// The first event of a sequence in which a mutant and the original differ; empty if that is not known.
pub(crate) fn first_difference(
    sequence: &[String],
    event: Option<usize>,
    departure: Option<&Departure>,
) -> String {
    match (event, departure) {
        (Some(n), _) if n < sequence.len() => format!("event {}, {}", n + 1, sequence[n]),
        (Some(_), _) => "after the last event".to_owned(),
        (None, Some(departure)) => self::departure(departure),
        (None, None) => String::new(),
    }
}

/// Where two executions of a sequence first differ.
pub(crate) fn departure(departure: &Departure) -> String {
    match departure {
        Departure::At { event, mutant, original } => {
            format!("{event} (the mutant: {mutant}; the original: {original})")
        }
        Departure::Nowhere => "none, all events are the same".to_owned(),
        Departure::Unknown => "not known, as too many sequences differ".to_owned(),
    }
}

/// Why the test suite rejects a mutant: the problem, and the sequence that shows it.
pub(crate) fn rejection(rejection: &Rejection) -> String {
    let Rejection { kind, why, sequence, event, .. } = rejection;
    let mut text = format!("{}: {why}", kind.word());
    if !sequence.is_empty() {
        let first = first_difference(sequence, *event, None);
        let at = if first.is_empty() { first } else { format!(" (at {first})") };
        text = format!("{text}{at}: {}", sequence.join(", "));
    }
    text
}

/// The kind of a survivor, and what to do about it.
pub(crate) fn survival(survival: Option<Survival>) -> &'static str {
    match survival {
        Some(Survival::Allowed) => "allowed by the specification; tighten it if the mutant is wrong",
        _ => "no test kills it; one with this sequence would",
    }
}

/// The reason for the verdict on a mutant, in words; empty if there is none.
pub(crate) fn reason(campaign: &Campaign, mutant: &Mutant) -> String {
    let own = mutant.reason.as_str();
    let explained = |words: &str| if own.is_empty() { words.to_owned() } else { format!("{words}: {own}") };
    match mutant.status {
        Status::Killed => match (mutant.rejections.first(), mutant.kills.first()) {
            (Some(first), _) => format!("killed by {}", rejection(first)),
            (None, Some(first)) => {
                let more = match mutant.kills.len() - 1 {
                    0 => String::new(),
                    more => format!("; and by {more} more"),
                };
                format!("killed by {}{more}", kill(campaign, first))
            }
            (None, None) => explained("killed"),
        },
        Status::Survived => match &mutant.distinguishing {
            Some(it) => format!(
                "{}: {}{} (the mutant: {}; the original: {})",
                survival(mutant.survival),
                it.sequence.join(", "),
                it.departure
                    .as_ref()
                    .map(|at| format!("; first difference: {}", departure(at)))
                    .unwrap_or_default(),
                outcome(&it.mutant),
                outcome(&it.original)
            ),
            None => explained("no test kills it"),
        },
        Status::Undecided => explained("a bound was reached before it was known"),
        Status::Equivalent => {
            explained("proved to do what the original does, for the inputs that were tried")
        }
        Status::Unviable => explained("does not compile"),
        Status::Unreached => explained("no program reaches the code that it changes"),
        Status::Skipped => explained("skipped by a comment in the source"),
        Status::Pending => explained("not run here"),
    }
}
