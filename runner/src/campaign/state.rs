//! The state of a campaign, on disk.
//!
//! | file | what it is |
//! |---|---|
//! | `state.json` | which campaign this is, and how many mutants the last run had to run |
//! | `results.jsonl` | the result of each mutant, a line for each, written as soon as it is known |
//! | `campaign.json` | the document that reports are made from; exists only when all results are known |
//! | `report.html` | the report for people, likewise |
//! | `journal0-0`, … | the positions of the workers, in case they die |
//! | `programs/` | the test binaries with all mutants in them |
//! | `lock` | the process that uses the directory |
//!
//! A line that was cut when the process was killed is ignored, and its mutant is run again. So a campaign that is stopped
//! loses at most the mutants that were running, and when it is continued, it ends with the same bytes. A mutant whose
//! workers were disturbed is run again too: nothing is known of it.
//!
//! Every line is [sealed](super::seal) for its campaign. A damaged line is ignored: the command reports it and runs its
//! mutant again.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use insyn_verdicts::protocol::Compared;
use insyn_verdicts::{KillKind, Verdict};
use serde::{Deserialize, Serialize};

use super::seal;
use crate::exit::{Ended, Exit};
use crate::file::{remove_drafts, replace};

/// The version of the directory's format.
const VERSION: u32 = 3;

/// What `state.json` belongs to.
const STATE: &str = "insyn campaign";

/// The document of a campaign.
pub(crate) const CAMPAIGN: &str = "campaign.json";

/// The results of mutants, one per line.
pub(crate) const RESULTS: &str = "results.jsonl";

/// The HTML report.
pub(crate) const REPORT: &str = "report.html";

/// How mutants are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Limits {
    pub(crate) max_steps: Option<u64>,
    pub(crate) max_executions: Option<u64>,
    /// How many seconds a mutant may go without an event that insyn observes; if not given, it depends on the original.
    pub(crate) patience: Option<u64>,
    /// Megabytes of memory that a worker may have.
    pub(crate) memory: u64,
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`--memory {}", self.memory)?;
        let others = [
            ("patience", self.patience),
            ("max-steps", self.max_steps),
            ("max-executions", self.max_executions),
        ];
        for (name, value) in others {
            if let Some(value) = value {
                write!(f, " --{name} {value}")?;
            }
        }
        f.write_str("`")
    }
}

/// Which campaign the results belong to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Identity {
    pub(crate) version: u32,
    pub(crate) package: String,
    /// Changes with anything that could change the results.
    pub(crate) key: String,
    pub(crate) limits: Limits,
}

impl Identity {
    pub(crate) fn new(package: &str, key: String, limits: Limits) -> Self {
        Identity { version: VERSION, package: package.to_owned(), key, limits }
    }
}

/// What is in `state.json`.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    #[serde(flatten)]
    identity: Identity,
    /// How many mutants were known when the last run began.
    #[serde(default)]
    known: usize,
    /// How many mutants that run had to run.
    #[serde(default)]
    pending: usize,
}

/// The result of a mutant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct MutantResult {
    pub(crate) number: u32,
    pub(crate) id: String,
    /// Its result with each program, by the program's place in the list.
    pub(crate) with: BTreeMap<usize, ProgramResult>,
}

impl MutantResult {
    /// Whether its workers were killed from outside, so that another attempt may decide more.
    fn is_disturbed(&self) -> bool {
        self.with.values().any(|result| matches!(result, ProgramResult::Disturbed(_)))
    }
}

/// The result of a mutant with one program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ProgramResult {
    /// It was compared with the original.
    Compared(Box<Compared>),
    /// The process died.
    Died(String),
    /// It cannot be compared, and why.
    Refused(String),
    /// Its workers were killed from outside, and how.
    Disturbed(String),
}

impl ProgramResult {
    /// The verdict on the mutant with this program.
    pub(crate) fn verdict(&self) -> Verdict {
        match self {
            ProgramResult::Compared(compared) => compared.verdict,
            ProgramResult::Died(_) => Verdict::Killed(KillKind::Exploration),
            ProgramResult::Refused(_) | ProgramResult::Disturbed(_) => Verdict::Undecided,
        }
    }
}

/// An unusable line of the results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Damage {
    path: PathBuf,
    /// The line number, from 1.
    line: usize,
    /// The mutant that the line seems to be about.
    id: Option<String>,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "record {} of {}", self.line, self.path.display())?;
        match &self.id {
            Some(id) => write!(f, " (mutant {id})"),
            None => Ok(()),
        }
    }
}

