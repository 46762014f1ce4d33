//! A variant in the form that the next execution follows: per process, what it did and took in the kept part.
//!
//! The kept events of a variant are closed under happens-before, so per process they are a prefix, and at most one
//! event of a process, the one after that prefix, can be renewed.

use std::panic::Location;

use super::event::Op;
use super::process::Processes;

/// What the next execution must do before it may choose freely.
#[derive(Default, Debug)]
pub(crate) struct Script {
    /// By process. Entries of processes the variant does not mention are empty.
    chains: Vec<Chain>,
    /// Partners of the steps that took some.
    mates: Vec<Name>,
}

/// The part of a script that concerns one process.
#[derive(Default, Debug)]
pub(crate) struct Chain {
    pub(crate) steps: Vec<Step>,
    /// The event after the kept ones comes up again and must take a partner that is not old.
    pub(crate) renewed: bool,
    /// The last kept event has just had its pick changed: what it does is new.
    pub(crate) changed: bool,
}

/// One kept event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) op: Op,
    pub(crate) black: bool,
    pub(crate) take: Take,
    /// Where it happened, to notice a program that does not do the same thing again. Unknown for a sequence that
    /// was read from a file.
    pub(crate) location: Option<&'static Location<'static>>,
}

/// What a kept event takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Take {
    /// It is not a receiving event.
    No,
    Nothing,
    /// These entries of [`Script::mates`].
    Mates {
        start: u32,
        len: u32,
    },
}

/// Names an event across executions: the process and the place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) chain: u32,
    pub(crate) index: u32,
}

impl Script {
    /// Forgets everything but keeps the memory.
    pub(crate) fn clear(&mut self, processes: usize) {
        if self.chains.len() < processes {
            self.chains.resize_with(processes, Chain::default);
        }
        for chain in &mut self.chains {
            chain.steps.clear();
            chain.renewed = false;
            chain.changed = false;
        }
        self.mates.clear();
    }

    #[inline]
    pub(crate) fn chain(&self, chain: u32) -> Option<&Chain> {
        self.chains.get(chain as usize)
    }

    pub(crate) fn chain_mut(&mut self, chain: u32) -> &mut Chain {
        if self.chains.len() <= chain as usize {
            self.chains.resize_with(chain as usize + 1, Chain::default);
        }
        &mut self.chains[chain as usize]
    }

    pub(crate) fn chains(&self) -> &[Chain] {
        &self.chains
    }

    #[inline]
    pub(crate) fn mates(&self, take: Take) -> &[Name] {
        match take {
            Take::Mates { start, len } => &self.mates[start as usize..(start + len) as usize],
            Take::No | Take::Nothing => &[],
        }
    }

    /// Stores the partners of a step.
    pub(crate) fn take(&mut self, mates: impl Iterator<Item = Name>) -> Take {
        let start = self.mates.len() as u32;
        self.mates.extend(mates);
        Take::Mates { start, len: self.mates.len() as u32 - start }
    }

    /// The script as another worker, which has numbered its processes differently, can read it.
    pub(crate) fn export(&self, processes: &Processes) -> Portable {
        let chains = self
            .chains
            .iter()
            .enumerate()
            .filter(|(_, c)| !c.steps.is_empty() || c.renewed)
            .map(|(id, c)| PortableChain {
                path: processes.path(id as u32),
                renewed: c.renewed,
                changed: c.changed,
                steps: c.steps.clone(),
            })
            .collect();
        let mates = self.mates.iter().map(|m| (processes.path(m.chain), m.index)).collect();
        Portable { chains, mates }
    }

    /// The reverse of [`export`](Self::export).
    pub(crate) fn import(&mut self, portable: Portable, processes: &mut Processes) {
        self.clear(processes.len());
        for chain in portable.chains {
            let id = processes.find(&chain.path);
            let mine = self.chain_mut(id);
            mine.steps.extend_from_slice(&chain.steps);
            mine.renewed = chain.renewed;
            mine.changed = chain.changed;
        }
        for (path, index) in portable.mates {
            let chain = processes.find(&path);
            self.mates.push(Name { chain, index });
        }
    }
}

/// A script with processes named by their way from `main`.
#[derive(Debug)]
pub(crate) struct Portable {
    chains: Vec<PortableChain>,
    mates: Vec<(Path, u32)>,
}

type Path = Vec<(super::event::Kind, u32)>;

#[derive(Debug)]
struct PortableChain {
    path: Path,
    renewed: bool,
    changed: bool,
    steps: Vec<Step>,
}
