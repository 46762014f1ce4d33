//! Rewrites macro invocations: the path, and the arguments if their form is known.

use insyn_syntax::Select;
use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::visit_mut::VisitMut;
use syn::{Attribute, Error, Expr, Ident, Macro, Pat, Result, Token, Type, Visibility};

use super::Rewriter;
use crate::instrument::scope::{Frame, Kind, Meaning, Space, Written};
use crate::instrument::{consts, declarations, emit};

/// The form of the arguments of a macro.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// Expressions, separated by commas.
    Exprs,
    /// As a `vec!`: expressions, or one and a length.
    Vec,
    /// `expression, pattern if guard`
    Matches,
    /// The arms of a select.
    Select,
    /// Declarations of thread-local variables.
    ThreadLocal,
    /// Inline assembly.
    Assembly,
    /// To be left as they are.
    Words,
    /// Anything.
    Tokens,
}

fn shape(name: &str) -> Shape {
    match name {
        "assert" | "assert_eq" | "assert_ne" | "dbg" | "debug_assert" | "debug_assert_eq"
        | "debug_assert_ne" | "eprint" | "eprintln" | "format" | "format_args" | "label" | "name"
        | "panic" | "print" | "println" | "todo" | "unimplemented" | "unreachable" | "write" | "writeln" => {
            Shape::Exprs
        }
        "vec" => Shape::Vec,
        "matches" => Shape::Matches,
        "select" | "select_biased" => Shape::Select,
        "thread_local" => Shape::ThreadLocal,
        "asm" | "global_asm" | "naked_asm" => Shape::Assembly,
        "cfg" | "column" | "compile_error" | "concat" | "env" | "file" | "include" | "include_bytes"
        | "include_str" | "line" | "module_path" | "option_env" | "quote" | "quote_spanned" | "stringify" => {
            Shape::Words
        }
        _ => Shape::Tokens,
    }
}

impl Rewriter {
    pub(super) fn rewrite_macro(&mut self, mac: &mut Macro) {
        let Some(last) = mac.path.segments.last() else { return };
        let (name, span) = (last.ident.to_string(), last.ident.span());
        let shape = if self.is_own(mac) { Shape::Tokens } else { shape(&name) };
        self.rewrite_path(&mut mac.path, Space::Macro);
        let tokens = mac.tokens.clone();
        let rewritten = match shape {
            Shape::Assembly => {
                self.errors.push(Error::new(
                    span,
                    format!(
                        "`{name}!` cannot be put under control: leave it out with `#[insyn::instrument(skip)]` on the item"
                    ),
                ));
                return;
            }
            Shape::Words => return,
            Shape::Exprs => self.exprs(tokens.clone()),
            Shape::Vec => self.repeated(tokens.clone()).or_else(|_| self.exprs(tokens.clone())),
            Shape::Matches => self.matches(tokens.clone()),
            Shape::Select => self.select(tokens.clone()),
            Shape::ThreadLocal => self.thread_local(tokens.clone()),
            Shape::Tokens => Ok(self.rewrite_tokens(tokens.clone())),
        };
        // Whatever the form of the arguments, they may contain paths.
        mac.tokens = rewritten.unwrap_or_else(|_| self.rewrite_tokens(tokens));
    }

    /// Items in an included file are out of sight.
    pub(super) fn refuse_include(&mut self, mac: &Macro) {
        let is_include = mac.path.segments.last().is_some_and(|last| last.ident == "include");
        if is_include && !self.is_own(mac) {
            let message = "the items of an `include!` are out of sight, so they would not be under control: make it a \
                           module (`mod name;`, with `#[path = \"..\"]`), or leave it as it is with `#[insyn::instrument(skip)]`";
            self.errors.push(Error::new_spanned(&mac.path, message));
        }
    }

    /// Whether a macro is the program's own.
    fn is_own(&self, mac: &Macro) -> bool {
        self.scopes.meaning(&self.settings, &Written::of(&mac.path), Space::Macro) == Meaning::Own
    }

    /// Input: `"{} {n}", count.load(Relaxed), n = 1`.
    fn exprs(&mut self, tokens: TokenStream) -> Result<TokenStream> {
        let mut exprs = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(tokens)?;
        for expr in &mut exprs {
            match expr {
                // A name for a value, not a variable.
                Expr::Assign(named) => self.visit_expr_mut(&mut named.right),
                expr => self.visit_expr_mut(expr),
            }
        }
        Ok(exprs.into_token_stream())
    }

