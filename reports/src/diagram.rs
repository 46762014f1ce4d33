//! Space-time diagrams of sequences: a line for each process, a row for each SYN-event, an arrow for each pair. This module computes the
//! layout; [`text`], [`svg`] and the script of the HTML report draw it.
//!
//! Time goes down. Threads have a lane, and so does every object that orders its events. Other objects (a channel that
//! is only sent to and received from) have no events of their own. A call and its completion are one row: a mark on the thread, one on
//! the object. A receive has an arrow from the send that it took.

use std::collections::BTreeMap;

use insyn_sequences::{
    EventRef, Kind, Malformed, Op, Order, Sequence, SequenceFile, TotalView, text as lines,
};

pub mod races;
pub mod svg;
pub mod text;

pub use races::{Instead, Races};

/// The layout of a sequence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagram {
    /// Threads first, then objects.
    pub lanes: Vec<Lane>,
    /// The SYN-events in their canonical total order.
    pub rows: Vec<Row>,
    /// The race table, if it is known.
    pub races: Option<Races>,
}

/// The line of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// Its label; no two are equal.
    pub name: String,
    /// Its id.
    pub id: String,
    /// What it is.
    pub kind: Kind,
}

/// A SYN-event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The lanes of the processes that do it: one, or at a rendezvous the sender and the receiver, or all at a barrier.
    pub by: Vec<usize>,
    /// The lane of the object that orders it.
    pub on: Option<usize>,
    /// What is done.
    pub op: Op,
    /// The name of the object that it is about; empty if there is none.
    pub object: String,
    /// Its relation to other rows, or the label that the program gave it.
    pub note: String,
    /// Where in the source it happened; empty if that is not known.
    pub place: String,
    /// Whether its thread made the call and is still blocked in it.
    pub blocked: bool,
    /// Whether the behaviour that the sequence is compared with differs here.
    pub differs: bool,
    /// The rows of the events that it took.
    pub from: Vec<usize>,
    /// The rows of other events that it comes after: a join, a disconnect.
    pub after: Vec<usize>,
    /// What it could have taken instead: its race set.
    pub races: Vec<Instead>,
    /// The events of threads that it represents.
    events: Vec<EventRef>,
}

impl Diagram {
    /// Lays out the sequence of a file, with the races in the file.
    ///
    /// # Errors
    /// If the sequence is malformed.
    pub fn of_file(file: &SequenceFile) -> Result<Diagram, Malformed> {
        let mut diagram = Diagram::of(&file.sequence)?;
        let table = file.races.as_ref();
        diagram.races = table.and_then(|table| Races::of(table, &file.sequence, &diagram.rows));
        if let Some(races) = &diagram.races {
            diagram.rows.iter_mut().for_each(|row| row.races.clear());
            for column in &races.columns {
                diagram.rows[column.row].races.extend_from_slice(&column.instead);
            }
        }
        Ok(diagram)
    }

    /// Lays out a sequence, with the races that follow from the sequence alone.
    ///
    /// # Errors
    /// If the sequence is malformed.
    pub fn of(sequence: &Sequence) -> Result<Diagram, Malformed> {
        let order = Order::of(sequence)?;
        let view = TotalView::of_order(&order);
        let steps = lines::steps(&order, lines::WIDTH);
        let (lanes, lane_of) = lanes(sequence, &view);
        let mut rows: Vec<Row> = Vec::with_capacity(view.events.len());
        for (event, step) in view.events.iter().zip(steps) {
            let [_, _, _, object, note, place] = step.columns;
            let is_own = event.threads == [event.object];
            rows.push(Row {
                by: event.threads.iter().filter_map(|&it| lane_of[it]).collect(),
                on: lane_of[event.object].filter(|_| event.additional.ordered && !is_own),
                op: event.op,
                object,
                note,
                place,
                blocked: event.additional.blocked,
                differs: false,
                from: event.additional.partners.clone(),
                after: event.additional.after.clone(),
                races: Vec::new(),
                events: step.events,
            });
        }
        find_races(&order, &mut rows);
        Ok(Diagram { lanes, rows, races: None })
    }

    /// Marks the row of an event, by its name in the file of the sequence: `main/thread1#3`. False if there is
    /// no such row.
    pub fn mark(&mut self, sequence: &Sequence, event: &str) -> bool {
        let row =
            self.rows.iter_mut().find(|row| row.events.iter().any(|&it| sequence.event_name(it) == event));
        row.map(|row| row.differs = true).is_some()
    }

