//! Commands that help to write a specification.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::shared::{Build, Exploring, Format, Input};

/// Lists what a specification can match: threads, objects, and events.
///
/// The program is explored. For each kind of event you see who does it, how often it happens in a sequence, and how to match
/// it in a specification or a test.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cargo insyn events buffer
  cargo insyn events buffer --sample 100              of a program with very many sequences
  cargo insyn events buffer --format json")]
pub(crate) struct Events {
    /// The program
    #[arg(value_name = "PROGRAM")]
    pub(crate) program: String,

    #[command(flatten)]
    pub(crate) build: Build,

    #[command(flatten)]
    pub(crate) input: Input,

    #[command(flatten)]
    pub(crate) exploring: Exploring,

    /// Sample N random executions instead of exploring
    #[arg(long, value_name = "N")]
    pub(crate) sample: Option<u64>,

    /// Random seed
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// How to print the result
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Drafts a specification, or draws one.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cargo insyn spec new buffer --out specs/buffer.yaml
  cargo insyn spec graph specs/buffer.yaml
  cargo insyn spec graph specs/buffer.yaml --format dot | dot -Tsvg > buffer.svg")]
pub(crate) struct Spec {
    #[command(subcommand)]
    pub(crate) what: SpecCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SpecCommand {
    /// Draft a specification from what a program does
    New(Box<SpecNew>),
    /// Draw a specification as a graph of states and events
    Graph(SpecGraph),
}

/// Draft a specification from what a program does
///
/// The program is explored. The draft has its events and the rules that all its interleavings keep, with comments, so the
/// program passes `cargo insyn check` with it. Keep what is meant, and remove the rest.
#[derive(Debug, Args)]
pub(crate) struct SpecNew {
    /// The program
    #[arg(value_name = "PROGRAM")]
    pub(crate) program: String,

    #[command(flatten)]
    pub(crate) build: Build,

    #[command(flatten)]
    pub(crate) input: Input,

    #[command(flatten)]
    pub(crate) exploring: Exploring,

    /// The file to write; it must not exist [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// Draws a specification as a graph of states and events.
///
/// A state is given by the values of the variables and by what the constraints remember. Sequences begin at the dot; they may
/// end where the border is double (in Mermaid: where the ends are round). No valid sequence comes from a grey state.
#[derive(Debug, Args)]
pub(crate) struct SpecGraph {
    /// The specification
    #[arg(value_name = "SPEC")]
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) input: Input,

    /// The language of the graph
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: GraphFormat,

    /// Draw no more than N states
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) max_states: u32,
}

/// The language of a graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    /// For Mermaid, which Markdown viewers show
    #[default]
    Mermaid,
    /// For Graphviz
    Dot,
}
