//! What a target's results look like, as committed in `reports/golden`.

use std::path::Path;
use std::{env, fs};

/// Compares a report on the target in the directory `root` with the committed one, byte for byte. `UPDATE_GOLDEN=1` writes it
/// anew.
///
/// # Panics
/// If they differ.
pub(crate) fn golden(root: &str, file: &str, text: &str) {
    let root = Path::new(root);
    let target = root.file_name().expect("a target has a directory");
    let path = root.join("../../reports/golden").join(target).join(file);
    if env::var_os("UPDATE_GOLDEN").is_some() {
        let made = fs::create_dir_all(path.parent().expect("it is in a directory"));
        made.and_then(|()| fs::write(&path, text))
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    let expected = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(
        text == expected,
        "{} is not what is committed; `UPDATE_GOLDEN=1` writes it anew:\n{text}",
        path.display()
    );
}
