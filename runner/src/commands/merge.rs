//! `cargo insyn merge`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use insyn_mutator::Family;
use insyn_verdicts::Campaign;

use super::mutate::report;
use super::output::warn;
use super::report;
use crate::campaign::lock::Lock;
use crate::campaign::state;
use crate::cli::Merge;
use crate::exit::Exit;

pub(crate) fn run(args: &Merge) -> Result<Exit> {
    if let Some(different) = different_limits(&args.parts) {
        warn(&different);
    }
    let parts = args.parts.iter().map(|part| report::read(part)).collect::<Result<Vec<Campaign>>>()?;
    let whole = Campaign::merge(&parts, &Family::ALL.map(Family::name)).map_err(|error| {
        let part = |n: usize| args.parts.get(n).map(|part| part.display().to_string()).unwrap_or_default();
        anyhow::anyhow!("{} and {} {}", part(0), part(error.part), error.reason)
    })?;
    if whole.mutants.pending > 0 {
        bail!(
            "these parts are not the whole mutation run: of {} mutants {}; name the directories of all shards, and run those \
             again that were interrupted",
            whole.details.len(),
            report::pending(whole.mutants.pending)
        );
    }
    fs::create_dir_all(&args.out).with_context(|| format!("{} cannot be made", args.out.display()))?;
    let _lock = Lock::take(&args.out)?;
    report(&whole, &args.out, args.format)
}

/// A warning if parts were run with different limits: together they may differ from one campaign. Limits are read from the
/// directory that a document was made in; a document without it is skipped.
fn different_limits(parts: &[PathBuf]) -> Option<String> {
    let limits = |part: &PathBuf| {
        let directory = if part.is_dir() { part } else { part.parent().unwrap_or(Path::new("")) };
        Some((part.clone(), state::limits(directory)?))
    };
    let known: Vec<_> = parts.iter().filter_map(limits).collect();
    let (first, others) = known.split_first()?;
    let other = others.iter().find(|other| other.1 != first.1)?;
    Some(format!(
        "{} was run with {}, {} with {}: a mutant near a limit may get another verdict than in one run",
        first.0.display(),
        first.1,
        other.0.display(),
        other.1
    ))
}
