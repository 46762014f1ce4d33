//! A pool of threads that do pieces of work, each piece once, while the calling thread receives the results.
//!
//! It is annotated, so that insyn tests itself: its programs are explored like any others, and its mutants are run in a
//! campaign of their own.

pub(crate) use pool::work;

#[cfg_attr(test, insyn::instrument)]
mod pool {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;
    use std::thread;

    /// Does pieces of work on at most `threads` threads, and passes the result of each to `done`, in no particular order.
    /// If `done` fails, its error is returned, and each thread finishes at most the piece that it has already taken.
    ///
    /// On each thread, `start` makes a worker from the thread's number; the worker does one piece after the other. A thread
    /// ends after its current piece when `is_over` returns true.
    pub(crate) fn work<T, R, W, E>(
        pieces: &[T],
        threads: usize,
        start: impl Fn(usize) -> W + Sync,
        is_over: impl Fn() -> bool + Sync,
        mut done: impl FnMut(R) -> Result<(), E>,
    ) -> Result<(), E>
    where
        T: Sync,
        R: Send,
        W: FnMut(&T) -> R,
    {
        let next = AtomicUsize::new(0);
        let (send, results) = mpsc::channel();
        thread::scope(|scope| {
            for number in 0..threads.min(pieces.len()) {
                let (send, next, start, is_over) = (send.clone(), &next, &start, &is_over);
                scope.spawn(move || {
                    let mut worker = start(number);
                    while let Some(piece) = pieces.get(next.fetch_add(1, Ordering::Relaxed)) {
                        // The channel is closed if `done` has failed.
                        if send.send(worker(piece)).is_err() || is_over() {
                            return;
                        }
                    }
                });
            }
            drop(send);
            for result in results {
                done(result)?;
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::{Mutex, PoisonError};

    use serde::Serialize;

    /// What a test observes of a pool.
    #[derive(Serialize)]
    struct Observed {
        /// The workers that were started.
        started: BTreeSet<usize>,
        /// The pieces that were begun.
        begun: BTreeSet<usize>,
        /// The results, in order.
        results: Vec<usize>,
        ended: Result<(), String>,
    }

    /// Lets workers double pieces, until there is an unwanted result.
    fn double(pieces: &[usize], threads: usize, is_over: bool, unwanted: Option<usize>) -> Observed {
        let [started, begun] = [const { Mutex::new(BTreeSet::new()) }; 2];
        let note = |known: &Mutex<BTreeSet<usize>>, it| {
            let is_new = known.lock().unwrap_or_else(PoisonError::into_inner).insert(it);
            assert!(is_new, "{it} comes once");
        };
        let start = |number| {
            note(&started, number);
            |&piece: &usize| {
                note(&begun, piece);
                piece * 2
            }
        };
        let mut results = Vec::new();
        let done = |result| {
            results.push(result);
            if unwanted == Some(result) { Err(format!("{result} is not wanted")) } else { Ok(()) }
        };
        let ended = super::work(pieces, threads, start, || is_over, done);
        let all = |known: Mutex<BTreeSet<usize>>| known.into_inner().unwrap_or_else(PoisonError::into_inner);
        Observed { started: all(started), begun: all(begun), results, ended }
    }

    #[insyn::test]
    fn each_piece_is_done_once() -> Observed {
        let observed = double(&[1, 2, 3], 2, false, None);
        assert_eq!(BTreeSet::from_iter(observed.results.iter().copied()), BTreeSet::from([2, 4, 6]));
        assert_eq!((observed.results.len(), &observed.ended), (3, &Ok(())));
        observed
    }

    #[insyn::test]
    fn a_failure_is_the_end_of_it() -> Observed {
        let observed = double(&[1, 2, 3, 4], 1, false, Some(4));
        assert_eq!(
            (&observed.results[..], &observed.ended),
            (&[2, 4][..], &Err("4 is not wanted".to_owned()))
        );
        observed
    }

    #[insyn::test]
    fn threads_end_when_it_is_over() -> Observed {
        let observed = double(&[1, 2, 3], 2, true, None);
        assert!(observed.results.len() == 2 && observed.ended.is_ok());
        observed
    }

    #[insyn::test]
    fn no_worker_is_started_for_nothing() -> Observed {
        let observed = double(&[1], 2, false, None);
        assert_eq!((observed.started.len(), &observed.results[..]), (1, &[2][..]));
        observed
    }
}