    /// Input: `value; length`.
    fn repeated(&mut self, tokens: TokenStream) -> Result<TokenStream> {
        let parse = |input: ParseStream<'_>| {
            Ok((input.parse::<Expr>()?, input.parse::<Token![;]>()?, input.parse::<Expr>()?))
        };
        let (mut value, semi, mut length) = parse.parse2(tokens)?;
        self.visit_expr_mut(&mut value);
        self.visit_expr_mut(&mut length);
        Ok(quote!(#value #semi #length))
    }

    /// Input: `value, Some(n) if n > 0`.
    fn matches(&mut self, tokens: TokenStream) -> Result<TokenStream> {
        let parse = |input: ParseStream<'_>| {
            let value: Expr = input.parse()?;
            let comma: Token![,] = input.parse()?;
            let pat = Pat::parse_multi_with_leading_vert(input)?;
            let guard = match input.peek(Token![if]) {
                true => Some((input.parse::<Token![if]>()?, input.parse::<Expr>()?)),
                false => None,
            };
            Ok((value, comma, pat, guard, input.parse::<Option<Token![,]>>()?))
        };
        let (mut value, comma, mut pat, mut guard, last) = parse.parse2(tokens)?;
        self.visit_expr_mut(&mut value);
        self.in_scope(Frame::new(Kind::Block), |this| {
            this.visit_pat_mut(&mut pat);
            declarations::pattern(this.scopes.innermost(), &pat);
            if let Some((_, guard)) = &mut guard {
                this.visit_expr_mut(guard);
            }
        });
        let guard = guard.map(|(token, guard)| quote!(#token #guard));
        Ok(quote!(#value #comma #pat #guard #last))
    }

    /// Input: `recv(orders) -> order => serve(order), default => {}`. The arms of crossbeam's and of insyn's own select
    /// are of one form.
    fn select(&mut self, tokens: TokenStream) -> Result<TokenStream> {
        let mut select: Select = syn::parse2(tokens)?;
        for arm in &mut select.arms {
            if let Some((_, args)) = &mut arm.args {
                for arg in args.iter_mut() {
                    self.visit_expr_mut(arg);
                }
            }
            if let Some((_, guard)) = &mut arm.guard {
                // The variables of the pattern are not in scope yet.
                self.visit_expr_mut(guard);
            }
            self.in_scope(Frame::new(Kind::Block), |this| {
                if let Some((_, pat)) = &mut arm.pat {
                    this.visit_pat_mut(pat);
                    declarations::pattern(this.scopes.innermost(), pat);
                }
                this.visit_expr_mut(&mut arm.body);
            });
        }
        Ok(select.into_token_stream())
    }

    /// Input: `static COUNT: Cell<u32> = const { Cell::new(0) };`.
    fn thread_local(&mut self, tokens: TokenStream) -> Result<TokenStream> {
        let declarations = parse_thread_locals.parse2(tokens)?;
        let mut output = TokenStream::new();
        for ThreadLocal { attrs, vis, token, name, colon, mut ty, eq, mut init, semi } in declarations {
            self.visit_type_mut(&mut ty);
            let named = self.makes_object(&init);
            let makes = self.makes_within(|this| this.visit_expr_mut(&mut init));
            if makes {
                consts::unfold(&mut init);
            }
            if named {
                init = emit::named(&[name.to_string()], &init);
            }
            output.extend(quote!(#(#attrs)* #vis #token #name #colon #ty #eq #init #semi));
        }
        Ok(output)
    }

    /// Input: the rules of a `macro_rules!`. Their patterns stay; their output is rewritten.
    pub(super) fn rewrite_rules(&mut self, rules: TokenStream) -> TokenStream {
        let mut after_arrow = false;
        let mut last = None;
        let mut output = TokenStream::new();
        for token in rules {
            let token = match token {
                TokenTree::Group(group) if after_arrow => {
                    let mut rewritten = Group::new(group.delimiter(), self.rewrite_tokens(group.stream()));
                    rewritten.set_span(group.span());
                    TokenTree::Group(rewritten)
                }
                token => token,
            };
            let punct = match &token {
                TokenTree::Punct(punct) => Some(punct.as_char()),
                _ => None,
            };
            after_arrow = last == Some('=') && punct == Some('>');
            last = punct;
            output.extend([token]);
        }
        output
    }
}

/// One declaration in a `thread_local!`.
struct ThreadLocal {
    attrs: Vec<Attribute>,
    vis: Visibility,
    token: Token![static],
    name: Ident,
    colon: Token![:],
    ty: Type,
    eq: Token![=],
    init: Expr,
    semi: Option<Token![;]>,
}

fn parse_thread_locals(input: ParseStream<'_>) -> Result<Vec<ThreadLocal>> {
    let mut declarations = Vec::new();
    while !input.is_empty() {
        declarations.push(ThreadLocal {
            attrs: input.call(Attribute::parse_outer)?,
            vis: input.parse()?,
            token: input.parse()?,
            name: input.parse()?,
            colon: input.parse()?,
            ty: input.parse()?,
            eq: input.parse()?,
            init: input.parse()?,
            semi: input.parse()?,
        });
    }
    Ok(declarations)
}
