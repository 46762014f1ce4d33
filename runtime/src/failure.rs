//! What went wrong in an execution, with everything needed to understand it and to see it again.

use std::fmt;
use std::path::Path;

use insyn_specs::file::SequenceFile;
use insyn_specs::{Location, Op, RaceTable, Sequence, harmless, text};
use serde::{Deserialize, Serialize};

use crate::execution::event::{Ix, NONE};
use crate::execution::forcing::Want;
use crate::execution::objects::Object;
use crate::execution::threads::Status;
use crate::execution::{Execution, PanicInfo, WaitFor};
use crate::select::Guard;

/// How an execution ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Termination {
    /// Every thread came to its end.
    Normal,
    /// Some threads are blocked and none can move.
    Deadlock,
    /// Some threads wait for what nothing can bring about, while others still ran when a bound stopped them: for each other
    /// in a circle, for somebody in it, or for a lock whose holder has ended without giving it back.
    LocalDeadlock,
    /// A thread panicked and nobody who joined it was told, or the closure itself panicked.
    Panic,
    /// The bound on steps was reached.
    StepBound,
    /// A thread ran out of stack.
    StackOverflow,
    /// The program used an object that was made in another execution, or outside: it kept something from one execution
    /// to the next, so executions are not independent.
    ForeignObject,
    /// The program did not do again what it had done before under the same picks: something that insyn does not
    /// control (the clock, random numbers, I/O, the order of a `HashMap`) decides what it does.
    Nondeterminism,
}

impl Termination {
    /// Every way to end, in the order of their declaration.
    pub const ALL: [Termination; 8] = [
        Termination::Normal,
        Termination::Deadlock,
        Termination::LocalDeadlock,
        Termination::Panic,
        Termination::StepBound,
        Termination::StackOverflow,
        Termination::ForeignObject,
        Termination::Nondeterminism,
    ];

    /// The words for it in reports.
    pub fn words(self) -> &'static str {
        match self {
            Termination::Normal => "normal end",
            Termination::Deadlock => "deadlock",
            Termination::LocalDeadlock => "local deadlock",
            Termination::Panic => "panic",
            Termination::StepBound => "step bound reached",
            Termination::StackOverflow => "stack overflow",
            Termination::ForeignObject => "foreign object",
            Termination::Nondeterminism => "uncontrolled nondeterminism",
        }
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

/// A way in which the program fails. Executions that fail in the same way at the same place are counted together; the
/// first of them, in the order of the exploration, is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// How the execution ended.
    pub termination: Termination,
    /// What happened, in a sentence or two.
    pub message: String,
    /// The panics of the execution, in the order they happened.
    pub panics: Vec<Panic>,
    /// The threads that could not go on, and what each waited for.
    pub blocked: Vec<Blocked>,
    /// The threads that wait for each other in a circle, as indices into `blocked`; empty if there is no circle.
    pub cycle: Vec<usize>,
    /// What the execution did.
    pub sequence: Sequence,
    /// What its receiving events could have taken instead, and some of the variants that follow; none if that is too much
    /// to be shown.
    pub races: Option<RaceTable>,
    /// How many sequences failed in this way at this place.
    pub occurrences: u64,
}

/// A panic of the program under test.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Panic {
    /// Name, or id, of the thread.
    pub thread: String,
    /// What it said.
    pub message: String,
    /// `file:line:column`.
    pub location: Option<String>,
}

/// A thread that could not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Blocked {
    /// Name, or id, of the thread.
    pub thread: String,
    /// What it waits for: the operation and the object.
    pub waits_for: String,
    /// Where in the source.
    pub location: Option<Location>,
}

impl fmt::Display for Blocked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "thread {} waits for {}", shown(&self.thread), self.waits_for)?;
        self.location.as_ref().map_or(Ok(()), |at| write!(f, " at {at}"))
    }
}

