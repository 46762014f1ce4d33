//! Which orders of events there are: [`Executions`] goes through interleavings as the enumeration of behaviours does, but
//! distinguishes executions that differ only in the order.

use std::collections::BTreeSet;

use super::super::program::Program;
use super::super::random::Random;
use super::facts::Facts;
use super::state::State;
use super::{Enumeration, Enumerator, Options};

/// An event: the id of its process, and the event as text.
pub(crate) type Letter = (String, String);

/// The executions of a program.
pub(crate) struct Executions<'p> {
    enumerator: Enumerator<'p>,
}

impl<'p> Executions<'p> {
    /// Those of a program whose behaviours are known.
    pub(crate) fn new(program: &'p Program, options: Options, known: &Enumeration) -> Executions<'p> {
        let mut facts = Facts::none(program);
        known.facts.iter().for_each(|fact| facts.add(program, *fact));
        let mut enumerator = Enumerator::new(program, options, facts);
        enumerator.every_order = true;
        Executions { enumerator }
    }

    /// The events of some execution, in order.
    pub(crate) fn draw(&mut self, random: &mut Random) -> Vec<Letter> {
        let mut state = self.enumerator.start();
        let mut events = self.latest(&mut state);
        loop {
            let mut next = self.enumerator.successors(&state);
            if next.is_empty() {
                return events;
            }
            state = next.swap_remove(random.below(next.len()));
            events.extend(self.latest(&mut state));
        }
    }

    /// Whether some execution does the named events in the order of the word, and no other named event before the last of
    /// them; if `whole`, nor after it. None if there are too many states.
    pub(crate) fn have(
        &mut self,
        word: &[String],
        whole: bool,
        name: &dyn Fn(&Letter) -> Option<String>,
    ) -> Option<bool> {
        let mut start = self.enumerator.start();
        // The events determine how many letters have been done, so this does not distinguish states.
        let Some(done) = self.follow(&mut start, 0, word, whole, name) else { return Some(false) };
        let mut seen = BTreeSet::from([start.encode()]);
        let mut stack = vec![(start, done)];
        while let Some((state, done)) = stack.pop() {
            if !whole && done == word.len() {
                return Some(true);
            }
            let next = self.enumerator.successors(&state);
            if next.is_empty() && done == word.len() {
                return Some(true);
            }
            for mut state in next {
                let Some(done) = self.follow(&mut state, done, word, whole, name) else { continue };
                if seen.insert(state.encode()) {
                    if seen.len() > self.enumerator.options.max_states {
                        return None;
                    }
                    stack.push((state, done));
                }
            }
        }
        Some(false)
    }

    /// How many letters are done after the latest events; none if one is not the next letter.
    fn follow(
        &mut self,
        state: &mut State,
        mut done: usize,
        word: &[String],
        whole: bool,
        name: &dyn Fn(&Letter) -> Option<String>,
    ) -> Option<usize> {
        for named in self.latest(state).iter().filter_map(name) {
            match word.get(done) {
                Some(letter) if *letter == named => done += 1,
                None if !whole => {}
                _ => return None,
            }
        }
        Some(done)
    }

    /// The events of the last step, which are cleared.
    fn latest(&self, state: &mut State) -> Vec<Letter> {
        let all = std::mem::take(&mut state.latest);
        let letter = |at: super::history::At| {
            let process = usize::from(at.process);
            let token = self.enumerator.histories.event(state.histories[process], at.index);
            let names_objects = self.enumerator.names_objects(process);
            let ids = &self.enumerator.ids;
            (ids[process].clone(), token.render(process, ids, names_objects))
        };
        all.into_iter().map(letter).collect()
    }
}
