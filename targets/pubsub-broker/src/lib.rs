//! Topics, publishers and subscribers, with the last message kept for those who come late.

#[insyn::instrument]
pub mod broker {
    //! A subscriber first gets the last message of its topic, if there is one, and then every one that is published,
    //! without a gap.

    use std::collections::BTreeMap;
    use std::fmt;
    use std::sync::mpsc::{self, Receiver, Sender};
    use std::sync::{Mutex, MutexGuard, PoisonError};

    /// A place where messages are published by topic. Shared by reference.
    #[derive(Debug)]
    pub struct Broker<M> {
        state: Mutex<State<M>>,
    }

    #[derive(Debug)]
    struct State<M> {
        topics: BTreeMap<String, Topic<M>>,
        closed: bool,
    }

    #[derive(Debug)]
    struct Topic<M> {
        last: Option<M>,
        subscribers: Vec<Sender<M>>,
    }

    impl<M: Clone> Broker<M> {
        /// A broker without topics; they come into being when they are used.
        pub fn new() -> Self {
            Broker { state: Mutex::new(State { topics: BTreeMap::new(), closed: false }) }
        }

        /// Sends a message to all who have subscribed to a topic. Returns how many that are.
        ///
        /// # Errors
        /// If the broker is closed.
        pub fn publish(&self, topic: &str, message: M) -> Result<usize, Closed> {
            let mut state = self.state();
            if state.closed {
                return Err(Closed);
            }
            let topic = state.topic(topic);
            // Those who have gone away are forgotten.
            topic.subscribers.retain(|subscriber| subscriber.send(message.clone()).is_ok());
            topic.last = Some(message);
            Ok(topic.subscribers.len())
        }

        /// Subscribes to a topic.
        ///
        /// # Errors
        /// If the broker is closed.
        pub fn subscribe(&self, topic: &str) -> Result<Subscription<M>, Closed> {
            let (subscriber, messages) = mpsc::channel();
            let mut state = self.state();
            if state.closed {
                return Err(Closed);
            }
            let topic = state.topic(topic);
            let last = topic.last.clone();
            topic.subscribers.push(subscriber);
            Ok(Subscription { last, messages })
        }

        /// Ends all subscriptions: subscribers get what has been published so far and nothing more.
        pub fn close(&self) {
            let mut state = self.state();
            state.closed = true;
            state.topics.clear();
        }

        fn state(&self) -> MutexGuard<'_, State<M>> {
            self.state.lock().unwrap_or_else(PoisonError::into_inner)
        }
    }

    impl<M: Clone> Default for Broker<M> {
        fn default() -> Self {
            Broker::new()
        }
    }

    impl<M> State<M> {
        fn topic(&mut self, name: &str) -> &mut Topic<M> {
            let new = || Topic { last: None, subscribers: Vec::new() };
            self.topics.entry(name.to_owned()).or_insert_with(new)
        }
    }

    /// The messages of a topic, from the last one before it was subscribed to on.
    #[derive(Debug)]
    pub struct Subscription<M> {
        last: Option<M>,
        messages: Receiver<M>,
    }

    impl<M> Iterator for Subscription<M> {
        type Item = M;

        /// Waits for the next message; there is none any more when the broker is closed.
        fn next(&mut self) -> Option<M> {
            self.last.take().or_else(|| self.messages.recv().ok())
        }
    }

    /// The broker is closed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Closed;

    impl fmt::Display for Closed {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("the broker is closed")
        }
    }

    impl std::error::Error for Closed {}
}
