//! A coordinator and its participants commit together or not at all.

#[insyn::instrument]
pub mod transaction {
    //! The coordinator asks all participants to prepare. If all vote yes in time it decides to commit, else to abort, and
    //! tells everybody. A participant that has voted yes waits for the decision; one that has voted no aborts by itself
    //! and leaves.

    use std::sync::mpsc::{self, Receiver, Sender};
    use std::thread::{self, JoinHandle};
    use std::time::Duration;

    /// What becomes of a transaction.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Decision {
        /// Its changes stay.
        Commit,
        /// Its changes are undone.
        Abort,
    }

    #[derive(Debug)]
    enum Order {
        Prepare { vote_to: Sender<Vote> },
        Decided(Decision),
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Vote {
        Yes,
        No,
    }

    /// A transaction with those who take part in it.
    #[derive(Debug)]
    pub struct Transaction {
        participants: Vec<Participant>,
    }

    #[derive(Debug)]
    struct Participant {
        orders: Sender<Order>,
        thread: JoinHandle<Option<Decision>>,
    }

    /// What a transaction has come to.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Settled {
        /// What the coordinator decided.
        pub decision: Decision,
        /// What each participant did; none if it does not know to this day.
        pub participants: Vec<Option<Decision>>,
    }

    impl Transaction {
        /// Starts a participant for each of these: whether it can commit.
        pub fn begin(can_commit: impl IntoIterator<Item = bool>) -> Self {
            let start = |can_commit| {
                let (orders, received) = mpsc::channel();
                Participant { orders, thread: thread::spawn(move || take_part(can_commit, &received)) }
            };
            Transaction { participants: can_commit.into_iter().map(start).collect() }
        }

        /// Asks all, decides, and tells all. Participants who do not vote within `patience` count as against it.
        ///
        /// # Panics
        /// If a participant has.
        pub fn settle(self, patience: Duration) -> Settled {
            let decision = self.decide(patience);
            self.announce(decision);
            let end = |participant: Participant| {
                drop(participant.orders);
                participant.thread.join().expect("a participant does not panic")
            };
            Settled { decision, participants: self.participants.into_iter().map(end).collect() }
        }

        fn decide(&self, patience: Duration) -> Decision {
            let (vote_to, votes) = mpsc::channel();
            for participant in &self.participants {
                if participant.orders.send(Order::Prepare { vote_to: vote_to.clone() }).is_err() {
                    return Decision::Abort;
                }
            }
            for _ in &self.participants {
                match votes.recv_timeout(patience) {
                    Ok(Vote::Yes) => {}
                    // Too late is as good as no.
                    Ok(Vote::No) | Err(_) => return Decision::Abort,
                }
            }
            Decision::Commit
        }

        fn announce(&self, decision: Decision) {
            for participant in &self.participants {
                // One that has voted no may have left; it knows what that means.
                let _ = participant.orders.send(Order::Decided(decision));
            }
        }
    }

    /// A participant: votes, waits for the decision if it may still be to commit, and says what it did.
    fn take_part(can_commit: bool, orders: &Receiver<Order>) -> Option<Decision> {
        for order in orders {
            match order {
                Order::Prepare { vote_to } => {
                    let vote = if can_commit { Vote::Yes } else { Vote::No };
                    // The coordinator may have decided by now; it will tell.
                    let _ = vote_to.send(vote);
                    if vote == Vote::No {
                        return Some(Decision::Abort);
                    }
                }
                Order::Decided(decision) => return Some(decision),
            }
        }
        None
    }
}
