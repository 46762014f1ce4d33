//! Which mutants the compiler's errors are about.
//!
//! Mostly the place of an error is in the branch of a mutant. If not, it can be due to any mutant of the function around.
//!
//! An error about what is moved or borrowed on the way may be due to several mutants together, of which each alone
//! compiles. In a short function all of its mutants are compiled [apart](Numbered::apart) then. In a long one there would be
//! as many copies as mutants of a body that is as long as they are many; there, those whose branches the error names
//! *clash*, and are tried without the others. If it names none, those are that take a jump or an assignment away which the
//! original relies on.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::Path;

use cargo_metadata::diagnostic::{Diagnostic, DiagnosticSpan};
use insyn_mutator::{Numbered, Trial};

/// So many lines may be copied to compile all mutants of a function apart.
const LINES: usize = 10_000;

/// So many mutants of a long function may be compiled apart because one of them may be the reason for an error.
const SUSPECTS: usize = 64;

/// The mutants that an error is about.
#[derive(Default)]
pub(super) struct Blame {
    pub(super) surely: BTreeMap<u32, String>,
    /// Each set has one that it is about.
    pub(super) perhaps: Vec<(BTreeSet<u32>, String)>,
    /// Mutants of short functions in which a value is moved or borrowed too often, maybe only by several of them together.
    pub(super) together: BTreeSet<u32>,
    /// The same in long functions: those that an error names.
    pub(super) clashing: BTreeSet<u32>,
    /// The others of these functions.
    pub(super) beside: BTreeSet<u32>,
    /// What the compiler says.
    pub(super) rendered: String,
}

/// What was compiled.
pub(super) struct Compilation<'a> {
    /// All mutants there are.
    pub(super) mutants: &'a [Numbered],
    /// The files that they are in.
    pub(super) sources: &'a BTreeMap<String, String>,
    /// Those that were compiled in.
    pub(super) wanted: &'a BTreeSet<u32>,
    /// Those that are compiled apart.
    pub(super) apart: &'a BTreeSet<u32>,
    /// Where the compiler has read from.
    pub(super) directory: &'a Path,
}

impl Compilation<'_> {
    /// The mutants that errors are about.
    pub(super) fn blame(&self, errors: &[Diagnostic]) -> Blame {
        let mut texts: BTreeMap<String, Option<Trial>> = BTreeMap::new();
        let mut blame = Blame::default();
        for error in errors {
            // The last error only says how many there were.
            let spans = spans(error);
            if spans.is_empty() {
                continue;
            }
            blame.rendered.push_str(error.rendered.as_deref().unwrap_or(&error.message));
            for (span, _) in &spans {
                let read = || Trial::read(&fs::read_to_string(&span.file_name).ok()?);
                let is_ours = Path::new(&span.file_name).starts_with(self.directory);
                texts.entry(span.file_name.clone()).or_insert_with(|| is_ours.then(read).flatten());
            }
            let reason = reason(error);
            let branches = |primary: bool| -> BTreeSet<u32> {
                let spans = spans.iter().filter(|(_, is_primary)| *is_primary == primary);
                spans
                    .filter_map(|(span, _)| texts.get(&span.file_name)?.as_ref()?.branch(&range(span)))
                    .filter(|number| self.wanted.contains(number))
                    .collect()
            };
            let (first, second) = (branches(true), branches(false));
            let around = spans
                .iter()
                .filter(|(_, is_primary)| *is_primary)
                .flat_map(|(span, _)| match texts.get(&span.file_name) {
                    Some(Some(trial)) => trial.function(&range(span)),
                    _ => self.around(span),
                })
                .filter(|number| self.wanted.contains(number))
                .collect::<BTreeSet<u32>>();
            if is_about_flow(error)
                && !is_within(error, |span| texts.get(&span.file_name)?.as_ref()?.branch(&range(span)))
                && self.is_about_several(&mut blame, error, &(&first | &second), &around)
            {
                continue;
            }
            match (first.len(), second.len()) {
                (1.., _) => blame.surely.extend(first.into_iter().map(|it| (it, reason.clone()))),
                (0, 1) => blame.surely.extend(second.into_iter().map(|it| (it, reason.clone()))),
                (0, 2..) => blame.perhaps.push((second, reason)),
                (0, 0) if !around.is_empty() => blame.perhaps.push((around, reason)),
                (0, 0) => {}
            }
        }
        blame
    }

    /// Whether an error about flow may be due to several mutants together: those that it names, and those around it.
    fn is_about_several(
        &self,
        blame: &mut Blame,
        error: &Diagnostic,
        named: &BTreeSet<u32>,
        around: &BTreeSet<u32>,
    ) -> bool {
        let all = &(named | around) - self.apart;
        if self.lines(around) <= LINES {
            blame.together.extend(&all);
            return !all.is_empty();
        }
        // What only inserts something takes nothing away that another relies on.
        if named.len() == 1 && all.iter().all(|it| self.inserts(*it)) {
            return false;
        }
        let mut clashing = named - self.apart;
        if named.is_empty() {
            clashing = all.iter().copied().filter(|it| self.loosens(*it, error)).collect();
            if clashing.len() > SUSPECTS {
                return false;
            }
        }
        blame.beside.extend(&all - &clashing);
        blame.clashing.extend(&clashing);
        !clashing.is_empty()
    }

    /// How many lines there would be if each of these mutants of a function had a copy of it.
    fn lines(&self, mutants: &BTreeSet<u32>) -> usize {
        let extents = || mutants.iter().filter_map(|it| self.mutant(*it)).map(|it| it.mutant.extent);
        let first = extents().map(|it| it.start.line).min().unwrap_or_default();
        let last = extents().map(|it| it.end.line).max().unwrap_or_default();
        (last - first + 1) as usize * mutants.len()
    }

    /// Whether a mutant takes a jump away, or an assignment to the variable that an error is about.
    fn loosens(&self, mutant: u32, error: &Diagnostic) -> bool {
        let Some(Numbered { mutant, .. }) = self.mutant(mutant) else { return false };
        let Some(replaced) = self.sources.get(&mutant.file).and_then(|it| mutant.replaced(it).ok()) else {
            return false;
        };
        let variable = error.message.split('`').nth(1).unwrap_or_default();
        let has_more = |word: &str| count(replaced, word) > count(&mutant.replacement, word);
        let assigns = !variable.is_empty() && has_more(variable) && replaced.contains('=');
        assigns || ["break", "continue", "return"].into_iter().any(has_more)
    }

    fn inserts(&self, mutant: u32) -> bool {
        self.mutant(mutant).is_some_and(inserts)
    }

    fn mutant(&self, number: u32) -> Option<&Numbered> {
        self.mutants.binary_search_by_key(&number, |it| it.number).ok().map(|at| &self.mutants[at])
    }

    /// The mutants of the function around a place in the package itself.
    fn around(&self, span: &DiagnosticSpan) -> BTreeSet<u32> {
        let here: Vec<&Numbered> =
            self.mutants.iter().filter(|it| span.file_name.ends_with(&it.mutant.file)).collect();
        let line = span.line_start as u32;
        let is_around = |function: &str| {
            let lines = || here.iter().filter(|it| it.mutant.function == function).map(|it| it.mutant.extent);
            let first = lines().map(|extent| extent.start.line).min();
            let last = lines().map(|extent| extent.end.line).max();
            first.is_some_and(|first| first <= line) && last.is_some_and(|last| line <= last)
        };
        let in_function = here.iter().filter(|it| is_around(&it.mutant.function));
        let found: BTreeSet<u32> = in_function.map(|it| it.number).collect();
        if found.is_empty() { here.iter().map(|it| it.number).collect() } else { found }
    }
}

