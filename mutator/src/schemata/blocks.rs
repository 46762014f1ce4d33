//! Switches around statements.
//!
//! A block is cut into *cells*, at first one for each statement. A mutant of statements that declare nothing joins the
//! cells it touches into one: `if is(k) { mutated } else { original }`. If something is declared or dropped, or would be,
//! all that follows joins too, because it may speak of it.
//!
//! Before the edition of 2024, what the last expression leaves behind outlives the variables of the block. So a mutant that
//! takes such an expression along takes all variables along too, or is put outside if that which is left behind outlives
//! the block itself ([`Left`]).

use std::ops::Range;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, Pat, Stmt};

use super::again::{self, Again};
use super::switcher::{Position, Switcher};
use super::temporaries::lasting;
use super::{branches, first_span, is, splice};
use crate::extent::Extent;
use crate::list::Numbered;
use crate::shapes;

/// What has become of some statements of the block.
struct Cell {
    /// Which statements; none where something is put in before the one at the start.
    range: Range<usize>,
    stmts: Vec<Stmt>,
}

/// A mutant of some statements.
struct Change<'a> {
    numbered: &'a Numbered,
    range: Range<usize>,
    /// What it puts there.
    replacement: String,
    /// Whether all that follows belongs to it.
    rest: bool,
    /// The statement whose variable it gives another value.
    assigns: Option<usize>,
}

/// How long that lives which the last expression of a block leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Left {
    /// No longer than the expression, or not longer than a branch around it.
    Inside,
    /// Longer than the variables of the block, the first of which is declared by this statement, and as long as the block.
    LongerThan(usize),
    /// Longer than the block.
    Outside,
}

impl Left {
    fn behind(stmts: &[Stmt], position: Position) -> Left {
        match (position, stmts.iter().position(binds)) {
            (Position::Value | Position::Place | Position::Last, _) => Left::Outside,
            (Position::Condition | Position::Whole, Some(first)) => Left::LongerThan(first),
            (Position::Condition | Position::Whole, None) => Left::Inside,
        }
    }
}

/// Whether a statement has a variable.
fn binds(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Local(_)) && declares(stmt)
}

impl<'a> Switcher<'_, 'a> {
    pub(super) fn block(&mut self, block: &mut Block, position: Position) {
        let Some(inside) = Extent::of(block).map(Extent::inside) else { return };
        let originals = block.stmts.clone();
        let left = if self.before_2024 { Left::behind(&originals, position) } else { Left::Inside };
        let end = block.stmts.len();
        for (at, stmt) in block.stmts.iter_mut().enumerate() {
            match stmt {
                Stmt::Expr(expr, None) if at + 1 == end && left != Left::Inside => {
                    self.visit(expr, Position::Last);
                }
                stmt => self.stmt(stmt),
            }
        }
        let extents: Vec<Extent> = originals.iter().filter_map(Extent::of).collect();
        let change = |numbered| change(&originals, &extents, numbered, left);
        let mut changes: Vec<Change<'a>> = self.pending(inside).into_iter().filter_map(change).collect();
        // The small before the large, and what takes the rest along from the last to the first.
        changes.sort_by_key(|change| match change.rest {
            false => (false, change.range.len(), change.range.start),
            true => (true, 0, usize::MAX - change.range.start),
        });
        for declaration in changes.iter().filter_map(|change| change.assigns) {
            again::make_mutable(&mut block.stmts[declaration]);
        }
        let stmts = std::mem::take(&mut block.stmts);
        let mut cells: Vec<Cell> = stmts
            .into_iter()
            .enumerate()
            .map(|(at, stmt)| Cell { range: at..at + 1, stmts: vec![stmt] })
            .collect();
        let braces = block.brace_token.span.join();
        for change in &changes {
            if let Some(range) = join(&mut cells, &originals, change, braces) {
                let site = extents[range].iter().copied().fold(change.numbered.mutant.extent, Extent::around);
                self.placed.insert(change.numbered.number, site);
            }
        }
        block.stmts = cells.into_iter().flat_map(|cell| cell.stmts).collect();
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        match stmt {
            Stmt::Local(local) => {
                let Some(init) = &mut local.init else { return };
                match &mut init.diverge {
                    None => self.visit(&mut init.expr, Position::Whole),
                    Some((_, diverge)) => {
                        self.visit(&mut init.expr, Position::Condition);
                        if let Expr::Block(block) = &mut **diverge {
                            self.visit_block_mut(&mut block.block);
                        }
                    }
                }
            }
            Stmt::Item(item) => self.visit_item_mut(item),
            Stmt::Expr(expr, _) => self.visit(expr, Position::Whole),
            Stmt::Macro(mac) => self.visit_macro_mut(&mut mac.mac),
        }
    }
}

