//! `cargo insyn replay`.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use insyn_sequences::failing::{Failing, NOTE, Others};
use insyn_sequences::report::{render_with, steps_of};
use insyn_sequences::{Location, harmless};
use insyn_specs::file;
use insyn_verdicts::protocol::{self, Answer, Replayed, Request};

use super::meant;
use super::output::{print_fitted, report_style};
use crate::cli::Replay;
use crate::exit::Exit;
use crate::programs::Program;
use crate::worker::Worker;
use crate::{build, programs};

pub(crate) fn run(args: &Replay) -> Result<Exit> {
    let path = args.file.display();
    let text = fs::read_to_string(&args.file).with_context(|| format!("{path} cannot be read"))?;
    let file = file::read(&text).map_err(|error| anyhow::anyhow!("{path}: {error}"))?;
    let about = |name: &str| file.about.get(name).cloned();
    let Some(name) = args.program.clone().or_else(|| about("program")) else {
        bail!("{path} names no program; name one with `--program`");
    };
    let mut how = args.build.clone();
    if how.package.is_empty() && args.program.is_none() {
        how.package.extend(about("package"));
    }
    let built = build::build(&how)?;
    let program = programs::choose_one(programs::find(&built)?, &name)?;
    let json = file.to_json().map_err(|error| anyhow::anyhow!("{path}: {error}"))?;
    let request = Request::Replay(protocol::Replay { input: about("input"), file: json });
    let answer = meant(&program, Worker::start(&program)?.ask(&request, |_, _| {})?)?;
    let Answer::Replayed(replayed) = answer else { bail!("the program answered something else") };
    let others = about(NOTE).and_then(|note| Others::from_note(&note, &file.sequence)).unwrap_or_default();
    print_fitted(&show(&program, about("input").as_deref(), &replayed, others, args.full)?)?;
    Ok(if replayed.failed { Exit::ProgramFails } else { Exit::Fine })
}

fn show(
    program: &Program,
    input: Option<&str>,
    replayed: &Replayed,
    others: Others,
    full: bool,
) -> Result<String> {
    let mut text = format!("program {} of package {}", program.name, program.binary.package);
    if let Some(input) = input {
        write!(text, ", input {}", harmless::text(input.trim()))?;
    }
    text.push_str("\n\n");
    let file = file::read(&replayed.file).context("the program answered no sequence")?;
    let failing = match replayed.failing.clone() {
        Some(failing) => Failing { share: others.share, differences: others.differences, ..failing },
        None => Failing {
            ended: replayed.termination.to_string(),
            steps: steps_of(&file.sequence),
            ..Failing::default()
        },
    };
    let mut sources = Sources::new(&program.binary.root);
    let source = |at: &Location| sources.line(&at.file, at.line);
    text.push_str(&render_with(&file.sequence, &failing, &report_style(full), source));
    if let Some(output) = replayed.output.as_deref().filter(|output| *output != "null") {
        writeln!(text, "output: {}", harmless::text(output))?;
    }
    Ok(text)
}

/// Lines of the source, to show beside the events.
struct Sources<'r> {
    root: &'r Path,
    /// Files that were read, in the order in which they were needed.
    files: Vec<(String, Option<String>)>,
}

impl<'r> Sources<'r> {
    fn new(root: &'r Path) -> Self {
        Sources { root, files: Vec::new() }
    }

    fn line(&mut self, file: &str, line: u32) -> Option<String> {
        let at = match self.files.iter().position(|(name, _)| name == file) {
            Some(at) => at,
            None => {
                self.files.push((file.to_owned(), self.read(file)));
                self.files.len() - 1
            }
        };
        let text = self.files[at].1.as_ref()?;
        let line = text.lines().nth(line.checked_sub(1)? as usize)?.trim();
        (!line.is_empty()).then(|| line.to_owned())
    }

    /// The compiler names files relative to where cargo ran it: the root of the workspace or of the package.
    fn read(&self, file: &str) -> Option<String> {
        self.root.ancestors().find_map(|root| fs::read_to_string(root.join(file)).ok())
    }
}
