//! The results of `explore` and `check` as one HTML file: no network, no script, no file beside it. It looks like the report of a
//! mutation run.

use std::fmt::{self, Write as _};

use insyn_specs::file;

use crate::diagram::Diagram;
use crate::escape::{cut, markup};
use crate::html::digest;

mod drawing;

const STYLES: [&str; 3] =
    [include_str!("diagram/diagram.css"), include_str!("html/report.css"), include_str!("page/page.css")];

/// Names in headings are cut to this.
const LONGEST: usize = 200;

/// A diagram has at most this many events. Longer sequences are shown as text alone.
const MOST_ROWS: usize = 2_000;

/// What a page shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Its title: `explore` or `check`, and the packages.
    pub title: String,
    /// The programs, in order.
    pub programs: Vec<Outcome>,
}

/// The result of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Its package.
    pub package: String,
    /// Its name.
    pub name: String,
    /// Its input, on one line.
    pub input: Option<String>,
    /// Whether everything is as it should be.
    pub passed: bool,
    /// What was done, in a sentence.
    pub headline: String,
    /// How many sequences are feasible and valid, feasible and invalid, infeasible and valid, infeasible and invalid; without
    /// a specification none.
    pub validity: Option<[Option<u64>; 4]>,
    /// Sentences beside the result, each of one or more lines.
    pub notes: Vec<String>,
    /// The tests of its test file.
    pub tests: Vec<TestLine>,
    /// What fails, each with its sequence.
    pub cases: Vec<Case>,
}

/// The result of a test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestLine {
    /// Its name.
    pub name: String,
    /// Whether it passes.
    pub passed: bool,
    /// `feasible`, `infeasible` or `unknown`.
    pub verdict: String,
    /// Why, in one or more lines.
    pub why: String,
}

/// A sequence that shows something.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Case {
    /// What it shows.
    pub title: String,
    /// The report, as text.
    pub text: String,
    /// The text of its sequence file.
    pub file: String,
    /// How to run it again.
    pub command: Option<String>,
}

/// The page.
pub fn render(page: &Page) -> String {
    let style = format!("\n{}", STYLES.concat());
    let policy = format!(
        "default-src 'none'; style-src '{}'; base-uri 'none'; form-action 'none'",
        digest::source(&style)
    );
    let title = markup(&cut(&page.title, LONGEST));
    let mut html = String::new();
    put(
        &mut html,
        format_args!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
             <title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n</header>\n<main>"
        ),
    );
    summary(&mut html, page);
    let mut drawn = 0;
    for (n, outcome) in page.programs.iter().enumerate() {
        program(&mut html, n, outcome, &mut drawn);
    }
    html.push_str("</main>\n<footer>Made by insyn ");
    html.push_str(env!("CARGO_PKG_VERSION"));
    html.push_str("</footer>\n</body>\n</html>\n");
    html
}

/// One line for each program, those that fail first, with a link to its section.
fn summary(html: &mut String, page: &Page) {
    let failing = page.programs.iter().filter(|it| !it.passed).count();
    let said = match (page.programs.len(), failing) {
        (0, _) => "There are no programs.".to_owned(),
        (1, 0) => "The program passes.".to_owned(),
        (1, _) => "The program fails.".to_owned(),
        (all, 0) => format!("All {all} programs pass."),
        (all, failing) => format!("{failing} of {all} programs fail."),
    };
    put(
        html,
        format_args!(
            "<section id=\"summary\" aria-labelledby=\"summary-title\">\n<h2 id=\"summary-title\">Summary</h2>\n<p>{said}</p>"
        ),
    );
    if !page.programs.is_empty() {
        html.push_str(
            "<div class=\"scroll\" role=\"region\" aria-label=\"Programs\" tabindex=\"0\">\n<table class=\"list\">\n<thead><tr>\
             <th scope=\"col\">Program</th><th scope=\"col\">Result</th><th scope=\"col\">What was run</th></tr></thead>\n<tbody>\n",
        );
        let mut all: Vec<(usize, &Outcome)> = page.programs.iter().enumerate().collect();
        all.sort_by_key(|(_, it)| it.passed);
        for (n, it) in all {
            let name = markup(&cut(&format!("{} {}", it.package, it.name), LONGEST));
            put(
                html,
                format_args!(
                    "<tr><th scope=\"row\"><a href=\"#program-{n}\">{name}</a></th><td>{}</td><td>{}</td></tr>",
                    end(it.passed),
                    markup(&cut(&it.headline, 2 * LONGEST))
                ),
            );
        }
        html.push_str("</tbody>\n</table>\n</div>\n");
    }
    html.push_str("</section>\n");
}