impl Failure {
    /// Writes the failing sequence to a file, for [`Explorer::replay_file`](crate::Explorer::replay_file).
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> std::io::Result<()> {
        let text = self.to_file().write().map_err(std::io::Error::other)?;
        std::fs::write(path, text)
    }

    /// The failing sequence, and what is wrong with it.
    pub fn to_file(&self) -> SequenceFile {
        let about = [("termination", self.termination.to_string()), ("message", self.message.clone())];
        SequenceFile {
            about: about.map(|(name, note)| (name.to_string(), note)).into(),
            sequence: self.sequence.clone(),
            races: self.races.clone(),
        }
    }

    /// Run once more, it came to another end.
    pub(crate) fn doubt(&mut self, now: &str) {
        self.message = format!(
            "the program came to this end: {}: {}; and, run again with the same picks, {now}; something that insyn does \
             not control decides it",
            self.termination, self.message
        );
        self.termination = Termination::Nondeterminism;
    }

    /// What went wrong, without the sequence.
    pub fn story(&self) -> String {
        let mut story = String::new();
        self.tell(&mut story).expect("text can be written to a string");
        story
    }
}

/// How much of a long sequence a report shows.
const HEAD: usize = 40;
const TAIL: usize = 80;

/// The name of a thread or an object within a sentence.
fn shown(name: &str) -> String {
    harmless::name(name, 60)
}

impl Failure {
    fn tell(&self, f: &mut impl fmt::Write) -> fmt::Result {
        writeln!(f, "{}: {}", self.termination, harmless::text(&self.message))?;
        for panic in &self.panics {
            let at = panic.location.as_deref().unwrap_or("an unknown place");
            write!(f, "  thread {} panicked at {at}", shown(&panic.thread))?;
            // What stands above is not said again.
            match panic.message == self.message {
                true => writeln!(f)?,
                false => writeln!(f, ": {}", harmless::text(&panic.message))?,
            }
        }
        for blocked in &self.blocked {
            writeln!(f, "  {blocked}")?;
        }
        if let Some(&first) = self.cycle.first() {
            let names = self.cycle.iter().chain([&first]).map(|&i| shown(&self.blocked[i].thread));
            writeln!(f, "  in a circle: {}", names.collect::<Vec<_>>().join(" -> "))?;
        }
        Ok(())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tell(f)?;
        f.write_str(&listing(&self.sequence, self.occurrences, text::WIDTH))
    }
}

/// The sequence that shows a failure, in so many columns.
pub(crate) fn listing(sequence: &Sequence, occurrences: u64, width: usize) -> String {
    let mut listing = String::new();
    if occurrences > 1 {
        listing.push_str(&format!("  {occurrences} sequences fail like this; the first:\n"));
    }
    let text = text::render_within(sequence, width);
    let text = text.unwrap_or_else(|malformed| format!("  (the sequence cannot be shown: {malformed})\n"));
    // The beginning and the end of a long run tell what happened; saved, it is there in full.
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    if lines.len() <= HEAD + TAIL {
        return listing + &text;
    }
    let (head, rest) = lines.split_at(HEAD);
    let (left_out, tail) = rest.split_at(rest.len() - TAIL);
    listing.extend(head.iter().copied());
    listing.push_str(&format!("… {} lines left out\n", left_out.len()));
    listing.extend(tail.iter().copied());
    listing
}

// ---- making one from a run ----------------------------------------------------------------------------------------

