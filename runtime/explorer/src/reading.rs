//! The letters that a specification reads from a run.
//!
//! Letters could be read from the sequence of the run, but a sequence takes long to make, and a specification names few of
//! its events. The runs of an exploration share most of these events, and many have the same letters in the same orders: a
//! reader of many runs remembers what it has read ([`Readings`]).

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use insyn_sequences::Malformed;
use insyn_specs::Letter;
use insyn_specs::spec::{Instance, Orders, Poset, Reading};

use crate::exploration::consistency::Consistency;
use crate::exploration::ended::Ended;
use crate::exploration::order::HappensBefore as _;
use crate::exploration::past::Pasts;
use crate::exploration::relevant::Relevant;
use insyn_engine::Engine;
use insyn_engine::ids::{EventId, ProcessId, Values};
use insyn_engine::record::observed::Outline;

thread_local! {
    /// Reused for every run, since an exploration has many.
    static MEMORY: RefCell<(Pasts, Consistency)> = RefCell::default();
}

/// The orders of letters in a run that has just ended.
pub fn orders(ended: &Ended<'_>, instance: &Instance) -> Result<Orders, Malformed> {
    let mut readings = Readings::default();
    match readings.line(ended.engine(), instance) {
        Some(line) => Ok(readings.poset(&line)),
        None => instance.orders(&ended.sequence(), &ended.constraints()),
    }
}

impl Ended<'_> {
    /// The orders of its letters: the same as those of its [sequence](Self::sequence) with its
    /// [constraints](Self::constraints), without making either.
    ///
    /// # Errors
    /// If the sequence is malformed, which is a bug of insyn.
    pub fn orders(&self, instance: &Instance) -> Result<Orders, Malformed> {
        orders(self, instance)
    }
}

/// What one specification has read from some runs. All calls must use the same specification.
#[derive(Default)]
pub struct Readings {
    /// The worker whose runs have been read: in other workers processes have other numbers.
    worker: Option<u64>,
    /// The names of the worker's threads, by process.
    titles: Values<ProcessId, Option<Arc<str>>>,
    /// The meanings of the worker's events.
    events: BTreeMap<Outline, Meaning>,
    /// All letters, by number.
    letters: Vec<Letter>,
    letter_numbers: BTreeMap<Letter, usize>,
    /// By letters that were read: the number of their orders.
    read: BTreeMap<Line, usize>,
    /// All orders, by number.
    orders: Vec<Arc<Orders>>,
    order_numbers: BTreeMap<Arc<Orders>, usize>,
}

/// The meaning of an event to a specification.
#[derive(Clone, Copy)]
enum Meaning {
    /// By its number.
    Letter(usize),
    Hidden,
    Unexpected,
}

/// Letters in a partial order.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Line {
    /// Their numbers; equal letters in their order.
    letters: Vec<usize>,
    /// For each of them, which others come before it.
    before: Vec<Vec<bool>>,
}

impl Readings {
    /// The orders of letters in a run that has just ended. The same orders always have the same number.
    pub fn read(
        &mut self,
        ended: &Ended<'_>,
        instance: &Instance,
    ) -> Result<(usize, Arc<Orders>), Malformed> {
        let number = match self.line(ended.engine(), instance) {
            Some(line) => match self.read.get(&line) {
                Some(&number) => number,
                None => {
                    let number = self.number(self.poset(&line));
                    self.read.insert(line, number);
                    number
                }
            },
            None => self.number(instance.orders(&ended.sequence(), &ended.constraints())?),
        };
        Ok((number, self.orders[number].clone()))
    }

