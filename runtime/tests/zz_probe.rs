//! probe
mod programs;
use insyn::Explorer;
use programs::others;
use std::time::Instant;
#[test]
fn probe() {
    let t = Instant::now(); Explorer::new().run(others::fan_in(200)); println!("run {:?}", t.elapsed());
    let t = Instant::now(); Explorer::new().seed(1).run(others::fan_in(200)); println!("run seeded {:?}", t.elapsed());
    let t = Instant::now(); Explorer::new().max_sequences(5).explore(others::fan_in(200)); println!("explore 5 {:?}", t.elapsed());
    let t = Instant::now(); Explorer::new().max_sequences(25).explore(others::fan_in(200)); println!("explore 25 {:?}", t.elapsed());
    let t = Instant::now(); Explorer::new().max_sequences(225).explore(others::fan_in(200)); println!("explore 225 {:?}", t.elapsed());
    let t = Instant::now(); Explorer::new().workers(1).sample(6, others::fan_in(200)); println!("sample 6 {:?}", t.elapsed());
}
