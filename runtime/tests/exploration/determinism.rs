//! The result of an exploration is the same value, and the same text, whatever the number of workers and on every run.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex as Plain};

use insyn::std::sync::Mutex;
use insyn::std::sync::mpsc::{Receiver, channel, sync_channel};
use insyn::std::thread;
use insyn::{Ended, Exploration, Explorer, Sequence, Termination};
use insyn_engine::mixer::Mixer;
use insyn_explorer::fingerprint;
use insyn_test_support::programs::bounded_buffer::{self as bb, config};
use insyn_test_support::programs::{dining_philosophers as dp, others, readers_writers as rw};

/// A program that can be run many times.
type Program = Arc<dyn Fn() + Send + Sync>;

fn explore(explorer: &Explorer, program: &Program) -> Exploration {
    let program = program.clone();
    explorer.explore(move || program())
}

/// Every way of running must give the result of one worker.
#[track_caller]
fn assert_same(name: &str, explorer: &Explorer, run: impl Fn(&Explorer) -> Exploration) -> Exploration {
    let one = run(&explorer.clone().workers(1));
    for workers in [1, 2, 4] {
        let many = run(&explorer.clone().workers(workers));
        assert_eq!(many.to_string(), one.to_string(), "{name}, {workers} workers");
        assert_eq!(many, one, "{name}, {workers} workers");
    }
    one
}

// ---- programs that fail --------------------------------------------------------------------------------------------

/// Panics at two places and deadlocks, depending on the order of four messages.
fn fails() {
    let (tx, rx) = channel();
    for n in 0..4 {
        let tx = tx.clone();
        thread::spawn(move || tx.send(n).unwrap());
    }
    let order: Vec<u32> = (0..4).map(|_| rx.recv().unwrap()).collect();
    assert!(order[0] != 2, "two comes first: {order:?}");
    assert!(order[3] != 0, "nought comes last: {order:?}");
    if order[1] == 3 {
        let _never = rx.recv();
    }
}

/// Philosophers that all take the left fork first.
fn greedy_philosophers() {
    let forks: Arc<Vec<Mutex<()>>> = Arc::new((0..3).map(|_| Mutex::new(())).collect());
    let threads: Vec<_> = (0..3)
        .map(|i| {
            let forks = forks.clone();
            thread::spawn(move || {
                let _left = forks[i].lock().unwrap();
                let _right = forks[(i + 1) % 3].lock().unwrap();
            })
        })
        .collect();
    for t in threads {
        let _ = t.join();
    }
}

/// Fails at four places in a third of its 720 sequences, each time with another message.
fn fails_often() {
    let order = others::fan_in(6)();
    assert!(order[5] != 0, "{order:?}");
    assert!(order[4] != 1 || order[0] < 4, "{order:?}");
    assert!(order[2] != 1 || order[3] != 4, "{order:?}");
    assert!(order[1] != 3 || order[4] != 2, "{order:?}");
}

/// Each of four threads passes on what comes from outside, but not what its neighbour passes on: has repeats, and
/// panics where a message finds its receiver gone.
fn ring() {
    let (txs, rxs): (Vec<_>, Vec<_>) = (0..4).map(|_| channel()).unzip();
    let mut relays = Vec::new();
    for (i, rx) in rxs.into_iter().enumerate() {
        let (here, next) = (txs[i].clone(), txs[(i + 1) % 4].clone());
        thread::spawn(move || here.send("from outside").unwrap());
        relays.push(thread::spawn(move || {
            if rx.recv() == Ok("from outside") {
                next.send("passed on").unwrap();
            }
            rx
        }));
    }
    let _receivers: Vec<_> = relays.into_iter().map(|r| r.join()).collect();
}

/// Two threads send to two channels in opposite orders: not every pair of orders of arrival is real.
fn crossing() {
    let (p, from_p) = channel();
    let (q, from_q) = channel();
    let (p_2, q_2) = (p.clone(), q.clone());
    thread::spawn(move || (p.send(1).unwrap(), q.send(1).unwrap()));
    thread::spawn(move || (q_2.send(2).unwrap(), p_2.send(2).unwrap()));
    for rx in [from_p, from_q] {
        assert_eq!(rx.iter().sum::<i32>(), 3);
    }
}

