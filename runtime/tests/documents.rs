//! What the documents say of the code is true: the files they name are there.

use std::path::Path;

#[test]
fn architecture_names_files_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = std::fs::read_to_string(root.join("ARCHITECTURE.md")).expect("it is there");
    let map = text
        .split("## Code map")
        .nth(1)
        .and_then(|rest| rest.split("\n## ").next())
        .expect("it has a code map");
    let mut named = 0;
    for line in map.lines().filter(|line| line.starts_with("| `")) {
        let mut cells = line.split('|').skip(1);
        let (places, what) = (cells.next().unwrap_or_default(), cells.next().unwrap_or_default());
        let quoted = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_string).collect::<Vec<_>>();
        let mut folder = root.join(quoted(places).into_iter().next().unwrap_or_default());
        if folder.is_file() {
            folder.pop();
        }
        for place in quoted(places) {
            assert!(root.join(&place).exists(), "ARCHITECTURE.md names {place}");
            named += 1;
        }
        for file in quoted(what).into_iter().filter(|file| file.ends_with(".rs")) {
            let found = [folder.join(&file), folder.join("src").join(&file)];
            assert!(
                found.iter().any(|path| path.exists()),
                "ARCHITECTURE.md names {file} in {}",
                folder.display()
            );
            named += 1;
        }
    }
    assert!(named > 20, "only {named} places were found in the code map");
}
