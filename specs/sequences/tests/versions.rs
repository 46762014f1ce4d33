//! Reads and writes with version numbers: the examples of the paper, and race variants against all interleavings.

mod common;

use std::collections::BTreeSet;

use common::build::Build;
use insyn_sequences::versions::{Access, RvKind, RwEvent, RwSequence, VersionErrorKind};
use insyn_sequences::{EventRef, Kind, Op, Pick, Sequence};
use proptest::prelude::*;

/// Records an execution of reads and writes, one after the other, each by thread and with its operation and variable.
/// Processes have the names of the paper: threads `1`, `2` and variables `A`, `B`. An update whose last field is true
/// fails.
fn execute(steps: &[(usize, Op, char, bool)]) -> Sequence {
    let mut build = Build::default();
    let threads = [1, 2, 3].map(|n| build.process(&n.to_string(), Kind::Thread));
    let variables = ['A', 'B'].map(|name| build.process(&name.to_string(), Kind::Atomic));
    let mut last_write: [Option<EventRef>; 2] = [None, None];
    for &(thread, op, variable, fails) in steps {
        let number = usize::from(variable == 'B');
        let (thread, variable) = (threads[thread - 1], variables[number]);
        match op {
            Op::Load => {
                let pick = last_write[number].map_or(Pick::Nothing, |write| Pick::Partners(vec![write]));
                build.event(thread, op, Some(variable), pick);
            }
            _ => {
                let call = build.does(thread, op, variable);
                let completion =
                    build.completes(variable, if fails { Op::FailedUpdate } else { op }, &[call]);
                if op != Op::Observe && !fails {
                    last_write[number] = Some(completion);
                }
            }
        }
    }
    build.finish()
}

/// As [`execute`], with `1RA` for a read of A by thread 1 and `2WB` for a write of B by thread 2.
fn rw(steps: &str) -> RwSequence {
    let step = |step: &str| match step.chars().collect::<Vec<_>>()[..] {
        [thread, access, variable] => {
            let op = if access == 'R' { Op::Load } else { Op::Store };
            (thread.to_digit(10).unwrap() as usize, op, variable, false)
        }
        _ => panic!("{step} is no step"),
    };
    RwSequence::of(&execute(&steps.split(' ').map(step).collect::<Vec<_>>())).unwrap()
}

fn variants(sequence: &RwSequence, name: &str) -> BTreeSet<String> {
    sequence.race_variants().iter().map(|it| it.sequence.named(name)).collect()
}

/// The sequence Q of section 4.2, by one of the orders in which it can happen.
fn q() -> RwSequence {
    let q = rw("1RA 1RB 2WA 1WA 2WB 2RA 2WB");
    assert_eq!(
        q.named("Q"),
        "Q[1] = (R(A,0), R(B,0), W(A,2))\n\
         Q[2] = (W(A,1), W(B,1), R(A,2), W(B,2))\n"
    );
    q
}

/// "The RV diagram for Q contains seven race-variant nodes": Q1 to Q7 as the paper lists them.
#[test]
fn the_race_variants_of_q() {
    let expected = [
        "Q[1] = (R(A,0), R(B,0), W(A,1))\nQ[2] = ()\n",
        "Q[1] = (R(A,0), R(B,1))\nQ[2] = (W(A,1), W(B,1))\n",
        "Q[1] = (R(A,0))\nQ[2] = (W(A,1), W(B,1), R(A,1))\n",
        "Q[1] = (R(A,1))\nQ[2] = (W(A,1))\n",
        "Q[1] = (R(A,1))\nQ[2] = (W(A,1), W(B,1))\n",
        "Q[1] = ()\nQ[2] = (W(A,1), W(B,1), R(A,1))\n",
        "Q[1] = (R(A,0), R(B,0))\nQ[2] = (W(A,1), W(B,1), R(A,1))\n",
    ];
    assert_eq!(q().race_variants().len(), 7);
    assert_eq!(variants(&q(), "Q"), expected.into_iter().map(str::to_owned).collect());
}

