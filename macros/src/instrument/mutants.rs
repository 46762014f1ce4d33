//! Mutants to compile in: an environment variable names the file that lists them.
//!
//! They are added before anything is rewritten, since their positions refer to the original code.
//!
//! A separate build, the trial, finds out which mutants do not compile. There, the rewritten code is not given to the
//! compiler directly but written to a file that the compiler includes: so its errors name a place in that file, which shows
//! the mutant that they are about. In the program itself many mutants have the same place.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use insyn_mutator::{LIST_VARIABLE, Numbered, Schemata, TRIAL_VARIABLE, read_list};
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Error, Item, Result, parse_quote};

/// The mutants to add.
struct Wanted {
    list: Vec<Numbered>,
    file: PathBuf,
}

/// Read once, since it is the same for a whole build. None if another package is mutated.
fn wanted() -> std::result::Result<Option<&'static Wanted>, &'static str> {
    static WANTED: OnceLock<std::result::Result<Option<Wanted>, String>> = OnceLock::new();
    let read = || {
        let Some(file) = env::var_os(LIST_VARIABLE).map(PathBuf::from) else { return Ok(None) };
        let shown = file.display();
        let text = fs::read_to_string(&file).map_err(|error| format!("{LIST_VARIABLE}: {shown}: {error}"))?;
        let (package, list) =
            read_list(&text).map_err(|error| format!("{LIST_VARIABLE}: {shown}: {error}"))?;
        let is_this = env::var("CARGO_PKG_NAME").is_ok_and(|name| name == package);
        Ok(is_this.then_some(Wanted { list, file }))
    };
    WANTED.get_or_init(read).as_ref().map(Option::as_ref).map_err(String::as_str)
}

/// Adds the mutants to items of a file. Afterwards the items depend on the list.
pub(super) fn switch(items: &mut Vec<Item>, file: Option<&Path>, span: Span) -> Result<()> {
    let wanted = wanted().map_err(|message| Error::new(span, message))?;
    depend_on_names(items);
    let Some(wanted) = wanted else { return Ok(()) };
    let Some(name) = file.and_then(from_root) else { return Ok(()) };
    let mut schemata = Schemata::new(&wanted.list, &name).before_2024(!is_since_2024(env::args_os()));
    for item in items.iter_mut() {
        if let Some(left) = schemata.switch(item).first() {
            let message = format!("{} is no longer in this file: find the mutants again", left.mutant);
            return Err(Error::new(span, message));
        }
    }
    if let Ok(list) = wanted.file.canonicalize() {
        let list = list.display().to_string();
        depend(
            items,
            parse_quote!(
                const _: &[u8] = ::insyn::macro_support::core::include_bytes!(#list);
            ),
        );
    }
    Ok(())
}

/// Whether the crate is certainly of the edition of 2024 or a later one. A macro can know that from the command line of the
/// compiler only; where the edition is not on it, the crate counts as one of an earlier edition, which generates more code
/// and makes no difference otherwise.
fn is_since_2024(args: impl Iterator<Item = OsString>) -> bool {
    let args: Vec<OsString> = args.collect();
    let edition = |at: usize| match args[at].to_str()? {
        "--edition" => args.get(at + 1)?.to_str(),
        arg => arg.strip_prefix("--edition="),
    };
    let edition = (0..args.len()).find_map(edition).and_then(|edition| edition.parse::<u32>().ok());
    edition.is_some_and(|edition| edition >= 2024)
}

/// Another list, or another kind of build, generates other code from the same text, so the compiler must track it.
fn depend_on_names(items: &mut Vec<Item>) {
    for name in [LIST_VARIABLE, TRIAL_VARIABLE] {
        depend(
            items,
            parse_quote!(
                const _: ::insyn::macro_support::core::option::Option<&str> =
                    ::insyn::macro_support::core::option_env!(#name);
            ),
        );
    }
}

fn depend(items: &mut Vec<Item>, on: Item) {
    match &mut items[..] {
        // The item may be in an impl, where no constant can be.
        [Item::Fn(function)] => function.block.stmts.insert(0, syn::Stmt::Item(on)),
        _ => items.push(on),
    }
}

/// The code for the compiler: the output itself or, in a trial, an include of the file that contains it. A function may be in
/// an impl, where no file can be included.
pub(super) fn output(output: TokenStream, span: Span) -> Result<TokenStream> {
    let Some(directory) = env::var_os(TRIAL_VARIABLE).map(PathBuf::from) else { return Ok(output) };
    let is_function = matches!(syn::parse2::<Item>(output.clone()), Ok(Item::Fn(_)));
    if is_function || !matches!(wanted(), Ok(Some(_))) {
        return Ok(output);
    }
    let text = output.to_string();
    let file = directory.join(format!("{:016x}.rs", hash(&text)));
    fs::create_dir_all(&directory)
        .and_then(|()| fs::write(&file, &text))
        .map_err(|error| Error::new(span, format!("{TRIAL_VARIABLE}: {}: {error}", file.display())))?;
    let file = file.display().to_string();
    Ok(quote!(::insyn::macro_support::core::include!(#file);))
}

/// FNV-1a.
fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// The name of a file from the root of its package, with `/` between its parts.
fn from_root(file: &Path) -> Option<String> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?).canonicalize().ok()?;
    let file = file.canonicalize().ok()?;
    let parts = file.strip_prefix(root).ok()?.components();
    Some(parts.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_edition_of_a_crate() {
        for (args, is) in [
            ("rustc --crate-name a --edition=2024 src/lib.rs", true),
            ("rustc --edition 2024 src/lib.rs", true),
            ("clippy-driver rustc --edition=2027", true),
            ("rustc --edition=2021 src/lib.rs", false),
            ("rustc --edition future", false),
            ("rustc src/lib.rs --edition", false),
            ("rustc @arguments", false),
        ] {
            assert_eq!(is_since_2024(args.split(' ').map(OsString::from)), is, "{args}");
        }
    }
}
