//! `cargo insyn mutate`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use cargo_metadata::Package;
use insyn_mutator::{Mutant, Numbered, number, write_list};
use insyn_reports::{document as documents, text};
use insyn_sequences::harmless;
use insyn_verdicts::protocol::Check;
use insyn_verdicts::{Campaign, Status, Verdict};

use super::mutants::{find, package};
use super::output::{near, note, print, sources, style, warn, writable};
use super::report;
use super::write_tests::{self, Written};
use crate::build::Built;
use crate::campaign::compile::{self, Compiled, Order, Viability};
use crate::campaign::document::{self, Material};
use crate::campaign::hash;
use crate::campaign::lock::Lock;
use crate::campaign::original::{self, Original};
use crate::campaign::pool;
use crate::campaign::room::{Room, room};
use crate::campaign::state::{self, Damage, Identity, Limits, MutantResult, ProgramResult, State};
use crate::cli::Format;
use crate::display::Paint;
use crate::exit::{self, Ended, Exit};
use crate::options::Mutate;
use crate::progress::{self, Progress};
use crate::{build, interrupt, programs};

pub(crate) fn run(args: &Mutate) -> Result<Exit> {
    let metadata = build::metadata(&args.build)?;
    let package = package(&metadata, &args.build)?;
    let found = find(package, &args.which)?;
    let target = metadata.target_directory.as_std_path();
    let directory = match &args.out {
        Some(path) => path.clone(),
        None => target.join("insyn").join("mutate").join(package.name.as_str()),
    };
    writable(&directory)?;
    fs::create_dir_all(&directory).with_context(|| format!("{} cannot be made", directory.display()))?;
    let _lock = Lock::take(&directory)?;
    let mutants = found.mutants.iter().filter(|it| it.skipped.is_none()).cloned();
    let mutants = number(mutants);
    let limits = args.limits;
    let building = target.join("insyn").join("mutants").join(package.name.as_str());
    let mine = mine(args, &mutants);
    // Without mutants there is nothing to build or to run.
    let (digests, viability, parts): (_, Viability, Vec<Part>) = match mutants.is_empty() {
        true => Default::default(),
        false => {
            let root = metadata.workspace_root.as_std_path();
            let order = Order { how: &args.build, package, sources: &found.sources, root };
            let prepare = || {
                let Compiled { parts, digests, viability } =
                    compile(order, &mutants, [&building, &directory])?;
                report_crashes(&viability, parts.len());
                let part = |(n, part): (usize, compile::Part)| {
                    let built = Built { binaries: part.binaries, target_directory: target.to_owned() };
                    let originals = originals(&args.programs, &built, &args.survey, &directory, n == 0)?;
                    Ok(Part { mutants: part.mutants, originals })
                };
                let parts = parts.into_iter().enumerate().map(part).collect::<Result<Vec<Part>>>()?;
                Ok((digests, viability, parts))
            };
            prepare().map_err(|error| before_mutants(error, mine.len(), &directory))?
        }
    };
    // Without mutants, the programs of all parts do the same.
    let originals: &[Original] = parts.first().map_or(&[], |part| &part.originals);
    let is_mine = |it: &&Numbered| mine.contains(&it.number);
    let all: Vec<&Numbered> = mutants.iter().filter(is_mine).collect();
    let mut reached: Vec<Vec<&Numbered>> = Vec::new();
    let mut results = BTreeMap::new();
    for part in &parts {
        let viable = all.iter().copied().filter(|it| part.mutants.contains(&it.number));
        let is_reached =
            |it: &&Numbered| part.originals.iter().any(|original| original.reaches(it.number) == Some(true));
        let (in_reach, unreached): (Vec<&Numbered>, Vec<&Numbered>) = viable.partition(is_reached);
        results.extend(unreached.iter().map(|it| (it.number, pool::unreached(it, &part.originals))));
        reached.push(in_reach);
    }
    for it in &all {
        if let Some(how) = viability.crashed.get(&it.number) {
            let why = format!("the compiler crashed on it: {how}");
            results.insert(it.number, pool::undecided(it, originals, &why));
        }
    }
    let identity = identity(package, &mutants, &digests, originals, limits)?;
    let wanted: Vec<u32> = reached.iter().flatten().map(|it| it.number).collect();
    let fits = |result: &MutantResult| document::fits(result, &mutants, originals);
    let mut state = State::open(&directory, &identity, &wanted, args.fresh, fits)?;
    report_damage(&state.damaged);
    let all_pending: Vec<&Numbered> =
        reached.iter().flatten().copied().filter(|it| !state.known.contains_key(&it.number)).collect();
    for (part, reached) in parts.iter().zip(&reached) {
        let pending: Vec<&Numbered> =
            reached.iter().copied().filter(|it| !state.known.contains_key(&it.number)).collect();
        let run = Run { originals: &part.originals, limits, directory: &directory, sources: &found.sources };
        compare(args, &pending, &run, &mut state)
            .and_then(|()| interrupt::check("interrupted"))
            .map_err(|error| among_mutants(error, &state, &all_pending))?;
    }
    results.extend(state.known);
    let campaign = document::make(&Material {
        package: &package.name,
        mutants: &numbered(&found.mutants, &mutants),
        sources: &found.sources,
        originals,
        unviable: &viability.unviable.clone().into_iter().filter(|(it, _)| mine.contains(it)).collect(),
        builds: viability.builds,
        results: &results,
    })?;
    let exit = finish(args, &campaign, &directory, package)?;
    match (viability.unviable.values().next(), viability.unviable.len() == mutants.len()) {
        (Some(reason), true) => {
            let message = format!("none of the {} mutants compiles; the first: {reason}", mutants.len());
            Err(Ended::new(Exit::Refused, message).into())
        }
        _ => Ok(exit),
    }
}

