//! The arguments of the attribute that are about paths.

use super::mirrors::{self, Mirror};

/// What counts as mirrored, beyond what always does.
#[derive(Clone, Debug, Default)]
pub(super) struct Settings {
    /// `(from, to)`: a path that begins with `from` means the one that begins with `to` instead.
    pub(super) reexports: Vec<(Vec<String>, Vec<String>)>,
    /// Paths that stay what they are.
    pub(super) kept: Vec<Vec<String>>,
}

impl Settings {
    /// Whether a name is that of a crate which re-exports something.
    pub(super) fn is_crate(&self, name: &str) -> bool {
        self.reexports.iter().any(|(from, _)| from[0] == name)
    }

    /// What the first names of a path are to be replaced with, and how many, because they lead to a re-export.
    pub(super) fn reexport(&self, path: &[&str]) -> Option<(usize, &[String])> {
        let (from, to) = self.reexports.iter().find(|(from, _)| begins(path, from))?;
        Some((from.len(), to))
    }

    /// The path without the detour of a re-export.
    pub(super) fn known_as<'a>(&'a self, path: &'a [String]) -> Vec<&'a str> {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        match self.reexport(&path) {
            Some((replaced, to)) => {
                to.iter().map(String::as_str).chain(path[replaced..].iter().copied()).collect()
            }
            None => path,
        }
    }

    /// Whether a path (without detours) stays what it is.
    pub(super) fn keeps(&self, path: &[&str]) -> bool {
        let proper = mirrors::proper(path);
        let proper = proper.as_deref().unwrap_or(path);
        // A module that is refused but for what has a mirror is kept by the spelling that it was given with.
        self.kept.iter().any(|kept| begins(proper, kept) || begins(path, kept))
    }

    /// The mirror of what a path leads to, unless that stays what it is.
    pub(super) fn mirror(&self, path: &[String]) -> Option<Mirror> {
        let path = self.known_as(path);
        if self.keeps(&path) { None } else { mirrors::mirror(&path) }
    }
}

fn begins(path: &[&str], with: &[String]) -> bool {
    path.len() >= with.len() && path.iter().zip(with).all(|(a, b)| a == b)
}