/// Polls, so that some of its sequences end at the bound on steps.
fn polls() {
    let (tx, rx) = channel();
    let (tx_2, rx_2) = sync_channel(1);
    thread::spawn(move || {
        tx.send(1).unwrap();
        let _ = tx_2.send(2);
    });
    while rx.try_recv().is_err() {
        thread::yield_now();
    }
    let _ = rx_2.try_recv();
}

/// Ways to be blocked that differ in their places.
const STUCK: [fn(&Receiver<()>); 14] = [
    |rx| rx.recv().unwrap(),
    |rx| rx.recv().unwrap(),
    |rx| rx.recv().unwrap(),
    |rx| rx.recv().unwrap(),
    |rx| rx.recv().unwrap(),
    |rx| rx.recv().unwrap(),
    |rx| rx.recv().unwrap(),
    |rx| rx.recv().unwrap(),
    |rx| rx.recv().unwrap(),
    |rx| rx.recv().unwrap(),
    |rx| rx.recv().unwrap(),
    |rx| rx.recv().unwrap(),
    |rx| rx.recv().unwrap(),
    |rx| rx.recv().unwrap(),
];

/// Deadlocks at 128 places, more than are remembered: seven threads are each stuck at one of two. Every place is reached
/// six times; which ones are reached first depends on the message that comes first.
fn deadlocks_everywhere() {
    let (tx, rx) = channel();
    for n in 0..3 {
        let tx = tx.clone();
        thread::spawn(move || tx.send(n).unwrap());
    }
    let order = [(); 3].map(|()| rx.recv().unwrap());
    for ways in STUCK.chunks(2) {
        let (tx, rx) = channel();
        let keep = tx.clone();
        thread::spawn(move || tx.send(()));
        thread::spawn(move || {
            let _keep = keep;
            let early = rx.try_recv().is_ok();
            if !early {
                let _late = rx.recv();
            }
            ways[usize::from(early == (order[0] == 0))](&rx);
        });
    }
}

/// Lets a loop that polls run until the bound on steps.
fn impatient() -> Explorer {
    Explorer::new().max_steps(30).patient_polling(false)
}

fn programs() -> Vec<(&'static str, Program)> {
    vec![
        ("bounded buffer, selective wait", Arc::new(bb::selective_wait(config(3, 3, 2)))),
        ("bounded buffer, semaphores", Arc::new(bb::semaphores(config(3, 3, 2)))),
        ("bounded buffer, urgent monitor", Arc::new(bb::su_monitor(config(3, 2, 2)))),
        ("bounded buffer, condition variables", Arc::new(bb::sc_notify_one(config(2, 2, 1)))),
        ("readers and writers, semaphores", Arc::new(rw::semaphores(2, 2))),
        ("dining philosophers", Arc::new(dp::su_monitor(4))),
        ("fan-in", Arc::new(|| drop(others::fan_in(5)()))),
        ("panics and deadlocks", Arc::new(fails)),
        ("greedy philosophers", Arc::new(greedy_philosophers)),
        ("many panics", Arc::new(fails_often)),
        ("ring", Arc::new(ring)),
        ("crossing", Arc::new(crossing)),
        ("polling", Arc::new(polls)),
    ]
}

#[test]
fn workers_make_no_difference() {
    let explorer = Explorer::new().max_steps(24 * 60).longest_waiter(true);
    for (name, program) in programs() {
        let explorer = if name == "polling" { impatient() } else { explorer.clone() };
        let found = assert_same(name, &explorer, |e| explore(e, &program));
        assert!(found.sequences > 1, "{name}: {found}");
    }
}