/// The directory of a campaign.
pub(crate) struct State {
    pub(crate) known: BTreeMap<u32, MutantResult>,
    /// Unusable lines that were found.
    pub(crate) damaged: Vec<Damage>,
    /// The key that lines are sealed with.
    key: String,
    results: File,
    path: PathBuf,
}

impl State {
    /// Opens a directory that this process has locked: continues the campaign there, or starts over if the program has
    /// changed or `fresh` is set. The `wanted` mutants without a result are pending. A result that does not fit the
    /// campaign counts as damaged.
    pub(crate) fn open(
        directory: &Path,
        identity: &Identity,
        wanted: &[u32],
        fresh: bool,
        fits: impl Fn(&MutantResult) -> bool,
    ) -> Result<State> {
        let (about, path) = (directory.join("state.json"), directory.join(RESULTS));
        let found = read_identity(&about, identity, fresh)?;
        fs::create_dir_all(directory).with_context(|| format!("{} cannot be made", directory.display()))?;
        [&about, &path].into_iter().for_each(|path| remove_drafts(path));
        let is_same = found.as_ref() == Some(identity) && !fresh;
        let Found { mut known, damaged } =
            if is_same { read(&path, &identity.key, fits)? } else { Found::default() };
        known.retain(|_, result| !result.is_disturbed());
        let pending = wanted.iter().filter(|it| !known.contains_key(it)).count();
        // Old reports would be mistaken for this campaign's, even if it never ends.
        if !is_same || pending > 0 {
            for report in [CAMPAIGN, REPORT].map(|name| directory.join(name)) {
                if report.exists() {
                    fs::remove_file(&report).with_context(|| cannot(&report))?;
                }
            }
        }
        // Cut or damaged lines are removed before new ones are appended.
        let text: String = known.values().map(|result| line(&identity.key, result)).collect::<Result<_>>()?;
        replace(&path, text.as_bytes()).with_context(|| cannot(&path))?;
        let head = Head { identity: identity.clone(), known: known.len(), pending };
        let text = seal::seal(STATE, &head)? + "\n";
        replace(&about, text.as_bytes()).with_context(|| cannot(&about))?;
        let results = OpenOptions::new().append(true).open(&path).with_context(|| cannot(&path))?;
        Ok(State { known, damaged, key: identity.key.clone(), results, path })
    }

    /// Adds the result of a mutant.
    pub(crate) fn add(&mut self, result: MutantResult) -> Result<()> {
        self.results.write_all(line(&self.key, &result)?.as_bytes()).with_context(|| {
            format!(
                "{}; what was found before is kept, and running again goes on from there",
                cannot(&self.path)
            )
        })?;
        self.known.insert(result.number, result);
        Ok(())
    }
}

/// How many mutants of an unfinished campaign have results, and how many are pending; none if the directory has no
/// campaign.
pub(crate) fn progress(directory: &Path) -> Option<(usize, usize)> {
    let head = head(directory)?;
    let known = read(&directory.join(RESULTS), &head.identity.key, |_| true).ok()?.known.len();
    // Results added since the last run began were pending then.
    let run = known.saturating_sub(head.known);
    Some((known, head.pending.saturating_sub(run)))
}

/// The limits that the mutants of a directory were run with; none if they are not recorded.
pub(crate) fn limits(directory: &Path) -> Option<Limits> {
    Some(head(directory)?.identity.limits)
}

fn head(directory: &Path) -> Option<Head> {
    seal::open(STATE, fs::read(directory.join("state.json")).ok()?.trim_ascii_end())
}

/// Which campaign a directory belongs to. A directory of another package or another version is not touched; one that cannot
/// be read is overwritten only if `fresh` is set.
fn read_identity(path: &Path, wanted: &Identity, fresh: bool) -> Result<Option<Identity>> {
    let text = match fs::read(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        text => text.with_context(|| format!("{} cannot be read", path.display()))?,
    };
    let directory = path.parent().unwrap_or(Path::new("")).display();
    let refuse = |message: String| Err(Ended::new(Exit::Refused, message).into());
    let others = |whose: String| {
        refuse(format!(
            "{directory} has the results of {whose}; remove it, or name another directory with `--out`"
        ))
    };
    #[derive(Deserialize)]
    struct Version {
        version: u32,
    }
    if let Some(head) = seal::open::<Head>(STATE, text.trim_ascii_end()) {
        return match head.identity {
            it if it.package != wanted.package => others(format!("package `{}`", it.package)),
            it => Ok(Some(it)),
        };
    }
    // Other releases may have other fields. Before version 3 nothing was sealed.
    let sealed = seal::open::<Version>(STATE, text.trim_ascii_end());
    match sealed.or_else(|| serde_json::from_slice::<Version>(&text).ok()) {
        Some(Version { version }) if version != VERSION => {
            others(format!("another release of insyn (version {version} of the directory)"))
        }
        _ if fresh => Ok(None),
        _ => refuse(format!(
            "{} is damaged, or is not insyn's; `--fresh` begins anew in this directory, `--out` names another",
            path.display()
        )),
    }
}