/// The RV diagram for Q. Figure 1 is missing from our copy of the paper; the tree is rebuilt from the algorithm and from
/// what the text says of the figure: seven race-variant nodes, and two pairs of prefix nodes with identical vectors,
/// (2,1) with (1,0) and (3,2) with (2,1). The numbers of the race variants are ours: N1 to N7 here are the paper's Q1,
/// Q7, Q2, Q3, Q4, Q5, Q6.
#[test]
fn the_diagram_of_q() {
    let diagram = q().diagram();
    assert_eq!(
        diagram.to_string(),
        "\
index of (1, 2), version of (A, B)
(0,0) (0,0)
├─ 1: R(A,0)  (1,0) (0,0)
│  ├─ 1: R(B,0)  (2,0) (0,0)
│  │  ├─ 1: W(A,1)  (3,0) (1,0)  race variant N1
│  │  └─ 2: W(A,1)  (2,1) (1,0)
│  │     ├─ 1: W(A,2)  (3,1) (2,0)
│  │     │  └─ 2: W(B,1)  (3,2) (2,1)
│  │     │     └─ 2: R(A,2)  (3,3) (2,1)
│  │     │        └─ 2: W(B,2)  (3,4) (2,2)
│  │     └─ 2: W(B,1)  (2,2) (1,1)
│  │        ├─ 1: W(A,2)  (3,2) (2,1)  merged, as above
│  │        └─ 2: R(A,1)  (2,3) (1,1)  race variant N2
│  └─ 2: W(A,1)  (1,1) (1,0)
│     ├─ 1: R(B,0)  (2,1) (1,0)  merged, as above
│     └─ 2: W(B,1)  (1,2) (1,1)
│        ├─ 1: R(B,1)  (2,2) (1,1)  race variant N3
│        └─ 2: R(A,1)  (1,3) (1,1)  race variant N4
└─ 2: W(A,1)  (0,1) (1,0)
   ├─ 1: R(A,1)  (1,1) (1,0)  race variant N5
   └─ 2: W(B,1)  (0,2) (1,1)
      ├─ 1: R(A,1)  (1,2) (1,1)  race variant N6
      └─ 2: R(A,1)  (0,3) (1,1)  race variant N7
"
    );
    let nodes = diagram.nodes();
    let merged: Vec<_> = nodes
        .iter()
        .filter_map(|node| match node.kind {
            RvKind::Merged { with } => Some((node, &nodes[with])),
            _ => None,
        })
        .collect();
    let vectors: Vec<_> = merged.iter().map(|(node, _)| (&node.index[..], &node.versions[..])).collect();
    assert_eq!(vectors, [(&[3, 2][..], &[2, 1][..]), (&[2, 1], &[1, 0])]);
    for (node, with) in merged {
        assert_eq!((&node.index, &node.versions), (&with.index, &with.versions));
        assert_eq!(with.kind, RvKind::Prefix);
    }
}

/// Section 4.1: S1 and its race variants S2 and S3.
#[test]
fn the_race_variants_of_s1() {
    let s1 = rw("1WA 2WB 1RB 2RA");
    assert_eq!(s1.to_string(), "S[1] = (W(A,1), R(B,1))\nS[2] = (W(B,1), R(A,1))\n");
    let [s2, s3] = ["S[1] = ()\nS[2] = (W(B,1), R(A,0))\n", "S[1] = (W(A,1), R(B,0))\nS[2] = ()\n"];
    assert_eq!(variants(&s1, "S"), BTreeSet::from([s2.to_owned(), s3.to_owned()]));
}

