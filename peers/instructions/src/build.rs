//! The builds that are measured.

use anyhow::{Context, ensure};
use serde::Deserialize;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// How the programs, and insyn with them, are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Build {
    /// The best code that the compiler can make: what the peers are compared with.
    Release,
    /// What users get in their tests.
    Users,
}

/// The programs, built.
#[derive(Debug)]
pub(crate) struct Binary {
    /// Where the binary is, and where callgrind leaves its files.
    pub(crate) directory: PathBuf,
    /// Its name there.
    pub(crate) name: String,
}

/// The binary that explores the programs of the table.
pub(crate) const PROGRAMS: &str = "insyn-peers-programs";

impl Build {
    /// Every build, in the order of the table.
    pub(crate) const ALL: [Build; 2] = [Build::Release, Build::Users];

    /// The name of its profile, and what tables and files call it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Build::Release => "release",
            Build::Users => "users",
        }
    }

    /// Has cargo build one of the binaries with the programs.
    pub(crate) fn binary(self, name: &str) -> anyhow::Result<Binary> {
        let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(["build", "--quiet", "--locked", "--message-format=json-render-diagnostics"])
            .args(["--profile", self.name(), "--package", "insyn-peers-programs", "--bin", name])
            .args(["--manifest-path", concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml")])
            .stderr(Stdio::inherit())
            .output()
            .context("cannot run cargo")?;
        ensure!(output.status.success(), "cargo cannot build the programs");
        let messages = String::from_utf8(output.stdout).context("messages of cargo")?;
        let path = messages
            .lines()
            .filter_map(|line| serde_json::from_str::<Message>(line).ok()?.executable)
            .next_back()
            .context("cargo has built no binary")?;
        let name = path.file_name().and_then(|name| name.to_str()).context("the name of the binary")?;
        Ok(Binary { name: name.to_owned(), directory: path.with_file_name("") })
    }
}

/// What matters here of a message of cargo.
#[derive(Deserialize)]
struct Message {
    executable: Option<PathBuf>,
}