/// The comparison is meaningful only if there is something to compare.
#[test]
fn failing_programs_fail_in_many_ways() {
    let found = explore(&Explorer::new(), &(Arc::new(fails) as Program));
    assert_eq!((found.sequences, found.failures.len()), (24, 3), "{found}");
    assert!(found.panics > 0 && found.deadlocks > 0, "{found}");
    let found = explore(&Explorer::new(), &(Arc::new(greedy_philosophers) as Program));
    assert!(found.deadlocks > 0 && found.deadlocks < found.sequences, "{found}");
    let found = explore(&impatient(), &(Arc::new(polls) as Program));
    assert!(found.step_bounds > 0 && found.sequences > found.step_bounds, "{found}");
    let found = explore(&Explorer::new(), &(Arc::new(fails_often) as Program));
    assert_eq!((found.sequences, found.panics, found.failures.len()), (720, 191, 4), "{found}");
    let found = explore(&Explorer::new(), &(Arc::new(ring) as Program));
    assert_eq!((found.sequences, found.repeats), (17, 2), "{found}");
    let found = explore(&Explorer::new(), &(Arc::new(crossing) as Program));
    assert_eq!((found.sequences, found.inconsistent), (3, 1), "{found}");
}

#[test]
fn failures_are_the_same_when_there_are_too_many_to_remember() {
    let program: Program = Arc::new(deadlocks_everywhere);
    for shortest in [false, true] {
        let explorer = Explorer::new().shortest_failure(shortest);
        let found = assert_same("deadlocks everywhere", &explorer, |e| explore(e, &program));
        assert_eq!((found.sequences, found.deadlocks), (128 * 6, 128 * 6), "{found}");
        assert_eq!((found.failures.len(), found.left_out), (32, (128 - 32) * 6), "memory stays flat");
        let occurrences: Vec<u64> = found.failures.iter().map(|f| f.occurrences).collect();
        assert_eq!(occurrences, vec![6; occurrences.len()], "each place is met six times");
    }
}

#[test]
fn shortest_failures_are_the_same() {
    for (name, program) in
        [("panics and deadlocks", fails as fn()), ("greedy philosophers", greedy_philosophers)]
    {
        let program: Program = Arc::new(program);
        let _ = assert_same(name, &Explorer::new().shortest_failure(true), |e| explore(e, &program));
    }
}

#[test]
fn bounds_cut_at_the_same_place() {
    for (name, program) in programs() {
        for bound in [1, 2, 7, 20] {
            let explorers = [
                Explorer::new().max_steps(60).max_sequences(bound),
                Explorer::new().max_steps(60).max_executions(bound),
                Explorer::new().max_steps(60).max_executions(bound).seed(3),
            ];
            for explorer in explorers {
                let found = assert_same(name, &explorer, |e| explore(e, &program));
                assert!(found.sequences <= bound, "{name}: {found}");
                assert!(
                    found.executions == bound || found.sequences == bound || found.bound.is_none(),
                    "{found}"
                );
            }
        }
        let first = Explorer::new().max_steps(60).stop_at_first_failure(true);
        let _ = assert_same(name, &first, |e| explore(e, &program));
    }
}

/// More is found with a larger bound, and what was found before is still there.
#[test]
fn bounded_explorations_are_beginnings_of_larger_ones() {
    let program: Program = Arc::new(bb::semaphores(config(3, 3, 2)));
    let small = sequences(&Explorer::new().max_sequences(50), &program);
    let large = sequences(&Explorer::new().max_sequences(100), &program);
    assert_eq!((small.len(), large.len()), (50, 100));
    assert!(small.is_subset(&large));
}

/// What was counted, sequence by sequence.
fn sequences(explorer: &Explorer, program: &Program) -> BTreeSet<(Sequence, Termination)> {
    let seen: Arc<Plain<BTreeSet<(Sequence, Termination)>>> = Arc::default();
    let collect = seen.clone();
    let explorer = explorer.clone().observe(move |ended| {
        if ended.counted() {
            let new = collect.lock().unwrap().insert((ended.sequence(), ended.termination()));
            assert!(new, "a sequence was run twice");
        }
    });
    let found = explore(&explorer, program);
    let seen = std::mem::take(&mut *seen.lock().unwrap());
    assert_eq!(seen.len() as u64, found.sequences, "{found}");
    seen
}

#[test]
fn seeds_explore_the_same_set() {
    for (name, program) in programs() {
        if name == "polling" {
            continue; // Where an endless sequence is cut depends on the order of its events.
        }
        let explorer = Explorer::new().longest_waiter(true);
        let fixed = sequences(&explorer, &program);
        for seed in [0, 0xdead_beef] {
            let random = sequences(&explorer.clone().seed(seed), &program);
            assert!(random == fixed, "{name}, seed {seed}: {} sequences, not {}", random.len(), fixed.len());
        }
    }
}

