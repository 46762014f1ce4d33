//! `cargo insyn init`.
//!
//! First everything is checked, and anything impossible is refused; then the files are written. Existing files are left
//! alone, so that a second run changes nothing.

#[cfg(test)]
mod generated;
mod manifest;

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, anyhow, bail};
use cargo_metadata::{Edition, Package};
use insyn_specs::nearest;

use super::modeline;
use super::output::{print, write_new};
use crate::build;
use crate::cli::{self, Init};
use crate::exit::Exit;

/// The files of the first program, by their paths in the package.
const FILES: [(&str, &str); 3] = [
    ("tests/insyn.rs", include_str!("../../templates/insyn.rs")),
    ("tests/insyn/handover.yaml", include_str!("../../templates/insyn/handover.yaml")),
    ("tests/insyn/handover.tests.yaml", include_str!("../../templates/insyn/handover.tests.yaml")),
];

/// The checkout that this command was built from.
const BUILT_FROM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Another path for the first file; cargo refuses to have both.
const ELSEWHERE: &str = "tests/insyn/main.rs";

pub(crate) fn run(args: &Init) -> Result<Exit> {
    let package = package(args)?;
    let root = package.manifest_path.parent().expect("it is a file").as_std_path();
    let path = match &args.path {
        Some(checkout) => Some(runtime(root, checkout)?),
        None => runtime(root, Path::new(BUILT_FROM)).ok(),
    };
    let manifest = package.manifest_path.as_std_path();
    let old =
        fs::read_to_string(manifest).with_context(|| format!("{} cannot be read", manifest.display()))?;
    let new =
        manifest::with_insyn(&old, path.as_deref()).with_context(|| format!("{}", manifest.display()))?;
    if new != old {
        // Checked beforehand, so that a package is set up completely or not at all.
        let writable = OpenOptions::new().append(true).open(manifest);
        writable.with_context(|| format!("{} cannot be written", manifest.display()))?;
    }

    let mut report = String::new();
    let mut add = |what: &str, path: &str| report.push_str(&format!("{what:<10} {path}\n"));
    // All files or none: a specification is useful only together with its program.
    let taken = [FILES[0].0, ELSEWHERE].into_iter().find(|path| root.join(path).exists());
    match taken {
        Some(path) => add("kept", path),
        None => {
            for (path, text) in FILES {
                let text = modeline::of_kind(&root.join(path), &in_edition(package.edition, path, text));
                add(if place(&root.join(path), &text)? { "written" } else { "kept" }, path);
            }
        }
    }
    if new == old {
        add("kept", "Cargo.toml");
    } else {
        fs::write(manifest, new).with_context(|| format!("{} cannot be written", manifest.display()))?;
        add("changed", "Cargo.toml: insyn, and its switch for tests");
    }
    report.push_str(&next(args, package.name.as_str()));
    print(&report)?;
    Ok(Exit::Fine)
}

/// Adapts a file to the edition of the package: before 2018, a crate declares the crates that it uses.
fn in_edition(edition: Edition, path: &str, text: &str) -> String {
    if edition != Edition::E2015 || !path.ends_with(".rs") {
        return text.to_owned();
    }
    let (documentation, code): (Vec<&str>, Vec<&str>) =
        text.split_inclusive('\n').partition(|line| line.starts_with("//!"));
    format!("{}\nextern crate insyn;\n{}", documentation.concat(), code.concat())
}

/// The package to set up: the named one, or the one in the current directory.
fn package(args: &Init) -> Result<Package> {
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
    Ok((*found).clone())
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

/// Writes a file unless it exists.
fn place(path: &Path, text: &str) -> Result<bool> {
    if path.exists() {
        return Ok(false);
    }
    let directory = path.parent().expect("it is in the package");
    fs::create_dir_all(directory).with_context(|| format!("{} cannot be made", directory.display()))?;
    write_new(path, text)?;
    Ok(true)
}

/// What to do next.
fn next(args: &Init, package: &str) -> String {
    let which = args.package.as_ref().map_or_else(String::new, |_| format!(" -p {package}"));
    format!(
        "
Next:
  cargo insyn explore{which}      run every behaviour of the first program
  cargo insyn check{which}        judge it by its specification and its tests
  cargo insyn mutate{which}       change its code in small ways, and see whether the tests tell
Then put `#[insyn::instrument]` on the modules of yours that use threads, channels and locks, and write a
program that drives them, in tests/insyn.rs or beside your tests.
Explorations are long: `opt-level = 1` under `[profile.dev]` makes them short.
"
    )
}
