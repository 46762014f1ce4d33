//! What a program is judged by: a specification, tests, or both.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use insyn_specs::spec::Instance;
use insyn_specs::{Problem, Spec, TestFile};
use insyn_verdicts::protocol::File;
use serde_json::Value as Data;
use thiserror::Error;

use super::Program;

/// Why a program cannot be judged: its files cannot be read, or do not fit.
#[derive(Debug, Error)]
#[error("{kind}")]
pub(super) struct OracleError {
    pub(super) kind: OracleErrorKind,
}

/// The reasons.
#[derive(Debug, Error)]
pub(super) enum OracleErrorKind {
    /// A file that the attribute names cannot be read.
    #[error("{path}, which program `{program}` names: {error}")]
    Named { path: String, program: String, error: io::Error },
    /// The specification that tests name cannot be read.
    #[error("{at}: the specification that is named there: {path}: {error}")]
    Beside { at: String, path: String, error: io::Error },
    /// A file has an error, or the input does not fit it.
    #[error(transparent)]
    Problem(Problem),
    /// The test that was asked for is not there.
    #[error("there is no test `{name}`; there are {names}")]
    NoTest { name: String, names: String },
}

impl From<OracleErrorKind> for OracleError {
    fn from(kind: OracleErrorKind) -> Self {
        OracleError { kind }
    }
}

impl From<Problem> for OracleError {
    fn from(problem: Problem) -> Self {
        OracleErrorKind::Problem(problem).into()
    }
}

/// A specification and tests that have been read and fit together.
pub(super) struct Oracle {
    pub(super) spec: Option<Spec>,
    pub(super) tests: TestFile,
}

impl Oracle {
    /// Reads the files that the request names, or else those that the attribute names. Tests that name a specification
    /// use that one, unless the request names another.
    pub(super) fn read(
        program: &Program,
        spec: Option<&File>,
        tests: Option<&File>,
    ) -> Result<Oracle, OracleError> {
        let read = |path: &str| {
            let text = fs::read_to_string(Path::new(program.about.root).join(path))?;
            Ok::<_, std::io::Error>(File { name: path.to_owned(), text })
        };
        let named = |path: &str| {
            let unreadable = |error| {
                let (path, program) = (path.to_owned(), program.about.path());
                OracleErrorKind::Named { path, program, error }
            };
            read(path).map_err(unreadable)
        };
        let paths = program.named;
        let file = match tests {
            Some(file) => Some(file.clone()),
            None => paths.tests.map(named).transpose()?,
        };
        let tests = file.as_ref().map(|file| TestFile::read(&file.name, &file.text)).transpose();
        let tests = tests?.unwrap_or_default();
        let spec = match (spec, paths.spec, &tests.spec) {
            (Some(file), ..) => Some(file.clone()),
            (None, Some(path), _) => Some(named(path)?),
            (None, None, Some(beside)) => {
                let directory = file.as_ref().and_then(|file| Path::new(&file.name).parent());
                let path = directory.unwrap_or(Path::new("")).join(beside);
                let unreadable = |error| {
                    let at = tests.spec_at.as_ref().map(ToString::to_string).unwrap_or_default();
                    OracleErrorKind::Beside { at, path: path.display().to_string(), error }
                };
                Some(read(&path.display().to_string()).map_err(unreadable)?)
            }
            (None, None, None) => None,
        };
        let spec = spec.map(|file| Spec::read(&file.name, &file.text)).transpose()?;
        if let Some(spec) = &spec {
            spec.is_for(&program.about.path())?;
            tests.check(spec)?;
        }
        Ok(Oracle { spec, tests })
    }

    /// Keeps only the named test, if one is named.
    pub(super) fn only(mut self, name: Option<&str>) -> Result<Oracle, OracleError> {
        if let Some(name) = name {
            let names: Vec<String> = self.tests.tests.iter().map(|test| format!("`{}`", test.name)).collect();
            self.tests.tests.retain(|test| test.name == name);
            if self.tests.tests.is_empty() {
                let (name, names) = (name.to_owned(), names.join(", "));
                return Err(OracleErrorKind::NoTest { name, names }.into());
            }
        }
        Ok(self)
    }

    /// The specification for an input.
    pub(super) fn instance(&self, input: Option<&Data>) -> Result<Option<Arc<Instance>>, OracleError> {
        let instance = self.spec.as_ref().map(|spec| spec.with(input.unwrap_or(&Data::Null))).transpose();
        Ok(instance?.map(Arc::new))
    }
}