/// Mutants that are in the same programs.
struct Part {
    mutants: BTreeSet<u32>,
    originals: Vec<Original>,
}

/// Reports what the compiler crashed on, and what was done about it.
fn report_crashes(viability: &Viability, parts: usize) {
    let Some(crash) = &viability.crash else { return };
    if parts > 1 {
        warn(&format!("the compiler crashed ({crash}), so the mutants were built in {parts} parts"));
    }
    match viability.crashed.len() {
        0 => {}
        1 => warn(&format!("the compiler crashed ({crash}) on 1 mutant, which is undecided")),
        n => warn(&format!("the compiler crashed ({crash}) on {n} mutants, which are undecided")),
    }
}

/// Reports which results were damaged.
fn report_damage(damaged: &[Damage]) {
    const MOST: usize = 5;
    for damage in damaged.iter().take(MOST) {
        warn(&format!("{damage} is damaged; its mutant is run again"));
    }
    if let more @ 1.. = damaged.len().saturating_sub(MOST) {
        warn(&format!("{more} more records are damaged; their mutants are run again"));
    }
}

/// The error of an interrupt before any mutant was run. Whether existing results are still valid is not known yet.
fn before_mutants(error: anyhow::Error, mutants: usize, directory: &Path) -> anyhow::Error {
    if exit::of(&error) != Exit::Interrupted {
        return error;
    }
    let left = match state::progress(directory) {
        Some((known @ 1.., _)) => {
            let left = mutants.saturating_sub(known);
            format!("{known} results of an earlier run are kept, at most {}", report::pending(left))
        }
        _ => report::pending(mutants),
    };
    interrupted(format!("{error:#}: no mutant was run, {left}; run the same command again to continue"))
}

/// The error of an interrupt while mutants run: how many have results.
fn among_mutants(error: anyhow::Error, state: &State, pending: &[&Numbered]) -> anyhow::Error {
    if exit::of(&error) != Exit::Interrupted {
        return error;
    }
    let left = pending.iter().filter(|it| !state.known.contains_key(&it.number)).count();
    let so_far = report::so_far(state.known.len(), left);
    interrupted(format!("{error:#}: {so_far}; run the same command again to continue"))
}

