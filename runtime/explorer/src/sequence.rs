//! From a recorded run to a [`Sequence`], and from a sequence back to a script.

use std::borrow::Cow;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use insyn_sequences::{Event, EventRef, Kind, Location, Op, Pick, Process, Sequence};

use insyn_engine::ids::{EventId, Id as _, ObjectId, ProcessId, Values};
use insyn_engine::place::TextPlace;
use insyn_engine::process::{Path, Processes, number_of_static};
use insyn_engine::record::event;
use insyn_engine::record::run::RecordedRun;
use insyn_engine::refinement::Refinement;
use insyn_engine::script::{Name, Script};
use insyn_engine::{Engine, NOWHERE, Place, same_place};

/// The canonical sequence of the run that has just ended.
pub fn collect(engine: &Engine) -> Sequence {
    let run = &engine.run;
    let cast = Cast::of(engine);
    let process = |&(process, ref name): &(ProcessId, Option<Cow<'_, str>>)| Process {
        id: engine.processes.id(process).to_owned(),
        kind: engine.processes.kind(process),
        name: name.as_deref().map(str::to_owned),
        events: Vec::new(),
    };
    let mut processes: Vec<Process> = cast.processes.iter().map(process).collect();
    // By process: its last event so far.
    let mut latest = Values::of(engine.processes.len(), None);
    for (i, e) in run.events.pairs().filter(|(_, e)| !e.op.is_turn()) {
        let before = latest[e.process].replace(i);
        let Links { object, pick, after } = cast.links(i, before);
        let empty = cast.empty(i);
        processes[cast.place_of[e.process]].events.push(Event {
            op: e.op,
            object,
            pick,
            after,
            empty,
            label: engine.label_of(i).cloned(),
            location: place_of(engine, i),
        });
    }
    Sequence { processes }
}

/// The source location of an event of the run.
pub fn place_of(engine: &Engine, event: EventId) -> Option<Location> {
    let event = engine.first_arrival(engine.run.at(event)).unwrap_or(event);
    match engine.source_place_of(event) {
        Some(place) => Some(source_place(place)),
        None => location(engine.run.at(event).location),
    }
}

/// Feeds a hasher with the same values as [`Sequence::hash_behaviour`], without making the sequence.
pub(crate) fn hash_behaviour(engine: &Engine, hasher: &mut impl Hasher) {
    let cast = Cast::of(engine);
    // By process, in the order of each process.
    let events = engine.run.events.pairs().filter(|(_, e)| !e.op.is_turn());
    let mut events: Vec<(usize, EventId)> = events.map(|(i, e)| (cast.place_of[e.process], i)).collect();
    events.sort_unstable();
    let mut rest = &events[..];
    cast.processes.len().hash(hasher);
    for (place, &(process, ref name)) in cast.processes.iter().enumerate() {
        let (own, others) = rest.split_at(rest.partition_point(|&(it, _)| it == place));
        rest = others;
        (engine.processes.id(process), engine.processes.kind(process), name, own.len()).hash(hasher);
        let mut before = None;
        for &(_, i) in own {
            let Links { object, pick, after } = cast.links(i, before);
            (engine.run.at(i).op, object, pick, after, engine.label_of(i)).hash(hasher);
            before = Some(i);
        }
    }
}

/// The relations of an event to others, by their names in the sequence.
struct Links {
    object: Option<usize>,
    pick: Pick,
    after: Vec<EventRef>,
}

/// The processes of a run, and the names of their events in its sequence.
pub(crate) struct Cast<'x> {
    engine: &'x Engine,
    /// All threads, and the objects on which something happened, each with its name: sorted by id.
    processes: Vec<(ProcessId, Option<Cow<'x, str>>)>,
    /// By process: its place in `processes`.
    place_of: Values<ProcessId, usize>,
    turns_before: Values<EventId, u32>,
}

