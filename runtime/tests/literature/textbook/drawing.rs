//! Space-time diagrams in words, and the executions that look like them.
//!
//! A drawing has a line for each process, separated by `|`, with its events from top to bottom: `T1: s1>p1` is a thread
//! that sends `s1` to port `p1`, `T2: r1<s1` one that receives it as `r1`, and `semaphore1: e1<p1` an object that
//! completes the call `p1`. `Tn` is the `n`-th thread that the program spawns; objects are called by their id.
//! Events that the textbook does not draw (a reply, a wait, a join) are not in a drawing either.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use insyn::sequences::{EventRef, Op, Order, Pick, Sequence};
use insyn::{Explorer, RaceTable};
use serde::Serialize;

/// A drawing, parsed.
#[derive(Clone, Debug)]
pub(crate) struct Drawing {
    pub(crate) lines: Vec<Line>,
}

/// A process of a drawing.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) process: String,
    pub(crate) points: Vec<Point>,
}

/// An event of a drawing.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    pub(crate) name: String,
    /// The port it sends to, if the drawing shows it.
    pub(crate) to: Option<String>,
    /// The event it takes.
    pub(crate) from: Option<String>,
}

impl Drawing {
    pub(crate) fn new(text: &str) -> Drawing {
        let point = |word: &str| {
            let (name, to, from) = match (word.split_once('>'), word.split_once('<')) {
                (Some((name, to)), _) => (name, Some(to.to_string()), None),
                (_, Some((name, from))) => (name, None, Some(from.to_string())),
                (None, None) => (word, None, None),
            };
            Point { name: name.to_string(), to, from }
        };
        let line = |line: &str| {
            let (process, points) = line.split_once(':').expect("a line is `process: events`");
            let process = process.trim().to_string();
            Line { process, points: points.split_whitespace().map(point).collect() }
        };
        Drawing { lines: text.split('|').map(line).collect() }
    }

    /// Finds the events of the drawing in a sequence; none if the sequence is not what is drawn.
    fn names_in(&self, sequence: &Sequence) -> Option<BTreeMap<String, EventRef>> {
        let drawn = |at: &EventRef| is_drawn(sequence.event(*at).op);
        let mut names = BTreeMap::new();
        for line in &self.lines {
            let id = match line.process.strip_prefix('T') {
                Some(number) => format!("main/thread{number}"),
                None => format!("main/{}", line.process),
            };
            let process = sequence.processes.iter().position(|p| p.id == id)?;
            let events = (0..sequence.processes[process].events.len())
                .map(|index| EventRef { process, index })
                .filter(drawn)
                .collect::<Vec<_>>();
            if events.len() != line.points.len() {
                return None;
            }
            names.extend(line.points.iter().map(|p| p.name.clone()).zip(events));
        }
        let fits = |point: &Point| {
            let pick = &sequence.event(names[&point.name]).pick;
            match &point.from {
                Some(from) => *pick == Pick::Partners(vec![names[from]]),
                None => pick.partners().is_empty(),
            }
        };
        let all_fit = self.lines.iter().flat_map(|line| &line.points).all(fits);
        (all_fit && names.len() == sequence.events().filter(drawn).count()).then_some(names)
    }
}

/// Whether the textbook has such events in its diagrams.
fn is_drawn(op: Op) -> bool {
    use Op::*;
    let messages = matches!(op, Send | Receive | Call | Accept);
    messages || matches!(op, Lock | Unlock | Acquire | Release | Enter | Reenter)
}

/// An execution that has been analysed.
#[derive(Clone, Debug)]
pub(crate) struct Analysed {
    pub(crate) sequence: Sequence,
    pub(crate) races: RaceTable,
}

/// Every execution of a program, analysed.
pub(crate) fn executions<R: Serialize + 'static>(
    program: impl Fn() -> R + Send + Sync + 'static,
) -> Vec<Analysed> {
    let seen: Arc<Mutex<Vec<Analysed>>> = Arc::default();
    let observer = {
        let seen = seen.clone();
        move |ended: &insyn::Ended<'_>| {
            if ended.counted() {
                let analysed = Analysed { sequence: ended.sequence(), races: ended.race_table() };
                seen.lock().unwrap().push(analysed);
            }
        }
    };
    let found = Explorer::new().workers(1).observe(observer).explore(program);
    let seen = std::mem::take(&mut *seen.lock().unwrap());
    assert_eq!((seen.len() as u64, found.panics), (found.sequences, 0), "{found}");
    seen
}

/// The execution of a program that looks like a drawing, with the names that the drawing gives to its events.
#[derive(Debug)]
pub(crate) struct Diagram {
    pub(crate) sequence: Sequence,
    pub(crate) races: RaceTable,
    pub(crate) names: BTreeMap<String, EventRef>,
}

