//! Arguments are resolved, or refused, without anything being built.

use clap::Parser;

use super::*;
use crate::cli::Cli;

fn resolve(arguments: &[&str]) -> Result<Options> {
    let arguments = ["cargo-insyn"].iter().chain(arguments);
    Options::resolve(Cli::try_parse_from(arguments).expect("the words exist").command)
}

#[track_caller]
fn refused(arguments: &[&str], reason: &str) {
    let error = resolve(arguments).expect_err("it is refused");
    assert!(format!("{error:#}").contains(reason), "{error:#}");
}

#[test]
fn limits_reach_every_request() {
    let limits = ["--max-steps", "5", "--max-executions", "7"];
    let with = |command: &[&'static str], more: &[&'static str]| resolve(&[command, &limits, more].concat());
    let exploring = ["--workers", "3", "--max-sequences", "9"];
    let Ok(Options::Explore(explore)) = with(&["explore"], &exploring) else { panic!("not explore") };
    let it = explore.request;
    assert_eq!((it.max_steps, it.max_executions), (Some(5), Some(7)));
    assert_eq!((it.workers, it.max_sequences), (Some(3), Some(9)));
    let Ok(Options::Check(check)) = with(&["check"], &exploring) else { panic!("not check") };
    let it = check.request;
    assert_eq!((it.max_steps, it.max_executions), (Some(5), Some(7)));
    assert_eq!((it.workers, it.max_sequences), (Some(3), Some(9)));
    let Ok(Options::Mutate(mutate)) = with(&["mutate"], &["--workers", "3"]) else { panic!("not mutate") };
    assert_eq!((mutate.limits.max_steps, mutate.limits.max_executions), (Some(5), Some(7)));
    assert_eq!(mutate.workers, Some(3));
}

#[test]
fn every_sequence_is_collected_unless_random_ones_are_asked_for() {
    let random = |arguments: &[&str]| match resolve(arguments) {
        Ok(Options::Mutate(mutate)) => mutate.survey.random,
        other => panic!("{other:?}"),
    };
    assert_eq!(random(&["mutate"]), None);
    assert_eq!(random(&["mutate", "--collect", "random"]), Some(0));
    assert_eq!(random(&["mutate", "--collect", "random", "--seed", "7"]), Some(7));
    refused(&["mutate", "--seed", "7"], "`--seed` needs `--collect random`");
}

#[test]
fn what_opens_is_html() {
    let format = |arguments: &[&str]| match resolve(arguments) {
        Ok(Options::Report(report)) => report.format,
        other => panic!("{other:?}"),
    };
    assert_eq!(format(&["report"]), ReportFormat::Text);
    assert_eq!(format(&["report", "--open"]), ReportFormat::Html);
    assert_eq!(format(&["report", "--format", "junit"]), ReportFormat::Junit);
    refused(&["report", "--open", "--format", "junit"], "only the HTML report can be opened");
}

#[test]
fn files_that_are_not_there_are_refused() {
    refused(&["explore", "--input", "@no such file"], "cannot be read");
    refused(&["check", "--spec", "no such file"], "no such file cannot be read");
    refused(&["force", "no such file"], "no such file cannot be read");
    refused(&["mutants", "--in-diff", "no such file"], "no such file cannot be read");
    refused(&["mutate", "--operators", "XYZ"], "unknown operator `XYZ`");
    refused(&["record", "works", "--out", "src/main.rs"], "exists already");
}
