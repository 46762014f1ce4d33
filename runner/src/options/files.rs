//! The files that are named on the command line.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use insyn_specs::{Spec, TestFile};
use insyn_verdicts::protocol::{Check, File};

use crate::cli::{Input, Oracle};

/// An input: the text itself, or `@` and the path of a file.
pub(super) fn input(argument: &Input) -> Result<Option<String>> {
    let read = |argument: &String| match argument.strip_prefix('@') {
        Some(path) => fs::read_to_string(path).with_context(|| format!("the input {path} cannot be read")),
        None => Ok(argument.clone()),
    };
    argument.input.as_ref().map(read).transpose()
}

/// Refuses an output file that exists already, before anything is built.
pub(super) fn absent(path: Option<&Path>) -> Result<()> {
    if let Some(path) = path.filter(|path| path.exists()) {
        bail!("{} exists already; name another file, or remove it", path.display());
    }
    Ok(())
}

/// A specification. Errors in it are reported before anything is built.
pub(super) fn spec(path: &Path) -> Result<(File, Spec)> {
    let file = read(path)?;
    let spec = Spec::read(&file.name, &file.text)?;
    Ok((file, spec))
}

/// Tests, and the specification that they name, relative to their own directory.
pub(super) fn tests(path: &Path) -> Result<(File, TestFile, Option<File>)> {
    let file = read(path)?;
    let tests = TestFile::read(&file.name, &file.text)?;
    let beside = tests.spec.as_ref().map(|name| path.parent().unwrap_or(Path::new("")).join(name));
    let spec = beside.map(|path| spec(&path)).transpose();
    let spec = spec.with_context(|| {
        let at = tests.spec_at.as_ref().map(ToString::to_string).unwrap_or_default();
        format!("{at}: the specification named there")
    })?;
    Ok((file, tests, spec.map(|(file, _)| file)))
}

/// The specification and tests that programs are judged by, and the program that the files name. Tests that name a
/// specification use that one, unless another is given.
pub(super) fn check(oracle: &Oracle, argument: &Input) -> Result<(Check, Option<String>)> {
    let spec_file = oracle.spec.as_deref().map(spec).transpose()?;
    let test_file = oracle.tests.as_deref().map(tests).transpose()?;
    let named = spec_file.as_ref().and_then(|(_, spec)| spec.program().map(str::to_owned));
    let named = named.or_else(|| test_file.as_ref().and_then(|(_, tests, _)| tests.program.clone()));
    let (tests, beside) = test_file.map_or((None, None), |(file, _, spec)| (Some(file), spec));
    let spec = spec_file.map(|(file, _)| file).or(beside);
    Ok((Check { input: input(argument)?, spec, tests, ..Check::default() }, named))
}

fn read(path: &Path) -> Result<File> {
    let name = path.display().to_string();
    let text = fs::read_to_string(path).with_context(|| format!("{name} cannot be read"))?;
    Ok(File { name, text })
}