/// Which statements a mutant changes; none if it cannot be put into the block.
fn change<'a>(stmts: &[Stmt], extents: &[Extent], numbered: &'a Numbered, left: Left) -> Option<Change<'a>> {
    let extent = numbered.mutant.extent;
    let touched = |at: &usize| extents[*at].start < extent.end && extent.start < extents[*at].end;
    let first = (0..extents.len()).find(touched);
    let range = match (first, (0..extents.len()).rfind(touched)) {
        (Some(first), Some(last)) => first..last + 1,
        _ if extent.start == extent.end => {
            let at = extents.iter().filter(|other| other.end <= extent.start).count();
            at..at
        }
        _ => return None,
    };
    let replacement = &numbered.mutant.replacement;
    let mutated = mutated(&stmts[range.clone()], extent, replacement)?;
    let again = if range.is_empty() { again::again(stmts, range.start, &mutated) } else { None };
    if let Some(Again { declaration, replacement }) = again {
        return Some(Change { numbered, range, replacement, rest: false, assigns: Some(declaration) });
    }
    let change =
        |range, rest| Change { numbered, range, replacement: replacement.clone(), rest, assigns: None };
    // What is dropped by one mutant alone may be used by what follows, in the original or in another mutant.
    let drops = |stmt: &Stmt| ["drop", "forget"].iter().any(|name| shapes::mentions(stmt, name));
    let declared = mutated.iter().chain(&stmts[range.clone()]).any(declares);
    let rest = declared || range.is_empty() && mutated.iter().any(drops);
    let takes_last = rest || range.end == stmts.len();
    let leaves = |stmts: &[Stmt]| matches!(stmts.last(), Some(Stmt::Expr(last, None)) if lasting(last));
    match left {
        Left::LongerThan(first) if takes_last && (leaves(stmts) || leaves(&mutated)) => {
            Some(change(range.start.min(first)..range.end, true))
        }
        Left::Outside if takes_last && (leaves(stmts) || leaves(&mutated)) => None,
        _ => Some(change(range, rest)),
    }
}

/// Whether what follows may speak of what a statement declares.
fn declares(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Local(local) => !matches!(local.pat, Pat::Wild(_)),
        Stmt::Item(_) => true,
        Stmt::Expr(..) | Stmt::Macro(_) => false,
    }
}

/// The statements with a mutant in them.
fn mutated(stmts: &[Stmt], extent: Extent, replacement: &str) -> Option<Vec<Stmt>> {
    let tokens: TokenStream = stmts.iter().map(ToTokens::to_token_stream).collect();
    let site = stmts.first().map_or_else(Span::call_site, first_span);
    let tokens = splice::splice(tokens, extent, replacement, site)?;
    syn::parse::Parser::parse2(Block::parse_within, tokens).ok()
}

/// Joins the cells that a change touches. Output: which statements they are; none if that makes no sense.
fn join(
    cells: &mut Vec<Cell>,
    originals: &[Stmt],
    change: &Change<'_>,
    braces: Span,
) -> Option<Range<usize>> {
    let wanted = if change.rest { change.range.start..originals.len() } else { change.range.clone() };
    let touches = |cell: &Cell| match (wanted.is_empty(), cell.range.is_empty()) {
        // What is put in goes between the cells, or into the one that has its place inside.
        (true, true) => cell.range.start == wanted.start,
        (true, false) => cell.range.start < wanted.start && wanted.start < cell.range.end,
        (false, true) if change.rest => wanted.start <= cell.range.start,
        (false, true) => wanted.start < cell.range.start && cell.range.start < wanted.end,
        (false, false) => cell.range.start < wanted.end && wanted.start < cell.range.end,
    };
    let first = cells.iter().position(touches).unwrap_or_else(|| {
        cells.iter().position(|cell| wanted.start <= cell.range.start).unwrap_or(cells.len())
    });
    let end = cells.iter().rposition(touches).map_or(first, |last| last + 1);
    let range = match &cells[first..end] {
        [] => wanted,
        [head, .., last] => head.range.start..last.range.end,
        [only] => only.range.clone(),
    };
    let mut mutated = mutated(&originals[range.clone()], change.numbered.mutant.extent, &change.replacement)?;
    let mut rest = cells.split_off(first);
    let after = rest.split_off(end - first);
    let mut original: Vec<Stmt> = rest.into_iter().flat_map(|cell| cell.stmts).collect();
    // Items can be spoken of from everywhere in the block.
    let mut stmts: Vec<Stmt> = original.extract_if(.., |stmt| matches!(stmt, Stmt::Item(_))).collect();
    mutated.retain(|stmt| !matches!(stmt, Stmt::Item(_)));
    stmts.push(switch(change.numbered.number, mutated, original, originals.get(range.start), braces));
    cells.push(Cell { range: range.clone(), stmts });
    cells.extend(after);
    Some(range)
}

/// `if is(k) { mutated } else { original }`, with braces of the program's edition.
fn switch(
    number: u32,
    mutated: Vec<Stmt>,
    mut original: Vec<Stmt>,
    place: Option<&Stmt>,
    braces: Span,
) -> Stmt {
    let test = is(number, place.map_or_else(Span::call_site, first_span));
    let otherwise = match &original[..] {
        [] => None,
        // One switch after another needs no braces between.
        [Stmt::Expr(Expr::If(next), None)] if is_switch(next) => match original.pop() {
            Some(Stmt::Expr(next, None)) => Some(next),
            _ => unreachable!("it is the statement that was just seen"),
        },
        _ => Some(branches::otherwise(branches::block(original, braces))),
    };
    Stmt::Expr(branches::switch(test, branches::block(mutated, braces), otherwise), None)
}

/// Whether an `if` is a switch made here.
fn is_switch(if_: &syn::ExprIf) -> bool {
    let Expr::Call(call) = &*if_.cond else { return false };
    let Some(path) = shapes::path(&call.func) else { return false };
    let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    path.leading_colon.is_some() && names == ["insyn", "mutation", "is"]
}
