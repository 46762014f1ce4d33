//! Threads that send their number to one channel.

insyn::instrumented! {

use std::sync::mpsc;
use std::thread;

/// Starts so many threads, each of which sends its number, and collects the numbers in the order they arrive.
pub fn fan_in(senders: usize) -> Vec<usize> {
    let (sender, numbers) = mpsc::channel();
    for number in 0..senders {
        let sender = sender.clone();
        thread::spawn(move || sender.send(number).expect("the receiver stays until all have sent"));
    }
    drop(sender);
    numbers.iter().collect()
}

}
