//! The engine against brute force: on random programs it finds exactly the existing behaviours, each once.
//!
//! Each family of programs is one test. A failure names the seed, and prints the program (made smaller, too) with the
//! behaviours that were missed, made up or counted twice. `cargo test --test exploration random_programs -- --ignored` with
//! `INSYN_SEEDS=1000..5000` (and `INSYN_FAMILY=Selects`, for only one family) tries more.

mod checkers;
mod edited;
pub(crate) mod explained;
mod forced;
mod listed;
mod replayed;
mod rules;
mod words;

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use crate::oracle::enumerate::{self, Behaviour, End, Options};
use crate::oracle::generate::{Family, generate};
use crate::oracle::program::Program;
use crate::oracle::{constructs, interpret, shrink, tokens};
use insyn::sequences::Op;
use insyn::specs::Spec;
use insyn::specs::spec::Instance;
use insyn::{Explorer, Termination};
use serde_json::Value as Data;

/// Programs with more behaviours than this are left out.
const MAX_BEHAVIOURS: usize = 1_000;

/// Which programs of a family are compared by default.
fn seeds(family: Family) -> Range<u64> {
    match family {
        first if first.is_first() => 0..200,
        last if last > Family::Jumble => 0..100,
        _ => 0..150,
    }
}

/// The totals of a comparison.
#[derive(Default)]
struct Totals {
    programs: u64,
    skipped: u64,
    sequences: u64,
    deadlocks: u64,
    panics: u64,
    executions: u64,
    repeats: u64,
    inconsistent: u64,
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} programs ({} too big), {} sequences ({} deadlocks, {} panics), {} executions, {} repeats, {} inconsistent",
            self.programs,
            self.skipped,
            self.sequences,
            self.deadlocks,
            self.panics,
            self.executions,
            self.repeats,
            self.inconsistent
        )
    }
}

/// How one program is to be explored.
#[derive(Clone, Copy, Debug)]
struct Setting {
    /// Free choices by this seed; fixed if there is none.
    choices: Option<u64>,
    longest_waiter: bool,
    spurious_wakeups: bool,
    spurious_failures: bool,
    ordered_loads: bool,
    waiting_writers_block: bool,
    /// A thread that polls and yields waits for a change. (The oracle does not model that.)
    patient_polling: bool,
    workers: usize,
    /// In how many words the engine keeps what happened before an event.
    words: usize,
    /// Programs with more states than this are left out.
    max_states: usize,
}

impl Setting {
    /// Choices are fixed for every other seed, the longest waiter is woken for every third, two workers share the work
    /// for every fifth, and so on.
    fn of(family: Family, seed: u64) -> Setting {
        Setting {
            choices: (seed % 2 == 1).then_some(seed),
            longest_waiter: seed % 3 == 2,
            spurious_wakeups: seed % 7 < 3,
            spurious_failures: seed % 4 > 1,
            ordered_loads: seed % 7 > 4,
            waiting_writers_block: !seed.is_multiple_of(3),
            patient_polling: family != Family::Times,
            workers: if seed % 5 == 4 { 2 } else { 1 },
            words: [1, 1, 2, 1, 1, 9, 1, 2][seed as usize % 8],
            max_states: if family.is_first() { 12_000 } else { 6_000 },
        }
    }

    /// The same for the oracle.
    fn options(self) -> Options {
        Options {
            longest_waiter: self.longest_waiter,
            spurious_wakeups: self.spurious_wakeups,
            spurious_failures: self.spurious_failures,
            ordered_loads: self.ordered_loads,
            waiting_writers_block: self.waiting_writers_block,
            max_states: self.max_states,
        }
    }

