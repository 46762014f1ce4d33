//! Lets cargo build the test binaries of the packages that use insyn, with instrumentation on.

mod crashes;
mod status;

use std::env;
use std::ffi::OsString;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context, Result};
use cargo_metadata::camino::Utf8PathBuf;
use cargo_metadata::diagnostic::{Diagnostic, DiagnosticLevel};
use cargo_metadata::{Artifact, DependencyKind, Message, Metadata, MetadataCommand, Package};
use insyn_mutator::{LIST_VARIABLE, TRIAL_VARIABLE};
use insyn_sequences::harmless;
use insyn_specs::nearest;

use crate::exit::{Ended, Exit};
use crate::interrupt::{self, Group};
use crate::{cli, display, system};
use status::heard;

/// The error of a build that was interrupted.
const INTERRUPTED: &str = "interrupted while the programs were built";

/// What was built.
#[derive(Debug)]
pub(crate) struct Built {
    pub(crate) binaries: Vec<Binary>,
    /// Cargo's target directory.
    pub(crate) target_directory: PathBuf,
}

/// A test binary.
#[derive(Clone, Debug)]
pub(crate) struct Binary {
    pub(crate) package: String,
    pub(crate) version: String,
    /// The directory of the package, in which its tests run.
    pub(crate) root: PathBuf,
    /// The target that it was built from, such as `lib` or `test programs`.
    pub(crate) target: String,
    pub(crate) path: PathBuf,
    /// Whether it was up to date, so that cargo had nothing to do.
    pub(crate) is_fresh: bool,
}

/// The feature flags that turn `#[insyn::instrument]` on and let programs be judged by specifications and tests.
const FEATURES: &str = "insyn/instrument,insyn/specs";

/// Compiles mutants in too.
const WITH_MUTANTS: &str = "insyn/mutants,insyn/specs";

/// The stack of the compiler's threads, which code with mutants in it needs more of, because it is nested deeper. Only what is
/// used of it takes memory.
const STACK_VARIABLE: &str = "RUST_MIN_STACK";
const STACK: &str = "134217728";

/// Builds the tests of the packages that were asked for.
pub(crate) fn build(how: &cli::Build) -> Result<Built> {
    let metadata = metadata(how)?;
    let packages = chosen(&metadata, how)?;
    let Tests { binaries, .. } = tests(how, &packages, None)?;
    Ok(Built { binaries, target_directory: metadata.target_directory.clone().into_std_path_buf() })
}

/// What cargo knows about the workspace.
pub(crate) fn metadata(how: &cli::Build) -> Result<Metadata> {
    let switches = [(how.locked, "--locked"), (how.offline, "--offline")];
    let switches = switches.into_iter().filter(|(is_on, _)| *is_on).map(|(_, word)| word.to_owned());
    let cannot = "cargo cannot read the workspace";
    let mut metadata = workspace_with(how.manifest_path.as_deref(), switches.collect(), cannot)?;
    if let Some(directory) = &how.target_dir {
        metadata.target_directory = Utf8PathBuf::from_path_buf(std::path::absolute(directory)?)
            .map_err(|path| anyhow::anyhow!("{} is not UTF-8", path.display()))?;
    }
    Ok(metadata)
}

/// What cargo knows about the workspace of a manifest, or of the current directory. `cannot` is the error if cargo fails.
pub(crate) fn workspace(manifest_path: Option<&Path>, cannot: &'static str) -> Result<Metadata> {
    workspace_with(manifest_path, Vec::new(), cannot)
}

fn workspace_with(
    manifest_path: Option<&Path>,
    switches: Vec<String>,
    cannot: &'static str,
) -> Result<Metadata> {
    let mut command = MetadataCommand::new();
    command.no_deps().other_options(switches);
    if let Some(path) = manifest_path {
        command.manifest_path(path);
    }
    let output = interrupt::output(&mut command.cargo_command()).context(cannot)?;
    interrupt::check("interrupted before anything was built")?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(cargo_metadata::Error::CargoMetadata { stderr }).context(cannot);
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let document = text.lines().find(|line| line.starts_with('{'));
    let document = document.ok_or(cargo_metadata::Error::NoJson).context(cannot)?;
    MetadataCommand::parse(document).context(cannot)
}