/// Section 4.2: in the diagram for S4 a prefix node and a race-variant node have the same vectors.
#[test]
fn a_prefix_and_a_variant_with_the_same_vectors() {
    let diagram = rw("1RA 2WA").diagram();
    let same: Vec<_> = diagram.nodes().iter().filter(|node| node.index == [1, 1]).collect();
    assert_eq!(same.iter().map(|node| &node.versions[..]).collect::<Vec<_>>(), [[1], [1]]);
    assert_eq!(
        same.iter().map(|node| node.kind).collect::<Vec<_>>(),
        [RvKind::Prefix, RvKind::Variant { number: 1 }]
    );
    let [prefix, variant] = [same[0], same[1]].map(|node| diagram.event(node).unwrap());
    assert_eq!((prefix.0, prefix.1.access), (1, Access::Write));
    assert_eq!((variant.0, variant.1.access, variant.1.version), (0, Access::Read, 1));
}

#[test]
fn a_drawing() {
    let mut build = Build::default();
    let reader = build.named("1", Kind::Thread, "says \"hi\"");
    let writer = build.process("2", Kind::Thread);
    let variable = build.named("A", Kind::Atomic, "a\\b");
    build.event(reader, Op::Load, Some(variable), Pick::Nothing);
    build.calls(writer, Op::Store, variable);
    let diagram = RwSequence::of(&build.finish()).unwrap().diagram();
    assert_eq!(
        diagram.to_dot(),
        r#"digraph rv {
  node [shape=box];
  n0 [label="(0,0)\n(0)"];
  n1 [label="(1,0)\n(0)"];
  n0 -> n1 [label="says \"hi\": R(a\\b,0)"];
  n2 [label="(1,1)\n(1)"];
  n1 -> n2 [label="2: W(a\\b,1)"];
  n3 [label="(0,1)\n(1)"];
  n0 -> n3 [label="2: W(a\\b,1)"];
  n4 [label="N1\n(1,1)\n(1)", style=dotted];
  n3 -> n4 [label="says \"hi\": R(a\\b,1)"];
}
"#
    );
    let dashed = rw("1WA 2WB").diagram().to_dot();
    assert!(dashed.contains("  n2 -> n4 [style=dashed, dir=none, constraint=false];\n"), "{dashed}");
}

#[test]
fn large_diagrams_can_be_declined() {
    let nodes = q().diagram().nodes().len();
    assert_eq!(q().diagram_within(nodes), Some(q().diagram()));
    assert_eq!(q().diagram_within(nodes - 1), None);
}

/// A thread that does not touch variables is not in the sequence, nor is a variable that no thread touches.
#[test]
fn nothing_is_shared() {
    let mut build = Build::default();
    let main = build.process("main", Kind::Thread);
    build.process("main/atomic1", Kind::Atomic);
    build.event(main, Op::Join, None, Pick::None);
    let sequence = RwSequence::of(&build.finish()).unwrap();
    assert_eq!(sequence.to_string(), "");
    assert_eq!(sequence.diagram().to_string(), "index of (), version of ()\n() ()\n");
    assert!(sequence.race_variants().is_empty());
}

/// Loads that complete in the order of the variable's writes are reads too.
#[test]
fn ordered_loads() {
    let steps = [
        (1, Op::Observe, 'A', false),
        (2, Op::Store, 'A', false),
        (1, Op::Observe, 'A', false),
        (2, Op::Update, 'A', false),
    ];
    let sequence = RwSequence::of(&execute(&steps)).unwrap();
    assert_eq!(sequence.to_string(), "S[1] = (R(A,0), R(A,1))\nS[2] = (W(A,1), W(A,2))\n");
}

