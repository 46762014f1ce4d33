//! Where failing sequences are saved, by tests and by the command alike.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Writes the files of a program's failures into `package/program` of a directory, in place of those of an earlier run.
/// Output: for each its path, and whether it could be written.
pub fn save_failures<'f>(
    directory: &Path,
    package: &str,
    program: &str,
    files: impl IntoIterator<Item = &'f str>,
) -> Vec<(PathBuf, io::Result<()>)> {
    let directory = directory.join(package).join(program.replace("::", "."));
    // Old files would be mistaken for failures of this run. It does not matter if there are none.
    let _ = fs::remove_dir_all(&directory);
    let save = |(n, file): (u32, &str)| {
        let path = directory.join(format!("failure-{n}.yaml"));
        let saved = fs::create_dir_all(&directory).and_then(|()| fs::write(&path, file));
        (path, saved)
    };
    (1..).zip(files).map(save).collect()
}
