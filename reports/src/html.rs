//! One self-contained HTML file to browse: no network, no framework, no file beside it.
//!
//! The summary is plain HTML, so that it shows at once, in print and without a script. Everything that can number in the
//! thousands is data in script elements that the browser does not run: an index of mutants and tests, which the script
//! reads when the page opens, and one line for each mutant, test or sequence, which the script reads when a user opens it.
//! So a campaign of a thousand mutants and twenty thousand sequences opens like a small one.

use std::fmt::{self, Write as _};

use insyn_verdicts::Status;
use insyn_verdicts::campaign::{Campaign, Counts, Group, Program};

use crate::escape::{cut, markup, script};
use crate::share;

mod data;
pub(crate) mod digest;
mod layouts;

const STYLE: &str = include_str!("html/report.css");
const DIAGRAM_STYLE: &str = include_str!("diagram/diagram.css");
const SCRIPTS: [&str; 8] = [
    include_str!("html/dom.js"),
    include_str!("html/diagram.js"),
    include_str!("html/races.js"),
    include_str!("html/mutants.js"),
    include_str!("html/tests.js"),
    include_str!("html/tree.js"),
    include_str!("html/matrix.js"),
    include_str!("html/start.js"),
];

/// Names in headings are cut to this.
const LONGEST: usize = 200;

/// The report.
pub fn render(campaign: &Campaign) -> String {
    let data = data::Data::of(campaign);
    let style = format!("\n{DIAGRAM_STYLE}{STYLE}");
    let script = format!("\n\"use strict\";\n{}", SCRIPTS.concat());
    // The browser applies and runs only these two, whatever a text contains.
    let policy = format!(
        "default-src 'none'; style-src '{}'; script-src '{}'; base-uri 'none'; form-action 'none'",
        digest::source(&style),
        digest::source(&script)
    );
    let package = markup(&cut(&campaign.package, LONGEST));
    let mut html = String::new();
    put(
        &mut html,
        format_args!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <title>Mutants of {package}</title>\n<style>{style}</style>\n</head>\n<body>"
        ),
    );
    put(
        &mut html,
        format_args!(
            "<a class=\"skip\" href=\"#mutants\">Skip to the mutants</a>\n<header>\n<h1>{package}</h1>\n\
         <nav id=\"tabs\" aria-label=\"Sections\"><a href=\"#summary\">Summary</a> <a href=\"#mutants\">Mutants</a> \
         <a href=\"#matrix\">Kill matrix</a> <a href=\"#tree\">Variants</a> \
         <a href=\"#tests\">Tests</a></nav>\n</header>\n<main>"
        ),
    );
    summary(&mut html, campaign);
    html.push_str(include_str!("html/sections.html"));
    html.push_str("</main>\n<footer>Made by insyn ");
    html.push_str(env!("CARGO_PKG_VERSION"));
    html.push_str("</footer>\n");
    element(&mut html, "index", "application/json", [data.index].into_iter());
    element(&mut html, "mutant-lines", "text/plain", data.mutants.into_iter());
    element(&mut html, "test-lines", "text/plain", data.tests.into_iter());
    element(&mut html, "sequence-words", "application/json", [data.words].into_iter());
    element(&mut html, "sequence-lines", "text/plain", data.sequences.into_iter());
    put(&mut html, format_args!("<script>{script}</script>\n</body>\n</html>"));
    html
}

/// Data for the script, one JSON document per line.
fn element(html: &mut String, id: &str, kind: &str, lines: impl Iterator<Item = String>) {
    write!(html, "<script type=\"{kind}\" id=\"{id}\">").expect("a string takes any text");
    for (n, line) in lines.enumerate() {
        if n > 0 {
            html.push('\n');
        }
        html.push_str(&script(&line));
    }
    html.push_str("</script>\n");
}

