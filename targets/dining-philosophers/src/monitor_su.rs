//! A monitor with signal-and-urgent-wait, free of deadlock. (The textbook says of starvation too; no test here is about that.)
//!
//! A philosopher who cannot eat starves unless a neighbour does; who is merely hungry does not overtake a neighbour who
//! starves.

insyn::instrumented! {

use insyn::sync::{Condition, Monitor};

use crate::Table;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Thinking,
    Hungry,
    /// Hungry, and nobody may overtake.
    Starving,
    Eating,
}

/// What each philosopher does, and a condition for each to wait for.
#[derive(Debug)]
pub struct MonitorSu {
    states: Monitor<Vec<State>>,
    /// For each philosopher, that it eats.
    eats: Vec<Condition>,
}

impl MonitorSu {
    /// A table for so many.
    pub fn new(seats: usize) -> Self {
        let states = Monitor::urgent(vec![State::Thinking; seats]);
        let eats = (0..seats).map(|_| states.condition()).collect();
        MonitorSu { states, eats }
    }

    fn neighbours(&self, seat: usize) -> [usize; 2] {
        let seats = self.eats.len();
        [(seat + seats - 1) % seats, (seat + 1) % seats]
    }

    /// Lets a philosopher eat if it wants to and can.
    fn test(&self, states: &mut [State], seat: usize) {
        let neighbours = self.neighbours(seat).map(|n| states[n]);
        let wants = matches!(states[seat], State::Hungry | State::Starving);
        let is_in_the_way = |&state: &State| {
            state == State::Eating || (state == State::Starving && states[seat] == State::Hungry)
        };
        if wants && !neighbours.iter().any(is_in_the_way) {
            states[seat] = State::Eating;
        } else if states[seat] == State::Hungry && !neighbours.contains(&State::Starving) {
            states[seat] = State::Starving;
        }
    }

    fn pick_up(&self, seat: usize) {
        let mut states = self.states.enter();
        states[seat] = State::Hungry;
        self.test(&mut states, seat);
        if states[seat] != State::Eating {
            states.wait(&self.eats[seat]);
        }
    }

    fn put_down(&self, seat: usize) {
        let mut states = self.states.enter();
        states[seat] = State::Thinking;
        for neighbour in self.neighbours(seat) {
            self.test(&mut states, neighbour);
            if states[neighbour] == State::Eating {
                states.signal(&self.eats[neighbour]);
            }
        }
    }
}

impl Table for MonitorSu {
    fn dine(&self, seat: usize, eat: &dyn Fn()) {
        self.pick_up(seat);
        eat();
        self.put_down(seat);
    }
}

}
