//! `cargo insyn init`.
//!
//! First everything is checked, and anything impossible is refused; then the files are written. Existing files are left
//! alone, so that a second run changes nothing.

mod advice;
#[cfg(test)]
mod generated;
mod manifest;
mod workflow;

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, anyhow, bail};
use cargo_metadata::{Edition, Package, Target};
use insyn_specs::nearest;

use super::modeline;
use super::output::{for_terminal, print, write_new};
use crate::build;
use crate::cli::{self, Ci, Init};
use crate::exit::Exit;

/// The files of the first program, by their paths in the package.
const SPECS: [(&str, &str); 2] = [
    ("specs/handover.yaml", include_str!("../../templates/handover.yaml")),
    ("specs/handover.tests.yaml", include_str!("../../templates/handover.tests.yaml")),
];

/// The first program, a module of the crate in tests.
const PROGRAM: &str = include_str!("../../templates/interleavings.rs");

/// The name of that module.
const MODULE: &str = "interleavings";

/// The checkout that this command was built from.
const BUILT_FROM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

pub(crate) fn run(args: &Init) -> Result<Exit> {
    let (package, workspace) = package(args)?;
    let root = package.manifest_path.parent().expect("it is a file").as_std_path();
    let path = match &args.path {
        Some(checkout) => Some(runtime(root, checkout)?),
        None => runtime(root, Path::new(BUILT_FROM)).ok(),
    };
    let manifest = package.manifest_path.as_std_path();
    let crate_root = crate_root(&package)?;
    let old = read(manifest)?;
    let new =
        manifest::with_insyn(&old, path.as_deref()).with_context(|| format!("{}", manifest.display()))?;
    let module = crate_root.with_file_name(format!("{MODULE}.rs"));
    let has_program = module.exists() || crate_root.with_file_name(MODULE).exists();
    let source = read(&crate_root)?;
    // Checked beforehand, so that a package is set up completely or not at all.
    let changes = [(manifest, new != old), (crate_root.as_path(), !has_program)];
    for (path, _) in changes.iter().filter(|(_, is_changed)| *is_changed) {
        let writable = OpenOptions::new().append(true).open(path);
        writable.with_context(|| format!("{} cannot be written", path.display()))?;
    }
    let workflow = args.ci.map(|Ci::Github| workflow::github(&package, &workspace, path.as_deref()));

    let mut report = Report::new(root);
    if has_program {
        report.add("kept", &module, "");
    } else {
        // A specification is useful only together with its program.
        for (path, text) in SPECS {
            let path = root.join(path);
            report.place(&path, &modeline::of_kind(&path, text))?;
        }
        report.place(&module, PROGRAM)?;
        fs::write(&crate_root, with_module(&source, package.edition))
            .with_context(|| format!("{} cannot be written", crate_root.display()))?;
        report.add("changed", &crate_root, ": the module, in tests only");
    }
    if new == old {
        report.add("kept", manifest, "");
    } else {
        fs::write(manifest, new).with_context(|| format!("{} cannot be written", manifest.display()))?;
        report.add("changed", manifest, ": insyn, in tests only");
    }
    if let Some((path, text)) = workflow {
        report.place(&path, &text)?;
    }
    let which = args.package.as_ref().map_or_else(String::new, |_| format!(" -p {}", package.name));
    let advice = advice::next(&which, root, &crate_root, &module);
    print(&(report.text + &for_terminal(&advice)))?;
    Ok(Exit::Fine)
}

/// What was done.
struct Report<'r> {
    root: &'r Path,
    text: String,
}

impl<'r> Report<'r> {
    fn new(root: &'r Path) -> Self {
        Report { root, text: String::new() }
    }

    fn add(&mut self, what: &str, path: &Path, more: &str) {
        let path = path.strip_prefix(self.root).unwrap_or(path).display();
        self.text.push_str(&format!("{what:<10} {path}{more}\n"));
    }

    /// Writes a file unless it exists.
    fn place(&mut self, path: &Path, text: &str) -> Result<()> {
        if path.exists() {
            self.add("kept", path, "");
            return Ok(());
        }
        let directory = path.parent().expect("it has a directory");
        fs::create_dir_all(directory).with_context(|| format!("{} cannot be made", directory.display()))?;
        write_new(path, text)?;
        self.add("written", path, "");
        Ok(())
    }
}