/// How the run that has just ended came to its end.
pub(crate) fn termination(x: &Execution, ignore_detached: bool) -> Termination {
    if x.divergence.is_some() {
        return Termination::Nondeterminism;
    }
    if x.overflowed.is_some() {
        return Termination::StackOverflow;
    }
    if x.foreign {
        return Termination::ForeignObject;
    }
    let threads = &x.threads[..x.live_threads];
    if x.any_panicked && (0..threads.len()).any(|t| is_fatal(x, t)) {
        return Termination::Panic;
    }
    if x.bound_hit {
        return if locked_up(x).is_empty() { Termination::StepBound } else { Termination::LocalDeadlock };
    }
    if x.unfinished == 0 {
        return Termination::Normal;
    }
    let main_is_over = threads[0].status == Status::Finished;
    let counts = |t: usize| !(ignore_detached && main_is_over && threads[t].detached);
    if (0..threads.len()).any(|t| threads[t].status != Status::Finished && counts(t)) {
        return Termination::Deadlock;
    }
    Termination::Normal
}

/// Where a failure belongs: failures of one kind at one place are one failure.
pub(crate) fn place(x: &Execution, termination: Termination) -> String {
    match termination {
        Termination::Panic | Termination::ForeignObject => {
            fatal_panic(x).and_then(|p| p.location.clone()).unwrap_or_default()
        }
        Termination::Deadlock | Termination::LocalDeadlock => {
            let mut places: Vec<String> = blocked_threads(x)
                .map(|t| since(x, t).map(|at| at.to_string()).unwrap_or_default())
                .collect();
            places.sort();
            places.join(" ")
        }
        Termination::Nondeterminism => x.divergence.as_ref().map(|d| d.process.clone()).unwrap_or_default(),
        Termination::StackOverflow => {
            x.overflowed.map(|t| x.processes.id(x.threads[t as usize].process).to_owned()).unwrap_or_default()
        }
        Termination::Normal | Termination::StepBound => String::new(),
    }
}

/// Where the run was when it was stopped.
fn last_place(x: &Execution) -> Option<Location> {
    let last = x.run().events.len().checked_sub(1)?;
    crate::sequence::place_of(x, last as Ix)
}

/// The whole story of the run that has just ended.
pub(crate) fn describe(x: &Execution, termination: Termination) -> Failure {
    let panics = x
        .panics
        .iter()
        .map(|p| Panic {
            thread: thread_name(x, p.thread),
            message: p.message.clone(),
            location: p.location.clone(),
        })
        .collect();
    let ids: Vec<usize> = match termination {
        Termination::Deadlock => blocked_threads(x).collect(),
        Termination::LocalDeadlock => locked_up(x),
        _ => Vec::new(),
    };
    let blocked: Vec<Blocked> = ids.iter().map(|&t| describe_blocked(x, t)).collect();
    let circle = match termination {
        Termination::LocalDeadlock => circle(x, nobody),
        _ => circle(x, server),
    };
    let cycle = circle.iter().filter_map(|t| ids.iter().position(|b| b == t)).collect();
    Failure {
        termination,
        message: message(x, termination, blocked.len()),
        panics,
        blocked,
        cycle,
        sequence: crate::sequence::collect(x),
        races: crate::races::shown_race_table(x),
        occurrences: 1,
    }
}

fn message(x: &Execution, termination: Termination, blocked: usize) -> String {
    match termination {
        Termination::Normal => "nothing went wrong".to_string(),
        Termination::Deadlock => format!("{blocked} of {} threads can never go on", x.live_threads),
        Termination::LocalDeadlock => {
            format!("{blocked} of {} threads can never go on, while others were still running", x.live_threads)
        }
        Termination::Panic => {
            fatal_panic(x).map_or_else(|| "a thread panicked".to_string(), |p| p.message.clone())
        }
        Termination::StepBound => {
            let last = last_place(x).map(|at| format!(", the last event at {at}")).unwrap_or_default();
            format!(
                "more than {} steps{last}; raise `max_steps` if the program ends later, or look for a loop that does \
                 not",
                x.settings.max_steps
            )
        }
        Termination::StackOverflow => {
            format!(
                "thread {} used more than {} KiB of stack; raise `stack_size` if it needs more",
                thread_name(x, x.overflowed.unwrap_or(NONE)),
                x.settings.stack_size / 1024
            )
        }
        Termination::ForeignObject => "an object made in one execution was used in another, or outside; create it \
                                       inside the closure under test"
            .to_string(),
        Termination::Nondeterminism => x.divergence.as_ref().map_or_else(String::new, |d| {
            let found = d.found.as_deref().unwrap_or("nothing of the kind");
            if d.in_prefix {
                return format!(
                    "the program does not begin with the prefix that was given: event {} of {} is {} there and \
                     {found} here; it is another program's, or the program has changed",
                    d.index, d.process, d.expected
                );
            }
            format!(
                "event {} of {} was {} before and is {found} now, after the same picks; something that insyn does \
                 not control decides it",
                d.index, d.process, d.expected
            )
        }),
    }
}

