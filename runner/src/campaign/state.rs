//! What is known of a campaign, on disk.
//!
//! | file | what it is |
//! |---|---|
//! | `state.json` | of which campaign this is, and how many mutants the last run had to find out about |
//! | `results.jsonl` | what became of each mutant: a line for each, written when it is known |
//! | `campaign.json` | the document that reports are made of; only there when all is known |
//! | `report.html` | the report for people, likewise |
//! | `journal0-0`, … | what the workers do at the moment, for when they die |
//! | `programs/` | the test binaries with all mutants in them |
//!
//! A line that was cut when the process was killed is left out, and its mutant is run again. So whoever stops loses at most
//! the mutants in hand, and who goes on ends with the same bytes. A mutant whose workers were killed from outside is run again,
//! too: nothing is known of it.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use insyn_verdicts::protocol::Compared;
use insyn_verdicts::{KillKind, Verdict};
use serde::{Deserialize, Serialize};

use crate::exit::{Ended, Exit};

/// The version of the directory.
const VERSION: u32 = 2;

/// The document of a campaign.
pub(crate) const CAMPAIGN: &str = "campaign.json";

/// What is known of each mutant, one after the other.
pub(crate) const RESULTS: &str = "results.jsonl";

/// The HTML report.
pub(crate) const REPORT: &str = "report.html";

/// Of which campaign the results are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Identity {
    pub(crate) version: u32,
    pub(crate) package: String,
    /// The same as long as the results would be.
    pub(crate) key: String,
    /// Megabytes of memory that a worker may have. Earlier releases have not written it down; their results are not kept.
    #[serde(default)]
    pub(crate) memory: u64,
}

impl Identity {
    pub(crate) fn new(package: &str, key: String, memory: u64) -> Self {
        Identity { version: VERSION, package: package.to_owned(), key, memory }
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
    /// How many mutants it had to run.
    #[serde(default)]
    pending: usize,
}

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Fate {
    pub(crate) number: u32,
    pub(crate) id: String,
    /// With each program, by its place in the list.
    pub(crate) with: BTreeMap<usize, With>,
}

impl Fate {
    /// Whether one of the programs kills it.
    pub(crate) fn is_killed(&self) -> bool {
        self.with.values().any(|with| matches!(with.verdict(), Verdict::Killed(_)))
    }

    /// Whether its workers were killed from outside, so that another try may tell more.
    fn is_disturbed(&self) -> bool {
        self.with.values().any(|with| matches!(with, With::Disturbed(_)))
    }
}

/// What became of a mutant with one program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum With {
    /// It was compared with the original.
    Compared(Box<Compared>),
    /// The process died.
    Died(String),
    /// It cannot be compared, and why.
    Refused(String),
    /// Its workers were killed from outside, and how.
    Disturbed(String),
}

impl With {
    /// What the program shows of the mutant.
    pub(crate) fn verdict(&self) -> Verdict {
        match self {
            With::Compared(compared) => compared.verdict,
            With::Died(_) => Verdict::Killed(KillKind::Exploration),
            With::Refused(_) | With::Disturbed(_) => Verdict::Undecided,
        }
    }
}

/// The directory of a campaign.
pub(crate) struct State {
    pub(crate) known: BTreeMap<u32, Fate>,
    results: File,
    path: PathBuf,
}

impl State {
    /// Opens a directory: goes on with the campaign that is there, or begins it anew if the program has changed. Of the mutants
    /// that are `wanted`, those that are not known yet are to be run.
    pub(crate) fn open(directory: &Path, identity: &Identity, wanted: &[u32]) -> Result<State> {
        let (about, path) = (directory.join("state.json"), directory.join(RESULTS));
        let found = read_identity(&about, identity)?;
        fs::create_dir_all(directory).with_context(|| format!("{} cannot be made", directory.display()))?;
        let mut known = if found.as_ref() == Some(identity) { read(&path)? } else { BTreeMap::new() };
        known.retain(|_, fate| !fate.is_disturbed());
        let pending = wanted.iter().filter(|it| !known.contains_key(it)).count();
        // Reports that are there would be taken for this campaign's, even if it never comes to its end.
        if found.as_ref() != Some(identity) || pending > 0 {
            for report in [CAMPAIGN, REPORT].map(|name| directory.join(name)) {
                if report.exists() {
                    fs::remove_file(&report).with_context(|| cannot(&report))?;
                }
            }
        }
        // What was cut must not stand before what comes.
        let text: String = known.values().map(line).collect::<Result<_>>()?;
        replace(&path, text.as_bytes())?;
        let head = Head { identity: identity.clone(), known: known.len(), pending };
        replace(&about, &serde_json::to_vec_pretty(&head)?)?;
        let results = OpenOptions::new().append(true).open(&path).with_context(|| cannot(&path))?;
        Ok(State { known, results, path })
    }

    /// Another mutant is known.
    pub(crate) fn add(&mut self, fate: Fate) -> Result<()> {
        self.results.write_all(line(&fate)?.as_bytes()).with_context(|| {
            format!(
                "{}; what was found before is kept, and running again goes on from there",
                cannot(&self.path)
            )
        })?;
        self.known.insert(fate.number, fate);
        Ok(())
    }
}

/// How many mutants are known, and how many are pending, of a campaign that has not come to its end; none if there is none in
/// the directory.
pub(crate) fn progress(directory: &Path) -> Option<(usize, usize)> {
    let head: Head = serde_json::from_slice(&fs::read(directory.join("state.json")).ok()?).ok()?;
    let known = read(&directory.join(RESULTS)).ok()?.len();
    // What has come since the last run began was pending then.
    let run = known.saturating_sub(head.known);
    Some((known, head.pending.saturating_sub(run)))
}

/// Which campaign a directory is of. Another package's, or another version's, is not touched.
fn read_identity(path: &Path, wanted: &Identity) -> Result<Option<Identity>> {
    let Ok(text) = fs::read(path) else { return Ok(None) };
    let refuse = |what: String| {
        let directory = path.parent().unwrap_or(Path::new("")).display();
        let message =
            format!("{directory} has the results of {what}; take it away, or name another with `--out`");
        Err(Ended::new(Exit::Refused, message).into())
    };
    #[derive(Deserialize)]
    struct Version {
        version: u32,
    }
    match serde_json::from_slice::<Version>(&text) {
        Ok(Version { version: VERSION }) => {}
        Ok(Version { version }) => {
            return refuse(format!("another release of insyn (version {version} of the directory)"));
        }
        Err(_) => return refuse("something else".to_owned()),
    }
    match serde_json::from_slice::<Identity>(&text) {
        Ok(found) if found.package != wanted.package => refuse(format!("package `{}`", found.package)),
        Ok(found) => Ok(Some(found)),
        Err(_) => refuse("something else".to_owned()),
    }
}

/// The lines that are whole.
fn read(path: &Path) -> Result<BTreeMap<u32, Fate>> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        text => text.with_context(|| format!("{} cannot be read", path.display()))?,
    };
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    let fates = whole.lines().filter_map(|line| serde_json::from_str::<Fate>(line).ok());
    Ok(fates.map(|fate| (fate.number, fate)).collect())
}

fn line(fate: &Fate) -> Result<String> {
    Ok(serde_json::to_string(fate)? + "\n")
}

fn cannot(path: &Path) -> String {
    format!("{} cannot be written", path.display())
}

/// Writes a file as a whole or not at all.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let new = path.with_extension("new");
    fs::write(&new, bytes).and_then(|()| fs::rename(&new, path)).with_context(|| cannot(path))
}