    /// The same for the engine.
    fn explorer(self) -> Explorer {
        let explorer = Explorer::new()
            .workers(self.workers)
            .longest_waiter(self.longest_waiter)
            .spurious_wakeups(self.spurious_wakeups)
            .spurious_failures(self.spurious_failures)
            .ordered_loads(self.ordered_loads)
            .waiting_writers_block(self.waiting_writers_block)
            .patient_polling(self.patient_polling)
            .as_if_long(self.words);
        match self.choices {
            Some(seed) => explorer.seed(seed),
            None => explorer,
        }
    }
}

/// The oracle's answer, unless the program is too big.
fn truth(program: &Program, setting: Setting) -> Option<enumerate::Enumeration> {
    enumerate::behaviours(program, setting.options()).filter(|truth| truth.behaviours.len() <= MAX_BEHAVIOURS)
}

/// The behaviours that the engine has shown, and how often each.
#[derive(Default)]
struct Found {
    behaviours: BTreeMap<Behaviour, u64>,
    round: u32,
}

impl Found {
    /// Behaviours of an earlier round are discarded.
    fn add(&mut self, behaviour: Behaviour, round: u32) {
        if round > self.round {
            *self = Found { round, ..Found::default() };
        }
        if round == self.round {
            *self.behaviours.entry(behaviour).or_default() += 1;
        }
    }
}

/// How an execution ended, if programs here may end in this way.
fn end(termination: Termination) -> Option<End> {
    match termination {
        Termination::Normal => Some(End::Normal),
        Termination::Deadlock => Some(End::Deadlock),
        Termination::Panic => Some(End::Panic),
        _ => None,
    }
}

/// A specification with a letter for every event, which contains everything that matchers look at.
fn all_events() -> Instance {
    let mut text = String::from("insyn: spec\nversion: 1\nevents:\n");
    let forms = [
        ("took", "{who: text, what: text, whose: text}", "thread: <who>, on: <what>, from: <whose>"),
        ("on", "{who: text, what: text}", "thread: <who>, on: <what>, from: anything"),
        ("own", "{who: text}", "thread: <who>, from: anything"),
        ("other", "{}", "from: anything"),
    ];
    for op in Op::recorded() {
        for (form, arguments, matcher) in forms {
            let name = op.word().replace('-', "_");
            writeln!(
                text,
                "  {name}_{form}: {{arguments: {arguments}, match: {{op: {}, {matcher}}}}}",
                op.word()
            )
            .expect("a string takes it");
        }
    }
    Spec::read("all.yaml", &text).expect("it is well formed").with(&Data::Null).expect("it takes no input")
}

