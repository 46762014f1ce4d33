//! The lock keeps the queue whole, but nobody waits for an item: a consumer that is too early finds the queue empty. So
//! the program is not correct, as its paper says.

insyn::instrumented! {

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// What a consumer got each time: an item, or none because it was too early.
pub type Consumed = Vec<Option<char>>;

/// Producers `A`, `B` and so on deposit two items each, a consumer looks as often as there are items.
pub fn prod_cons(producers: u8) -> Consumed {
    let queue = &Queue::default();
    thread::scope(|scope| {
        for producer in (b'A'..).take(producers.into()) {
            insyn::name!("producer", scope.spawn(move || {
                for _ in 0..2 {
                    queue.lock().push_back(producer.into());
                }
            }));
        }
        let look = move || (0..2 * producers).map(|_| queue.lock().pop_front()).collect();
        let consumer = insyn::name!("consumer", scope.spawn(look));
        consumer.join().expect("the consumer does not panic")
    })
}

#[derive(Default)]
struct Queue(Mutex<VecDeque<char>>);

impl Queue {
    fn lock(&self) -> MutexGuard<'_, VecDeque<char>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

}
