//! `cargo insyn record`.

use std::path::{self, Path};

use anyhow::{Context, Result, bail};
use insyn_specs::TestFile;
use insyn_verdicts::protocol::{Answer, Recorded, Request};

use super::meant;
use super::modeline::{self, Schema};
use super::output::{print, relative, warn, write_new};
use crate::exit::Exit;
use crate::options::Record;
use crate::worker::Worker;
use crate::{build, programs};

pub(crate) fn run(args: &Record) -> Result<Exit> {
    let request = Request::Record(args.request.clone());
    let built = build::build(&args.build)?;
    let program = programs::choose_one(programs::find(&built)?, &args.program)?;
    let answer = meant(&program, Worker::start(&program)?.ask(&request, |_, _| {})?)?;
    let Answer::Recorded(recorded) = answer else { bail!("the program answered something else") };
    recorded.warnings.iter().for_each(|it| warn(it));
    let file = with_spec(&recorded, args.out.as_deref())?;
    match &args.out {
        None => print(&file)?,
        Some(path) => {
            write_new(path, &modeline::prepend(Schema::Tests, path, &file))?;
            let rest = if recorded.complete { "all there are" } else { "there may be more: see `--max`" };
            print(&format!("{}: {} tests, {rest}\n", path.display(), recorded.tests))?;
        }
    }
    Ok(Exit::Fine)
}

/// The text of the file, with the path of the specification relative to where the file will be.
fn with_spec(recorded: &Recorded, out: Option<&Path>) -> Result<String> {
    let Some(spec) = &recorded.spec else { return Ok(recorded.file.clone()) };
    let mut tests = TestFile::read("the recorded tests", &recorded.file)?;
    let directory = out.and_then(Path::parent).unwrap_or(Path::new(""));
    tests.spec =
        Some(relative(&path::absolute(directory.join("."))?, &path::absolute(spec)?).display().to_string());
    tests.write().context("the recorded tests cannot be written")
}
