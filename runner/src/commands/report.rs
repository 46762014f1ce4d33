//! `cargo insyn report`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use insyn_mutator::Family;
use insyn_reports::{document, github, html, junit, markdown, stryker, text};
use insyn_verdicts::Campaign;

use super::output::{print, repository, style};
use crate::build;
use crate::campaign::lock;
use crate::campaign::state::{self, CAMPAIGN, REPORT, RESULTS};
use crate::cli::ReportFormat;
use crate::exit::Exit;
use crate::file;
use crate::options::Report;

pub(crate) fn run(args: &Report) -> Result<Exit> {
    let format = args.format;
    let directory = match &args.directory {
        Some(directory) => directory.clone(),
        None => only_one(args.manifest_path.as_deref())?,
    };
    let campaign = read(&directory)?;
    let out = match (&args.out, format) {
        (Some(out), _) => Some(out.clone()),
        (None, ReportFormat::Html) => Some(beside(&directory)),
        (None, _) => None,
    };
    let Some(out) = out else {
        print(&render(&campaign, format, style(), args.manifest_path.as_deref()))?;
        return Ok(Exit::Fine);
    };
    write(&out, &render(&campaign, format, text::Style::default(), args.manifest_path.as_deref()))?;
    print(&format!("{}\n", out.display()))?;
    if args.open {
        open(&out)?;
    }
    Ok(Exit::Fine)
}

/// Writes a complete campaign into its directory, with the HTML report beside it. Returns the path of the report.
pub(super) fn save(campaign: &Campaign, directory: &Path) -> Result<PathBuf> {
    write(&directory.join(CAMPAIGN), &document::write(campaign))?;
    let report = directory.join(REPORT);
    write(&report, &html::render(campaign))?;
    Ok(report)
}

fn render(
    campaign: &Campaign,
    format: ReportFormat,
    style: text::Style,
    manifest_path: Option<&Path>,
) -> String {
    match format {
        ReportFormat::Text => text::render(campaign, style),
        ReportFormat::Html => html::render(campaign),
        ReportFormat::Json => document::write(campaign),
        ReportFormat::Stryker => stryker::render(campaign),
        ReportFormat::Junit => junit::render(campaign),
        ReportFormat::Markdown => markdown::render(campaign),
        ReportFormat::Github => github::render(campaign, &in_repository(&campaign.package, manifest_path)),
    }
}

/// The path from the repository to a package of the workspace here; empty if they are the same, or if one of them is not found.
fn in_repository(package: &str, manifest_path: Option<&Path>) -> String {
    let found = || {
        let metadata = build::workspace(manifest_path, "cargo cannot tell where the package is").ok()?;
        let packages = metadata.workspace_packages();
        let package = packages.iter().find(|it| it.name.as_str() == package)?;
        let root = package.manifest_path.parent()?.as_std_path();
        let path = root.strip_prefix(repository(root)?).ok()?;
        let parts: Option<Vec<&str>> = path.components().map(|part| part.as_os_str().to_str()).collect();
        Some(parts?.join("/"))
    };
    found().unwrap_or_default()
}

/// The results of the only campaign in the target directory.
fn only_one(manifest_path: Option<&Path>) -> Result<PathBuf> {
    let cannot = "cargo cannot tell where results are; name their directory";
    let metadata = build::workspace(manifest_path, cannot)?;
    let place = metadata.target_directory.into_std_path_buf().join("insyn").join("mutate");
    let mut found: Vec<PathBuf> = match fs::read_dir(&place) {
        Ok(entries) => entries.filter_map(|entry| Some(entry.ok()?.path())).collect(),
        Err(_) => Vec::new(),
    };
    found.retain(|path| path.is_dir());
    // A directory in which no mutant was ever run, because the program itself failed, is no candidate.
    let has_begun = |path: &PathBuf| [CAMPAIGN, RESULTS].iter().any(|name| path.join(name).is_file());
    if found.iter().any(has_begun) {
        found.retain(has_begun);
    }
    found.sort();
    match found.as_slice() {
        [only] => Ok(only.clone()),
        [] => bail!(
            "there are no results in {}; run `cargo insyn mutate`, or name the directory of its results",
            place.display()
        ),
        several => {
            let names: Vec<String> = several.iter().map(|path| path.display().to_string()).collect();
            bail!("there are several mutation runs; name one of these directories:\n  {}", names.join("\n  "))
        }
    }
}

/// The campaign in a directory, or in a file.
pub(super) fn read(place: &Path) -> Result<Campaign> {
    let path = if place.is_dir() { place.join(CAMPAIGN) } else { place.to_owned() };
    if place.is_dir() && !path.exists() {
        if let Some(holder) = lock::holder(place) {
            let so_far = state::progress(place)
                .map_or_else(String::new, |(known, left)| format!("; {}", so_far(known, left)));
            bail!(
                "the mutation run in {} is still going on, in {holder}{so_far}; wait for its end",
                place.display()
            );
        }
        if let Some((known, pending)) = state::progress(place) {
            bail!(
                "the mutation run in {} was interrupted: {}; run the same `cargo insyn mutate` again to continue",
                place.display(),
                so_far(known, pending)
            );
        }
        let is_empty = fs::read_dir(place).is_ok_and(|mut entries| entries.next().is_none());
        let what = if is_empty { "is empty" } else { "has no campaign.json" };
        bail!(
            "{} {what}: it is no directory of results, or its mutation run was interrupted; run \
             `cargo insyn mutate` again",
            place.display()
        );
    }
    let bytes = fs::read(&path).with_context(|| format!("{} cannot be read", path.display()))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        anyhow::anyhow!("{} is damaged: {error}; run `cargo insyn mutate` again", path.display())
    })?;
    let campaign = document::read(&text).map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?;
    // Its counts must agree with its mutants.
    let mut counted = campaign.clone();
    counted.tally(&Family::ALL.map(Family::name));
    if counted != campaign {
        bail!(
            "{} is damaged: its counts are not those of its mutants; run `cargo insyn mutate` again",
            path.display()
        );
    }
    Ok(campaign)
}

/// The progress of a campaign, in words.
pub(super) fn so_far(known: usize, left: usize) -> String {
    format!("{known} {} known, {}", if known == 1 { "mutant is" } else { "mutants are" }, pending(left))
}

/// The number of pending mutants, in words.
pub(super) fn pending(left: usize) -> String {
    format!("{left} {} pending", if left == 1 { "is" } else { "are" })
}

/// Where the HTML report goes: beside the campaign.
fn beside(place: &Path) -> PathBuf {
    if place.is_dir() { place.join(REPORT) } else { place.with_file_name(REPORT) }
}

/// Writes a file atomically: an existing report stays intact if the new one cannot be written.
fn write(path: &Path, text: &str) -> Result<()> {
    let what = || format!("{} cannot be written", path.display());
    if path.file_name().is_none() || path.is_dir() {
        bail!("{} is a directory; name a file in it", path.display());
    }
    file::replace(path, text.as_bytes()).with_context(what)
}

/// Opens a file with the system's default application.
fn open(path: &Path) -> Result<()> {
    let mut command = match std::env::consts::OS {
        "macos" => Command::new("open"),
        "windows" => Command::new("explorer"),
        _ => Command::new("xdg-open"),
    };
    let cannot = || format!("no browser could be started; open {} yourself", path.display());
    let streams = command.arg(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let status = streams.status().with_context(cannot)?;
    // On Windows the exit code means nothing.
    if !status.success() && !cfg!(windows) {
        bail!("{}", cannot());
    }
    Ok(())
}
