//! The counts that the papers tell, from `targets/papers.yaml`.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

/// One count of a paper.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Count {
    /// Where it is told; nothing if it is not from a paper.
    pub paper: Option<Paper>,
    /// The target.
    pub package: String,
    /// The program of the target.
    pub program: String,
    /// The configuration; left out: what the program has when nobody gives one.
    pub input: Option<serde_json::Value>,
    /// How many sequences there are.
    pub sequences: u64,
}

/// A paper with counts.
#[derive(Clone, Copy, Debug, Deserialize)]
pub enum Paper {
    /// Reachability testing without histories.
    RichTest,
    /// Reachability testing of programs with semaphores.
    #[serde(rename = "semaphores")]
    Semaphores,
    /// The first reachability testing.
    #[serde(rename = "Prod_Cons")]
    ProdCons,
}

impl fmt::Display for Paper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Paper::RichTest => "Lei, Carver 2005",
            Paper::Semaphores => "Lei, Carver 2004",
            Paper::ProdCons => "Hwang et al. 1995",
        })
    }
}

/// The directory of all targets.
fn targets() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the targets")
}

/// All counts, in the order of the file.
///
/// # Errors
/// If the file cannot be read.
pub fn papers() -> Result<Vec<Count>, String> {
    let path = targets().join("papers.yaml");
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    insyn::specs::input::read(&text).map_err(|error| format!("{}{error}", path.display()))
}

/// The table of counts, line by line: each program, and under it what is found with each input.
///
/// # Errors
/// If a count cannot be found.
pub fn table(
    counts: &[Count],
    mut find: impl FnMut(&Count) -> Result<u64, String>,
    mut print: impl FnMut(String),
) -> Result<(), String> {
    print(line(["program, input", "expected", "found", "expected by"]));
    let (mut wrong, mut last) = (0, String::new());
    for count in counts {
        let program = count.title();
        if program != last {
            print(program.clone());
        }
        let found = find(count).map_err(|why| format!("{program}: {why}"))?;
        let differs = found != count.sequences;
        wrong += usize::from(differs);
        let input = format!("{} {}", if differs { "≠" } else { " " }, count.configuration());
        print(line([&input, &count.sequences.to_string(), &found.to_string(), &count.source()]));
        last = program;
    }
    match wrong {
        0 => print(format!("all {} are as expected", counts.len())),
        _ => return Err(format!("{wrong} of {} are not as expected", counts.len())),
    }
    Ok(())
}

/// A line of the table, of 80 columns at most.
fn line([input, expected, found, source]: [&str; 4]) -> String {
    format!("{input:<41} {expected:>8} {found:>8}  {source}")
}

impl Count {
    /// The program, as `cargo insyn explore -p` would be told.
    pub fn title(&self) -> String {
        format!("{} {}", self.package, self.program)
    }

    /// Who expects it.
    fn source(&self) -> String {
        match self.paper {
            Some(paper) => paper.to_string(),
            None if self.program == "fan_in" => "n!".to_owned(),
            None => "all interleavings".to_owned(),
        }
    }

    /// The configuration as one would write it.
    pub fn configuration(&self) -> String {
        let Some(serde_json::Value::Object(fields)) = &self.input else { return "-".to_owned() };
        let fields: Vec<String> = fields.iter().map(|(name, value)| format!("{name}: {value}")).collect();
        format!("{{{}}}", fields.join(", "))
    }

    /// Has `cargo insyn explore` count.
    ///
    /// # Errors
    /// If it cannot, or could not see them all.
    pub fn explore(&self) -> Result<u64, String> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let workspace: PathBuf = targets().parent().expect("the workspace").into();
        let mut command = Command::new(cargo);
        command.current_dir(workspace).args(["run", "--quiet", "--package", "cargo-insyn", "--"]);
        command.args(["explore", "-p", &self.package, &self.program, "--format", "json"]);
        if self.input.is_some() {
            command.args(["--input", &self.configuration()]);
        }
        let output = command.output().map_err(|error| error.to_string())?;
        let words = String::from_utf8_lossy(&output.stderr);
        let explored: serde_json::Value =
            serde_json::from_slice(&output.stdout).map_err(|_| words.into_owned())?;
        let program = &explored["programs"][0];
        match (program["sequences"].as_u64(), program["complete"].as_bool()) {
            (Some(sequences), Some(true)) => Ok(sequences),
            _ => Err(format!("not all sequences were seen: {program}")),
        }
    }
}
