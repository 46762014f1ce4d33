//! Puts a replacement into tokens, by the place that it stands for.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};

use crate::extent::Extent;

/// The tokens with those in `extent` replaced; none if the extent cuts through a token or is not there.
///
/// The new tokens stand, for the compiler, where `site` is.
pub(super) fn splice(
    tokens: TokenStream,
    extent: Extent,
    replacement: &str,
    site: Span,
) -> Option<TokenStream> {
    let replacement: TokenStream = replacement.parse().ok()?;
    Splice { extent, replacement: Some(settle(replacement, site)) }.level(tokens)
}

/// Where the first token stands that does not come before an extent.
pub(super) fn site(tokens: TokenStream, extent: Extent) -> Option<Span> {
    tokens.into_iter().find_map(|token| match (Extent::of_token(&token), &token) {
        (place, _) if place.start >= extent.start => Some(token.span()),
        (place, TokenTree::Group(group)) if place.end > extent.start => site(group.stream(), extent),
        _ => None,
    })
}

struct Splice {
    extent: Extent,
    /// What is to be put in, until it is.
    replacement: Option<TokenStream>,
}

impl Splice {
    /// Splices the tokens of one level, or of the one group among them that has the extent inside.
    fn level(&mut self, tokens: TokenStream) -> Option<TokenStream> {
        let mut output = TokenStream::new();
        for token in tokens {
            let place = Extent::of_token(&token);
            if place.end <= self.extent.start && place != self.extent {
                output.extend([token]);
            } else if place.start >= self.extent.end {
                output.extend(self.replacement.take());
                output.extend([token]);
            } else if self.extent.contains(&place) {
                output.extend(self.replacement.take());
            } else if let TokenTree::Group(group) = token {
                output.extend([TokenTree::Group(self.group(&group, place)?)]);
            } else {
                return None;
            }
        }
        output.extend(self.replacement.take());
        Some(output)
    }

    fn group(&mut self, group: &Group, place: Extent) -> Option<Group> {
        let inside = if group.delimiter() == Delimiter::None { place } else { place.inside() };
        if !inside.contains(&self.extent) {
            return None;
        }
        let mut spliced = Group::new(group.delimiter(), self.level(group.stream())?);
        spliced.set_span(group.span());
        Some(spliced)
    }
}

/// The tokens, at one place.
fn settle(tokens: TokenStream, site: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Group(group) => {
                let mut settled = Group::new(group.delimiter(), settle(group.stream(), site));
                settled.set_span(site);
                TokenTree::Group(settled)
            }
            mut token => {
                token.set_span(site);
                token
            }
        })
        .collect()
}
