//! Where failing sequences are kept, so that they can be seen again.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use insyn_specs::file::SequenceFile;

use super::About;
use super::protocol::Failed;
use crate::failure::Failure;

/// The text of a file that `cargo insyn replay` reads: the sequence, and of which program with which input it is.
pub(super) fn file(about: &About, input: Option<&str>, failure: &Failure) -> SequenceFile {
    let mut file = failure.to_file();
    file.about.insert("package".to_string(), about.package.to_string());
    file.about.insert("program".to_string(), about.path());
    if let Some(input) = input {
        file.about.insert("input".to_string(), input.to_string());
    }
    file
}

/// A failure as it is told to whoever asked.
pub(super) fn failed(about: &About, input: Option<&str>, failure: &Failure) -> Failed {
    Failed {
        termination: failure.termination.to_string(),
        message: failure.message.clone(),
        occurrences: failure.occurrences,
        report: failure.to_string(),
        file: file(about, input, failure).write().unwrap_or_default(),
    }
}

/// Saves every failure of a program; what to say about that.
pub(super) fn save_all(about: &About, input: Option<&str>, failures: &[Failure]) -> String {
    let directory = directory(about);
    let mut said = String::new();
    // What an earlier run has left here would be taken for failures of this one.
    let _ = fs::remove_dir_all(&directory);
    for (n, failure) in failures.iter().enumerate() {
        let path = directory.join(format!("failure-{}.yaml", n + 1));
        let saved = fs::create_dir_all(&directory).and_then(|()| {
            let text = file(about, input, failure).write().map_err(std::io::Error::other)?;
            fs::write(&path, text)
        });
        let _ = match saved {
            Ok(()) => {
                let path = path.display();
                writeln!(
                    said,
                    "{}: see it step by step with\n  cargo insyn replay {path}",
                    failure.termination
                )
            }
            Err(error) => writeln!(said, "could not save {}: {error}", path.display()),
        };
    }
    said
}

/// `insyn/package/program` in the directory that cargo builds in, or in the system's for temporary files.
fn directory(about: &About) -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    let target = program.ancestors().find(|dir| dir.join("CACHEDIR.TAG").is_file());
    let target = target.map_or_else(std::env::temp_dir, Path::to_path_buf);
    target.join("insyn").join(about.package).join(about.path().replace("::", "."))
}
