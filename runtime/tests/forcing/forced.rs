//! A program can be forced to do exactly what it does in some execution.

mod beginnings;
mod facts;
mod orders;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex as RealMutex};

use insyn::forced::{Answer, Forced, Steps};
use insyn::sequences::{EventRef, ObservedEvent, Op, Order, Sequence, Took};
use insyn::std::sync::{Condvar, Mutex, mpsc};
use insyn::std::thread;
use insyn::sync::{Semaphore, entry};
use insyn::{Explorer, label};

/// The name of an event; none if it is hidden.
type Name = fn(&ObservedEvent<'_>) -> Option<String>;

/// The words of a program by brute force: of every sequence, every order of its named events that happens-before allows.
fn words<R: serde::Serialize + 'static>(
    name: Name,
    program: impl Fn() -> R + Send + Sync + 'static,
) -> BTreeSet<Vec<String>> {
    let sequences: Arc<RealMutex<(u32, Vec<Sequence>)>> = Arc::default();
    let seen = sequences.clone();
    let observe = move |ended: &insyn::Ended<'_>| {
        let mut seen = seen.lock().unwrap();
        // Earlier words are discarded if events have got other names.
        if ended.round() > seen.0 {
            *seen = (ended.round(), Vec::new());
        }
        if ended.counted() {
            seen.1.push(ended.sequence());
        }
    };
    let exploration = Explorer::new().workers(1).observe(observe).explore(program);
    assert!(exploration.is_complete());
    let sequences = sequences.lock().unwrap();
    sequences.1.iter().flat_map(|sequence| orders(sequence, name)).collect()
}

fn orders(sequence: &Sequence, name: Name) -> Vec<Vec<String>> {
    let order = Order::of(sequence).unwrap();
    let observed = insyn::sequences::observed_events(&order);
    let named: Vec<(EventRef, String)> =
        observed.iter().filter_map(|(at, event)| Some((*at, name(event)?))).collect();
    let mut found = Vec::new();
    extend(&order, &named, &mut Vec::new(), &mut found);
    found
}

fn extend(
    order: &Order<'_>,
    named: &[(EventRef, String)],
    done: &mut Vec<usize>,
    found: &mut Vec<Vec<String>>,
) {
    if done.len() == named.len() {
        return found.push(done.iter().map(|&i| named[i].1.clone()).collect());
    }
    for i in 0..named.len() {
        let waits = |j: usize| !done.contains(&j) && order.happens_before(named[j].0, named[i].0);
        if !done.contains(&i) && !(0..named.len()).any(waits) {
            done.push(i);
            extend(order, named, done, found);
            done.pop();
        }
    }
}

fn force<R: serde::Serialize + 'static>(
    word: &[String],
    whole: bool,
    name: Name,
    program: impl Fn() -> R + Send + Sync + 'static,
) -> Forced {
    Explorer::new().force(&steps(word, whole, name), false, program)
}

fn steps(word: &[String], whole: bool, name: Name) -> Steps {
    let len = word.len();
    let word = word.to_vec();
    Steps::new(len, whole, move |event| {
        let name = name(event)?;
        Some((0..word.len() as u32).filter(|&i| word[i as usize] == name).collect())
    })
}

/// Every word over these letters of this length is feasible if and only if some execution does it; the most executions
/// that one of them took.
#[track_caller]
fn compare<R: serde::Serialize + 'static>(
    letters: &[&str],
    length: usize,
    name: Name,
    program: impl Fn() -> R + Send + Sync + Copy + 'static,
) -> u64 {
    let feasible = words(name, program);
    assert!(!feasible.is_empty());
    assert!(feasible.iter().all(|word| word.len() == length), "{feasible:?}");
    let mut most = 0;
    let mut word = vec![0; length];
    loop {
        let text: Vec<String> = word.iter().map(|&i| letters[i as usize].to_string()).collect();
        let forced = force(&text, true, name, program);
        most = most.max(forced.executions);
        match (&forced.answer, feasible.contains(&text)) {
            (Answer::Feasible(_), true) | (Answer::Infeasible(_), false) => {}
            (answer, expected) => panic!("{text:?}: expected {expected}, found {answer:?}"),
        }
        let Some(at) = word.iter().rposition(|&i| i + 1 < letters.len() as u32) else { return most };
        word[at] += 1;
        word[at + 1..].fill(0);
    }
}

