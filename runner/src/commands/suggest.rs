//! `cargo insyn suggest`.

use anyhow::{Result, bail};
use insyn_verdicts::protocol::{self, Answer, Request};

use super::output::{print, write_new};
use super::{files, meant};
use crate::cli::Suggest;
use crate::exit::Exit;
use crate::worker::Worker;
use crate::{build, programs};

pub(crate) fn run(args: &Suggest) -> Result<Exit> {
    let of = &args.of;
    files::absent(of.out.as_deref())?;
    let request = Request::Suggest(protocol::Suggest {
        input: files::input(&of.input)?,
        spec: of.spec.as_deref().map(files::spec).transpose()?.map(|(file, _)| file),
        max: args.max,
    });
    let built = build::build(&of.build)?;
    let program = programs::choose_one(programs::find(&built)?, &of.program)?;
    let answer = meant(&program, Worker::start(&program)?.ask(&request, |_, _| {})?)?;
    let Answer::Suggested(suggested) = answer else { bail!("the program answered something else") };
    match &of.out {
        None => print(&suggested.file)?,
        Some(path) => {
            write_new(path, &suggested.file)?;
            print(&format!("{}: {} tests\n", path.display(), suggested.tests))?;
        }
    }
    if !suggested.feasible.is_empty() {
        let words = suggested.feasible.join("\n  ");
        bail!("the program can do what it must not; `cargo insyn check` says more:\n  {words}");
    }
    Ok(Exit::Fine)
}
