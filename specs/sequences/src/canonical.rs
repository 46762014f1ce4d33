//! The canonical form: processes sorted by id, and no dangling references. [`Sequence::from_processes`]
//! puts events into it, in whatever order they were recorded; [`Sequence::check`] reports what is wrong with a
//! sequence that is not in it.

use thiserror::Error;

use crate::sequence::{EventRef, Kind, Pick, Process, Sequence};

/// Why a value of type [`Sequence`] is not the sequence of any execution.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("malformed sequence: {kind}")]
pub struct Malformed {
    /// What is wrong with it.
    pub kind: MalformedKind,
}

/// What is wrong with a malformed sequence. Events are named `process-id#index`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MalformedKind {
    /// Two processes have one id, so that a reference by id could mean either.
    #[error("two processes have the id {id:?}; give each its own")]
    DuplicateId {
        /// The id.
        id: String,
    },
    /// The processes are not sorted by id, so that equal behaviours could be unequal values.
    #[error(
        "process {id:?} stands after one with a greater id; build sequences with `Sequence::from_processes`"
    )]
    Unsorted {
        /// The first process that is out of order.
        id: String,
    },
    /// An event happens on a process that does not exist.
    #[error("{event} happens on process number {process}, and there is none")]
    NoSuchObject {
        /// The event.
        event: String,
        /// The index that is out of range.
        process: usize,
    },
    /// An event refers to an event that does not exist.
    #[error("{event} refers to event {index} of process {process}, and there is none")]
    NoSuchEvent {
        /// The event that holds the reference.
        event: String,
        /// The process referred to: its id, or its number if that is out of range.
        process: String,
        /// The index referred to.
        index: usize,
    },
    /// Two completions took the same call, though a thread calls once for each.
    #[error("{first} and {second} both complete the call {call}; a call completes once")]
    CompletedTwice {
        /// The call.
        call: String,
        /// The completion that comes first by process and index.
        first: String,
        /// The other one.
        second: String,
    },
    /// Two offers of one select were completed, though a select ends with the first.
    #[error(
        "{first} and {second} are offers of one select and both are completed; of its offers one is taken"
    )]
    TakenTwice {
        /// The offer that comes first.
        first: String,
        /// The other one.
        second: String,
    },
    /// Events wait for each other in a cycle, so none of them can have been the first.
    #[error("each of these events must come before the next and the last before the first: {}", events.join(", "))]
    Cycle {
        /// The events of one cycle.
        events: Vec<String>,
    },
}

impl From<MalformedKind> for Malformed {
    fn from(kind: MalformedKind) -> Self {
        Malformed { kind }
    }
}

impl Sequence {
    /// Makes a sequence of processes in any order: sorts them by id, rewrites every reference to match, and sorts
    /// what each event is `after`.
    ///
    /// # Errors
    /// If ids are not unique or a reference dangles.
    pub fn from_processes(processes: Vec<Process>) -> Result<Sequence, Malformed> {
        let mut by_id: Vec<usize> = (0..processes.len()).collect();
        by_id.sort_by(|&a, &b| processes[a].id.cmp(&processes[b].id));
        let mut place = vec![0; processes.len()];
        for (new, &old) in by_id.iter().enumerate() {
            place[old] = new;
        }
        let mut sequence = Sequence { processes };
        sequence.check_references()?;
        for event in sequence.processes.iter_mut().flat_map(|process| &mut process.events) {
            event.object = event.object.map(|object| place[object]);
            if let Pick::Partners(partners) = &mut event.pick {
                partners.iter_mut().for_each(|partner| partner.process = place[partner.process]);
            }
            event.after.iter_mut().for_each(|before| before.process = place[before.process]);
            event.after.sort_unstable();
            event.after.dedup();
            event.empty.iter_mut().for_each(|object| *object = place[*object]);
            event.empty.sort_unstable();
            event.empty.dedup();
        }
        sequence.processes.sort_by(|a, b| a.id.cmp(&b.id));
        sequence.check_ids()?;
        Ok(sequence)
    }

    /// Whether the sequence is in canonical form: ids unique and sorted, every reference to something that exists.
    /// [`Order::of`](crate::Order::of) finds errors that involve several events: calls completed twice, and cycles.
    ///
    /// # Errors
    /// The first error.
    pub fn check(&self) -> Result<(), Malformed> {
        self.check_ids()?;
        self.check_references()
    }

    /// The event's name in messages and files: `process-id#index`.
    pub fn event_name(&self, at: EventRef) -> String {
        match self.processes.get(at.process) {
            Some(process) => format!("{}#{}", process.id, at.index),
            None => format!("process number {}#{}", at.process, at.index),
        }
    }