fn summary(html: &mut String, campaign: &Campaign) {
    put(
        html,
        format_args!(
            "<section id=\"summary\" aria-labelledby=\"summary-title\">\n<h2 id=\"summary-title\">Summary</h2>"
        ),
    );
    let counts = &campaign.mutants;
    let scored = counts.killed + counts.survived + counts.undecided;
    put(
        html,
        format_args!(
            "<div class=\"lead\"><p class=\"score\"><strong>{}</strong> <span>mutation score</span></p>\n\
         <p class=\"said\">{} of {scored} mutants that can be told from the original are killed.</p></div>",
            share::score(campaign.score),
            counts.killed,
        ),
    );
    bar(html, counts);
    html.push_str("<div class=\"tables\">\n");
    killed_by(html, campaign);
    phases(html, campaign);
    groups(html, "Families", "Family", &campaign.families);
    groups(html, "Files", "File", &campaign.files);
    html.push_str("</div>\n");
    programs(html, &campaign.programs);
    html.push_str("</section>\n");
}

/// The least width of a part of the bar, if the whole is 1,000 wide, and the gap after each part.
const LEAST: usize = 6;
const GAP: usize = 2;

/// How many mutants have which status: as a bar, and in words.
fn bar(html: &mut String, counts: &Counts) {
    let all: usize = Status::ALL.iter().map(|&status| counts.of(status)).sum();
    if all == 0 {
        html.push_str("<p class=\"none\">There are no mutants.</p>\n");
        return;
    }
    // As an image: a style for each part would need a policy that allows any style.
    html.push_str(
        "<svg class=\"bar\" viewBox=\"0 0 1000 1\" preserveAspectRatio=\"none\" aria-hidden=\"true\">",
    );
    let shown: Vec<Status> = Status::ALL.into_iter().filter(|&status| counts.of(status) > 0).collect();
    let room = 1000 - LEAST * shown.len();
    let mut at = 0;
    for status in &shown {
        let (word, share) = (status.word(), LEAST + counts.of(*status) * room / all);
        write!(html, "<rect class=\"{word}\" x=\"{at}\" width=\"{}\" height=\"1\"/>", share - GAP)
            .expect("a string takes any text");
        at += share;
    }
    html.push_str("</svg>\n<ul class=\"ends\">\n");
    for status in Status::ALL.into_iter().filter(|&status| counts.of(status) > 0) {
        let (word, count, meaning) = (status.word(), counts.of(status), meaning(status));
        let allowed = match (status, counts.allowed) {
            (Status::Survived, allowed @ 1..) => {
                format!("; the specification allows what {allowed} of them do")
            }
            _ => String::new(),
        };
        put(
            html,
            format_args!(
                "<li><span class=\"end {word}\">{word}</span> <b>{count}</b> \
                 <span class=\"soft\">{meaning}{allowed}</span></li>"
            ),
        );
    }
    html.push_str("</ul>\n");
}

fn meaning(status: Status) -> &'static str {
    match status {
        Status::Survived => "differ from the original, and no test notices",
        Status::Undecided => "a bound was reached before it was known",
        Status::Killed => "rejected by the test suite, or killed by a sequence",
        Status::Equivalent => "proved to do what the original does",
        Status::Unviable => "do not compile",
        Status::Unreached => "left out: no program reaches the code that they change",
        Status::Skipped => "left out by comments in the source",
        Status::Pending => "not run yet, or in another part of the campaign",
    }
}

fn killed_by(html: &mut String, campaign: &Campaign) {
    if campaign.killed_by.is_empty() {
        return;
    }
    html.push_str(
        "<table>\n<caption>What kills them</caption>\n<thead><tr><th scope=\"col\">Killed by</th>\
         <th scope=\"col\" class=\"n\">Mutants</th></tr></thead>\n<tbody>\n",
    );
    for it in &campaign.killed_by {
        put(
            html,
            format_args!(
                "<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td></tr>",
                it.kind.meaning(),
                it.mutants
            ),
        );
    }
    html.push_str("</tbody>\n</table>\n");
}

