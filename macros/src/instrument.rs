//! `#[insyn::instrument]`: rewrites ordinary code so that it can be run under control.
//!
//! In phases: [`args`] reads the arguments; [`declarations`] collects the names of each scope and [`scope`] resolves
//! them; [`rewriter`] walks through the code and rewrites every path that leads to something in [`mirrors`], has
//! [`statics`] initialized again in each execution and names objects; [`emit`] has the calls that are generated. Without the
//! feature flag only the arguments are checked.
//!
//! Only this file uses [`rewriter`], and the modules that the rewriter uses do not use it.

mod args;
mod attributes;
mod consts;
mod declarations;
mod emit;
mod file_tokens;
mod leaves;
mod mirrors;
#[cfg_attr(not(feature = "mutants"), path = "instrument/no_mutants.rs")]
mod mutants;
mod rewriter;
mod scope;
mod settings;
mod source;
mod statics;
#[cfg(test)]
mod tests;

use std::path::Path;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::{Error, Expr, File, Item, ItemMod, LitStr, Result, Token, TraitItem};

use args::Args;
use rewriter::Rewriter;
use scope::Kind;
use source::Source;

/// The argument that `#[insyn::test]` gets on a function that is already instrumented, by the attribute on the module
/// around it.
pub(crate) const ALREADY: &str = "__instrumented";