/// The panic that nobody was told of: the last one of the first thread that ended with one. (A thread may have caught
/// others before.)
fn fatal_panic(x: &Execution) -> Option<&PanicInfo> {
    let thread = (0..x.live_threads).find(|&t| is_fatal(x, t))?;
    x.panics.iter().rev().find(|p| p.thread as usize == thread)
}

/// Whether a thread ended with a panic that no join has passed on.
fn is_fatal(x: &Execution, thread: usize) -> bool {
    x.threads[thread].panicked && (thread == 0 || !x.threads[thread].joined)
}

fn blocked_threads(x: &Execution) -> impl Iterator<Item = usize> + '_ {
    (0..x.live_threads).filter(|&t| x.threads[t].status != Status::Finished)
}

/// Why a run that was forced could not go on.
pub(crate) struct Stuck {
    /// What wanted to happen when it was not its turn.
    pub(crate) instead: Vec<String>,
    /// The threads that could not go on otherwise; those that wait for others to end come last.
    pub(crate) blocked: Vec<Blocked>,
    /// How many of them only wait for one that waits for its turn.
    pub(crate) held_up: usize,
}

pub(crate) fn stuck(x: &Execution) -> Stuck {
    let mut stuck = Stuck { instead: Vec::new(), blocked: Vec::new(), held_up: 0 };
    // A call that would wait is nothing that could happen.
    let could_happen = |t: usize| match x.wants_turn_for(t) {
        Some(Want::Event(_)) => true,
        Some(Want::Call(op, object)) => x.would_complete(t as u32, op, object),
        None => false,
    };
    let (waiting, mut others): (Vec<usize>, Vec<usize>) = blocked_threads(x).partition(|&t| could_happen(t));
    others.sort_by_key(|&t| matches!(x.threads[t].waits_for, WaitFor::Join { .. }));
    for t in waiting {
        let told = x.wants_turn_for(t).map(|want| x.tell(t, want)).unwrap_or_default();
        if !stuck.instead.contains(&told) {
            stuck.instead.push(told);
        }
    }
    for t in others {
        let holder = match waits_for(x, t) {
            WaitFor::Completion { object, .. } => owner(x, object),
            _ => None,
        };
        stuck.held_up += usize::from(holder.is_some_and(|it| x.wants_turn_for(it as usize).is_some()));
        stuck.blocked.push(describe_blocked(x, t));
    }
    stuck
}

/// What keeps a call from being accepted: the guard of the select that the server is in, or was in when it took what is
/// not next.
fn refused_by(x: &Execution, entry: u32) -> Option<&'static Guard> {
    let decides = |t: usize| match x.wants_turn_for(t) {
        Some(Want::Event(event)) => matches!(x.run().at(event).op, Op::Accept | Op::Receive),
        Some(Want::Call(..)) => false,
        None => matches!(x.threads[t].waits_for, WaitFor::Message { .. }),
    };
    let servers = blocked_threads(x).filter(|&t| decides(t));
    servers.flat_map(|t| x.threads[t].closed_arms.iter()).find(|arm| arm.0 == entry).map(|arm| arm.1)
}

