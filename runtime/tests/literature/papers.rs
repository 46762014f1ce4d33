//! The small example programs of the papers have the sequences and outputs that the papers say.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex as Plain};

use insyn::sequences::versions::{RvKind, RwSequence};
use insyn::sequences::{EventRef, Op};
use insyn::std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use insyn::std::sync::mpsc::{Receiver, Sender, channel};
use insyn::std::thread;
use insyn::sync::{Semaphore, entry};
use insyn::{Exploration, Explorer, RaceTable, Sequence};
use serde::Serialize;

/// Explores, and returns for every output the sequences that lead to it.
fn outputs<R: Serialize + 'static>(
    program: impl Fn() -> R + Send + Sync + 'static,
) -> (Exploration, BTreeMap<String, BTreeSet<Sequence>>) {
    let seen: Arc<Plain<BTreeMap<String, BTreeSet<Sequence>>>> = Arc::default();
    let found = {
        let seen = seen.clone();
        let explorer = Explorer::new().observe(move |ended| {
            if ended.counted() {
                let output = ended.output().expect("the program ends normally");
                let new = seen.lock().unwrap().entry(output).or_default().insert(ended.sequence());
                assert!(new, "a sequence was run twice");
            }
        });
        explorer.explore(program)
    };
    assert!(found.failures.is_empty(), "{found}");
    let seen = std::mem::take(&mut *seen.lock().unwrap());
    assert_eq!(seen.values().map(|s| s.len() as u64).sum::<u64>(), found.sequences);
    (found, seen)
}

/// The race table of the sequence with this output.
fn race_table<R: Serialize + 'static>(
    output: &'static str,
    program: impl Fn() -> R + Send + Sync + 'static,
) -> (Sequence, RaceTable) {
    let found: Arc<Plain<Vec<(Sequence, RaceTable)>>> = Arc::default();
    let put = found.clone();
    let explorer = Explorer::new().observe(move |ended| {
        if ended.counted() && ended.output().as_deref() == Some(output) {
            put.lock().unwrap().push((ended.sequence(), ended.race_table()));
        }
    });
    let _ = explorer.explore(program);
    let mut found = std::mem::take(&mut *found.lock().unwrap());
    assert_eq!(found.len(), 1, "one sequence has this output");
    found.remove(0)
}

/// The rows of a race table with its columns in this order; each is the receiving event of a process, by its number among
/// those, and the partner it could have had, by process and index.
#[track_caller]
fn rows(sequence: &Sequence, table: &RaceTable, columns: &[(&str, usize, &str)]) -> BTreeSet<Vec<i64>> {
    let places: Vec<usize> = columns
        .iter()
        .map(|&(process, n, partner)| {
            let p = sequence.processes.iter().position(|p| p.id == process).expect("there is such a process");
            let receives = |e: &insyn::sequences::Event| matches!(e.op, Op::Receive | Op::Accept);
            let events = sequence.processes[p].events.iter().enumerate();
            let (index, _) = events.filter(|(_, e)| receives(e)).nth(n).expect("it receives so often");
            let event = EventRef { process: p, index };
            let place = table.columns.iter().position(|c| c.event == event);
            let place =
                place.unwrap_or_else(|| panic!("{process} has no race at its receive {n}: {table:?}"));
            let race_set: Vec<String> =
                table.columns[place].race_set.iter().flatten().map(|&e| sequence.event_name(e)).collect();
            assert_eq!(race_set, [partner], "race set of receive {n} of {process}");
            place
        })
        .collect();
    assert_eq!(table.columns.len(), columns.len(), "{table:?}");
    table.rows.iter().map(|row| places.iter().map(|&place| row[place]).collect()).collect()
}

/// A port that is not closed while other threads may still send to it: its owner returns it at its end.
type Port = (Sender<u32>, Receiver<u32>);

fn ports<const N: usize>() -> [Port; N] {
    std::array::from_fn(|_| channel())
}

