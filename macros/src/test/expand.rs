//! A function becomes a test that explores it.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Error, Expr, ExprLit, FnArg, Ident, ItemFn, Lit, Meta, MetaNameValue, Result, Type};

use super::args::{Args, Input};
use crate::instrument;

/// `#[insyn::test(attr)] item`, with instrumentation on or off. The test explores in both cases; without instrumentation only
/// insyn's own types are under control. `reads_specs` is whether the program can read specifications and tests.
pub(crate) fn expand(
    attr: TokenStream,
    item: TokenStream,
    on: bool,
    reads_specs: bool,
) -> Result<TokenStream> {
    let args: Args = syn::parse2(attr)?;
    let mut function: ItemFn = syn::parse2(item).map_err(|error| {
        Error::new(error.span(), format!("`#[insyn::test]` goes on a function with a body: {error}"))
    })?;
    check(&function)?;
    let taken = taken(&function, &args)?;

    let attrs: Vec<Attribute> = std::mem::take(&mut function.attrs);
    let name = function.sig.ident.clone();
    let inner =
        instrument::expand(args.instrument, function.to_token_stream(), on && !args.already_instrumented)?;

    let text = name.to_string();
    let text = text.strip_prefix("r#").unwrap_or(&text);
    let given = match (&taken, &args.input) {
        (None, _) => quote!(None),
        (Some(_), None) => quote!(Empty),
        (Some(_), Some(Input::Text(text))) => quote!(Text(#text)),
        (Some(_), Some(Input::File(path))) => quote!(File(#path)),
    };
    let body = body(&name, taken.as_ref());
    let settings = args.settings.iter().map(|(method, value)| quote!(.#method(#value)));
    let oracle = args.oracle.iter().map(|(method, path)| quote!(.#method(#path)));
    let should_panic = should_panic(&attrs).map(|expected| quote!(.should_panic(#expected)));
    let sample = args.sample.map(|runs| quote!(.sample(#runs)));
    let call = quote_spanned! {name.span()=>
        ::insyn::program::Program::new(
            ::insyn::program::About::new(
                ::std::env!("CARGO_PKG_NAME"),
                ::std::env!("CARGO_MANIFEST_DIR"),
                ::std::module_path!(),
                #text,
            ),
            ::insyn::Explorer::new() #(#settings)*,
            ::insyn::program::Given::#given,
        )
        #sample
        #should_panic
        #(#oracle)*
        .run(#body)
    };
    let call = match args.oracle.first() {
        Some((argument, _)) if !reads_specs => needs_specs(argument),
        _ => call,
    };
    Ok(quote! {
        #(#attrs)*
        #[::std::prelude::v1::test]
        fn #name() {
            #inner
            /// The marker by which `cargo insyn` finds this program in the binary.
            #[used]
            static MARKER: &::std::primitive::str = ::insyn::macro_support::marker!(#text);
            #call
        }
    })
}

/// What the report of a failure must contain, if the test must fail: the text of `#[should_panic(expected = "..")]`. The attribute
/// stays where it is, for the test harness; malformed ones are the compiler's to report.
fn should_panic(attrs: &[Attribute]) -> Option<String> {
    let text = |value: &Expr| match value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => text.value(),
        _ => String::new(),
    };
    let found = attrs.iter().find(|attr| attr.path().is_ident("should_panic"))?;
    Some(match &found.meta {
        Meta::Path(_) => String::new(),
        Meta::NameValue(pair) => text(&pair.value),
        Meta::List(list) => {
            list.parse_args::<MetaNameValue>().map(|pair| text(&pair.value)).unwrap_or_default()
        }
    })
}

/// The error for an argument that names a file which the program could not read. It is inside the test: other builds,
/// which do not contain the test, do not need the feature.
fn needs_specs(argument: &Ident) -> TokenStream {
    let message = format!(
        "`{argument}` needs the feature `specs` of insyn; write this under `[dev-dependencies]` in Cargo.toml: \
         `insyn = {{ version = \"{}\", features = [\"instrument\", \"specs\"] }}`",
        env!("CARGO_PKG_VERSION")
    );
    quote_spanned!(argument.span()=> ::std::compile_error!(#message);)
}

/// Rejects functions that cannot be programs.
fn check(function: &ItemFn) -> Result<()> {
    let sig = &function.sig;
    if let Some(it) = &sig.asyncness {
        let message = "an `async` function cannot be a program: insyn runs threads, not futures";
        return Err(Error::new(it.span(), message));
    }
    if let Some(it) = &sig.constness {
        return Err(Error::new(it.span(), "a `const` function has nothing to explore"));
    }
    if let Some(it) = &sig.unsafety {
        let message = "a test cannot be `unsafe`: put the unsafe part into a block inside";
        return Err(Error::new(it.span(), message));
    }
    if let Some(it) = &sig.abi {
        return Err(Error::new(it.span(), "a test is an ordinary Rust function"));
    }
    if !sig.generics.params.is_empty() {
        let message = "a program cannot have generic parameters: write one program for each type";
        return Err(Error::new(sig.generics.span(), message));
    }
    if let Some(second) = sig.inputs.iter().nth(1) {
        let message = "a program takes at most one input: put what it needs into one struct";
        return Err(Error::new(second.span(), message));
    }
    for attr in &function.attrs {
        let path = attr.path();
        if path.segments.last().is_some_and(|last| last.ident == "test") {
            let message = "`#[insyn::test]` already makes it a test: remove this attribute";
            return Err(Error::new(path.span(), message));
        }
    }
    Ok(())
}

/// The type of the input, if the function takes one.
fn taken(function: &ItemFn, args: &Args) -> Result<Option<Type>> {
    match (function.sig.inputs.first(), &args.input) {
        (None, None) => Ok(None),
        (None, Some(input)) => {
            let message = "the function takes no input: add a parameter, or remove this argument";
            Err(Error::new(input.span(), message))
        }
        (Some(FnArg::Receiver(receiver)), _) => {
            Err(Error::new(receiver.span(), "a program must be a function, not a method"))
        }
        (Some(FnArg::Typed(parameter)), _) => match &*parameter.ty {
            Type::ImplTrait(ty) => Err(Error::new(
                ty.span(),
                "the type of the input must be named, not `impl`, so that it can be read",
            )),
            Type::Reference(ty) if ty.mutability.is_some() => {
                let message = "the input is the same in every execution: take it by value or by `&`";
                Err(Error::new(ty.span(), message))
            }
            ty => Ok(Some(ty.clone())),
        },
    }
}

/// A closure that calls the function with a reference to its input.
fn body(name: &Ident, taken: Option<&Type>) -> TokenStream {
    let input = format_ident!("input", span = proc_macro2::Span::mixed_site());
    match taken {
        None => quote!(|_: &::insyn::program::NoInput| #name()),
        Some(Type::Reference(ty)) => {
            let ty = &ty.elem;
            quote!(|#input: &#ty| #name(#input))
        }
        Some(ty) => quote_spanned! {ty.span()=>
            |#input: &#ty| #name(<#ty as ::std::clone::Clone>::clone(#input))
        },
    }
}
