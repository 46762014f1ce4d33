//! Modules in their own files: finds them, reads them, and puts the rewritten module in place of `mod name;`.
//!
//! The tokens of such a file are unknown to the compiler ([`file_tokens`]), so its operations report where they are
//! ([`places`](super::places)).

use std::mem;
use std::path::Path;

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt;
use syn::{Attribute, Error, Item, ItemMod, LitStr, parse_quote, token};

use super::Rewriter;
use crate::instrument::scope::Kind;
use crate::instrument::source::{ModuleFile, is_natural};
use crate::instrument::{attributes, consts, file_tokens, mutants};

impl Rewriter {
    /// Input: `mod name;`. Output: the module with what is in its file.
    pub(super) fn module(&mut self, mut module: ItemMod) -> Item {
        let name = module.ident.unraw().to_string();
        let span = module.ident.span();
        if let Some(attr) = module
            .attrs
            .iter()
            .find(|attr| attr.path().is_ident("cfg_attr") && attributes::sets_path(&attr.meta))
        {
            let message = format!(
                "which file the module `{name}` is in depends on what only the compiler knows: write a module for each, as in \
                 `#[cfg(unix)] #[path = \"unix.rs\"] mod {name};`, or leave it out of `insyn::instrumented!`"
            );
            self.errors.push(Error::new_spanned(attr, message));
            return Item::Mod(module);
        }
        if let Some(path) = attributes::take_path(&mut module.attrs) {
            let found = self.source.at_path(&path.value());
            return self.read(module, found, path.span());
        }
        let files = [format!("{name}.rs"), format!("{name}/mod.rs")];
        let (found, looked_for) = self.natural(&module, &files, span);
        match found {
            Some(found) => self.read(module, found, span),
            // It may be left out by a `cfg`, which only the compiler knows.
            None if attributes::has(&module.attrs, "cfg") || attributes::has(&module.attrs, "cfg_attr") => {
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
    fn natural(&mut self, module: &ItemMod, files: &[String], span: Span) -> (Option<ModuleFile>, String) {
        let name = module.ident.unraw().to_string();
        let candidates = self.source.candidates(&module.ident, files);
        let shown = |found: &ModuleFile| format!("`{}`", found.file.display());
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
    pub(in crate::instrument) fn module_at(&mut self, module: ItemMod, path: &LitStr) -> Item {
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
            self.source.at_path(&path.value())
        };
        self.read(module, found, path.span())
    }

    fn read(&mut self, mut module: ItemMod, found: ModuleFile, span: Span) -> Item {
        let file = match self.source.read(found, span) {
            Ok(file) => file,
            Err(error) => {
                self.errors.push(error);
                return Item::Mod(module);
            }
        };
        let (text, shown) = (&file.text, &file.shown);
        let in_file = self.source.file_read().is_some();
        let outer = self.source.enter_file(&file);
        let errors = mem::take(&mut self.errors);
        let (attrs, items) = if in_file {
            self.text(text, shown)
        } else {
            let content = file_tokens::reading(|| {
                let (attrs, mut items) = self.text(text, shown);
                consts::propagate(&mut items, self.non_const.clone(), &mut self.errors);
                quote!(#(#attrs)* #(#items)*)
            });
            // Where a macro writes `mod $name;`, it writes the call around it as well, but perhaps not the name.
            let content = file_tokens::hand_over(content, module.mod_token.span).unwrap_or_else(|error| {
                self.errors.push(Error::new(Span::call_site(), error));
                TokenStream::new()
            });
            // Warnings would have the position of the macro, and `cargo fix` would change the code there.
            (vec![parse_quote!(#[allow(warnings)])], vec![Item::Verbatim(content)])
        };
        self.source.leave_file(outer);
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
}

#[cfg(test)]
mod tests {
    use std::{env, fs};

    use super::*;
    use crate::instrument::args::Args;
    use crate::instrument::source::Source;

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
        // `mod server;`, which it is without instrumentation, is in a directory of this name, unless `net.rs` is the root.
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
