//! The origin of code, and the files in which its modules are looked for.

use std::path::{Component, Path, PathBuf};
use std::{env, fs, mem};

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;
use syn::{Error, ItemMod, LitStr};

/// Where code comes from.
#[derive(Clone, Debug)]
pub(super) struct Source {
    /// The name of the file in messages and places, if it has been read here.
    shown: Option<String>,
    /// The directory of the file.
    directory: PathBuf,
    /// Where modules of this file are looked for, and those of the modules around the place in question, the
    /// outermost first. The name of a file does not always say whether it is the root of a crate, so there may be
    /// several.
    modules: Vec<Vec<PathBuf>>,
    /// The files that are being read; a module in one of them would be a cycle.
    open: Vec<PathBuf>,
}

impl Source {
    /// The source that the compiler passed to the macro at `span`.
    pub(super) fn around(span: Span) -> Self {
        let manifest = || env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
        let Some(file) = span.local_file() else {
            let directory = manifest().join("src");
            return Source {
                shown: None,
                modules: vec![vec![directory.clone()]],
                directory,
                open: Vec::new(),
            };
        };
        // The compiler names files from where it was started, which is the workspace or the package.
        Self::of(&if file.exists() { file } else { manifest().join(file) })
    }

    /// The source in a file that the compiler has read.
    pub(super) fn of(file: &Path) -> Self {
        let directory = file.parent().map(Path::to_owned).unwrap_or_default();
        let stem = file.file_stem().unwrap_or_default();
        let modules = match stem.to_str() {
            Some("lib" | "main" | "mod") => vec![directory.clone()],
            _ => vec![directory.join(stem), directory.clone()],
        };
        let open = file.canonicalize().into_iter().collect();
        Source { shown: None, directory, modules: vec![modules], open }
    }

    /// The file, if it is known.
    pub(super) fn file(&self) -> Option<&Path> {
        self.open.last().map(PathBuf::as_path)
    }

    /// The name of the file in messages and places, if it has been read here.
    pub(super) fn file_read(&self) -> Option<&str> {
        self.shown.as_deref()
    }

    /// Enters an inline module.
    pub(super) fn enter(&mut self, module: &Ident) {
        let name = module.unraw().to_string();
        let inner = self.here().iter().map(|directory| directory.join(&name)).collect();
        self.modules.push(inner);
    }

    /// Leaves it again.
    pub(super) fn leave(&mut self) {
        self.modules.pop();
    }

    /// The module that the place is in: the same for two places in one module, and only then.
    pub(super) fn module_path(&self) -> String {
        format!("{:?} {:?}", self.shown, self.here())
    }

    /// The files that the compiler would look for a module in, if it is in one of these files beside the others.
    pub(super) fn candidates(&self, module: &Ident, files: &[String]) -> Vec<ModuleFile> {
        let name = module.unraw().to_string();
        let of = |directory: &PathBuf, file: &String| ModuleFile {
            file: directory.join(file),
            modules: directory.join(&name),
        };
        self.here().iter().flat_map(|directory| files.iter().map(move |file| of(directory, file))).collect()
    }

    /// The file that the path in an attribute leads to. The modules of that file are beside it.
    pub(super) fn at_path(&self, path: &str) -> ModuleFile {
        let base = match self.modules.len() {
            1 => &self.directory,
            _ => &self.here()[0],
        };
        let file = base.join(path);
        let modules = file.parent().map(Path::to_owned).unwrap_or_default();
        ModuleFile { file, modules }
    }

    /// Reads a file.
    pub(super) fn read(&self, found: ModuleFile, span: Span) -> syn::Result<ReadFile> {
        let file = &found.file;
        let unreadable = |error| Error::new(span, format!("cannot read `{}`: {error}", file.display()));
        let name = file.canonicalize().map_err(unreadable)?;
        if let Some(at) = self.open.iter().position(|open| *open == name) {
            let circle: Vec<String> =
                self.open[at..].iter().chain([&name]).map(|file| format!("`{}`", short(file))).collect();
            let circle = circle.join(", which has a module in ");
            return Err(Error::new(span, format!("a module cannot be in its own file: {circle}")));
        }
        let text = fs::read_to_string(file).map_err(unreadable)?;
        let shown = tidy(file).display().to_string();
        Ok(ReadFile { found, name, shown, text })
    }

    /// Enters a file. Output: the source around it, for [`leave_file`](Self::leave_file).
    pub(super) fn enter_file(&mut self, file: &ReadFile) -> Source {
        let mut open = mem::take(&mut self.open);
        open.push(file.name.clone());
        let inner = Source {
            shown: Some(file.shown.clone()),
            directory: file.found.file.parent().map(Path::to_owned).unwrap_or_default(),
            modules: vec![vec![file.found.modules.clone()]],
            open,
        };
        mem::replace(self, inner)
    }

    /// Leaves it again.
    pub(super) fn leave_file(&mut self, outer: Source) {
        self.open = mem::replace(self, outer).open;
        self.open.pop();
    }

    fn here(&self) -> &[PathBuf] {
        self.modules.last().expect("a file has a place for its modules")
    }
}

/// A file that a module is in.
pub(super) struct ModuleFile {
    pub(super) file: PathBuf,
    /// Where its own modules are.
    modules: PathBuf,
}

/// A file that has been read.
pub(super) struct ReadFile {
    found: ModuleFile,
    /// Its canonical name.
    name: PathBuf,
    /// Its name in messages and places.
    pub(super) shown: String,
    pub(super) text: String,
}

/// Whether the compiler would find the file by itself.
pub(super) fn is_natural(module: &ItemMod, path: &LitStr) -> bool {
    let (name, path) = (module.ident.unraw(), path.value());
    path == format!("{name}.rs") || path == format!("{name}/mod.rs")
}

/// The normalized path (`src/../tests` is `tests`), as a person would write it.
fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for part in path.components() {
        match (part, tidy.components().next_back()) {
            (Component::ParentDir, Some(Component::Normal(_))) => {
                tidy.pop();
            }
            (Component::CurDir, _) => {}
            _ => tidy.push(part),
        }
    }
    tidy
}

fn short(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
