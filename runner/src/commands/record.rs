//! `cargo insyn record`.

use anyhow::{Result, bail};
use insyn::program::protocol::{self, Answer, Request};

use super::files;
use super::output::{print, write_new};
use crate::cli::Record;
use crate::exit::Exit;
use crate::worker::Worker;
use crate::{build, programs};

pub(crate) fn run(args: &Record) -> Result<Exit> {
    files::absent(args.out.as_deref())?;
    let request = Request::Record(protocol::Record {
        input: files::input(args.input.as_deref())?,
        spec: args.spec.as_deref().map(files::spec).transpose()?.map(|(file, _)| file),
        max: Some(args.max),
    });
    let built = build::build(&args.build)?;
    let program = programs::choose_one(programs::find(&built)?, &args.program)?;
    let answer = Worker::start(&program)?.ask(&request, |_, _| {})?;
    let Answer::Recorded(recorded) = answer else { bail!("the program answered something else") };
    match &args.out {
        None => print(&recorded.file)?,
        Some(path) => {
            write_new(path, &recorded.file)?;
            let rest = if recorded.complete { "all there are" } else { "there may be more: see `--max`" };
            print(&format!("{}: {} tests, {rest}\n", path.display(), recorded.tests))?;
        }
    }
    Ok(Exit::Fine)
}
