//! Reads the arguments of an attribute: each by its name, at most once, separated by commas; and the error for an argument
//! that does not exist.

use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Error, Ident, Result, Token};

use crate::spelling;

/// An argument that an attribute takes.
pub(crate) trait Argument: Copy {
    fn name(&self) -> &'static str;

    /// An example of it.
    fn example(&self) -> &'static str;

    /// The error for an argument of this name in another form.
    fn malformed(&self, name: &Ident) -> Error {
        Error::new(name.span(), format!("write `{}`", self.example()))
    }
}

/// Reads arguments to the end of the input. Input: all arguments, aliases for some of them, and a function that reads the rest of one
/// after its name. Output: how many were read.
pub(crate) fn read<A: Argument>(
    input: ParseStream<'_>,
    all: &[A],
    synonyms: &[(&str, &'static str)],
    mut each: impl FnMut(Ident, A) -> Result<()>,
) -> Result<usize> {
    let mut seen: Vec<String> = Vec::new();
    while !input.is_empty() {
        let Ok(name) = Ident::parse_any(input) else {
            return Err(input.error(format!("expected an argument: {}", examples(all))));
        };
        let word = name.to_string();
        let Some(&argument) = all.iter().find(|argument| argument.name() == word) else {
            return Err(Error::new(name.span(), unknown(&word, all, synonyms)));
        };
        if seen.contains(&word) {
            return Err(Error::new(name.span(), format!("second `{word}`: it can be given only once")));
        }
        each(name, argument)?;
        seen.push(word);
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(seen.len())
}

fn unknown<A: Argument>(word: &str, all: &[A], synonyms: &[(&str, &'static str)]) -> String {
    let synonym = synonyms.iter().find(|(synonym, _)| *synonym == word).map(|(_, name)| *name);
    match synonym.or_else(|| spelling::nearest(word, all.iter().map(Argument::name))) {
        Some(near) => format!("unknown argument `{word}`; did you mean `{near}`?"),
        None => format!("unknown argument `{word}`; the arguments are {}", examples(all)),
    }
}

fn examples<A: Argument>(all: &[A]) -> String {
    let examples: Vec<String> = all.iter().map(|argument| format!("`{}`", argument.example())).collect();
    examples.join(", ")
}
