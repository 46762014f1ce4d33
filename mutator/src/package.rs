//! Finds the mutants of a package: of all its sources, and of the files that annotated modules are in.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path};
use std::{fs, io};

use walkdir::{DirEntry, WalkDir};

use crate::error::{FindError, FindErrorKind};
use crate::extent::Position;
use crate::find::{Options, find_within};
use crate::modules::Place;
use crate::mutant::Mutant;
use crate::skip::Unused;

/// What was found in a package.
#[derive(Clone, Debug, Default)]
pub struct Package {
    /// The mutants, in order, including those that are skipped.
    pub mutants: Vec<Mutant>,
    /// Skip comments without a mutant to skip.
    pub unused: Vec<Unused>,
    /// The texts of the files that have mutants, by their paths from the root.
    pub sources: BTreeMap<String, String>,
    /// Files that mention instrumentation and cannot be parsed: their mutants are missing. A file that belongs to no
    /// program, such as an example of code that does not compile, is here too.
    pub unread: Vec<FindError>,
    /// Malformed skip comments: it is not known which mutants they should skip.
    pub wrong: Vec<FindError>,
}

/// Finds the mutants of the annotated code of a package. `root` is the directory of its `Cargo.toml`.
///
/// Packages inside it, hidden directories and `target` are left out.
pub fn find_package(root: &Path, options: &Options) -> io::Result<Package> {
    let mut package = Package::default();
    let mut seen = BTreeSet::new();
    let walk = WalkDir::new(root).sort_by_file_name().into_iter();
    for entry in walk.filter_entry(is_wanted) {
        let entry = entry?;
        let is_source = entry.path().extension().is_some_and(|extension| extension == "rs");
        if is_source && entry.file_type().is_file() {
            package.search(root, Place::of(entry.path()), options, false, &mut seen)?;
        }
    }
    package.mutants.sort();
    package.mutants.dedup();
    package.unused.sort_by(|a, b| (&a.file, a.position).cmp(&(&b.file, b.position)));
    package.unused.dedup();
    package.unread.dedup();
    Ok(package)
}

fn is_wanted(entry: &DirEntry) -> bool {
    if entry.depth() == 0 || !entry.file_type().is_dir() {
        return true;
    }
    let name = entry.file_name().to_string_lossy();
    !name.starts_with('.') && name != "target" && !entry.path().join("Cargo.toml").exists()
}

impl Package {
    /// Searches a file and the files of its modules; the whole file if it is the file of an annotated module.
    fn search(
        &mut self,
        root: &Path,
        place: Place,
        options: &Options,
        annotated: bool,
        seen: &mut BTreeSet<(String, bool)>,
    ) -> io::Result<()> {
        let Some(name) = name(root, &place.file) else { return Ok(()) };
        if !seen.insert((name.clone(), annotated)) {
            return Ok(());
        }
        let source = match fs::read_to_string(&place.file) {
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                let position = Position { line: 1, column: 1 };
                let (message, kind) = (error.to_string(), FindErrorKind::Syntax);
                self.unread.push(FindError { file: name, position, message, kind });
                return Ok(());
            }
            source => source?,
        };
        if !annotated && !source.contains("instrument") {
            return Ok(());
        }
        let found = match find_within(&name, &source, options, annotated) {
            Ok(found) => found,
            Err(error) => {
                match error.kind {
                    FindErrorKind::Syntax => self.unread.push(error),
                    FindErrorKind::Skip => self.wrong.push(error),
                }
                return Ok(());
            }
        };
        for module in &found.modules {
            if let Some(place) = place.find(module) {
                self.search(root, place, options, true, seen)?;
            }
        }
        self.unused.extend(found.unused);
        if !found.mutants.is_empty() {
            self.mutants.extend(found.mutants);
            self.sources.insert(name, source);
        }
        Ok(())
    }
}

/// The normalized path of a file from the root, with `/` between its parts; none if the file is outside.
fn name(root: &Path, file: &Path) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    for part in file.strip_prefix(root).ok()?.components() {
        match part {
            Component::Normal(part) => parts.push(part.to_string_lossy().into_owned()),
            Component::ParentDir => drop(parts.pop()?),
            _ => {}
        }
    }
    Some(parts.join("/"))
}