/// Six threads, three of which have a port (figure 1 of the paper on the history-free algorithm). Returns from
/// whom T2, T3 (twice) and T5 (twice) received.
fn six_threads() -> (u32, [u32; 2], [u32; 2]) {
    let [(to_2, port_2), (to_3, port_3), (to_5, port_5)] = ports();
    let t1 = {
        let to_2 = to_2.clone();
        thread::spawn(move || to_2.send(1).unwrap())
    };
    let t2 = {
        let to_3 = to_3.clone();
        thread::spawn(move || {
            let from = port_2.recv().unwrap();
            to_3.send(2).unwrap();
            (from, port_2)
        })
    };
    let t3 = thread::spawn(move || ([port_3.recv().unwrap(), port_3.recv().unwrap()], port_3));
    let t4 = {
        let to_5 = to_5.clone();
        thread::spawn(move || {
            to_3.send(4).unwrap();
            to_5.send(4).unwrap();
        })
    };
    let t5 = thread::spawn(move || {
        let first = port_5.recv().unwrap();
        if first == 6 {
            to_2.send(5).unwrap();
        }
        ([first, port_5.recv().unwrap()], port_5)
    });
    let t6 = thread::spawn(move || to_5.send(6).unwrap());
    for sender in [t1, t4, t6] {
        sender.join().unwrap();
    }
    let (by_2, _port_2) = t2.join().unwrap();
    let (by_3, _port_3) = t3.join().unwrap();
    let (by_5, _port_5) = t5.join().unwrap();
    (by_2, by_3, by_5)
}

#[test]
fn six_threads_have_six_sequences() {
    let (found, seen) = outputs(six_threads);
    assert_eq!((found.sequences, found.repeats, found.inconsistent), (6, 0, 0), "{found}");
    let expected = [
        "[1,[2,4],[4,6]]",
        "[1,[4,2],[4,6]]",
        "[1,[2,4],[6,4]]",
        "[1,[4,2],[6,4]]",
        "[5,[2,4],[6,4]]",
        "[5,[4,2],[6,4]]",
    ];
    assert_eq!(seen.into_keys().collect::<BTreeSet<_>>(), expected.map(str::to_string).into());
}

/// r2 is T3's first receive, r4 T5's; s3 and s5 are what they could have received instead, from T4 and T6.
#[test]
fn six_threads_have_three_race_rows() {
    let (sequence, table) = race_table("[1,[2,4],[4,6]]", six_threads);
    let rows = rows(
        &sequence,
        &table,
        &[("main/thread5", 0, "main/thread6#0"), ("main/thread3", 0, "main/thread4#0")],
    );
    assert_eq!(rows, BTreeSet::from([vec![0, 1], vec![1, 0], vec![1, 1]]));
}

/// Two receives, each of which can be changed only through the other (figure 3 of the same paper). Returns from whom T2
/// and T3 received.
fn tangled_cycle() -> (u32, u32) {
    let [(to_2, port_2), (to_3, port_3)] = ports();
    let t1 = {
        let to_2 = to_2.clone();
        thread::spawn(move || to_2.send(1).unwrap())
    };
    let t2 = {
        let to_3 = to_3.clone();
        thread::spawn(move || {
            let from = port_2.recv().unwrap();
            to_3.send(2).unwrap();
            (from, port_2)
        })
    };
    let t3 = thread::spawn(move || {
        let from = port_3.recv().unwrap();
        if from == 4 {
            to_2.send(3).unwrap();
        }
        (from, port_3)
    });
    let t4 = thread::spawn(move || to_3.send(4).unwrap());
    t1.join().unwrap();
    t4.join().unwrap();
    let (by_2, _port_2) = t2.join().unwrap();
    let (by_3, _port_3) = t3.join().unwrap();
    (by_2, by_3)
}

