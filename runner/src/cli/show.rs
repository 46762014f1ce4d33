//! Commands that show results.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Shows what came of a campaign, as tables, HTML and other documents.
///
/// A campaign leaves its results in a directory; this reads `campaign.json` in it. The HTML report is one file that needs
/// nothing else, to be opened, kept or sent.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cargo insyn report                                  tables of the only campaign there is
  cargo insyn report --open                           the HTML report, in a browser
  cargo insyn report target/insyn/mutate/bank --format markdown --out summary.md
  cargo insyn report --format github                  annotations of lines, in GitHub Actions")]
pub(crate) struct Report {
    /// The results of the campaign [default: the only one in `insyn/mutate` of the target directory]
    #[arg(value_name = "DIR")]
    pub(crate) directory: Option<PathBuf>,

    /// What to make of it [default: text, html with `--open`]
    #[arg(long, value_enum)]
    pub(crate) format: Option<ReportFormat>,

    /// The file to write [default: standard output, for html `report.html` in DIR]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Open the HTML report in a browser
    #[arg(long)]
    pub(crate) open: bool,

    /// Path to the Cargo.toml of the package or workspace
    #[arg(long, value_name = "PATH")]
    pub(crate) manifest_path: Option<PathBuf>,
}

/// What a report is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// Tables for people
    Text,
    /// One file to look around in
    Html,
    /// The document that all the others are made of
    Json,
    /// The report schema of the Stryker family, for its viewers
    Stryker,
    /// XML for continuous integration
    Junit,
    /// A summary for pull requests
    Markdown,
    /// Annotations for GitHub Actions
    Github,
}

/// Draws a recorded sequence as a space-time diagram: a line for each process, a row for each event, an arrow for each
/// pair.
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// The file of the sequence
    #[arg(value_name = "SEQUENCE")]
    pub(crate) file: PathBuf,

    /// Write it to this file too, as SVG
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,

    /// Show what it reads and writes of shared variables, with version numbers, and its RV diagram
    #[arg(long)]
    pub(crate) versions: bool,

    /// Write its RV diagram to this file, as DOT
    #[arg(long, value_name = "FILE")]
    pub(crate) dot: Option<PathBuf>,
}
