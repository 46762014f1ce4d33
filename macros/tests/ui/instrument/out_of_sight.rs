use std::sync::mpsc::Receiver;
use std::sync::{Condvar, Mutex};
use std::thread;

#[insyn::instrument]
fn serve(orders: Receiver<u32>, done: &Condvar) {
    let total = Mutex::new(0);
    thread::spawn(|| ());
    for order in orders {
        *total.lock().unwrap() += order;
    }
    println!("{:?}", Mutex::new(done));
}

fn main() {}
