//! Walks through annotated functions, and passes each family the syntax that it mutates.
//!
//! The walk visits code where a mutant can be switched on at run time: not constants, lengths, patterns, types and
//! attributes, nor macros whose arguments are not known to be expressions.

use insyn_syntax::Select;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Attribute, Block, Expr, Item, Pat, Signature, Stmt, Token};

use crate::attributes;
use crate::extent::Extent;
use crate::families::{channels, guards, locks, operators, threads};
use crate::finder::Finder;

/// Walks through the code of one file.
pub(crate) struct Walker<'a> {
    pub(crate) finder: Finder<'a>,
    /// Whether the functions that drive tests are mutated too.
    drivers: bool,
    /// The type that the next function belongs to.
    owner: Option<String>,
    /// The next expression is an operand of another.
    operand: bool,
}

impl<'a> Walker<'a> {
    pub(crate) fn new(finder: Finder<'a>, drivers: bool) -> Self {
        Walker { finder, drivers, owner: None, operand: false }
    }

    fn function(&mut self, attrs: &[Attribute], sig: &Signature, block: &Block) {
        let is_test = attributes::is_test(attrs) && !(self.drivers && attributes::is_driver(attrs));
        if is_test || sig.constness.is_some() || sig.asyncness.is_some() {
            return;
        }
        let name = match self.owner.take() {
            Some(owner) => format!("{owner}::{}", sig.ident),
            None => sig.ident.to_string(),
        };
        self.finder.functions.push(name);
        let names = std::mem::take(&mut self.finder.names);
        self.finder.names.enter();
        for input in &sig.inputs {
            match input {
                syn::FnArg::Receiver(_) => self.finder.names.declare_name("self"),
                syn::FnArg::Typed(input) => self.finder.names.declare(&input.pat),
            }
        }
        self.finder.names.collect(self.finder.text, block);
        operators::function(&mut self.finder, sig, block);
        self.visit_block(block);
        self.finder.names = names;
        self.finder.functions.pop();
    }

    /// A condition: mutated as a guard, and as any expression.
    fn condition(&mut self, cond: &Expr) {
        guards::guard(&mut self.finder, cond);
        let around = std::mem::replace(&mut self.finder.guard, Extent::of(cond));
        self.visit_expr(cond);
        self.finder.guard = around;
    }

    fn in_scope(&mut self, pats: &[&Pat], inside: impl FnOnce(&mut Self)) {
        self.finder.names.enter();
        for pat in pats {
            self.finder.names.declare(pat);
        }
        inside(self);
        self.finder.names.leave();
    }

    fn select(&mut self, select: &Select, name: &str, own: bool) {
        channels::select(&mut self.finder, select, name, own);
        threads::select(&mut self.finder, select);
        for arm in &select.arms {
            for arg in arm.args.iter().flat_map(|(_, args)| args) {
                self.visit_expr(arg);
            }
            if let Some((_, guard)) = &arm.guard {
                self.condition(guard);
            }
            let pat = arm.pat.as_ref().map(|(_, pat)| pat);
            self.in_scope(&Vec::from_iter(pat), |this| this.visit_expr(&arm.body));
        }
    }
}

