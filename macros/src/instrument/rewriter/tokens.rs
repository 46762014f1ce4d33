//! Rewrites paths in the arguments of unknown macros: token by token.
//!
//! Tokens that look like a path and start with the name of a crate are nearly always a path. A macro that does something else
//! with them, such as printing them, gets the path of the replacement.

use proc_macro2::{Delimiter, Group, Ident, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{ItemUse, Path, PathSegment, Token};

use super::Rewriter;
use crate::instrument::declarations::is_declaring;
use crate::instrument::scope::Space;

impl Rewriter {
    pub(super) fn rewrite_tokens(&mut self, tokens: TokenStream) -> TokenStream {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut output = TokenStream::new();
        let mut at = 0;
        while at < tokens.len() {
            match &tokens[at] {
                TokenTree::Group(group) => {
                    let mut rewritten = Group::new(group.delimiter(), self.rewrite_tokens(group.stream()));
                    rewritten.set_span(group.span());
                    output.extend([TokenTree::Group(rewritten)]);
                    at += 1;
                }
                TokenTree::Ident(word) if word == "use" && !follows(&tokens[..at], '$') => {
                    at += self.use_among(&tokens[at..], &mut output);
                }
                TokenTree::Ident(word) if word == "mod" && is_module_in_a_file(&tokens[at..]) => {
                    self.refuse_module_among(&tokens[at + 1]);
                    output.extend([tokens[at].clone()]);
                    at += 1;
                }
                TokenTree::Ident(_) | TokenTree::Punct(_) if begins_path(&tokens, at) => {
                    at += self.path_among(&tokens, at, &mut output);
                }
                token => {
                    output.extend([token.clone()]);
                    at += 1;
                }
            }
        }
        output
    }

    /// Rewrites the `use` that the tokens begin with, if it is one. Output: how many tokens it has.
    fn use_among(&mut self, tokens: &[TokenTree], output: &mut TokenStream) -> usize {
        let end = tokens
            .iter()
            .position(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';'));
        let item = end.and_then(|end| {
            let item: TokenStream = tokens[..=end].iter().cloned().collect();
            Some((end, syn::parse2::<ItemUse>(item).ok()?))
        });
        match item {
            Some((end, item)) => {
                for item in self.rewrite_use(item) {
                    item.to_tokens(output);
                }
                end + 1
            }
            None => {
                output.extend([tokens[0].clone()]);
                1
            }
        }
    }

    /// The file of a module is not read inside a macro, because the macro may not use the module.
    fn refuse_module_among(&mut self, name: &TokenTree) {
        let message = format!(
            "`mod {name};` in a macro is out of sight, so what is in its file would not be under control: move it out of the \
             macro (`#[cfg(..)]` can be used on a module), or leave it as it is with `#[insyn::instrument(skip)]` on the macro"
        );
        self.refuse_once(name.span(), message);
    }

    /// Rewrites the path that begins at a token. Output: how many tokens it has.
    fn path_among(&mut self, tokens: &[TokenTree], at: usize, output: &mut TokenStream) -> usize {
        let mut end = at;
        let absolute = is_colons(&tokens[end..]);
        if absolute {
            end += 2;
        }
        let mut segments: Punctuated<PathSegment, Token![::]> = Punctuated::new();
        while let Some(TokenTree::Ident(name)) = tokens.get(end) {
            segments.push_value(PathSegment::from(name.clone()));
            end += 1;
            if !is_colons(&tokens[end..]) || !matches!(tokens.get(end + 2), Some(TokenTree::Ident(_))) {
                break;
            }
            segments.push_punct(Token![::](name.span()));
            end += 2;
        }
        let space = match tokens.get(end) {
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => Space::Value,
            Some(TokenTree::Punct(punct)) if punct.as_char() == '!' && punct.spacing() == Spacing::Alone => {
                Space::Macro
            }
            _ => Space::Type,
        };
        let single = segments.len() == 1;
        let small =
            segments.first().is_some_and(|first| first.ident.to_string().starts_with(char::is_lowercase));
        let mut longer = 0;
        let mut path = Path { leading_colon: absolute.then(<Token![::]>::default), segments };
        // A single lower-case name that is not called may be anything.
        if !(single && small && space == Space::Type && !is_colons(&tokens[end..])) {
            longer = self.rewrite_path(&mut path, space);
        }
        if longer == 0 && path.leading_colon.is_some() == absolute {
            output.extend(tokens[at..end].iter().cloned());
        } else {
            path.to_tokens(output);
        }
        end - at
    }
}

/// Whether a path begins at a token.
fn begins_path(tokens: &[TokenTree], at: usize) -> bool {
    let before = &tokens[..at];
    if is_colons(&tokens[at..]) {
        let after_name = match before.last() {
            Some(TokenTree::Ident(name)) => !is_keyword(name),
            Some(TokenTree::Punct(punct)) => punct.as_char() == '>',
            _ => false,
        };
        return !after_name && matches!(tokens.get(at + 2), Some(TokenTree::Ident(_)));
    }
    if !matches!(tokens[at], TokenTree::Ident(_)) {
        return false;
    }
    let declared = matches!(before.last(), Some(TokenTree::Ident(word)) if is_declaring(word))
        && !is_colons(&tokens[at + 1..]);
    let of_value = follows(before, '.') && !follows(&before[..before.len() - 1], '.');
    let of_path = before.len() >= 2 && is_colons(&before[before.len() - 2..]);
    !declared && !of_value && !of_path && !follows(before, '$') && !follows(before, '\'')
}

/// Input: `mod name;` and more.
fn is_module_in_a_file(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [_, TokenTree::Ident(_), TokenTree::Punct(end), ..] if end.as_char() == ';')
}

fn follows(before: &[TokenTree], punct: char) -> bool {
    matches!(before.last(), Some(TokenTree::Punct(last)) if last.as_char() == punct)
}

fn is_colons(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [TokenTree::Punct(a), TokenTree::Punct(b), ..]
        if a.as_char() == ':' && a.spacing() == Spacing::Joint && b.as_char() == ':')
}

/// Words that a path may follow at once.
fn is_keyword(word: &Ident) -> bool {
    [
        "as", "break", "dyn", "else", "for", "if", "impl", "in", "let", "match", "move", "mut", "ref",
        "return", "where", "while",
    ]
    .iter()
    .any(|other| word == other)
}