#[test]
fn a_failed_update_is_a_read() {
    let steps = [
        (2, Op::Store, 'A', false),
        (1, Op::Update, 'A', true),
        (3, Op::Load, 'A', false),
        (2, Op::Store, 'A', false),
    ];
    let mut sequence = execute(&steps);
    let found = RwSequence::of(&sequence).unwrap();
    assert_eq!(found.to_string(), "S[1] = (R(A,1))\nS[2] = (W(A,1), W(A,2))\nS[3] = (R(A,1))\n");
    // So it has no version that could be seen.
    let place = |id: &str| sequence.processes.iter().position(|it| it.id == id).unwrap();
    let (reader, failed) = (place("3"), EventRef { process: place("A"), index: 1 });
    sequence.processes[reader].events[0].pick = Pick::Partners(vec![failed]);
    let error = RwSequence::of(&sequence).unwrap_err();
    assert!(matches!(error.kind, VersionErrorKind::NoVersion { .. }), "{error}");
}

/// Two loads that each missed the write of the other thread, although both came after their own thread's.
#[test]
fn loads_that_cannot_both_be_early() {
    let steps = [
        (2, Op::Store, 'B', false),
        (2, Op::Load, 'A', false),
        (1, Op::Update, 'A', false),
        (1, Op::Load, 'B', false),
    ];
    let mut sequence = execute(&steps);
    let main = sequence.processes.iter().position(|it| it.id == "1").unwrap();
    sequence.processes[main].events[1].pick = Pick::Nothing;
    let error = RwSequence::of(&sequence).unwrap_err();
    assert!(matches!(&error.kind, VersionErrorKind::Inconsistent { events } if events.len() >= 4), "{error}");
}

#[test]
fn what_is_not_a_version_is_named() {
    let mut sequence = execute(&[(1, Op::Store, 'A', false), (2, Op::Load, 'B', false)]);
    let (reader, a) = (
        sequence.processes.iter().position(|it| it.id == "2").unwrap(),
        sequence.processes.iter().position(|it| it.id == "A").unwrap(),
    );
    let write = EventRef { process: a, index: 0 };
    for pick in [Pick::Partners(vec![write]), Pick::None, Pick::Partners(vec![])] {
        sequence.processes[reader].events[0].pick = pick;
        assert_eq!(
            RwSequence::of(&sequence).unwrap_err().to_string(),
            "2#0 does not say which write of its variable it saw; have it pick one, or nothing"
        );
    }
    sequence.processes[reader].events[0].pick = Pick::Nothing;
    sequence.processes[a].events[0].pick = Pick::Nothing;
    assert_eq!(
        RwSequence::of(&sequence).unwrap_err().to_string(),
        "A#0 completes the call of no thread; have it pick a call"
    );
    sequence.processes[a].events[0].object = Some(99);
    assert!(matches!(RwSequence::of(&sequence).unwrap_err().kind, VersionErrorKind::Malformed(_)));
}

/// Accesses that are ordered by other means do not race: `main` writes before it starts another thread, and reads after that has
/// ended. Only the other thread and a third one race, except where they hold a lock.
#[test]
fn other_synchronization_is_kept() {
    let mut build = Build::default();
    let [main, one, two] = build.threads(["main", "one", "two"]);
    let variable = build.process("v", Kind::Atomic);
    let mutex = build.process("m", Kind::Mutex);
    let [spawn, write] = build.calls(main, Op::Store, variable);
    let [first, write_1] = build.calls(one, Op::Update, variable);
    build.after(first, &[spawn]);
    build.calls(one, Op::Lock, mutex);
    build.calls(one, Op::Unlock, mutex);
    let look = build.takes(two, Op::Load, variable, &[write]);
    build.after(look, &[spawn]);
    build.calls(two, Op::Lock, mutex);
    let last = build.takes(two, Op::Load, variable, &[write_1]);
    let join = build.event(main, Op::Join, None, Pick::None);
    build.after(join, &[last]);
    build.takes(main, Op::Load, variable, &[write_1]);
    let sequence = RwSequence::of(&build.finish()).unwrap();
    assert_eq!(
        sequence.to_string(),
        "S[main] = (W(v,1), R(v,2))\nS[one] = (W(v,2))\nS[two] = (R(v,1), R(v,2))\n"
    );
    assert_eq!(
        variants(&sequence, "S"),
        BTreeSet::from(["S[main] = (W(v,1))\nS[one] = (W(v,2))\nS[two] = (R(v,2))\n".to_owned()])
    );
}

