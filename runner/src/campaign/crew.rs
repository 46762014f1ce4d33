//! Several hands that do pieces of work, each once, and one who sees what comes of it.
//!
//! It is annotated, so that insyn tests itself: its programs are explored as any other, and its mutants are run in a
//! campaign of our own.

pub(crate) use hands::work;

#[cfg_attr(test, insyn::instrument)]
mod hands {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;
    use std::thread;

    /// Does pieces of work with at most so many hands, and shows what comes of each to `done`, in no particular order. If
    /// `done` fails, that is the result, and no hand begins more than it has already taken up.
    ///
    /// Each hand is what `hire` makes of its number, on a thread of its own; it goes, after what it has taken up, when
    /// `is_over` says so.
    pub(crate) fn work<T, R, H, E>(
        pieces: &[T],
        hands: usize,
        hire: impl Fn(usize) -> H + Sync,
        is_over: impl Fn() -> bool + Sync,
        mut done: impl FnMut(R) -> Result<(), E>,
    ) -> Result<(), E>
    where
        T: Sync,
        R: Send,
        H: FnMut(&T) -> R,
    {
        let next = AtomicUsize::new(0);
        let (send, results) = mpsc::channel();
        thread::scope(|scope| {
            for number in 0..hands.min(pieces.len()) {
                let (send, next, hire, is_over) = (send.clone(), &next, &hire, &is_over);
                scope.spawn(move || {
                    let mut hand = hire(number);
                    while let Some(piece) = pieces.get(next.fetch_add(1, Ordering::Relaxed)) {
                        // Nobody listens if something went wrong there.
                        if send.send(hand(piece)).is_err() || is_over() {
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

    /// What is seen of a crew at work.
    #[derive(Serialize)]
    struct Seen {
        /// The hands that were hired.
        hired: BTreeSet<usize>,
        /// The pieces that were begun.
        begun: BTreeSet<usize>,
        /// What was shown, in order.
        shown: Vec<usize>,
        ended: Result<(), String>,
    }

    /// Has hands double pieces, until something is shown that is not wanted.
    fn double(pieces: &[usize], hands: usize, is_over: bool, unwanted: Option<usize>) -> Seen {
        let [hired, begun] = [const { Mutex::new(BTreeSet::new()) }; 2];
        let note = |known: &Mutex<BTreeSet<usize>>, it| {
            let is_new = known.lock().unwrap_or_else(PoisonError::into_inner).insert(it);
            assert!(is_new, "{it} comes once");
        };
        let hire = |number| {
            note(&hired, number);
            |&piece: &usize| {
                note(&begun, piece);
                piece * 2
            }
        };
        let mut shown = Vec::new();
        let done = |result| {
            shown.push(result);
            if unwanted == Some(result) { Err(format!("{result} is not wanted")) } else { Ok(()) }
        };
        let ended = super::work(pieces, hands, hire, || is_over, done);
        let all = |known: Mutex<BTreeSet<usize>>| known.into_inner().unwrap_or_else(PoisonError::into_inner);
        Seen { hired: all(hired), begun: all(begun), shown, ended }
    }

    #[insyn::test]
    fn each_piece_is_done_once() -> Seen {
        let seen = double(&[1, 2, 3], 2, false, None);
        assert_eq!(BTreeSet::from_iter(seen.shown.iter().copied()), BTreeSet::from([2, 4, 6]));
        assert_eq!((seen.shown.len(), &seen.ended), (3, &Ok(())));
        seen
    }

    #[insyn::test]
    fn a_failure_is_the_end_of_it() -> Seen {
        let seen = double(&[1, 2, 3, 4], 1, false, Some(4));
        assert_eq!((&seen.shown[..], &seen.ended), (&[2, 4][..], &Err("4 is not wanted".to_owned())));
        seen
    }

    #[insyn::test]
    fn hands_go_when_it_is_over() -> Seen {
        let seen = double(&[1, 2, 3], 2, true, None);
        assert!(seen.shown.len() == 2 && seen.ended.is_ok());
        seen
    }

    #[insyn::test]
    fn nobody_is_hired_for_nothing() -> Seen {
        let seen = double(&[1], 2, false, None);
        assert_eq!((seen.hired.len(), &seen.shown[..]), (1, &[2][..]));
        seen
    }
}
