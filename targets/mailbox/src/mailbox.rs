//! Two threads send to the first mailbox and then to the second; two others receive from the first and then from the
//! second. Who meets whom is open each time.

insyn::instrumented! {

use crossbeam_channel::{Receiver, Sender, bounded};
use std::thread;

/// From whom a receiver got its messages: by the first mailbox and by the second.
pub type Received = [u32; 2];

/// Lets threads 1 and 4 send and threads 2 and 3 receive.
pub fn mailbox() -> [Received; 2] {
    let (c1, c2) = (Mailbox::new(), Mailbox::new());
    let send = |thread| {
        c1.send(thread);
        c2.send(thread);
    };
    let receive = || [c1.receive(), c2.receive()];
    thread::scope(|scope| {
        insyn::name!("sender1", scope.spawn(|| send(1)));
        let thread2 = insyn::name!("receiver2", scope.spawn(receive));
        let thread3 = insyn::name!("receiver3", scope.spawn(receive));
        insyn::name!("sender4", scope.spawn(|| send(4)));
        [thread2, thread3].map(|thread| thread.join().expect("a receiver does not panic"))
    })
}

/// A mailbox is synchronous: who sends waits until somebody receives.
struct Mailbox {
    sender: Sender<u32>,
    receiver: Receiver<u32>,
}

impl Mailbox {
    fn new() -> Self {
        let (sender, receiver) = bounded(0);
        Mailbox { sender, receiver }
    }

    fn send(&self, message: u32) {
        self.sender.send(message).expect("both ends are here");
    }

    fn receive(&self) -> u32 {
        self.receiver.recv().expect("both ends are here")
    }
}

}