fn phases(html: &mut String, campaign: &Campaign) {
    if campaign.phases.is_empty() {
        return;
    }
    html.push_str(
        "<table>\n<caption>Score of the tests alone</caption>\n<thead><tr><th scope=\"col\">Tests</th>\
         <th scope=\"col\" class=\"n\">Number</th><th scope=\"col\" class=\"n\">Killed</th>\
         <th scope=\"col\" class=\"n\">Score</th></tr></thead>\n<tbody>\n",
    );
    for phase in &campaign.phases {
        put(
            html,
            format_args!(
                "<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
                phase.name.word(),
                phase.tests,
                phase.killed,
                share::score(phase.score)
            ),
        );
    }
    html.push_str("</tbody>\n</table>\n");
}

fn groups(html: &mut String, title: &str, what: &str, groups: &[Group]) {
    if groups.is_empty() {
        return;
    }
    put(
        html,
        format_args!(
            "<table>\n<caption>{title}</caption>\n<thead><tr><th scope=\"col\">{what}</th><th scope=\"col\" class=\"n\">Mutants</th>\
         <th scope=\"col\" class=\"n\">Survived</th><th scope=\"col\" class=\"n\">Undecided</th>\
         <th scope=\"col\" class=\"n\">Score</th></tr></thead>\n<tbody>"
        ),
    );
    for Group { name, mutants, score } in groups {
        put(
            html,
            format_args!(
                "<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td></tr>",
                markup(&cut(name, LONGEST)),
                mutants.total,
                mutants.survived,
                mutants.undecided,
                share::score(*score)
            ),
        );
    }
    html.push_str("</tbody>\n</table>\n");
}

/// The programs, with the table of feasible and valid for those with a specification.
fn programs(html: &mut String, programs: &[Program]) {
    if programs.is_empty() {
        return;
    }
    html.push_str("<h3>Programs</h3>\n<div class=\"programs\">\n");
    for program in programs {
        let name = markup(&cut(&program.name, LONGEST));
        let input = program
            .input
            .as_ref()
            .map(|it| format!(" <code>{}</code>", markup(&cut(&it.to_string(), LONGEST))));
        let all = if program.complete { "all of them" } else { "not all of them" };
        put(
            html,
            format_args!(
                "<article class=\"program\"><h4>{name}</h4>\n<p class=\"soft\">{} sequences, {all}{}</p>",
                program.sequences,
                input.unwrap_or_default()
            ),
        );
        match &program.validity {
            None => html
                .push_str("<p class=\"soft\">Without a specification: nothing says which are valid.</p>\n"),
            Some(it) => {
                let bad = |count: u64| if count > 0 { "n bad" } else { "n" };
                put(
                    html,
                    format_args!(
                        "<table class=\"square\">\n<caption>Feasible and valid sequences of {name}</caption>\n\
                     <thead><tr><td></td><th scope=\"col\" class=\"n\">Valid</th><th scope=\"col\" class=\"n\">Invalid</th></tr></thead>\n<tbody>\n\
                     <tr><th scope=\"row\">Feasible</th><td class=\"n\">{}</td><td class=\"{}\">{}</td></tr>\n\
                     <tr><th scope=\"row\">Infeasible</th><td class=\"{}\">{}</td><td class=\"n\">{}</td></tr>\n</tbody>\n</table>",
                        it.feasible_valid,
                        bad(it.feasible_invalid),
                        it.feasible_invalid,
                        bad(it.infeasible_valid.unwrap_or(0)),
                        share::missing(it),
                        it.infeasible_invalid
                    ),
                );
                if it.infeasible_valid.is_none() {
                    put(html, format_args!("<p class=\"soft\">{}</p>", share::NOT_ASKED));
                }
            }
        }
        html.push_str("</article>\n");
    }
    html.push_str("</div>\n");
}

fn put(html: &mut String, line: fmt::Arguments<'_>) {
    writeln!(html, "{line}").expect("a string takes any text");
}
