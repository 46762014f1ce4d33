//! Modules in files of their own: finds them, reads them, and rewrites them in place of `mod name;`.
//!
//! The compiler gives a macro no spans in a file that it has not read itself. So such a file is parsed with the spans
//! that `proc-macro2` makes by itself, which know lines and columns; when it is rewritten, the compiler is handed the same
//! tokens with spans of its own ([`editions`](super::editions)), and operations tell their places
//! ([`places`](super::places)).

use std::cell::Cell;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::{env, mem};

use proc_macro2::{Ident, Span, TokenStream, fallback};
use quote::quote;
use syn::ext::IdentExt;
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Expr, ExprLit, Item, ItemMod, Lit, LitStr, Meta, Token, parse_quote, token};

use super::consts;
use super::declare::has_attribute;
use super::editions;
use super::mutants;
use super::rewrite::Rewriter;
use super::scope::Kind;

/// Where code comes from.
#[derive(Clone, Debug)]
pub(super) struct Source {
    /// The file, if it has been read here: as it is to be shown.
    read: Option<String>,
    /// The directory of the file.
    directory: PathBuf,
    /// Where modules of this file are looked for, and those of the modules around the place in question, the
    /// outermost first. The name of a file does not always say whether it is the root of a crate, so there may be
    /// several.
    modules: Vec<Vec<PathBuf>>,
    /// The files that are being read: no module is in one of them.
    open: Vec<PathBuf>,
}

impl Source {
    /// The source that the compiler has given to the macro, which stands at `span`.
    pub(super) fn around(span: Span) -> Self {
        let manifest = || env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
        let Some(file) = span.local_file() else {
            let directory = manifest().join("src");
            return Source {
                read: None,
                modules: vec![vec![directory.clone()]],
                directory,
                open: Vec::new(),
            };
        };
        // The compiler names files from where it was started, which is the workspace or the package.
        Self::of(&if file.exists() { file } else { manifest().join(file) })
    }

    /// The source in a file that the compiler has read.
    fn of(file: &Path) -> Self {
        let directory = file.parent().map(Path::to_owned).unwrap_or_default();
        let stem = file.file_stem().unwrap_or_default();
        let modules = match stem.to_str() {
            Some("lib" | "main" | "mod") => vec![directory.clone()],
            _ => vec![directory.join(stem), directory.clone()],
        };
        let open = file.canonicalize().into_iter().collect();
        Source { read: None, directory, modules: vec![modules], open }
    }

    /// The file, if it is known.
    pub(super) fn file(&self) -> Option<&Path> {
        self.open.last().map(PathBuf::as_path)
    }

    /// The file as it is to be shown, if it has been read here.
    pub(super) fn file_read(&self) -> Option<&str> {
        self.read.as_deref()
    }

    /// Goes into a module that is written out.
    pub(super) fn enter(&mut self, module: &Ident) {
        let name = module.unraw().to_string();
        let inner = self.here().iter().map(|directory| directory.join(&name)).collect();
        self.modules.push(inner);
    }

    /// Goes out of it again.
    pub(super) fn leave(&mut self) {
        self.modules.pop();
    }

    /// The module that the place is in: the same for two places in one module, and only then.
    pub(super) fn module_path(&self) -> String {
        format!("{:?} {:?}", self.read, self.here())
    }

    /// Where a path that an attribute gives to a module begins.
    fn base(&self) -> &Path {
        match self.modules.len() {
            1 => &self.directory,
            _ => &self.here()[0],
        }
    }

    fn here(&self) -> &[PathBuf] {
        self.modules.last().expect("a file has a place for its modules")
    }
}

/// A file that a module is in.
struct Found {
    file: PathBuf,
    /// Where its own modules are.
    modules: PathBuf,
}

