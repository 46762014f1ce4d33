//! Mutants that a campaign wants compiled in: a list of them stands in a file, which an environment variable names.
//!
//! They are put in before anything is rewritten, since they are places in what was written.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use insyn_mutator::{Numbered, Schemata, read_list};
use proc_macro2::Span;
use syn::{Error, Item, Result, parse_quote};

/// Names the file of the list.
const VARIABLE: &str = "INSYN_MUTANTS";

/// The mutants that are wanted.
struct Wanted {
    list: Vec<Numbered>,
    file: PathBuf,
}

/// Read once, since it is the same for a whole build.
fn wanted() -> std::result::Result<Option<&'static Wanted>, &'static str> {
    static WANTED: OnceLock<std::result::Result<Option<Wanted>, String>> = OnceLock::new();
    let read = || {
        let Some(file) = env::var_os(VARIABLE).map(PathBuf::from) else { return Ok(None) };
        let shown = file.display();
        let text = fs::read_to_string(&file).map_err(|error| format!("{VARIABLE}: {shown}: {error}"))?;
        let list = read_list(&text).map_err(|error| format!("{VARIABLE}: {shown}: {error}"))?;
        Ok(Some(Wanted { list, file }))
    };
    WANTED.get_or_init(read).as_ref().map(Option::as_ref).map_err(String::as_str)
}

/// Puts the mutants that are wanted into items of a file. Afterwards the items depend on the list.
pub(super) fn switch(items: &mut Vec<Item>, file: Option<&Path>, span: Span) -> Result<()> {
    let Some(wanted) = wanted().map_err(|message| Error::new(span, message))? else { return Ok(()) };
    let Some(name) = file.and_then(from_root) else { return Ok(()) };
    let mut schemata = Schemata::new(&wanted.list, &name);
    for item in items.iter_mut() {
        if let Some(left) = schemata.switch(item).first() {
            let message = format!("{} is not in this file any more: find mutants again", left.mutant);
            return Err(Error::new(span, message));
        }
    }
    if let Ok(list) = wanted.file.canonicalize() {
        let list = list.display().to_string();
        depend_on(items, &list);
    }
    Ok(())
}

/// The compiler must know that it depends on the list.
fn depend_on(items: &mut Vec<Item>, list: &str) {
    match &mut items[..] {
        // It may stand where no constant can: in an impl.
        [Item::Fn(function)] => function.block.stmts.insert(
            0,
            parse_quote!(
                const _: &[u8] = ::core::include_bytes!(#list);
            ),
        ),
        _ => items.push(parse_quote!(
            const _: &[u8] = ::core::include_bytes!(#list);
        )),
    }
}

/// The name of a file from the root of its package, with `/` between its parts.
fn from_root(file: &Path) -> Option<String> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?).canonicalize().ok()?;
    let file = file.canonicalize().ok()?;
    let parts = file.strip_prefix(root).ok()?.components();
    Some(parts.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/"))
}
