//! Names of processes that hold from one execution to the next.
//!
//! A process is known by its creator, its kind, and its number among those of that kind the creator made: never by
//! a global order, which would differ between executions. Each such name is interned once per worker, so that
//! during a run a process is a small integer and finding it is an array access.

use std::cell::OnceCell;

use super::event::{Kind, NONE};
use super::topology::Facts;

/// The way from `main` to a process: of which kind, and the how many-th, each process on it is.
pub(crate) type Path = Vec<(Kind, u32)>;

/// Interned processes. Grows with the processes a program can create, not with its executions.
#[derive(Debug)]
pub(crate) struct Processes {
    all: Vec<Process>,
}

#[derive(Debug)]
struct Process {
    parent: u32,
    kind: Kind,
    number: u32,
    /// By kind, then by number.
    children: [Vec<u32>; KINDS],
    /// What the exploration has found out about it.
    facts: Facts,
    /// The process whose timeline it shares, if any.
    line: u32,
    /// What a static is called, once it is known.
    name: Option<&'static str>,
    /// What people call it, once they have asked.
    id: OnceCell<String>,
}

pub(crate) const KINDS: usize = Kind::ALL.len();

/// The thread that runs the closure under test.
pub(crate) const MAIN: u32 = 0;

impl Process {
    fn new(parent: u32, kind: Kind, number: u32) -> Self {
        Process {
            parent,
            kind,
            number,
            children: Default::default(),
            facts: Facts::default(),
            line: NONE,
            name: None,
            id: OnceCell::new(),
        }
    }
}

impl Processes {
    pub(crate) fn new() -> Self {
        Processes { all: vec![Process::new(NONE, Kind::Thread, 1)] }
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    pub(crate) fn kind(&self, process: u32) -> Kind {
        self.all[process as usize].kind
    }

    pub(crate) fn facts(&self, process: u32) -> Facts {
        self.all[process as usize].facts
    }

    /// Which one of its kind it is, of those that its creator has made.
    pub(crate) fn number(&self, process: u32) -> u32 {
        self.all[process as usize].number
    }

    pub(crate) fn facts_mut(&mut self, process: u32) -> &mut Facts {
        &mut self.all[process as usize].facts
    }

    /// The process whose timeline it shares with others, if any.
    #[inline]
    pub(crate) fn line(&self, process: u32) -> u32 {
        self.all[process as usize].line
    }

    pub(crate) fn set_line(&mut self, process: u32, line: u32) {
        self.all[process as usize].line = line;
    }

    /// The `number`-th (from 1) process of this kind that `parent` made.
    #[inline]
    pub(crate) fn child(&mut self, parent: u32, kind: Kind, number: u32) -> u32 {
        if kind == Kind::Static {
            return self.intern_static(number);
        }
        let known = &self.all[parent as usize].children[kind as usize];
        match known.get(number as usize - 1) {
            Some(&id) => id,
            None => self.intern(parent, kind, number),
        }
    }

    /// The process of a static, which makes the objects in it, whoever touches it first.
    pub(crate) fn of_static(&mut self, name: &'static str) -> u32 {
        let process = self.child(MAIN, Kind::Static, number_of_static(name));
        if self.all[process as usize].name.replace(name).is_none() {
            // What is in it may have been asked for before.
            self.all.iter_mut().for_each(|it| drop(it.id.take()));
        }
        process
    }

    /// Statics are numbered by their names, not in the order they come up.
    #[cold]
    #[inline(never)]
    fn intern_static(&mut self, number: u32) -> u32 {
        let known = self.all[MAIN as usize].children[Kind::Static as usize].iter().copied();
        if let Some(id) = known.into_iter().find(|&id| self.all[id as usize].number == number) {
            return id;
        }
        let id = self.all.len() as u32;
        self.all[MAIN as usize].children[Kind::Static as usize].push(id);
        self.all.push(Process::new(MAIN, Kind::Static, number));
        id
    }

    #[cold]
    #[inline(never)]
    fn intern(&mut self, parent: u32, kind: Kind, number: u32) -> u32 {
        // Within one run numbers come up in order, but a script from another worker may name a later one first.
        loop {
            let id = self.all.len() as u32;
            let siblings = &mut self.all[parent as usize].children[kind as usize];
            siblings.push(id);
            let reached = siblings.len() as u32;
            self.all.push(Process::new(parent, kind, reached));
            if reached == number {
                return id;
            }
        }
    }

    /// The way from `main` to a process, for another worker to find it by.
    pub(crate) fn path(&self, process: u32) -> Path {
        let mut path = Vec::new();
        let mut at = process;
        while at != MAIN {
            let p = &self.all[at as usize];
            path.push((p.kind, p.number));
            at = p.parent;
        }
        path.reverse();
        path
    }

    /// The process at the end of a [`path`](Self::path).
    pub(crate) fn find(&mut self, path: &[(Kind, u32)]) -> u32 {
        path.iter().fold(MAIN, |at, &(kind, number)| self.child(at, kind, number))
    }

    /// The id that people read: `main/thread2/mutex1`.
    pub(crate) fn id(&self, process: u32) -> &str {
        self.all[process as usize].id.get_or_init(|| self.spell(process))
    }

    fn spell(&self, process: u32) -> String {
        if process == MAIN {
            return "main".to_string();
        }
        let p = &self.all[process as usize];
        if p.kind == Kind::Static {
            return format!("main/static:{}", p.name.unwrap_or("?"));
        }
        // The ends of a channel are of its own kind.
        if p.kind != Kind::Thread && self.all[p.parent as usize].kind == p.kind {
            return format!("{}/{}", self.id(p.parent), if p.number == 1 { "end" } else { "hang-up" });
        }
        format!("{}/{}{}", self.id(p.parent), p.kind.word(), p.number)
    }
}

/// The number of a static, from its name: the same in every execution, on every machine (FNV-1a).
pub(crate) fn number_of_static(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |h: u32, b| (h ^ u32::from(b)).wrapping_mul(0x0100_0193))
}