impl<'x> Cast<'x> {
    pub(crate) fn of(engine: &'x Engine) -> Self {
        let mut known: Values<ProcessId, Option<Option<Cow<'x, str>>>> =
            Values::of(engine.processes.len(), None);
        for thread in engine.threads.iter() {
            known[thread.process] = Some(thread.title());
        }
        for event in engine.run.events.iter().filter(|event| !event.op.is_turn()) {
            known[event.process].get_or_insert(None);
            if let Some(object) = event.object {
                let name = known[engine.run.objects[object].process].get_or_insert(None);
                if name.is_none() {
                    *name = engine.objects[object].title();
                }
            }
        }
        let known = engine.processes.ids().filter_map(|process| Some((process, known[process].take()?)));
        let mut processes: Vec<(ProcessId, Option<Cow<'x, str>>)> = known.collect();
        processes.sort_unstable_by_key(|&(process, _)| engine.processes.id(process));
        let mut place_of = Values::of(engine.processes.len(), 0);
        for (place, &(process, _)) in processes.iter().enumerate() {
            place_of[process] = place;
        }
        Cast { engine, processes, place_of, turns_before: turns_before(engine) }
    }

    /// The relations of an event of the run to others; `before` is the event before it on its process.
    fn links(&self, i: EventId, before: Option<EventId>) -> Links {
        let (engine, run) = (self.engine, &self.engine.run);
        let e = run.at(i);
        // A thread that goes on is past its call, and so past the completion of that call.
        let is_call = before.is_some() && engine.processes.kind(e.process) == Kind::Thread;
        let implied = |p: &EventId| {
            let pred = &run.events[*p];
            Some(*p) == before
                || is_call
                    && before.is_some_and(|it| run.partners(pred).contains(&it))
                    && pred.process != e.process
        };
        let own = run.own(e).filter_map(|p| run.without_turns(p));
        let mut after: Vec<EventRef> = own.filter(|p| !implied(p)).map(|p| self.refer(p)).collect();
        after.sort_unstable();
        after.dedup();
        let pick = match e.pick {
            event::Pick::No => Pick::None,
            event::Pick::Nothing => Pick::Nothing,
            event::Pick::Partners => {
                let mut partners: Vec<EventRef> = run.partners(e).iter().map(|&m| self.refer(m)).collect();
                if e.op == Op::Arrive {
                    let led = usize::from(engine.run.objects[e.on()].has_leader);
                    partners[led..].sort_unstable();
                }
                Pick::Partners(partners)
            }
        };
        let process = |object: ObjectId| self.place_of[engine.run.objects[object].process];
        Links { object: e.object.map(process), pick, after }
    }

    /// The objects where an event found nothing to receive, beside the one that it is on.
    fn empty(&self, i: EventId) -> Vec<usize> {
        let run = &self.engine.run;
        let e = run.at(i);
        let mut empty: Vec<usize> = match (e.op, e.pick) {
            (_, event::Pick::No) => return Vec::new(),
            (Op::Receive | Op::Accept, event::Pick::Nothing) => {
                let others = run.ports(e.list).iter().filter(|&&port| e.object != Some(port));
                others.filter_map(|&port| self.place_of_object(port)).collect()
            }
            (_, event::Pick::Nothing) => return Vec::new(),
            (_, event::Pick::Partners) => {
                run.passed_over(run.partners(e)).filter_map(|channel| self.place_of_object(channel)).collect()
            }
        };
        empty.sort_unstable();
        empty.dedup();
        empty
    }

    /// The place of an object in the sequence, if anything happened on it.
    fn place_of_object(&self, object: ObjectId) -> Option<usize> {
        let process = self.engine.run.objects[object].process;
        let place = self.place_of[process];
        (self.processes[place].0 == process).then_some(place)
    }

    /// Names an event of the run as its sequence does.
    pub(crate) fn refer(&self, i: EventId) -> EventRef {
        let e = self.engine.run.at(i);
        EventRef { process: self.place_of[e.process], index: index(e, i, &self.turns_before) }
    }
}

/// The names of some events in the sequence of the run, without making the sequence.
pub fn names(engine: &Engine, events: &[EventId]) -> Vec<String> {
    let turns_before = turns_before(engine);
    let name = |&i: &EventId| {
        let e = engine.run.at(i);
        format!("{}#{}", engine.processes.id(e.process), index(e, i, &turns_before))
    };
    events.iter().map(name).collect()
}

/// The place of an event among those of its process, without turns.
fn index(event: &event::Event, i: EventId, turns_before: &Values<EventId, u32>) -> usize {
    (event.index - turns_before.get(i).copied().unwrap_or(0)) as usize
}

/// By event: how many turns its process has had before; empty if the program was not forced.
fn turns_before(engine: &Engine) -> Values<EventId, u32> {
    let mut all = Values::with(0);
    if engine.turns.forcing.is_none() {
        return all;
    }
    let mut turns: Values<ProcessId, u32> = Values::of(engine.processes.len(), 0);
    for event in engine.run.events.iter() {
        all.push(turns[event.process]);
        turns[event.process] += u32::from(event.op.is_turn());
    }
    all
}

/// Where something happened, if that is known.
pub fn location(at: Place) -> Option<Location> {
    let known = !same_place(at, NOWHERE);
    known.then(|| Location { file: at.file().to_string(), line: at.line(), column: at.column() })
}

/// A place that instrumented code has reported.
pub fn source_place(place: TextPlace) -> Location {
    Location { file: place.file.to_string(), line: place.line, column: place.column }
}

/// The object of an event. For a receive it follows from the partner, so an edit that gives a receive another partner need
/// not change the object too.
fn subject(sequence: &Sequence, event: &Event) -> Option<usize> {
    let taken = match &event.pick {
        Pick::Partners(partners) if matches!(event.op, Op::Receive | Op::Accept) => partners.first(),
        _ => None,
    };
    taken.map_or(event.object, |p| sequence.processes[p.process].events[p.index].object)
}

/// Writes a sequence as the script that makes a program do it again. None of it may be changed.
pub(crate) fn write_script(sequence: &Sequence, processes: &mut Processes, script: &mut Script) {
    let find = |p: &Process| processes.find(&path_of(&p.id).expect("its ids have been checked"));
    let known: Vec<ProcessId> = sequence.processes.iter().map(find).collect();
    // By process and index: the event of the script.
    let mut n = 0;
    let event_of: Vec<Vec<EventId>> = sequence
        .processes
        .iter()
        .map(|process| {
            let first = n + 1;
            n += process.events.len();
            (first..=n).filter_map(EventId::at).collect()
        })
        .collect();
    let mut past = RecordedRun::default();
    for (its, &process) in sequence.processes.iter().zip(&known) {
        for (index, event) in (0..).zip(&its.events) {
            let (pick, partners) = match &event.pick {
                Pick::None => (event::Pick::No, Vec::new()),
                Pick::Nothing => (event::Pick::Nothing, Vec::new()),
                Pick::Partners(partners) => {
                    (event::Pick::Partners, partners.iter().map(|p| event_of[p.process][p.index]).collect())
                }
            };
            let subject = subject(sequence, event).map(|object| known[object]);
            past.add_scripted(Name { process, index }, event.op, subject, pick, &partners, NOWHERE);
        }
    }
    script.past = Rc::new(past);
    script.keep_past(processes.len());
    script.doubtful = true;
    event_of.into_iter().flatten().for_each(|event| script.blacken(event));
}

/// The facts that a sequence shows. The program must be run with them to repeat the sequence.
pub fn shown_by(sequence: &Sequence) -> Refinement {
    Refinement::of(sequence, path_of)
}

/// The path of a process, from its id; none if no execution could have a process with this id.
pub(crate) fn path_of(id: &str) -> Option<Path> {
    let mut parts = id.split('/');
    if parts.next()? != "main" {
        return None;
    }
    let mut path: Path = Vec::new();
    for part in parts {
        if let Some(number) = ["end", "hang-up"].iter().position(|word| *word == part) {
            path.push((path.last()?.0, number as u32 + 1));
            continue;
        }
        if let Some(name) = part.strip_prefix("static:") {
            path.push((Kind::Static, number_of_static(name)));
            continue;
        }
        let digits = part.trim_start_matches(|c: char| !c.is_ascii_digit());
        let word = &part[..part.len() - digits.len()];
        let kind = Kind::ALL.into_iter().find(|k| k.word() == word)?;
        // Far more than a program could make, and few enough to number them all.
        let number = digits.parse::<u32>().ok().filter(|n| (1..=1 << 20).contains(n))?;
        path.push((kind, number));
    }
    Some(path)
}
