//! Atomics, rwlocks, timed waits, barriers, wait groups, closures that run once, and parking, worked out by hand.

use super::super::program::{Object, OnceShape, Op, Program, Thread, Value};
use super::{Known, program};

/// Known programs, each with the reason for its number.
pub(crate) fn memory() -> Vec<Known> {
    [atomics(), weak_updates(), rwlocks(), conditions(), barriers(), wait_groups(), onces(), parking()]
        .into_iter()
        .flatten()
        .collect()
}

fn atomics() -> Vec<Known> {
    let atomics = |count| vec![Object::Atomic { initial: 0 }; count];
    let store = |o| Op::Store(o, Value::Just(1));
    let two = |op: Op| program(atomics(1), vec![], vec![vec![op.clone()], vec![op]]);
    let missing = || {
        program(atomics(1), vec![Op::AtomicLoad(0)], vec![vec![Op::CompareExchange(0, 5, Value::Just(6))]])
    };
    vec![
        Known::new(
            "three concurrent loads",
            program(atomics(1), vec![], vec![vec![Op::AtomicLoad(0)]; 3]),
            1,
        ),
        Known::new("two stores", two(store(0)), 2),
        Known::new("two swaps", two(Op::Swap(0, Value::Just(1))), 2),
        Known::new("two compare_exchanges", two(Op::CompareExchange(0, 0, Value::Just(1))), 2),
        // Both see nothing: impossible.
        Known::new(
            "store buffering",
            program(
                atomics(2),
                vec![],
                vec![vec![store(0), Op::AtomicLoad(1)], vec![store(1), Op::AtomicLoad(0)]],
            ),
            3,
        ),
        // Before both, between, after.
        Known::new(
            "a store against two loads",
            program(atomics(1), vec![Op::AtomicLoad(0), Op::AtomicLoad(0)], vec![vec![store(0)]]),
            3,
        ),
        Known::new("a load against a failed compare_exchange", missing(), 1),
        Known::new("an ordered load against a failed compare_exchange", missing(), 2)
            .with(|options| options.ordered_loads = true),
        Known::new("three ordered loads", program(atomics(1), vec![], vec![vec![Op::AtomicLoad(0)]; 3]), 6)
            .with(|options| options.ordered_loads = true),
        // The second writer has read before, and fails once, or after.
        Known::new("two fetch_updates", two(Op::FetchUpdate(0)), 4),
    ]
}

/// Weak updates that may fail spuriously, each thread's at most twice. (The `compare_exchange` of the first child is weak,
/// that of main and of the second is not.)
fn weak_updates() -> Vec<Known> {
    let swap = |expected, new| Op::CompareExchange(0, expected, Value::Just(new));
    let atomic = || vec![Object::Atomic { initial: 0 }];
    let child = |main: Vec<Op>, child: Vec<Op>| program(atomic(), main, vec![child]);
    let store = || vec![Op::Store(0, Value::Just(1))];
    let all = vec![
        // It succeeds, or fails spuriously.
        Known::new("a weak compare_exchange that may fail", child(vec![], vec![swap(0, 1)]), 2),
        Known::new("a weak compare_exchange that fails anyway", child(vec![], vec![swap(5, 6)]), 1),
        Known::new("a compare_exchange that is not weak", child(vec![swap(0, 1)], vec![]), 1),
        // Each succeeds or fails, but not all three fail.
        Known::new("three weak compare_exchanges that may fail", child(vec![], vec![swap(0, 0); 3]), 7),
        // The weak one is first and succeeds, is first and fails spuriously, or is second and fails.
        Known::new(
            "a weak compare_exchange against a strong one",
            program(atomic(), vec![], vec![vec![swap(0, 1)]; 2]),
            3,
        ),
        // It fails up to twice and then succeeds.
        Known::new("a fetch_update that may fail", child(vec![], vec![Op::FetchUpdate(0)]), 3),
        // The store comes before the load (3 ways); or after the success (3); or after j spurious failures, and is found by
        // an attempt that fails, and there are up to 2 - j more (3 + 2 + 1).
        Known::new(
            "a store against a fetch_update that may fail",
            child(store(), vec![Op::FetchUpdate(0)]),
            12,
        ),
    ];
    all.into_iter().map(|known| known.with(|options| options.spurious_failures = true)).collect()
}

