//! The bounded buffer as a monitor: a lock and two conditions.

#[insyn::instrument]
mod buffer {
    use std::sync::{Condvar, Mutex};

    pub struct Buffer {
        state: Mutex<State>,
        not_full: Condvar,
        not_empty: Condvar,
    }

    struct State {
        buffer: Vec<char>,
        full_slots: usize,
        next_in: usize,
        next_out: usize,
    }

    impl Buffer {
        pub fn deposit(&self, item: char) {
            let mut state = self.state.lock().unwrap();
            while state.full_slots == state.buffer.len() {
                state = self.not_full.wait(state).unwrap();
            }
            let at = state.next_in;
            state.buffer[at] = item;
            state.next_in = (at + 1) % state.buffer.len();
            state.full_slots += 1;
            self.not_empty.notify_one();
        }

        pub fn withdraw(&self) -> char {
            let mut state = self.state.lock().unwrap();
            while state.full_slots == 0 {
                state = self.not_empty.wait(state).unwrap();
            }
            let at = state.next_out;
            let item = state.buffer[at];
            state.next_out = (at + 1) % state.buffer.len();
            state.full_slots -= 1;
            self.not_full.notify_one();
            item
        }
    }
}
