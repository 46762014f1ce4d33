//! What an observer can read of an execution that has just ended.

use insyn_sequences::{EventRef, RaceTable, Sequence};

use super::race_table;
use crate::body::Output;
use crate::failure::{self, Failure, Termination};
use crate::sequence::Cast;
use insyn_engine::Engine;
use insyn_engine::ids::EventId;
use insyn_engine::record::event::Event;
use insyn_engine::script::Name;

/// An execution that has just ended. Everything is computed on request, so that an observer pays only for what it reads.
pub struct Ended<'a> {
    engine: &'a Engine,
    counted: bool,
    repeat: bool,
    termination: Termination,
    output: Option<&'a Output>,
    round: u32,
    origin: &'a dyn Origin,
}

/// The variant that an execution was run for. Few observers need it, so it is computed only on request.
pub trait Origin {
    /// For each of its ancestors, from the first on, the row that led to the next.
    fn path(&self) -> Vec<u64>;

    /// The events whose pick the variant changed.
    fn changes(&self) -> Vec<Name>;
}

/// For an execution that is no variant of another.
impl Origin for () {
    fn path(&self) -> Vec<u64> {
        Vec::new()
    }

    fn changes(&self) -> Vec<Name> {
        Vec::new()
    }
}

impl<'a> Ended<'a> {
    pub(crate) fn new(
        engine: &'a Engine,
        counted: bool,
        termination: Termination,
        output: Option<&'a Output>,
        round: u32,
        origin: &'a dyn Origin,
    ) -> Self {
        Ended { engine, counted, repeat: false, termination, output, round, origin }
    }

    /// How often the exploration had started again before this execution, because it had discovered a fact about the
    /// program. Only the last round counts.
    pub fn round(&self) -> u32 {
        self.round
    }

    /// Whether this execution counts as a behaviour. False for repeats and for runs that no real program could do: they
    /// should not be reported.
    pub fn counted(&self) -> bool {
        self.counted
    }

    /// Whether it only repeated a behaviour.
    #[doc(hidden)]
    pub fn is_repeat(&self) -> bool {
        self.repeat
    }

    /// Sets whether the execution is a repeat.
    pub(crate) fn repeated(self, repeat: bool) -> Self {
        Ended { repeat, ..self }
    }

    /// What it did.
    pub fn sequence(&self) -> Sequence {
        crate::sequence::collect(self.engine)
    }

    /// Its races, and the variants that follow from them.
    pub fn race_table(&self) -> RaceTable {
        race_table::race_table(self.engine)
    }

    /// Its races, if they are few enough for a reader, and no more than the first rows.
    #[doc(hidden)]
    pub fn shown_race_table(&self) -> Option<RaceTable> {
        race_table::shown_race_table(self.engine)
    }

    /// How many operations its threads have started, which is what a bound on steps counts.
    pub fn steps(&self) -> u64 {
        self.engine.steps()
    }

    /// How it ended.
    pub fn termination(&self) -> Termination {
        self.termination
    }

    /// What the closure returned, as JSON; none if it did not return.
    pub fn output(&self) -> Option<String> {
        self.output.map(Output::json)
    }

    #[doc(hidden)]
    pub fn engine(&self) -> &Engine {
        self.engine
    }

    /// Its place in the tree of an exploration, in which every execution is a variant of another: for each of its
    /// ancestors, from the first execution on, the number of the variant that led to the next. The path of the first
    /// execution is empty, and so is that of an execution outside an exploration. Without its last number, a path is that
    /// of the parent, which may not be [counted](Self::counted). With one worker, executions are shown in the order of
    /// their paths.
    pub fn path(&self) -> Vec<u64> {
        self.origin.path()
    }

    /// The receiving events whose partners the variant changed, compared with the execution that it is a variant of. Events
    /// are named as in the [sequence](Self::sequence).
    pub fn changes(&self) -> Vec<EventRef> {
        let changed = self.changed();
        if changed.is_empty() {
            return Vec::new();
        }
        let cast = Cast::of(self.engine);
        changed.into_iter().map(|event| cast.refer(event)).collect()
    }

    /// The names of these events, without making the sequence.
    #[doc(hidden)]
    pub fn names_of_changes(&self) -> Vec<String> {
        crate::sequence::names(self.engine, &self.changed())
    }

    fn changed(&self) -> Vec<EventId> {
        let names = self.origin.changes();
        if names.is_empty() {
            return Vec::new();
        }
        let is_changed =
            |event: &Event| names.iter().any(|it| it.process == event.process && it.index == event.index);
        let events = self.engine.run.events.pairs();
        events.filter(|(_, event)| is_changed(event)).map(|(id, _)| id).collect()
    }

    /// The failure report; none if it ended normally.
    pub fn failure(&self) -> Option<Failure> {
        (self.termination != Termination::Normal).then(|| {
            let races = self.shown_race_table();
            failure::describe(self.engine, self.termination, races)
        })
    }
}
