//! Running a program as a recorded sequence says, and finding out where it does something else.

use insyn_specs::{Demands, Event, EventRef, Pick, Sequence};

use crate::execution::Execution as Engine;
use crate::exploration::past::Pasts;
use crate::exploration::reality::Reality;
use crate::exploration::variant::ObjectKinds;
use crate::sequence;

/// A recorded sequence that the program does not do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The program did something else, or nothing, where the sequence has an event.
    #[error(
        "the program left the sequence at event {index} of {process}: expected {expected}, found {found}"
    )]
    Diverged {
        /// Id of the process.
        process: String,
        /// Which of its events, from 0.
        index: u32,
        /// The event in the sequence.
        expected: String,
        /// What the program did instead.
        found: String,
    },
    /// The sequence names a process that no program has.
    #[error("`{id}` is no process id; ids look like `main/thread2/mutex1`")]
    NoSuchProcess {
        /// The id.
        id: String,
    },
    /// Each receive by itself could have been, but not all of them together: no order of the events agrees with the order
    /// of messages in their queues.
    #[error("no real channels could have delivered messages in this order")]
    Unreal,
    /// The file of a sequence cannot be read.
    #[error("cannot read {path}: {reason}")]
    Unreadable {
        /// The file.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// An event refers to one that is not in the sequence.
    #[error("event {index} of {process} refers to an event that is not in the sequence")]
    DanglingReference {
        /// Id of the process.
        process: String,
        /// Which of its events, from 0.
        index: usize,
    },
}

/// Writes a sequence as the script of the next run; none of it may be changed.
pub(crate) fn write_script(sequence: &Sequence, x: &mut Engine) -> Result<(), ReplayError> {
    for process in &sequence.processes {
        for (index, event) in process.events.iter().enumerate() {
            if event.object.is_some_and(|o| o >= sequence.processes.len()) {
                return Err(ReplayError::DanglingReference { process: process.id.clone(), index });
            }
            let Pick::Partners(partners) = &event.pick else { continue };
            let there =
                |p: &EventRef| sequence.processes.get(p.process).is_some_and(|q| p.index < q.events.len());
            if !partners.iter().all(there) {
                return Err(ReplayError::DanglingReference { process: process.id.clone(), index });
            }
        }
    }
    sequence::write_script(sequence, &mut x.processes, &mut x.script)
        .map_err(|bad| ReplayError::NoSuchProcess { id: bad.id })
}

/// Where an execution differs from the sequence it was made to follow. With `whole`, it must not go on after it.
pub(crate) fn first_difference(recorded: &Sequence, found: &Sequence, whole: bool) -> Option<ReplayError> {
    let id = |sequence: &Sequence, process: usize| sequence.processes[process].id.clone();
    let say = |sequence: &Sequence, event: &Event| {
        let on = event.object.map(|o| format!(" on {}", id(sequence, o))).unwrap_or_default();
        let takes = match &event.pick {
            Pick::None => String::new(),
            Pick::Nothing => " that takes nothing".to_string(),
            Pick::Partners(partners) => {
                let name = |r: &EventRef| format!("{}#{}", id(sequence, r.process), r.index);
                format!(" that takes {}", partners.iter().map(name).collect::<Vec<_>>().join(" and "))
            }
        };
        format!("{}{on}{takes}", event.op.word())
    };
    for process in &recorded.processes {
        let same = found.processes.iter().find(|p| p.id == process.id);
        for (index, event) in process.events.iter().enumerate() {
            let expected = say(recorded, event);
            let got = same.and_then(|p| p.events.get(index)).map(|e| say(found, e));
            if got.as_ref() != Some(&expected) {
                return Some(ReplayError::Diverged {
                    process: process.id.clone(),
                    index: index as u32,
                    expected,
                    found: got.unwrap_or_else(|| "nothing".to_string()),
                });
            }
        }
    }
    for process in found.processes.iter().filter(|_| whole) {
        let same = recorded.processes.iter().find(|p| p.id == process.id);
        let known = same.map_or(0, |p| p.events.len());
        if let Some(extra) = process.events.get(known) {
            return Some(ReplayError::Diverged {
                process: process.id.clone(),
                index: known as u32,
                expected: "the end".to_string(),
                found: say(found, extra),
            });
        }
    }
    None
}

/// Whether real objects could have done what the run did.
pub(crate) fn is_real(x: &Engine) -> bool {
    let mut objects = ObjectKinds::default();
    objects.note(x);
    let mut pasts = Pasts::default();
    pasts.compute(x.run());
    Reality::default().check_run(x.run(), &pasts, &objects, &x.settings)
}

/// What real objects demand of the order of the run's events.
pub(crate) fn demands(x: &Engine) -> Demands {
    let mut pasts = Pasts::default();
    pasts.compute(x.run());
    let cast = sequence::Cast::of(x);
    Reality::default().demands(x.run(), &pasts, &ObjectKinds::of(x), &x.settings, |i| cast.refer(i))
}

/// Whether the run did all that it was forced to do, and real objects could have done so in that order.
pub(crate) fn is_in_step(x: &Engine) -> bool {
    let Some(forcing) = &x.turns.forcing else { return false };
    could_be_first(x, forcing.len, forcing.whole)
}

/// How many steps the run did, from the first on, in an order that real objects could have done them in, with all else that
/// is named after them.
pub(crate) fn steps_done(x: &Engine) -> u32 {
    (1..=x.turns.done()).rev().find(|&n| could_be_first(x, n, false)).unwrap_or(0)
}

/// Whether the first `n` steps could have come before all else that is named; if they are to be `all`, there is nothing else.
fn could_be_first(x: &Engine, n: u32, all: bool) -> bool {
    let Some(order) = x.steps_in_order(n, all) else { return false };
    let mut pasts = Pasts::default();
    pasts.compute(x.run());
    Reality::default().check_order(x.run(), &pasts, &ObjectKinds::of(x), &x.settings, &order)
}
