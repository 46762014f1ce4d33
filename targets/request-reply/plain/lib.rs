//! A server that answers requests, and clients that lose patience and ask again.

pub mod server {
    //! Each request is carried out once, however often a client asks: the server remembers its last reply to each client,
    //! and gives it again when the same request comes again.

    use std::collections::BTreeMap;
    use std::fmt;
    use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
    use std::thread::{self, JoinHandle};
    use std::time::Duration;

    struct Request {
        client: usize,
        /// Counts the client's requests, so that a repeated one is known.
        number: u64,
        body: u32,
        reply_to: Sender<Reply>,
    }

    #[derive(Clone, Copy)]
    struct Reply {
        number: u64,
        body: u32,
    }

    /// A thread that serves requests until its last client is gone.
    #[derive(Debug)]
    pub struct Server {
        requests: Sender<Request>,
        thread: JoinHandle<u64>,
        clients: usize,
    }

    impl Server {
        /// Starts a server that answers by calling `handler`.
        pub fn start(handler: impl FnMut(u32) -> u32 + Send + 'static) -> Self {
            let (requests, received) = mpsc::channel();
            let thread = thread::spawn(move || serve(&received, handler));
            Server { requests, thread, clients: 0 }
        }

        /// A new client, which waits for `patience` and asks at most `attempts` times.
        pub fn connect(&mut self, patience: Duration, attempts: u32) -> Client {
            self.clients += 1;
            let (reply_to, replies) = mpsc::channel();
            let requests = self.requests.clone();
            Client { id: self.clients, requests, reply_to, replies, number: 0, patience, attempts }
        }

        /// Waits until all clients are gone. Returns how many requests were carried out.
        ///
        /// # Panics
        /// If the handler has.
        pub fn stop(self) -> u64 {
            drop(self.requests);
            self.thread.join().expect("the handler does not panic")
        }
    }

    fn serve(requests: &Receiver<Request>, mut handler: impl FnMut(u32) -> u32) -> u64 {
        let mut last_replies: BTreeMap<usize, Reply> = BTreeMap::new();
        let mut carried_out = 0;
        for request in requests {
            let reply = match last_replies.get(&request.client) {
                Some(last) if last.number >= request.number => *last,
                _ => {
                    carried_out += 1;
                    Reply { number: request.number, body: handler(request.body) }
                }
            };
            last_replies.insert(request.client, reply);
            // The client may be gone by now.
            let _ = request.reply_to.send(reply);
        }
        carried_out
    }

    /// Sends requests, one at a time.
    #[derive(Debug)]
    pub struct Client {
        id: usize,
        requests: Sender<Request>,
        reply_to: Sender<Reply>,
        replies: Receiver<Reply>,
        number: u64,
        patience: Duration,
        attempts: u32,
    }

    impl Client {
        /// Sends a request and waits for the reply; asks again when it does not come in time.
        ///
        /// # Errors
        /// If there was no reply to any attempt.
        pub fn call(&mut self, body: u32) -> Result<u32, CallError> {
            self.number += 1;
            for _ in 0..self.attempts {
                let request =
                    Request { client: self.id, number: self.number, body, reply_to: self.reply_to.clone() };
                self.requests.send(request).map_err(|_| CallError::ServerGone)?;
                match self.reply() {
                    Ok(body) => return Ok(body),
                    Err(RecvTimeoutError::Timeout) => continue,
                    Err(RecvTimeoutError::Disconnected) => return Err(CallError::ServerGone),
                }
            }
            Err(CallError::TimedOut)
        }

        /// Waits for the reply to the last request.
        fn reply(&self) -> Result<u32, RecvTimeoutError> {
            loop {
                let reply = self.replies.recv_timeout(self.patience)?;
                // One that comes late belongs to an earlier request.
                if reply.number == self.number {
                    return Ok(reply.body);
                }
            }
        }
    }

    /// Why a call has no reply.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum CallError {
        /// No reply came in time.
        TimedOut,
        /// The server has ended.
        ServerGone,
    }

    impl fmt::Display for CallError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(match self {
                CallError::TimedOut => "no reply came in time",
                CallError::ServerGone => "the server has ended",
            })
        }
    }

    impl std::error::Error for CallError {}
}
