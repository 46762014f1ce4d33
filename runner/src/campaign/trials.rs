//! Builds a set of mutants until all that compile are in, and finds those that do not.
//!
//! After a trial, mutants that an error is surely about are left out, and the next trial shows the errors behind those. An
//! error that may be due to any mutant of a function puts them all in doubt: these are tried again in halves. Mutants that
//! [clash](super::blame) are tried without the others of their function, which shows those that do not compile at
//! all; the rest of them are compiled [apart](Numbered::apart) from then on.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use cargo_metadata::Package;
use insyn_mutator::{Numbered, write_list};

use super::blame::{self, Blame, Compilation};
use crate::build::{Binary, Mutating, Tests};
use crate::exit::{Ended, Exit};
use crate::{build, cli, file};

/// What cargo is to build, and how.
#[derive(Clone, Debug)]
pub(super) struct Bench<'a> {
    pub(super) how: &'a cli::Build,
    pub(super) package: &'a Package,
    /// See [`profile::settings`](super::profile::settings).
    pub(super) profile: Vec<String>,
    pub(super) mutants: &'a [Numbered],
    /// The files that they are in.
    pub(super) sources: &'a BTreeMap<String, String>,
    /// The file that names what is compiled in.
    pub(super) list: PathBuf,
    /// Where the compiler reads from in a trial.
    pub(super) directory: PathBuf,
}

impl Bench<'_> {
    /// Builds the package with some mutants, of which some are compiled apart.
    pub(super) fn attempt(
        &self,
        wanted: &BTreeSet<u32>,
        apart: &BTreeSet<u32>,
        trial: bool,
    ) -> Result<Tests> {
        let list = self.mutants.iter().filter(|it| wanted.contains(&it.number));
        let is_apart = |it: &Numbered| apart.contains(&it.number);
        let list: Vec<Numbered> = list.map(|it| Numbered { apart: is_apart(it), ..it.clone() }).collect();
        let text = write_list(&self.package.name, &list);
        // Left alone if it says the same, so that cargo sees no change.
        if fs::read_to_string(&self.list).ok().as_deref() != Some(&text) {
            file::replace(&self.list, text.as_bytes())
                .with_context(|| format!("{} cannot be written", self.list.display()))?;
        }
        let _ = fs::remove_dir_all(&self.directory);
        let trial = trial.then_some(&*self.directory);
        let mutating = Mutating { list: &self.list, trial, profile: &self.profile };
        build::tests(self.how, &[self.package], Some(mutating))
    }
}

/// How it ends.
pub(super) enum Settled {
    Built(Vec<Binary>),
    /// The compiler crashed, which says nothing about a mutant: the reason.
    Crashed(String),
}

pub(super) struct Trials<'a> {
    pub(super) bench: &'a Bench<'a>,
    /// What is compiled in.
    pub(super) active: BTreeSet<u32>,
    /// What does not compile, with the compiler's reason.
    pub(super) unviable: BTreeMap<u32, String>,
    /// What is compiled apart from others.
    pub(super) apart: BTreeSet<u32>,
    /// How often it took to build the package.
    pub(super) builds: u32,
    /// Mutants in doubt, by function: sets that are to be tried, the next last.
    doubtful: Vec<Vec<BTreeSet<u32>>>,
    /// Mutants that clash with others, and are tried without them.
    alone: BTreeSet<u32>,
    /// These others.
    aside: BTreeSet<u32>,
    progress: &'a dyn Fn(String),
}

