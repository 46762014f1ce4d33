//! Campaigns made by hand: an ordinary one, an empty one, a hostile one, and a large one.

#![allow(dead_code, reason = "no user of this module needs all of it")]

use std::collections::{BTreeMap, BTreeSet};

use insyn_reports::page::{Case, Outcome, Page, TestLine};
use insyn_sequences::{
    Event, EventRef, Kind, Location, Op, Pick, Process, RaceColumn, RaceTable, Sequence, SequenceFile,
};
use insyn_verdicts::campaign::{Campaign, Mutant, Phase, Program, Test, VERSION, Validity, Variant};
use insyn_verdicts::mutant::{Departure, Difference, Distinguishing, Kill, Rejection};
use insyn_verdicts::reaction::Ending;
use insyn_verdicts::{Feasibility, KillKind, Reaction, Status, Survival, Termination};
use serde_json::json;

/// The source that the mutants of [`example`] are in.
const SOURCE: &str = "\
fn serve(slots: usize, deposits: &Entry<u32, ()>, withdrawals: &Entry<(), u32>) {
    let mut items = vec![0; slots];
    let (mut full, mut next_in, mut next_out) = (0, 0, 0);
    loop {
        insyn::select! {
            accept(deposits) -> mut call if full < slots => {
                items[next_in] = call.take().expect(\"a call has a request\");
                next_in = (next_in + 1) % slots;
                full += 1;
                call.reply(());
            },
            accept(withdrawals) -> call if full > 0 => {
                call.reply(items[next_out]);
                next_out = (next_out + 1) % slots;
                full -= 1;
            },
            closed => return,
        }
    }
}
";

const FILE: &str = "src/select.rs";

/// The execution of a server that accepts these calls, `deposit` or `withdraw`, each from its own thread, as the text of
/// a sequence file; and the events of the file that the calls are.
pub(crate) fn execution(calls: &[&str]) -> (String, Vec<String>) {
    execution_with(calls, true)
}

/// As [`execution`], with its races if they are known.
fn execution_with(calls: &[&str], races_are_known: bool) -> (String, Vec<String>) {
    let sequence = server(calls);
    let server = sequence.processes.iter().position(|it| it.name.as_deref() == Some("server")).unwrap();
    let steps =
        (0..calls.len()).map(|n| sequence.event_name(EventRef { process: server, index: 2 * n })).collect();
    let races = races_are_known.then(|| races(&sequence));
    let mut file = SequenceFile { sequence, races, ..SequenceFile::default() };
    file.about.insert("program".into(), "select".into());
    (file.write().unwrap(), steps)
}

/// The race table of [`server`]: each accept could have taken any call that is accepted later. All accepts are on one thread,
/// so a change removes what comes after it.
fn races(sequence: &Sequence) -> RaceTable {
    let server = sequence.processes.iter().position(|it| it.name.as_deref() == Some("server")).unwrap();
    let accepts = sequence.processes[server].events.iter().enumerate().filter(|(_, it)| it.op == Op::Accept);
    let taken: Vec<(EventRef, Vec<EventRef>)> = accepts
        .map(|(index, it)| (EventRef { process: server, index }, it.pick.partners().to_vec()))
        .collect();
    let later = |n: usize| taken[n + 1..].iter().map(|(_, partners)| partners.clone()).collect();
    let columns = (0..taken.len().saturating_sub(1))
        .map(|n| RaceColumn { event: taken[n].0, race_set: later(n) })
        .collect::<Vec<_>>();
    let mut rows = Vec::new();
    for (n, column) in columns.iter().enumerate() {
        for digit in 1..=column.race_set.len() as i64 {
            let at = |other: usize| if other < n { 0 } else { -1 };
            let row = (0..columns.len()).map(|other| if other == n { digit } else { at(other) });
            rows.push(row.collect::<Vec<i64>>());
        }
    }
    rows.sort_unstable();
    let more = rows.len() > 50;
    rows.truncate(50);
    RaceTable { columns, rows, more }
}

