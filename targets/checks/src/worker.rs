//! The programs of the test binary that asks. It runs itself once more for each request, as a worker, just as `cargo insyn`
//! does.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use insyn_verdicts::protocol::{self, Answer, Request};

/// The programs of this binary: the tests that stand in no module.
pub(crate) fn programs() -> BTreeSet<String> {
    let listed = Command::new(this_binary())
        .args(["--list", "--format", "terse"])
        .output()
        .expect("tests can be listed");
    let listed = String::from_utf8(listed.stdout).expect("names are UTF-8");
    let tests = listed.lines().filter_map(|line| line.strip_suffix(": test"));
    tests.filter(|test| !test.contains("::")).map(str::to_owned).collect()
}

/// Asks a program something. The error is why it cannot be done.
pub(crate) fn ask(program: &str, request: &Request) -> Result<Answer, String> {
    let request = serde_json::to_string(request).map_err(|error| error.to_string())?;
    let mut worker = protocol::command(&this_binary(), program)
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| error.to_string())?;
    // Open until the answer is there: a worker ends when nobody can ask it anything any more.
    let mut requests = worker.stdin.take().expect("it is piped");
    writeln!(requests, "{request}").map_err(|error| error.to_string())?;
    let answers = BufReader::new(worker.stdout.take().expect("it is piped"));
    let answer = answers
        .split(b'\n')
        .map_while(Result::ok)
        .filter_map(|line| protocol::answer(&String::from_utf8_lossy(&line)))
        .find(|answer| !matches!(answer, Answer::Hello { .. } | Answer::Progress(_)));
    drop(requests);
    // How the worker ends says nothing: as a test, it may be one that should panic.
    worker.wait().map_err(|error| error.to_string())?;
    match answer {
        Some(Answer::Refused { message }) => Err(message),
        Some(answer) => Ok(answer),
        None => Err("it did not answer".to_owned()),
    }
}

/// Runs a program as `cargo test` does; what it says. The files that it leaves are its own: the test may be run by others at
/// the same time.
pub(crate) fn test(program: &str) -> String {
    let binary = this_binary();
    let name = binary.file_name().expect("a binary has a name");
    let directory =
        binary.parent().expect("it is in a directory").join("../../tmp/replays").join(name).join(program);
    // Anew, because an earlier build may have left another binary here.
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).expect("a directory can be made");
    // As where cargo builds, so that failures are saved here.
    fs::write(directory.join("CACHEDIR.TAG"), "").expect("a file can be written");
    let here = directory.join(name);
    fs::hard_link(&binary, &here)
        .or_else(|_| fs::copy(&binary, &here).map(drop))
        .expect("a binary can be copied");
    let output = Command::new(here)
        .args(["--exact", program, "--nocapture", "--test-threads=1"])
        .output()
        .expect("a test can be run");
    let said = [output.stdout, output.stderr].concat();
    String::from_utf8_lossy(&said).into_owned()
}

fn this_binary() -> PathBuf {
    env::current_exe().expect("a test knows its binary")
}