impl<'a> Trials<'a> {
    /// Trials of some mutants, when there were so many builds already.
    pub(super) fn new(
        bench: &'a Bench<'a>,
        active: BTreeSet<u32>,
        builds: u32,
        progress: &'a dyn Fn(String),
    ) -> Trials<'a> {
        Trials {
            bench,
            active,
            unviable: BTreeMap::new(),
            apart: BTreeSet::new(),
            builds,
            doubtful: Vec::new(),
            alone: BTreeSet::new(),
            aside: BTreeSet::new(),
            progress,
        }
    }

    /// Builds until it succeeds with all mutants that can be compiled in. After a trial that has told what to leave out, the
    /// real build is tried, since it ends as early as a trial does if there is more to leave out.
    pub(super) fn settle(&mut self) -> Result<Settled> {
        // Whether the next build is a trial; whether the last one was, and has succeeded.
        let (mut trial, mut compiles) = (true, false);
        loop {
            let tried: Vec<BTreeSet<u32>> = self.doubtful.iter_mut().filter_map(Vec::pop).collect();
            let mut wanted = self.active.clone();
            wanted.extend(tried.iter().flatten());
            (self.progress)(format!("build {}", self.builds + 1));
            let Tests { binaries, errors, crash } = self.bench.attempt(&wanted, &self.apart, trial)?;
            self.builds += 1;
            if let Some(crash) = crash {
                return Ok(Settled::Crashed(crash));
            }
            if errors.is_empty() {
                self.active = wanted;
                self.doubtful.retain(|sets| !sets.is_empty());
                if self.end_alone(&BTreeMap::new()) {
                    (trial, compiles) = (true, false);
                    continue;
                }
                match (self.doubtful.is_empty(), trial) {
                    (true, false) => return Ok(Settled::Built(binaries)),
                    (is_all, _) => (trial, compiles) = (!is_all, is_all),
                }
                continue;
            }
            if !trial && !compiles {
                // Nothing is in doubt then. What the errors are about, a trial tells.
                trial = true;
                continue;
            }
            let Bench { mutants, sources, directory, .. } = self.bench;
            let compilation =
                Compilation { mutants, sources, wanted: &wanted, apart: &self.apart, directory };
            let blame = compilation.blame(&errors);
            self.apart.extend(&blame.together);
            let mut progress = match tried.is_empty() {
                true => self.doubt(&blame),
                false => self.divide(tried, &blame),
            } || !blame.together.is_empty();
            progress |= self.end_alone(&blame.surely);
            let clash = self.begin_alone(&blame);
            if !progress && !clash {
                return Err(Ended::new(
                    Exit::BuildFailed,
                    format!("{}\nthe package does not compile, and no mutant is the reason", blame.rendered),
                )
                .into());
            }
            (trial, compiles) = (!self.doubtful.is_empty() || !blame.together.is_empty() || clash, false);
        }
    }

    /// Tries mutants that clash without the others of their functions. Those that take something away are compiled apart at
    /// once, so that they take it away from nobody else.
    fn begin_alone(&mut self, blame: &Blame) -> bool {
        let is_open = |it: &u32| !self.apart.contains(it) && !self.unviable.contains_key(it);
        self.alone = blame.clashing.iter().copied().filter(is_open).collect();
        if self.alone.is_empty() {
            return false;
        }
        self.aside = blame.beside.intersection(&self.active).copied().collect();
        self.aside = &self.aside - &self.alone;
        self.active = &self.active - &self.aside;
        let removes = |it: &&Numbered| self.alone.contains(&it.number) && !blame::inserts(it);
        self.apart.extend(self.bench.mutants.iter().filter(removes).map(|it| it.number));
        true
    }

    /// Takes the others back in. Of the mutants that were tried without them, those that compile do so apart.
    fn end_alone(&mut self, unviable: &BTreeMap<u32, String>) -> bool {
        let alone = std::mem::take(&mut self.alone);
        self.active.append(&mut self.aside);
        let is_left = !alone.is_empty();
        self.apart.extend(alone.into_iter().filter(|it| !unviable.contains_key(it)));
        is_left
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
            self.unviable.entry(*number).or_insert_with(|| reason.clone());
        }
    }
}

/// The first and the second half of a set.
pub(super) fn halves(set: &BTreeSet<u32>) -> (BTreeSet<u32>, BTreeSet<u32>) {
    let middle = set.len().div_ceil(2);
    (set.iter().take(middle).copied().collect(), set.iter().skip(middle).copied().collect())
}