/// The sequence of [`execution`].
pub(crate) fn server(calls: &[&str]) -> Sequence {
    let process = |id: &str, kind, name: &str| Process {
        id: id.into(),
        kind,
        name: Some(name.into()),
        events: Vec::new(),
    };
    let mut processes = vec![
        Process { name: None, ..process("main", Kind::Thread, "") },
        process("main/entry1", Kind::Entry, "deposits"),
        process("main/entry2", Kind::Entry, "withdrawals"),
        process("main/thread1", Kind::Thread, "server"),
    ];
    let event = |op, object, pick, after: &[EventRef], line| Event {
        op,
        object,
        pick,
        after: after.to_vec(),
        empty: Vec::new(),
        label: None,
        location: Some(Location { file: FILE.into(), line, column: 13 }),
    };
    let mut counts = [0; 2];
    let mut ends = Vec::new();
    for (n, &call) in calls.iter().enumerate() {
        let side = usize::from(call == "withdraw");
        counts[side] += 1;
        let name = format!("{}{}", ["producer", "consumer"][side], counts[side]);
        let (thread, entry) = (4 + n, Some(1 + side));
        let id = format!("main/thread{:02}", 2 * counts[side] + side);
        processes.push(process(&id, Kind::Thread, &name));
        let at = |process, index| EventRef { process, index };
        processes[thread].events.push(event(Op::Call, entry, Pick::Nothing, &[], 30));
        let picked = Pick::Partners(vec![at(thread, 0)]);
        processes[3].events.push(event(Op::Accept, entry, picked, &[], [6, 12][side]));
        processes[3].events.push(event(Op::Reply, entry, Pick::None, &[], [10, 13][side]));
        processes[thread].events.push(event(Op::Return, entry, Pick::None, &[at(3, 2 * n + 1)], 31));
        ends.push(at(thread, 1));
    }
    for end in ends {
        processes[0].events.push(event(Op::Join, None, Pick::None, &[end], 40));
    }
    Sequence::from_processes(processes).unwrap()
}

fn words(words: &str) -> Vec<String> {
    words.split_whitespace().map(str::to_owned).collect()
}

pub(crate) fn feasible(termination: Termination, output: Option<serde_json::Value>) -> Reaction {
    let results = vec![Ending { termination, output }];
    Reaction { verdict: Feasibility::Feasible, results, why: String::new() }
}

pub(crate) fn infeasible(why: &str) -> Reaction {
    Reaction { verdict: Feasibility::Infeasible, results: Vec::new(), why: why.into() }
}

fn test(phase: Phase, name: &str, sequence: &str, original: Reaction) -> Test {
    let (file, steps) = match original.verdict {
        Feasibility::Feasible => {
            let (file, steps) = execution(&sequence.split_whitespace().collect::<Vec<_>>());
            (Some(file), steps)
        }
        _ => (None, Vec::new()),
    };
    Test {
        program: 0,
        phase,
        name: name.into(),
        sequence: words(sequence),
        original,
        file,
        steps,
        ..Test::default()
    }
}

/// A mutant of a line of [`SOURCE`].
fn mutant(operator: &str, family: &str, line: u32, from: &str, to: &str, status: Status) -> Mutant {
    let text = SOURCE.lines().nth(line as usize - 1).unwrap();
    let column = text.find(from).unwrap() as u32 + 1;
    let id = format!("{operator}-{:08x}", line * 0x0101_4b1d + column * 7919 + to.len() as u32);
    let changed = text.replacen(from, to, 1);
    Mutant {
        diff: format!("--- {FILE}\n+++ {FILE} {id}\n@@ -{line} +{line} @@\n-{text}\n+{changed}\n"),
        id,
        operator: operator.into(),
        family: family.into(),
        file: FILE.into(),
        start: (line, column),
        end: (line, column + from.len() as u32),
        function: "serve".into(),
        description: format!("`{from}` replaced by `{to}`"),
        replacement: to.into(),
        status,
        all_kills: status == Status::Killed,
        ..Mutant::default()
    }
}

fn kill(test: usize, difference: Difference, event: Option<usize>, mutant: Reaction) -> Kill {
    Kill { test, difference, event, departure: None, mutant }
}

/// The specification objects to an event of a sequence.
fn rejection(sequence: &str, event: Option<usize>, why: &str) -> Rejection {
    let (file, steps) = execution(&sequence.split_whitespace().collect::<Vec<_>>());
    Rejection {
        program: 0,
        kind: KillKind::Specification,
        why: why.into(),
        sequence: words(sequence),
        event,
        file: Some(file),
        steps,
    }
}

/// Every kind of departure of two executions.
fn departures() -> [Departure; 3] {
    let [event, mutant, original] =
        ["main/semaphore1#3", "release on main/semaphore1", "nothing"].map(str::to_owned);
    [Departure::Nowhere, Departure::At { event, mutant, original }, Departure::Unknown]
}

