use std::thread::{Builder, available_parallelism};

#[insyn::instrument]
fn run() {
    Builder::new().spawn(|| ()).unwrap().join().unwrap();
    available_parallelism().unwrap();
}

fn main() {}
