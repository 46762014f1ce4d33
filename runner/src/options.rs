//! The arguments, resolved: files are read, values are checked, and conflicting arguments are refused, before anything is
//! built or run.

mod files;
mod in_diff;
mod spec;
#[cfg(test)]
mod tests;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use insyn_mutator::Selection;
use insyn_verdicts::protocol;

pub(crate) use in_diff::Lines;
pub(crate) use spec::{Events, SpecGraph, SpecNew};

use crate::campaign::state::Limits;
use crate::cli::{self, Build, Collect, Command, Format, ReportFormat, Shard};

/// A command with its options.
#[derive(Debug)]
pub(crate) enum Options {
    Init(cli::Init),
    List(cli::List),
    Explore(Explore),
    Replay(cli::Replay),
    Check(Check),
    Events(Events),
    SpecNew(SpecNew),
    SpecGraph(SpecGraph),
    Force(Force),
    Record(Record),
    Mutants(Mutants),
    Mutate(Mutate),
    Merge(cli::Merge),
    Suggest(Suggest),
    Report(Report),
    Show(cli::Show),
    Completions(cli::Completions),
    Man(cli::Man),
}

impl Options {
    /// Resolves the arguments.
    ///
    /// # Errors
    /// If arguments conflict, or a file that they name cannot be read.
    pub(crate) fn resolve(command: Command) -> Result<Self> {
        Ok(match command {
            Command::Init(args) => Options::Init(args),
            Command::List(args) => Options::List(args),
            Command::Explore(args) => Options::Explore(Explore::resolve(args)?),
            Command::Replay(args) => Options::Replay(args),
            Command::Check(args) => Options::Check(Check::resolve(args)?),
            Command::Events(args) => Options::Events(Events::resolve(args)?),
            Command::Spec(cli::Spec { what: cli::SpecCommand::New(args) }) => {
                Options::SpecNew(SpecNew::resolve(*args)?)
            }
            Command::Spec(cli::Spec { what: cli::SpecCommand::Graph(args) }) => {
                Options::SpecGraph(SpecGraph::resolve(args)?)
            }
            Command::Force(args) => Options::Force(Force::resolve(args)?),
            Command::Record(args) => Options::Record(Record::resolve(args)?),
            Command::Mutants(args) => Options::Mutants(Mutants::resolve(args)?),
            Command::Mutate(args) => Options::Mutate(Mutate::resolve(args)?),
            Command::Merge(args) => Options::Merge(args),
            Command::Suggest(args) => Options::Suggest(Suggest::resolve(args)?),
            Command::Report(args) => Options::Report(Report::resolve(args)?),
            Command::Show(args) => Options::Show(args),
            Command::Completions(args) => Options::Completions(args),
            Command::Man(args) => Options::Man(args),
        })
    }
}

/// Programs to explore.
#[derive(Debug)]
pub(crate) struct Explore {
    /// All if none is named.
    pub(crate) programs: Vec<String>,
    pub(crate) build: Build,
    pub(crate) request: protocol::Explore,
    pub(crate) full: bool,
    pub(crate) format: Format,
    pub(crate) out: Option<PathBuf>,
    pub(crate) html: Option<PathBuf>,
}

impl Explore {
    fn resolve(args: cli::Explore) -> Result<Self> {
        let request = protocol::Explore {
            seed: args.seed,
            sample: args.sample,
            stop_at_first_failure: args.first_failure,
            ..exploration(&args.input, args.exploring)?
        };
        let cli::Explore { programs, build, full, format, out, html, .. } = args;
        Ok(Explore { programs, build, request, full, format, out, html })
    }
}

/// The request to explore a program within the limits of the arguments.
fn exploration(input: &cli::Input, exploring: cli::Exploring) -> Result<protocol::Explore> {
    let cli::Exploring { workers, limits, max_sequences, time_limit, record_limit } = exploring;
    Ok(protocol::Explore {
        input: files::input(input)?,
        workers: workers.count(),
        max_steps: limits.max_steps,
        max_sequences,
        max_executions: limits.max_executions,
        time_limit,
        record_limit,
        ..protocol::Explore::default()
    })
}

