//! The arguments of `#[insyn::test(..)]`.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Error, Expr, ExprLit, Ident, Lit, LitStr, Result, Token, parenthesized, token};

use crate::arguments::{self, Argument};
use crate::instrument::ALREADY;

/// The arguments in the parentheses.
#[derive(Default)]
pub(super) struct Args {
    /// Methods of `insyn::Explorer`, with their arguments.
    pub(super) settings: Vec<(Ident, Expr)>,
    /// `sample = 1_000`.
    pub(super) sample: Option<Expr>,
    pub(super) input: Option<Input>,
    /// `spec = "spec.yaml"` and `tests = "tests.yaml"`: methods of `insyn::program::Program`, with their arguments.
    pub(super) oracle: Vec<(Ident, LitStr)>,
    /// Arguments that `#[insyn::instrument]` has too.
    pub(super) instrument: TokenStream,
    pub(super) already_instrumented: bool,
}

/// Where the input is.
pub(super) enum Input {
    /// `input = "{slots: 2}"`
    Text(LitStr),
    /// `input_file = "inputs/small.yaml"`
    File(LitStr),
}

impl Input {
    pub(super) fn span(&self) -> Span {
        match self {
            Input::Text(text) | Input::File(text) => text.span(),
        }
    }
}

/// The kind of value that an argument takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `name = 3`, or any expression that is a number: a method of the explorer.
    Number,
    /// `name` or `name = true`: a method of the explorer.
    Switch,
    /// `name = "text"`
    Text,
    /// `name(..)`, as for `#[insyn::instrument]`.
    Instrument,
}

/// An argument: its name, the kind of its value, and an example.
type Known = (&'static str, Form, &'static str);

impl Argument for Known {
    fn name(&self) -> &'static str {
        self.0
    }

    fn example(&self) -> &'static str {
        self.2
    }
}

const ARGUMENTS: [Known; 24] = [
    ("ignore_detached", Form::Switch, "ignore_detached"),
    ("imports", Form::Instrument, "imports(std::sync::Mutex, std::thread)"),
    ("input", Form::Text, "input = \"{slots: 2}\""),
    ("input_file", Form::Text, "input_file = \"inputs/small.yaml\""),
    ("keep", Form::Instrument, "keep(std::sync::Arc)"),
    ("longest_waiter", Form::Switch, "longest_waiter"),
    ("max_executions", Form::Number, "max_executions = 10_000"),
    ("max_sequences", Form::Number, "max_sequences = 10_000"),
    ("max_steps", Form::Number, "max_steps = 20_000"),
    ("ordered_loads", Form::Switch, "ordered_loads"),
    ("patient_polling", Form::Switch, "patient_polling = false"),
    ("reexports", Form::Instrument, "reexports(some_crate::channel = crossbeam_channel)"),
    ("sample", Form::Number, "sample = 1_000"),
    ("seed", Form::Number, "seed = 7"),
    ("sequential", Form::Switch, "sequential"),
    ("shortest_failure", Form::Switch, "shortest_failure = false"),
    ("spec", Form::Text, "spec = \"spec.yaml\""),
    ("spurious_failures", Form::Switch, "spurious_failures"),
    ("spurious_wakeups", Form::Switch, "spurious_wakeups"),
    ("stack_size", Form::Number, "stack_size = 4 << 20"),
    ("stop_at_first_failure", Form::Switch, "stop_at_first_failure"),
    ("tests", Form::Text, "tests = \"tests.yaml\""),
    ("waiting_writers_block", Form::Switch, "waiting_writers_block = false"),
    ("workers", Form::Number, "workers = 2"),
];

impl Parse for Args {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut args = Args::default();
        // It comes before all others, and users never write it.
        if input.fork().call(Ident::parse_any).is_ok_and(|name| name == ALREADY) {
            input.call(Ident::parse_any)?;
            input.parse::<Option<Token![,]>>()?;
            args.already_instrumented = true;
        }
        arguments::read(input, &ARGUMENTS, &[], |name, known| args.read(input, name, known))?;
        Ok(args)
    }
}

impl Args {
    fn read(&mut self, input: ParseStream<'_>, name: Ident, known: Known) -> Result<()> {
        let (_, form, _) = known;
        let malformed = |name: &Ident| known.malformed(name);
        match form {
            Form::Instrument => {
                if !input.peek(token::Paren) {
                    return Err(malformed(&name));
                }
                let content;
                parenthesized!(content in input);
                let content: TokenStream = content.parse()?;
                self.instrument.extend(quote!(#name(#content),));
            }
            Form::Switch if !input.peek(Token![=]) => {
                self.settings.push((name, syn::parse_quote!(true)));
            }
            Form::Switch => {
                input.parse::<Token![=]>()?;
                let value: Expr = input.parse()?;
                if !matches!(&value, Expr::Lit(ExprLit { lit: Lit::Bool(_), .. })) {
                    return Err(malformed(&name));
                }
                self.settings.push((name, value));
            }
            Form::Number => {
                input.parse::<Token![=]>().map_err(|_| malformed(&name))?;
                let value: Expr = input.parse().map_err(|_| malformed(&name))?;
                if matches!(&value, Expr::Lit(ExprLit { lit, .. }) if !matches!(lit, Lit::Int(_))) {
                    return Err(malformed(&name));
                }
                match name == "sample" {
                    true => self.sample = Some(value),
                    false => self.settings.push((name, value)),
                }
            }
            Form::Text => {
                input.parse::<Token![=]>().map_err(|_| malformed(&name))?;
                let text: LitStr = input.parse().map_err(|_| malformed(&name))?;
                if name == "spec" || name == "tests" {
                    self.oracle.push((name, text));
                    return Ok(());
                }
                if self.input.is_some() {
                    return Err(Error::new(
                        name.span(),
                        "a second input: use either `input` or `input_file`",
                    ));
                }
                self.input = Some(if name == "input" { Input::Text(text) } else { Input::File(text) });
            }
        }
        Ok(())
    }
}