/// The packages to build: those named, or those of the workspace that depend on insyn.
pub(crate) fn chosen<'m>(metadata: &'m Metadata, how: &cli::Build) -> Result<Vec<&'m Package>> {
    let members = metadata.workspace_packages();
    let find = |name: &String| {
        members.iter().find(|package| package.name.as_str() == name).copied().ok_or_else(|| {
            let all = members.iter().map(|package| package.name.as_str());
            let hint = nearest(name, all).map_or_else(String::new, |it| format!("; did you mean `{it}`?"));
            let name = harmless::text(name);
            anyhow::Error::from(Ended::new(Exit::Refused, format!("there is no package `{name}` here{hint}")))
        })
    };
    if !how.package.is_empty() {
        let find = |name: &String| {
            let package = find(name)?;
            if !uses_insyn(package) {
                let message = format!(
                    "package `{name}` does not depend on insyn; set it up with `cargo insyn init -p {name}`"
                );
                return Err(Ended::new(Exit::Refused, message).into());
            }
            Ok(package)
        };
        return how.package.iter().map(find).collect();
    }
    let excluded = how.exclude.iter().map(find).collect::<Result<Vec<&Package>>>()?;
    let candidates = if how.workspace { members.clone() } else { metadata.workspace_default_packages() };
    let is_meant = |package: &&Package| {
        uses_insyn(package) && !excluded.iter().any(|excluded| excluded.id == package.id)
    };
    let packages: Vec<&Package> = candidates.into_iter().filter(is_meant).collect();
    if packages.is_empty() {
        let left = if excluded.is_empty() { "" } else { ", but for those left out" };
        let message = format!(
            "no package here depends on insyn{left}; set one up with `cargo insyn init`, annotate its code with \
             `#[insyn::instrument]` and a test with `#[insyn::test]`"
        );
        return Err(Ended::new(Exit::Refused, message).into());
    }
    Ok(packages)
}

fn uses_insyn(package: &Package) -> bool {
    let counts = |kind| matches!(kind, DependencyKind::Normal | DependencyKind::Development);
    package.dependencies.iter().any(|it| it.name == "insyn" && it.rename.is_none() && counts(it.kind))
}

/// Mutants to compile in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mutating<'p> {
    /// The file of their list.
    pub(crate) list: &'p Path,
    /// Where to write the code with the mutants in it, if the build only finds out which of them compile.
    pub(crate) trial: Option<&'p Path>,
    /// Cargo settings for how to compile.
    pub(crate) profile: &'p [String],
}

/// What became of building test binaries.
#[derive(Debug, Default)]
pub(crate) struct Tests {
    pub(crate) binaries: Vec<Binary>,
    pub(crate) errors: Vec<Diagnostic>,
    /// How the compiler crashed on a package that was asked for, if it did.
    pub(crate) crash: Option<String>,
}

