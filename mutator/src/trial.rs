//! Which mutants do not compile: finds those that the compiler's errors are about.
//!
//! The code with all mutants in it ([`Schemata`](crate::Schemata)) is compiled as a text of its own, so that an error has
//! a place there. Mostly that is in the branch of a mutant. If not, it can be due to any mutant of the function around.

use std::collections::BTreeSet;
use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Arm, Expr, ExprCall, ExprIf, ExprLit, Lit};

/// A text that has mutants in it.
#[derive(Clone, Debug, Default)]
pub struct Trial {
    /// The branches of mutants, by the bytes of the text.
    branches: Vec<(Range<usize>, u32)>,
    /// The functions, the outer before the inner.
    functions: Vec<Range<usize>>,
    /// Where it is asked whether a mutant is on.
    switches: Vec<(usize, u32)>,
}

impl Trial {
    /// Reads a text; none if it is not the text of a file.
    pub fn read(text: &str) -> Option<Trial> {
        let file = syn::parse_file(text).ok()?;
        let mut trial = Trial::default();
        trial.visit_file(&file);
        Some(trial)
    }

    /// The mutant whose branch a place is in.
    pub fn branch(&self, place: &Range<usize>) -> Option<u32> {
        let around = self.branches.iter().filter(|(branch, _)| contains(branch, place));
        around.min_by_key(|(branch, _)| branch.len()).map(|(_, number)| *number)
    }

    /// The mutants in the function around a place.
    pub fn function(&self, place: &Range<usize>) -> BTreeSet<u32> {
        let around = self.functions.iter().filter(|function| contains(function, place));
        let Some(function) = around.min_by_key(|function| function.len()) else { return BTreeSet::new() };
        self.switches.iter().filter(|(at, _)| function.contains(at)).map(|(_, number)| *number).collect()
    }
}

fn contains(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Input: `::insyn::mutation::is(3u32)`. Output: 3.
fn switch(call: &ExprCall) -> Option<u32> {
    let Expr::Path(path) = &*call.func else { return None };
    let names: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let Some(Expr::Lit(ExprLit { lit: Lit::Int(number), .. })) = call.args.first() else { return None };
    (names == ["insyn", "mutation", "is"]).then(|| number.base10_parse().ok()).flatten()
}

impl<'ast> Visit<'ast> for Trial {
    fn visit_expr_if(&mut self, it: &'ast ExprIf) {
        if let Expr::Call(call) = &*it.cond
            && let Some(number) = switch(call)
        {
            self.branches.push((it.then_branch.span().byte_range(), number));
        }
        visit::visit_expr_if(self, it);
    }

    fn visit_arm(&mut self, it: &'ast Arm) {
        if let Some((_, guard)) = &it.guard
            && let Expr::Call(call) = &**guard
            && let Some(number) = switch(call)
        {
            self.branches.push((it.body.span().byte_range(), number));
        }
        visit::visit_arm(self, it);
    }

    fn visit_expr_call(&mut self, it: &'ast ExprCall) {
        if let Some(number) = switch(it) {
            self.switches.push((it.span().byte_range().start, number));
        }
        visit::visit_expr_call(self, it);
    }

    fn visit_item_fn(&mut self, it: &'ast syn::ItemFn) {
        self.functions.push(it.span().byte_range());
        visit::visit_item_fn(self, it);
    }

    fn visit_impl_item_fn(&mut self, it: &'ast syn::ImplItemFn) {
        self.functions.push(it.span().byte_range());
        visit::visit_impl_item_fn(self, it);
    }

    fn visit_trait_item_fn(&mut self, it: &'ast syn::TraitItemFn) {
        self.functions.push(it.span().byte_range());
        visit::visit_trait_item_fn(self, it);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_shows_the_mutant() {
        let text = "fn f() { if ::insyn::mutation::is(3u32) { a + b } else if ::insyn::mutation::is(4u32) { c } \
                    else { d } } fn g() { if e && ::insyn::mutation::is(5u32) {} } \
                    fn h() { match () { _ if ::insyn::mutation::is(6u32) => { i } _ => { j } } }";
        let trial = Trial::read(text).unwrap();
        let place = |word: &str| {
            let start = text.find(word).unwrap();
            start..start + word.len()
        };
        assert_eq!(trial.branch(&place("a + b")), Some(3));
        assert_eq!(trial.branch(&place("c }")), Some(4));
        assert_eq!(trial.branch(&place("d }")), None);
        assert_eq!(trial.function(&place("d }")), BTreeSet::from([3, 4]));
        assert_eq!(trial.branch(&place("e &&")), None);
        assert_eq!(trial.function(&place("e &&")), BTreeSet::from([5]));
        assert_eq!(trial.branch(&place("i }")), Some(6));
        assert_eq!(trial.branch(&place("j }")), None);
    }
}
