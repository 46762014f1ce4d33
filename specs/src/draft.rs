//! A first specification of a program, from what it does: its events, and rules that all its executions keep. It is there to
//! be read and changed, so it explains itself in comments.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use insyn_sequences::catalog::{Catalog, EventClass, Values};
use insyn_sequences::file::flow;
use insyn_sequences::{Malformed, OrderConstraints, Sequence};
use serde_json::Value as Data;

use crate::problem::Problem;
use crate::spec::{Instance, Orders, Spec, Verdict, is_name};
use crate::test_file::data;

mod rules;

/// No more events than this are in a draft.
const MOST_EVENTS: usize = 12;

/// How many other events are named in a comment.
const MOST_OTHERS: usize = 8;

/// A sequence is judged with no more states than this. A rule about which more would be needed is left out.
const MOST_STATES: usize = 20_000;

/// An execution that ended as it should.
#[derive(Clone, Debug)]
pub struct Observation {
    sequence: Sequence,
    constraints: OrderConstraints,
    output: Option<Data>,
}

impl Observation {
    /// An execution with what real objects add to the order of its events, and its output.
    pub fn new(sequence: Sequence, constraints: OrderConstraints, output: Option<Data>) -> Self {
        Observation { sequence, constraints, output }
    }
}

/// Why there is no draft.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DraftError {
    /// The draft has an error. That is a mistake of insyn's.
    #[error("{0}")]
    Problem(Problem),
    /// A sequence is in no canonical form.
    #[error(transparent)]
    Malformed(Malformed),
    /// There is nothing to match.
    #[error("the program does nothing that a specification can match")]
    NoEvents,
}

impl From<Problem> for DraftError {
    fn from(problem: Problem) -> Self {
        DraftError::Problem(problem)
    }
}

/// An event of the draft.
struct Letter<'c> {
    name: String,
    class: &'c EventClass,
    /// The only argument, and its values as they are written.
    argument: Option<(&'static str, String)>,
}

/// Writes a specification that all these executions keep. `complete` is whether these are all.
///
/// # Errors
/// If the program does nothing that can be matched, or a sequence is malformed.
pub fn draft(
    program: &str,
    catalog: &Catalog,
    executions: &[Observation],
    complete: bool,
) -> Result<String, DraftError> {
    let (letters, others) = letters(catalog);
    if letters.is_empty() {
        return Err(DraftError::NoEvents);
    }
    let head = head(program, executions.len(), complete);
    let events = events(&letters, &others);
    let instance = read(&format!("{head}{events}"))?;
    let mut orders: BTreeSet<Orders> = BTreeSet::new();
    for it in executions {
        let read = instance.orders(&it.sequence, &it.constraints).map_err(DraftError::Malformed)?;
        orders.insert(read);
    }
    let holds = |rules: &[String]| -> Result<bool, Problem> {
        let instance = read(&format!("{head}{events}{}", constraints(rules)))?;
        for orders in &orders {
            if instance.judge_orders(orders, MOST_STATES)?.verdict != Verdict::Valid {
                return Ok(false);
            }
        }
        Ok(true)
    };
    let rules = rules::find(&letters, &orders, &holds)?;
    Ok(format!("{head}{events}{}{}", constraints(&rules), expect(executions, complete)))
}

fn read(text: &str) -> Result<Instance, Problem> {
    Spec::read("the draft", text)?.with(&Data::Null)
}

fn head(program: &str, executions: usize, complete: bool) -> String {
    let which = match (executions, complete) {
        (1, true) => "the only interleaving of the program".to_owned(),
        (n, true) => format!("all {n} interleavings of the program"),
        (n, false) => format!("{n} interleavings of the program; there are more"),
    };
    format!(
        "insyn: spec
version: 1
program: {}
about: |
  A draft, made from {which}.
  Keep what must hold, remove what only happens to hold, and say here what the program is meant to do.

# subset: whatever the program does must be valid. Once the rules below say all that is valid, write `equal`:
# then the program must also be able to do all of it.
conformance: subset
",
        flow(program)
    )
}