fn interrupted(message: String) -> anyhow::Error {
    Ended::new(Exit::Interrupted, message).into()
}

/// Builds the package with all its mutants.
fn compile(order: Order<'_>, mutants: &[Numbered], directories: [&Path; 2]) -> Result<Compiled> {
    let progress = Progress::new("Building", &format!("{} mutants", mutants.len()));
    let Order { how, package, sources, .. } = order;
    let list = write_list(&package.name, mutants);
    let how = format!("{:?}", (&how.features, how.all_features, how.no_default_features, how.profile()));
    let parts = sources.values().map(String::as_bytes).chain([list.as_bytes(), how.as_bytes()]);
    let show = |message: String| progress.show(message);
    compile::compile(order, mutants, directories, hash(parts), show)
}

/// Runs the programs without mutants. Those that must fail are left out, which is said for the first part.
fn originals(
    names: &[String],
    built: &Built,
    survey: &Check,
    directory: &Path,
    is_first: bool,
) -> Result<Vec<Original>> {
    let chosen = programs::choose(programs::find(built)?, names)?;
    let mut originals = Vec::new();
    let mut left_out = Vec::new();
    for program in &chosen {
        let progress = Progress::new("Exploring", &program.name);
        let surveyed = original::survey(program, survey, directory, |sequences, executions| {
            progress.show(format!("{sequences} sequences in {executions} executions"));
        })?;
        match surveyed {
            Some(original) => originals.push(original),
            None => left_out.push(program.name.as_str()),
        }
    }
    let names = left_out.join(", ");
    if originals.is_empty() {
        let message = format!("no program to run mutants with: {names} must fail (`#[should_panic]`)");
        return Err(Ended::new(Exit::Refused, message).into());
    }
    if is_first && !left_out.is_empty() {
        note(&format!("left out, because of `#[should_panic]`: {names}"));
    }
    Ok(originals)
}

/// The identity of the campaign, which changes with anything that could change its results.
fn identity(
    package: &Package,
    mutants: &[Numbered],
    digests: &[String],
    originals: &[Original],
    limits: Limits,
) -> Result<Identity> {
    let mut parts = vec![write_list(&package.name, mutants).into_bytes(), format!("{limits:?}").into_bytes()];
    for original in originals {
        parts.push(original.program.path().into_bytes());
        parts.push(serde_json::to_vec(&original.survey)?);
        parts.push(serde_json::to_vec(&original.surveyed)?);
    }
    let parts = parts.iter().map(Vec::as_slice).chain(digests.iter().map(String::as_bytes));
    Ok(Identity::new(&package.name, hash(parts), limits))
}

/// The numbers of the mutants that are to be run here: all, or those of a shard.
fn mine(args: &Mutate, mutants: &[Numbered]) -> BTreeSet<u32> {
    let numbers = mutants.iter().map(|it| it.number);
    match args.shard {
        None => numbers.collect(),
        Some(shard) => numbers.skip(shard.number - 1).step_by(shard.of).collect(),
    }
}

/// What mutants are run with.
struct Run<'a> {
    originals: &'a [Original],
    limits: Limits,
    directory: &'a Path,
    /// The files that the mutants are in.
    sources: &'a BTreeMap<String, String>,
}

