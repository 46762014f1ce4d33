//! The syntax of switches, put together from what is parsed already: code that is switched many times would otherwise be
//! parsed as often.

use proc_macro2::{Span, TokenStream};
use syn::{Arm, Block, Expr, ExprBlock, ExprIf, ExprMatch, ExprParen, Pat, PatWild, Stmt, Token, token};

/// `if test { mutated } else otherwise`.
pub(super) fn switch(test: TokenStream, mutated: Block, otherwise: Option<Expr>) -> Expr {
    let site = Span::mixed_site();
    Expr::If(ExprIf {
        attrs: Vec::new(),
        if_token: Token![if](site),
        cond: Box::new(condition(test)),
        then_branch: mutated,
        else_branch: otherwise.map(|otherwise| (Token![else](site), Box::new(otherwise))),
    })
}

/// Makes of a block one that takes a copy of itself instead, the first whose test holds. However many copies there are, they
/// stand beside each other: inside each other they would exhaust the compiler's stack.
pub(super) fn choose(block: &mut Block, copies: Vec<(TokenStream, Block)>) {
    let site = Span::mixed_site();
    let arm = |guard: Option<TokenStream>, body: Block| Arm {
        attrs: Vec::new(),
        pat: Pat::Wild(PatWild { attrs: Vec::new(), underscore_token: Token![_](site) }),
        guard: guard.map(|test| (Token![if](site), Box::new(condition(test)))),
        fat_arrow_token: Token![=>](site),
        body: Box::new(otherwise(body)),
        comma: Some(Token![,](site)),
    };
    let original = std::mem::replace(block, self::block(Vec::new(), site));
    let mut arms: Vec<Arm> = copies.into_iter().map(|(test, copy)| arm(Some(test), copy)).collect();
    arms.push(arm(None, original));
    let choice = Expr::Match(ExprMatch {
        attrs: Vec::new(),
        match_token: Token![match](site),
        expr: Box::new(syn::parse_quote_spanned!(site=> ())),
        brace_token: token::Brace(site),
        arms,
    });
    block.stmts.push(value(choice));
}

/// Statements in braces.
pub(super) fn block(stmts: Vec<Stmt>, braces: Span) -> Block {
    Block { brace_token: token::Brace(braces), stmts }
}

/// A block as an expression.
pub(super) fn otherwise(block: Block) -> Expr {
    Expr::Block(ExprBlock { attrs: Vec::new(), label: None, block })
}

/// An expression as the value of a block. As a statement: `{ 1 } + 2` at the beginning of a block would be two of them.
pub(super) fn value(expr: Expr) -> Stmt {
    Stmt::Expr(expr, None)
}

pub(super) fn parenthesized(expr: Expr) -> Expr {
    let paren_token = token::Paren(Span::mixed_site());
    Expr::Paren(ExprParen { attrs: Vec::new(), paren_token, expr: Box::new(expr) })
}

fn condition(test: TokenStream) -> Expr {
    syn::parse2(test).expect("a test is an expression")
}
