//! Candidates ask voters for their votes; a majority makes a leader.

pub mod election {
    //! Voters and candidates are threads that talk over channels. In each term a voter gives its vote to the first
    //! candidate who asks, so at most one candidate has a majority. When the vote is split, those who stood ask again in
    //! the next term, until the last term is over.

    use std::sync::mpsc::{self, Receiver, Sender};
    use std::thread::{self, JoinHandle};

    /// A candidate by number.
    pub type Candidate = usize;

    /// A term by number, from 1.
    pub type Term = u32;

    /// A candidate asks for a vote.
    #[derive(Debug)]
    struct Ask {
        term: Term,
        candidate: Candidate,
        answer_to: Sender<Answer>,
    }

    #[derive(Clone, Copy, Debug)]
    struct Answer {
        term: Term,
        granted: bool,
    }

    /// How a candidate came out of an election.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Outcome {
        /// It had a majority in this term.
        Won(Term),
        /// It never had one.
        Lost,
    }

    /// Holds an election and returns how each candidate came out of it.
    ///
    /// # Panics
    /// If there are no voters.
    pub fn elect(voters: usize, candidates: usize, terms: Term) -> Vec<Outcome> {
        assert!(voters > 0, "an election needs a voter");
        let mut asks = Vec::new();
        let mut threads: Vec<JoinHandle<()>> = Vec::new();
        for _ in 0..voters {
            let (ask, asked) = mpsc::channel();
            asks.push(ask);
            threads.push(thread::spawn(move || vote(&asked)));
        }
        let standing: Vec<JoinHandle<Outcome>> = (0..candidates)
            .map(|candidate| {
                let asks = asks.clone();
                thread::spawn(move || stand(candidate, &asks, terms))
            })
            .collect();
        // Voters end when no candidate can ask any more.
        drop(asks);
        let outcomes =
            standing.into_iter().map(|it| it.join().expect("a candidate does not panic")).collect();
        for voter in threads {
            voter.join().expect("a voter does not panic");
        }
        outcomes
    }

    /// A voter: it answers whoever asks, and grants one vote in each term.
    fn vote(asked: &Receiver<Ask>) {
        let mut last_vote: Option<(Term, Candidate)> = None;
        for Ask { term, candidate, answer_to } in asked {
            let granted = match last_vote {
                None => true,
                Some((voted, _)) if term > voted => true,
                // Asked again by the same one, it says the same again.
                Some(vote) => vote == (term, candidate),
            };
            if granted {
                last_vote = Some((term, candidate));
            }
            // A candidate who knows enough may have gone.
            let _ = answer_to.send(Answer { term, granted });
        }
    }

    /// A candidate: it asks every voter, term by term, until it has won or the terms are over.
    fn stand(candidate: Candidate, voters: &[Sender<Ask>], terms: Term) -> Outcome {
        let (answer_to, answers) = mpsc::channel();
        for term in 1..=terms {
            for voter in voters {
                // A voter stays as long as it can be asked.
                let _ = voter.send(Ask { term, candidate, answer_to: answer_to.clone() });
            }
            if has_majority(term, voters.len(), &answers) {
                return Outcome::Won(term);
            }
        }
        Outcome::Lost
    }

    /// Counts the answers of a term until it is clear whether there is a majority.
    fn has_majority(term: Term, voters: usize, answers: &Receiver<Answer>) -> bool {
        let (mut granted, mut refused) = (0, 0);
        while 2 * granted <= voters && 2 * refused < voters {
            let Ok(answer) = answers.recv() else { return false };
            if answer.term != term {
                continue;
            }
            if answer.granted {
                granted += 1;
            } else {
                refused += 1;
            }
        }
        2 * granted > voters
    }
}