/// Programs of up to three threads, and a schedule: at each point the thread of this number, of those not at their end.
fn programs() -> impl Strategy<Value = (Vec<Vec<(Op, char)>>, Vec<usize>)> {
    let op = prop_oneof![3 => Just(Op::Load), 2 => Just(Op::Store), 1 => Just(Op::Update)];
    let step = (op, prop_oneof![Just('A'), Just('B')]);
    let threads = prop::collection::vec(prop::collection::vec(step, 1..=3), 2..=3);
    (threads, prop::collection::vec(0..6usize, 9))
}

/// The steps of a program in the order of a schedule.
fn scheduled(program: &[Vec<(Op, char)>], schedule: &[usize]) -> Vec<(usize, Op, char, bool)> {
    let mut done = vec![0; program.len()];
    let mut steps = Vec::new();
    for &choice in schedule {
        let ready: Vec<usize> = (0..program.len()).filter(|&it| done[it] < program[it].len()).collect();
        let Some(&thread) = ready.get(choice % ready.len().max(1)) else { break };
        let (op, variable) = program[thread][done[thread]];
        done[thread] += 1;
        steps.push((thread + 1, op, variable, false));
    }
    steps
}

/// All interleavings of the given number of steps of each thread, as threads in order.
fn interleavings(left: &mut Vec<usize>, line: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
    if left.iter().all(|&left| left == 0) {
        all.push(line.clone());
    }
    for thread in 0..left.len() {
        if left[thread] > 0 {
            left[thread] -= 1;
            line.push(thread);
            interleavings(left, line, all);
            line.pop();
            left[thread] += 1;
        }
    }
}

fn all_interleavings(lengths: impl Iterator<Item = usize>) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    interleavings(&mut lengths.collect(), &mut Vec::new(), &mut all);
    all
}