fn by_label(event: &ObservedEvent<'_>) -> Option<String> {
    event.label.map(|label| label.text.clone())
}

fn semaphores(producers: usize, items: usize, slots: usize) {
    let empty = Arc::new(Semaphore::new(slots));
    let full = Arc::new(Semaphore::new(0));
    for _ in 0..producers {
        let (empty, full) = (empty.clone(), full.clone());
        thread::spawn(move || {
            for _ in 0..items {
                empty.acquire();
                label!("D");
                full.release();
            }
        });
    }
    for _ in 0..producers * items {
        full.acquire();
        label!("W");
        empty.release();
    }
}

#[test]
fn labels_between_semaphores() {
    let most = compare(&["D", "W"], 6, by_label, || semaphores(1, 3, 2));
    assert!(most <= 12, "{most} executions");
    compare(&["D", "W"], 4, by_label, || semaphores(2, 1, 1));
}

#[test]
fn completions_of_semaphores() {
    let name: Name = |event| {
        let thread = event.threads.first()?.id;
        match event.op {
            Op::Acquire if thread == "main" => Some("W".to_string()),
            Op::Acquire => Some("D".to_string()),
            _ => None,
        }
    };
    compare(&["D", "W"], 6, name, || semaphores(1, 3, 2));
    compare(&["D", "W"], 4, name, || semaphores(2, 1, 1));
}

#[test]
fn sends_and_receives() {
    let name: Name = |event| match event.op {
        Op::Send => Some(format!("s{}", &event.threads[0].id[11..])),
        Op::Receive => Some("r".to_string()),
        _ => None,
    };
    compare(&["s1", "s2", "r"], 4, name, || {
        let (tx, rx) = mpsc::channel();
        for id in 0..2 {
            let tx = tx.clone();
            thread::spawn(move || tx.send(id).is_ok());
        }
        (rx.recv().ok(), rx.recv().ok())
    });
}

#[test]
fn who_was_received_from() {
    let name: Name = |event| match (&event.op, &event.took) {
        (Op::Receive, Took::Threads(from)) => Some(from[0].id[11..].to_string()),
        _ => None,
    };
    compare(&["1", "2", "3"], 4, name, || {
        let (tx, rx) = mpsc::channel();
        let second = tx.clone();
        let third = tx.clone();
        thread::spawn(move || tx.send(1).is_ok());
        let (go, wait) = mpsc::channel();
        thread::spawn(move || second.send(2).is_ok() && go.send(()).is_ok());
        thread::spawn(move || wait.recv().is_ok() && third.send(3).is_ok());
        rx.iter().take(3).collect::<Vec<_>>()
    });
}

#[test]
fn locks_and_conditions() {
    let name: Name = |event| match event.op {
        Op::Lock => Some(event.threads[0].id.chars().last().unwrap().to_string()),
        Op::Wait => Some("wait".to_string()),
        _ => None,
    };
    // How often the lock is taken depends on which thread is first, so only words of one length are compared.
    let program = || {
        let pair = Arc::new((Mutex::new(0), Condvar::new()));
        for _ in 0..2 {
            let pair = pair.clone();
            thread::spawn(move || {
                *pair.0.lock().unwrap() += 1;
                pair.1.notify_all();
            });
        }
        let mut count = pair.0.lock().unwrap();
        while *count < 2 {
            count = pair.1.wait(count).unwrap();
        }
    };
    let feasible = words(name, program);
    for word in &feasible {
        let forced = force(word, true, name, program);
        assert!(matches!(forced.answer, Answer::Feasible(_)), "{word:?}: {forced:?}");
        assert!(forced.executions <= 20, "{word:?} took {} executions", forced.executions);
        let mut other = word.clone();
        other.swap(0, 1);
        let forced = force(&other, true, name, program);
        assert_eq!(matches!(forced.answer, Answer::Feasible(_)), feasible.contains(&other), "{other:?}");
    }
}

