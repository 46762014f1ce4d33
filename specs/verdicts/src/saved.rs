//! Where failing sequences are saved, by a test that fails as by the command.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Puts the files of a program's failures into `package/program` of a directory, in place of those of an earlier run. For
/// each its path, and whether it could be written.
pub fn save_failures<'f>(
    directory: &Path,
    package: &str,
    program: &str,
    files: impl IntoIterator<Item = &'f str>,
) -> Vec<(PathBuf, io::Result<()>)> {
    let directory = directory.join(package).join(program.replace("::", "."));
    // What is still there would be taken for failures of this run. That nothing is there is no matter.
    let _ = fs::remove_dir_all(&directory);
    let save = |(n, file): (u32, &str)| {
        let path = directory.join(format!("failure-{n}.yaml"));
        let saved = fs::create_dir_all(&directory).and_then(|()| fs::write(&path, file));
        (path, saved)
    };
    (1..).zip(files).map(save).collect()
}
