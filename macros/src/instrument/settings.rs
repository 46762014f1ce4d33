//! The arguments of the attribute that are about paths.

use super::mirrors::{self, Mirror};

/// Changes to the set of replaced paths.
#[derive(Clone, Debug, Default)]
pub(super) struct Settings {
    /// `(from, to)`: a path that starts with `from` means the one that starts with `to` instead.
    pub(super) reexports: Vec<(Vec<String>, Vec<String>)>,
    /// Paths that are not replaced.
    pub(super) kept: Vec<Vec<String>>,
}

impl Settings {
    /// Whether a name is that of a crate which re-exports something.
    pub(super) fn is_crate(&self, name: &str) -> bool {
        self.reexports.iter().any(|(from, _)| from[0] == name)
    }

    /// The path that a re-export stands for, and how many names at the start of a path it replaces.
    pub(super) fn reexport(&self, path: &[&str]) -> Option<(usize, &[String])> {
        let (from, to) = self.reexports.iter().find(|(from, _)| begins(path, from))?;
        Some((from.len(), to))
    }

    /// The path with re-exports resolved.
    pub(super) fn known_as<'a>(&'a self, path: &'a [String]) -> Vec<&'a str> {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        match self.reexport(&path) {
            Some((replaced, to)) => {
                to.iter().map(String::as_str).chain(path[replaced..].iter().copied()).collect()
            }
            None => path,
        }
    }

    /// Whether a path (with re-exports resolved) is not replaced.
    pub(super) fn keeps(&self, path: &[&str]) -> bool {
        let proper = mirrors::proper(path);
        let proper = proper.as_deref().unwrap_or(path);
        // A module that is rejected except for its replaced items is kept in the spelling that was given.
        self.kept.iter().any(|kept| begins(proper, kept) || begins(path, kept))
    }

    /// The replacement for a path, unless the path is kept.
    pub(super) fn mirror(&self, path: &[String]) -> Option<Mirror> {
        let path = self.known_as(path);
        if self.keeps(&path) { None } else { mirrors::mirror(&path) }
    }
}

fn begins(path: &[&str], with: &[String]) -> bool {
    path.len() >= with.len() && path.iter().zip(with).all(|(a, b)| a == b)
}
