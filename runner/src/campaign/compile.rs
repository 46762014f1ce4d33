//! Builds a package with all its mutants in it, and finds those that do not compile.
//!
//! In a *trial* the compiler reads the code with the mutants from files, so its errors show which mutant they are about
//! ([`insyn_mutator::Trial`]). Mutants that an error is surely about are left out, and the next trial shows the errors
//! behind those. An error that may be due to any mutant of a function puts them all in doubt: these are tried again in
//! halves. An error about what was moved or borrowed on the way may be due to several mutants together, of which each alone
//! compiles: from then on those of that function are compiled [apart](Numbered::apart). When nothing is in doubt, the build is
//! the real one.
//!
//! All campaigns on a package share one build, so that one after another has nothing to build again. Each takes a copy of
//! the programs, which the next build does not touch.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use cargo_metadata::Package;
use cargo_metadata::diagnostic::{Diagnostic, DiagnosticSpan};
use insyn_mutator::{Numbered, Trial, write_list};
use serde::{Deserialize, Serialize};

use super::lock::Lock;
use super::{profile, seal};
use crate::build::{Binary, Mutating};
use crate::exit::{Ended, Exit};
use crate::{cli, file};

/// A package with its mutants.
pub(crate) struct Compiled {
    pub(crate) binaries: Vec<Binary>,
    /// A digest of the programs, in their order.
    pub(crate) digests: Vec<String>,
    pub(crate) viability: Viability,
}

/// Which mutants do not compile.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Viability {
    /// What it was found out for.
    key: String,
    /// With the compiler's reason.
    pub(crate) unviable: BTreeMap<u32, String>,
    /// How often it took to build the package.
    pub(crate) builds: u32,
    /// Those that are compiled apart from others.
    #[serde(default)]
    apart: BTreeSet<u32>,
}

/// What was found out is kept here.
const KNOWN: &str = "viability.json";

/// The copies of the programs, in the directory of a campaign.
const PROGRAMS: &str = "programs";

/// What that file belongs to.
const SEALED_FOR: &str = "insyn viability";

/// What cargo is to build.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order<'a> {
    pub(crate) how: &'a cli::Build,
    pub(crate) package: &'a Package,
    /// The directory of its workspace.
    pub(crate) root: &'a Path,
}

/// Builds a package with mutants in a directory for that, and copies its programs into another. `key` is the same as long
/// as the mutants, their files and what cargo is asked are.
pub(crate) fn compile(
    order: Order<'_>,
    mutants: &[Numbered],
    directory: &Path,
    copies: &Path,
    key: String,
    progress: impl Fn(String),
) -> Result<Compiled> {
    fs::create_dir_all(directory).with_context(|| format!("{} cannot be made", directory.display()))?;
    // As long as it lives, nobody else builds here.
    let interrupted = "interrupted while another campaign on this package was built";
    let _lock =
        Lock::wait(directory, interrupted, |holder| progress(format!("waiting for the build of {holder}")))?;
    let mut compiled = build(order, mutants, directory, key, progress)?;
    for binary in &mut compiled.binaries {
        let (copy, digest) = copy(&binary.path, &copies.join(PROGRAMS))?;
        binary.path = copy;
        compiled.digests.push(digest);
    }
    Ok(compiled)
}

/// Copies a program, unless it is there already. Output: the copy, and a digest of it.
fn copy(program: &Path, directory: &Path) -> Result<(PathBuf, String)> {
    let copy = directory.join(program.file_name().unwrap_or_default());
    let bytes = fs::read(program).with_context(|| format!("{} cannot be read", program.display()))?;
    let digest = super::hash([&bytes[..]]);
    if fs::read(&copy).is_ok_and(|there| there == bytes) {
        return Ok((copy, digest));
    }
    fs::create_dir_all(directory)
        .and_then(|()| {
            // A campaign may still run it, and then it cannot be written.
            let _ = fs::remove_file(&copy);
            fs::copy(program, &copy)
        })
        .with_context(|| format!("{} cannot be written", copy.display()))?;
    Ok((copy, digest))
}

