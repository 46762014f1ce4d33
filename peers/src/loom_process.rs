//! loom's results, from a process of its own: it cannot be linked together with TraceForge.

use anyhow::{Context, bail};
use insyn_peers::outcome::Outcome;
use insyn_peers::program::Program;
use std::process::Command;

/// Builds the other binary, which takes no time when it is there, and reads what it says about every program.
pub(crate) fn explore_all() -> anyhow::Result<Vec<Outcome>> {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["run", "--quiet", "--release", "--bin", "insyn-peers-loom"])
        .args(["--manifest-path", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")])
        .output()
        .context("cannot run cargo for the loom binary")?;
    if !output.status.success() {
        bail!("the loom binary failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    let text = String::from_utf8(output.stdout).context("the loom binary's lines")?;
    let outcomes: Option<Vec<_>> = text.lines().map(Outcome::from_line).collect();
    match outcomes {
        Some(outcomes) if outcomes.len() == Program::ALL.len() => Ok(outcomes),
        _ => bail!("the loom binary said something else than expected: {text}"),
    }
}