/// Programs to check.
#[derive(Debug)]
pub(crate) struct Check {
    /// Those named, or else the one that the files name; all if there is none.
    pub(crate) programs: Vec<String>,
    /// Whether the arguments give files other than the programs' own.
    pub(crate) has_files: bool,
    pub(crate) build: Build,
    pub(crate) request: protocol::Check,
    pub(crate) full: bool,
    pub(crate) format: Format,
    pub(crate) out: Option<PathBuf>,
    pub(crate) html: Option<PathBuf>,
}

impl Check {
    fn resolve(args: cli::Check) -> Result<Self> {
        let (check, named) = files::check(&args.oracle, &args.input)?;
        let cli::Exploring { workers, limits, max_sequences, time_limit, record_limit } = args.exploring;
        let cli::Limits { max_steps, max_executions } = limits;
        let request = protocol::Check {
            workers: workers.count(),
            max_steps,
            max_sequences,
            max_executions,
            time_limit,
            record_limit,
            ..check
        };
        let has_files = args.oracle.spec.is_some() || args.oracle.tests.is_some();
        let programs = chosen(args.programs, named);
        let cli::Check { build, full, format, out, html, .. } = args;
        Ok(Check { programs, has_files, build, request, full, format, out, html })
    }
}

/// Tests to force on a program.
#[derive(Debug)]
pub(crate) struct Force {
    pub(crate) program: String,
    pub(crate) build: Build,
    pub(crate) request: protocol::Force,
    pub(crate) format: Format,
}

impl Force {
    fn resolve(args: cli::Force) -> Result<Self> {
        let (file, tests, beside) = files::tests(&args.file)?;
        let spec = args.spec.as_deref().map(files::spec).transpose()?.map(|(file, _)| file).or(beside);
        let Some(program) = args.program.or(tests.program) else {
            bail!("{} names no program; name one with `--program`", file.name);
        };
        let cli::Limits { max_steps, max_executions } = args.limits;
        let request = protocol::Force { spec, tests: Some(file), test: args.test, max_steps, max_executions };
        Ok(Force { program, build: args.build, request, format: args.format })
    }
}

/// A program whose sequences are to be written as tests.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) program: String,
    pub(crate) build: Build,
    pub(crate) request: protocol::Record,
    pub(crate) out: Option<PathBuf>,
}

impl Record {
    fn resolve(args: cli::Record) -> Result<Self> {
        let cli::OneProgram { program, build, spec, input, out } = args.of;
        files::absent(out.as_deref())?;
        let input = files::input(&input)?;
        let spec = spec.as_deref().map(files::spec).transpose()?.map(|(file, _)| file);
        Ok(Record { program, build, request: protocol::Record { input, spec, max: Some(args.max) }, out })
    }
}

/// A program for which invalid sequences are to be suggested.
#[derive(Debug)]
pub(crate) struct Suggest {
    pub(crate) program: String,
    pub(crate) build: Build,
    pub(crate) request: protocol::Suggest,
    pub(crate) out: Option<PathBuf>,
}

impl Suggest {
    fn resolve(args: cli::Suggest) -> Result<Self> {
        let cli::OneProgram { program, build, spec, input, out } = args.of;
        files::absent(out.as_deref())?;
        let input = files::input(&input)?;
        let spec = spec.as_deref().map(files::spec).transpose()?.map(|(file, _)| file);
        Ok(Suggest { program, build, request: protocol::Suggest { input, spec, max: args.max }, out })
    }
}

/// Which mutants are wanted.
#[derive(Debug)]
pub(crate) struct Which {
    pub(crate) operators: Selection,
    /// Only mutants that touch these lines.
    pub(crate) lines: Option<Lines>,
    /// Whether programs are mutated too.
    pub(crate) drivers: bool,
}

impl Which {
    fn resolve(args: &cli::Which) -> Result<Self> {
        let operators = args.operators.as_deref().map(Selection::parse).transpose()?.unwrap_or_default();
        let lines = args.in_diff.as_ref().map(|path| {
            let text = fs::read_to_string(path);
            text.map(|text| Lines::read(&text)).with_context(|| format!("{} cannot be read", path.display()))
        });
        Ok(Which { operators, lines: lines.transpose()?, drivers: args.drivers })
    }
}

