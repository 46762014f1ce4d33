//! The textbook's bounded buffer: a server that accepts a deposit while there is room, and a withdrawal while there is an
//! item. One producer deposits, one consumer withdraws.

insyn::instrumented! {

use std::thread;

use insyn::sync::{Entry, entry};

/// Serves deposits and withdrawals until nobody can call any more. The slots are used in a circle.
fn serve(capacity: i32, deposit: &Entry<char, ()>, withdraw: &Entry<(), char>) {
    let mut slots = vec![' '; capacity as usize];
    let (mut next_in, mut next_out) = (0, 0);
    let mut full_slots = 0;
    loop {
        insyn::select! {
            accept(deposit) -> mut call if full_slots < capacity => {
                slots[next_in as usize] = call.take().expect("a call has an item");
                call.reply(());
                next_in = (next_in + 1) % capacity;
                full_slots += 1;
            },
            accept(withdraw) -> call if full_slots > 0 => {
                call.reply(slots[next_out as usize]);
                next_out = (next_out + 1) % capacity;
                full_slots -= 1;
            },
            closed => return,
        }
    }
}

/// As [`serve`], but it never fills the last slot: a fault that no execution shows, because nothing that it does is wrong.
fn serve_all_but_one(capacity: i32, deposit: &Entry<char, ()>, withdraw: &Entry<(), char>) {
    let mut slots = vec![' '; capacity as usize];
    let (mut next_in, mut next_out) = (0, 0);
    let mut full_slots = 0;
    loop {
        insyn::select! {
            accept(deposit) -> mut call if full_slots + 1 < capacity => {
                slots[next_in as usize] = call.take().expect("a call has an item");
                call.reply(());
                next_in = (next_in + 1) % capacity;
                full_slots += 1;
            },
            accept(withdraw) -> call if full_slots > 0 => {
                call.reply(slots[next_out as usize]);
                next_out = (next_out + 1) % capacity;
                full_slots -= 1;
            },
            closed => return,
        }
    }
}

/// Deposits items through a buffer with so many slots. Output: what the consumer got, in order.
pub fn transfer(capacity: i32, items: Vec<char>, all_slots: bool) -> Vec<char> {
    let (deposit, deposits) = entry();
    let (withdraw, withdrawals) = entry();
    let count = items.len();
    let server = thread::spawn(move || match all_slots {
        true => serve(capacity, &deposits, &withdrawals),
        false => serve_all_but_one(capacity, &deposits, &withdrawals),
    });
    let producer = thread::spawn(move || {
        for item in items {
            deposit.call(item).expect("the server is there while it can be called");
        }
    });
    let mut withdrawn = Vec::new();
    for _ in 0..count {
        withdrawn.push(withdraw.call(()).expect("the server is there while it can be called"));
    }
    producer.join().expect("the producer ends");
    drop(withdraw);
    server.join().expect("the server ends when nobody can call it any more");
    withdrawn
}

}
