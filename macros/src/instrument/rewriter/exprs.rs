//! Rewrites expressions.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Arm, Error, Expr, ExprCall, ExprClosure, ExprForLoop, ExprIf, ExprLet, ExprWhile, FieldValue, Member,
    PathArguments, parse_quote_spanned,
};

use super::Rewriter;
use crate::instrument::scope::{Frame, Kind, Space};
use crate::instrument::{consts, declarations, emit, mirrors};

/// The error about a constant that refers to a static.
const IN_CONST: &str = "this static starts anew in each execution, so that no constant, and no static that is made of plain \
                        data alone, can refer to it: make a function of what does";

impl Rewriter {
    pub(super) fn expr(&mut self, expr: &mut Expr) {
        // Its position is that of the original code.
        let place = self.place_of_operation(expr);
        match expr {
            Expr::Path(_) if self.is_renewed_static(expr) => {
                if self.in_const {
                    self.errors.push(Error::new_spanned(&*expr, IN_CONST));
                    return;
                }
                let site = emit::site(expr.span());
                *expr = parse_quote_spanned!(site=> *#expr);
            }
            Expr::Async(block) => self.refuse_async(block.async_token.span),
            Expr::Await(await_) => self.refuse_async(await_.await_token.span),
            Expr::Call(call) => {
                let is_arc = self.call(call);
                if is_arc && let Some(value) = call.args.first() {
                    *expr = emit::arc(value, call.func.span());
                }
            }
            Expr::Cast(cast) => {
                let is_arc = matches!(&*cast.expr, Expr::Call(call) if self.is_arc_new(call));
                visit_mut::visit_expr_cast_mut(self, cast);
                if is_arc {
                    *expr = emit::of_type(&cast.ty, &cast.expr);
                }
            }
            Expr::Closure(closure) => self.closure(closure),
            Expr::Const(block) => {
                let makes = self.makes_within(|this| {
                    this.within_const(true, |this| visit_mut::visit_expr_const_mut(this, block));
                });
                if makes {
                    self.makes = true;
                    consts::unfold(expr);
                }
            }
            Expr::ForLoop(for_loop) => self.for_loop(for_loop),
            Expr::If(if_) => self.if_(if_),
            Expr::Let(let_) => self.let_(let_),
            Expr::Match(match_) => {
                self.visit_expr_mut(&mut match_.expr);
                for arm in &mut match_.arms {
                    self.arm(arm);
                }
            }
            Expr::Repeat(repeat) => {
                let was_const = matches!(*repeat.expr, Expr::Const(_));
                self.visit_expr_mut(&mut repeat.expr);
                self.within_const(true, |this| this.visit_expr_mut(&mut repeat.len));
                if was_const && !matches!(*repeat.expr, Expr::Const(_)) {
                    *expr = emit::array(&repeat.expr, &repeat.len);
                }
            }
            Expr::Struct(literal) => {
                visit_mut::visit_path_mut(self, &mut literal.path);
                self.rewrite_qualified(&mut literal.qself, &mut literal.path, Space::Type);
                for field in &mut literal.fields {
                    self.field(field);
                }
                if let Some(rest) = &mut literal.rest {
                    self.visit_expr_mut(rest);
                }
            }
            Expr::While(while_) => self.while_(while_),
            Expr::Macro(mac) => match self.place_macro(mac) {
                Some(value) => *expr = value,
                None => self.visit_macro_mut(&mut mac.mac),
            },
            _ => visit_mut::visit_expr_mut(self, expr),
        }
        if let Some(place) = place {
            self.report_place(expr, &place);
        }
    }

    /// Rewrites a call. Output: whether it is `Arc::new(..)`.
    fn call(&mut self, call: &mut ExprCall) -> bool {
        let is_arc = self.is_arc_new(call);
        if let Some(path) = self.callee(call) {
            self.makes |= mirrors::is_const_in_std(&mirrors::borrowed(&path));
        }
        visit_mut::visit_expr_call_mut(self, call);
        is_arc
    }

    /// The function that a call calls, if it is in another crate.
    fn callee(&self, call: &ExprCall) -> Option<Vec<String>> {
        match &*call.func {
            Expr::Path(callee) if callee.qself.is_none() => self.leads_to(&callee.path, Space::Value),
            _ => None,
        }
    }

    /// Whether a call is `Arc::new(..)`, of a type that the compiler finds.
    fn is_arc_new(&self, call: &ExprCall) -> bool {
        let plain = matches!(&*call.func, Expr::Path(callee)
            if callee.path.segments.iter().all(|segment| matches!(segment.arguments, PathArguments::None)));
        plain
            && call.args.len() == 1
            && self.callee(call).is_some_and(|path| {
                mirrors::proper(&mirrors::borrowed(&path)).as_deref() == Some(&["std", "sync", "Arc", "new"])
            })
    }

    fn closure(&mut self, closure: &mut ExprClosure) {
        if let Some(token) = &closure.asyncness {
            self.refuse_async(token.span);
        }
        self.in_scope(Frame::new(Kind::Block), |this| {
            for input in &mut closure.inputs {
                this.visit_pat_mut(input);
                declarations::pattern(this.scopes.innermost(), input);
            }
            this.visit_return_type_mut(&mut closure.output);
            this.visit_expr_mut(&mut closure.body);
        });
    }

    fn for_loop(&mut self, for_loop: &mut ExprForLoop) {
        self.visit_expr_mut(&mut for_loop.expr);
        self.in_scope(Frame::new(Kind::Block), |this| {
            this.visit_pat_mut(&mut for_loop.pat);
            declarations::pattern(this.scopes.innermost(), &for_loop.pat);
            this.visit_block_mut(&mut for_loop.body);
        });
    }

    fn if_(&mut self, if_: &mut ExprIf) {
        self.in_scope(Frame::new(Kind::Block), |this| {
            this.visit_expr_mut(&mut if_.cond);
            this.visit_block_mut(&mut if_.then_branch);
        });
        if let Some((_, otherwise)) = &mut if_.else_branch {
            self.visit_expr_mut(otherwise);
        }
    }

    fn while_(&mut self, while_: &mut ExprWhile) {
        self.in_scope(Frame::new(Kind::Block), |this| {
            this.visit_expr_mut(&mut while_.cond);
            this.visit_block_mut(&mut while_.body);
        });
    }

    /// Its variables are declared in the scope of the `if` or `while` around it.
    fn let_(&mut self, let_: &mut ExprLet) {
        self.visit_expr_mut(&mut let_.expr);
        self.visit_pat_mut(&mut let_.pat);
        declarations::pattern(self.scopes.innermost(), &let_.pat);
    }

    fn arm(&mut self, arm: &mut Arm) {
        self.in_scope(Frame::new(Kind::Block), |this| {
            this.visit_pat_mut(&mut arm.pat);
            declarations::pattern(this.scopes.innermost(), &arm.pat);
            if let Some((_, guard)) = &mut arm.guard {
                this.visit_expr_mut(guard);
            }
            this.visit_expr_mut(&mut arm.body);
        });
    }

    /// A field of a struct literal: an object that is stored in it gets its name.
    fn field(&mut self, field: &mut FieldValue) {
        if let Member::Named(name) = &field.member {
            self.name(&[name.to_string()], &mut field.expr);
        }
        // The value in `Struct { STATIC }` is no longer just a name.
        if field.colon_token.is_none() && self.is_renewed_static(&field.expr) {
            field.colon_token = Some(syn::token::Colon(field.expr.span()));
        }
        self.visit_expr_mut(&mut field.expr);
    }

    pub(super) fn refuse_async(&mut self, span: Span) {
        self.errors.push(Error::new(
            span,
            "`async` code is not under control yet: leave it out with `#[insyn::instrument(skip)]` on the item, or use \
             threads",
        ));
    }
}
