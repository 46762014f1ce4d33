//! Builds a package with all its mutants in it, and finds those that do not compile.
//!
//! In a *trial* the compiler reads the code with the mutants from files, so its errors show which mutant they are about
//! ([`blame`](super::blame)). When nothing is in doubt any more ([`trials`](super::trials)), the build is the real one.
//!
//! A compiler that crashes, or runs out of memory, has mostly been given too much. Then the mutants are built in two halves,
//! each of which is a *part* with programs of its own, and so on. A mutant that the compiler crashes on all alone is left
//! undecided, and without those that are, all are built as one part again.
//!
//! All campaigns on a package share one build, so that one after another has nothing to build again. Each takes a copy of
//! the programs, which the next build does not touch.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use cargo_metadata::Package;
use insyn_mutator::Numbered;
use serde::{Deserialize, Serialize};

use super::lock::Lock;
use super::trials::{Bench, Settled, Trials, halves};
use super::{profile, seal};
use crate::build::{Binary, Tests};
use crate::exit::{Ended, Exit};
use crate::{cli, file};

/// A package with its mutants.
pub(crate) struct Compiled {
    /// One, or several where the compiler crashed.
    pub(crate) parts: Vec<Part>,
    /// A digest of the programs, in their order.
    pub(crate) digests: Vec<String>,
    pub(crate) viability: Viability,
}

/// Some mutants of a package, and the programs that they are in.
pub(crate) struct Part {
    pub(crate) mutants: BTreeSet<u32>,
    pub(crate) binaries: Vec<Binary>,
}

/// Which mutants do not compile.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Viability {
    /// What it was found out for.
    key: String,
    /// With the compiler's reason.
    pub(crate) unviable: BTreeMap<u32, String>,
    /// Those that the compiler crashed on, with how it did.
    #[serde(default)]
    pub(crate) crashed: BTreeMap<u32, String>,
    /// How the compiler crashed with many mutants, if it did.
    #[serde(default)]
    pub(crate) crash: Option<String>,
    /// How often it took to build the package.
    pub(crate) builds: u32,
    /// Those that are compiled apart from others.
    #[serde(default)]
    apart: BTreeSet<u32>,
    /// Into how many parts they are built.
    #[serde(default)]
    parts: usize,
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
    /// The files that the mutants are in.
    pub(crate) sources: &'a BTreeMap<String, String>,
    /// The directory of its workspace.
    pub(crate) root: &'a Path,
}

/// Builds a package with mutants in a directory for that, and copies its programs into another. `key` is the same as long
/// as the mutants, their files and what cargo is asked are.
pub(crate) fn compile(
    order: Order<'_>,
    mutants: &[Numbered],
    [directory, copies]: [&Path; 2],
    key: String,
    progress: impl Fn(String),
) -> Result<Compiled> {
    fs::create_dir_all(directory).with_context(|| format!("{} cannot be made", directory.display()))?;
    // As long as it lives, nobody else builds here.
    let interrupted = "interrupted while another mutation run on this package was built";
    let _lock =
        Lock::wait(directory, interrupted, |holder| progress(format!("waiting for the build of {holder}")))?;
    let programs = copies.join(PROGRAMS);
    let bench = Bench {
        how: order.how,
        package: order.package,
        profile: profile::settings(order.root, order.package, order.how.profile()),
        mutants,
        sources: order.sources,
        list: directory.join("mutants.list"),
        directory: directory.join("trial"),
    };
    let known = fs::read(directory.join(KNOWN)).ok();
    // What is damaged is found out again.
    let known: Option<Viability> = known.and_then(|bytes| seal::open(SEALED_FOR, &bytes));
    // Of several parts, only the last is still there.
    if let Some(known) = known.filter(|known| known.key == key && known.parts == 1)
        && let Some(compiled) = rebuild(&bench, known, &programs)?
    {
        return Ok(compiled);
    }
    let viability = Viability { key, ..Viability::default() };
    let mut parts = Parts {
        bench: &bench,
        programs: &programs,
        viability,
        parts: Vec::new(),
        digests: Vec::new(),
        progress: &progress,
    };
    parts.build(mutants.iter().map(|it| it.number).collect())?;
    let Parts { mut viability, parts, digests, .. } = parts;
    viability.parts = parts.len();
    let _ = fs::remove_dir_all(&bench.directory);
    let text = seal::seal(SEALED_FOR, &viability).context("it can be written as JSON")?;
    let path = directory.join(KNOWN);
    file::replace(&path, text.as_bytes()).with_context(|| format!("{} cannot be written", path.display()))?;
    Ok(Compiled { parts, digests, viability })
}

