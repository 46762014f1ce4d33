//! `cargo insyn record`.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context, Result, bail};
use insyn::program::protocol::{self, Answer, Request};

use super::files;
use super::output::print;
use crate::cli::Record;
use crate::exit::Exit;
use crate::worker::Worker;
use crate::{build, programs};

pub(crate) fn run(args: &Record) -> Result<Exit> {
    if let Some(path) = args.out.as_deref().filter(|path| path.exists()) {
        bail!("{} is there already; name another file, or take it away", path.display());
    }
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
            write(path, &recorded.file).with_context(|| format!("{} cannot be written", path.display()))?;
            let rest = if recorded.complete { "all there are" } else { "there may be more: see `--max`" };
            print(&format!("{}: {} tests, {rest}\n", path.display(), recorded.tests))?;
        }
    }
    Ok(Exit::Fine)
}

/// Writes a new file: what somebody has written by hand is never overwritten.
fn write(path: &Path, text: &str) -> std::io::Result<()> {
    OpenOptions::new().write(true).create_new(true).open(path)?.write_all(text.as_bytes())
}