/// `#[insyn::instrument(attr)] item`, with instrumentation on or off.
pub(crate) fn expand(attr: TokenStream, item: TokenStream, on: bool) -> Result<TokenStream> {
    let args: Args = syn::parse2(attr)?;
    if !on || args.skip.is_some() {
        return match &args.path {
            Some(path) => file_module(path, item),
            None => Ok(item),
        };
    }
    let source = Source::around(args.path.as_ref().map_or_else(|| first_span(&item), LitStr::span));
    let file = source.file().map(Path::to_owned);
    let mut rewriter = Rewriter::new(&args, source);
    let item = match syn::parse2::<Item>(item.clone()) {
        Ok(Item::Verbatim(_)) | Err(_) => return associated_item(rewriter, item),
        Ok(item) => item,
    };
    let items = match (&args.path, item) {
        (Some(path), Item::Mod(module)) => vec![rewriter.module_at(module, path)],
        (Some(path), _) => return Err(Error::new(path.span(), "only a module can be in a file of its own")),
        (None, item) => {
            supported(&item)?;
            let mut items = vec![item];
            mutants::switch(&mut items, file.as_deref(), Span::call_site())?;
            rewriter.rewrite(items, Kind::Block)
        }
    };
    finish(rewriter, quote!(#(#items)*))
}

/// `insyn::instrumented! { items }`, with instrumentation on or off.
pub(crate) fn expand_items(items: TokenStream, on: bool) -> Result<TokenStream> {
    if !on {
        return Ok(items);
    }
    let source = Source::around(first_span(&items));
    let file: File = syn::parse2(items)?;
    if let Some(attr) = file.attrs.first() {
        let message = "attributes of the module around it go before `insyn::instrumented!`";
        return Err(Error::new(attr.span(), message));
    }
    let mut items = file.items;
    mutants::switch(&mut items, source.file(), Span::call_site())?;
    let mut rewriter = Rewriter::new(&Args::default(), source);
    let items = rewriter.rewrite(items, Kind::Items);
    finish(rewriter, quote!(#(#items)*))
}

/// `insyn::name!("name", value)`, with instrumentation on or off.
pub(crate) fn expand_name(input: TokenStream, on: bool) -> Result<TokenStream> {
    let parse = |input: syn::parse::ParseStream<'_>| {
        let name: LitStr = input.parse()?;
        input.parse::<Token![,]>()?;
        let value: Expr = input.parse()?;
        input.parse::<Option<Token![,]>>()?;
        Ok((name, value))
    };
    let (name, value) = parse
        .parse2(input)
        .map_err(|error| Error::new(error.span(), format!("{error}; write `name!(\"name\", value)`")))?;
    Ok(if on { emit::named(&[name.value()], &value).into_token_stream() } else { value.into_token_stream() })
}

/// `insyn::label!("name", value)`, with instrumentation on or off.
pub(crate) fn expand_label(input: TokenStream, on: bool) -> Result<TokenStream> {
    let parse = |input: syn::parse::ParseStream<'_>| {
        let name: LitStr = input.parse()?;
        let comma: Option<Token![,]> = input.parse()?;
        let value: Option<Expr> =
            if comma.is_some() && !input.is_empty() { Some(input.parse()?) } else { None };
        input.parse::<Option<Token![,]>>()?;
        Ok((name, value))
    };
    let (name, value) = parse.parse2(input).map_err(|error| {
        Error::new(error.span(), format!("{error}; write `label!(\"event\")` or `label!(\"event\", value)`"))
    })?;
    Ok(match (on, value) {
        (true, None) => quote!(::insyn::macro_support::label(#name)),
        (true, Some(value)) => quote!(::insyn::macro_support::label_with(#name, &(#value))),
        (false, None) => quote!(()),
        // Not evaluated, but used.
        (false, Some(value)) => quote!(if false { let _ = &(#value); }),
    })
}

fn finish(rewriter: Rewriter, output: TokenStream) -> Result<TokenStream> {
    rewriter.finish()?;
    mutants::output(output, Span::call_site())
}

/// A function without a body is valid only in a trait.
fn associated_item(mut rewriter: Rewriter, item: TokenStream) -> Result<TokenStream> {
    match syn::parse2::<TraitItem>(item)? {
        TraitItem::Verbatim(item) => Err(unsupported(item.span(), "this")),
        mut item => {
            syn::visit_mut::VisitMut::visit_trait_item_mut(&mut rewriter, &mut item);
            finish(rewriter, item.into_token_stream())
        }
    }
}

/// Switched off: the module that the compiler reads by itself.
fn file_module(path: &LitStr, item: TokenStream) -> Result<TokenStream> {
    let module: ItemMod = syn::parse2(item)
        .map_err(|_| Error::new(path.span(), "only a module can be in a file of its own"))?;
    let ItemMod { attrs, vis, unsafety, mod_token, ident, .. } = &module;
    let at = if source::is_natural(&module, path) { None } else { Some(quote!(#[path = #path])) };
    Ok(quote!(#(#attrs)* #at #vis #unsafety #mod_token #ident;))
}

/// Rejects items that the attribute cannot be used on.
fn supported(item: &Item) -> Result<()> {
    match item {
        Item::Const(_)
        | Item::Enum(_)
        | Item::Fn(_)
        | Item::Impl(_)
        | Item::Mod(_)
        | Item::Static(_)
        | Item::Struct(_) => Ok(()),
        Item::Trait(_) | Item::Type(_) | Item::Union(_) | Item::Use(_) => Ok(()),
        Item::Macro(item)
            if item.mac.path.segments.last().is_some_and(|last| last.ident == "thread_local") =>
        {
            Ok(())
        }
        Item::Macro(item) if item.ident.is_some() => {
            Err(unsupported(item.mac.path.span(), "a `macro_rules!` definition"))
        }
        Item::Macro(item) => {
            Err(unsupported(item.mac.path.span(), "a macro invocation other than `thread_local!`"))
        }
        Item::ForeignMod(item) => Err(unsupported(item.abi.span(), "an `extern` block")),
        Item::ExternCrate(item) => Err(unsupported(item.extern_token.span, "an `extern crate` item")),
        other => Err(unsupported(other.span(), "this item")),
    }
}

fn unsupported(span: Span, what: &str) -> Error {
    let message = format!(
        "{what} cannot be instrumented by itself: annotate the module around it. The attribute goes on modules, functions, \
         impls, traits, structs, enums, unions, type aliases, constants, statics, `use` items and `thread_local!`"
    );
    Error::new(span, message)
}

fn first_span(tokens: &TokenStream) -> Span {
    tokens.clone().into_iter().next().map_or_else(Span::call_site, |token| token.span())
}
