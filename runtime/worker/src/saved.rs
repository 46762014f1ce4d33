//! Where failing sequences are kept, so that they can be replayed.

use std::io;
use std::path::{Path, PathBuf};

use insyn_sequences::SequenceFile;
use insyn_sequences::report::{self, Style};
use insyn_verdicts::protocol::Failed;
use insyn_verdicts::saved::save_failures;

use super::About;
use insyn_explorer::failure::Failure;

/// The text of a file that `cargo insyn replay` reads: the sequence, its program and its input.
fn text(about: &About, input: Option<&str>, mut file: SequenceFile) -> String {
    file.about.insert("package".to_string(), about.package.to_string());
    file.about.insert("program".to_string(), about.path());
    if let Some(input) = input {
        file.about.insert("input".to_string(), input.to_string());
    }
    file.write().unwrap_or_default()
}

/// The file of an execution that the specification rejects.
#[cfg(feature = "specs")]
pub(super) fn witness(
    about: &About,
    input: Option<&str>,
    witness: &insyn_specs::correctness::Witness,
    races: Option<insyn_sequences::RaceTable>,
) -> String {
    let mut file = SequenceFile::from(witness.sequence.clone());
    (file.ended, file.races) = (Some(witness.termination), races);
    let message = match &witness.bad {
        Some(bad) => format!("invalid: {}", bad.objection),
        None => "valid, with an incorrect result".to_owned(),
    };
    file.about.insert("message".to_string(), message);
    file.about.insert("termination".to_string(), witness.termination.to_string());
    text(about, input, file)
}

/// A failure as it is reported in an answer.
pub(super) fn failed(about: &About, input: Option<&str>, failure: &Failure) -> Failed {
    Failed {
        termination: failure.termination,
        message: failure.message.clone(),
        occurrences: failure.occurrences,
        failing: failure.facts(),
        report: failure.to_string(),
        file: text(about, input, failure.to_file()),
    }
}

/// Saves every failure of a program that runs as a test. Returns for each of them the text to print: how to replay it.
pub(super) fn save_all<'f>(
    about: &About,
    files: impl IntoIterator<Item = &'f str>,
    style: &Style,
) -> Vec<String> {
    let say = |(path, saved): (PathBuf, io::Result<()>)| match saved {
        Ok(()) => report::next(&path.display().to_string(), style),
        Err(error) => format!("could not save {}: {error}\n", path.display()),
    };
    save_failures(&directory(), about.package, &about.path(), files).into_iter().map(say).collect()
}

/// `insyn` in cargo's target directory, or in the system's directory for temporary files.
fn directory() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    let target = program.ancestors().find(|dir| dir.join("CACHEDIR.TAG").is_file());
    target.map_or_else(std::env::temp_dir, Path::to_path_buf).join("insyn")
}
