//! `cargo insyn suggest`.

use anyhow::{Result, bail};
use insyn_verdicts::protocol::{Answer, Request};

use super::meant;
use super::modeline::{self, Schema};
use super::output::{print, write_new};
use crate::exit::Exit;
use crate::options::Suggest;
use crate::worker::Worker;
use crate::{build, programs};

pub(crate) fn run(args: &Suggest) -> Result<Exit> {
    let request = Request::Suggest(args.request.clone());
    let built = build::build(&args.build)?;
    let program = programs::choose_one(programs::find(&built)?, &args.program)?;
    let answer = meant(&program, Worker::start(&program)?.ask(&request, |_, _| {})?)?;
    let Answer::Suggested(suggested) = answer else { bail!("the program answered something else") };
    match &args.out {
        None => print(&suggested.file)?,
        Some(path) => {
            write_new(path, &modeline::prepend(Schema::Tests, path, &suggested.file))?;
            print(&format!("{}: {} tests\n", path.display(), suggested.tests))?;
        }
    }
    if !suggested.feasible.is_empty() {
        let words = suggested.feasible.join("\n  ");
        bail!("the program can do what it must not; `cargo insyn check` says more:\n  {words}");
    }
    Ok(Exit::Fine)
}