/// What race variants are, without a diagram: execute the events of a sequence in some order and stop at the first that
/// does not meet the version it has in the sequence.
fn stops(sequence: &RwSequence, line: &[usize]) -> Option<Vec<Vec<RwEvent>>> {
    let mut done: Vec<Vec<RwEvent>> = vec![Vec::new(); sequence.threads().len()];
    let mut versions = vec![0; sequence.variables().len()];
    for &thread in line {
        let event = sequence.events(thread)[done[thread].len()];
        let version = &mut versions[event.variable];
        *version += usize::from(event.access == Access::Write);
        done[thread].push(RwEvent { version: *version, ..event });
        if *version != event.version {
            return Some(done);
        }
    }
    None
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Algorithm RV_RW finds what all interleavings stop at, once each, and numbers nodes as it says.
    #[test]
    fn race_variants_are_what_interleavings_stop_at((program, schedule) in programs()) {
        let sequence = RwSequence::of(&execute(&scheduled(&program, &schedule))).unwrap();
        let lengths = (0..sequence.threads().len()).map(|it| sequence.events(it).len());
        let lines = all_interleavings(lengths.clone());
        let expected: BTreeSet<_> = lines.iter().filter_map(|line| stops(&sequence, line)).collect();
        let found: Vec<Vec<Vec<RwEvent>>> = sequence
            .race_variants()
            .iter()
            .map(|it| (0..sequence.threads().len()).map(|thread| it.sequence.events(thread).to_vec()).collect())
            .collect();
        prop_assert_eq!(found.len(), expected.len());
        prop_assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected);

        // One prefix node for each set of events that some interleaving begins with, the sequence itself among them.
        let diagram = sequence.diagram();
        let is_prefix = |kind| kind == RvKind::Prefix;
        let nodes = diagram.nodes().iter().filter(|node| is_prefix(node.kind));
        let nodes: Vec<&[usize]> = nodes.map(|node| &node.index[..]).collect();
        let distinct: BTreeSet<_> = nodes.iter().copied().collect();
        prop_assert_eq!(nodes.len(), distinct.len());
        let whole: Vec<usize> = lengths.collect();
        prop_assert!(distinct.contains(&whole[..]));
        for (i, node) in diagram.nodes().iter().enumerate() {
            prop_assert_eq!(node.parent.is_none(), i == 0);
            if let Some(parent) = node.parent {
                prop_assert!(parent < i && is_prefix(diagram.nodes()[parent].kind));
            }
        }
    }

    /// Theorem 1: a race variant is not a prefix of the sequence, but differs from one in its last event only; it is the
    /// prefix of another sequence of the program; and every other sequence has one as a prefix.
    #[test]
    fn theorem_1((program, schedule) in programs()) {
        let lines = all_interleavings(program.iter().map(Vec::len));
        let executed = |line: &Vec<usize>| {
            let mut done = vec![0; program.len()];
            let step = |&thread: &usize| {
                let (op, variable) = program[thread][done[thread]];
                done[thread] += 1;
                (thread + 1, op, variable, false)
            };
            RwSequence::of(&execute(&line.iter().map(step).collect::<Vec<_>>())).unwrap()
        };
        let feasible: Vec<RwSequence> = lines.iter().map(executed).collect();
        let schedule: Vec<usize> = schedule.iter().copied().chain(std::iter::repeat(0)).take(9).collect();
        let sequence = RwSequence::of(&execute(&scheduled(&program, &schedule))).unwrap();
        let variants = sequence.race_variants();
        for variant in &variants {
            prop_assert!(!variant.sequence.is_prefix_of(&sequence));
            let changed = variant.changed();
            for thread in 0..sequence.threads().len() {
                let (own, original) = (variant.sequence.events(thread), sequence.events(thread));
                let kept = own.len() - usize::from(thread == variant.thread);
                prop_assert_eq!(&own[..kept], &original[..kept]);
                if thread == variant.thread {
                    prop_assert_eq!(RwEvent { version: original[kept].version, ..changed }, original[kept]);
                }
            }
            prop_assert!(feasible.iter().any(|it| variant.sequence.is_prefix_of(it)));
        }
        for other in &feasible {
            let same = other.to_string() == sequence.to_string();
            prop_assert_eq!(!same, variants.iter().any(|it| it.sequence.is_prefix_of(other)));
        }
    }

    /// Whatever updates fail.
    #[test]
    fn versions_are_those_of_the_execution((program, schedule) in programs(), fails in any::<u16>()) {
        let mut steps = scheduled(&program, &schedule);
        for (i, step) in steps.iter_mut().enumerate() {
            step.3 = step.1 == Op::Update && fails >> i & 1 == 1;
        }
        let mut versions = [0, 0];
        let mut expected = vec![Vec::new(); 3];
        for &(thread, op, variable, fails) in &steps {
            let version = &mut versions[usize::from(variable == 'B')];
            let writes = op != Op::Load && !fails;
            *version += usize::from(writes);
            expected[thread - 1].push((writes, variable.to_string(), *version));
        }
        let sequence = RwSequence::of(&execute(&steps)).unwrap();
        for (thread, label) in sequence.threads().iter().enumerate() {
            let events = sequence.events(thread).iter().map(|it| {
                (it.access == Access::Write, sequence.variables()[it.variable].clone(), it.version)
            });
            prop_assert_eq!(&events.collect::<Vec<_>>(), &expected[label.parse::<usize>().unwrap() - 1]);
        }
        let whole: Vec<usize> = (0..sequence.threads().len()).map(|it| sequence.events(it).len()).collect();
        let diagram = sequence.diagram();
        prop_assert!(diagram.nodes().iter().any(|node| node.kind == RvKind::Prefix && node.index == whole));
    }
}
