//! Dining philosophers: each needs the forks on both sides and eats once.

use insyn::std::sync::Arc;
use insyn::std::thread::{self, JoinHandle};
use insyn::sync::{Condition, Monitor};

use super::join_all;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Thinking,
    Hungry,
    /// Hungry, and no neighbour may overtake.
    Starving,
    Eating,
}

struct Table {
    states: Monitor<Vec<State>>,
    /// For each philosopher, that it eats.
    eats: Vec<Condition>,
}

impl Table {
    fn neighbours(&self, i: usize) -> [usize; 2] {
        let n = self.eats.len();
        [(i + n - 1) % n, (i + 1) % n]
    }

    /// Lets a philosopher eat if it wants to and can; one that cannot starves unless a neighbour does.
    fn test(&self, states: &mut [State], i: usize) {
        let neighbours = self.neighbours(i).map(|n| states[n]);
        let wants = matches!(states[i], State::Hungry | State::Starving);
        let blocked = |&s: &State| s == State::Eating || (s == State::Starving && states[i] == State::Hungry);
        if wants && !neighbours.iter().any(blocked) {
            states[i] = State::Eating;
        } else if states[i] == State::Hungry && !neighbours.contains(&State::Starving) {
            states[i] = State::Starving;
        }
    }

    fn pick_up(&self, i: usize) {
        let mut states = self.states.enter();
        states[i] = State::Hungry;
        self.test(&mut states, i);
        if states[i] != State::Eating {
            states.wait(&self.eats[i]);
        }
        assert!(self.neighbours(i).iter().all(|&n| states[n] != State::Eating), "a fork is used twice");
    }

    fn put_down(&self, i: usize) {
        let mut states = self.states.enter();
        states[i] = State::Thinking;
        for n in self.neighbours(i) {
            self.test(&mut states, n);
            if states[n] == State::Eating {
                states.signal(&self.eats[n]);
            }
        }
    }
}

/// A monitor with urgent wait, free of deadlock and of starvation.
pub fn su_monitor(philosophers: usize) -> impl Fn() + Send + Sync + 'static {
    move || {
        let states = Monitor::urgent(vec![State::Thinking; philosophers]);
        let eats = (0..philosophers).map(|_| states.condition()).collect();
        let table = Arc::new(Table { states, eats });
        let threads: Vec<JoinHandle<()>> = (0..philosophers)
            .map(|i| {
                let table = table.clone();
                thread::spawn(move || {
                    table.pick_up(i);
                    table.put_down(i);
                })
            })
            .collect();
        join_all(threads);
    }
}
