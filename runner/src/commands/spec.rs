//! `cargo insyn spec`: drafts a specification, or draws one.

use anyhow::{Result, bail};
use insyn_verdicts::protocol::{Answer, Drafted, Request};

use super::modeline::{self, Schema};
use super::output::{note, print, warn, write_new};
use crate::cli::GraphFormat;
use crate::exit::Exit;
use crate::options::{SpecGraph, SpecNew};
use crate::progress::Progress;
use crate::worker::Worker;
use crate::{build, programs};

pub(crate) fn new(args: &SpecNew) -> Result<Exit> {
    let request = Request::Draft(args.request.clone());
    let built = build::build(&args.build)?;
    let program = programs::choose_one(programs::find(&built)?, &args.program)?;
    let progress = Progress::new("Exploring", &program.name);
    let answer = Worker::start(&program)?.ask(&request, |sequences, executions| {
        progress.show(format!("{sequences} sequences in {executions} executions"));
    });
    drop(progress);
    let answer = super::meant(&program, answer?)?;
    let Answer::Drafted(drafted) = answer else { bail!("the program answered something else") };
    let Drafted { sequences, complete, bound, failing, file } = drafted;
    match &args.out {
        None => print(&file)?,
        Some(path) => {
            write_new(path, &modeline::prepend(Schema::Spec, path, &file))?;
            let sequences =
                if sequences == 1 { "1 sequence".to_owned() } else { format!("{sequences} sequences") };
            let rest = if complete { "all there are" } else { "there are more" };
            print(&format!(
                "{}: from {sequences}, {rest}\nNow name it in the attribute, `#[insyn::test(spec = \"…\")]`, or:\n  \
                 cargo insyn check {} --spec {}\n",
                path.display(),
                program.name,
                path.display()
            ))?;
        }
    }
    if let (false, Some(bound)) = (complete, &bound) {
        note(&format!("not all sequences were run ({bound}); others may break the rules of the draft"));
    }
    if failing > 0 {
        let sequences =
            if failing == 1 { "1 sequence fails".to_owned() } else { format!("{failing} sequences fail") };
        warn(&format!("{sequences}, and the draft says nothing of them; `cargo insyn explore` shows them"));
    }
    Ok(Exit::Fine)
}

pub(crate) fn graph(args: &SpecGraph) -> Result<Exit> {
    let graph = args.spec.with(&args.input)?.graph(args.max_states)?;
    print(&match args.format {
        GraphFormat::Mermaid => graph.mermaid(),
        GraphFormat::Dot => graph.dot(args.spec.file()),
    })?;
    if let Some(sentence) = graph.sentence() {
        note(&format!("{sentence} are not drawn; `--max-states` says how many are"));
    }
    Ok(Exit::Fine)
}
