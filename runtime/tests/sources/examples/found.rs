//! Finds the examples: in the documentation that is installed beside the compiler, and in the sources of a crate.

use std::fs;
use std::path::Path;

use crate::documentation::{Documentation, between, plain, read};

/// An example from the documentation of a crate.
pub(crate) struct Example {
    /// What it is an example of, and its number among those of the same item.
    pub(crate) name: String,
    /// A program with a function `main`.
    pub(crate) code: String,
    pub(crate) should_panic: bool,
}

/// The examples on the pages of a module: its own, and those of its items that are wanted.
pub(crate) fn in_pages(std: &Documentation, module: &str, wanted: impl Fn(&str) -> bool) -> Vec<Example> {
    let index = std.index(module);
    let mut found = Vec::new();
    on_page(&read(&index), module, &mut found);
    for name in std.items(module, wanted).into_keys() {
        let page = index.with_file_name(format!("{}.{}.html", name.kind, name.name));
        on_page(&read(&page), &format!("{module}::{}", name.name), &mut found);
    }
    number(&mut found);
    found
}

/// Rustdoc gives every example a link with the whole program in it, hidden lines included.
fn on_page(page: &str, item: &str, found: &mut Vec<Example>) {
    let mut of = item.to_owned();
    let mut rest = page;
    while let Some(at) = rest.find("<div class=\"example-wrap") {
        if let Some(section) = rest[..at].rfind("<section id=\"") {
            let id = between(&rest[section..], "id=\"", "\"").unwrap_or_default();
            of = match id.strip_prefix("method.").or_else(|| id.strip_prefix("associatedconstant.")) {
                Some(method) => format!("{item}::{}", method.split('-').next().unwrap_or(method)),
                None => item.to_owned(),
            };
        }
        rest = &rest[at + 1..];
        let wrap = rest.split("<div class=\"example-wrap").next().unwrap_or(rest);
        let (class, link) =
            (between(wrap, "class=\"", "\""), between(wrap, "https://play.rust-lang.org/?code=", "\""));
        let (Some(class), Some(link)) = (class, link) else { continue };
        let code = link.split("&amp;").next().unwrap_or(link);
        let code = decoded(&plain(code));
        let untested = wrap.contains("title=\"This example is not tested\"");
        if class.contains("compile_fail") || untested || code.contains("#![feature") {
            continue;
        }
        found.push(Example { name: of.clone(), code, should_panic: class.contains("should_panic") });
    }
}

/// Decodes a link.
fn decoded(link: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = link.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let mut digit = || char::from(rest.next().unwrap_or_default()).to_digit(16).expect("a digit");
                u8::try_from(16 * digit() + digit()).expect("two digits are a byte")
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).expect("it is text")
}

/// The examples in the documentation comments of all files in a directory.
pub(crate) fn in_sources(directory: &Path, krate: &str) -> Vec<Example> {
    let files =
        fs::read_dir(directory).expect("it can be read").map(|file| file.expect("it can be read").path());
    let mut files: Vec<_> = files.filter(|file| file.extension().is_some_and(|end| end == "rs")).collect();
    files.sort();
    let mut found = Vec::new();
    for file in files {
        let file =
            syn::parse_file(&read(&file)).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        in_comment(&file.attrs, krate, &mut found);
        for item in &file.items {
            in_item(item, krate, &mut found);
        }
    }
    number(&mut found);
    found
}

fn in_item(item: &syn::Item, krate: &str, found: &mut Vec<Example>) {
    let (attrs, name) = match item {
        syn::Item::Enum(item) => (&item.attrs, &item.ident),
        syn::Item::Fn(item) => (&item.attrs, &item.sig.ident),
        syn::Item::Struct(item) => (&item.attrs, &item.ident),
        syn::Item::Macro(syn::ItemMacro { attrs, ident: Some(name), .. }) => (attrs, name),
        syn::Item::Impl(item) => {
            let syn::Type::Path(syn::TypePath { path, .. }) = &*item.self_ty else { return };
            let name = &path.segments.last().expect("a path has one").ident;
            for inside in &item.items {
                if let syn::ImplItem::Fn(method) = inside {
                    in_comment(&method.attrs, &format!("{krate}::{name}::{}", method.sig.ident), found);
                }
            }
            return;
        }
        _ => return,
    };
    in_comment(attrs, &format!("{krate}::{name}"), found);
}

fn in_comment(attrs: &[syn::Attribute], of: &str, found: &mut Vec<Example>) {
    let mut comment = String::new();
    for attr in attrs {
        if let syn::Meta::NameValue(syn::MetaNameValue { path, value, .. }) = &attr.meta
            && path.is_ident("doc")
            && let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(line), .. }) = value
        {
            let line = line.value();
            comment.push_str(line.strip_prefix(' ').unwrap_or(&line));
            comment.push('\n');
        }
    }
    for (index, block) in comment.split("```").enumerate() {
        let Some((words, code)) = block.split_once('\n') else { continue };
        if index % 2 == 0 || ["ignore", "compile_fail", "text"].iter().any(|word| words.contains(word)) {
            continue;
        }
        let lines = code.lines().map(|line| match line.trim_start() {
            "#" => "",
            hidden => hidden.strip_prefix("# ").unwrap_or(line),
        });
        let code = lines.collect::<Vec<_>>().join("\n");
        let code = if code.contains("fn main()") { code } else { format!("fn main() {{\n{code}\n}}") };
        found.push(Example { name: of.to_owned(), code, should_panic: words.contains("should_panic") });
    }
}

/// Numbers the examples of the same item.
fn number(examples: &mut [Example]) {
    let names: Vec<_> = examples.iter().map(|example| example.name.clone()).collect();
    for (index, example) in examples.iter_mut().enumerate() {
        let earlier = names[..index].iter().filter(|name| **name == names[index]).count();
        if earlier > 0 {
            example.name = format!("{} ({})", names[index], earlier + 1);
        }
    }
}
