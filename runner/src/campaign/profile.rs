//! How the package with the mutants is compiled: without output that is never used.

use std::fs;
use std::path::Path;

use cargo_metadata::Package;
use toml_edit::{DocumentMut, Item};

/// What is left out: programs with mutants print no backtraces, so they need no debug information; and all code changes
/// with each list of mutants, so incremental compilation has nothing to reuse.
const LEFT_OUT: [&str; 2] = ["debug", "incremental"];

/// Settings for cargo's `--config`, for a package of the workspace at `root` that is built with a profile.
pub(super) fn settings(root: &Path, package: &Package, profile: &str) -> Vec<String> {
    // If the manifest cannot be read, cargo reports why.
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap_or_default();
    let spec = spec(&manifest, profile, package.name.as_str());
    LEFT_OUT.map(|setting| format!("profile.{profile}.package.\"{spec}\".{setting}=false")).to_vec()
}

/// The name by which a profile in the workspace manifest refers to a package, if it does: cargo refuses two names for one
/// package.
pub(crate) fn spec(manifest: &str, profile: &str, name: &str) -> String {
    let document: DocumentMut = manifest.parse().unwrap_or_default();
    let packages = ["profile", profile, "package"].into_iter().try_fold(document.as_item(), Item::get);
    let specs = packages.and_then(Item::as_table_like).into_iter().flat_map(|it| it.iter());
    let is_it =
        |spec: &&str| spec.rsplit('#').next().and_then(|it| it.split(['@', ':']).next()) == Some(name);
    specs.map(|(spec, _)| spec).find(is_it).unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_keeps_the_name_that_it_has() {
        let of = |manifest| spec(manifest, "dev", "bank");
        assert_eq!(of(""), "bank");
        assert_eq!(of("[profile.dev.package.\"*\"]\nopt-level = 3\n"), "bank");
        assert_eq!(of("[profile.dev.package]\nbank.opt-level = 2\n"), "bank");
        assert_eq!(of("[profile.dev.package.\"bank@0.1.0\"]\nopt-level = 2\n"), "bank@0.1.0");
        assert_eq!(of("[profile.dev.package.\"bank:0.1.0\"]\nopt-level = 2\n"), "bank:0.1.0");
        assert_eq!(of("[profile.dev.package.\"banker@0.1.0\"]\nopt-level = 2\n"), "bank");
        assert_eq!(of("[profile.release.package.\"bank@0.1.0\"]\nopt-level = 2\n"), "bank");
        assert_eq!(of("[[no manifest"), "bank");
    }
}
