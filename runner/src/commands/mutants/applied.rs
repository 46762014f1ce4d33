//! A mutant in the source: put in by `--apply`, taken out by `--revert`.
//!
//! The text of the file is kept in the target directory until the mutant is taken out, so nothing depends on a version control
//! system. A file with uncommitted changes is refused all the same: its author could no longer tell them from the mutant.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use insyn_mutator::Mutant;
use insyn_sequences::harmless;
use serde::{Deserialize, Serialize};

use crate::campaign::hash;
use crate::commands::output::{near, writable};
use crate::file;

/// What is kept of an applied mutant.
#[derive(Debug, Serialize, Deserialize)]
struct Applied {
    version: u32,
    id: String,
    /// The file, as an absolute path.
    file: PathBuf,
    /// The text before the mutant was put in.
    original: String,
    /// The digest of the text with the mutant.
    mutated: String,
}

/// The version of the record.
const VERSION: u32 = 1;

/// The record of a package, in the target directory.
fn record(target: &Path, package: &str) -> PathBuf {
    target.join("insyn").join("applied").join(format!("{package}.json"))
}

/// Refuses to apply a mutant if another one is applied. In that source, mutants have other names.
pub(super) fn refuse_second(target: &Path, package: &str) -> Result<()> {
    let record = record(target, package);
    // A mutant that was taken out by hand is applied no more.
    let is_in = |it: &Applied| !fs::read(&it.file).is_ok_and(|there| there == it.original.as_bytes());
    if let Some(applied) = read(&record)?.filter(is_in) {
        bail!(
            "mutant {} is applied to {} already; take it out first: `cargo insyn mutants --revert -p {package}`",
            harmless::text(&applied.id),
            near(&applied.file)
        );
    }
    Ok(())
}

/// Puts a mutant into the source of the package with this root.
///
/// # Errors
/// If the file has changes that are not committed. Then nothing is changed.
pub(super) fn apply(
    target: &Path,
    package: &str,
    root: &Path,
    mutant: &Mutant,
    source: &str,
) -> Result<String> {
    let record = record(target, package);
    let path = root.join(&mutant.file);
    refuse_dirty(&path)?;
    let mutated = mutant.apply(source)?;
    let applied = Applied {
        version: VERSION,
        id: mutant.id(),
        file: path.clone(),
        original: source.to_owned(),
        mutated: hash([mutated.as_bytes()]),
    };
    let directory = record.parent().expect("it is in the target directory");
    writable(directory)?;
    fs::create_dir_all(directory)
        .and_then(|()| file::replace(&record, &serde_json::to_vec(&applied)?))
        .with_context(|| format!("{} cannot be written", record.display()))?;
    if let Err(error) = fs::write(&path, mutated) {
        // Nothing was applied. The first error is the one to report.
        let _ = fs::remove_file(&record);
        return Err(error).with_context(|| format!("{} cannot be written", path.display()));
    }
    Ok(format!(
        "applied {} {}\nto take it out again:\n  cargo insyn mutants --revert -p {package}\n",
        mutant.id(),
        mutant.describe(source)?
    ))
}

/// Takes the applied mutant out of the source.
///
/// # Errors
/// If none is applied, or the file was changed since. Then nothing is changed.
pub(super) fn revert(target: &Path, package: &str) -> Result<String> {
    let record = record(target, package);
    let Some(applied) = read(&record)? else { bail!("no mutant of package `{package}` is applied") };
    let Applied { id, file: path, original, mutated, .. } = applied;
    let there = fs::read(&path).with_context(|| format!("{} cannot be read", path.display()))?;
    if there != original.as_bytes() {
        if hash([&there[..]]) != mutated {
            bail!(
                "{} was changed after mutant {} was applied, so it is left alone; the text before is `original` in {}",
                near(&path),
                harmless::text(&id),
                record.display()
            );
        }
        fs::write(&path, original).with_context(|| format!("{} cannot be written", path.display()))?;
    }
    fs::remove_file(&record).with_context(|| format!("{} cannot be removed", record.display()))?;
    Ok(format!("took {} out of {}\n", harmless::text(&id), near(&path)))
}

/// The applied mutant, if there is one.
fn read(record: &Path) -> Result<Option<Applied>> {
    let bytes = match fs::read(record) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        bytes => bytes.with_context(|| format!("{} cannot be read", record.display()))?,
    };
    match serde_json::from_slice::<Applied>(&bytes) {
        Ok(applied) if applied.version == VERSION => Ok(Some(applied)),
        _ => bail!(
            "{} is damaged, or of another release of insyn; remove it when no mutant is in the source",
            record.display()
        ),
    }
}

/// Refuses a file in a git repository that differs from what is committed. Without git there is nothing to compare with.
fn refuse_dirty(path: &Path) -> Result<()> {
    let mut git = Command::new("git");
    git.arg("-C").arg(path.parent().unwrap_or(Path::new(".")));
    git.args(["status", "--porcelain", "--ignored=no", "--"]).arg(path);
    let Ok(output) = git.stdin(Stdio::null()).stderr(Stdio::null()).output() else { return Ok(()) };
    if output.status.success() && !output.stdout.is_empty() {
        bail!("{} has changes that are not committed; commit or stash them first", near(path));
    }
    Ok(())
}