    /// Whether the process is a thread, and not an object.
    ///
    /// # Panics
    /// If there is no such process.
    pub fn is_thread(&self, process: usize) -> bool {
        self.processes[process].kind == Kind::Thread
    }

    /// Every event, by process and then by index.
    pub fn events(&self) -> impl Iterator<Item = EventRef> + '_ {
        self.processes
            .iter()
            .enumerate()
            .flat_map(|(process, it)| (0..it.events.len()).map(move |index| EventRef { process, index }))
    }

    fn check_ids(&self) -> Result<(), Malformed> {
        for pair in self.processes.windows(2) {
            let id = || pair[1].id.clone();
            match pair[0].id.cmp(&pair[1].id) {
                std::cmp::Ordering::Less => {}
                std::cmp::Ordering::Equal => return Err(MalformedKind::DuplicateId { id: id() }.into()),
                std::cmp::Ordering::Greater => return Err(MalformedKind::Unsorted { id: id() }.into()),
            }
        }
        Ok(())
    }

    fn check_references(&self) -> Result<(), Malformed> {
        for at in self.events() {
            let event = self.event(at);
            let mut objects = event.object.iter().chain(&event.empty).copied();
            if let Some(process) = objects.find(|&object| object >= self.processes.len()) {
                return Err(MalformedKind::NoSuchObject { event: self.event_name(at), process }.into());
            }
            for &to in event.pick.partners().iter().chain(&event.after) {
                let process = self.processes.get(to.process);
                if process.is_none_or(|process| to.index >= process.events.len()) {
                    let process =
                        process.map_or_else(|| format!("number {}", to.process), |it| it.id.clone());
                    let event = self.event_name(at);
                    return Err(MalformedKind::NoSuchEvent { event, process, index: to.index }.into());
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sequence::{Event, Op};

    fn event(op: Op, pick: Pick, after: &[(usize, usize)]) -> Event {
        let after = after.iter().map(|&(process, index)| EventRef { process, index }).collect();
        Event { op, object: None, pick, after, empty: Vec::new(), label: None, location: None }
    }

    fn thread(id: &str, events: Vec<Event>) -> Process {
        Process { id: id.into(), kind: Kind::Thread, name: None, events }
    }

    #[test]
    fn processes_are_sorted_and_references_follow() {
        let join = event(Op::Join, Pick::None, &[(1, 0), (0, 0), (1, 0)]);
        let sequence = Sequence::from_processes(vec![
            thread("b", vec![event(Op::Send, Pick::Nothing, &[])]),
            thread("a", vec![event(Op::Send, Pick::Nothing, &[]), join]),
        ])
        .unwrap();
        assert_eq!(sequence.processes[0].id, "a");
        let after = &sequence.processes[0].events[1].after;
        assert_eq!(after, &[EventRef { process: 0, index: 0 }, EventRef { process: 1, index: 0 }]);
        assert_eq!(sequence.check(), Ok(()));
    }

    #[test]
    fn what_is_malformed_is_named() {
        let twice = Sequence::from_processes(vec![thread("a", vec![]), thread("a", vec![])]).unwrap_err();
        assert_eq!(
            twice.to_string(),
            "malformed sequence: two processes have the id \"a\"; give each its own"
        );

        let unsorted = Sequence { processes: vec![thread("b", vec![]), thread("a", vec![])] };
        assert!(matches!(unsorted.check().unwrap_err().kind, MalformedKind::Unsorted { id } if id == "a"));

        let dangling =
            Sequence { processes: vec![thread("a", vec![event(Op::Join, Pick::None, &[(0, 7)])])] };
        assert_eq!(
            dangling.check().unwrap_err().to_string(),
            "malformed sequence: a#0 refers to event 7 of process a, and there is none"
        );

        let beyond = Sequence { processes: vec![thread("a", vec![event(Op::Join, Pick::None, &[(9, 0)])])] };
        assert!(matches!(beyond.check().unwrap_err().kind, MalformedKind::NoSuchEvent { .. }));

        let mut nowhere = event(Op::Send, Pick::Nothing, &[]);
        nowhere.object = Some(3);
        let nowhere = Sequence { processes: vec![thread("a", vec![nowhere])] };
        assert!(matches!(nowhere.check().unwrap_err().kind, MalformedKind::NoSuchObject { process: 3, .. }));

        let mut nobody = event(Op::Receive, Pick::Nothing, &[]);
        nobody.empty = vec![4];
        let nobody = Sequence { processes: vec![thread("a", vec![nobody])] };
        assert!(matches!(nobody.check().unwrap_err().kind, MalformedKind::NoSuchObject { process: 4, .. }));
    }
}
