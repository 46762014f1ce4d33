//! `cargo insyn show`.

use std::fs;

use anyhow::{Context, Result, anyhow, bail};
use insyn_reports::{Diagram, diagram};
use insyn_sequences::versions::{RvDiagram, RwSequence};
use insyn_sequences::{SequenceFile, harmless};
use insyn_specs::file;

use super::output::{for_terminal, print, style};
use crate::cli::Show;
use crate::exit::Exit;

/// The notes of a sequence file that are printed above it, in this order.
const NOTES: [&str; 5] = ["package", "program", "input", "termination", "message"];

/// An RV diagram with more nodes than this is too large to read.
const MOST_NODES: usize = 10_000;

pub(crate) fn run(args: &Show) -> Result<Exit> {
    let path = args.file.display();
    let text = fs::read_to_string(&args.file).with_context(|| format!("{path} cannot be read"))?;
    let file = file::read(&text).map_err(|error| anyhow!("{path}: {error}"))?;
    let drawing = Diagram::of_file(&file).map_err(|error| anyhow!("{path}: {error}"))?;
    let notes: Vec<String> = NOTES
        .iter()
        .filter_map(|&name| Some(format!("{name}: {}", harmless::text(file.about.get(name)?.trim()))))
        .collect();
    let mut shown: String = notes.iter().map(|note| for_terminal(note) + "\n").collect();
    if !shown.is_empty() {
        shown.push('\n');
    }
    shown.push_str(&diagram::text::render(&drawing, style()));
    if drawing.rows.is_empty() {
        shown.push_str("nothing happened\n");
    }
    let races = diagram::races::render(&drawing, style());
    if !races.is_empty() {
        shown.push('\n');
        shown.push_str(&races);
    }
    if args.versions || args.dot.is_some() {
        let (sequence, versions) = versions(&file).with_context(|| path.to_string())?;
        if args.versions {
            let text = format!(
                "\nReads and writes of shared variables, with versions\n{sequence}\nRV diagram\n{versions}"
            );
            shown.push_str(&harmless::lines(&text));
        }
        if let Some(out) = &args.dot {
            fs::write(out, versions.to_dot())
                .with_context(|| format!("{} cannot be written", out.display()))?;
        }
    }
    if let Some(out) = &args.svg {
        let title = if notes.is_empty() { path.to_string() } else { notes.join(", ") };
        let svg = diagram::svg::render(&drawing, &title);
        fs::write(out, svg).with_context(|| format!("{} cannot be written", out.display()))?;
    }
    print(&shown)?;
    Ok(Exit::Fine)
}

/// The reads and writes of shared variables in a sequence, and the diagram of its race variants.
fn versions(file: &SequenceFile) -> Result<(RwSequence, RvDiagram)> {
    let sequence = RwSequence::of(&file.sequence)?;
    if sequence.variables().is_empty() {
        bail!("no shared variable is read or written in it, so it has no RV diagram");
    }
    let diagram = sequence.diagram_within(MOST_NODES);
    let diagram = diagram.ok_or_else(|| anyhow!("its RV diagram has more than {MOST_NODES} nodes"))?;
    Ok((sequence, diagram))
}