#[test]
fn seeds_make_no_difference_to_workers() {
    for (name, program) in programs().into_iter().skip(5) {
        let _ = assert_same(name, &Explorer::new().max_steps(60).seed(1), |e| explore(e, &program));
    }
}

/// The seed decides which execution comes first: at least two of them differ.
#[test]
fn seeds_choose_the_single_run() {
    let run = |seed| Explorer::new().seed(seed).run(others::fan_in(5));
    let outputs: BTreeSet<Option<String>> = (0..10).map(|seed| run(seed).output).collect();
    assert!(outputs.len() > 3, "{outputs:?}");
    for seed in 0..10 {
        assert_eq!(run(seed), run(seed));
    }
    assert_eq!(Explorer::new().run(others::fan_in(5)), Explorer::new().run(others::fan_in(5)));
}

#[test]
fn samples_are_the_same() {
    for (name, program) in programs() {
        let sample = |e: &Explorer| {
            let program = program.clone();
            e.sample(60, move || program())
        };
        for explorer in [Explorer::new().max_steps(80), Explorer::new().max_steps(80).seed(9)] {
            let found = assert_same(name, &explorer, sample);
            assert_eq!((found.executions, found.repeats), (60, 0), "{name}: {found}");
            assert!(found.sequences > 1 && found.sequences <= 60, "{name}: {found}");
        }
    }
}

/// Given enough runs, random choices reach every sequence of a small space, and none that does not exist.
#[test]
fn samples_come_from_the_same_set() {
    let program: Program = Arc::new(|| drop(others::fan_in(3)()));
    let all: BTreeSet<Sequence> = sequences(&Explorer::new(), &program).into_iter().map(|(s, _)| s).collect();
    let seen: Arc<Plain<BTreeSet<Sequence>>> = Arc::default();
    let collect = seen.clone();
    let explorer = Explorer::new().seed(1).observe(move |ended| {
        collect.lock().unwrap().insert(ended.sequence());
    });
    let found = explorer.sample(300, others::fan_in(3));
    assert_eq!(found.sequences, all.len() as u64, "{found}");
    assert_eq!(*seen.lock().unwrap(), all);
}

#[test]
fn many_threads_are_no_trouble() {
    let run = Explorer::new().run(others::fan_in(200));
    assert_eq!((run.termination, run.sequence.processes.len()), (Termination::Normal, 202));
    let mut order: Vec<usize> = serde_json::from_str(&run.output.unwrap()).unwrap();
    order.sort_unstable();
    assert_eq!(order, (0..200).collect::<Vec<_>>());
    let bounded = |workers| Explorer::new().workers(workers).max_sequences(25).explore(others::fan_in(200));
    let found = bounded(1);
    assert_eq!((found.sequences, found.failures.len()), (25, 0), "{found}");
    assert_eq!(bounded(4), found);
    let sampled = assert_same("sampled fan-in", &Explorer::new(), |e| e.sample(4, others::fan_in(50)));
    assert_eq!(sampled.sequences, 4, "{sampled}");
}

/// Names, ids and places do not depend on which worker runs a thread or what ran there before.
#[test]
fn sequences_do_not_depend_on_what_ran_before() {
    let program: Program = Arc::new(bb::semaphores(config(2, 2, 2)));
    let alone = sequences(&Explorer::new().workers(1), &program);
    for (_, other) in programs() {
        let _ = explore(&Explorer::new().max_executions(5).max_steps(100), &other);
        assert_eq!(sequences(&Explorer::new().workers(3), &program), alone);
    }
}

// ---- the tree of variants ------------------------------------------------------------------------------------------

/// What an execution did, what its variant changed, and whether that is a row of a table.
#[derive(Debug, PartialEq)]
struct Node {
    sequence: Sequence,
    changes: BTreeMap<String, Vec<String>>,
    table: BTreeSet<BTreeMap<String, Vec<String>>>,
}