/// The root of the crate that the first program becomes a part of: the library, or else the first binary.
fn crate_root(package: &Package) -> Result<PathBuf> {
    let is_library =
        |it: &&Target| it.is_lib() || it.is_rlib() || it.is_dylib() || it.is_cdylib() || it.is_staticlib();
    let library = package.targets.iter().find(is_library);
    let found = library.or_else(|| package.targets.iter().find(|it| it.is_bin()));
    let target = found.with_context(|| {
        format!(
            "package `{}` has neither a library nor a binary, in which a program could be a test",
            package.name
        )
    })?;
    Ok(target.src_path.clone().into_std_path_buf())
}

/// The root of a crate with the module of the first program. Before 2018, a crate declares the crates that it uses.
fn with_module(source: &str, edition: Edition) -> String {
    let gap = match source.trim_end() {
        "" => "",
        _ if source.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    let declared = if edition == Edition::E2015 { "#[cfg(test)]\nextern crate insyn;\n" } else { "" };
    format!("{source}{gap}{declared}#[cfg(test)]\nmod {MODULE};\n")
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))
}

/// The package to set up, which is the named one or the one in the current directory, and the root of its workspace.
fn package(args: &Init) -> Result<(Package, PathBuf)> {
    let here = manifest_here(args)?;
    let how = cli::Build { manifest_path: Some(here.clone()), ..cli::Build::default() };
    let metadata = build::metadata(&how)?;
    let members = metadata.workspace_packages();
    let names = || members.iter().map(|package| package.name.as_str());
    let found = match &args.package {
        Some(name) => members.iter().find(|package| package.name.as_str() == name).ok_or_else(|| {
            let hint =
                nearest(name, names()).map_or_else(String::new, |it| format!("; did you mean `{it}`?"));
            anyhow!("there is no package `{name}` here{hint}")
        })?,
        None => {
            let here = here.canonicalize()?;
            let is_here = |package: &&&Package| {
                package.manifest_path.as_std_path().canonicalize().is_ok_and(|path| path == here)
            };
            members.iter().find(is_here).ok_or_else(|| {
                let names: Vec<_> = names().collect();
                anyhow!(
                    "{} is a workspace without a package of its own; name one with `-p`: {}",
                    here.display(),
                    names.join(", ")
                )
            })?
        }
    };
    Ok(((*found).clone(), metadata.workspace_root.clone().into_std_path_buf()))
}

/// The nearest Cargo.toml, as cargo finds it.
fn manifest_here(args: &Init) -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["locate-project", "--message-format", "plain"]);
    if let Some(path) = &args.manifest_path {
        command.arg("--manifest-path").arg(path);
    }
    let output = command.output().context("cargo cannot be started")?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr);
        let words = words.trim().trim_start_matches("error: ");
        bail!(
            "{words}\nrun this in a package (`cargo new NAME` makes one), or name one with `--manifest-path`"
        );
    }
    Ok(PathBuf::from(String::from_utf8(output.stdout)?.trim_end()))
}

/// The path from the package to the crate `insyn` in a checkout. It is relative, so that the two can be moved together.
fn runtime(root: &Path, checkout: &Path) -> Result<String> {
    let crates = [checkout.to_path_buf(), checkout.join("runtime")];
    let is_it = |directory: &&PathBuf| {
        let manifest = fs::read_to_string(directory.join("Cargo.toml"));
        manifest.is_ok_and(|text| manifest::name(&text).as_deref() == Some("insyn"))
    };
    let Some(found) = crates.iter().find(is_it) else {
        bail!("{} is no checkout of insyn: neither it nor `runtime` in it is the crate", checkout.display());
    };
    let path = super::output::relative(&root.canonicalize()?, &found.canonicalize()?);
    let path = path.to_str().with_context(|| format!("{} is not UTF-8", path.display()))?;
    Ok(path.replace('\\', "/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_module_comes_last() {
        let module = "#[cfg(test)]\nmod interleavings;\n";
        assert_eq!(with_module("", Edition::E2021), module);
        assert_eq!(with_module("fn f() {}\n", Edition::E2018), format!("fn f() {{}}\n\n{module}"));
        assert_eq!(with_module("fn f() {}", Edition::E2018), format!("fn f() {{}}\n\n{module}"));
        let before = with_module("fn f() {}\n", Edition::E2015);
        assert_eq!(before, format!("fn f() {{}}\n\n#[cfg(test)]\nextern crate insyn;\n{module}"));
    }
}