#[test]
fn tangled_cycle_has_three_sequences() {
    let (found, seen) = outputs(tangled_cycle);
    assert_eq!((found.sequences, found.repeats, found.inconsistent), (3, 0, 0), "{found}");
    let expected = ["[1,2]", "[1,4]", "[3,4]"];
    assert_eq!(seen.into_keys().collect::<BTreeSet<_>>(), expected.map(str::to_string).into());
}

/// Three threads on two semaphores (the paper on semaphore-based programs). Returns what they print.
fn three_threads_on_two_semaphores() -> String {
    let s1 = Arc::new(Semaphore::new(2));
    let s2 = Arc::new(Semaphore::new(1));
    let printed: Arc<Plain<String>> = Arc::default();
    let print = {
        let printed = printed.clone();
        move |c| printed.lock().unwrap().push(c)
    };
    let t1 = {
        let (s1, print) = (s1.clone(), print.clone());
        thread::spawn(move || {
            s1.acquire();
            print('1');
            s1.release();
        })
    };
    let t2 = {
        let (s1, s2, print) = (s1.clone(), s2.clone(), print.clone());
        thread::spawn(move || {
            s1.acquire();
            s2.acquire();
            print('2');
            s2.release();
            s1.release();
        })
    };
    let t3 = thread::spawn(move || {
        s1.acquire();
        print('3');
        s1.release();
        s2.acquire();
        print('3');
        s2.release();
    });
    for t in [t1, t2, t3] {
        t.join().unwrap();
    }
    printed.lock().unwrap().clone()
}

#[test]
fn three_threads_on_two_semaphores_have_81_sequences() {
    let (found, seen) = outputs(three_threads_on_two_semaphores);
    assert_eq!((found.sequences, found.repeats, found.inconsistent), (81, 0, 0), "{found}");
    assert_eq!(seen.len(), 12);
}

/// The buffer of the textbook's 7.5.1: one producer and one consumer with three items. Returns the order in which the
/// buffer served them.
fn buffer() -> String {
    let (deposit, deposits) = entry::<u32, ()>();
    let (withdraw, withdrawals) = entry::<(), u32>();
    let buffer = thread::spawn(move || {
        let mut items = std::collections::VecDeque::new();
        let mut served = String::new();
        loop {
            insyn::select! {
                accept(deposits) -> mut call if items.len() < 3 => {
                    items.extend(call.take());
                    call.reply(());
                    served.push('D');
                },
                accept(withdrawals) -> call if !items.is_empty() => {
                    call.reply(items.pop_front().expect("the guard says so"));
                    served.push('W');
                },
                closed => return served,
            }
        }
    });
    let producer = thread::spawn(move || (1..=3).for_each(|n| deposit.call(n).unwrap()));
    let consumer = thread::spawn(move || (1..=3).for_each(|n| assert_eq!(withdraw.call(()), Ok(n))));
    producer.join().unwrap();
    consumer.join().unwrap();
    buffer.join().unwrap()
}

#[test]
fn buffer_with_three_slots_has_five_sequences() {
    let (found, seen) = outputs(buffer);
    assert_eq!((found.sequences, found.repeats, found.inconsistent), (5, 0, 0), "{found}");
    let expected = ["DDDWWW", "DDWDWW", "DDWWDW", "DWDDWW", "DWDWDW"];
    assert_eq!(seen.into_keys().collect::<BTreeSet<_>>(), expected.map(|s| format!("{s:?}")).into());
}