impl Diagram {
    /// Explores the program for the drawing. Also checks that a replay of the execution has the same races.
    ///
    /// # Panics
    /// If no execution, or more than one, looks like the drawing.
    #[track_caller]
    pub(crate) fn of<R: Serialize + 'static>(
        drawing: &str,
        program: impl Fn() -> R + Clone + Send + Sync + 'static,
    ) -> Diagram {
        let diagram = Diagram::find(&Drawing::new(drawing), program.clone());
        let diagram = diagram.unwrap_or_else(|| panic!("no execution looks like {drawing}"));
        let replayed: Arc<Mutex<Option<RaceTable>>> = Arc::default();
        let explorer = {
            let replayed = replayed.clone();
            Explorer::new().observe(move |ended| *replayed.lock().unwrap() = Some(ended.race_table()))
        };
        let again = explorer.replay(&diagram.sequence, program).expect("the program does it again");
        assert_eq!(again.sequence, diagram.sequence);
        assert_eq!(replayed.lock().unwrap().as_ref(), Some(&diagram.races), "a replay has other races");
        diagram
    }

    /// Explores the program for the drawing; none if no execution looks like it.
    #[track_caller]
    pub(crate) fn find<R: Serialize + 'static>(
        drawing: &Drawing,
        program: impl Fn() -> R + Send + Sync + 'static,
    ) -> Option<Diagram> {
        let mut found = executions(program).into_iter().filter_map(|Analysed { sequence, races }| {
            drawing.names_in(&sequence).map(|names| Diagram { sequence, races, names })
        });
        let diagram = found.next();
        assert!(found.next().is_none(), "two executions look like the drawing");
        diagram
    }

    /// The event of that name.
    #[track_caller]
    pub(crate) fn at(&self, name: &str) -> EventRef {
        *self.names.get(name).unwrap_or_else(|| panic!("{name} is not in the drawing"))
    }

    /// The name of an event; its place in the sequence if the drawing does not have it.
    pub(crate) fn name(&self, at: EventRef) -> String {
        let named = self.names.iter().find(|(_, other)| **other == at);
        named.map_or_else(|| self.sequence.event_name(at), |(name, _)| name.clone())
    }

    /// The race set of an event, by name.
    pub(crate) fn race_set(&self, name: &str) -> BTreeSet<String> {
        let column = self.races.columns.iter().find(|column| column.event == self.at(name));
        let members = column.iter().flat_map(|column| &column.race_set);
        let words = |member: &Vec<EventRef>| member.iter().map(|&at| self.name(at)).collect::<Vec<_>>();
        members.map(|member| words(member).join("+")).collect()
    }

    /// All race sets that are not empty, sorted by name: `r1{s2} r3{s4,s5}`.
    pub(crate) fn race_sets(&self) -> String {
        let events: BTreeSet<String> = self.races.columns.iter().map(|c| self.name(c.event)).collect();
        let word = |name: &String| {
            let members: Vec<String> = self.race_set(name).into_iter().collect();
            format!("{name}{{{}}}", members.join(","))
        };
        events.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    /// The rows of the race table with its columns in the order given.
    ///
    /// # Panics
    /// If these are not its columns.
    #[track_caller]
    pub(crate) fn rows(&self, columns: &[&str]) -> Vec<Vec<i64>> {
        let mine: Vec<String> = self.races.columns.iter().map(|c| self.name(c.event)).collect();
        let place = |name: &&str| mine.iter().position(|m| m == name).expect("the table has this column");
        let places: Vec<usize> = columns.iter().map(place).collect();
        assert_eq!(places.len(), mine.len(), "the table has the columns {mine:?}");
        self.races.rows.iter().map(|row| places.iter().map(|&p| row[p]).collect()).collect()
    }

    /// The variant in which some receiving events have other partners: what happened after these events is gone.
    pub(crate) fn variant(&self, changes: &[(&str, &str)]) -> Sequence {
        let order = Order::of(&self.sequence).expect("a sequence that was run");
        let stays = |at: EventRef| !changes.iter().any(|(r, _)| order.happens_before(self.at(r), at));
        let mut variant = self.sequence.clone();
        for (process, p) in variant.processes.iter_mut().enumerate() {
            let kept = (0..p.events.len()).take_while(|&index| stays(EventRef { process, index })).count();
            p.events.truncate(kept);
        }
        for (r, s) in changes {
            let at = self.at(r);
            variant.processes[at.process].events[at.index].pick = Pick::Partners(vec![self.at(s)]);
        }
        variant
    }
}