/// Mutants to list.
#[derive(Debug)]
pub(crate) struct Mutants {
    /// All if none is named.
    pub(crate) mutants: Vec<String>,
    pub(crate) which: Which,
    pub(crate) how: Listing,
    pub(crate) build: Build,
    pub(crate) format: Format,
}

/// What to do with the mutants that are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listing {
    Names,
    Diffs,
    /// The only mutant is applied to the source.
    Apply,
    /// The applied mutant is taken out of the source.
    Revert,
    /// The operators are listed instead.
    Operators,
}

impl Mutants {
    fn resolve(args: cli::Mutants) -> Result<Self> {
        // The command line allows one of them.
        let how = match (args.list_operators, args.apply, args.revert, args.diff) {
            (true, ..) => Listing::Operators,
            (_, true, ..) => Listing::Apply,
            (.., true, _) => Listing::Revert,
            (.., true) => Listing::Diffs,
            _ => Listing::Names,
        };
        let which = Which::resolve(&args.which)?;
        Ok(Mutants { mutants: args.mutants, which, how, build: args.build, format: args.format })
    }
}

/// A campaign.
#[derive(Debug)]
pub(crate) struct Mutate {
    /// Those named, or else the one that the files name; all if there is none.
    pub(crate) programs: Vec<String>,
    pub(crate) which: Which,
    /// What the programs are judged by.
    pub(crate) survey: protocol::Check,
    pub(crate) limits: Limits,
    /// The number of workers; by default as many as there is room for.
    pub(crate) workers: Option<usize>,
    pub(crate) shard: Option<Shard>,
    /// Whether to discard existing results.
    pub(crate) fresh: bool,
    pub(crate) write_tests: Option<PathBuf>,
    pub(crate) build: Build,
    pub(crate) format: Format,
    /// An absolute path.
    pub(crate) out: Option<PathBuf>,
}

impl Mutate {
    fn resolve(args: cli::Mutate) -> Result<Self> {
        let (check, named) = files::check(&args.oracle, &args.input)?;
        let random = match (args.collect, args.seed) {
            (Collect::Random, seed) => Some(seed.unwrap_or(0)),
            (Collect::All, None) => None,
            (Collect::All, Some(_)) => {
                bail!("`--seed` needs `--collect random`: without it, every sequence is collected")
            }
        };
        let cli::Limits { max_steps, max_executions } = args.limits;
        Ok(Mutate {
            programs: chosen(args.programs, named),
            which: Which::resolve(&args.which)?,
            survey: protocol::Check { random, ..check },
            limits: Limits { max_steps, max_executions, patience: args.patience, memory: args.memory },
            workers: args.workers.count(),
            shard: args.shard,
            fresh: args.fresh,
            write_tests: args.write_tests,
            build: args.build,
            format: args.format,
            out: args.out.map(std::path::absolute).transpose()?,
        })
    }
}

/// A report to show.
#[derive(Debug)]
pub(crate) struct Report {
    /// By default, the directory of the only campaign.
    pub(crate) directory: Option<PathBuf>,
    pub(crate) format: ReportFormat,
    pub(crate) out: Option<PathBuf>,
    pub(crate) open: bool,
    pub(crate) manifest_path: Option<PathBuf>,
}

impl Report {
    fn resolve(args: cli::Report) -> Result<Self> {
        let cli::Report { directory, format, out, open, manifest_path } = args;
        let format = match format {
            None if open => ReportFormat::Html,
            None => ReportFormat::Text,
            Some(format) if open && format != ReportFormat::Html => {
                bail!("only the HTML report can be opened; leave out `--format` or `--open`")
            }
            Some(format) => format,
        };
        Ok(Report { directory, format, out, open, manifest_path })
    }
}

/// The programs that are named, or else the one that the files name.
fn chosen(programs: Vec<String>, named: Option<String>) -> Vec<String> {
    if programs.is_empty() { named.into_iter().collect() } else { programs }
}