/// Whether a thread's call of an entry waits to be accepted.
fn is_unaccepted(x: &Execution, t: usize, entry: u32) -> bool {
    let is_mine = |&call: &Ix| x.run().events[call as usize].thread as usize == t;
    x.objects[entry as usize].unreceived.iter().any(is_mine)
}

/// What a thread waits for; one that waits for its turn to make a call, for that call.
fn waits_for(x: &Execution, t: usize) -> WaitFor {
    match x.wants_turn_for(t) {
        Some(Want::Call(op, object)) => WaitFor::Completion { object, op },
        _ => x.threads[t].waits_for,
    }
}

fn describe_blocked(x: &Execution, t: usize) -> Blocked {
    let object = |o: u32| shown(&object_name(x, o));
    let thread = |t: u32| shown(&thread_name(x, t));
    let waits_for = match waits_for(x, t) {
        WaitFor::Nothing => "its turn".to_string(),
        WaitFor::Event(name) => format!("event {} of {}", name.index, x.processes.id(name.chain)),
        WaitFor::Message { .. } => {
            let is_open = |&o: &u32| x.objects[o as usize].receiver as usize == t;
            let open: Vec<String> = (0..x.live_objects as u32).filter(is_open).map(object).collect();
            format!("a message on {}", open.join(" or "))
        }
        WaitFor::Completion { object: o, op: Op::Select } => {
            let host = x.objects[o as usize].host as usize;
            let mine = x.objects[host].pending.iter().filter(|call| call.thread as usize == t);
            let offers: Vec<String> =
                mine.map(|call| format!("{} on {}", call.op.word(), object(call.object))).collect();
            offers.join(" or ")
        }
        WaitFor::ReceiverDrop { object: o } => format!("the receiver of {} to be dropped", object(o)),
        WaitFor::Completion { object: o, op } => {
            let owner = owner(x, o).map(|t| format!(", held by thread {}", thread(t)));
            format!("{} on {}{}", op.word(), object(o), owner.unwrap_or_default())
        }
        WaitFor::Notification { object: o } => format!("a notification of {}", object(o)),
        WaitFor::Signal { object: o } => format!("a signal in {}", object(o)),
        WaitFor::Urgent { object: o } => format!("{}, behind the thread it signalled", object(o)),
        WaitFor::Reply { object: o } if is_unaccepted(x, t, o) => {
            let guard = refused_by(x, o).map(|guard| format!(" while {guard} is false"));
            format!("its call of {} to be accepted{}", object(o), guard.unwrap_or_default())
        }
        WaitFor::Reply { object: o } => format!("the reply to its call of {}", object(o)),
        WaitFor::Version { object: o } => format!("a new value of {}", object(o)),
        WaitFor::Handover { object: o, .. } => format!("the message that was put into {}", object(o)),
        WaitFor::Forever => "nothing that could come".to_string(),
        WaitFor::Join { thread: t } => format!("the end of thread {}", thread(t)),
    };
    let location = since(x, t);
    Blocked { thread: thread_name(x, t as u32), waits_for, location }
}

/// Where a thread is blocked.
fn since(x: &Execution, thread: usize) -> Option<Location> {
    let at = x.threads[thread].since?;
    x.told_by(thread, at).map(crate::sequence::told).or_else(|| crate::sequence::location(at))
}

fn thread_name(x: &Execution, thread: u32) -> String {
    match x.threads.get(thread as usize) {
        Some(t) => {
            let title = t.title();
            let is_only = x.threads[..x.live_threads].iter().filter(|it| it.title() == title).count() == 1;
            called(title.as_deref(), x.processes.id(t.process), is_only)
        }
        None => "?".to_string(),
    }
}

fn object_name(x: &Execution, object: u32) -> String {
    let o = &x.objects[object as usize];
    let same = |other: &&Object| other.names == o.names;
    let is_only = x.objects[..x.live_objects].iter().filter(same).count() == 1;
    called(o.title().as_deref(), x.processes.id(o.process), is_only)
}

