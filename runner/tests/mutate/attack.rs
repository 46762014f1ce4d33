//! Campaigns under attack: the command is killed, its workers are killed, it is asked to stop, its results are damaged, each at random
//! moments and places. Whatever happens, running the same command again ends with the same bytes; no process is left, and
//! no exit code claims more than was done. A tenth of this runs with the other tests, the whole in `.ci/long`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant, SystemTime};

use nix::sys::signal::Signal::{self, *};

use crate::running::{MARK, Running, children, known, left_over, send};
use crate::support::{self, Said};
use crate::{Crate, document, textbook_in};

/// Numbers that are the same on every run.
struct Random(u32);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((u64::from(self.0) * bound as u64) >> 32) as usize
    }

    /// A random moment within this duration.
    fn moment(&mut self, takes: Duration) -> Duration {
        takes.mul_f64(self.below(1 << 20) as f64 / f64::from(1 << 20))
    }
}

/// A campaign, and its result if nothing disturbs it.
struct Victim {
    it: Crate,
    out: String,
    mark: String,
    whole: String,
    /// How many mutants it runs.
    all: usize,
    /// How long it takes with and without a build.
    long: Duration,
    short: Duration,
}

impl Victim {
    /// Its source is touched, so no other test may use the crate.
    fn new(name: &str) -> Victim {
        let it = textbook_in("textbook-attacked");
        let out = it.directory(name);
        let mark = format!("{name}-{}", std::process::id());
        let mut victim = Victim {
            it,
            out,
            mark,
            whole: String::new(),
            all: 0,
            long: Duration::ZERO,
            short: Duration::ZERO,
        };
        victim.touch();
        (victim.long, victim.short) = (victim.timed(), victim.timed());
        (victim.whole, victim.all) = (document(&victim.out), known(&victim.out));
        victim
    }

    fn args(&self) -> [&str; 6] {
        ["mutate", "one_slot", "--operators", "guards", "--out", &self.out]
    }

    fn command(&self) -> Command {
        let mut command = support::command(&self.it.root, &self.args());
        command.env(MARK, &self.mark);
        command
    }

    fn forget(&self) {
        let _ = fs::remove_dir_all(&self.out);
    }

    fn timed(&self) -> Duration {
        self.forget();
        let begin = Instant::now();
        self.ends();
        begin.elapsed()
    }

    /// From now on the package must be built again.
    fn touch(&self) {
        let source = fs::File::options().append(true).open(self.it.root.join("src/lib.rs"));
        source.and_then(|file| file.set_modified(SystemTime::now())).expect("it can be touched");
    }

    /// Touches the source once in `every` rounds. Output: how long the campaign takes then.
    fn maybe_touch(&self, round: usize, every: usize) -> Duration {
        if !round.is_multiple_of(every) {
            return self.short;
        }
        self.touch();
        self.long
    }

    /// Runs the command to its end.
    #[track_caller]
    fn ends(&self) -> Said {
        let said = support::listen(self.command());
        assert_eq!(said.code, Some(0), "{}", said.err);
        said
    }

    /// Runs the command to its end; the result must be the same as always.
    #[track_caller]
    fn comes_to_the_same(&self, after: &str) -> Said {
        let said = self.ends();
        assert_eq!(document(&self.out), self.whole, "after {after}");
        said
    }

    /// No process is left except those that may be.
    #[track_caller]
    fn leaves_nothing(&self, after: &str, may_be: impl Fn(&str) -> bool) {
        assert_eq!(left_over(&self.mark, may_be), [], "after {after}");
    }

    fn path(&self, name: &str) -> PathBuf {
        Path::new(&self.out).join(name)
    }
}

/// Whether a process is cargo, or part of a build: a build that has started ends by itself.
fn builds(command: &str) -> bool {
    !command.contains("--test-threads=1") && !command.contains("cargo-insyn")
}

/// Kills the command, sometimes more than once before it ends.
fn kill_commands(name: &str, times: usize) {
    let victim = Victim::new(name);
    let mut random = Random(7);
    let (mut kills, mut round) = (0, 0);
    while kills < times {
        round += 1;
        assert!(round < 4 * times, "it mostly ends before it is killed");
        let moment = random.moment(victim.maybe_touch(round, 10));
        if random.below(3) > 0 {
            victim.forget();
        }
        let mut run = Running::start(victim.command());
        let begin = Instant::now();
        if !run.wait_until(|| begin.elapsed() >= moment) {
            continue;
        }
        run.signal(SIGKILL);
        assert_ne!(run.end().code, Some(1));
        kills += 1;
        let what = format!("kill {kills}, {moment:?} after its start");
        victim.leaves_nothing(&what, builds);
        if random.below(3) > 0 {
            victim.comes_to_the_same(&what);
        }
    }
    victim.comes_to_the_same("all kills");
    victim.leaves_nothing("all kills", |_| false);
}

/// Every signal that can end or stop a worker. Programs can cause some of them, but these come from outside.
const AT_WORKERS: [Signal; 14] = [
    SIGKILL, SIGTERM, SIGABRT, SIGKILL, SIGSEGV, SIGHUP, SIGINT, SIGBUS, SIGKILL, SIGFPE, SIGQUIT, SIGILL,
    SIGSTOP, SIGTRAP,
];