#[test]
fn a_rendezvous() {
    let name: Name = |event| matches!(event.op, Op::Put | Op::Take).then(|| "meet".to_string());
    compare(&["meet"], 2, name, || {
        let (tx, rx) = mpsc::sync_channel(0);
        thread::spawn(move || (0..2).all(|n| tx.send(n).is_ok()));
        (rx.recv().ok(), rx.recv().ok())
    });
}

#[test]
fn a_beginning_leaves_the_rest_free() {
    let word = |text: &str| text.chars().map(|c| c.to_string()).collect::<Vec<_>>();
    let forced = force(&word("DD"), false, by_label, || semaphores(1, 3, 2));
    let Answer::Feasible(executions) = forced.answer else { panic!("{forced:?}") };
    assert_eq!(executions[0].termination, insyn::Termination::Normal);
    let forced = force(&word("DDD"), false, by_label, || semaphores(1, 3, 2));
    let Answer::Infeasible(obstacle) = forced.answer else { panic!("{forced:?}") };
    assert_eq!(obstacle.step, 2);
    assert_eq!(obstacle.instead, ["label W by main"]);
    assert!(obstacle.blocked[0].waits_for.contains("acquire"), "{obstacle}");
}

/// The last event of a scoped thread may never have its turn: then the thread waits where its closure has ended.
#[test]
fn the_last_thing_that_a_scoped_thread_does() {
    let name: Name = |event| match event.op {
        Op::Receive => Some(event.threads[0].id[11..].to_string()),
        _ => None,
    };
    compare(&["1", "2"], 2, name, || {
        let (to_first, mut first) = mpsc::channel();
        let (to_second, mut second) = mpsc::channel();
        thread::scope(|scope| {
            let (first, second) = (&mut first, &mut second);
            let first = scope.spawn(move || first.recv().unwrap());
            let second = scope.spawn(move || second.recv().unwrap());
            to_first.send(1).unwrap();
            to_second.send(2).unwrap();
            (first.join().unwrap(), second.join().unwrap())
        })
    });
}

/// A call that has been accepted is replied to, though the entry is dropped while the caller waits for its turn.
#[test]
fn a_reply_that_comes_after_the_entry_is_gone() {
    fn program() -> [Option<u32>; 2] {
        let (first, accepting) = entry::<u32, u32>();
        let second = first.clone();
        let first = thread::spawn(move || first.call(1).ok());
        let call = accepting.accept().unwrap();
        drop(accepting);
        let refused = thread::spawn(move || second.call(2).ok()).join().unwrap();
        call.reply(3);
        [first.join().unwrap(), refused]
    }
    let calls: Name = |event| (event.op == Op::Call).then(|| String::from("call"));
    let both = vec![String::from("call"); 2];
    for seed in 0..10 {
        for whole in [true, false] {
            let forced = Explorer::new().seed(seed).force(&steps(&both, whole, calls), true, program);
            let Answer::Feasible(found) = forced.answer else { panic!("{forced:?}") };
            let outputs: Vec<&str> = found.iter().filter_map(|it| it.output.as_deref()).collect();
            assert_eq!(outputs, ["[3,null]"]);
        }
    }
    let by_thread: Name = |event| match event.op {
        Op::Call | Op::Return => Some(format!("{} {}", event.op.word(), &event.threads[0].id[11..])),
        _ => None,
    };
    compare(&["call 1", "call 2", "return 1"], 3, by_thread, program);
}

