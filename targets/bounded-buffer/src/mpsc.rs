//! The standard library's bounded channel. It has one receiver, so consumers take turns.

insyn::instrumented! {

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};

use crate::Buffer;

/// A channel whose receiver is behind a mutex.
#[derive(Debug)]
pub struct Channel {
    sender: SyncSender<u32>,
    receiver: Mutex<Receiver<u32>>,
}

impl Channel {
    /// A buffer with so many slots.
    pub fn new(slots: usize) -> Self {
        let (sender, receiver) = sync_channel(slots);
        Channel { sender, receiver: Mutex::new(receiver) }
    }
}

impl Buffer for Channel {
    fn deposit(&self, item: u32) {
        self.sender.send(item).expect("both ends are here");
    }

    fn withdraw(&self) -> u32 {
        let receiver = self.receiver.lock().unwrap_or_else(PoisonError::into_inner);
        receiver.recv().expect("both ends are here")
    }
}

}
