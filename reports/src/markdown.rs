//! A summary for pull requests, in GitHub's Markdown: the score, the counts, and the mutants that need attention.

use std::fmt::{self, Write as _};

use insyn_verdicts::Status;
use insyn_verdicts::campaign::{Campaign, Counts, Group, Mutant};

use crate::escape::{cut, markdown, markdown_code, markdown_lines};
use crate::share;

/// How many mutants are listed; the rest are only counted, because the length of a comment is limited.
const MOST_LISTED: usize = 50;

/// Texts of mutants are cut to this.
const LONGEST: usize = 300;

/// The summary.
pub fn render(campaign: &Campaign) -> String {
    let mut text = String::new();
    let package = markdown(&cut(&campaign.package, LONGEST));
    line(&mut text, format_args!("## Mutation score of {package}: {}\n", share::score(campaign.score)));
    counts(&mut text, &campaign.mutants);
    if !campaign.killed_by.is_empty() {
        line(&mut text, format_args!("\n| killed by | mutants |\n|---|--:|"));
        for it in &campaign.killed_by {
            line(&mut text, format_args!("| {} | {} |", it.kind.meaning(), it.mutants));
        }
    }
    if !campaign.phases.is_empty() {
        line(&mut text, format_args!("\n| tests alone | how many | killed | score |\n|---|--:|--:|--:|"));
        for phase in &campaign.phases {
            let (name, score) = (phase.name.word(), share::score(phase.score));
            line(&mut text, format_args!("| {name} | {} | {} | {score} |", phase.tests, phase.killed));
        }
    }
    groups(&mut text, "family", &campaign.families);
    groups(&mut text, "file", &campaign.files);
    mutants(&mut text, campaign, Status::Survived, "Survivors");
    mutants(&mut text, campaign, Status::Undecided, "Undecided");
    text
}

fn counts(text: &mut String, counts: &Counts) {
    let words = |statuses: &[Status]| {
        let there = statuses.iter().filter(|&&status| counts.of(status) > 0);
        there.map(|&status| format!("{} {}", counts.of(status), status.word())).collect::<Vec<_>>().join(", ")
    };
    let (counted, left_out) = Status::ALL.split_at(5);
    match counts.total {
        0 => text.push_str("There are no mutants.\n"),
        1 => line(text, format_args!("One mutant: {}.", words(counted))),
        total => line(text, format_args!("{total} mutants: {}.", words(counted))),
    }
    if counts.allowed > 0 {
        let allowed = counts.allowed;
        line(text, format_args!("The specification allows what {allowed} of the survivors do."));
    }
    let left_out = words(left_out);
    if !left_out.is_empty() {
        line(text, format_args!("Left out: {left_out}."));
    }
}

fn groups(text: &mut String, what: &str, groups: &[Group]) {
    if groups.is_empty() {
        return;
    }
    line(text, format_args!("\n| {what} | mutants | survived | undecided | score |\n|---|--:|--:|--:|--:|"));
    for Group { name, mutants, score } in groups {
        let (name, score) = (markdown_code(&cut(name, LONGEST)), share::score(*score));
        let Counts { total, survived, undecided, .. } = mutants;
        line(text, format_args!("| {name} | {total} | {survived} | {undecided} | {score} |"));
    }
}

fn mutants(text: &mut String, campaign: &Campaign, status: Status, title: &str) {
    let all: Vec<&Mutant> = campaign.details.iter().filter(|mutant| mutant.status == status).collect();
    if all.is_empty() {
        return;
    }
    line(text, format_args!("\n### {title}\n"));
    for mutant in all.iter().take(MOST_LISTED) {
        let [place, id] = [&share::place(mutant), &mutant.id].map(|it| markdown_code(&cut(it, LONGEST)));
        let description = markdown(&cut(&mutant.description, LONGEST));
        let reason = markdown_lines(&cut(&share::reason(campaign, mutant), LONGEST));
        line(text, format_args!("- {place} {description} ({id}): {reason}"));
    }
    if let more @ 1.. = all.len().saturating_sub(MOST_LISTED) {
        line(text, format_args!("- and {more} more"));
    }
}

fn line(text: &mut String, line: fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("a string takes any text");
}
