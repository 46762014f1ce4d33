//! A workflow for continuous integration.

use std::path::{Path, PathBuf};

use cargo_metadata::Package;

use crate::commands::output::repository;

const GITHUB: &str = include_str!("../../../templates/github.yml");

/// The path and the text of a workflow for GitHub Actions. `runtime` is the path from the package to the crate `insyn`.
pub(super) fn github(package: &Package, workspace: &Path, runtime: Option<&str>) -> (PathBuf, String) {
    let repository = repository(workspace).unwrap_or(workspace);
    let directory = repository.file_name().unwrap_or_default().to_string_lossy();
    let checkout =
        runtime.and_then(|path| Path::new(path).parent()?.file_name()?.to_str()).unwrap_or("insyn");
    let path = repository.join(".github").join("workflows").join("insyn.yml");
    (path, text(&package.name, &directory, checkout))
}

fn text(package: &str, directory: &str, checkout: &str) -> String {
    GITHUB.replace("PACKAGE", package).replace("DIRECTORY", directory).replace("CHECKOUT", checkout)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// The guide shows the workflow of a package `bank`.
    #[test]
    fn the_workflow_is_that_of_the_guide() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
        let guide = fs::read_to_string(root.join("docs/guide.md")).expect("it is there");
        let text = text("bank", "bank", "insyn");
        assert!(guide.contains(&format!("```yaml\n{text}```")), "the guide does not show this:\n{text}");
        let left: Vec<&str> =
            ["PACKAGE", "DIRECTORY", "CHECKOUT"].into_iter().filter(|it| text.contains(it)).collect();
        assert!(left.is_empty(), "{left:?}");
    }
}
