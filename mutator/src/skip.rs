//! Comments that skip mutants: `// insyn: skip OPERATORS: reason`.

use std::collections::BTreeMap;

use insyn_syntax::Select;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{File, Macro};

use crate::error::{FindError, FindErrorKind};
use crate::extent::{Extent, Position};
use crate::mutant::Mutant;
use crate::select;
use crate::selection::Selection;
use crate::text::Text;

/// How such a comment begins.
const BEGINNING: &str = "insyn: skip";

/// A skip comment without a mutant to skip.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{position}: this comment skips nothing: no mutant of these operators begins here")]
pub struct Unused {
    /// The file.
    pub file: String,
    /// Where the comment begins.
    pub position: Position,
}

/// A skip comment, and the operators it names.
struct Skip {
    position: Position,
    /// Whether it is on a line of its own.
    alone: bool,
    operators: Selection,
    reason: String,
}

/// Gives skipped mutants their reasons. Returns the comments that skip no mutant.
pub(crate) fn mark(
    file: &str,
    text: &Text<'_>,
    parsed: &File,
    mutants: &mut [Mutant],
) -> Result<Vec<Unused>, FindError> {
    if !text.source().contains(BEGINNING) {
        return Ok(Vec::new());
    }
    let mut unused = Vec::new();
    let mut pieces = Pieces::default();
    pieces.visit_file(parsed);
    for (position, comment) in comments(text, parsed.to_token_stream()) {
        let Some(rest) = comment.strip_prefix(BEGINNING) else { continue };
        let skip = read(file, text, position, rest)?;
        let covered = pieces.covered(&skip);
        let mut used = false;
        for mutant in mutants.iter_mut() {
            let is_meant = match covered {
                Some(extent) if skip.alone => extent.contains(&mutant.extent),
                _ => !skip.alone && mutant.extent.start.line == skip.position.line,
            };
            if is_meant && skip.operators.contains(mutant.operator) {
                used = true;
                mutant.skipped.get_or_insert_with(|| skip.reason.clone());
            }
        }
        if !used {
            unused.push(Unused { file: file.to_owned(), position });
        }
    }
    Ok(unused)
}

/// Input: ` CRP, guards: the reason`.
fn read(file: &str, text: &Text<'_>, position: Position, rest: &str) -> Result<Skip, FindError> {
    let wrong =
        |message: String| FindError { file: file.to_owned(), position, message, kind: FindErrorKind::Skip };
    let (operators, reason) = rest.split_once(':').unwrap_or((rest, ""));
    let (operators, reason) = (operators.trim(), reason.trim());
    let form = "write `// insyn: skip OPERATORS: reason`, where OPERATORS are codes, families or `all`";
    if operators.is_empty() {
        return Err(wrong(format!("which mutants are skipped is missing: {form}")));
    }
    if reason.is_empty() {
        return Err(wrong(format!("the reason why mutants are skipped is missing: {form}")));
    }
    let operators = Selection::parse(operators).map_err(|error| wrong(error.to_string()))?;
    let line = Extent { start: Position { column: 1, ..position }, end: position };
    let alone = text.slice(line).trim().is_empty();
    Ok(Skip { position, alone, operators, reason: reason.to_owned() })
}

/// The line comments of a file, each with its text. Between tokens there is only white space and comments.
fn comments<'a>(text: &Text<'a>, tokens: TokenStream) -> Vec<(Position, &'a str)> {
    let mut gaps = Vec::new();
    let mut last = text.position(0);
    fn flatten(tokens: TokenStream, last: &mut Position, gaps: &mut Vec<Extent>) {
        for token in tokens {
            let place = Extent::of_token(&token);
            gaps.push(Extent { start: *last, end: place.start });
            if let TokenTree::Group(group) = &token {
                *last = place.inside().start;
                flatten(group.stream(), last, gaps);
                gaps.push(Extent { start: *last, end: place.inside().end });
            }
            *last = place.end;
        }
    }
    flatten(tokens, &mut last, &mut gaps);
    gaps.push(Extent { start: last, end: text.position(text.source().len()) });
    let mut found = Vec::new();
    for range in gaps.into_iter().filter_map(|gap| text.range(gap)) {
        let mut at = range.start;
        while let Some(rest) = text.source().get(at..range.end).filter(|rest| !rest.is_empty()) {
            if rest.starts_with("//") {
                let end = rest.find('\n').unwrap_or(rest.len());
                found.push((text.position(at), rest[2..end].trim()));
                at += end;
            } else if rest.starts_with("/*") {
                at += block_comment(rest);
            } else {
                at += rest.chars().next().map_or(1, char::len_utf8);
            }
        }
    }
    found
}

/// The length of the block comment at the beginning of a text. Block comments nest.
fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        if text[at..].starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if text[at..].starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                break;
            }
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    at
}

/// For each line, the largest item, statement or arm that begins on it.
#[derive(Default)]
struct Pieces(BTreeMap<u32, Extent>);

impl Pieces {
    fn add(&mut self, extent: Option<Extent>) {
        let Some(extent) = extent else { return };
        let largest = self.0.entry(extent.start.line).or_insert(extent);
        if extent.contains(largest) {
            *largest = extent;
        }
    }

    /// The code that a comment on a line of its own applies to: the first that begins after it.
    fn covered(&self, skip: &Skip) -> Option<Extent> {
        self.0.range(skip.position.line + 1..).next().map(|(_, extent)| *extent)
    }
}

impl<'ast> Visit<'ast> for Pieces {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        self.add(Extent::of(item));
        visit::visit_item(self, item);
    }

    fn visit_impl_item(&mut self, item: &'ast syn::ImplItem) {
        self.add(Extent::of(item));
        visit::visit_impl_item(self, item);
    }

    fn visit_trait_item(&mut self, item: &'ast syn::TraitItem) {
        self.add(Extent::of(item));
        visit::visit_trait_item(self, item);
    }

    fn visit_stmt(&mut self, stmt: &'ast syn::Stmt) {
        self.add(Extent::of(stmt));
        visit::visit_stmt(self, stmt);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        self.add(Extent::of(arm));
        visit::visit_arm(self, arm);
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        let Some(last) = mac.path.segments.last() else { return };
        match last.ident.to_string().as_str() {
            "select" | "select_biased" => {
                let Ok(select) = syn::parse2::<Select>(mac.tokens.clone()) else { return };
                for arm in &select.arms {
                    self.add(select::extent(arm));
                    for arg in arm.args.iter().flat_map(|(_, args)| args) {
                        self.visit_expr(arg);
                    }
                    self.visit_expr(&arm.body);
                }
            }
            "instrumented" => {
                if let Ok(file) = syn::parse2::<File>(mac.tokens.clone()) {
                    self.visit_file(&file);
                }
            }
            _ => {}
        }
    }
}
