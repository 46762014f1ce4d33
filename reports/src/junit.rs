//! JUnit XML for continuous integration: a suite for each file, a case for each mutant. A survivor is a failure, an undecided
//! mutant an error, and a mutant that is not scored is skipped.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use insyn_verdicts::Status;
use insyn_verdicts::campaign::{Campaign, Mutant};

use crate::escape::{attribute, cut, markup};
use crate::share;

/// The status of a mutant in JUnit's terms.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Case {
    Passed,
    Failure,
    Error,
    Skipped,
}

impl Case {
    fn of(status: Status) -> Case {
        match status {
            Status::Killed => Case::Passed,
            Status::Survived => Case::Failure,
            Status::Undecided => Case::Error,
            Status::Equivalent | Status::Unviable | Status::Unreached | Status::Skipped | Status::Pending => {
                Case::Skipped
            }
        }
    }
}

/// The document. It has no times, since the campaign has none.
pub fn render(campaign: &Campaign) -> String {
    let mut files: BTreeMap<&str, Vec<&Mutant>> = BTreeMap::new();
    for mutant in &campaign.details {
        files.entry(&mutant.file).or_default().push(mutant);
    }
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let all: Vec<&Mutant> = campaign.details.iter().collect();
    let name = format!("insyn: mutants of {}", campaign.package);
    line(&mut xml, format_args!("<testsuites name=\"{}\" {}>", attribute(&name), numbers(&all)));
    for (file, mutants) in files {
        line(&mut xml, format_args!("  <testsuite name=\"{}\" {}>", attribute(file), numbers(&mutants)));
        for mutant in mutants {
            case(&mut xml, campaign, mutant);
        }
        xml.push_str("  </testsuite>\n");
    }
    xml.push_str("</testsuites>\n");
    xml
}

fn numbers(mutants: &[&Mutant]) -> String {
    let count = |case: Case| mutants.iter().filter(|mutant| Case::of(mutant.status) == case).count();
    format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"",
        mutants.len(),
        count(Case::Failure),
        count(Case::Error),
        count(Case::Skipped)
    )
}

fn case(xml: &mut String, campaign: &Campaign, mutant: &Mutant) {
    /// The message is one line in a list; the text has all of it.
    const LONGEST: usize = 200;
    let name = format!("{} {} ({})", share::place(mutant), mutant.description, mutant.id);
    let class = format!("{}.{}", campaign.package, mutant.family);
    let head = format!(
        "    <testcase name=\"{}\" classname=\"{}\" file=\"{}\" line=\"{}\"",
        attribute(&name),
        attribute(&class),
        attribute(&mutant.file),
        mutant.start.0
    );
    let word = mutant.status.word();
    let reason = share::reason(campaign, mutant);
    let message = attribute(&cut(&reason, LONGEST));
    let whole = markup(&format!("{reason}\n\n{}", mutant.diff));
    match Case::of(mutant.status) {
        Case::Passed => line(xml, format_args!("{head}/>")),
        Case::Skipped => line(
            xml,
            format_args!("{head}>\n      <skipped message=\"{word}: {message}\"/>\n    </testcase>"),
        ),
        case => {
            let tag = if case == Case::Failure { "failure" } else { "error" };
            line(
                xml,
                format_args!(
                    "{head}>\n      <{tag} type=\"{word}\" message=\"{message}\">{whole}</{tag}>\n    </testcase>"
                ),
            );
        }
    }
}

fn line(xml: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(xml, "{line}").expect("a string takes any text");
}