impl Rewriter {
    /// Input: `mod name;`. Output: the module with what is in its file.
    pub(super) fn module(&mut self, mut module: ItemMod) -> Item {
        let name = module.ident.unraw().to_string();
        let span = module.ident.span();
        if let Some(attr) =
            module.attrs.iter().find(|attr| attr.path().is_ident("cfg_attr") && sets_path(&attr.meta))
        {
            let message = format!(
                "which file the module `{name}` is in depends on what only the compiler knows: write a module for each, as in \
                 `#[cfg(unix)] #[path = \"unix.rs\"] mod {name};`, or leave it out of `insyn::instrumented!`"
            );
            self.errors.push(Error::new_spanned(attr, message));
            return Item::Mod(module);
        }
        if let Some(path) = path_attribute(&mut module.attrs) {
            let found = given(self.source.base(), &path.value());
            return self.read(module, found, path.span());
        }
        let files = [format!("{name}.rs"), format!("{name}/mod.rs")];
        let (found, looked_for) = self.natural(&module, &files, span);
        match found {
            Some(found) => self.read(module, found, span),
            // It may not be wanted here, which only the compiler knows.
            None if has_attribute(&module.attrs, "cfg") || has_attribute(&module.attrs, "cfg_attr") => {
                Item::Mod(module)
            }
            None => {
                let message = format!("the module `{name}` has no file: looked for {looked_for}");
                self.errors.push(Error::new(span, message));
                Item::Mod(module)
            }
        }
    }

    /// The one of these files that the compiler would read for `mod name;`, and those that were looked for.
    fn natural(&mut self, module: &ItemMod, files: &[String], span: Span) -> (Option<Found>, String) {
        let name = module.ident.unraw().to_string();
        let candidates = self.source.here().iter().flat_map(|directory| {
            files.iter().map(|file| Found { file: directory.join(file), modules: directory.join(&name) })
        });
        let candidates: Vec<Found> = candidates.collect();
        let shown = |found: &Found| format!("`{}`", found.file.display());
        let looked_for = candidates.iter().map(shown).collect::<Vec<_>>().join(", ");
        let mut there = candidates.into_iter().filter(|found| found.file.is_file());
        let found = there.next();
        if let (Some(first), Some(second)) = (&found, there.next()) {
            let message = format!(
                "the module `{name}` may be in {} or in {}, which only the compiler knows: rename one of them",
                shown(first),
                shown(&second)
            );
            self.errors.push(Error::new(span, message));
        }
        (found, looked_for)
    }

    /// Input: `#[insyn::instrument(path = "server.rs")] mod server {}`. Output: the module with what is in that file.
    pub(super) fn module_at(&mut self, module: ItemMod, path: &LitStr) -> Item {
        if let Some((_, items)) = &module.content
            && !items.is_empty()
        {
            let message = "with `path` the module is what is in that file: leave the braces empty";
            self.errors.push(Error::new(module.ident.span(), message));
            return Item::Mod(module);
        }
        let found = if is_natural(&module, path) {
            let (found, looked_for) = self.natural(&module, &[path.value()], path.span());
            let Some(found) = found else {
                let message = format!("the module `{}` has no file: looked for {looked_for}", module.ident);
                self.errors.push(Error::new(path.span(), message));
                return Item::Mod(module);
            };
            found
        } else {
            given(self.source.base(), &path.value())
        };
        self.read(module, found, path.span())
    }