/// The content of the file of results.
#[derive(Default)]
struct Found {
    known: BTreeMap<u32, MutantResult>,
    damaged: Vec<Damage>,
}

/// Reads the complete lines.
fn read(path: &Path, key: &str, fits: impl Fn(&MutantResult) -> bool) -> Result<Found> {
    match fs::read(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Found::default()),
        bytes => {
            let bytes = bytes.with_context(|| format!("{} cannot be read", path.display()))?;
            parse(path, &bytes, key, fits)
        }
    }
}

/// Reads the complete lines of `bytes`; `path` is for messages.
fn parse(path: &Path, bytes: &[u8], key: &str, fits: impl Fn(&MutantResult) -> bool) -> Result<Found> {
    let mut found = Found::default();
    let mut contradicted = BTreeSet::new();
    let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    // After the last line end there is nothing, or a line that was cut.
    let (_, whole) = lines.split_last().unwrap_or((&&[][..], &[]));
    for (n, line) in (1..).zip(whole) {
        let result = seal::open::<MutantResult>(key, line).filter(&fits);
        let damage = |id| Damage { path: path.to_owned(), line: n, id };
        match result {
            // If records contradict each other, none of them counts, however often one of them is repeated.
            Some(result)
                if contradicted.contains(&result.number)
                    || found.known.get(&result.number).is_some_and(|other| *other != result) =>
            {
                contradicted.insert(result.number);
                found.known.remove(&result.number);
                found.damaged.push(damage(Some(result.id)));
            }
            Some(result) => drop(found.known.insert(result.number, result)),
            None => found.damaged.push(damage(id_in(line))),
        }
    }
    if !whole.is_empty() && !whole.iter().any(|line| seal::is_like_one(line)) {
        let message = format!(
            "{} is no file of results, or all of it is damaged, from record 1 on; `--fresh` begins anew",
            path.display()
        );
        return Err(Ended::new(Exit::Refused, message).into());
    }
    Ok(found)
}

/// The mutant that a damaged line seems to be about.
fn id_in(line: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(line);
    let (_, rest) = text.split_once("\"id\":\"")?;
    let (id, _) = rest.split_once('"')?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    (id.len() < 40 && id.chars().all(is_plain)).then(|| id.to_owned())
}

fn line(key: &str, result: &MutantResult) -> Result<String> {
    Ok(seal::seal(key, result)? + "\n")
}

fn cannot(path: &Path) -> String {
    format!("{} cannot be written", path.display())
}