fn build(
    order: Order<'_>,
    mutants: &[Numbered],
    directory: &Path,
    key: String,
    progress: impl Fn(String),
) -> Result<Compiled> {
    let known = fs::read(directory.join(KNOWN)).ok();
    // What is damaged is found out again.
    let known: Option<Viability> = known.and_then(|bytes| seal::open(SEALED_FOR, &bytes));
    let known = known.filter(|known| known.key == key);
    let begin = |viability: Viability| Trials {
        order,
        profile: profile::settings(order.root, order.package),
        mutants,
        list: directory.join("mutants.list"),
        directory: directory.join("trial"),
        active: mutants
            .iter()
            .map(|it| it.number)
            .filter(|it| !viability.unviable.contains_key(it))
            .collect(),
        viability,
        doubtful: Vec::new(),
        progress: &progress,
    };
    if let Some(known) = known {
        // If it is the same build as before, cargo has nothing to do, and it is not another one. If it has, something has
        // changed that could make other mutants compile: a file without mutants, a dependency, a feature, the compiler.
        let trials = begin(known);
        let (binaries, errors) = trials.attempt(&trials.active, false)?;
        if errors.is_empty() && binaries.iter().all(|it| it.is_fresh) {
            return Ok(Compiled { binaries, digests: Vec::new(), viability: trials.viability });
        }
    }
    let mut trials = begin(Viability { key, ..Viability::default() });
    let binaries = trials.settle()?;
    let _ = fs::remove_dir_all(&trials.directory);
    let Trials { viability, .. } = trials;
    let text = seal::seal(SEALED_FOR, &viability).context("it can be written as JSON")?;
    let path = directory.join(KNOWN);
    file::replace(&path, text.as_bytes()).with_context(|| format!("{} cannot be written", path.display()))?;
    Ok(Compiled { binaries, digests: Vec::new(), viability })
}

struct Trials<'a> {
    order: Order<'a>,
    /// See [`profile::settings`].
    profile: Vec<String>,
    mutants: &'a [Numbered],
    /// The file that names what is compiled in.
    list: PathBuf,
    /// Where the compiler reads from in a trial.
    directory: PathBuf,
    /// What is compiled in.
    active: BTreeSet<u32>,
    viability: Viability,
    /// Mutants in doubt, by function: sets that are to be tried, the next last.
    doubtful: Vec<Vec<BTreeSet<u32>>>,
    progress: &'a dyn Fn(String),
}

/// The mutants that an error is about.
#[derive(Default)]
struct Blame {
    surely: BTreeMap<u32, String>,
    /// Each set has one that it is about.
    perhaps: Vec<(BTreeSet<u32>, String)>,
    /// Mutants of functions in which a value is moved or borrowed too often, maybe only by several of them together.
    together: BTreeSet<u32>,
    /// What the compiler says.
    rendered: String,
}