/// Compares engine and oracle on one program: none if it is too big, an error that describes the difference.
fn compare(
    program: &Program,
    setting: Setting,
    configure: &dyn Fn(Explorer) -> Explorer,
) -> Option<Result<Totals, String>> {
    let truth = truth(program, setting)?;
    let found: Arc<Mutex<Found>> = Arc::default();
    let exploration = catch_unwind(AssertUnwindSafe(|| {
        let found = Arc::clone(&found);
        let program = program.clone();
        let spec = all_events();
        let mut explorer = setting.explorer();
        if setting.workers == 1 {
            // An engine that runs in circles ends here. (The bound makes it use one worker.)
            explorer = explorer.max_executions(20_000);
        }
        let explorer = explorer.observe(move |ended| {
            if ended.counted() {
                let sequence = ended.sequence();
                let end = end(ended.termination());
                let mut behaviour = tokens::behaviour(&sequence, end.unwrap_or(End::Normal));
                if ended.orders(&spec) != spec.orders(&sequence, &ended.constraints()) {
                    behaviour
                        .lines
                        .push(String::from("a specification reads it otherwise than its sequence"));
                }
                if end.is_none() {
                    let failure = ended.failure().expect("it did not end normally");
                    let panics = failure.panics.iter().filter_map(|panic| panic.location.clone());
                    let places: Vec<String> = panics.collect();
                    let why = format!("no program here should end so: {} {places:?}", failure.message);
                    behaviour.lines.push(why);
                }
                found.lock().expect("nothing panics").add(behaviour, ended.round());
            }
        });
        configure(explorer).explore(move || interpret::run(&program))
    }));
    let Ok(exploration) = exploration else { return Some(Err(String::from("the engine panicked\n"))) };

    let found = &found.lock().unwrap_or_else(std::sync::PoisonError::into_inner).behaviours;
    let mut differences = String::new();
    let mut note = |what: &str, behaviour: &Behaviour| {
        write!(differences, "{what} ({:?}):\n      {}\n", behaviour.end, behaviour.lines.join("\n      "))
            .expect("a string takes it");
    };
    let missing: Vec<&Behaviour> = truth.behaviours.iter().filter(|b| !found.contains_key(b)).collect();
    let extra: Vec<&Behaviour> = found.keys().filter(|b| !truth.behaviours.contains(b)).collect();
    let twice: Vec<&Behaviour> = found.iter().filter(|(_, count)| **count > 1).map(|(b, _)| b).collect();
    for (what, which) in [("missing", &missing), ("extra", &extra), ("more than once", &twice)] {
        for behaviour in which.iter().take(3) {
            note(what, behaviour);
        }
    }
    let ending = |end: End| truth.behaviours.iter().filter(|b| b.end == end).count() as u64;
    let [deadlocks, panics] = [ending(End::Deadlock), ending(End::Panic)];
    let counts = [exploration.sequences, exploration.deadlocks, exploration.panics];
    if !differences.is_empty() || counts != [truth.behaviours.len() as u64, deadlocks, panics] {
        let sum = format!(
            "{} behaviours, of them {deadlocks} deadlocks and {panics} panics; the engine counted {counts:?}, in {} \
             executions: {} missing, {} extra, {} more than once\n",
            truth.behaviours.len(),
            exploration.executions,
            missing.len(),
            extra.len(),
            twice.len()
        );
        return Some(Err(sum + &differences));
    }
    Some(Ok(Totals {
        programs: 1,
        skipped: 0,
        sequences: exploration.sequences,
        deadlocks,
        panics,
        executions: exploration.executions,
        repeats: exploration.repeats,
        inconsistent: exploration.inconsistent,
    }))
}

/// The first program (of one of the families, by its seed) that the engine, with this configuration, gets wrong.
fn first_disagreement(
    families: &[Family],
    seeds: Range<u64>,
    configure: impl Fn(Explorer) -> Explorer,
) -> Option<(Family, u64)> {
    let mut all = seeds.into_iter().flat_map(|seed| families.iter().map(move |&family| (family, seed)));
    all.find(|&(family, seed)| {
        let program = generate(family, seed);
        let setting = Setting { workers: 1, ..Setting::of(family, seed) };
        matches!(compare(&program, setting, &configure), Some(Err(_)))
    })
}

/// Compares the programs of a family and fails on the first difference, with all that is needed to investigate it; and if
/// so many were too big that the comparison shows little, for all programs or for those with some construct.
fn agree(family: Family, seeds: Range<u64>) {
    let mut totals = Totals::default();
    // By construct: how many programs have it, and how many of those were compared.
    let mut having: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    let generated = seeds.end - seeds.start;
    for seed in seeds {
        let before = totals.programs;
        if let Err(difference) = add_up(&mut totals, family, seed) {
            panic!("{difference}");
        }
        for name in constructs::constructs(&generate(family, seed)) {
            let (all, compared) = having.entry(name).or_default();
            *all += 1;
            *compared += totals.programs - before;
        }
    }
    report(&format!("{family:?}: {totals}"));
    let least = least_compared(generated);
    assert!(totals.programs >= least, "{family:?}: fewer than {least} programs were compared: {totals}");
    having.retain(|_, (all, compared)| *all >= FEW && *compared * 5 < *all);
    assert!(having.is_empty(), "{family:?}: too few programs with these were compared: {having:?}");
}