/// How often a word is in a text.
fn count(text: &str, word: &str) -> usize {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|it| *it == word).count()
}

/// Whether a mutant leaves all there is as it was.
pub(super) fn inserts(mutant: &Numbered) -> bool {
    mutant.mutant.extent.start == mutant.mutant.extent.end
}

/// The places that an error names, and whether each is the one it is about.
fn spans(error: &Diagnostic) -> Vec<(&DiagnosticSpan, bool)> {
    let notes = error.children.iter().flat_map(|note| &note.spans).map(|span| (span, false));
    error.spans.iter().map(|span| (span, span.is_primary)).chain(notes).collect()
}

/// Whether an error is about what happens to a value on the way to a place, which may go through several branches: it is
/// moved, borrowed, set or dropped there, and used here.
fn is_about_flow(error: &Diagnostic) -> bool {
    const CODES: [&str; 11] =
        ["E0381", "E0382", "E0384", "E0499", "E0502", "E0503", "E0505", "E0506", "E0597", "E0713", "E0716"];
    error.code.as_ref().is_some_and(|code| CODES.contains(&code.code.as_str()))
}

/// Whether all that an error about flow tells of a value happens in one branch, so that no other has to do with it.
fn is_within(error: &Diagnostic, branch: impl Fn(&DiagnosticSpan) -> Option<u32>) -> bool {
    let label = |span: &DiagnosticSpan| span.label.clone().unwrap_or_default();
    let is_declaration = |span: &DiagnosticSpan| {
        label(span).starts_with("move occurs because") || label(span).ends_with("declared here")
    };
    let mut branches = error.spans.iter().filter(|span| !is_declaration(span)).map(branch);
    let first = branches.next().flatten();
    let goes_round = error.spans.iter().any(|span| label(span).contains("iteration of loop"));
    first.is_some() && branches.all(|it| it == first) && !goes_round
}

fn range(span: &DiagnosticSpan) -> Range<usize> {
    span.byte_start as usize..span.byte_end as usize
}

/// `E0308: mismatched types: expected u32, found bool`.
fn reason(error: &Diagnostic) -> String {
    let code = error.code.as_ref().map(|code| format!("{}: ", code.code)).unwrap_or_default();
    let label = error.spans.iter().find(|span| span.is_primary).and_then(|span| span.label.as_ref());
    let label = label.map(|label| format!(": {label}")).unwrap_or_default();
    format!("{code}{}{label}", error.message)
}
