//! Files that are written as a whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a file. An existing file stays intact if the new one cannot be written. Anything at the path of the draft is
/// removed first, so that a link there is not followed.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let draft = draft(path);
    match fs::remove_file(&draft) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let written = File::create_new(&draft).and_then(|mut file| file.write_all(bytes));
    written.and_then(|()| fs::rename(&draft, path)).inspect_err(|_| drop(fs::remove_file(&draft)))
}

/// The draft that a file is first written to. Each process has its own.
fn draft(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{}{}", prefix(&name), std::process::id()))
}

fn prefix(name: &str) -> String {
    format!(".{name}.draft-")
}

/// Removes drafts of a file that killed processes have left behind. No other process may be writing the file.
pub(crate) fn remove_drafts(path: &Path) {
    let prefix = prefix(&path.file_name().unwrap_or_default().to_string_lossy());
    let entries = path.parent().and_then(|directory| fs::read_dir(directory).ok());
    for entry in entries.into_iter().flatten().flatten() {
        let name = entry.file_name();
        let process = name.to_str().and_then(|name| name.strip_prefix(&prefix));
        if process.is_some_and(|it| it.bytes().all(|byte| byte.is_ascii_digit())) {
            // A draft that cannot be removed does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let directory = tempfile::tempdir().expect("it can be made");
        let [file, victim] = ["results.jsonl", "victim"].map(|name| directory.path().join(name));
        fs::write(&victim, "precious").expect("it can be written");
        // Neither at the place of the draft, nor at that of the file.
        for link in [draft(&file), file.clone()] {
            std::os::unix::fs::symlink(&victim, &link).expect("it can be made");
            replace(&file, b"results").expect("it can be written");
            assert_eq!(fs::read(&victim).expect("it is there"), b"precious");
            assert_eq!(fs::read(&file).expect("it is there"), b"results");
            assert!(file.symlink_metadata().expect("it is there").is_file());
            fs::remove_file(&file).expect("it is there");
        }
        assert_eq!(fs::read_dir(directory.path()).expect("it is there").count(), 1, "no draft is left");
    }

    #[test]
    fn a_file_that_cannot_be_replaced_stays() {
        let directory = tempfile::tempdir().expect("it can be made");
        let path = directory.path().join("results.jsonl");
        fs::create_dir_all(path.join("not empty")).expect("it can be made");
        assert!(replace(&path, b"results").is_err());
        assert_eq!(fs::read_dir(directory.path()).expect("it is there").count(), 1, "no draft is left");
    }

    #[test]
    fn only_drafts_are_removed() {
        let directory = tempfile::tempdir().expect("it can be made");
        let path = directory.path().join("state.json");
        for name in [".state.json.draft-17", ".state.json.draft-x", ".results.jsonl.draft-17", "state.json"] {
            fs::write(directory.path().join(name), "").expect("it can be written");
        }
        remove_drafts(&path);
        let left = fs::read_dir(directory.path()).expect("it is there").flatten();
        let mut left: Vec<String> = left.map(|it| it.file_name().to_string_lossy().into_owned()).collect();
        left.sort();
        assert_eq!(left, [".results.jsonl.draft-17", ".state.json.draft-x", "state.json"]);
    }
}