/// Compares mutants with their originals, and shows the progress. Survivors are shown as soon as they are known.
fn compare(args: &Mutate, pending: &[&Numbered], run: &Run<'_>, state: &mut State) -> Result<()> {
    let Run { originals, limits, directory, sources } = *run;
    let slots = match args.workers {
        Some(n) => n,
        None => slots(pending.len(), limits.memory),
    };
    let progress = Progress::through("Running", pending.len(), "mutants");
    let (mut killed, mut survived) = (0, 0);
    pool::run(pending, originals, limits, slots, directory, |result| {
        let verdict = Verdict::of_all(result.with.values().map(ProgramResult::verdict));
        let mutant = pending.iter().find(|it| it.number == result.number).map(|it| &it.mutant);
        match (verdict.map(Verdict::status), mutant) {
            (Some(Status::Killed), _) => killed += 1,
            (Some(status @ (Status::Survived | Status::Undecided)), Some(mutant)) => {
                survived += usize::from(status == Status::Survived);
                let (paint, word) = match status {
                    Status::Survived => (Paint::Bad, "Survived"),
                    _ => (Paint::Warning, "Undecided"),
                };
                let source = sources.get(&mutant.file).map_or("", String::as_str);
                let line = format!("{} {}", mutant.id(), mutant.describe(source)?);
                progress::status(paint, word, &harmless::text(&line));
            }
            _ => {}
        }
        state.add(result)?;
        progress.advance(format!("{killed} killed, {survived} survived"));
        Ok(())
    })
}

/// How many workers there are by default: as many as the machine has room for.
fn slots(mutants: usize, limit: u64) -> usize {
    let Room { workers, cores, memory } = room(limit);
    if let Some(memory) = memory.filter(|_| workers < cores.min(mutants)) {
        note(&format!(
            "{workers} of {cores} cores are used: each worker may have {limit} MB of memory, and {memory} MB are available; \
             `--memory` and `--workers` change that"
        ));
    }
    workers
}

/// Each mutant that was found, with its number if it is selected.
fn numbered(found: &[Mutant], numbered: &[Numbered]) -> Vec<(Option<u32>, Mutant)> {
    let mut numbers = numbered.iter().map(|it| it.number);
    let number = |it: &Mutant| if it.skipped.is_none() { numbers.next() } else { None };
    found.iter().map(number).zip(found.iter().cloned()).collect()
}

/// Writes the document and prints the result.
fn finish(args: &Mutate, campaign: &Campaign, directory: &Path, package: &Package) -> Result<Exit> {
    let exit = report(campaign, directory, args.format)?;
    if let Some(path) = &args.write_tests {
        let Written { added, allowed, others, program } = write_tests::write(path, campaign)?;
        if args.format == Format::Text {
            let tests = if added == 1 { "1 test was" } else { &format!("{added} tests were") };
            print(&format!("{tests} added to {}\n", path.display()))?;
        }
        let root = package.manifest_path.parent().expect("it is a file").as_std_path();
        if let Some(program) = program.filter(|_| added > 0)
            && let Some(argument) =
                write_tests::argument(path, root, &sources([root.join("src"), root.join("tests")]))
        {
            note(&format!(
                "to run these tests with `cargo test`, write `#[insyn::test({argument})]` above `{program}`"
            ));
        }
        if allowed > 0 {
            note(&format!(
                "the specification allows what {allowed} of the survivors do, so no test forbids it; tighten the \
                 specification if they are wrong"
            ));
        }
        for program in others {
            note(&format!(
                "a file has tests of one program, and there are more of `{program}`: name it, and another file"
            ));
        }
    }
    Ok(exit)
}

/// Writes the document and the report, and prints the result of the campaign.
pub(super) fn report(campaign: &Campaign, directory: &Path, format: Format) -> Result<Exit> {
    let report = report::save(campaign, directory)?;
    match format {
        Format::Json => print(&documents::write(campaign))?,
        Format::Text => {
            let text = text::render(campaign, style());
            print(&format!("{text}\nbuilds: {}\nreport: {}\n", campaign.builds, near(&report)))?
        }
    }
    Ok(exit(campaign))
}

/// The exit code that follows from a campaign.
pub(super) fn exit(campaign: &Campaign) -> Exit {
    match campaign.mutants.survived + campaign.mutants.undecided {
        0 => Exit::Fine,
        _ => Exit::MutantsSurvive,
    }
}
