//! The programs in test binaries. Each program leaves a marker in its binary, so none has to be run to be found.

use std::fs;

use anyhow::{Context, Result};
use insyn_specs::nearest;
use insyn_verdicts::protocol::{END, MARKER};
use memchr::memmem;

use crate::build::{Binary, Built};
use crate::exit::{Ended, Exit};

/// A function under `#[insyn::test]`.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) binary: Binary,
    /// Crate and modules.
    module: String,
    /// Its name: its function, or as much of its path as makes it unique in its package.
    pub(crate) name: String,
    function: String,
}

impl Program {
    /// Crate, modules and function.
    pub(crate) fn path(&self) -> String {
        format!("{}::{}", self.module, self.function)
    }

    /// What the test harness calls it: its path without the crate.
    pub(crate) fn test(&self) -> String {
        let path = self.path();
        path.split_once("::").map_or(path.clone(), |(_, rest)| rest.to_owned())
    }

    /// Whether a user can refer to it by this name: its path, or the end of its path.
    fn answers_to(&self, name: &str) -> bool {
        let path = self.path();
        path.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with("::"))
    }
}

/// All programs in the test binaries, sorted by package, target and path.
pub(crate) fn find(built: &Built) -> Result<Vec<Program>> {
    let mut programs = Vec::new();
    for binary in &built.binaries {
        let bytes = fs::read(&binary.path)
            .with_context(|| format!("the test binary {} cannot be read", binary.path.display()))?;
        for (module, function) in marked(&bytes, &binary.package) {
            programs.push(Program { binary: binary.clone(), module, name: function.clone(), function });
        }
    }
    let paths: Vec<(String, String)> =
        programs.iter().map(|it| (it.binary.package.clone(), it.path())).collect();
    for program in &mut programs {
        let others: Vec<&str> = paths
            .iter()
            .filter(|(package, path)| *package == program.binary.package && *path != program.path())
            .map(|(_, path)| path.as_str())
            .collect();
        program.name = shortest(&program.path(), &others);
    }
    Ok(programs)
}

/// Module and function of every program of a package that has left its marker.
fn marked(bytes: &[u8], package: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for at in memmem::find_iter(bytes, MARKER) {
        let rest = &bytes[at + MARKER.len()..];
        let mut parts = rest.splitn(4, |byte| *byte == END as u8).map(std::str::from_utf8);
        let (Some(Ok(of)), Some(Ok(module)), Some(Ok(function)), Some(_)) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            continue;
        };
        if of == package {
            found.push((module.to_owned(), function.to_owned()));
        }
    }
    found.sort();
    found.dedup();
    found
}

/// The shortest end of a path that is not the end of another path.
fn shortest(path: &str, others: &[&str]) -> String {
    let parts: Vec<&str> = path.split("::").collect();
    let ends = (0..parts.len()).rev().map(|n| parts[n..].join("::"));
    let is_unique =
        |end: &String| others.iter().all(|other| *other != end && !other.ends_with(&format!("::{end}")));
    ends.into_iter().find(is_unique).unwrap_or_else(|| path.to_owned())
}

/// The named programs, in the order of `programs`; all if none is named.
pub(crate) fn choose(programs: Vec<Program>, names: &[String]) -> Result<Vec<Program>> {
    if programs.is_empty() {
        let message = "these packages have no programs; write one: a function under `#[insyn::test]`";
        return Err(Ended::new(Exit::Refused, message).into());
    }
    for name in names {
        if !programs.iter().any(|program| program.answers_to(name)) {
            let near = nearest(name, programs.iter().map(|it| it.name.as_str()));
            let hint = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => "list programs with `cargo insyn list`".to_owned(),
            };
            return Err(Ended::new(Exit::Refused, format!("there is no program `{name}`; {hint}")).into());
        }
    }
    let is_meant = |it: &Program| names.is_empty() || names.iter().any(|name| it.answers_to(name));
    Ok(programs.into_iter().filter(is_meant).collect())
}

/// The only program that a user can refer to by a name.
pub(crate) fn choose_one(programs: Vec<Program>, name: &str) -> Result<Program> {
    let mut programs = choose(programs, &[name.to_owned()])?;
    if programs.len() > 1 {
        let all: Vec<String> = programs.iter().map(Program::path).collect();
        let message =
            format!("there is more than one program `{name}`: {}; write more of the path", all.join(", "));
        return Err(Ended::new(Exit::Refused, message).into());
    }
    Ok(programs.remove(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_found_among_other_bytes() {
        let of = |package: &str, module: &str, name: &str| {
            format!("{MARKER}{package}{END}{module}{END}{name}{END}").into_bytes()
        };
        let mut bytes = vec![0xff, 0x1e, b'i', b'n', b's', b'y', b'n'];
        bytes.extend(of("a", "a::tests", "works"));
        bytes.extend([0, 0xfe]);
        bytes.extend(of("another", "b", "not_mine"));
        bytes.extend(of("a", "a", "runs"));
        bytes.extend(MARKER.as_bytes());
        let expected = [("a", "runs"), ("a::tests", "works")];
        let expected: Vec<_> = expected.iter().map(|(m, f)| ((*m).to_owned(), (*f).to_owned())).collect();
        assert_eq!(marked(&bytes, "a"), expected);
    }

    #[test]
    fn names_are_as_short_as_they_can_be() {
        assert_eq!(shortest("a::tests::works", &["a::tests::fails"]), "works");
        assert_eq!(shortest("a::tests::works", &["a::more::works"]), "tests::works");
        assert_eq!(shortest("a::works", &["b::works", "a::overworks"]), "a::works");
        assert_eq!(shortest("a::works", &["a::inner::a::works"]), "a::works");
    }
}