impl Trials<'_> {
    /// Builds until it succeeds with all mutants that can be compiled in. After a trial that has told what to leave out, the
    /// real build is tried, since it ends as early as a trial does if there is more to leave out.
    fn settle(&mut self) -> Result<Vec<Binary>> {
        // Whether the next build is a trial; whether the last one was, and has succeeded.
        let (mut trial, mut compiles) = (true, false);
        loop {
            let tried: Vec<BTreeSet<u32>> = self.doubtful.iter_mut().filter_map(Vec::pop).collect();
            let mut wanted = self.active.clone();
            wanted.extend(tried.iter().flatten());
            (self.progress)(format!("build {}", self.viability.builds + 1));
            let (binaries, errors) = self.attempt(&wanted, trial)?;
            self.viability.builds += 1;
            if errors.is_empty() {
                self.active = wanted;
                self.doubtful.retain(|sets| !sets.is_empty());
                match (self.doubtful.is_empty(), trial) {
                    (true, false) => return Ok(binaries),
                    (is_all, _) => (trial, compiles) = (!is_all, is_all),
                }
                continue;
            }
            if !trial && !compiles {
                // Nothing is in doubt then. What the errors are about, a trial tells.
                trial = true;
                continue;
            }
            let blame = self.blame(&errors, &wanted);
            self.viability.apart.extend(&blame.together);
            let progress = match tried.is_empty() {
                true => self.doubt(&blame),
                false => self.divide(tried, &blame),
            } || !blame.together.is_empty();
            if !progress {
                return Err(Ended::new(
                    Exit::BuildFailed,
                    format!("{}\nthe package does not compile, and no mutant is the reason", blame.rendered),
                )
                .into());
            }
            (trial, compiles) = (!self.doubtful.is_empty() || !blame.together.is_empty(), false);
        }
    }

    fn attempt(&self, wanted: &BTreeSet<u32>, trial: bool) -> Result<(Vec<Binary>, Vec<Diagnostic>)> {
        let list = self.mutants.iter().filter(|it| wanted.contains(&it.number));
        let is_apart = |it: &Numbered| self.viability.apart.contains(&it.number);
        let list: Vec<Numbered> = list.map(|it| Numbered { apart: is_apart(it), ..it.clone() }).collect();
        let text = write_list(&self.order.package.name, &list);
        // Left alone if it says the same, so that cargo sees no change.
        if fs::read_to_string(&self.list).ok().as_deref() != Some(&text) {
            file::replace(&self.list, text.as_bytes())
                .with_context(|| format!("{} cannot be written", self.list.display()))?;
        }
        let _ = fs::remove_dir_all(&self.directory);
        let trial = trial.then_some(&*self.directory);
        let mutating = Mutating { list: &self.list, trial, profile: &self.profile };
        crate::build::tests(self.order.how, &[self.order.package], Some(mutating))
    }

    /// Leaves out what an error is surely about; if there is none, puts in doubt what it may be about.
    fn doubt(&mut self, blame: &Blame) -> bool {
        if !blame.surely.is_empty() {
            self.leave_out(&blame.surely);
            return true;
        }
        for (suspects, _) in &blame.perhaps {
            let suspects: BTreeSet<u32> = suspects.intersection(&self.active).copied().collect();
            self.active = &self.active - &suspects;
            let (half, rest) = halves(&suspects);
            self.doubtful.push([half, rest].into_iter().filter(|set| !set.is_empty()).collect());
        }
        self.doubtful.retain(|sets| !sets.is_empty());
        !blame.perhaps.is_empty()
    }

    /// Divides the sets that errors are about; the others compile.
    fn divide(&mut self, tried: Vec<BTreeSet<u32>>, blame: &Blame) -> bool {
        let mut progress = false;
        self.leave_out(&blame.surely);
        let groups = self.doubtful.len();
        // One set was taken from each group, in order.
        for (group, set) in (0..groups).zip(tried) {
            let rest: BTreeSet<u32> =
                set.iter().copied().filter(|it| !blame.surely.contains_key(it)).collect();
            progress |= rest.len() < set.len();
            let about = blame.perhaps.iter().find(|(suspects, _)| !suspects.is_disjoint(&rest));
            match (about, rest.len()) {
                (None, _) => self.doubtful[group].push(rest),
                (Some((_, reason)), 1) => {
                    self.leave_out(&rest.into_iter().map(|it| (it, reason.clone())).collect());
                    progress = true;
                }
                (Some(_), _) => {
                    let (half, other) = halves(&rest);
                    self.doubtful[group].extend([half, other].into_iter().filter(|set| !set.is_empty()));
                    progress = true;
                }
            }
        }
        self.doubtful.retain(|sets| !sets.is_empty());
        progress
    }

    fn leave_out(&mut self, mutants: &BTreeMap<u32, String>) {
        for (number, reason) in mutants {
            self.active.remove(number);
            self.viability.unviable.entry(*number).or_insert_with(|| reason.clone());
        }
    }

    /// The mutants that errors are about, of those that were compiled in.
    fn blame(&self, errors: &[Diagnostic], wanted: &BTreeSet<u32>) -> Blame {
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
                let is_ours = Path::new(&span.file_name).starts_with(&self.directory);
                texts.entry(span.file_name.clone()).or_insert_with(|| is_ours.then(read).flatten());
            }
            let reason = reason(error);
            let branches = |primary: bool| -> BTreeSet<u32> {
                let spans = spans.iter().filter(|(_, is_primary)| *is_primary == primary);
                spans
                    .filter_map(|(span, _)| texts.get(&span.file_name)?.as_ref()?.branch(&range(span)))
                    .filter(|number| wanted.contains(number))
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
                .filter(|number| wanted.contains(number))
                .collect::<BTreeSet<u32>>();
            if is_about_flow(error)
                && !is_within(error, |span| texts.get(&span.file_name)?.as_ref()?.branch(&range(span)))
            {
                let together = &(&(&first | &second) | &around) - &self.viability.apart;
                if !together.is_empty() {
                    blame.together.extend(together);
                    continue;
                }
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

fn halves(set: &BTreeSet<u32>) -> (BTreeSet<u32>, BTreeSet<u32>) {
    let middle = set.len().div_ceil(2);
    (set.iter().take(middle).copied().collect(), set.iter().skip(middle).copied().collect())
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
