//! The arms of a select, insyn's own and crossbeam's, which are of one form.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, Ident, Pat, Result, Token, token};

use crate::extent::{Extent, Position};

/// `recv(orders) -> order if guard => body, default => body`
pub(crate) struct Select {
    pub(crate) arms: Vec<Arm>,
}

/// One arm.
pub(crate) struct Arm {
    pub(crate) word: Ident,
    pub(crate) args: Option<(token::Paren, Punctuated<Expr, Token![,]>)>,
    pub(crate) pat: Option<(Token![->], Pat)>,
    pub(crate) guard: Option<(Token![if], Expr)>,
    arrow: Token![=>],
    pub(crate) body: Expr,
    pub(crate) comma: Option<Token![,]>,
}

impl Arm {
    /// What a message or a call is received from.
    pub(crate) fn source(&self) -> Option<&Expr> {
        let receives = self.word == "recv" || self.word == "accept";
        self.args.as_ref().filter(|_| receives)?.1.first()
    }

    /// Where a guard could stand, if there is none.
    pub(crate) fn guard_slot(&self) -> Option<Position> {
        let (_, pat) = self.pat.as_ref().filter(|_| self.guard.is_none())?;
        Some(Extent::of(pat)?.end)
    }

    /// Where the arm stands, with the comma after it.
    pub(crate) fn whole(&self) -> Option<Extent> {
        let extent = self.extent()?;
        Some(self.comma.as_ref().and_then(Extent::of).map_or(extent, |comma| extent.to(comma)))
    }

    /// Where the arm stands, without the comma after it.
    pub(crate) fn extent(&self) -> Option<Extent> {
        Some(Extent::of(&self.word)?.to(Extent::of(&self.body)?))
    }
}

impl Parse for Select {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut arms = Vec::new();
        while !input.is_empty() {
            arms.push(input.parse()?);
        }
        Ok(Select { arms })
    }
}

impl Parse for Arm {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let word = input.call(Ident::parse_any)?;
        let args = match input.peek(token::Paren) {
            true => {
                let content;
                let paren = syn::parenthesized!(content in input);
                Some((paren, Punctuated::parse_terminated(&content)?))
            }
            false => None,
        };
        let pat = match input.peek(Token![->]) {
            true => Some((input.parse()?, Pat::parse_multi(input)?)),
            false => None,
        };
        let guard = match input.peek(Token![if]) {
            true => Some((input.parse()?, input.parse()?)),
            false => None,
        };
        let arrow = input.parse()?;
        let body = Expr::parse_with_earlier_boundary_rule(input)?;
        Ok(Arm { word, args, pat, guard, arrow, body, comma: input.parse()? })
    }
}

impl ToTokens for Select {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        for Arm { word, args, pat, guard, arrow, body, comma } in &self.arms {
            word.to_tokens(tokens);
            if let Some((paren, args)) = args {
                paren.surround(tokens, |tokens| args.to_tokens(tokens));
            }
            if let Some((arrow, pat)) = pat {
                arrow.to_tokens(tokens);
                pat.to_tokens(tokens);
            }
            if let Some((token, guard)) = guard {
                token.to_tokens(tokens);
                guard.to_tokens(tokens);
            }
            arrow.to_tokens(tokens);
            body.to_tokens(tokens);
            comma.to_tokens(tokens);
        }
    }
}