/// A campaign on a bounded buffer with a mutant for every end.
pub(crate) fn example() -> Campaign {
    let done = || feasible(Termination::Normal, Some(json!([1, 2, 3])));
    let mut tests = vec![
        test(Phase::Collected, "sequence 1", "deposit withdraw deposit withdraw deposit withdraw", done()),
        test(Phase::Collected, "sequence 2", "deposit deposit withdraw withdraw deposit withdraw", done()),
        test(Phase::Collected, "sequence 3", "deposit deposit withdraw deposit withdraw withdraw", done()),
        test(
            Phase::Written,
            "three deposits into two slots",
            "deposit deposit deposit withdraw withdraw withdraw",
            infeasible("all slots are full at event 3"),
        ),
        test(
            Phase::Written,
            "withdraw from an empty buffer",
            "withdraw deposit deposit withdraw deposit withdraw",
            infeasible("no slot is full at event 1"),
        ),
    ];
    let of = |of, at: usize| Some(Variant { of, changes: vec![format!("main/thread1#{}", 2 * at)] });
    (tests[1].variant, tests[2].variant) = (of(0, 1), of(1, 3));
    let overfull = "deposit deposit deposit withdraw withdraw withdraw";
    let full = || feasible(Termination::Panic, None);
    let mut details = vec![
        Mutant {
            kills: vec![kill(3, Difference::Feasibility, Some(2), full())],
            rejections: vec![rejection(overfull, Some(2), "deposit while all slots are full")],
            killed_by: Some(KillKind::Specification),
            ..mutant("GBS", "guards", 6, "<", "<=", Status::Killed)
        },
        Mutant {
            kills: departures()
                .into_iter()
                .enumerate()
                .map(|(test, departure)| Kill {
                    departure: Some(departure),
                    ..kill(
                        test,
                        Difference::Output,
                        None,
                        feasible(Termination::Normal, Some(json!([0, 0, 0]))),
                    )
                })
                .collect(),
            killed_by: Some(KillKind::Collected),
            ..mutant("AOR", "operators", 8, "+", "-", Status::Killed)
        },
        Mutant {
            kills: vec![
                kill(1, Difference::Feasibility, Some(1), infeasible("the guard of deposits is closed")),
                kill(2, Difference::Feasibility, Some(1), infeasible("the guard of deposits is closed")),
            ],
            killed_by: Some(KillKind::Collected),
            ..mutant("GNG", "guards", 6, "full < slots", "!(full < slots)", Status::Killed)
        },
        Mutant {
            kills: vec![kill(4, Difference::Termination, Some(0), feasible(Termination::Panic, None))],
            rejections: vec![Rejection {
                program: 1,
                kind: KillKind::Exploration,
                why: "the process died: signal 6 (SIGABRT)".into(),
                sequence: Vec::new(),
                event: None,
                file: None,
                steps: Vec::new(),
            }],
            killed_by: Some(KillKind::Exploration),
            died: true,
            ..mutant("GTR", "guards", 12, "full > 0", "true", Status::Killed)
        },
        Mutant {
            survival: Some(Survival::Missing),
            ..mutant("ROR", "operators", 12, "full > 0", "full >= 0", Status::Survived)
        },
        Mutant {
            reason: "more than 10000 executions".into(),
            ..mutant("AOR", "operators", 15, "-=", "+=", Status::Undecided)
        },
        Mutant {
            survival: Some(Survival::Allowed),
            ..mutant("COR", "operators", 3, "0, 0, 0", "1, 1, 1", Status::Survived)
        },
        Mutant {
            reason: "all 144 sequences and their outputs are the same".into(),
            ..mutant("ROR", "operators", 12, "> 0", "!= 0", Status::Equivalent)
        },
        Mutant {
            reason: "error[E0308]: mismatched types: expected `u32`, found `()`".into(),
            ..mutant("CRR", "channels", 13, "items[next_out]", "()", Status::Unviable)
        },
        mutant("CSE", "channels", 17, "return", "continue", Status::Unreached),
        Mutant {
            reason: "the order of the slots is tested elsewhere".into(),
            ..mutant("AOR", "operators", 14, "+", "*", Status::Skipped)
        },
        mutant("CRR", "channels", 10, "call.reply(())", "drop(call)", Status::Pending),
    ];
    for survivor in details.iter_mut().filter(|it| it.status == Status::Survived) {
        let (file, steps) = execution(&overfull.split_whitespace().collect::<Vec<_>>());
        survivor.distinguishing = Some(Distinguishing {
            program: 0,
            sequence: words(overfull),
            event: Some(2),
            departure: None,
            mutant: feasible(Termination::Normal, Some(json!([1, 2, 3]))),
            original: infeasible("all slots are full at event 3"),
            file: Some(file),
            steps,
            test: Some(format!(
                "- name: overfull\n  sequence: [{}]\n  expect: infeasible\n",
                overfull.replace(' ', ", ")
            )),
        });
    }
    let validity = Validity {
        feasible_valid: 144,
        infeasible_valid: Some(0),
        infeasible_invalid: 2,
        ..Validity::default()
    };
    finish(Campaign {
        package: "bounded-buffer".into(),
        programs: vec![
            Program {
                name: "select".into(),
                input: Some(json!({"producers": 3, "consumers": 3, "slots": 2})),
                sequences: 144,
                complete: true,
                validity: Some(validity),
            },
            Program { name: "mpsc".into(), sequences: 1000, complete: false, ..Program::default() },
        ],
        tests,
        details,
        sources: BTreeMap::from([(FILE.into(), SOURCE.into())]),
        builds: 2,
        ..Campaign::default()
    })
}

