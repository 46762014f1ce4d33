//! `cargo insyn events`.

use anyhow::{Result, bail};
use insyn_sequences::catalog::{EventClass, Member, Values};
use insyn_sequences::harmless;
use insyn_verdicts::protocol::{Answer, Catalogued, Request};
use serde::Serialize;

use super::output::{self, json, print, print_fitted, table};
use crate::cli::Format;
use crate::exit::{Ended, Exit};
use crate::options::Events;
use crate::progress::Progress;
use crate::worker::Worker;
use crate::{build, programs};

/// How many names are listed in a cell.
const MOST_NAMES: usize = 4;

#[derive(Serialize)]
struct Row {
    package: String,
    name: String,
    #[serde(flatten)]
    catalogued: Catalogued,
}

pub(crate) fn run(args: &Events) -> Result<Exit> {
    let request = Request::Catalog(args.request.clone());
    let built = build::build(&args.build)?;
    let program = programs::choose_one(programs::find(&built)?, &args.program)?;
    let progress = Progress::new("Exploring", &program.name);
    let answer = Worker::start(&program)?.ask(&request, |sequences, executions| {
        progress.show(format!("{sequences} sequences in {executions} executions"));
    });
    drop(progress);
    let Answer::Catalogued(catalogued) = answer? else { bail!("the program answered something else") };
    if let Some(oversight) = &catalogued.oversight {
        return Err(Ended::new(Exit::ProgramFails, format!("program `{}`: {oversight}", program.name)).into());
    }
    let row =
        Row { package: program.binary.package.clone(), name: program.name.clone(), catalogued: *catalogued };
    match args.format {
        Format::Json => print(&json(&[row])?)?,
        Format::Text => print_fitted(&text(&row))?,
    }
    Ok(Exit::Fine)
}

fn text(row: &Row) -> String {
    let Catalogued { sequences, complete, bound, catalog, .. } = &row.catalogued;
    let sequences = if *sequences == 1 { "1 sequence".to_owned() } else { format!("{sequences} sequences") };
    let which = match (complete, bound) {
        (true, _) => "all there are".to_owned(),
        (false, Some(bound)) => format!("not all: {bound}"),
        (false, None) => "not all there are".to_owned(),
    };
    let mut text = format!("{} {}: {sequences}, {which}\n\n", row.package, row.name);
    let mut threads = table(&["thread", "id"], &[], &[0]);
    for Member { id, pattern, .. } in &catalog.threads {
        threads.add_row([harmless::line(pattern), id.clone()]);
    }
    text.push_str(&output::text(&threads));
    if !catalog.objects.is_empty() {
        let mut objects = table(&["object", "kind", "id"], &[], &[0]);
        for Member { id, kind, pattern, .. } in &catalog.objects {
            objects.add_row([harmless::line(pattern), kind.clone(), id.clone()]);
        }
        text.push_str(&format!("\n{}", output::text(&objects)));
    }
    if catalog.events.is_empty() {
        text.push_str("\nno events\n");
        return text;
    }
    let mut events = table(&["match", "by", "in a sequence"], &[], &[0, 1]);
    for class in &catalog.events {
        events.add_row([matcher(class), names(&class.threads), often(class)]);
    }
    text.push_str(&format!("\n{}", output::text(&events)));
    text.push_str(
        "\nIn a specification: `events: {NAME: {match: …}}`; `thread: NAME` in the braces restricts who does it.\n",
    );
    text
}

/// How to match an event, with the values of its label.
fn matcher(class: &EventClass) -> String {
    let values = match &class.values {
        Values::None => String::new(),
        Values::Booleans => "  value: true or false".to_owned(),
        Values::Integers(least, greatest) if least == greatest => format!("  value: {least}"),
        Values::Integers(least, greatest) => format!("  value: {least}..{greatest}"),
        Values::Texts(texts) => format!("  value: {}", names(texts)),
        Values::Mixed => "  value: several types, or too many".to_owned(),
    };
    format!("{}{values}", harmless::line(&class.matcher))
}

fn often(class: &EventClass) -> String {
    match (class.least, class.most) {
        (least, most) if least == most => most.to_string(),
        (least, most) => format!("{least} to {most}"),
    }
}

/// Names with commas between them; of many, the first, and how many more there are.
fn names(all: &[String]) -> String {
    let shown: Vec<String> = all.iter().take(MOST_NAMES).map(|name| harmless::line(name)).collect();
    match all.len().saturating_sub(MOST_NAMES) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
