//! How long an execution takes, by program. `cargo bench -p insyn` runs them; the time given is for the whole
//! exploration, the throughput counts executions.

#![expect(missing_docs, reason = "criterion's macros make items without documentation")]

use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use insyn::Explorer;
use insyn_test_support::programs::bounded_buffer::{self as bb, config};
use insyn_test_support::programs::{dining_philosophers as dp, others, readers_writers as rw};
use serde::Serialize;

fn engine(c: &mut Criterion) {
    let one = Explorer::new().workers(1);
    let two = Explorer::new().workers(2);
    let longest = Explorer::new().workers(1).longest_waiter(true);
    bench(c, "fan-in 6", &one, || others::fan_in(6));
    bench(c, "fan-in 7", &one, || others::fan_in(7));
    bench(c, "Prod_Cons", &one, others::prod_cons);
    bench(c, "bounded buffer, selective wait", &one, || bb::selective_wait(config(3, 3, 2)));
    bench(c, "bounded buffer, notify_one", &longest, || bb::sc_notify_one(config(3, 3, 2)));
    bench(c, "bounded buffer, SU monitor", &one, || bb::su_monitor(config(3, 3, 2)));
    bench(c, "readers/writers, semaphores", &one, || rw::semaphores(2, 2));
    bench(c, "dining philosophers, SU monitor", &one, || dp::su_monitor(4));
    // Only the first executions of long programs: these have many races, most of which are not computed.
    let first = Explorer::new().workers(1).max_executions(50);
    bench(c, "two threads, 100 turns each", &first, || others::taking_turns([100; 2]));
    bench(c, "two threads, 1,000 turns each", &first, || others::taking_turns([1_000; 2]));
    bench(c, "fan-in 8, one worker", &one, || others::fan_in(8));
    bench(c, "fan-in 8, two workers", &two, || others::fan_in(8));
}

fn bench<F, R>(c: &mut Criterion, name: &str, explorer: &Explorer, program: impl Fn() -> F)
where
    F: Fn() -> R + Send + Sync + 'static,
    R: Serialize + 'static,
{
    let executions = explorer.explore(program()).executions;
    let mut group = c.benchmark_group("explore");
    group.throughput(Throughput::Elements(executions));
    group.sample_size(10).measurement_time(Duration::from_secs(2));
    group.bench_function(name, |b| b.iter(|| explorer.explore(program())));
    group.finish();
}

criterion_group!(benches, engine);
criterion_main!(benches);