    /// The row of each event of its sequence; a completion has the row of its call.
    pub(crate) fn row_of(&self, sequence: &Sequence) -> BTreeMap<EventRef, usize> {
        races::row_of(sequence, &self.rows)
    }

    /// The lane of the main process of a row.
    pub fn lane(&self, row: usize) -> Option<usize> {
        let row = &self.rows[row];
        row.by.first().copied().or(row.on)
    }
}

impl Row {
    /// What happens, in a few words: `receive channel1, from 1 greeter`.
    pub fn words(&self) -> String {
        let mut words = self.op.word().to_owned();
        for (between, part) in [(" ", &self.object), (", ", &self.note)] {
            if !part.is_empty() {
                words.push_str(between);
                words.push_str(part);
            }
        }
        words
    }

    /// The events of threads that it represents.
    pub fn events(&self) -> &[EventRef] {
        &self.events
    }
}

/// The lanes, and for each process its lane.
fn lanes(sequence: &Sequence, view: &TotalView) -> (Vec<Lane>, Vec<Option<usize>>) {
    let names = lines::names(sequence);
    let mut is_shown: Vec<bool> = (0..names.len()).map(|process| sequence.is_thread(process)).collect();
    for event in &view.events {
        is_shown[event.object] |= event.additional.ordered;
        for &thread in &event.threads {
            is_shown[thread] = true;
        }
    }
    let shown = (0..names.len()).filter(|&process| is_shown[process]);
    let (threads, objects): (Vec<usize>, Vec<usize>) =
        shown.partition(|&process| sequence.is_thread(process));
    let mut lane_of = vec![None; names.len()];
    let lane = |(n, process): (usize, usize)| {
        lane_of[process] = Some(n);
        let it = &sequence.processes[process];
        Lane { name: names[process].clone(), id: it.id.clone(), kind: it.kind }
    };
    (threads.into_iter().chain(objects).enumerate().map(lane).collect(), lane_of)
}

/// The messages that each receive could have taken instead, and the calls that each accept could have: those sent to the
/// same channel or entry that do not come after it, that were not taken before it, and that overtake no other such one.
/// (What else could have happened, a receive that finds nothing or another order on an object, does not follow from the
/// sequence alone.)
fn find_races(order: &Order<'_>, rows: &mut [Row]) {
    /// With more rows it would take too long, and there would be too many races to read.
    const MOST_ROWS: usize = 2000;
    if rows.len() > MOST_ROWS {
        return;
    }
    let sequence = order.sequence();
    let transfers = |ops: [(Op, Kind); 2]| -> Vec<Transfer> {
        let transfer = |(row, it): (usize, &Row)| {
            let &[at] = it.events.as_slice() else { return None };
            let on = sequence.event(at).object?;
            ops.contains(&(it.op, sequence.processes[on].kind)).then_some(Transfer { row, at, on })
        };
        rows.iter().enumerate().filter_map(transfer).collect()
    };
    let mut sends = transfers([(Op::Send, Kind::Channel), (Op::Call, Kind::Entry)]);
    // A message that was refused was never in a queue.
    sends.retain(|send| sequence.event(send.at).pick.partners().is_empty());
    let receives = transfers([(Op::Receive, Kind::Channel), (Op::Accept, Kind::Entry)]);
    for receive in &receives {
        let taken: Vec<EventRef> = receives
            .iter()
            .filter(|earlier| earlier.on == receive.on && order.happens_before(earlier.at, receive.at))
            .flat_map(|earlier| sequence.event(earlier.at).pick.partners())
            .copied()
            .collect();
        let is_open = |send: &&Transfer| {
            send.on == receive.on && !order.happens_before(receive.at, send.at) && !taken.contains(&send.at)
        };
        let open: Vec<&Transfer> = sends.iter().filter(is_open).collect();
        let own = sequence.event(receive.at).pick.partners();
        let overtakes = |send: &Transfer| open.iter().any(|other| order.happens_before(other.at, send.at));
        let racing = open.iter().filter(|send| !own.contains(&send.at) && !overtakes(send));
        rows[receive.row].races = racing.map(|send| vec![send.row]).collect();
    }
}

/// A row in which something is sent or received.
struct Transfer {
    row: usize,
    at: EventRef,
    on: usize,
}
