//! A node that wants to enter asks all others, with the time of its request. Who does not want to, or has asked later,
//! replies at once; who has asked earlier replies when it has left. With all replies a node may enter.
//!
//! Times are those of Lamport's clocks; of two requests at the same time, that of the node with the smaller number counts
//! as earlier.

insyn::instrumented! {

use insyn::sync::{Delivery, PortReceiver, PortSender, port};

/// When a request was made, and by whom.
type Ticket = (u64, usize);

#[derive(Clone, Copy, Debug)]
enum Message {
    Request(Ticket),
    Reply,
}

/// A node and its ways to all others.
#[derive(Debug)]
pub struct Node {
    id: usize,
    clock: u64,
    inbox: PortReceiver<Message>,
    /// By number; none for the node itself.
    others: Vec<Option<PortSender<Message>>>,
    /// How many others have not asked yet. Each does once, so a node may go when all have and it has replied.
    to_ask: usize,
    /// Who gets the reply later.
    deferred: Vec<usize>,
}

/// Nodes that are connected by a network that delivers in this way.
pub fn network(nodes: usize, delivery: Delivery) -> Vec<Node> {
    let (senders, inboxes): (Vec<_>, Vec<_>) = (0..nodes).map(|_| port(delivery)).unzip();
    let node = |(id, inbox)| {
        let to = |(n, sender): (usize, &PortSender<Message>)| (n != id).then(|| sender.clone());
        let others = senders.iter().enumerate().map(to).collect();
        Node { id, clock: 0, inbox, others, to_ask: nodes - 1, deferred: Vec::new() }
    };
    inboxes.into_iter().enumerate().map(node).collect()
}

impl Node {
    /// Enters once, and stays until all others have been answered.
    pub fn take_part(mut self, inside: impl FnOnce(usize)) {
        // What has come before is answered at once, and moves the clock.
        while let Ok(message) = self.inbox.try_recv() {
            self.answer(message, None);
        }
        self.enter();
        inside(self.id);
        for waiting in std::mem::take(&mut self.deferred) {
            self.send(waiting, Message::Reply);
        }
        while self.to_ask > 0 {
            let message = self.receive();
            self.answer(message, None);
        }
    }

    /// Asks all others and waits for their replies.
    fn enter(&mut self) {
        self.clock += 1;
        let ticket = (self.clock, self.id);
        let others: Vec<usize> = (0..self.others.len()).filter(|&n| n != self.id).collect();
        for &other in &others {
            self.send(other, Message::Request(ticket));
        }
        let mut missing = others.len();
        while missing > 0 {
            match self.receive() {
                Message::Reply => missing -= 1,
                request => self.answer(request, Some(ticket)),
            }
        }
    }

    /// Replies to a request, at once or later. `mine` is the node's own, while it wants to enter.
    fn answer(&mut self, message: Message, mine: Option<Ticket>) {
        let Message::Request(theirs) = message else { unreachable!("all replies have come") };
        self.clock = self.clock.max(theirs.0);
        self.to_ask -= 1;
        match mine {
            Some(mine) if mine < theirs => self.deferred.push(theirs.1),
            _ => self.send(theirs.1, Message::Reply),
        }
    }

    fn send(&self, to: usize, message: Message) {
        if let Some(other) = &self.others[to] {
            other.send(message).expect("a node stays until it has all it waits for");
        }
    }

    fn receive(&self) -> Message {
        self.inbox.recv().expect("others stay until they have all they wait for")
    }
}

}