/// A campaign that found nothing to do.
pub(crate) fn empty() -> Campaign {
    finish(Campaign { package: "nothing".into(), ..Campaign::default() })
}

/// Names and messages that are possible but hostile.
pub(crate) const HOSTILE: [&str; 8] = [
    "</script><script>alert(1)</script>",
    "<!-- <script> \"quotes\" 'and' `ticks` &amp; |pipes|",
    "🦀 \u{202e}txet\u{202c} \u{0}\u{1b}[31mred\u{7f}",
    "]]>\r\n::error file=x::y%0A@everyone #1",
    "\" onmouseover=\"alert(1)\" x=\"",
    "${`javascript:`}\u{2028}\u{2029}\\",
    "# heading\n\n- list **bold** [link](javascript:alert(1))",
    "",
];

/// [`example`] with these texts everywhere, and with a very long one.
pub(crate) fn hostile() -> Campaign {
    let mut n = 0;
    let mut next = || {
        n += 1;
        HOSTILE[n % HOSTILE.len()].to_owned()
    };
    let mut campaign = example();
    campaign.package = next();
    for program in &mut campaign.programs {
        program.name = next();
        program.input = Some(json!({next(): next()}));
    }
    for test in &mut campaign.tests {
        (test.name, test.original.why) = (next(), next());
        if test.file.is_some() {
            test.file = Some(hostile_execution());
        }
        if let Some(variant) = &mut test.variant {
            variant.changes.push(next() + &"long ".repeat(2000));
        }
        test.sequence.iter_mut().for_each(|it| *it = next());
        for result in &mut test.original.results {
            result.output = Some(json!(next()));
        }
    }
    for (n, mutant) in campaign.details.iter_mut().enumerate() {
        (mutant.function, mutant.description, mutant.replacement) = (next(), next(), next());
        (mutant.reason, mutant.diff) =
            (next() + &"long ".repeat(2000), format!("--- a\n+++ b\n-{}\n+{}\n", next(), next()));
        mutant.file = format!("src/{n} {}.rs", next().replace(['\n', '\r', '\0'], " "));
        mutant.id = format!("X-{n}");
        for kill in &mut mutant.kills {
            kill.mutant.why = next();
            if kill.event.is_none() {
                let (event, mutant, original) = (next(), next(), next());
                kill.departure = Some(Departure::At { event, mutant, original });
            }
        }
        for it in &mut mutant.rejections {
            it.why = next();
            it.sequence.iter_mut().for_each(|it| *it = next());
            it.file = it.file.is_some().then(hostile_execution);
            it.steps = Vec::new();
        }
        if let Some(it) = &mut mutant.distinguishing {
            it.sequence.iter_mut().for_each(|it| *it = next());
            it.test = Some(next());
            it.file = Some(hostile_execution());
            it.steps = Vec::new();
        }
    }
    campaign.sources = campaign.details.iter().map(|it| (it.file.clone(), next())).collect();
    finish(campaign)
}

/// An execution whose threads and files have such names.
fn hostile_execution() -> String {
    let mut sequence = server(&["deposit", "withdraw", "deposit"]);
    let races = races(&sequence);
    for (n, process) in sequence.processes.iter_mut().enumerate() {
        process.name = Some(HOSTILE[n % HOSTILE.len()].to_owned());
        for event in &mut process.events {
            event.location =
                Some(Location { file: HOSTILE[(n + 1) % HOSTILE.len()].into(), line: 1, column: 1 });
        }
    }
    SequenceFile { sequence, races: Some(races), ..SequenceFile::default() }.write().unwrap()
}