impl<'ast> Visit<'ast> for Walker<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.owner = None;
        self.function(&item.attrs, &item.sig, &item.block);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if attributes::is_left_alone(&item.attrs) {
            return;
        }
        let owner = attributes::type_name(&item.self_ty);
        for item in &item.items {
            if let syn::ImplItem::Fn(item) = item
                && !attributes::is_left_alone(&item.attrs)
            {
                self.owner = owner.clone();
                self.visit_impl_item_fn(item);
            }
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.attrs, &item.sig, &item.block);
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        if attributes::is_left_alone(&item.attrs) {
            return;
        }
        for function in &item.items {
            if let syn::TraitItem::Fn(function) = function
                && let Some(block) = &function.default
                && !attributes::is_left_alone(&function.attrs)
            {
                self.owner = Some(item.ident.to_string());
                self.function(&function.attrs, &function.sig, block);
            }
        }
    }

    fn visit_item(&mut self, item: &'ast Item) {
        if attributes::of(item).is_some_and(attributes::is_left_alone) {
            return;
        }
        match item {
            Item::Fn(item) => self.visit_item_fn(item),
            Item::Impl(item) => self.visit_item_impl(item),
            Item::Trait(item) => self.visit_item_trait(item),
            // The other items are data or constants.
            _ => {}
        }
    }

    fn visit_block(&mut self, block: &'ast Block) {
        let guard = self.finder.guard.take();
        self.in_scope(&[], |this| {
            this.finder.names.block(block);
            channels::block(&mut this.finder, block);
            locks::block(&mut this.finder, block);
            threads::block(&mut this.finder, block);
            operators::block(&mut this.finder, block);
            for stmt in &block.stmts {
                match stmt {
                    Stmt::Local(local) => {
                        if let Some(init) = &local.init {
                            this.visit_expr(&init.expr);
                            if let Some((_, diverge)) = &init.diverge {
                                this.visit_expr(diverge);
                            }
                        }
                        this.finder.names.declare(&local.pat);
                    }
                    Stmt::Item(item) => this.visit_item(item),
                    Stmt::Expr(expr, _) => this.visit_expr(expr),
                    Stmt::Macro(mac) => this.visit_macro(&mac.mac),
                }
            }
        });
        self.finder.guard = guard;
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        let operand = std::mem::take(&mut self.operand);
        channels::expr(&mut self.finder, expr);
        locks::expr(&mut self.finder, expr);
        threads::expr(&mut self.finder, expr);
        operators::expr(&mut self.finder, expr, operand);
        match expr {
            Expr::If(if_) => self.in_scope(&[], |this| {
                this.condition(&if_.cond);
                this.visit_block(&if_.then_branch);
                if let Some((_, otherwise)) = &if_.else_branch {
                    this.visit_expr(otherwise);
                }
            }),
            Expr::While(while_) => self.in_scope(&[], |this| {
                this.condition(&while_.cond);
                this.visit_block(&while_.body);
            }),
            Expr::ForLoop(for_loop) => {
                self.visit_expr(&for_loop.expr);
                self.in_scope(&[&for_loop.pat], |this| this.visit_block(&for_loop.body));
            }
            Expr::Match(match_) => {
                self.visit_expr(&match_.expr);
                for arm in &match_.arms {
                    self.in_scope(&[&arm.pat], |this| {
                        if let Some((_, guard)) = &arm.guard {
                            this.condition(guard);
                        }
                        this.visit_expr(&arm.body);
                    });
                }
            }
            Expr::Let(let_) => {
                self.visit_expr(&let_.expr);
                self.finder.names.declare(&let_.pat);
            }
            Expr::Closure(closure) => {
                let guard = self.finder.guard.take();
                let inputs: Vec<&Pat> = closure.inputs.iter().collect();
                self.in_scope(&inputs, |this| this.visit_expr(&closure.body));
                self.finder.guard = guard;
            }
            Expr::Binary(binary) => {
                for side in [&binary.left, &binary.right] {
                    self.operand = true;
                    self.visit_expr(side);
                }
                self.operand = false;
            }
            Expr::Block(block) => self.in_scope(&[], |this| {
                if let Some(label) = &block.label {
                    this.finder.names.declare_name(&label.name.to_string());
                }
                this.visit_block(&block.block);
            }),
            Expr::Repeat(repeat) => self.visit_expr(&repeat.expr),
            Expr::Async(_) | Expr::Const(_) | Expr::Verbatim(_) => {}
            _ => visit::visit_expr(self, expr),
        }
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let Some(last) = mac.path.segments.last() else { return };
        let name = last.ident.to_string();
        let tokens = mac.tokens.clone();
        match name.as_str() {
            "select" | "select_biased" => {
                if let Ok(select) = syn::parse2::<Select>(tokens) {
                    let own = self.finder.facts.is_own_select(&mac.path, &select);
                    self.select(&select, &name, own);
                }
            }
            "eprint" | "eprintln" | "format" | "name" | "print" | "println" | "vec" | "write" | "writeln" => {
                for expr in expressions(tokens).unwrap_or_default() {
                    match &expr {
                        Expr::Assign(named) => self.visit_expr(&named.right),
                        expr => self.visit_expr(expr),
                    }
                }
            }
            _ => {}
        }
    }

    fn visit_pat(&mut self, _: &'ast Pat) {}

    fn visit_type(&mut self, _: &'ast syn::Type) {}

    fn visit_path(&mut self, _: &'ast syn::Path) {}

    fn visit_attribute(&mut self, _: &'ast Attribute) {}
}

/// The arguments of a macro, if they are expressions: `a, b, name = c` or `value; length`.
fn expressions(tokens: proc_macro2::TokenStream) -> Option<Vec<Expr>> {
    let list = Punctuated::<Expr, Token![,]>::parse_terminated;
    if let Ok(exprs) = list.parse2(tokens.clone()) {
        return Some(exprs.into_iter().collect());
    }
    let repeated = |input: syn::parse::ParseStream<'_>| {
        let value: Expr = input.parse()?;
        input.parse::<Token![;]>()?;
        Ok(vec![value, input.parse::<Expr>()?])
    };
    repeated.parse2(tokens).ok()
}