/// If a construct occurs in fewer programs of a family than this, it is not checked how many of them were compared.
const FEW: u64 = 10;

/// How many of the generated programs must be compared.
fn least_compared(generated: u64) -> u64 {
    generated * 3 / 5
}

#[test]
fn two_thousand_programs_are_compared() {
    let least = |family: Family| least_compared(seeds(family).end - seeds(family).start);
    let all: u64 = Family::ALL.into_iter().map(least).sum();
    assert!(all >= 2_000, "{all}");
}

/// Compares one program, and adds the result.
fn add_up(totals: &mut Totals, family: Family, seed: u64) -> Result<(), String> {
    let program = generate(family, seed);
    assert!(program.is_well_formed(), "{family:?} {seed} is not well formed:\n{program}");
    let setting = Setting::of(family, seed);
    match compare(&program, setting, &|explorer| explorer) {
        None => totals.skipped += 1,
        Some(Ok(one)) => {
            totals.programs += 1;
            totals.sequences += one.sequences;
            totals.deadlocks += one.deadlocks;
            totals.panics += one.panics;
            totals.executions += one.executions;
            totals.repeats += one.repeats;
            totals.inconsistent += one.inconsistent;
        }
        Some(Err(differences)) => {
            let fails = |program: &Program| matches!(compare(program, setting, &|e| e), Some(Err(_)));
            let small = shrink::shrink(&program, fails);
            let less = match compare(&small, setting, &|e| e) {
                Some(Err(differences)) => differences,
                _ => String::from("not a second time\n"),
            };
            return Err(format!(
                "{family:?}, seed {seed} ({setting:?}):\n{program}{differences}\nmade smaller:\n{small}{less}",
            ));
        }
    }
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the totals are for who runs the test")]
fn report(line: &str) {
    println!("{line}");
}

macro_rules! families {
    ($($test:ident: $family:ident,)*) => {
        $(
            #[test]
            fn $test() {
                agree(Family::$family, seeds(Family::$family));
            }
        )*

        /// The same for what programs are forced to do.
        mod forcing {
            use super::*;

            $(
                #[test]
                fn $test() {
                    forced::agree(Family::$family, 0..30);
                }
            )*
        }

        /// What they did is replayed.
        mod replaying {
            use super::*;

            $(
                #[test]
                fn $test() {
                    replayed::agree(Family::$family, 0..30);
                }
            )*
        }

        /// Their lists can happen.
        mod listing {
            use super::*;

            $(
                #[test]
                fn $test() {
                    listed::agree(Family::$family, 0..60);
                }
            )*
        }

        /// Their failures are the shortest, and have the causes that are named.
        mod explaining {
            use super::*;

            $(
                #[test]
                fn $test() {
                    explained::agree(Family::$family, 0..40);
                }
            )*
        }

        #[test]
        fn every_family_has_a_test() {
            assert_eq!(Family::ALL.to_vec(), [$(Family::$family),*]);
        }
    };
}

families! {
    ports_agree: Ports,
    tangled_cycles_agree: Tangled,
    handed_receivers_agree: Handed,
    buffers_agree: Buffers,
    locks_agree: Locks,
    condvars_agree: Condvars,
    semaphores_agree: Semaphores,
    entries_agree: Entries,
    selects_agree: Selects,
    monitors_agree: Monitors,
    urgent_monitors_agree: UrgentMonitors,
    nested_threads_agree: Nested,
    mixed_programs_agree: Mixed,
    timeouts_agree: Timeouts,
    atomics_agree: Atomics,
    rwlocks_agree: RwLocks,
    timed_waits_agree: TimedWaits,
    barriers_agree: Barriers,
    onces_agree: Onces,
    parking_agrees: Parking,
    pointers_agree: Pointers,
    carriers_agree: Carriers,
    flows_agree: Flows,
    crowds_agree: Crowds,
    port_choices_agree: PortChoices,
    choices_agree: Choices,
    jumbles_agree: Jumble,
    panics_agree: Panics,
    parcels_agree: Parcels,
    counts_agree: Counts,
    arms_agree: Arms,
    times_agree: Times,
    wait_groups_agree: WaitGroups,
    looks_agree: Looks,
    readers_agree: Readers,
}

/// The seeds in `INSYN_SEEDS` (`from..to`).
fn seeds_asked_for() -> Range<u64> {
    let seeds = std::env::var("INSYN_SEEDS").unwrap_or_else(|_| String::from("1000..2000"));
    let bounds: Vec<u64> = seeds.split("..").map(|n| n.parse().expect("INSYN_SEEDS is from..to")).collect();
    let [from, to] = bounds[..] else { panic!("INSYN_SEEDS is from..to") };
    from..to
}

/// Goes through the seeds in `INSYN_SEEDS` (`from..to`), of the family in `INSYN_FAMILY` or of all, and shows every
/// difference there is.
#[test]
#[ignore = "takes as long as it is told to"]
fn many_more_agree() {
    let wanted = std::env::var("INSYN_FAMILY").ok();
    let mut wrong = Vec::new();
    for family in Family::ALL {
        if wanted.as_ref().is_none_or(|wanted| *wanted == format!("{family:?}")) {
            let mut totals = Totals::default();
            let mut forced = forced::Totals::default();
            for seed in seeds_asked_for() {
                let compared = [
                    add_up(&mut totals, family, seed),
                    forced::add_up(&mut forced, family, seed),
                    replayed::compare(family, seed).map(drop),
                    listed::compare(family, seed).map(drop),
                ];
                for difference in compared.into_iter().filter_map(Result::err) {
                    report(&difference);
                    wrong.push((family, seed));
                }
            }
            report(&format!("{family:?}: {totals}\n{family:?}, forced: {forced}"));
        }
    }
    assert!(wrong.is_empty(), "engine and oracle differ on {wrong:?}");
}

/// Former bugs: a word was feasible by names that only other executions show to be others; it was not fixed which of the
/// threads that arrived together took the turn; that a select could have received what another thread waited for was noticed
/// only if it came second; a caller that waited for its turn found an entry gone, though its call had been
/// accepted; a sequence did not show that a timer has an order of its own; lists were in an order that cannot happen, since
/// a sequence did not show where else a receive had found nothing, or since who finds a thread waiting seemed to come
/// directly after an earlier select of that thread.
#[test]
fn what_was_wrong_once_agrees() {
    let seeds = [
        (Family::Carriers, 6133),
        (Family::Barriers, 20_139),
        (Family::Barriers, 20_235),
        (Family::Barriers, 10_400),
        (Family::Choices, 30_173),
        (Family::Choices, 10_225),
        (Family::Entries, 10_029),
        (Family::Entries, 10_169),
        (Family::Jumble, 70_170),
        (Family::Jumble, 70_246),
        (Family::Choices, 82_488),
        (Family::PortChoices, 81_590),
        (Family::Arms, 81_058),
        (Family::Arms, 81_154),
        (Family::Looks, 81_038),
    ];
    for (family, seed) in seeds {
        assert_eq!(add_up(&mut Totals::default(), family, seed), Ok(()));
        let compared = forced::add_up(&mut forced::Totals::default(), family, seed);
        assert_eq!(compared, Ok(()));
        assert_eq!(replayed::compare(family, seed).map(drop), Ok(()));
        assert_eq!(listed::compare(family, seed).map(drop), Ok(()));
    }
}

/// An engine that gives up too early is caught, on programs that it otherwise gets right: the comparison does compare.
#[test]
fn an_engine_that_stops_early_disagrees() {
    let families = [Family::Ports];
    assert_eq!(first_disagreement(&families, 0..10, |explorer| explorer), None);
    assert!(first_disagreement(&families, 0..10, |explorer| explorer.max_executions(1)).is_some());
}
