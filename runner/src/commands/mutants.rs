//! `cargo insyn mutants`.

use std::fs;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use cargo_metadata::{Metadata, Package};
use insyn_mutator::{Mutant, Operator, Options, find_package};
use insyn_sequences::harmless;
use insyn_specs::nearest;
use serde::Serialize;

use super::output::{note, print, table, text};
use crate::build;
use crate::cli::{Build, Format};
use crate::exit::{Ended, Exit};
use crate::options::{Listing, Mutants, Which};

pub(crate) fn run(args: &Mutants) -> Result<Exit> {
    if args.how == Listing::Operators {
        return operators(args.format);
    }
    let metadata = build::metadata(&args.build)?;
    let package = package(&metadata, &args.build)?;
    let mut found = find(package, &args.which)?;
    if !args.mutants.is_empty() {
        for name in &args.mutants {
            let is_named = |mutant: &Mutant| mutant.id() == *name;
            if !found.mutants.iter().any(is_named) {
                let ids: Vec<String> = found.mutants.iter().map(Mutant::id).collect();
                let near = nearest(name, ids.iter().map(String::as_str));
                let hint = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                bail!("there is no mutant `{name}` in package `{}`{hint}", package.name);
            }
        }
        found.mutants.retain(|mutant| args.mutants.contains(&mutant.id()));
    }
    if args.how == Listing::Apply {
        return apply(package, &found);
    }
    let diff = |mutant: &Mutant| mutant.diff(&found.sources[&mutant.file]);
    match args.format {
        Format::Json => {
            let rows =
                found.mutants.iter().map(|it| Ok(Row::new(it, diff(it)?))).collect::<Result<Vec<_>>>()?;
            #[derive(Serialize)]
            struct Document<'p> {
                version: u32,
                package: &'p str,
                mutants: Vec<Row>,
            }
            let document = Document { version: 1, package: &package.name, mutants: rows };
            print(&(serde_json::to_string_pretty(&document)? + "\n"))?;
        }
        Format::Text if args.how == Listing::Diffs => {
            for mutant in &found.mutants {
                let diff = diff(mutant)?;
                // In a file the patch must stay intact; on a terminal, control characters in it must do no harm.
                let diff = if io::stdout().is_terminal() { harmless::lines(&diff) } else { diff };
                print(&format!("{diff}\n"))?;
            }
        }
        Format::Text => {
            let mut text = String::new();
            for mutant in &found.mutants {
                let skipped = mutant.skipped.as_ref().map(|why| format!(" (skipped: {why})"));
                let line = format!("{:<12}  {mutant}{}", mutant.id(), skipped.unwrap_or_default());
                text.push_str(&(harmless::lines(&line) + "\n"));
            }
            let skipped = found.mutants.iter().filter(|it| it.skipped.is_some()).count();
            text.push_str(&format!("{} mutants", found.mutants.len()));
            if skipped > 0 {
                text.push_str(&format!(", {skipped} of them skipped"));
            }
            text.push('\n');
            print(&text)?;
        }
    }
    Ok(Exit::Fine)
}

/// A mutant for machines.
#[derive(Serialize)]
struct Row {
    id: String,
    operator: &'static str,
    family: &'static str,
    file: String,
    line: u32,
    column: u32,
    function: String,
    replacement: String,
    skipped: Option<String>,
    diff: String,
}

impl Row {
    fn new(mutant: &Mutant, diff: String) -> Row {
        Row {
            id: mutant.id(),
            operator: mutant.operator.code,
            family: mutant.operator.family.name(),
            file: mutant.file.clone(),
            line: mutant.extent.start.line,
            column: mutant.extent.start.column,
            function: mutant.function.clone(),
            replacement: mutant.replacement.clone(),
            skipped: mutant.skipped.clone(),
            diff,
        }
    }
}

fn operators(format: Format) -> Result<Exit> {
    match format {
        Format::Text => {
            let mut table = table(&["operator", "family", "change"], &[], &[2]);
            for Operator { code, family, change, .. } in Operator::all() {
                table.add_row([code, family.name(), change]);
            }
            print(&text(&table))?;
        }
        Format::Json => {
            let row = |it: Operator| serde_json::json!({"code": it.code, "family": it.family.name(), "change": it.change});
            let rows: Vec<_> = Operator::all().map(row).collect();
            let document = serde_json::json!({"version": 1, "operators": rows});
            print(&(serde_json::to_string_pretty(&document)? + "\n"))?;
        }
    }
    Ok(Exit::Fine)
}

/// The package that the arguments select.
pub(super) fn package<'m>(metadata: &'m Metadata, how: &Build) -> Result<&'m Package> {
    let packages = build::chosen(metadata, &how.package)?;
    match &packages[..] {
        [package] => Ok(package),
        several => {
            let names: Vec<&str> = several.iter().map(|package| package.name.as_str()).collect();
            let message = format!(
                "there are several packages that use insyn; say which with `-p`: {}",
                names.join(", ")
            );
            Err(Ended::new(Exit::Refused, message).into())
        }
    }
}

/// The selected mutants of a package, in order.
pub(super) fn find(package: &Package, which: &Which) -> Result<insyn_mutator::Package> {
    let root: PathBuf = package.manifest_path.parent().expect("it is a file").into();
    let mut found =
        find_package(&root, &Options { operators: which.operators.clone(), drivers: which.drivers })
            .with_context(|| format!("the sources of package `{}` cannot be read", package.name))?;
    if let Some(wrong) = found.wrong.first() {
        return Err(Ended::new(Exit::Refused, wrong.to_string()).into());
    }
    if found.mutants.is_empty() {
        let message = match found.unread.first() {
            Some(error) => format!("no mutants were found, and a file cannot be read: {error}"),
            None => format!(
                "package `{}` has no annotated code to mutate: put `#[insyn::instrument]` on the modules that are to be \
                 tested, or choose other operators",
                package.name
            ),
        };
        return Err(Ended::new(Exit::Refused, message).into());
    }
    for error in &found.unread {
        note(&format!("{error}; the mutants of this file are not known"));
    }
    for comment in &found.unused {
        note(&comment.to_string());
    }
    if let Some(lines) = &which.lines {
        found.mutants.retain(|mutant| {
            lines.touch(&root, &mutant.file, mutant.extent.start.line, mutant.extent.end.line)
        });
    }
    Ok(found)
}

/// Applies a mutant to the source.
fn apply(package: &Package, found: &insyn_mutator::Package) -> Result<Exit> {
    let [mutant] = &found.mutants[..] else {
        bail!("name the one mutant that is to be put into the source: `cargo insyn mutants MUTANT --apply`");
    };
    let root = package.manifest_path.parent().expect("it is a file");
    let path = root.join(&mutant.file);
    let mutated = mutant.apply(&found.sources[&mutant.file])?;
    fs::write(&path, mutated).with_context(|| format!("{path} cannot be written"))?;
    print(&format!("{mutant}\nto take it back: `git checkout -- {path}`\n"))?;
    Ok(Exit::Fine)
}
