//! The rows of a report: for each step what each of its threads did, and where; then what threads wait for, and panics.

use super::style::{Style, end_of};
use crate::causes::thread_of;
use crate::failing::{Wait, Waiting};
use crate::harmless;
use crate::scene::Scene;
use crate::sequence::{EventRef, Kind, Location, Op};
use crate::termination::Termination;
use crate::text::label;
use crate::views::TotalEvent;

/// Names are cut to this.
const LONGEST_NAME: usize = 32;

/// A row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// The number of its step; none for what is no step, or is shown only because everything is.
    pub(super) number: Option<usize>,
    /// What happened, for each thread that took part. If no thread did: one cell, in the column of no thread.
    pub(super) cells: Vec<Cell>,
}

/// What one thread did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    /// The process of the thread; none if an object did it by itself.
    pub(super) thread: Option<usize>,
    /// The operation and its object.
    pub(super) text: String,
    /// Its relation to other steps.
    pub(super) note: String,
    /// What is wrong with it.
    pub(super) mark: Option<String>,
    pub(super) place: Option<At>,
}

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct At {
    pub(super) file: String,
    pub(super) line: String,
    /// As the compiler has it.
    location: Location,
    /// The text there, if it is to be shown.
    pub(super) source: Option<String>,
}

/// Adds the lines of the source to rows.
pub(super) fn add_sources(rows: &mut [Row], mut source: impl FnMut(&Location) -> Option<String>) {
    let places = rows.iter_mut().flat_map(|row| &mut row.cells).filter_map(|cell| cell.place.as_mut());
    for place in places {
        place.source = source(&place.location).map(|it| harmless::line(&it));
    }
}

