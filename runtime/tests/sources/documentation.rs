//! The public items of a crate, from its documentation as rustdoc writes it: items, methods, traits, examples.
//!
//! Stable Rust has no other description of a crate's public interface that a program could read, and this one shows what
//! macros have made and what is not stable. It is read as text, since rustdoc always writes it in the same way.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A directory with the documentation of crates.
pub(crate) struct Documentation(pub(crate) PathBuf);

/// The content of a module.
pub(crate) type Module = BTreeMap<Name, Item>;

/// The name and the kind of an item: a struct and a function may share a name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Name {
    pub(crate) name: String,
    /// Rustdoc's word for the kind: `struct`, `fn`, …
    pub(crate) kind: String,
}

/// What belongs to an item.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Item {
    /// Its source is in another crate: it is a re-export.
    pub(crate) foreign: bool,
    /// Functions and constants of its own.
    pub(crate) methods: BTreeSet<String>,
    /// Traits, without their arguments.
    pub(crate) traits: BTreeSet<String>,
}

impl Documentation {
    /// The documentation that is installed beside the compiler, and the version of both; none if it is not installed.
    pub(crate) fn of_std() -> Option<(Self, String)> {
        let ask = |arguments: &[&str]| {
            let output = Command::new("rustc").args(arguments).output().expect("the compiler runs");
            String::from_utf8(output.stdout).expect("it speaks text").trim().to_owned()
        };
        let root = Path::new(&ask(&["--print", "sysroot"])).join("share/doc/rust/html");
        let version = ask(&["--version"]);
        let version = version.split_whitespace().nth(1).expect("a number").to_owned();
        root.join("std/index.html").is_file().then_some((Documentation(root), version))
    }

    /// The page of a module.
    pub(crate) fn index(&self, module: &str) -> PathBuf {
        self.0.join(module.replace("::", "/")).join("index.html")
    }

    /// The stable items of a module whose names are wanted.
    pub(crate) fn items(&self, path: &str, wanted: impl Fn(&str) -> bool) -> Module {
        let index = self.index(path);
        let text = read(&index);
        let mut module = Module::default();
        for entry in text.split("<dt").skip(1) {
            let entry = entry.split("</dt>").next().expect("the first part");
            if entry.contains("stab unstable") {
                continue;
            }
            let (Some(kind), Some(title)) =
                (between(entry, "<a class=\"", "\""), between(entry, "title=\"", "\""))
            else {
                continue;
            };
            let Some(name) = title.strip_prefix(kind).and_then(|whole| whole.rsplit("::").next()) else {
                continue;
            };
            if matches!(kind, "mod" | "primitive" | "keyword") || !wanted(name) {
                continue;
            }
            let name = Name { name: name.to_owned(), kind: kind.to_owned() };
            let item = self.item(&index.with_file_name(between(entry, "href=\"", "\"").expect("a page")));
            module.insert(name, item);
        }
        module
    }

    fn item(&self, page: &Path) -> Item {
        let text = read(page);
        let own = between(&text, "id=\"implementations-list\"", "id=\"trait-implementations-list\"");
        let own = own.or_else(|| between(&text, "id=\"implementations-list\"", "id=\"blanket-"));
        let krate = page.strip_prefix(&self.0).ok().and_then(|inside| inside.iter().next());
        let home = format!("/src/{}/", krate.and_then(OsStr::to_str).expect("a crate"));
        let source = text.split("class=\"src").nth(1).and_then(|link| between(link, "href=\"", "\""));
        let mut item = Item { foreign: source.is_none_or(|link| !link.contains(&home)), ..Item::default() };
        for section in own.unwrap_or_default().split("<section id=\"").skip(1) {
            let id = section.split('"').next().expect("the first part");
            let heading = section.split("<div class=\"docblock\"").next().expect("the first part");
            if let Some(method) =
                id.strip_prefix("method.").or_else(|| id.strip_prefix("associatedconstant."))
                && !heading.contains("stab unstable")
            {
                // A second one of the same name has a number.
                item.methods.insert(method.split('-').next().expect("the first part").to_owned());
            }
        }
        for list in ["id=\"trait-implementations-list\"", "id=\"synthetic-implementations-list\""] {
            let list = text.split(list).nth(1).unwrap_or_default();
            let list = list.split("<h2 id=").next().expect("the first part");
            for heading in list.split("<section id=\"impl-").skip(1) {
                let heading = between(heading, "<h3 class=\"code-header\">", "</h3>").unwrap_or_default();
                if let Some(name) = self.implemented(page, heading) {
                    item.traits.insert(name);
                }
            }
        }
        item
    }

    /// The trait in `impl<T: Bound> Trait<T> for Type<T>`, if it is stable and the type has it.
    fn implemented(&self, page: &Path, heading: &str) -> Option<String> {
        // The arrow of a function type is no bracket.
        let code = plain(heading).replace("->", "");
        let rest = code.strip_prefix("unsafe ").unwrap_or(&code).strip_prefix("impl")?;
        let mut depth = 0;
        let start = rest.find(|c| {
            depth += i32::from(c == '<') - i32::from(c == '>');
            depth == 0 && c == ' '
        });
        let rest = rest[start?..].trim_start();
        let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '!').next()?;
        // Programs do not call `drop` of a type, so whether it has one does not matter.
        if name.starts_with('!') || name == "Drop" {
            return None;
        }
        // Traits of foreign crates are not linked to.
        let link = format!("trait.{name}.html");
        let known = heading.split("href=\"").skip(1).find_map(|link_to| {
            let href = link_to.split('"').next()?;
            href.ends_with(&link).then(|| page.with_file_name(href))
        });
        let unstable = known.is_some_and(|page| {
            let text = if page.is_file() { read(&page) } else { String::new() };
            text.split("<div class=\"docblock\"").next().is_some_and(|top| top.contains("stab unstable"))
        });
        (!unstable).then(|| name.to_owned())
    }
}

/// The text of a page.
pub(crate) fn read(page: &Path) -> String {
    fs::read_to_string(page).unwrap_or_else(|error| panic!("{}: {error}", page.display()))
}

/// The text between the first `start` and the next `end`.
pub(crate) fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(start)?;
    rest.split_once(end).map(|(inside, _)| inside)
}

/// Text without its tags.
pub(crate) fn plain(html: &str) -> String {
    let mut plain = String::new();
    for part in html.split('<') {
        plain.push_str(part.split_once('>').map_or(part, |(_, text)| text));
    }
    plain
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&")
}
