//! Counts the instructions of a process with callgrind.

use crate::build::Binary;
use anyhow::{Context, bail, ensure};
use insyn_peers_programs::measured::Measured;
use std::io::ErrorKind;
use std::process::Command;

/// What to do about it if valgrind is missing.
const INSTALL: &str = "install valgrind (on Debian and Ubuntu: `apt-get install valgrind`)";

/// No memory for a thread: with a stack as large as this, in bytes, none can be started.
///
/// insyn explores with one worker on the main thread here. The only other thread is its watchdog, which looks at the worker
/// every 10 ms of real time: how many instructions it takes depends on how fast the machine is. Without it, nothing but a
/// warning is lost.
const NO_THREADS: (&str, &str) = ("RUST_MIN_STACK", "4611686018427387904");

/// The version of valgrind.
pub(crate) fn version() -> anyhow::Result<String> {
    let output = match Command::new("valgrind").arg("--version").output() {
        Ok(output) => output,
        Err(error) if error.kind() == ErrorKind::NotFound => bail!("valgrind is not installed; {INSTALL}"),
        Err(error) => return Err(error).context("cannot run valgrind"),
    };
    ensure!(output.status.success(), "`valgrind --version` fails; {INSTALL}");
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The instructions of a process that explores `program` so many times.
///
/// The process gets nothing of its surroundings that could differ from run to run or from machine to machine: no environment,
/// no path, and arguments of the same length whatever the number.
pub(crate) fn count(binary: &Binary, program: &Measured, times: u64) -> anyhow::Result<u64> {
    let arguments = [program.key.to_owned(), format!("{times:06}")];
    let (instructions, _) = measure(binary, &format!("{}.{times}", program.key), &arguments)?;
    Ok(instructions)
}

/// The instructions of a process with these arguments, and what it has printed. `key` names the file that callgrind leaves.
pub(crate) fn measure(binary: &Binary, key: &str, arguments: &[String]) -> anyhow::Result<(u64, String)> {
    let Binary { directory, name } = binary;
    let file = format!("callgrind.{key}.out");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", &format!("--callgrind-out-file={file}")])
        .arg(format!("./{name}"))
        .args(arguments)
        .current_dir(directory)
        .env_clear()
        .envs([NO_THREADS])
        .output()
        .context("cannot run valgrind")?;
    if !output.status.success() {
        bail!("{key} fails under valgrind:\n{}", String::from_utf8_lossy(&output.stderr));
    }
    let text =
        std::fs::read_to_string(directory.join(&file)).with_context(|| format!("cannot read {file}"))?;
    let instructions = total(&text).with_context(|| format!("{file} has no total of instructions"))?;
    Ok((instructions, String::from_utf8_lossy(&output.stdout).into_owned()))
}

/// The number of instructions in a file of callgrind.
fn total(text: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix("totals:"))?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::total;

    #[test]
    fn the_total_is_found() {
        assert_eq!(total("events: Ir\nsummary: 7\n\nfn=(1)\n3 4\n\ntotals: 1234\n"), Some(1234));
        assert_eq!(total("events: Ir\n"), None);
    }
}
