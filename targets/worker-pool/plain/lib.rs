//! A pool of threads that run jobs from a queue.

pub mod pool {
    //! Jobs wait in a queue until a worker is free. A job's result is fetched with the ticket that submitting it gives.

    use std::collections::VecDeque;
    use std::fmt;
    use std::sync::mpsc::{self, Receiver};
    use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
    use std::thread::{self, JoinHandle};

    type Job = Box<dyn FnOnce() + Send>;

    /// A fixed number of threads.
    #[derive(Debug)]
    pub struct Pool {
        shared: Arc<Shared>,
        workers: Vec<JoinHandle<usize>>,
    }

    impl Pool {
        /// Starts so many workers.
        ///
        /// # Panics
        /// If that is none: then no job would ever run.
        pub fn new(size: usize) -> Self {
            assert!(size > 0, "a pool needs a worker");
            let shared = Arc::new(Shared::default());
            let workers = (0..size)
                .map(|_| {
                    let shared = Arc::clone(&shared);
                    thread::spawn(move || shared.work())
                })
                .collect();
            Pool { shared, workers }
        }

        /// Puts a job into the queue.
        pub fn submit<T, F>(&self, job: F) -> Ticket<T>
        where
            T: Send + 'static,
            F: FnOnce() -> T + Send + 'static,
        {
            let (sender, result) = mpsc::sync_channel(1);
            let job = move || {
                // Nobody listens if the ticket was thrown away.
                let _ = sender.send(job());
            };
            self.shared.queue().jobs.push_back(Box::new(job));
            self.shared.changed.notify_one();
            Ticket { result }
        }

        /// Waits until all jobs that were submitted have run, and ends the workers. Returns how many jobs each has run.
        ///
        /// # Errors
        /// If a job has panicked.
        pub fn shutdown(self) -> Result<Vec<usize>, JobPanicked> {
            self.shared.queue().closed = true;
            self.shared.changed.notify_all();
            self.workers.into_iter().map(|worker| worker.join().map_err(|_| JobPanicked)).collect()
        }
    }

    /// What the pool and its workers share.
    #[derive(Default)]
    struct Shared {
        queue: Mutex<Queue>,
        /// There is a new job, or there will be none any more.
        changed: Condvar,
    }

    #[derive(Default)]
    struct Queue {
        jobs: VecDeque<Job>,
        closed: bool,
    }

    impl Shared {
        fn queue(&self) -> MutexGuard<'_, Queue> {
            self.queue.lock().unwrap_or_else(PoisonError::into_inner)
        }

        /// Runs jobs until the pool is closed and the queue empty.
        fn work(&self) -> usize {
            let mut done = 0;
            while let Some(job) = self.next() {
                job();
                done += 1;
            }
            done
        }

        fn next(&self) -> Option<Job> {
            let mut queue = self.queue();
            loop {
                if let Some(job) = queue.jobs.pop_front() {
                    return Some(job);
                }
                if queue.closed {
                    return None;
                }
                queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    impl fmt::Debug for Shared {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.debug_struct("Shared").field("jobs", &self.queue().jobs.len()).finish_non_exhaustive()
        }
    }

    /// A claim to the result of a job.
    #[derive(Debug)]
    pub struct Ticket<T> {
        result: Receiver<T>,
    }

    impl<T> Ticket<T> {
        /// Waits for the job.
        ///
        /// # Errors
        /// If it has panicked.
        pub fn wait(self) -> Result<T, JobPanicked> {
            self.result.recv().map_err(|_| JobPanicked)
        }
    }

    /// A job has panicked.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct JobPanicked;

    impl fmt::Display for JobPanicked {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a job has panicked")
        }
    }

    impl std::error::Error for JobPanicked {}
}