fn rwlocks() -> Vec<Known> {
    let lock = || vec![Object::RwLock];
    let read = || vec![Op::Read(0), Op::UnlockRw(0)];
    let write = || vec![Op::Write(0), Op::UnlockRw(0)];
    let crowd = || program(lock(), vec![], vec![read(), read(), write()]);
    let phases = || {
        let children = vec![Thread { parent: 0, ops: read() }; 3];
        let [spawns, joins] = [Op::Spawn as fn(usize) -> Op, Op::Join].map(|op| (1..4).map(op).collect());
        let main = Thread { parent: 0, ops: [write(), spawns, read(), joins, write()].concat() };
        Program { objects: lock(), threads: [vec![main], children].concat(), scoped: false }
    };
    let twice = || vec![[read(), read()].concat(); 2];
    let crowd_twice = || program(lock(), vec![], [twice(), vec![write()]].concat());
    let nested = || vec![Op::Read(0), Op::Read(0), Op::UnlockRw(0), Op::UnlockRw(0)];
    let crowd_nested = || program(lock(), vec![], vec![nested(), nested(), write()]);
    let again = || program(lock(), vec![], vec![vec![Op::Read(0), Op::Read(0)], write()]);
    let tries = || program(lock(), vec![], vec![vec![Op::Read(0), Op::TryRead(0)], write()]);
    vec![
        // The order cannot be observed.
        Known::new("two readers", program(lock(), vec![], vec![read(), read()]), 1),
        Known::new("six readers", program(lock(), vec![], vec![read(); 6]), 1),
        Known::new("two readers, each of which reads twice", program(lock(), vec![], twice()), 1),
        Known::new("two who try to read", program(lock(), vec![], vec![vec![Op::TryRead(0)]; 2]), 1),
        // Written before all others come, and after they have gone.
        Known::new("readers between two writes", phases(), 1),
        Known::new("a reader and a writer", program(lock(), vec![], vec![read(), write()]), 2),
        // The writer fits in at three places if the readers do not overlap (two ways), at two if they do (four ways).
        Known::new("two readers and a writer that never blocks them", crowd(), 14)
            .with(|options| options.waiting_writers_block = false),
        // And one reader may have to wait behind the writer, while the other reads.
        Known::new("two readers and a writer", crowd(), 16),
        // The same for the 70 orders of two who read twice.
        Known::new("two readers that read twice and a writer that never blocks them", crowd_twice(), 238)
            .with(|options| options.waiting_writers_block = false),
        Known::new("two readers that read twice and a writer", crowd_twice(), 326),
        Known::new("two readers that nest reads and a writer that never blocks them", crowd_nested(), 142)
            .with(|options| options.waiting_writers_block = false),
        Known::new("two readers that nest reads and a writer", crowd_nested(), 178),
        // The writer comes before or after.
        Known::new("a reader that reads again, and a writer that never blocks it", again(), 2)
            .with(|options| options.waiting_writers_block = false),
        // Or in between, and no thread can go on.
        Known::new("a reader that reads again, and a writer", again(), 3),
        // Before all; fails; while the other reads, and ends before or after it; after all.
        Known::new(
            "a downgrade against a try_read",
            program(
                lock(),
                vec![],
                vec![vec![Op::Write(0), Op::Downgrade(0), Op::UnlockRw(0)], vec![Op::TryRead(0)]],
            ),
            5,
        ),
        // The writer comes before or after; and if it waits already when the other tries, that fails.
        Known::new("a reader that tries to read again, and a writer", tries(), 3),
        Known::new("a reader that tries to read again, and a writer that never blocks it", tries(), 2)
            .with(|options| options.waiting_writers_block = false),
        // Fails while the other reads, else it succeeds, before or after.
        Known::new(
            "a try_write against a reader",
            program(lock(), vec![], vec![read(), vec![Op::TryWrite(0)]]),
            3,
        ),
        Known::new(
            "is_poisoned against a writer",
            program(lock(), vec![], vec![write(), vec![Op::IsPoisoned(0)]]),
            3,
        ),
        Known::new(
            "is_poisoned against a lock",
            program(
                vec![Object::Mutex],
                vec![],
                vec![vec![Op::Lock(0), Op::Unlock(0)], vec![Op::IsPoisoned(0)]],
            ),
            3,
        ),
    ]
}

fn conditions() -> Vec<Known> {
    let wait = |wait| {
        let objects = vec![Object::Mutex, Object::Condvar { mutex: 0 }];
        program(objects, vec![Op::NotifyOne(1)], vec![vec![Op::Lock(0), wait, Op::Unlock(0)]])
    };
    vec![
        // The notify comes before the wait, ends it, or comes after it has timed out.
        Known::new("wait_timeout against notify_one", wait(Op::WaitTimeout(1)), 3),
        // The notify comes before the wait, which never ends; or ends it.
        Known::new("wait against notify_one", wait(Op::Wait(1)), 2),
        Known::new("wait against notify_one, with spurious wakeups", wait(Op::Wait(1)), 3)
            .with(|options| options.spurious_wakeups = true),
    ]
}