/// A server with one slot. It takes a deposit while that is empty.
fn server() {
    let (deposit, deposits) = insyn::name!("deposit", entry::<u32, ()>());
    let (withdraw, withdrawals) = insyn::name!("withdraw", entry::<(), u32>());
    insyn::name!(
        "server",
        thread::spawn(move || {
            let mut slot = None;
            loop {
                insyn::select! {
                    accept(deposits) -> mut call if slot.is_none() => {
                        slot = call.take();
                        call.reply(());
                    },
                    accept(withdrawals) -> call if slot.is_some() => call.reply(slot.take().unwrap()),
                    closed => return,
                }
            }
        })
    );
    insyn::name!("producer", thread::spawn(move || (0..2).for_each(|n| deposit.call(n).unwrap())));
    (0..2).for_each(|_| assert!(withdraw.call(()).is_ok()));
}

#[test]
fn a_guard_that_is_false_is_told_as_it_was_written() {
    let name: Name = |event| {
        let is_call = event.op == Op::Accept && matches!(event.took, Took::Threads(_));
        is_call.then(|| event.object.and_then(|it| it.name).unwrap_or_default().to_owned())
    };
    let word = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
    for (steps, step, instead, blocked, guard) in [
        (["deposit", "deposit"], 1, "accept on withdraw by server", "producer", "`slot.is_none()`"),
        (["withdraw", "deposit"], 0, "accept on deposit by server", "main", "`slot.is_some()`"),
    ] {
        let forced = force(&word(&steps), false, name, server);
        let Answer::Infeasible(obstacle) = forced.answer else { panic!("{forced:?}") };
        assert_eq!((obstacle.step, &obstacle.instead[..]), (step, &[instead.to_owned()][..]), "{obstacle}");
        let blocked = obstacle.blocked.iter().find(|it| it.thread == blocked).expect("it waits");
        let expected = format!(
            "its call of {} to be accepted while {guard} (runtime/tests/forcing/forced.rs:",
            steps[step]
        );
        assert!(blocked.waits_for.starts_with(&expected), "{obstacle}");
        assert!(blocked.waits_for.ends_with(") is false"), "{obstacle}");
    }
}

/// For two threads with the same name, both ids are shown.
#[test]
fn names_that_are_not_the_only_ones_have_ids() {
    let forced = force(&["never".to_owned()], false, by_label, || {
        let fork = || insyn::name!("fork", Semaphore::new(0));
        let forks = Arc::new((fork(), fork()));
        let other = forks.clone();
        insyn::name!("diner", thread::spawn(move || other.0.acquire()));
        insyn::name!("diner", thread::spawn(move || forks.1.acquire()));
    });
    let Answer::Infeasible(obstacle) = forced.answer else { panic!("{forced:?}") };
    let told: Vec<String> =
        obstacle.blocked.iter().map(|it| format!("{} {}", it.thread, it.waits_for)).collect();
    let expected = [
        "diner (main/thread1) acquire on fork (main/semaphore1)",
        "diner (main/thread2) acquire on fork (main/semaphore2)",
    ];
    assert_eq!(told, expected);
}

/// A call that is never completed is no event, so a sequence may end before it.
#[test]
fn calls_that_wait_for_ever() {
    let puts: Name = |event| (event.op == Op::Put).then(|| "put".to_string());
    compare(&["put"], 2, puts, || {
        let (tx, rx) = mpsc::sync_channel(2);
        (0..3).for_each(|n| tx.send(n).unwrap());
        drop(rx);
    });
    let acquires: Name = |event| (event.op == Op::Acquire).then(|| event.threads[0].id[11..].to_string());
    compare(&["1", "2", "3"], 2, acquires, || {
        let semaphore = Arc::new(Semaphore::new(2));
        for _ in 0..3 {
            let semaphore = semaphore.clone();
            thread::spawn(move || semaphore.acquire());
        }
    });
}

/// A thread takes its turns before it waits for what never comes.
#[test]
fn threads_that_sleep_for_ever() {
    let sleeps: [fn(); 2] = [
        || assert!(insyn::crossbeam_channel::never::<u32>().recv().is_err()),
        || thread::sleep(std::time::Duration::MAX),
    ];
    for sleep in sleeps {
        compare(&["a", "b"], 2, by_label, move || {
            thread::spawn(move || {
                label!("a");
                sleep();
                label!("never");
            });
            label!("b");
        });
    }
}