/// A campaign with the given number of mutants and tests; every mutant is killed by a few hundred tests at most.
pub(crate) fn large(mutants: usize, tests: usize) -> Campaign {
    let example = example();
    let mut campaign = Campaign { details: Vec::new(), tests: Vec::new(), ..example.clone() };
    for n in 0..tests {
        // Each in its own order, by the bits of its number.
        let calls: Vec<&str> = (0..15).map(|bit| ["deposit", "withdraw"][n >> bit & 1]).collect();
        // As in a real campaign, most sequences have nothing but the test that they are variants of.
        let is_known = n < 200;
        let (file, steps) = execution_with(&calls, is_known);
        let sequence = calls.iter().map(|&it| it.to_owned()).collect();
        let (name, file) = (format!("sequence {}", n + 1), Some(file));
        let changes = if is_known { vec!["main/thread1#4".to_owned()] } else { Vec::new() };
        // A tree that is wide at its root, and goes down elsewhere.
        let variant = n.checked_sub(1).map(|n| Variant { of: if n % 2 == 0 { 0 } else { n / 4 }, changes });
        campaign.tests.push(Test { name, sequence, file, steps, variant, ..example.tests[0].clone() });
    }
    for n in 0..mutants {
        let mut mutant = example.details[n % example.details.len()].clone();
        mutant.id = format!("{}-{:08x}", mutant.operator, (n as u32).wrapping_mul(2_654_435_761));
        mutant.file = format!("src/part{}.rs", n % 23);
        if mutant.status == Status::Killed {
            let step = (tests / 300).max(1);
            let killing = (n % 7..tests).step_by(step).filter(|test| test % (n % 5 + 1) == 0);
            mutant.kills = killing.map(|test| Kill { test, ..mutant.kills[0].clone() }).collect();
        }
        campaign.details.push(mutant);
    }
    campaign.sources = (0..23).map(|n| (format!("src/part{n}.rs"), SOURCE.to_owned())).collect();
    finish(campaign)
}

/// Computes the counts.
pub(crate) fn finish(mut campaign: Campaign) -> Campaign {
    campaign.version = VERSION;
    let families: BTreeSet<String> = campaign.details.iter().map(|it| it.family.clone()).collect();
    campaign.tally(&families.iter().map(String::as_str).collect::<Vec<_>>());
    campaign
}

/// What `check` found: a program that passes, and one that fails with many threads.
pub(crate) fn page() -> Page {
    let calls: Vec<&str> = (0..20).map(|n| ["deposit", "withdraw"][n % 2]).collect();
    let (file, _) = execution(&calls);
    let tests = vec![
        TestLine {
            name: "the buffer fills up".into(),
            passed: true,
            verdict: "feasible".into(),
            why: String::new(),
        },
        TestLine {
            name: "three deposits into two slots".into(),
            passed: false,
            verdict: "feasible".into(),
            why: "expected infeasible\n  ended: panic".into(),
        },
    ];
    let case = Case {
        title: "panic: 2 was withdrawn twice".into(),
        text: "panic: 2 was withdrawn twice\n  thread main panicked at src/lib.rs:39:13".into(),
        file,
        command: Some("cargo insyn replay target/insyn/failure-1.yaml".into()),
    };
    let package = "bounded-buffer".to_owned();
    Page {
        title: "check of bounded-buffer".into(),
        programs: vec![
            Outcome {
                package: package.clone(),
                name: "select".into(),
                input: Some("{slots: 2}".into()),
                passed: true,
                headline: "144 sequences in 144 executions".into(),
                validity: Some([Some(144), Some(0), None, Some(2)]),
                ..Outcome::default()
            },
            Outcome {
                package,
                name: "faulty".into(),
                headline: "180 sequences in 180 executions".into(),
                validity: Some([Some(144), Some(36), Some(0), Some(1)]),
                notes: vec!["warning: no execution does `peek`; did you mean `put`?".into()],
                tests,
                cases: vec![case],
                ..Outcome::default()
            },
        ],
    }
}

/// The same with hostile texts everywhere.
pub(crate) fn hostile_page() -> Page {
    let mut n = 0;
    let mut next = || {
        n += 1;
        HOSTILE[n % HOSTILE.len()].to_owned() + &"long".repeat(n)
    };
    let mut page = page();
    page.title = next();
    for it in &mut page.programs {
        (it.package, it.name, it.headline, it.input) = (next(), next(), next(), Some(next()));
        it.notes.push(next());
        for test in &mut it.tests {
            (test.name, test.verdict, test.why) = (next(), next(), next());
        }
        for case in &mut it.cases {
            (case.title, case.text, case.command) = (next(), next(), Some(next()));
            case.file = hostile_execution();
        }
    }
    page
}