/// What a thread or an object is called: by its name, with its id where another has the same name, or else by its id.
fn called(name: Option<&str>, id: &str, is_only: bool) -> String {
    match name {
        Some(name) if is_only => name.to_owned(),
        Some(name) => format!("{name} ({id})"),
        None => id.to_owned(),
    }
}

/// The thread that holds a lock or a monitor.
fn owner(x: &Execution, object: u32) -> Option<u32> {
    use crate::execution::openness::{ANNOUNCED, WRITER};
    use insyn_specs::Kind;
    let o = &x.objects[object as usize];
    let owner = match o.kind {
        Kind::Mutex | Kind::Monitor => o.state,
        Kind::ReentrantLock => o.state >> 32,
        Kind::RwLock => (o.state & !ANNOUNCED) >> WRITER,
        _ => 0,
    };
    (owner > 0).then(|| owner as Ix - 1)
}

/// The thread that a call waits for: the one that has accepted it; or else, of an entry that only one thread has ever
/// accepted from, that one.
fn server(x: &Execution, caller: usize, entry: u32) -> Option<usize> {
    let run = x.run();
    let accepts = || run.events.iter().filter(|e| e.op == Op::Accept && e.object == entry);
    let is_mine = |call: &Ix| run.at(*call).thread as usize == caller;
    let mut servers = accepts().map(|e| e.thread as usize);
    if !is_unaccepted(x, caller, entry) {
        let accepted = accepts().rfind(|e| run.mates(e).iter().any(is_mine));
        return accepted.map(|e| e.thread as usize);
    }
    let first = servers.next()?;
    servers.all(|t| t == first).then_some(first)
}

/// Threads that nothing can wake, whatever others still do: they wait for each other in a circle, for one that does, or for
/// a lock that its holder has not given back at its end. (Who could still send to a channel is not known, so a thread that
/// waits for a message may always be woken.)
fn locked_up(x: &Execution) -> Vec<usize> {
    let is_locked_up = |&start: &usize| {
        // Longer than any way without a circle.
        let mut way = std::iter::successors(Some(start), |&t| awaited(x, t, nobody)).take(x.live_threads + 1);
        x.threads[start].status == Status::Blocked
            && match way.clone().count() > x.live_threads {
                true => true,
                // One that has ended is awaited by nobody but those who want what it has kept.
                false => way.any(|t| t != start && x.threads[t].status == Status::Finished),
            }
    };
    (0..x.live_threads).filter(is_locked_up).collect()
}

/// For calls that anybody could still accept.
fn nobody(_: &Execution, _: usize, _: u32) -> Option<usize> {
    None
}

/// Who finds the thread that a call of an entry waits for.
type Server = fn(&Execution, usize, u32) -> Option<usize>;

/// The thread that a blocked one waits for: the holder of a lock or monitor, the one it joins, its server.
fn awaited(x: &Execution, t: usize, server: Server) -> Option<usize> {
    if x.threads[t].status != Status::Blocked {
        return None;
    }
    match x.threads[t].waits_for {
        WaitFor::Join { thread } => Some(thread as usize),
        WaitFor::Completion { object, .. } | WaitFor::Urgent { object } => {
            owner(x, object).map(|t| t as usize)
        }
        WaitFor::Reply { object } => server(x, t, object),
        _ => None,
    }
}

/// Threads that wait for each other in a circle, through locks, monitors, joins and calls of each other's entries.
fn circle(x: &Execution, server: Server) -> Vec<usize> {
    let next = |t: usize| awaited(x, t, server);
    for start in 0..x.live_threads {
        let mut path = vec![start];
        while let Some(t) = path.last().and_then(|&t| next(t)) {
            if let Some(at) = path.iter().position(|&p| p == t) {
                return path.split_off(at);
            }
            path.push(t);
        }
    }
    Vec::new()
}
