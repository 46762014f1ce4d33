//! Programs for `cargo insyn`: each runs once for every interleaving that it has.
//!
//! This one is an example to replace. Put `#[cfg_attr(test, insyn::instrument)]` on the modules of this package that use
//! threads, channels and locks, and write a function here that drives them.

/// Code under test: a producer and a consumer with two slots between them.
#[insyn::instrument]
mod handover {
    use std::sync::mpsc::sync_channel;
    use std::thread;

    const SLOTS: usize = 2;

    /// Hands items over. What arrives, in order.
    pub(crate) fn hand_over(items: &[u32]) -> Vec<u32> {
        let (sender, receiver) = sync_channel(SLOTS);
        let sent = items.to_vec();
        let producer = thread::spawn(move || {
            for item in sent {
                sender.send(item).expect("the receiver is there");
            }
        });
        let mut received = Vec::new();
        for _ in 0..items.len() {
            received.push(receiver.recv().expect("there is one more item"));
        }
        producer.join().expect("the producer ends");
        received
    }
}

/// Three items go through two slots.
#[insyn::test(spec = "specs/handover.yaml", tests = "specs/handover.tests.yaml")]
fn handover_of_three() -> Vec<u32> {
    handover::hand_over(&[1, 2, 3])
}