/// The events to begin with: what the program says about itself; otherwise its messages; otherwise its locks and variables.
fn letters(catalog: &Catalog) -> (Vec<Letter<'_>>, Vec<&EventClass>) {
    let rank = |it: &EventClass| match (it.op.as_str(), it.kind.as_deref()) {
        ("label", _) => 0,
        _ if it.from.is_some() => 4,
        ("accept" | "receive" | "send" | "put" | "take" | "offer-put" | "offer-take", _) => 1,
        ("try-put" | "try-take" | "put-timeout" | "take-timeout", _) => 1,
        (
            "lock" | "try-lock" | "acquire" | "try-acquire" | "release" | "wait" | "notify-one"
            | "notify-all" | "enter" | "signal" | "read" | "write" | "arrive" | "park" | "unpark" | "begin"
            | "complete",
            _,
        ) => 2,
        ("store" | "update" | "load", _) => 3,
        _ => 4,
    };
    // A label that is no pattern cannot be matched by its text.
    let can_be_matched = |it: &&EventClass| it.label.is_none() || it.matcher.starts_with("{label:");
    let best = catalog.events.iter().filter(can_be_matched).map(rank).min().unwrap_or(4);
    let is_chosen = |it: &&EventClass| can_be_matched(it) && rank(it) == best;
    let chosen: Vec<&EventClass> = catalog.events.iter().filter(is_chosen).take(MOST_EVENTS).collect();
    let others = catalog.events.iter().filter(|it| !chosen.iter().any(|other| std::ptr::eq(*other, *it)));
    let others = others.collect();
    let mut names = BTreeSet::new();
    let mut letter = |class: &'_ EventClass| -> (String, Option<(&'static str, String)>) {
        let words = match (&class.label, &class.object) {
            (Some(label), _) => label.clone(),
            // Of several names the first will do.
            (None, Some(object)) => format!("{}_{}", class.op, object.split('/').next().unwrap_or_default()),
            (None, None) => class.op.clone(),
        };
        let mut name: String =
            words.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).take(40).collect();
        if !is_name(&name) {
            name = format!("event_{name}");
        }
        let plain = name.clone();
        for n in 2.. {
            if names.insert(name.clone()) {
                break;
            }
            name = format!("{plain}_{n}");
        }
        let argument = match &class.values {
            Values::Integers(least, greatest) if greatest.checked_sub(*least).is_some_and(|it| it < 100) => {
                Some(("n", format!("{least}..{greatest}")))
            }
            Values::Texts(texts) => {
                let texts: Vec<String> = texts.iter().map(|it| flow(it)).collect();
                Some(("what", format!("[{}]", texts.join(", "))))
            }
            Values::Booleans => Some(("is", "boolean".to_owned())),
            _ => None,
        };
        (name, argument)
    };
    let letters = chosen
        .into_iter()
        .map(|class| {
            let (name, argument) = letter(class);
            Letter { name, class, argument }
        })
        .collect();
    (letters, others)
}

fn events(letters: &[Letter<'_>], others: &[&EventClass]) -> String {
    let mut text = String::from(
        "
# The events that sequences are made of. `match` says which events of the program they are, `when` in which state they may
# happen, `then` what they change: see docs/specs.md.
events:
",
    );
    let mut line = |line: String| writeln!(text, "{line}").expect("a string takes any text");
    for Letter { name, class, argument } in letters {
        let often = match (class.least, class.most) {
            (least, most) if least == most => format!("{most} in each sequence"),
            (least, most) => format!("{least} to {most} in a sequence"),
        };
        let by = short_list(&class.threads, 3, " and ");
        line(format!("  # {often}{}", if by.is_empty() { String::new() } else { format!(", by {by}") }));
        let label = class.label.as_ref().filter(|label| *label == name);
        match (argument, label) {
            (None, Some(_)) => line(format!("  {name}:    # the label of this name")),
            (None, None) => line(format!("  {name}: {{match: {}}}", class.matcher)),
            (Some((argument, values)), Some(_)) => {
                line(format!("  {name}: {{arguments: {{{argument}: {values}}}}}"));
            }
            (Some((argument, values)), None) => {
                let matcher = class.matcher.trim_end_matches('}');
                line(format!("  {name}:"));
                line(format!("    arguments: {{{argument}: {values}}}"));
                line(format!("    match: {matcher}, value: <{argument}>}}"));
            }
        }
    }
    if !others.is_empty() {
        let shown: Vec<String> = others.iter().map(|it| it.matcher.clone()).collect();
        line("# Everything else does not count. It could be matched too:".to_owned());
        for matcher in shown.iter().take(MOST_OTHERS) {
            line(format!("#   {matcher}"));
        }
        if shown.len() > MOST_OTHERS {
            let rest = shown.len() - MOST_OTHERS;
            line(format!("#   and {rest} more, which `cargo insyn events` lists"));
        }
    }
    text
}

fn constraints(rules: &[String]) -> String {
    if rules.is_empty() {
        return String::new();
    }
    let mut text = String::from("\n# What every sequence keeps. Remove what is not meant.\nconstraints:\n");
    for rule in rules {
        writeln!(text, "- {rule}").expect("a string takes any text");
    }
    text
}

fn expect(executions: &[Observation], complete: bool) -> String {
    let outputs: Vec<&Data> = executions.iter().filter_map(|it| it.output.as_ref()).collect();
    match outputs.split_first() {
        Some((first, rest)) if complete && outputs.len() == executions.len() && !first.is_null() => {
            match rest.iter().all(|it| it == first) {
                // A text is an expression there.
                true if first.is_string() => {
                    let text = format!("'{}'", first.as_str().unwrap_or_default().replace('\'', "''"));
                    format!("\n# What every execution returns.\nexpect:\n  output: {}\n", flow(&text))
                }
                true => format!("\n# What every execution returns.\nexpect:\n  output: {}\n", data(first)),
                false => "\n# Executions return different outputs, so any is allowed: `expect: {output: …}` says which.\n"
                    .to_owned(),
            }
        }
        _ => String::new(),
    }
}

/// The first names of a list, and how many more there are.
fn short_list(names: &[String], most: usize, last: &str) -> String {
    let clean = |name: &String| name.chars().filter(|c| !c.is_control()).take(40).collect::<String>();
    let shown: Vec<String> = names.iter().take(most).map(clean).collect();
    match (names.len().saturating_sub(most), shown.split_last()) {
        (0, Some((end, []))) => end.clone(),
        (0, Some((end, start))) => format!("{}{last}{end}", start.join(", ")),
        (0, None) => String::new(),
        (more, _) => format!("{} and {more} more", shown.join(", ")),
    }
}
