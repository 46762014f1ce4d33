//! The sends to each object of a long run, or calls of it, by the threads that made them.
//!
//! Race sets are looked for in the order of the run, so which sends were taken before an event only grows. For each thread
//! the first one that was not is therefore found by going on from where the last event has left off.

use super::clocks::Clocks;
use insyn_engine::ids::{EventId, Id as _, ObjectId};
use insyn_engine::record::run::RecordedRun;

/// The senders of the objects that have been asked about.
#[derive(Default, Debug)]
pub(crate) struct Senders {
    /// By object: its place in `all`, if it has been asked about. The first place is not used.
    places: Vec<Option<u32>>,
    all: Vec<Lanes>,
    /// How many there are; the others are memory.
    live: usize,
    /// Memory: by chain, its lane at the object that is being read.
    lanes: Vec<Option<u32>>,
}

/// The sends to one object.
#[derive(Default, Debug)]
struct Lanes {
    /// By the place of a send: the next of the same chain.
    next: Vec<Option<u32>>,
    lanes: Vec<Lane>,
    /// The event that was last to take one, if all have been taken.
    last_taken: Option<EventId>,
}

/// The sends of one chain.
#[derive(Clone, Copy, Debug)]
struct Lane {
    /// The first that has not been taken, as far as that has been asked.
    first: u32,
    /// The last of all.
    last: u32,
}

impl Senders {
    /// Starts with another run.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.places.clear();
        self.live = 0;
    }

    /// Whether some send to an object was taken after an event, or never.
    pub(crate) fn is_any_later(
        &mut self,
        run: &RecordedRun,
        clocks: &Clocks,
        object: ObjectId,
        i: EventId,
    ) -> bool {
        !run.objects[object].sending.is_empty()
            && self.of(run, clocks, object).last_taken.is_none_or(|last| last > i)
    }

    /// Calls `found` for the first send of each chain that was not taken before an event.
    pub(crate) fn first_untaken(
        &mut self,
        run: &RecordedRun,
        clocks: &Clocks,
        object: ObjectId,
        before: EventId,
        mut found: impl FnMut(EventId),
    ) {
        self.each_from_first_untaken(run, clocks, object, before, |send| {
            found(send);
            false
        });
    }

    /// Calls `found` for the sends of each chain, from the first that was not taken before an event on, for as long as it
    /// returns true.
    pub(crate) fn each_from_first_untaken(
        &mut self,
        run: &RecordedRun,
        clocks: &Clocks,
        object: ObjectId,
        before: EventId,
        mut found: impl FnMut(EventId) -> bool,
    ) {
        let sends = &run.objects[object].sending;
        let Lanes { next, lanes, .. } = self.of(run, clocks, object);
        lanes.retain_mut(|lane| {
            let is_taken = |place: u32| run.at(sends[place as usize]).is_taken_before(before);
            let mut first = Some(lane.first);
            while let Some(place) = first.filter(|&place| is_taken(place)) {
                first = next[place as usize];
            }
            let Some(place) = first else { return false };
            lane.first = place;
            let mut at = Some(place);
            while let Some(place) = at.filter(|&place| found(sends[place as usize])) {
                at = next[place as usize];
            }
            true
        });
    }

    fn of(&mut self, run: &RecordedRun, clocks: &Clocks, object: ObjectId) -> &mut Lanes {
        if self.places.len() <= object.place() {
            self.places.resize(run.objects.len().max(object.place()) + 1, None);
        }
        let place = match self.places[object.place()] {
            Some(place) => place as usize,
            None => {
                let place = self.live;
                self.places[object.place()] = Some(place as u32);
                self.read(run, clocks, object);
                place
            }
        };
        &mut self.all[place]
    }

    fn read(&mut self, run: &RecordedRun, clocks: &Clocks, object: ObjectId) {
        if self.live == self.all.len() {
            self.all.push(Lanes::default());
        }
        let Lanes { next, lanes, last_taken } = &mut self.all[self.live];
        self.live += 1;
        let of_chain = &mut self.lanes;
        if of_chain.len() < clocks.len() {
            of_chain.resize(clocks.len(), None);
        }
        let sends = &run.objects[object].sending;
        next.clear();
        next.resize(sends.len(), None);
        lanes.clear();
        let mut last = Some(EventId::FIRST);
        for (place, &send) in sends.iter().enumerate() {
            let place = place as u32;
            last = last.zip(run.at(send).taken_by).map(|(last, by)| last.max(by));
            match &mut of_chain[clocks.chain(send)] {
                Some(lane) => {
                    let lane = &mut lanes[*lane as usize];
                    next[lane.last as usize] = Some(place);
                    lane.last = place;
                }
                none => {
                    *none = Some(lanes.len() as u32);
                    lanes.push(Lane { first: place, last: place });
                }
            }
        }
        *last_taken = last;
        for lane in lanes {
            of_chain[clocks.chain(sends[lane.first as usize])] = None;
        }
    }
}