/// Builds the test binaries of packages. With mutants, errors and crashes of the compiler are no failure but a result.
pub(crate) fn tests(
    how: &cli::Build,
    packages: &[&Package],
    mutating: Option<Mutating<'_>>,
) -> Result<Tests> {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")));
    match mutating {
        // The compiler prints its messages itself.
        None => {
            command.args(["build", "--tests", "--message-format=json-render-diagnostics"]);
            command.args(["--features", FEATURES])
        }
        Some(Mutating { list, trial, profile }) => {
            match trial {
                Some(directory) => command.env(TRIAL_VARIABLE, directory),
                None => command.env_remove(TRIAL_VARIABLE),
            };
            command.env(LIST_VARIABLE, list);
            if env::var_os(STACK_VARIABLE).is_none() {
                command.env(STACK_VARIABLE, STACK);
            }
            // All errors of all targets are wanted.
            command.args(["build", "--tests", "--keep-going", "--message-format=json"]);
            command.args(["--features", WITH_MUTANTS]);
            for setting in profile {
                command.args(["--config", setting]);
            }
            &mut command
        }
    };
    add_options(&mut command, how, mutating.is_some());
    for package in packages {
        // By name and version: a dependency may have the same name.
        command.arg("--package").arg(&package.id.repr);
    }
    if mutating.is_some() {
        command.stderr(Stdio::piped());
    }
    interrupt::check(INTERRUPTED)?;
    let mut cargo = system::apart(&mut command)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .context("cargo cannot be started")?;
    let group = Group::of(&cargo);
    let output = BufReader::new(cargo.stdout.take().expect("it is piped"));
    let words = cargo.stderr.take().map(|stderr| thread::spawn(|| heard(stderr)));
    let (mut binaries, mut errors, mut crash) = (Vec::new(), Vec::new(), None);
    for message in Message::parse_stream(output) {
        match message.context("cargo cannot be understood")? {
            Message::CompilerArtifact(artifact) => {
                let package = packages.iter().find(|package| package.id == artifact.package_id);
                binaries.extend(package.and_then(|package| binary(package, artifact)));
            }
            Message::CompilerMessage(message) if message.message.level == DiagnosticLevel::Ice => {
                crash.get_or_insert(message.message.message);
            }
            Message::CompilerMessage(message) if message.message.level == DiagnosticLevel::Error => {
                errors.push(message.message);
            }
            _ => {}
        }
    }
    drop(group);
    let built = cargo.wait().context("cargo cannot be waited for")?.success();
    interrupt::check(INTERRUPTED)?;
    let words = words.and_then(|reader| reader.join().ok()).unwrap_or_default();
    binaries.sort_by(|a, b| (&a.package, &a.target).cmp(&(&b.package, &b.target)));
    if built {
        return Ok(Tests { binaries, ..Tests::default() });
    }
    if mutating.is_some() {
        let names = packages.iter().map(|package| package.name.as_str());
        let crash = crashes::told(&words, names).or(crash).or_else(|| crashes::linker(&errors));
        if crash.is_some() || !errors.is_empty() {
            return Ok(Tests { binaries, errors, crash });
        }
    }
    let message = format!("{words}the build failed");
    Err(Ended::new(Exit::BuildFailed, message).into())
}

/// The options that are cargo's own. If what cargo prints is read, it is read without colours.
fn add_options(command: &mut Command, how: &cli::Build, is_read: bool) {
    match (display::is_quiet(), display::is_verbose()) {
        (true, _) => drop(command.arg("--quiet")),
        (_, true) => drop(command.arg("--verbose")),
        _ => {}
    }
    match (is_read, display::color()) {
        (true, _) => drop(command.args(["--color", "never"])),
        (_, Some(color)) => drop(command.args(["--color", color.word()])),
        _ => {}
    }
    for features in &how.features {
        command.args(["--features", features]);
    }
    let switches = [
        (how.all_features, "--all-features"),
        (how.no_default_features, "--no-default-features"),
        (how.release, "--release"),
        (how.locked, "--locked"),
        (how.offline, "--offline"),
    ];
    command.args(switches.into_iter().filter(|(is_on, _)| *is_on).map(|(_, word)| word));
    for (option, value) in [("--profile", &how.profile), ("--jobs", &how.jobs)] {
        if let Some(value) = value {
            command.args([option, value]);
        }
    }
    for (option, path) in [("--manifest-path", &how.manifest_path), ("--target-dir", &how.target_dir)] {
        if let Some(path) = path {
            command.arg(option).arg(path);
        }
    }
}

fn binary(package: &Package, artifact: Artifact) -> Option<Binary> {
    if !artifact.profile.test {
        return None;
    }
    let kind = artifact.target.kind.first().map(ToString::to_string).unwrap_or_default();
    let target = match kind.as_str() {
        "lib" => kind,
        kind => format!("{kind} {}", artifact.target.name),
    };
    Some(Binary {
        package: package.name.to_string(),
        version: package.version.to_string(),
        root: package.manifest_path.parent().expect("it is a file").into(),
        target,
        is_fresh: artifact.fresh,
        path: artifact.executable?.into(),
    })
}
