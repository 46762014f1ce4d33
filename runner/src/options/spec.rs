//! The options of commands that help to write a specification.

use std::path::PathBuf;

use anyhow::Result;
use insyn_specs::{Spec, input};
use insyn_verdicts::protocol::Explore;

use super::files;
use crate::cli::{self, Build, Format, GraphFormat};

/// A draft is made of no more sequences than this, unless the user says so.
const MOST_SEQUENCES: u64 = 10_000;

/// A program whose events are to be listed.
#[derive(Debug)]
pub(crate) struct Events {
    pub(crate) program: String,
    pub(crate) build: Build,
    pub(crate) request: Explore,
    pub(crate) format: Format,
}

impl Events {
    pub(super) fn resolve(args: cli::Events) -> Result<Self> {
        let cli::Events { program, build, input, exploring, sample, seed, format } = args;
        let request = Explore { sample, seed, ..super::exploration(&input, exploring)? };
        Ok(Events { program, build, request, format })
    }
}

/// A program for which a specification is to be drafted.
#[derive(Debug)]
pub(crate) struct SpecNew {
    pub(crate) program: String,
    pub(crate) build: Build,
    pub(crate) request: Explore,
    pub(crate) out: Option<PathBuf>,
}

impl SpecNew {
    pub(super) fn resolve(args: cli::SpecNew) -> Result<Self> {
        let cli::SpecNew { program, build, input, exploring, out } = args;
        files::absent(out.as_deref())?;
        let request = super::exploration(&input, exploring)?;
        let max_sequences = request.max_sequences.or(Some(MOST_SEQUENCES));
        Ok(SpecNew { program, build, request: Explore { max_sequences, ..request }, out })
    }
}

/// A specification to draw.
#[derive(Debug)]
pub(crate) struct SpecGraph {
    pub(crate) spec: Spec,
    pub(crate) input: serde_json::Value,
    pub(crate) format: GraphFormat,
    pub(crate) max_states: usize,
}

impl SpecGraph {
    pub(super) fn resolve(args: cli::SpecGraph) -> Result<Self> {
        let (_, spec) = files::spec(&args.file)?;
        let text = files::input(&args.input)?;
        let input = text.as_deref().map(input::read).transpose()?.unwrap_or_default();
        Ok(SpecGraph { spec, input, format: args.format, max_states: args.max_states as usize })
    }
}