    /// The letters of a run. None if the sequence itself is needed: there are unexpected events, of which the first is
    /// wanted; equal letters are concurrent and are ordered as in the sequence; or real objects leave a choice.
    fn line(&mut self, engine: &Engine, instance: &Instance) -> Option<Line> {
        self.forget_renamed(engine);
        let (mut letters, mut places) = (Vec::new(), Vec::new());
        for (i, event) in engine.run.events.pairs() {
            if !instance.may_read(event.op) || !engine.happens(event) {
                continue;
            }
            match self.meaning(engine, i, instance) {
                Meaning::Letter(letter) => {
                    letters.push(letter);
                    places.push(i);
                }
                Meaning::Hidden => {}
                Meaning::Unexpected => return None,
            }
        }
        let before: Vec<Vec<bool>> = MEMORY.with_borrow_mut(|(pasts, consistency)| {
            pasts.compute(&engine.run, 1);
            let edges =
                consistency.edges(&engine.run, pasts, &Relevant::of(&engine.run), &engine.settings)?;
            Some(places.iter().map(|&place| all_before(place, &places, pasts, edges)).collect())
        })?;
        let is_clear = |a: usize, b: usize| letters[a] != letters[b] || before[a][b] || before[b][a];
        if !(0..letters.len()).all(|b| (0..b).all(|a| is_clear(a, b))) {
            return None;
        }
        let mut line: Vec<usize> = (0..letters.len()).collect();
        line.sort_by_cached_key(|&it| (letters[it], count(&before[it])));
        Some(Line {
            letters: line.iter().map(|&it| letters[it]).collect(),
            before: line.iter().map(|&b| line.iter().map(|&a| before[b][a]).collect()).collect(),
        })
    }

    /// Forgets what was read from other workers, or while threads had other names.
    fn forget_renamed(&mut self, engine: &Engine) {
        let is_known = self.worker.replace(engine.worker()) == Some(engine.worker());
        if !is_known {
            self.titles.clear();
        }
        self.titles.extend_to(engine.processes.len(), None);
        let mut is_same = is_known;
        for thread in engine.threads.iter() {
            let known = &mut self.titles[thread.process];
            let title = thread.title();
            if known.as_deref() != title.as_deref() {
                is_same = false;
                *known = title.map(|it| it.into());
            }
        }
        if !is_same {
            self.events.clear();
        }
    }

    fn meaning(&mut self, engine: &Engine, event: EventId, instance: &Instance) -> Meaning {
        let outline = engine.outline(event);
        if let Some(&meaning) = outline.as_ref().and_then(|it| self.events.get(it)) {
            return meaning;
        }
        let meaning = match engine.with_event(event, |event| instance.reading(event)) {
            Reading::Letter(letter) => Meaning::Letter(match self.letter_numbers.get(&letter) {
                Some(&number) => number,
                None => {
                    let number = self.letters.len();
                    self.letters.push(letter.clone());
                    self.letter_numbers.insert(letter, number);
                    number
                }
            }),
            Reading::Hidden => Meaning::Hidden,
            Reading::Unexpected => Meaning::Unexpected,
        };
        if let Some(outline) = outline {
            self.events.insert(outline, meaning);
        }
        meaning
    }

    fn poset(&self, Line { letters, before }: &Line) -> Orders {
        // A letter that comes before another has fewer letters before it.
        let mut line: Vec<usize> = (0..letters.len()).collect();
        line.sort_by_key(|&it| count(&before[it]));
        let letters = line.iter().map(|&it| self.letters[letters[it]].clone()).collect();
        Orders::from(Poset::of(letters, |a, b| before[line[b]][line[a]]))
    }

    fn number(&mut self, orders: Orders) -> usize {
        if let Some(&number) = self.order_numbers.get(&orders) {
            return number;
        }
        let (number, orders) = (self.orders.len(), Arc::new(orders));
        self.orders.push(orders.clone());
        self.order_numbers.insert(orders, number);
        number
    }
}

fn count(which: &[bool]) -> usize {
    which.iter().filter(|it| **it).count()
}

/// Which of some events come before another, by happens-before and by the edges, which are not part of the past.
fn all_before(event: EventId, all: &[EventId], pasts: &Pasts, edges: &[(EventId, EventId)]) -> Vec<bool> {
    let is_up_to = |a: EventId, b: EventId| a == b || pasts.before(a, b);
    // The event, and the events where edges begin that lead there, directly or indirectly.
    let mut ends = vec![event];
    let mut rest = edges.to_vec();
    let mut next = 0;
    while let Some(&end) = ends.get(next) {
        next += 1;
        rest.retain(|&(from, to)| {
            let leads_there = is_up_to(to, end);
            ends.extend(leads_there.then_some(from));
            !leads_there
        });
    }
    let is_before = |&it: &EventId| it != event && ends.iter().any(|&end| is_up_to(it, end));
    all.iter().map(is_before).collect()
}