fn end(passed: bool) -> &'static str {
    match passed {
        true => "<span class=\"end killed\">passes</span>",
        false => "<span class=\"end survived\">fails</span>",
    }
}

fn program(html: &mut String, n: usize, outcome: &Outcome, drawn: &mut usize) {
    let name = markup(&cut(&format!("{} {}", outcome.package, outcome.name), LONGEST));
    put(
        html,
        format_args!(
            "<section id=\"program-{n}\" aria-labelledby=\"title-{n}\">\n<h2 id=\"title-{n}\">{name} {}</h2>\n<p class=\"soft\">{}{}</p>",
            end(outcome.passed),
            markup(&outcome.headline),
            outcome
                .input
                .as_ref()
                .map(|it| format!(", input <code>{}</code>", markup(&cut(it, LONGEST))))
                .unwrap_or_default()
        ),
    );
    if let Some(counts) = outcome.validity {
        square(html, &name, counts);
    }
    for note in &outcome.notes {
        put(html, format_args!("<pre>{}</pre>", markup(note.trim_end())));
    }
    if !outcome.tests.is_empty() {
        let passed = outcome.tests.iter().filter(|it| it.passed).count();
        put(
            html,
            format_args!("<h3>{passed} of {} tests pass</h3>\n<ul class=\"outcomes\">", outcome.tests.len()),
        );
        let mut tests: Vec<&TestLine> = outcome.tests.iter().collect();
        tests.sort_by_key(|it| it.passed);
        for test in tests {
            let (name, verdict) = (markup(&cut(&test.name, LONGEST)), markup(&test.verdict));
            let line = format!("{} {name} <span class=\"soft\">{verdict}</span>", end(test.passed));
            match test.why.is_empty() {
                true => put(html, format_args!("<li>{line}</li>")),
                false => put(
                    html,
                    format_args!(
                        "<li><details{}><summary>{line}</summary><pre>{}</pre></details></li>",
                        if test.passed { "" } else { " open" },
                        markup(test.why.trim_end())
                    ),
                ),
            }
        }
        html.push_str("</ul>\n");
    }
    for case in &outcome.cases {
        show(html, case, drawn);
    }
    html.push_str("</section>\n");
}

/// The table of feasible and valid.
fn square(html: &mut String, name: &str, counts: [Option<u64>; 4]) {
    let [good, invalid, missing, refused] = counts.map(|it| it.map_or("–".to_owned(), |it| it.to_string()));
    let bad = |count: Option<u64>| if count.unwrap_or(0) > 0 { "n bad" } else { "n" };
    put(
        html,
        format_args!(
            "<div class=\"program squared\"><table class=\"square\">\n<caption>Feasible and valid sequences of {name}</caption>\n\
             <thead><tr><td></td><th scope=\"col\" class=\"n\">Valid</th><th scope=\"col\" class=\"n\">Invalid</th></tr></thead>\n<tbody>\n\
             <tr><th scope=\"row\">Feasible</th><td class=\"n\">{good}</td><td class=\"{}\">{invalid}</td></tr>\n\
             <tr><th scope=\"row\">Infeasible</th><td class=\"{}\">{missing}</td><td class=\"n\">{refused}</td></tr>\n</tbody>\n</table></div>",
            bad(counts[1]),
            bad(counts[2])
        ),
    );
}

fn show(html: &mut String, case: &Case, drawn: &mut usize) {
    let title = cut(&case.title, LONGEST);
    put(html, format_args!("<article class=\"case\">\n<h3>{}</h3>", markup(&title)));
    let layout = file::read(&case.file).ok().and_then(|file| Diagram::of_file(&file).ok());
    if let Some(layout) = layout.filter(|layout| (1..=MOST_ROWS).contains(&layout.rows.len())) {
        *drawn += 1;
        html.push_str(&drawing::render(&layout, &title, *drawn));
    }
    if !case.text.is_empty() {
        put(
            html,
            format_args!(
                "<details><summary>As text</summary><pre tabindex=\"0\" role=\"region\" aria-label=\"Report\">{}</pre></details>",
                markup(case.text.trim_end())
            ),
        );
    }
    if let Some(command) = &case.command {
        put(html, format_args!("<p class=\"soft\">Run it again: <code>{}</code></p>", markup(command)));
    }
    html.push_str("</article>\n");
}

fn put(html: &mut String, line: fmt::Arguments<'_>) {
    writeln!(html, "{line}").expect("a string takes any text");
}