#[cfg(test)]
mod generated;

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(key: &str) -> Identity {
        let limits = Limits { max_steps: None, max_executions: None, patience: None, memory: 64 };
        Identity::new("bank", key.to_owned(), limits)
    }

    fn result(number: u32) -> MutantResult {
        let with = [(0, ProgramResult::Refused(format!("reason {number}\nof two lines")))].into();
        MutantResult { number, id: format!("GBS-{number:08x}"), with }
    }

    /// A directory with the results of this many mutants.
    fn directory(mutants: u32) -> tempfile::TempDir {
        let directory = tempfile::tempdir().expect("it can be made");
        let mut state = open(directory.path(), false).expect("it is new");
        (0..mutants).for_each(|number| state.add(result(number)).expect("it can be written"));
        directory
    }

    fn open(directory: &Path, fresh: bool) -> Result<State> {
        let wanted: Vec<u32> = (0..20).collect();
        State::open(directory, &identity("key"), &wanted, fresh, |result| {
            result.id.ends_with(&format!("{:08x}", result.number))
        })
    }

    /// Whatever is damaged, the results that are read are those that were written, and the others are named.
    #[test]
    fn no_flipped_bit_makes_another_result() {
        let original = directory(3);
        let path = original.path().join(RESULTS);
        let whole = fs::read(&path).expect("it is there");
        for bit in (0..whole.len() * 8).step_by(7) {
            let mut damaged = whole.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, &damaged).expect("it can be written");
            let state = open(original.path(), false).expect("most of it is there");
            assert!(!state.known.is_empty(), "bit {bit}");
            assert!(state.known.values().all(|it| *it == result(it.number)), "bit {bit}");
            // Damage to the last line end makes the last line seem to be cut.
            let is_cut = bit / 8 == whole.len() - 1;
            assert!(is_cut || !state.damaged.is_empty(), "bit {bit}");
            assert!(state.damaged.iter().all(|it| it.line <= 4));
        }
        fs::write(&path, &whole).expect("it can be written");
        assert_eq!(open(original.path(), false).expect("all is there").known.len(), 3);
    }

    #[test]
    fn lines_that_were_cut_are_no_damage() {
        let original = directory(2);
        let path = original.path().join(RESULTS);
        let whole = fs::read(&path).expect("it is there");
        for length in (0..whole.len()).step_by(7) {
            fs::write(&path, &whole[..length]).expect("it can be written");
            let state = open(original.path(), false).expect("what was cut is left out");
            assert_eq!(state.damaged, []);
            assert!(state.known.len() < 2 && state.known.values().all(|it| *it == result(it.number)));
        }
    }

    #[test]
    fn records_are_of_one_campaign_and_one_mutant() {
        let (here, there) = (directory(2), directory(0));
        let [from, to] = [&here, &there].map(|it| it.path().join(RESULTS));
        let known = |path: &Path| open(path, false).map(|state| (state.known.len(), state.damaged.len()));
        let whole = fs::read_to_string(&from).expect("it is there");
        let lines: Vec<&str> = whole.lines().collect();
        // A repeated record is no damage; a record that contradicts another is, and so is the other.
        fs::write(&to, format!("{whole}{}\n", lines[0])).expect("it can be written");
        assert_eq!(known(there.path()).expect("it can be read"), (2, 0));
        let other = MutantResult { with: BTreeMap::new(), ..result(1) };
        fs::write(&to, whole.clone() + &line("key", &other).expect("it can be written"))
            .expect("it can be written");
        assert_eq!(known(there.path()).expect("it can be read"), (1, 1));
        let contradiction =
            [1, 0, 1].map(|n| line("key", [&other, &result(1)][n]).expect("it can be written"));
        fs::write(&to, contradiction.concat()).expect("it can be written");
        assert_eq!(
            known(there.path()).expect("it can be read"),
            (0, 2),
            "the third does not outvote the second"
        );
        // Records of another campaign, and of another mutant.
        let foreign = line("another key", &result(1)).expect("it can be written");
        let mistaken = line("key", &MutantResult { number: 1, ..result(0) }).expect("it can be written");
        for wrong in [foreign, mistaken] {
            fs::write(&to, format!("{}\n{wrong}", lines[0])).expect("it can be written");
            assert_eq!(known(there.path()).expect("it can be read"), (1, 1));
        }
    }

    #[test]
    fn what_is_no_text_is_answered_with_fresh() {
        let directory = directory(2);
        for (name, bytes) in [(RESULTS, &[0xff, 0xfe, b'\n', 0, b'\n'][..]), ("state.json", &[0xff; 40])] {
            fs::write(directory.path().join(name), bytes).expect("it can be written");
            let error = open(directory.path(), false).err().expect("it is refused").to_string();
            assert!(error.contains("--fresh") && error.contains(name), "{error}");
            let state = open(directory.path(), true).expect("it begins anew");
            assert_eq!((state.known.len(), state.damaged.len()), (0, 0));
        }
        assert_eq!(open(directory.path(), false).expect("it is new").known.len(), 0);
    }

    #[test]
    fn a_damaged_head_is_refused_by_its_name() {
        let directory = directory(2);
        let path = directory.path().join("state.json");
        let whole = fs::read(&path).expect("it is there");
        // White space at the end is no damage.
        for bit in (0..(whole.len() - 1) * 8).step_by(7) {
            let mut damaged = whole.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, &damaged).expect("it can be written");
            let error = open(directory.path(), false).err().expect("it is refused").to_string();
            assert!(
                error.contains("state.json is damaged") && error.contains("--fresh"),
                "bit {bit}: {error}"
            );
            assert_eq!(limits(directory.path()), None);
        }
        fs::write(&path, &whole).expect("it can be written");
        assert_eq!(open(directory.path(), false).expect("all is there").known.len(), 2);
        assert_eq!(limits(directory.path()).map(|it| it.to_string()).as_deref(), Some("`--memory 64`"));
    }
}
