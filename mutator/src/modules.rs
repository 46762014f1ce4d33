//! Finds the files of modules, as `#[insyn::instrument]` does.

#[cfg(feature = "packages")]
pub(crate) use places::Place;

/// A module of annotated code in a file of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileModule {
    pub(crate) name: String,
    /// `#[insyn::instrument(path = "server.rs")]`
    pub(crate) annotated_path: Option<String>,
    /// `#[path = "server.rs"]`
    pub(crate) path: Option<String>,
    /// The modules around it in its file.
    pub(crate) inside: Vec<String>,
}

#[cfg(feature = "packages")]
mod places {
    use std::path::{Path, PathBuf};

    use super::FileModule;

    /// A file, and the directory of its modules.
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub(crate) struct Place {
        pub(crate) file: PathBuf,
        modules: Vec<PathBuf>,
    }

    impl Place {
        /// A file that the compiler reads. Its name does not always show whether it is the root of a crate.
        pub(crate) fn of(file: &Path) -> Self {
            let directory = file.parent().map(Path::to_owned).unwrap_or_default();
            let stem = file.file_stem().unwrap_or_default();
            let modules = match stem.to_str() {
                Some("lib" | "main" | "mod") => vec![directory],
                _ => vec![directory.join(stem), directory],
            };
            Place { file: file.to_owned(), modules }
        }

        /// The file of a module that this file declares, if it exists.
        pub(crate) fn find(&self, module: &FileModule) -> Option<Place> {
            self.candidates(module).into_iter().find(|place| place.file.is_file())
        }

        fn candidates(&self, module: &FileModule) -> Vec<Place> {
            let name = &module.name;
            let directory = self.file.parent().map(Path::to_owned).unwrap_or_default();
            let here: Vec<PathBuf> = self
                .modules
                .iter()
                .map(|modules| module.inside.iter().fold(modules.clone(), |at, name| at.join(name)))
                .collect();
            if let Some(path) = &module.annotated_path {
                let natural = *path == format!("{name}.rs") || *path == format!("{name}/mod.rs");
                return vec![match natural {
                    true => Place { file: directory.join(path), modules: vec![directory.join(name)] },
                    false => given(&directory, path),
                }];
            }
            if let Some(path) = &module.path {
                return vec![given(if module.inside.is_empty() { &directory } else { &here[0] }, path)];
            }
            let natural = here.iter().flat_map(|here| {
                [here.join(format!("{name}.rs")), here.join(name).join("mod.rs")]
                    .map(|file| Place { file, modules: vec![here.join(name)] })
            });
            natural.collect()
        }
    }

    /// The file at a given path. Its modules are beside it.
    fn given(directory: &Path, path: &str) -> Place {
        let file = directory.join(path);
        let modules = vec![file.parent().map(Path::to_owned).unwrap_or_default()];
        Place { file, modules }
    }
}
