//! What a program is judged by: a specification, tests, or both.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use insyn_specs::spec::Instance;
use insyn_specs::{Spec, TestFile};
use insyn_verdicts::protocol::File;
use serde_json::Value as Data;

use super::Program;

/// A specification and tests that have been read and fit together.
pub(super) struct Oracle {
    pub(super) spec: Option<Spec>,
    pub(super) tests: TestFile,
}

impl Oracle {
    /// Reads what was asked for, and for what was not, what the attribute names. Tests that name their specification
    /// have that one, unless somebody names another.
    pub(super) fn read(
        program: &Program,
        spec: Option<&File>,
        tests: Option<&File>,
    ) -> Result<Oracle, String> {
        let read = |path: &str| {
            let text = fs::read_to_string(Path::new(program.about.root).join(path))?;
            Ok::<_, std::io::Error>(File { name: path.to_owned(), text })
        };
        let named = |path: &str| {
            let told = |error| format!("{path}, which program `{}` names: {error}", program.about.path());
            read(path).map_err(told)
        };
        let paths = program.named;
        let file = match tests {
            Some(file) => Some(file.clone()),
            None => paths.tests.map(named).transpose()?,
        };
        let tests = file.as_ref().map(|file| TestFile::read(&file.name, &file.text)).transpose();
        let tests = tests.map_err(|problem| problem.to_string())?.unwrap_or_default();
        let spec = match (spec, paths.spec, &tests.spec) {
            (Some(file), ..) => Some(file.clone()),
            (None, Some(path), _) => Some(named(path)?),
            (None, None, Some(beside)) => {
                let directory = file.as_ref().and_then(|file| Path::new(&file.name).parent());
                let path = directory.unwrap_or(Path::new("")).join(beside);
                let at = tests.spec_at.as_ref().map(ToString::to_string).unwrap_or_default();
                Some(read(&path.display().to_string()).map_err(|error| {
                    format!("{at}: the specification that is named there: {}: {error}", path.display())
                })?)
            }
            (None, None, None) => None,
        };
        let spec = spec.map(|file| Spec::read(&file.name, &file.text)).transpose();
        let spec = spec.map_err(|problem| problem.to_string())?;
        if let Some(spec) = &spec {
            tests.check(spec).map_err(|problem| problem.to_string())?;
        }
        Ok(Oracle { spec, tests })
    }

    /// With one of its tests only, if one is named.
    pub(super) fn only(mut self, name: Option<&str>) -> Result<Oracle, String> {
        if let Some(name) = name {
            let names: Vec<String> = self.tests.tests.iter().map(|test| format!("`{}`", test.name)).collect();
            self.tests.tests.retain(|test| test.name == name);
            if self.tests.tests.is_empty() {
                return Err(format!("there is no test `{name}`; there are {}", names.join(", ")));
            }
        }
        Ok(self)
    }

    /// The specification for an input.
    pub(super) fn instance(&self, input: Option<&Data>) -> Result<Option<Arc<Instance>>, String> {
        let instance = self.spec.as_ref().map(|spec| spec.with(input.unwrap_or(&Data::Null))).transpose();
        instance.map(|it| it.map(Arc::new)).map_err(|problem| problem.to_string())
    }
}
