//! The file of committed figures.

use crate::build::Build;
use crate::table::Row;
use anyhow::{Context, ensure};
use insyn_peers_programs::measured::Measured;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::process::Command;

/// The file, from the folder of the workspace.
pub(crate) const NAME: &str = "instructions/figures.json";
const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/figures.json");
/// Everything that insyn is made of, from the root of the repository.
const ENGINE: [&str; 3] = ["runtime", "macros", "specs"];
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
/// The version of the file's format.
const VERSION: u32 = 1;

/// Figures and where they are from.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Figures {
    version: u32,
    /// The last commit that changed what insyn is made of.
    pub(crate) commit: String,
    rustc: String,
    valgrind: String,
    /// By build and program: instructions for each sequence.
    instructions: BTreeMap<String, BTreeMap<String, f64>>,
}

impl Figures {
    /// The committed figures, if there are any.
    pub(crate) fn read() -> anyhow::Result<Option<Figures>> {
        let text = match std::fs::read_to_string(PATH) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).with_context(|| format!("cannot read {NAME}")),
        };
        let figures: Figures = serde_json::from_str(&text).with_context(|| NAME.to_owned())?;
        ensure!(figures.version == VERSION, "{NAME} has version {}, not {VERSION}", figures.version);
        Ok(Some(figures))
    }

    /// The figures of what has just been measured.
    pub(crate) fn of(rows: &[Row], valgrind: String) -> anyhow::Result<Figures> {
        let mut instructions = BTreeMap::<String, BTreeMap<String, f64>>::new();
        for row in rows {
            let build = instructions.entry(row.build.name().to_owned()).or_default();
            build.insert(row.program.title.to_owned(), row.now);
        }
        let rustc = said_by(Command::new("rustc").arg("--version"))?;
        Ok(Figures { version: VERSION, commit: commit()?, rustc, valgrind, instructions })
    }

    /// Writes the file.
    pub(crate) fn write(&self) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(self).context("cannot write figures as JSON")?;
        std::fs::write(PATH, text + "\n").with_context(|| format!("cannot write {NAME}"))
    }

    /// The figure of a program.
    pub(crate) fn get(&self, build: Build, program: &Measured) -> Option<f64> {
        self.instructions.get(build.name())?.get(program.title).copied()
    }

    /// What the figures were measured with.
    pub(crate) fn origin(&self) -> String {
        format!("{}, {}, {}", self.commit, self.rustc, self.valgrind)
    }

    /// Why figures may differ although insyn does not.
    pub(crate) fn differences(&self, now: &Figures) -> Vec<String> {
        let mut differences = Vec::new();
        for (before, now) in [(&self.rustc, &now.rustc), (&self.valgrind, &now.valgrind)] {
            if before != now {
                differences.push(format!("the committed figures are of {before}, these of {now}"));
            }
        }
        differences
    }
}

/// As precise as figures are kept: a tenth of an instruction.
pub(crate) fn rounded(figure: f64) -> f64 {
    (figure * 10.0).round() / 10.0
}

/// The last commit that changed what insyn is made of, and whether there are changes beyond it.
fn commit() -> anyhow::Result<String> {
    let git = |arguments: &[&str]| {
        said_by(Command::new("git").args(["-C", ROOT]).args(arguments).arg("--").args(ENGINE))
    };
    let commit = git(&["log", "-1", "--format=%h", "--abbrev=7"])?;
    let changed = !git(&["status", "--porcelain"])?.is_empty();
    Ok(if changed { format!("{commit} with changes") } else { commit })
}

/// What a command prints, on one line.
fn said_by(command: &mut Command) -> anyhow::Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("cannot run {name}"))?;
    ensure!(output.status.success(), "{name} fails: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout).with_context(|| format!("what {name} prints"))?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_figures_have_every_program() {
        let figures = Figures::read().unwrap().expect("there are committed figures");
        for build in Build::ALL {
            for program in Measured::all() {
                assert!(figures.get(build, &program).is_some(), "{}, {}", program.title, build.name());
            }
        }
    }
}
