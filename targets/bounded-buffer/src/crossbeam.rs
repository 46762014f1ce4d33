//! Crossbeam's bounded channel, which may have many receivers.

insyn::instrumented! {

use crossbeam_channel::{Receiver, Sender, bounded};

use crate::Buffer;

/// Both ends of a channel.
#[derive(Debug)]
pub struct Channel {
    sender: Sender<u32>,
    receiver: Receiver<u32>,
}

impl Channel {
    /// A buffer with so many slots.
    pub fn new(slots: usize) -> Self {
        let (sender, receiver) = bounded(slots);
        Channel { sender, receiver }
    }
}

impl Buffer for Channel {
    fn deposit(&self, item: u32) {
        self.sender.send(item).expect("both ends are here");
    }

    fn withdraw(&self) -> u32 {
        self.receiver.recv().expect("both ends are here")
    }
}

}