fn barriers() -> Vec<Known> {
    let arrive = |size, count: usize, asks| {
        program(vec![Object::Barrier { size }], vec![], vec![vec![Op::Arrive(0, asks)]; count])
    };
    vec![
        Known::new("two at a barrier of two", arrive(2, 2, false), 1),
        Known::new("two at a barrier of two, and who leads", arrive(2, 2, true), 2),
        Known::new("three at a barrier of three, and who leads", arrive(3, 3, true), 3),
        // One is left over.
        Known::new("three at a barrier of two", arrive(2, 3, false), 3),
        Known::new("two at a barrier of one", arrive(1, 2, false), 2),
        Known::new("two at a barrier of none", arrive(0, 2, false), 2),
    ]
}

fn wait_groups() -> Vec<Known> {
    let group = |holders| vec![Object::WaitGroup { holders }];
    let wait = || vec![Op::WaitGroup(0)];
    let stored = || vec![Op::Store(1, Value::Just(1)), Op::DropGroup(0)];
    let with_atomic = || vec![Object::WaitGroup { holders: 0b11 }, Object::Atomic { initial: 0 }];
    vec![
        Known::new("three drops and a wait", program(group(0b1111), wait(), vec![vec![]; 3]), 1),
        Known::new("a drop and three waits", program(group(0b1111), vec![], vec![wait(); 3]), 1),
        Known::new(
            "a wait by who has another handle",
            program(group(0b1), [vec![Op::CloneGroup(0)], wait()].concat(), vec![]),
            1,
        ),
        // The store comes before the drop, and that before the load.
        Known::new(
            "a load after a wait",
            program(with_atomic(), vec![Op::WaitGroup(0), Op::AtomicLoad(1)], vec![stored()]),
            1,
        ),
        Known::new(
            "a load after a drop",
            program(with_atomic(), vec![Op::DropGroup(0), Op::AtomicLoad(1)], vec![stored()]),
            2,
        ),
    ]
}

fn onces() -> Vec<Known> {
    let against =
        |main: Vec<Op>, shape| program(vec![Object::Once { shape }], main, vec![vec![Op::DoOnce(0, None)]]);
    let once = |main| against(main, OnceShape::Once);
    vec![
        // Either runs it; the other sees at once that it is done, or begins and finds it done.
        Known::new("two call_onces", once(vec![Op::DoOnce(0, None)]), 4),
        Known::new("two forces", against(vec![Op::DoOnce(0, None)], OnceShape::Lazy), 4),
        Known::new(
            "a set against get_or_init",
            against(vec![Op::SetOnce(0, Value::Just(1))], OnceShape::Lock),
            4,
        ),
        Known::new("is_completed against call_once", once(vec![Op::IsDone(0)]), 2),
        Known::new("get against get_or_init", against(vec![Op::IsDone(0)], OnceShape::Lock), 2),
        // A check of what is known to be done is no event.
        Known::new(
            "is_completed after call_once",
            program(
                vec![Object::Once { shape: OnceShape::Once }],
                vec![Op::DoOnce(0, None), Op::IsDone(0)],
                vec![],
            ),
            1,
        ),
        Known::new("two is_completed against call_once", once(vec![Op::IsDone(0), Op::IsDone(0)]), 3),
        // Seen at once, or after waiting.
        Known::new("wait against call_once", once(vec![Op::AwaitOnce(0)]), 2),
    ]
}

fn parking() -> Vec<Known> {
    let park = |main: Vec<Op>, other: Vec<Op>| program(vec![], main, vec![other]);
    let unpark = Op::Unpark(1);
    vec![
        Known::new("park against unpark", park(vec![unpark.clone()], vec![Op::Park]), 1),
        Known::new("park_timeout against unpark", park(vec![unpark.clone()], vec![Op::ParkTimeout]), 2),
        Known::new(
            "park against unpark, with spurious wakeups",
            park(vec![unpark.clone()], vec![Op::Park]),
            2,
        )
        .with(|options| options.spurious_wakeups = true),
        // The first park takes the token of one, or of both.
        Known::new(
            "two parks against two unparks",
            park(vec![unpark.clone(), unpark], vec![Op::Park, Op::Park]),
            2,
        ),
        Known::new("is_finished", park(vec![Op::IsFinished(1)], vec![]), 2),
        Known::new("is_finished twice", park(vec![Op::IsFinished(1), Op::IsFinished(1)], vec![]), 3),
    ]
}