/// Executions by their paths.
type Nodes = BTreeMap<Vec<u64>, Node>;

/// Every execution of a program, including repeats and inconsistent ones.
fn nodes(explorer: &Explorer, program: &Program) -> Nodes {
    let seen: Arc<Plain<(u32, Nodes)>> = Arc::default();
    let see = seen.clone();
    let explorer = explorer.clone().observe(move |ended| {
        let sequence = ended.sequence();
        let name = |it| sequence.event_name(it);
        let taken = |all: &[_]| all.iter().map(|&it| name(it)).collect::<Vec<_>>();
        let picks = |it| (name(it), taken(sequence.event(it).pick.partners()));
        let races = ended.race_table();
        let row = |row: &Vec<i64>| {
            let changed = races.columns.iter().zip(row).filter(|(_, digit)| **digit > 0);
            let change = |(column, digit): (&insyn::RaceColumn, &i64)| {
                (name(column.event), taken(&column.race_set[*digit as usize - 1]))
            };
            changed.map(change).collect()
        };
        let node = Node {
            changes: ended.changes().into_iter().map(picks).collect(),
            table: races.rows.iter().map(row).collect(),
            sequence: sequence.clone(),
        };
        let mut seen = see.lock().unwrap();
        // Executions of an earlier round are discarded.
        if seen.0 < ended.round() {
            *seen = (ended.round(), BTreeMap::new());
        }
        if seen.0 == ended.round() {
            assert!(seen.1.insert(ended.path(), node).is_none(), "two executions have one path");
        }
    });
    let executions = explore(&explorer, program).executions;
    let nodes = std::mem::take(&mut seen.lock().unwrap().1);
    assert_eq!(nodes.len() as u64, executions);
    nodes
}

/// Each execution but the first is a variant of another: its changes are a row of the other's race table, they change what
/// the other took, and it makes no difference which worker runs it.
#[test]
fn executions_are_a_tree_of_variants() {
    let programs: [(&str, Program); 4] = [
        ("fan-in", Arc::new(|| drop(others::fan_in(4)()))),
        ("ring", Arc::new(ring)),
        ("philosophers", Arc::new(greedy_philosophers)),
        ("buffer", Arc::new(bb::semaphores(config(2, 2, 2)))),
    ];
    for (name, program) in programs {
        let one = nodes(&Explorer::new().workers(1), &program);
        assert!(one.len() > 1 && one[&Vec::new()].changes.is_empty(), "{name}");
        for (path, node) in one.iter().skip(1) {
            let parent = &one[&path[..path.len() - 1]];
            assert!(parent.table.contains(&node.changes), "{name} {path:?}: {:?}", node.changes);
            for (event, partners) in &node.changes {
                let (id, index) = event.rsplit_once('#').unwrap();
                let process = parent.sequence.processes.iter().find(|it| it.id == id).unwrap();
                let took = process.events[index.parse::<usize>().unwrap()].pick.partners();
                let took: Vec<String> = took.iter().map(|&it| parent.sequence.event_name(it)).collect();
                assert_ne!(took, *partners, "{name} {path:?}: {event}");
            }
        }
        assert_eq!(nodes(&Explorer::new().workers(4), &program), one, "{name}, 4 workers");
    }
}

/// A run has the fingerprint of its sequence, although the fingerprint is computed without making the sequence.
#[test]
fn a_run_has_the_fingerprint_of_its_sequence() {
    let check = |ended: &Ended<'_>| {
        let mut mixer = Mixer::new();
        ended.sequence().hash_behaviour(&mut mixer);
        assert_eq!(fingerprint::of(ended.engine()), mixer.value());
    };
    let exploration = Explorer::new().observe(check).explore(|| {
        let (numbers, received) = channel();
        let start = |n: i64| {
            let numbers = numbers.clone();
            thread::spawn(move || {
                insyn::label!("sends", n);
                let _ = numbers.send(n);
            })
        };
        let threads = [1, 2].map(start);
        drop(numbers);
        let first = received.try_recv();
        threads.into_iter().for_each(|it| it.join().expect("it does not panic"));
        (first.ok(), received.recv().ok())
    });
    assert!(exploration.is_complete() && exploration.sequences > 2);
}
