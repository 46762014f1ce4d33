//! `cargo insyn mutants`.

mod applied;

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use cargo_metadata::{Metadata, Package};
use insyn_mutator::{Mutant, Operator, Options, find_package};
use insyn_sequences::harmless;
use insyn_specs::nearest;
use serde::Serialize;

use super::output::{note, print, print_fitted, table, text};
use crate::build;
use crate::cli::{Build, Format};
use crate::display::{self, Paint};
use crate::exit::{Ended, Exit};
use crate::options::{Listing, Mutants, Which};

pub(crate) fn run(args: &Mutants) -> Result<Exit> {
    if args.how == Listing::Operators {
        return operators(args.format);
    }
    let metadata = build::metadata(&args.build)?;
    let package = package(&metadata, &args.build)?;
    let target = metadata.target_directory.as_std_path();
    if args.how == Listing::Revert {
        print(&applied::revert(target, &package.name)?)?;
        return Ok(Exit::Fine);
    }
    if args.how == Listing::Apply {
        applied::refuse_second(target, &package.name)?;
    }
    let mut found = find(package, &args.which)?;
    if !args.mutants.is_empty() {
        for name in &args.mutants {
            let is_named = |mutant: &Mutant| mutant.id() == *name;
            if !found.mutants.iter().any(is_named) {
                let ids: Vec<String> = found.mutants.iter().map(Mutant::id).collect();
                let near = nearest(name, ids.iter().map(String::as_str));
                let hint = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                bail!("there is no mutant `{}` in package `{}`{hint}", harmless::text(name), package.name);
            }
        }
        found.mutants.retain(|mutant| args.mutants.contains(&mutant.id()));
    }
    if args.how == Listing::Apply {
        let [mutant] = &found.mutants[..] else {
            bail!("name one mutant to apply: `cargo insyn mutants --apply MUTANT`");
        };
        let root = package.manifest_path.parent().expect("it is a file").as_std_path();
        print(&applied::apply(target, &package.name, root, mutant, &found.sources[&mutant.file])?)?;
        return Ok(Exit::Fine);
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
                print(&format!("{}\n", painted(&diff)))?;
            }
        }
        Format::Text => {
            let mut text = String::new();
            for mutant in &found.mutants {
                let skipped = mutant.skipped.as_ref().map(|why| format!(" (skipped: {why})"));
                let about = mutant.describe(&found.sources[&mutant.file])? + &skipped.unwrap_or_default();
                let id = display::out(Paint::Bold, &format!("{:<12}", mutant.id()));
                text.push_str(&format!("{id}  {}\n", harmless::text(&about)));
            }
            let skipped = found.mutants.iter().filter(|it| it.skipped.is_some()).count();
            text.push_str(&format!("{} mutants", found.mutants.len()));
            if skipped > 0 {
                text.push_str(&format!(", {skipped} of them skipped"));
            }
            text.push('\n');
            print_fitted(&text)?;
        }
    }
    Ok(Exit::Fine)
}

/// A diff in colours, if they are wanted.
fn painted(diff: &str) -> String {
    if !display::colours_out() {
        return diff.to_owned();
    }
    let paint = |line: &str| match line.chars().next() {
        _ if line.starts_with("+++") || line.starts_with("---") => Paint::Bold.on(line),
        Some('+') => Paint::Good.on(line),
        Some('-') => Paint::Bad.on(line),
        Some('@') => Paint::Dim.on(line),
        _ => line.to_owned(),
    };
    diff.lines().map(|line| paint(line) + "\n").collect()
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
    let packages = build::chosen(metadata, how)?;
    match &packages[..] {
        [package] => Ok(package),
        several => {
            let names: Vec<&str> = several.iter().map(|package| package.name.as_str()).collect();
            let message =
                format!("several packages depend on insyn; choose one with `-p`: {}", names.join(", "));
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