/// Table 7.3: the buffer has served two deposits, a withdrawal, and then what was left.
#[test]
fn buffer_has_the_race_table_of_the_textbook() {
    let (sequence, table) = race_table("\"DDWDWW\"", buffer);
    let [server, producer, consumer] = [1, 2, 3].map(|n| format!("main/thread{n}"));
    let call = |thread: &str, n: usize| {
        let p = sequence.processes.iter().position(|p| p.id == thread).unwrap();
        let calls = sequence.processes[p].events.iter().enumerate().filter(|(_, e)| e.op == Op::Call);
        format!("{thread}#{}", calls.map(|(index, _)| index).nth(n).unwrap())
    };
    let (s3, s4, s5) = (call(&producer, 2), call(&consumer, 0), call(&consumer, 1));
    let columns = [(&*server, 1, &*s4), (&*server, 2, &*s3), (&*server, 3, &*s5)];
    assert_eq!(
        rows(&sequence, &table, &columns),
        BTreeSet::from([vec![0, 0, 1], vec![0, 1, -1], vec![1, -1, -1]])
    );
}

/// Seed 000's example: two threads on the variables A and B, run with atomics. Among its sequences is Q of section 4.2, which
/// has the seven race variants that the paper lists; each of them is what another sequence of the program begins with; and
/// in its RV diagram two pairs of nodes are merged.
#[test]
fn the_race_variants_of_q() {
    let (_, seen) = outputs(|| {
        let a = insyn::std::sync::Arc::new(AtomicU32::new(0));
        let b = insyn::std::sync::Arc::new(AtomicU32::new(0));
        let (a2, b2) = (a.clone(), b.clone());
        let first = thread::spawn(move || {
            a.load(SeqCst);
            b.load(SeqCst);
            a.store(1, SeqCst);
        });
        let second = thread::spawn(move || {
            a2.store(2, SeqCst);
            b2.store(2, SeqCst);
            a2.load(SeqCst);
            b2.store(3, SeqCst);
        });
        first.join().unwrap();
        second.join().unwrap();
    });
    let paper = |text: String| {
        let names = [("atomic1", "A"), ("atomic2", "B"), ("thread1", "1"), ("thread2", "2")];
        names.iter().fold(text, |text, (ours, theirs)| text.replace(ours, theirs))
    };
    let all: Vec<RwSequence> =
        seen.into_values().flatten().map(|sequence| RwSequence::of(&sequence).unwrap()).collect();
    let is_q = |it: &&RwSequence| {
        paper(it.named("Q")) == "Q[1] = (R(A,0), R(B,0), W(A,2))\nQ[2] = (W(A,1), W(B,1), R(A,2), W(B,2))\n"
    };
    let q = all.iter().find(is_q).expect("Q is a sequence of the program");
    let variants = q.race_variants();
    let named: BTreeSet<String> = variants.iter().map(|it| paper(it.sequence.named("Q"))).collect();
    let expected = [
        "Q[1] = (R(A,0), R(B,0), W(A,1))\nQ[2] = ()\n",
        "Q[1] = (R(A,0), R(B,1))\nQ[2] = (W(A,1), W(B,1))\n",
        "Q[1] = (R(A,0))\nQ[2] = (W(A,1), W(B,1), R(A,1))\n",
        "Q[1] = (R(A,1))\nQ[2] = (W(A,1))\n",
        "Q[1] = (R(A,1))\nQ[2] = (W(A,1), W(B,1))\n",
        "Q[1] = ()\nQ[2] = (W(A,1), W(B,1), R(A,1))\n",
        "Q[1] = (R(A,0), R(B,0))\nQ[2] = (W(A,1), W(B,1), R(A,1))\n",
    ];
    assert_eq!(named, expected.into_iter().map(str::to_owned).collect());
    for variant in &variants {
        let leads_on = all.iter().any(|other| variant.sequence.is_prefix_of(other));
        assert!(leads_on, "no sequence begins with {}", variant.sequence);
    }
    let diagram = q.diagram();
    let merged = diagram.nodes().iter().filter(|node| matches!(node.kind, RvKind::Merged { .. }));
    let vectors: Vec<_> = merged.map(|node| (&node.index[..], &node.versions[..])).collect();
    assert_eq!(vectors, [(&[3, 2][..], &[2, 1][..]), (&[2, 1], &[1, 0])], "{diagram}");
}