    fn read(&mut self, mut module: ItemMod, found: Found, span: Span) -> Item {
        let shown = tidy(&found.file).display().to_string();
        let text = match self.open(&found.file) {
            Ok((text, open)) => {
                self.source.open.push(open);
                text
            }
            Err(message) => {
                self.errors.push(Error::new(span, message));
                return Item::Mod(module);
            }
        };
        let inner = Source {
            read: Some(shown.clone()),
            directory: found.file.parent().map(Path::to_owned).unwrap_or_default(),
            modules: vec![vec![found.modules]],
            open: mem::take(&mut self.source.open),
        };
        let in_text = self.source.read.is_some();
        let outer = mem::replace(&mut self.source, inner);
        let errors = mem::take(&mut self.errors);
        let (attrs, items) = if in_text {
            self.text(&text, &shown)
        } else {
            let content = as_text(|| {
                let (attrs, mut items) = self.text(&text, &shown);
                consts::settle(&mut items, self.lost.clone(), &mut self.errors);
                quote!(#(#attrs)* #(#items)*)
            });
            // Where a macro writes `mod $name;`, it writes the call around it as well, but perhaps not the name.
            let content = editions::hand_over(content, module.mod_token.span).unwrap_or_else(|error| {
                self.errors.push(Error::new(Span::call_site(), error));
                TokenStream::new()
            });
            // What the compiler would warn of stands, for it, where the macro stands, and `cargo fix` would mend it there.
            (vec![parse_quote!(#[allow(warnings)])], vec![Item::Verbatim(content)])
        };
        self.source.open = mem::replace(&mut self.source, outer).open;
        self.source.open.pop();
        let found_errors = mem::replace(&mut self.errors, errors);
        self.errors.extend(found_errors.into_iter().flatten().map(|error| {
            let start = error.span().start();
            Error::new(span, format!("{shown}:{}:{}: {error}", start.line, start.column + 1))
        }));
        module.attrs.extend(attrs);
        module.semi = None;
        module.content = Some((token::Brace::default(), items));
        Item::Mod(module)
    }

    /// Rewrites the text of a file. Its attributes are those of the module.
    fn text(&mut self, text: &str, shown: &str) -> (Vec<Attribute>, Vec<Item>) {
        let file = match syn::parse_file(text) {
            Ok(file) => file,
            Err(error) => {
                self.errors.push(error);
                return Default::default();
            }
        };
        let mut items = file.items;
        if let Err(error) = mutants::switch(&mut items, self.source.file(), Span::call_site()) {
            self.errors.push(error);
        }
        let mut items = self.items(items, Kind::Module);
        // The compiler must know that it depends on the file.
        if let Ok(absolute) = Path::new(shown).canonicalize() {
            let absolute = absolute.display().to_string();
            items.push(parse_quote!(
                const _: &[u8] = ::insyn::macro_support::core::include_bytes!(#absolute);
            ));
        }
        (file.attrs, items)
    }

    /// The text of a file, and the one name that it has.
    fn open(&self, file: &Path) -> Result<(String, PathBuf), String> {
        let shown = file.display();
        let name = file.canonicalize().map_err(|error| format!("cannot read `{shown}`: {error}"))?;
        if let Some(at) = self.source.open.iter().position(|open| *open == name) {
            let circle: Vec<String> = self.source.open[at..]
                .iter()
                .chain([&name])
                .map(|file| format!("`{}`", short(file)))
                .collect();
            return Err(format!(
                "a module cannot be in its own file: {}",
                circle.join(", which has a module in ")
            ));
        }
        let text = fs::read_to_string(file).map_err(|error| format!("cannot read `{shown}`: {error}"))?;
        Ok((text, name))
    }
}

/// Whether the compiler would find the file by itself.
pub(super) fn is_natural(module: &ItemMod, path: &LitStr) -> bool {
    let (name, path) = (module.ident.unraw(), path.value());
    path == format!("{name}.rs") || path == format!("{name}/mod.rs")
}

/// The file that a path leads to. Its modules are beside it.
fn given(directory: &Path, path: &str) -> Found {
    let file = directory.join(path);
    let modules = file.parent().map(Path::to_owned).unwrap_or_default();
    Found { file, modules }
}

/// The path without detours (`src/../tests` is `tests`), as a person would write it.
fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for part in path.components() {
        match (part, tidy.components().next_back()) {
            (Component::ParentDir, Some(Component::Normal(_))) => {
                tidy.pop();
            }
            (Component::CurDir, _) => {}
            _ => tidy.push(part),
        }
    }
    tidy
}

fn short(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Takes off `#[path = ".."]`.
fn path_attribute(attrs: &mut Vec<Attribute>) -> Option<LitStr> {
    let at = attrs.iter().position(|attr| attr.path().is_ident("path"))?;
    let Meta::NameValue(meta) = &attrs[at].meta else { return None };
    let Expr::Lit(ExprLit { lit: Lit::Str(path), .. }) = &meta.value else { return None };
    let path = path.clone();
    attrs.remove(at);
    Some(path)
}

/// Whether an attribute may stand for `#[path = ".."]`, as in `#[cfg_attr(unix, path = "unix.rs")]`.
fn sets_path(meta: &Meta) -> bool {
    match meta {
        Meta::NameValue(meta) => meta.path.is_ident("path"),
        Meta::List(list) if list.path.is_ident("cfg_attr") => {
            let parts = Punctuated::<Meta, Token![,]>::parse_terminated;
            list.parse_args_with(parts).is_ok_and(|parts| parts.iter().skip(1).any(sets_path))
        }
        _ => false,
    }
}

thread_local! {
    static IS_TEXT: Cell<bool> = const { Cell::new(false) };
}

/// Whether tokens are those of a file that was read, which the compiler does not know.
pub(super) fn is_text() -> bool {
    IS_TEXT.get()
}

/// Does something with tokens that the compiler does not know.
fn as_text<T>(inside: impl FnOnce() -> T) -> T {
    struct Unforce;
    impl Drop for Unforce {
        fn drop(&mut self) {
            IS_TEXT.set(false);
            fallback::unforce();
        }
    }
    fallback::force();
    IS_TEXT.set(true);
    let _unforce = Unforce;
    inside()
}

#[cfg(test)]
mod tests {
    use super::super::args::Args;
    use super::*;

    /// What is read for `#[insyn::instrument(path = "server.rs")] mod server {}` in `net.rs`, with these files beside it.
    fn read(test: &str, files: &[&str]) -> Result<String, String> {
        let directory = env::temp_dir().join(format!("insyn-files-{}-{test}", std::process::id()));
        for file in files {
            let file = directory.join(file);
            fs::create_dir_all(file.parent().expect("it is in a directory")).expect("it can be made");
            fs::write(&file, "const HERE: u8 = 0;").expect("it can be written");
        }
        let mut rewriter = Rewriter::new(&Args::default(), Source::of(&directory.join("net.rs")));
        let module = rewriter.module_at(
            parse_quote!(
                mod server {}
            ),
            &parse_quote!("server.rs"),
        );
        fs::remove_dir_all(&directory).expect("it can be removed");
        match rewriter.errors.first() {
            Some(error) => Err(error.to_string().replace(&format!("{}/", directory.display()), "")),
            None => {
                let text = quote!(#module).to_string();
                let included =
                    text.split(&format!("{}/", directory.display())).nth(1).expect("a file is read");
                Ok(included.split('"').next().unwrap_or_default().to_owned())
            }
        }
    }

    #[test]
    fn a_path_that_is_the_natural_one_means_what_the_compiler_takes_it_for() {
        // `mod server;`, which it is with the switch off, is in a directory of this name, unless `net.rs` is the root.
        assert_eq!(read("below", &["net.rs", "net/server.rs"]).as_deref(), Ok("net/server.rs"));
        assert_eq!(read("beside", &["net.rs", "server.rs"]).as_deref(), Ok("server.rs"));
        assert_eq!(
            read("both", &["net.rs", "net/server.rs", "server.rs"]),
            Err("the module `server` may be in `net/server.rs` or in `server.rs`, which only the compiler knows: rename one \
                 of them"
                .to_owned())
        );
        assert_eq!(
            read("none", &["net.rs"]),
            Err("the module `server` has no file: looked for `net/server.rs`, `server.rs`".to_owned())
        );
    }
}
