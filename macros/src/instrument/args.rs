//! The arguments of `#[insyn::instrument(..)]`.

use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Error, Ident, LitStr, Path, Result, Token, UseTree, parenthesized, token};

use super::mirrors;
use super::settings::Settings;
use crate::arguments::{self, Argument};

/// The arguments in the parentheses.
#[derive(Default)]
pub(super) struct Args {
    /// `path = "server.rs"`: the file that the module is in.
    pub(super) path: Option<LitStr>,
    /// `imports(std::sync::Mutex, ..)`: the meaning of names that are imported outside of the annotated code.
    pub(super) imports: Vec<UseTree>,
    /// `reexports(..)` and `keep(..)`.
    pub(super) settings: Settings,
    /// `skip`: leave the item as it is.
    pub(super) skip: Option<Span>,
    /// The position of an argument other than `skip`.
    pub(super) other: Option<Span>,
}

/// An argument: its name and an example.
type Known = (&'static str, &'static str);

const ARGUMENTS: [Known; 5] = [
    ("imports", "imports(std::sync::Mutex, std::thread)"),
    ("keep", "keep(std::sync::Arc)"),
    ("path", "path = \"server.rs\""),
    ("reexports", "reexports(some_crate::channel = crossbeam_channel)"),
    ("skip", "skip"),
];

/// Other words that people use for some of them.
const SYNONYMS: [(&str, &str); 5] =
    [("file", "path"), ("ignore", "skip"), ("import", "imports"), ("use", "imports"), ("uses", "imports")];

impl Argument for Known {
    fn name(&self) -> &'static str {
        self.0
    }

    fn example(&self) -> &'static str {
        self.1
    }
}

impl Parse for Args {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut args = Args::default();
        let count =
            arguments::read(input, &ARGUMENTS, &SYNONYMS, |name, known| args.read(input, &name, known))?;
        match args.skip {
            Some(span) if count > 1 => Err(Error::new(
                span,
                "`skip` leaves the item as it is, so it cannot be combined with other arguments",
            )),
            _ => Ok(args),
        }
    }
}

impl Args {
    fn read(&mut self, input: ParseStream<'_>, name: &Ident, known: Known) -> Result<()> {
        let malformed = |_| known.malformed(name);
        if known.name() != "skip" {
            self.other = Some(name.span());
        }
        match known.name() {
            "skip" => self.skip = Some(name.span()),
            "path" => {
                input.parse::<Token![=]>().map_err(malformed)?;
                let path: LitStr = input.parse().map_err(malformed)?;
                if path.value().is_empty() {
                    return Err(Error::new(path.span(), "the path is empty: name the file of the module"));
                }
                self.path = Some(path);
            }
            word => {
                if !input.peek(token::Paren) {
                    return Err(known.malformed(name));
                }
                let content;
                parenthesized!(content in input);
                match word {
                    "imports" => {
                        let trees = Punctuated::<UseTree, Token![,]>::parse_terminated(&content)?;
                        self.imports.extend(trees);
                    }
                    "keep" => {
                        for path in Punctuated::<Path, Token![,]>::parse_terminated(&content)? {
                            self.settings.kept.push(kept(&path)?);
                        }
                    }
                    _ => {
                        let pairs = Punctuated::<Reexport, Token![,]>::parse_terminated(&content)?;
                        self.settings.reexports.extend(pairs.into_iter().map(|pair| (pair.from, pair.to)));
                    }
                }
            }
        }
        Ok(())
    }
}

/// `some_crate::channel = crossbeam_channel`
struct Reexport {
    from: Vec<String>,
    to: Vec<String>,
}

impl Parse for Reexport {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let from: Path = input.call(Path::parse_mod_style)?;
        if !input.peek(Token![=]) {
            return Err(input
                .error("expected `=` and what is re-exported there, as in `some_crate::sync = std::sync`"));
        }
        input.parse::<Token![=]>()?;
        let to: Path = input.call(Path::parse_mod_style)?;
        let names = names(&to);
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        let leads_there = matches!(known[..], ["std" | "core" | "alloc" | "crossbeam"]);
        if mirrors::mirror(&known).is_none() && !leads_there {
            let message = format!(
                "`{}` has no replacement; the paths that can be re-exported are `std`, `std::thread`, `std::sync`, `std::time`, \
                 `crossbeam_channel` and what is in them",
                known.join("::")
            );
            return Err(Error::new_spanned(to, message));
        }
        Ok(Reexport { from: self::names(&from), to: names })
    }
}

/// Input: a path that is not to be replaced. Output: its canonical spelling, if it has a replacement.
fn kept(path: &Path) -> Result<Vec<String>> {
    let names = names(path);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let known = mirrors::proper(&names).or_else(|| mirrors::keepable(&names).map(|_| names.clone()));
    match known {
        Some(known) => Ok(known.into_iter().map(str::to_owned).collect()),
        None => {
            let message = format!("`{}` has no replacement, so it is never rewritten", names.join("::"));
            Err(Error::new_spanned(path, message))
        }
    }
}

fn names(path: &Path) -> Vec<String> {
    path.segments.iter().map(|segment| segment.ident.unraw().to_string()).collect()
}
