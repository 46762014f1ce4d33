//! Names of processes that hold from one execution to the next.
//!
//! A process is known by its creator, its kind, and its number among those of that kind the creator made: never by
//! a global order, which would differ between executions. Each such name is interned once per worker, so that
//! during a run a process is a small integer and finding it is an array access.

use std::cell::OnceCell;

use crate::ids::{ProcessId, Table};
use insyn_sequences::Kind;

/// The path from `main` to a process: the kind of each process on it, and its number among its siblings of that kind.
pub type Path = Vec<(Kind, u32)>;

/// Interned processes. Grows with the processes a program can create, not with its executions.
#[derive(Debug)]
pub struct Processes {
    all: Table<ProcessId, Process>,
}

#[derive(Debug)]
struct Process {
    /// None for the first.
    parent: Option<ProcessId>,
    kind: Kind,
    number: u32,
    /// None before the first child: most processes are objects, which have none.
    children: Option<Box<Children>>,
    /// What the exploration has discovered about it.
    facts: Facts,
    /// The process whose timeline it shares, if any.
    timeline: Option<ProcessId>,
    /// The name of a static, once it is known.
    name: Option<&'static str>,
    /// The name for users, once it has been asked for.
    id: OnceCell<String>,
}

/// The children of a process, by kind, then by number.
type Children = [Vec<ProcessId>; KINDS];

pub(crate) const KINDS: usize = Kind::ALL.len();

/// The thread that runs the closure under test.
pub const MAIN: ProcessId = ProcessId::FIRST;

/// What is known about one process.
#[derive(Clone, Copy, Debug, Default)]
pub struct Facts {
    pub shared: bool,
    pub counted: bool,
    pub watched: bool,
    pub leader: bool,
    pub ordered: bool,
}

impl Process {
    fn new(parent: Option<ProcessId>, kind: Kind, number: u32) -> Self {
        Process {
            parent,
            kind,
            number,
            children: None,
            facts: Facts::default(),
            timeline: None,
            name: None,
            id: OnceCell::new(),
        }
    }

    /// The children of a kind, by number.
    #[inline]
    fn children(&self, kind: Kind) -> &[ProcessId] {
        self.children.as_ref().map_or(&[], |children| &children[kind as usize])
    }

    fn add_child(&mut self, kind: Kind, child: ProcessId) {
        self.children.get_or_insert_default()[kind as usize].push(child);
    }
}

impl Processes {
    pub fn new() -> Self {
        let main = || Process::new(None, Kind::Thread, 1);
        let mut all = Table::new(main);
        all.push(main());
        Processes { all }
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// All processes, in the order in which they were first observed.
    pub fn ids(&self) -> impl Iterator<Item = ProcessId> + use<> {
        self.all.ids()
    }

    pub fn kind(&self, process: ProcessId) -> Kind {
        self.all[process].kind
    }

    pub fn facts(&self, process: ProcessId) -> Facts {
        self.all[process].facts
    }

    /// Its number among the processes of its kind that its creator has made.
    pub fn number(&self, process: ProcessId) -> u32 {
        self.all[process].number
    }

    pub(crate) fn facts_mut(&mut self, process: ProcessId) -> &mut Facts {
        &mut self.all[process].facts
    }

    /// The process whose timeline it shares with others, if any.
    #[inline]
    pub fn timeline(&self, process: ProcessId) -> Option<ProcessId> {
        self.all[process].timeline
    }

    pub(crate) fn set_timeline(&mut self, process: ProcessId, timeline: ProcessId) {
        self.all[process].timeline = Some(timeline);
    }

    /// The `number`-th (from 1) process of this kind that `parent` made.
    #[inline]
    pub(crate) fn child(&mut self, parent: ProcessId, kind: Kind, number: u32) -> ProcessId {
        if kind == Kind::Static {
            return self.intern_static(number);
        }
        match self.all[parent].children(kind).get(number as usize - 1) {
            Some(&id) => id,
            None => self.intern(parent, kind, number),
        }
    }

    /// The process of a static, which makes the objects in it, whichever thread touches it first.
    pub fn of_static(&mut self, name: &'static str) -> ProcessId {
        let process = self.child(MAIN, Kind::Static, number_of_static(name));
        if self.all[process].name.replace(name).is_none() {
            // Ids of processes in it may have been spelled before its name was known.
            self.all.iter_mut().for_each(|it| drop(it.id.take()));
        }
        process
    }

    /// Statics are numbered by their names, not in the order in which they are first used.
    #[cold]
    #[inline(never)]
    fn intern_static(&mut self, number: u32) -> ProcessId {
        let known = self.all[MAIN].children(Kind::Static);
        if let Some(&id) = known.iter().find(|&&id| self.all[id].number == number) {
            return id;
        }
        let id = self.all.push(Process::new(Some(MAIN), Kind::Static, number));
        self.all[MAIN].add_child(Kind::Static, id);
        id
    }

    #[cold]
    #[inline(never)]
    fn intern(&mut self, parent: ProcessId, kind: Kind, number: u32) -> ProcessId {
        // A run makes processes in the order of their numbers, but a script from another worker may name a later one first.
        loop {
            let reached = self.all[parent].children(kind).len() as u32 + 1;
            let id = self.all.push(Process::new(Some(parent), kind, reached));
            self.all[parent].add_child(kind, id);
            if reached == number {
                return id;
            }
        }
    }

    /// The way from `main` to a process, for another worker to find it by.
    pub fn path(&self, process: ProcessId) -> Path {
        let mut path = Vec::new();
        let mut at = &self.all[process];
        while let Some(parent) = at.parent {
            path.push((at.kind, at.number));
            at = &self.all[parent];
        }
        path.reverse();
        path
    }

    /// The process at the end of a [`path`](Self::path).
    pub fn find(&mut self, path: &[(Kind, u32)]) -> ProcessId {
        path.iter().fold(MAIN, |at, &(kind, number)| self.child(at, kind, number))
    }

    /// The id that people read: `main/thread2/mutex1`.
    pub fn id(&self, process: ProcessId) -> &str {
        self.all[process].id.get_or_init(|| self.spell(process))
    }

    fn spell(&self, process: ProcessId) -> String {
        let p = &self.all[process];
        let Some(parent) = p.parent else { return "main".to_string() };
        if p.kind == Kind::Static {
            return format!("main/static:{}", p.name.unwrap_or("?"));
        }
        // The ends of a channel are of its own kind.
        if p.kind != Kind::Thread && self.all[parent].kind == p.kind {
            return format!("{}/{}", self.id(parent), if p.number == 1 { "end" } else { "hang-up" });
        }
        format!("{}/{}{}", self.id(parent), p.kind.word(), p.number)
    }
}

/// The number of a static, from its name: the same in every execution, on every machine (FNV-1a).
pub fn number_of_static(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |h: u32, b| (h ^ u32::from(b)).wrapping_mul(0x0100_0193))
}