/// Sends signals to workers, including those of the programs without mutants. A signal comes only after more mutants have
/// results, so that no mutant is hit each time that it is tried.
fn kill_workers(name: &str, times: usize) {
    let victim = Victim::new(name);
    let mut random = Random(11);
    let (mut kills, mut round) = (0, 0);
    while kills < times {
        round += 1;
        assert!(round < 4 * times, "it has no workers");
        victim.forget();
        let mut run = Running::start(victim.command());
        let id = run.id();
        // The build is over as soon as there are copies of the programs.
        run.wait_until(|| victim.path("programs").exists());
        let mut last = None;
        while !run.has_ended() {
            for _ in 0..random.below(1 << 12) {
                std::hint::spin_loop();
            }
            let now = known(&victim.out);
            // Results are written a little later.
            if last.is_some_and(|last| now < last + 3) || now == victim.all || kills == times {
                std::thread::sleep(Duration::from_millis(1));
                continue;
            }
            let workers = children(id);
            if workers.is_empty() {
                continue;
            }
            if send(workers[random.below(workers.len())], AT_WORKERS[kills % AT_WORKERS.len()]) {
                (last, kills) = (Some(now), kills + 1);
            }
        }
        let said = run.end();
        assert_eq!(said.code, Some(0), "round {round}, {kills} kills: {}", said.err);
        assert_eq!(document(&victim.out), victim.whole, "round {round}, {kills} kills");
        victim.leaves_nothing("its end", |_| false);
    }
}

/// Whether a process has a handler for interrupts; before that, it ends as any process does.
fn listens(process: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let mask = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    [SIGINT, SIGTERM, SIGHUP].iter().all(|signal| mask >> (*signal as u64 - 1) & 1 == 1)
}

/// Stops the command `times` times by each signal: during the build, the programs without mutants, the mutants, the report.
fn interrupt(name: &str, times: usize) {
    let victim = Victim::new(name);
    let mut random = Random(13);
    let mut interrupted = 0;
    for round in 0..3 * times {
        let takes = victim.maybe_touch(round, 4);
        victim.forget();
        let (signal, moment) = ([SIGINT, SIGTERM, SIGHUP][round % 3], random.moment(takes));
        let mut run = Running::start(victim.command());
        let id = run.id();
        run.wait_until(|| listens(id));
        let begin = Instant::now();
        run.wait_until(|| begin.elapsed() >= moment);
        run.signal(signal);
        let said = run.end();
        let what = format!("{signal}, {moment:?} of {takes:?} after its start");
        // A build ends with the command.
        victim.leaves_nothing(&what, |_| false);
        match said.code {
            Some(130) => interrupted += 1,
            // The command had ended before.
            code => assert_eq!(code, Some(0), "{what}: {}", said.err),
        }
        if victim.path("campaign.json").exists() {
            assert_eq!(document(&victim.out), victim.whole, "what is written is whole, after {what}");
        } else {
            assert_eq!(said.code, Some(130), "{what}: {}", said.err);
            let is_said = said.err.contains("pending") || said.err.contains("before anything");
            assert!(is_said, "{what}: {}", said.err);
        }
        victim.comes_to_the_same(&what);
    }
    assert!(interrupted >= times, "it was interrupted only {interrupted} times");
}

/// Flips bits of the files on disk. The command reports the damage, and runs the mutant again or refuses.
fn flip_bits(name: &str, times: usize) {
    let victim = Victim::new(name);
    let keep = ["results.jsonl", "state.json", "campaign.json"].map(|name| {
        let path = victim.path(name);
        let bytes = fs::read(&path).expect("it is there");
        (path, bytes)
    });
    let mut random = Random(17);
    let (mut run_again, mut refused) = (0, 0);
    for round in 0..times {
        // Most of the known data is in the results.
        let (path, bytes) = &keep[[0, 0, 0, 0, 0, 0, 0, 1, 1, 2][round % 10]];
        let bit = random.below(bytes.len() * 8);
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        fs::write(path, &damaged).expect("it can be written");
        let what = format!("bit {bit} of {}", path.display());
        let said = support::listen(victim.command());
        match said.code {
            Some(0) => {
                assert_eq!(document(&victim.out), victim.whole, "after {what}");
                run_again += usize::from(said.err.contains("is damaged; its mutant is run again"));
            }
            code => {
                assert_eq!(code, Some(2), "{what}: {}", said.err);
                let names_it =
                    said.err.contains("state.json is damaged") || said.err.contains("from record 1 on");
                assert!(names_it && said.err.contains("--fresh"), "{what}: {}", said.err);
                assert_eq!(fs::read(path).expect("it is there"), damaged, "what is refused is not touched");
                refused += 1;
            }
        }
        for (path, bytes) in &keep {
            fs::write(path, bytes).expect("it can be written");
        }
    }
    assert!(run_again * 2 > times && refused > 0, "{run_again} run again, {refused} refused, of {times}");
}

#[test]
fn a_tenth_of_the_kills_of_commands() {
    kill_commands("killed", 10);
}

#[test]
fn a_tenth_of_the_kills_of_workers() {
    kill_workers("beheaded", 14);
}

#[test]
fn a_tenth_of_the_interrupts() {
    interrupt("interrupted", 2);
}

#[test]
fn a_tenth_of_the_flipped_bits() {
    flip_bits("flipped", 20);
}

#[test]
#[ignore = "takes minutes; `.ci/long` runs it"]
fn all_kills_of_commands() {
    kill_commands("killed", 100);
}

#[test]
#[ignore = "takes minutes; `.ci/long` runs it"]
fn all_kills_of_workers() {
    kill_workers("beheaded", 100);
}

#[test]
#[ignore = "takes minutes; `.ci/long` runs it"]
fn all_interrupts() {
    interrupt("interrupted", 20);
}

#[test]
#[ignore = "takes minutes; `.ci/long` runs it"]
fn all_flipped_bits() {
    flip_bits("flipped", 200);
}