impl Cell {
    /// All that is said about the thread, without the place.
    pub(super) fn words(&self) -> String {
        let parts = [self.text.as_str(), &self.note, self.mark.as_deref().unwrap_or_default()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

impl At {
    fn of(location: &Location) -> At {
        At {
            file: harmless::line(&straight(&location.file)),
            line: location.line.to_string(),
            location: location.clone(),
            source: None,
        }
    }

    /// From `file:line:column`.
    fn read(text: &str) -> Option<At> {
        let mut parts = text.rsplitn(3, ':');
        let (column, line, file) = (parts.next()?, parts.next()?, parts.next()?);
        let (line, column) = (line.parse().ok()?, column.parse().ok()?);
        Some(At::of(&Location { file: file.to_owned(), line, column }))
    }
}

/// A path without the directories that it leaves again: `a/b/../c` is `a/c`.
fn straight(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match parts.last() {
            Some(&last) if part == ".." && !matches!(last, "" | "." | "..") => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

/// The name of a process in a cell.
pub(super) fn name(scene: &Scene<'_>, process: usize, style: &Style) -> String {
    end_of(&style.plain(&scene.labels[process]), LONGEST_NAME, style.dots())
}

/// As [`name`], by id.
fn name_of(scene: &Scene<'_>, id: &str, style: &Style) -> String {
    end_of(&style.plain(&scene.label_of(id)), LONGEST_NAME, style.dots())
}

/// All rows of a failure, in order.
pub(super) fn rows(scene: &Scene<'_>, style: &Style) -> Vec<Row> {
    let marks = Marks::of(scene, style);
    let mut rows = Vec::new();
    for (step, event) in scene.view.events.iter().enumerate() {
        let number = scene.numbers[step];
        if number.is_some() || style.full {
            rows.push(Row { number, cells: cells(scene, style, step, event, &marks) });
        }
        for &at in &scene.done[step] {
            for cell in marks.after.iter().filter(|(after, _)| *after == Some(at)).map(|(_, cell)| cell) {
                rows.push(Row { number: None, cells: vec![cell.clone()] });
            }
        }
    }
    let last = marks.after.into_iter().filter(|(after, _)| after.is_none());
    rows.extend(last.map(|(_, cell)| Row { number: None, cells: vec![cell] }));
    rows
}

/// What is wrong: at a step, or in a row of its own, after a step or after all of them.
struct Marks {
    at: Vec<(EventRef, String)>,
    after: Vec<(Option<EventRef>, Cell)>,
}

impl Marks {
    fn of(scene: &Scene<'_>, style: &Style) -> Marks {
        let mut marks = Marks { at: Vec::new(), after: Vec::new() };
        for (n, panic) in scene.failing.panics.iter().enumerate() {
            if !is_shown(scene, style, n) {
                continue;
            }
            let cell = Cell {
                thread: scene.process(&panic.thread),
                text: String::new(),
                note: String::new(),
                mark: Some(format!("{} panics", style.failed())),
                place: panic.location.as_deref().and_then(At::read),
            };
            // The one that ended the execution comes last: nothing that is shown happens after it.
            let is_fatal = scene.failing.fatal.is_none_or(|fatal| fatal == n);
            let last = scene.last_before(panic).filter(|_| !is_fatal || style.full);
            let visible = |at: &EventRef| style.full || scene.number(*at).is_some();
            let after = last.and_then(|last| {
                (0..=last.index).rev().map(|index| EventRef { index, ..last }).find(visible)
            });
            marks.after.push((after, cell));
        }
        if scene.fatal().is_some() {
            return marks;
        }
        for waiting in &scene.failing.waiting {
            let last = operation(scene, waiting).filter(|&at| scene.number(at).is_some());
            // To wait for a message is no event; the one before may well be at the same place.
            let is_event = !matches!(waiting.wait, Wait::Message | Wait::Join);
            let is_here = last.filter(|_| is_event).is_some_and(|at| {
                let location = scene.order.sequence().event(at).location.as_ref();
                location.is_some() && location == waiting.location.as_ref()
            });
            let mark = match scene.failing.termination {
                // It might have gone on.
                Termination::Bound => "was waiting".to_owned(),
                _ => format!("{} {}", style.blocked(), why(scene, style, waiting, is_here)),
            };
            match last {
                Some(at) if is_here => marks.at.push((at, mark)),
                _ => {
                    let cell = Cell {
                        thread: scene.process(&waiting.thread),
                        text: String::new(),
                        note: String::new(),
                        mark: Some(mark),
                        place: waiting.location.as_ref().map(At::of),
                    };
                    marks.after.push((None, cell));
                }
            }
        }
        marks
    }
}

/// The last operation of a thread that waits. To wait for a condition is three: it waits, releases its lock, and takes it again.
fn operation(scene: &Scene<'_>, waiting: &Waiting) -> Option<EventRef> {
    let last = scene.last_of(waiting)?;
    let events = &scene.order.sequence().processes[last.process].events;
    let wait =
        events.iter().rposition(|event| event.op == Op::Wait).filter(|&index| index + 2 >= events.len());
    let index = wait.filter(|_| waiting.wait == Wait::Notification).unwrap_or(last.index);
    Some(EventRef { index, ..last })
}

/// Whether a panic is shown: those that happen after the one that ended the execution, or beside it, are not.
pub(super) fn is_shown(scene: &Scene<'_>, style: &Style, panic: usize) -> bool {
    let is_fatal = scene.failing.fatal.is_none_or(|fatal| fatal == panic);
    let last = scene.last_before(&scene.failing.panics[panic]);
    is_fatal || style.full || last.is_none_or(|at| scene.is_before(at))
}

/// Why a thread cannot go on. `is_here`: the operation that waits is shown beside it.
fn why(scene: &Scene<'_>, style: &Style, waiting: &Waiting, is_here: bool) -> String {
    let names = |ids: &[String]| -> Vec<String> { ids.iter().map(|id| name_of(scene, id, style)).collect() };
    let on = names(&waiting.on).join(" or ");
    let holders = names(&waiting.holders);
    if !holders.is_empty() {
        let held = format!("held by {}", holders.join(", "));
        return if is_here { held } else { format!("{on} is {held}") };
    }
    match waiting.wait {
        Wait::Message => format!("no message on {on}"),
        Wait::Completion | Wait::Select if is_here => "waits forever".to_owned(),
        Wait::Completion | Wait::Select => format!("waits for {on}"),
        Wait::Notification if is_here => "never notified".to_owned(),
        Wait::Notification => format!("{on} never notified"),
        Wait::Signal => format!("never signalled in {on}"),
        Wait::Accept => {
            let unless = waiting.unless.as_ref().map(|it| style.plain(&harmless::line(it)));
            let unless = unless.map(|it| format!(" while {it} is false")).unwrap_or_default();
            format!("call of {on} never accepted{unless}")
        }
        Wait::Reply => format!("no reply from {on}"),
        Wait::Join => format!("waits for {on} to end"),
        Wait::Handles => format!("waits for every handle of {on} to be dropped"),
        Wait::Change => format!("{on} never changes"),
        Wait::Other => "waits forever".to_owned(),
    }
}

fn cells(scene: &Scene<'_>, style: &Style, step: usize, event: &TotalEvent, marks: &Marks) -> Vec<Cell> {
    let sequence = scene.order.sequence();
    let done = &scene.done[step];
    if done.is_empty() {
        let object = name(scene, event.additional.about.unwrap_or(event.object), style);
        let text = format!("({} {object})", event.op.word());
        return vec![Cell { thread: None, text, note: String::new(), mark: None, place: None }];
    }
    let cell = |&at: &EventRef| {
        let own = sequence.event(at);
        let object = own.object.or((event.object != at.process).then_some(event.object));
        let mut text = own.op.word().to_owned();
        if let Some(it) = &own.label {
            text = format!("{text} {}", style.plain(&label(it)));
        } else if let Some(object) = object.filter(|&object| object != at.process) {
            text = format!("{text} {}", name(scene, object, style));
        }
        if own.op == Op::Join {
            let threads = own.after.iter().map(|&it| thread_of(scene, it));
            let joined =
                threads.filter(|&it| sequence.is_thread(it)).map(|it| name(scene, it, style)).next_back();
            text = joined.map_or(text, |joined| format!("join {joined}"));
        }
        let mark = marks.at.iter().find(|(marked, _)| *marked == at).map(|(_, mark)| mark.clone());
        let note = note(scene, event);
        Cell { thread: Some(at.process), text, note, mark, place: own.location.as_ref().map(At::of) }
    };
    done.iter().map(cell).collect()
}

/// The relation of a step to others: whose message it took, whom it woke.
fn note(scene: &Scene<'_>, event: &TotalEvent) -> String {
    let kind = scene.view.parties[event.object].kind;
    let mut notes: Vec<String> = Vec::new();
    if event.op != event_op_shown(event.op) {
        notes.push("(fails)".to_owned());
    }
    if event.additional.nothing {
        notes.extend(
            match (event.op, kind) {
                (Op::Receive, Kind::End) => Some("(not ended)"),
                (Op::Receive | Op::Accept, _) => Some("(nothing there)"),
                (Op::Load, Kind::Once) => Some("(not done)"),
                (Op::Load, _) => Some("(initial value)"),
                _ => None,
            }
            .map(str::to_owned),
        );
    }
    if event.op == Op::NotifyOne && event.additional.partners.is_empty() {
        notes.push("(nobody waits)".to_owned());
    }
    if let Some(&first) = event.additional.partners.first().filter(|_| event.op != Op::UnlockRead) {
        let partner = &scene.view.events[first];
        let number = scene.numbers[first].map(|number| number.to_string());
        let word = match (event.op, partner.op) {
            (_, Op::Disconnect) if kind == Kind::End => Some("(ended)".to_owned()),
            (_, Op::Disconnect) => Some("(closed)".to_owned()),
            (_, Op::HangUp) => Some("(no receiver)".to_owned()),
            (_, Op::Fire) => Some("(time)".to_owned()),
            (Op::Send | Op::Call, _) => Some("(no receiver)".to_owned()),
            (Op::NotifyOne | Op::NotifyAll, _) => number.map(|number| format!("(wakes {number})")),
            (Op::Receive | Op::Accept | Op::Load, _) => number.map(|number| format!("(from {number})")),
            _ => None,
        };
        notes.extend(word);
    }
    if event.additional.withdrawn {
        notes.push("(withdrawn)".to_owned());
    }
    notes.join(" ")
}

/// The operation that a thread began, of a completion that may have another name.
fn event_op_shown(op: Op) -> Op {
    match op {
        Op::FailedLock => Op::TryLock,
        Op::FailedAcquire => Op::TryAcquire,
        Op::FailedRead => Op::TryRead,
        Op::FailedWrite => Op::TryWrite,
        Op::FailedPut => Op::TryPut,
        Op::FailedTake => Op::TryTake,
        Op::FailedBegin => Op::Begin,
        Op::FailedUpgrade => Op::Upgrade,
        Op::FailedUnwrap => Op::TryUnwrap,
        Op::FailedUpdate => Op::Update,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_straight_to_their_files() {
        for (path, expected) in [
            ("src/lib.rs", "src/lib.rs"),
            ("pool/tests/../target/seeded.rs", "pool/target/seeded.rs"),
            ("../a/./b/../../c.rs", "../a/./../c.rs"),
            ("/a/../b.rs", "/b.rs"),
        ] {
            assert_eq!(straight(path), expected);
        }
    }

    #[test]
    fn places_are_read() {
        let at = At::read("C:/a/b.rs:12:3").unwrap();
        assert_eq!((at.file.as_str(), at.line.as_str()), ("C:/a/b.rs", "12"));
        assert_eq!(At::read("somewhere"), None);
    }
}
