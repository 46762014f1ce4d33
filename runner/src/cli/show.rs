//! Commands that show results.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Show the results of a mutation run as text, HTML and other formats
///
/// Reads `campaign.json` in the directory of results. The HTML report is one self-contained file.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cargo insyn report                                  tables of the only mutation run
  cargo insyn report --open                           open the HTML report in a browser
  cargo insyn report target/insyn/mutate/bank --format markdown --out summary.md
  cargo insyn report --format github                  annotate lines in GitHub Actions")]
pub(crate) struct Report {
    /// Directory of results [default: the only one in `insyn/mutate` of the target directory]
    #[arg(value_name = "DIR")]
    pub(crate) directory: Option<PathBuf>,

    /// Output format [default: text; html with `--open`]
    #[arg(long, value_enum)]
    pub(crate) format: Option<ReportFormat>,

    /// File to write [default: standard output; for html, `report.html` in DIR]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Open the HTML report in a browser
    #[arg(long)]
    pub(crate) open: bool,

    /// Path to Cargo.toml
    #[arg(long, value_name = "PATH")]
    pub(crate) manifest_path: Option<PathBuf>,
}

/// What a report is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// Tables for people
    Text,
    /// A self-contained page
    Html,
    /// The document that the other formats are made from
    Json,
    /// Stryker's report schema, for its viewers
    Stryker,
    /// JUnit XML, for continuous integration
    Junit,
    /// A summary for pull requests
    Markdown,
    /// Annotations for GitHub Actions
    Github,
}

/// Draw a recorded sequence as a space-time diagram
///
/// The diagram has a line for each thread and object, a row for each event, and an arrow for each message.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  cargo insyn show target/insyn/bank/bank.tests.transfer/failure-1.yaml --svg failure.svg")]
pub(crate) struct Show {
    /// Sequence file
    #[arg(value_name = "SEQUENCE")]
    pub(crate) file: PathBuf,

    /// Also write the diagram to this file as SVG
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,

    /// Also list each read and write of shared variables with its version, and the RV diagram
    #[arg(long)]
    pub(crate) versions: bool,

    /// Write the RV diagram to this file as DOT
    #[arg(long, value_name = "FILE")]
    pub(crate) dot: Option<PathBuf>,
}
