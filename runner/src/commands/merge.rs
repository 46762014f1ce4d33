//! `cargo insyn merge`.

use std::fs;

use anyhow::{Context, Result, bail};
use insyn_mutator::Family;
use insyn_verdicts::Campaign;

use super::mutate::tell;
use super::report;
use crate::cli::Merge;
use crate::exit::Exit;

pub(crate) fn run(args: &Merge) -> Result<Exit> {
    let parts = args.parts.iter().map(|part| report::read(part)).collect::<Result<Vec<Campaign>>>()?;
    let whole = Campaign::merge(&parts, &Family::ALL.map(Family::name)).map_err(|error| {
        let part = |n: usize| args.parts.get(n).map(|part| part.display().to_string()).unwrap_or_default();
        anyhow::anyhow!("{} and {} {}", part(0), part(error.part), error.reason)
    })?;
    if whole.mutants.pending > 0 {
        bail!(
            "these parts are not the whole campaign: of {} mutants {}; name the directories of all shards, and run those again \
             that were interrupted",
            whole.details.len(),
            report::pending(whole.mutants.pending)
        );
    }
    fs::create_dir_all(&args.out).with_context(|| format!("{} cannot be made", args.out.display()))?;
    tell(&whole, &args.out, args.format)
}