/// Builds what is known to compile. If it is the same build as before, cargo has nothing to do. If it has, something has changed
/// that could make other mutants compile: a file without mutants, a dependency, a feature, the compiler.
fn rebuild(bench: &Bench<'_>, known: Viability, programs: &Path) -> Result<Option<Compiled>> {
    let numbers = bench.mutants.iter().map(|it| it.number);
    let active: BTreeSet<u32> =
        numbers.filter(|it| !known.unviable.contains_key(it) && !known.crashed.contains_key(it)).collect();
    let Tests { binaries, errors, crash } = bench.attempt(&active, &known.apart, false)?;
    if crash.is_some() || !errors.is_empty() || !binaries.iter().all(|it| it.is_fresh) {
        return Ok(None);
    }
    let (binaries, digests) = copy_all(binaries, programs)?;
    let parts = vec![Part { mutants: active, binaries }];
    Ok(Some(Compiled { parts, digests, viability: known }))
}

/// The parts that mutants are built in.
struct Parts<'a> {
    bench: &'a Bench<'a>,
    /// Where programs are copied to.
    programs: &'a Path,
    viability: Viability,
    parts: Vec<Part>,
    digests: Vec<String>,
    progress: &'a dyn Fn(String),
}

impl Parts<'_> {
    /// Builds mutants, in as many parts as it takes.
    fn build(&mut self, mutants: BTreeSet<u32>) -> Result<()> {
        let Some(crash) = self.part(&mutants)? else { return Ok(()) };
        // Without mutants it must not crash, or it is not their doing.
        (self.progress)(format!("the compiler crashed ({crash}); building without them"));
        let Tests { errors, crash: without, .. } =
            self.bench.attempt(&BTreeSet::new(), &BTreeSet::new(), false)?;
        self.viability.builds += 1;
        if without.is_some() || !errors.is_empty() {
            let crash = without.unwrap_or(crash);
            let message = format!("the compiler crashed without any mutant too: {crash}");
            return Err(Ended::new(Exit::BuildFailed, message).into());
        }
        self.viability.crash = Some(crash.clone());
        self.split(&mutants, crash)?;
        if !self.viability.crashed.is_empty() && self.parts.len() > 1 {
            // It need not have been the number of the others.
            let crashed = self.viability.crashed.keys().copied().collect();
            let (parts, digests) = (std::mem::take(&mut self.parts), std::mem::take(&mut self.digests));
            if self.part(&(&mutants - &crashed))?.is_some() {
                (self.parts, self.digests) = (parts, digests);
            }
        }
        if self.parts.is_empty() {
            // The programs are needed all the same.
            self.part(&BTreeSet::new())?;
        }
        Ok(())
    }

    /// Builds mutants that the compiler crashes on together, in halves.
    fn split(&mut self, mutants: &BTreeSet<u32>, crash: String) -> Result<()> {
        if mutants.len() <= 1 {
            self.viability.crashed.extend(mutants.iter().map(|it| (*it, crash.clone())));
            return Ok(());
        }
        let (first, second) = halves(mutants);
        for half in [first, second] {
            (self.progress)(format!("the compiler crashed ({crash}); building {} of them", half.len()));
            if let Some(crash) = self.part(&half)? {
                self.split(&half, crash)?;
            }
        }
        Ok(())
    }

    /// Builds mutants as one part. Output: how the compiler crashed, if it did.
    fn part(&mut self, mutants: &BTreeSet<u32>) -> Result<Option<String>> {
        let unviable = self.viability.unviable.keys().copied().collect();
        let mut trials = Trials::new(self.bench, mutants - &unviable, self.viability.builds, self.progress);
        let settled = trials.settle();
        self.viability.builds = trials.builds;
        // What does not compile does so in no part.
        self.viability.unviable.append(&mut trials.unviable);
        let binaries = match settled? {
            Settled::Built(binaries) => binaries,
            Settled::Crashed(how) => return Ok(Some(how)),
        };
        let Trials { active, mut apart, .. } = trials;
        self.viability.apart.append(&mut apart);
        let programs = match self.parts.len() {
            0 => self.programs.to_owned(),
            n => self.programs.join(format!("part{}", n + 1)),
        };
        let (binaries, digests) = copy_all(binaries, &programs)?;
        self.digests.extend(digests);
        self.parts.push(Part { mutants: active, binaries });
        Ok(None)
    }
}

/// Copies programs into a directory. Output: the copies, and a digest of each.
fn copy_all(mut binaries: Vec<Binary>, directory: &Path) -> Result<(Vec<Binary>, Vec<String>)> {
    let mut digests = Vec::new();
    for binary in &mut binaries {
        let (copy, digest) = copy(&binary.path, directory)?;
        binary.path = copy;
        digests.push(digest);
    }
    Ok((binaries, digests))
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
