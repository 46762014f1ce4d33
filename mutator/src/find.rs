//! Finds the mutants of one file.

use syn::visit::Visit;
use syn::{Item, ItemMod};

use crate::attributes;
use crate::error::{FindError, FindErrorKind};
use crate::facts::Facts;
use crate::finder::Finder;
use crate::modules::FileModule;
use crate::mutant::Mutant;
use crate::selection::Selection;
use crate::skip::{self, Unused};
use crate::text::Text;
use crate::walker::Walker;

/// What to find.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The operators; all of them unless chosen.
    pub operators: Selection,
    /// Whether functions with `#[insyn::test]` are mutated too. They drive the program, and are not part of it.
    pub drivers: bool,
}

/// What was found in a file.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The mutants, in order, including those that are skipped.
    pub mutants: Vec<Mutant>,
    /// Skip comments without a mutant to skip.
    pub unused: Vec<Unused>,
    /// Modules of the annotated code that are in files of their own.
    #[cfg_attr(
        not(feature = "packages"),
        expect(dead_code, reason = "only the search of a package needs them")
    )]
    pub(crate) modules: Vec<FileModule>,
}

/// Finds the mutants of the annotated code in a file. `file` is relative to the root of the package.
pub fn find(file: &str, source: &str, options: &Options) -> Result<Found, FindError> {
    find_within(file, source, options, false)
}

/// Finds the mutants of a file; of the whole file if it is the file of an annotated module.
pub(crate) fn find_within(
    file: &str,
    source: &str,
    options: &Options,
    annotated: bool,
) -> Result<Found, FindError> {
    let parsed = syn::parse_file(source).map_err(|error| FindError {
        file: file.to_owned(),
        position: error.span().start().into(),
        message: error.to_string(),
        kind: FindErrorKind::Syntax,
    })?;
    let text = Text::new(source);
    let facts = Facts::of(source, &parsed.items);
    let mut outline = Outline {
        walker: Walker::new(Finder::new(&text, facts), options.drivers),
        modules: Vec::new(),
        inside: Vec::new(),
    };
    outline.items(&parsed.items, annotated);
    let Outline { walker, modules, .. } = outline;
    let mut mutants: Vec<Mutant> = walker
        .finder
        .edits
        .into_iter()
        .map(|edit| Mutant {
            file: file.to_owned(),
            extent: edit.extent,
            operator: edit.operator,
            replacement: edit.replacement,
            function: edit.function,
            skipped: None,
        })
        .collect();
    let unused =
        if mutants.is_empty() { Vec::new() } else { skip::mark(file, &text, &parsed, &mut mutants)? };
    mutants.retain(|mutant| options.operators.contains(mutant.operator));
    mutants.sort();
    mutants.dedup();
    Ok(Found { mutants, unused, modules })
}

/// Walks through the items of a file to the annotated ones.
struct Outline<'a> {
    walker: Walker<'a>,
    modules: Vec<FileModule>,
    /// The modules around the place.
    inside: Vec<String>,
}

impl Outline<'_> {
    fn items(&mut self, items: &[Item], annotated: bool) {
        for item in items {
            self.item(item, annotated);
        }
    }

    fn item(&mut self, item: &Item, annotated: bool) {
        let attrs = attributes::of(item).unwrap_or_default();
        let annotation = attributes::annotation(attrs, &self.walker.finder.facts);
        // Under `#[cfg(test)]`, a module whose file is named is the package's own code: other builds have `mod name;`.
        let is_file = annotation.as_ref().is_some_and(|it| it.path.is_some());
        if attributes::is_left_alone(attrs) && !is_file {
            return;
        }
        let annotated = annotated || annotation.is_some();
        match item {
            Item::Mod(module) => {
                let path = annotation.and_then(|annotation| annotation.path);
                self.module(module, path, annotated);
            }
            Item::Macro(mac) if is_instrumented(mac) => {
                if let Ok(file) = syn::parse2::<syn::File>(mac.mac.tokens.clone()) {
                    self.items(&file.items, true);
                }
            }
            item if annotated => self.walker.visit_item(item),
            Item::Impl(item) => {
                for function in &item.items {
                    if let syn::ImplItem::Fn(function) = function
                        && attributes::annotation(&function.attrs, &self.walker.finder.facts).is_some()
                    {
                        self.walker.visit_impl_item_fn(function);
                    }
                }
            }
            _ => {}
        }
    }

    fn module(&mut self, module: &ItemMod, path: Option<String>, annotated: bool) {
        let name = module.ident.to_string();
        let name = name.strip_prefix("r#").unwrap_or(&name).to_owned();
        match &module.content {
            Some((_, items)) if path.is_none() => {
                self.inside.push(name);
                self.items(items, annotated);
                self.inside.pop();
            }
            _ if annotated => self.modules.push(FileModule {
                name,
                annotated_path: path,
                path: attributes::path(&module.attrs),
                inside: self.inside.clone(),
            }),
            // The compiler reads that file separately, and the search of a package finds it.
            _ => {}
        }
    }
}

fn is_instrumented(item: &syn::ItemMacro) -> bool {
    let names = &item.mac.path.segments;
    names.len() == 2 && names[0].ident == "insyn" && names[1].ident == "instrumented"
}
