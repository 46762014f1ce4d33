//! Memory does not grow with the number of sequences, and grows at most linearly with their length.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicIsize, AtomicU64, Ordering};

use insyn::Explorer;
use insyn::std::sync::{Arc, Mutex, mpsc};
use insyn::std::thread;
use insyn::sync::entry;
use insyn_test_support::programs::others::fan_in;

/// Counts what is allocated, on its way to the system's allocator.
struct Counting;

static LIVE: AtomicIsize = AtomicIsize::new(0);
static PEAK: AtomicIsize = AtomicIsize::new(0);
static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: everything is passed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        let live = LIVE.fetch_add(layout.size() as isize, Ordering::Relaxed) + layout.size() as isize;
        PEAK.fetch_max(live, Ordering::Relaxed);
        // SAFETY: as the caller vouches.
        unsafe { System.alloc(layout) }
    }

    // What is large is moved without being copied, so it is never there twice.
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        let more = size as isize - layout.size() as isize;
        PEAK.fetch_max(LIVE.fetch_add(more, Ordering::Relaxed) + more, Ordering::Relaxed);
        // SAFETY: as the caller vouches.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size() as isize, Ordering::Relaxed);
        // SAFETY: as the caller vouches.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// What an exploration of a fan-in leaves on the heap, and its peak above what was there before.
fn cost(explorer: &Explorer, senders: usize, sequences: u64) -> (isize, isize) {
    let before = LIVE.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let exploration = explorer.explore(fan_in(senders));
    let after = LIVE.load(Ordering::Relaxed) - before;
    let peak = PEAK.load(Ordering::Relaxed) - before;
    assert_eq!(exploration.sequences, sequences);
    (after, peak)
}

/// One test: others in this process would allocate at the same time.
#[test]
fn memory_is_flat_in_the_number_of_sequences() {
    let cut = Explorer::new().workers(1).max_sequences(500);
    let whole = Explorer::new().workers(1);
    cost(&cut, 9, 500); // Things that are made once, such as stacks and the panic hook.
    let (after_cut, peak_cut) = cost(&cut, 9, 500);
    let (after_whole, peak_whole) = cost(&whole, 9, 362_880);
    assert!(
        (after_whole - after_cut).abs() <= 4096,
        "live heap: {after_cut} B cut at 500, {after_whole} B whole"
    );
    assert!(peak_whole - peak_cut <= 65_536, "peak heap: {peak_cut} B cut at 500, {peak_whole} B whole");

    // Once warm, no memory is allocated for an event: the rest per execution is the program's own (a channel, its
    // messages, the vector it collects).
    let each = allocations_in_each_execution(fan_in(7));
    assert!(each < 8.0, "{each} allocations in each execution");
    let [few, many] = [2, 20].map(|rounds| allocations_in_each_execution(conversation(rounds)));
    assert!(many - few < 1.0, "{few} allocations in each execution of 2 rounds, {many} of 20");
    let [few, many] = [2, 20].map(|rounds| allocations_in_each_execution(interview(rounds)));
    assert!(many - few < 1.0, "{few} allocations in each execution of 2 calls, {many} of 20");

    // A sequence that is twice as long takes twice the memory: race sets are computed late, so that for a run
    // whose variants are not all run yet little more is kept than its events.
    let first = Explorer::new().workers(1).max_sequences(50);
    let [short, long] = [100, 200].map(|senders| cost(&first, senders, 50).1);
    assert!(long < 3 * short, "peak heap: {short} B with 100 senders, {long} B with 200");

    memory_grows_with_the_length();
}

/// Ten times as long an execution takes about ten times the memory, the first one and the next variants.
fn memory_grows_with_the_length() {
    type Program = fn(usize);
    let peak = |executions: u64, program: Program, times: usize| {
        let before = LIVE.load(Ordering::Relaxed);
        PEAK.store(before, Ordering::Relaxed);
        let explorer = Explorer::new().workers(1).max_steps(u64::MAX).max_executions(executions);
        let exploration = explorer.explore(move || program(times));
        assert!(exploration.failures.is_empty() && exploration.executions <= executions, "{exploration}");
        PEAK.load(Ordering::Relaxed) - before
    };
    let programs: [(&str, Program); 3] =
        [("one sender", |n| messages(1, n)), ("two senders", |n| messages(2, n)), ("locks", locks)];
    for (name, program) in programs {
        for executions in [1, 3] {
            // Tables are powers of two; all of these lengths fill theirs about equally well.
            let [short, long] = [1_500, 15_000].map(|times| peak(executions, program, times));
            assert!(
                long <= 12 * short,
                "{name}, {executions} executions: {short} B, ten times as long {long} B"
            );
        }
    }
}

/// Threads send so many messages each to main.
fn messages(senders: usize, times: usize) {
    let (sender, receiver) = mpsc::channel();
    for _ in 0..senders {
        let sender = sender.clone();
        thread::spawn(move || (0..times).for_each(|n| sender.send(n).unwrap()));
    }
    (0..senders * times).for_each(|_| assert!(receiver.recv().unwrap() < times));
}

/// Two threads lock one mutex so many times each.
fn locks(times: usize) {
    let lock = Arc::new(Mutex::new(0));
    let threads = [(); 2].map(|()| {
        let lock = Arc::clone(&lock);
        thread::spawn(move || (0..times).for_each(|_| *lock.lock().unwrap() += 1))
    });
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

fn allocations_in_each_execution<R>(program: impl Fn() -> R + Send + Sync + 'static) -> f64
where
    R: serde::Serialize + Send + 'static,
{
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    let exploration = Explorer::new().workers(1).explore(program);
    (ALLOCATIONS.load(Ordering::Relaxed) - before) as f64 / exploration.executions as f64
}

/// Calls of a server that selects, and enough sequences to be warm.
fn interview(calls: usize) -> impl Fn() + Send + Sync + 'static {
    move || {
        let (ask, questions) = entry::<usize, usize>();
        let (tell, news) = entry::<(), ()>();
        thread::spawn(move || {
            for _ in 0..=calls {
                insyn::select! {
                    accept(questions) -> mut call => {
                        let n = call.take().unwrap();
                        call.reply(n + 1);
                    },
                    accept(news) -> call => call.reply(()),
                }
            }
        });
        for n in 0..calls {
            assert_eq!(ask.call(n), Ok(n + 1));
        }
        tell.call(()).unwrap();
        fan_in(6)();
    }
}

/// Rounds of question and answer between two threads, and enough sequences to be warm.
fn conversation(rounds: usize) -> impl Fn() + Send + Sync + 'static {
    move || {
        let (question, questions) = mpsc::channel();
        let (answer, answers) = mpsc::channel();
        thread::spawn(move || questions.iter().for_each(|n: usize| answer.send(n + 1).unwrap()));
        for n in 0..rounds {
            question.send(n).unwrap();
            assert_eq!(answers.recv(), Ok(n + 1));
        }
        fan_in(6)();
    }
}
