//! Mutual exclusion and bounded waiting, on graphs whose transitions request, enter and leave a critical section.
//!
//! A thread **waits** from its request until it enters, and is **inside** from then until it leaves. An entry without a request is
//! one that nobody waited for. Mutual exclusion is kept if no two threads are ever inside. The **waiting** of a thread is bounded by the
//! greatest number of entries of others while it waits, on any run, fair or not, whether or not the thread ever enters.

use std::cell::Cell;
use std::ops::Range;

use thiserror::Error;

use crate::digraph::{Digraph, Moves, Search, nodes};
use crate::fairness::{FairSearch, fair_cycle};
use crate::graph::{StateGraph, TransitionId};
use crate::lasso::Lasso;
use crate::path::{Paths, nearest};
use crate::product::Product;
use crate::thread::{ThreadId, ThreadSet};

/// What a transition does for its thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Marker {
    /// From now on the thread wants to enter.
    Request,
    /// The thread enters the critical section.
    Enter,
    /// The thread leaves it.
    Leave,
}

/// Whether mutual exclusion is kept, and how long threads wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exclusion {
    /// A shortest path to a state with two threads inside, and who is inside there; none if mutual exclusion is kept.
    pub violation: Option<(ThreadSet, Vec<TransitionId>)>,
    /// For each thread, how long it waits.
    pub waiting: Vec<Waiting>,
    /// Whether the graph was complete. Otherwise there may be violations that were not found, and bounds may be greater.
    pub is_complete: bool,
}

/// How often others may enter while a thread waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// The thread never requests.
    Never,
    /// At most so often, and on some run as often as that.
    Bounded {
        /// How often.
        most: u64,
        /// A path on which others enter so often.
        path: Vec<TransitionId>,
    },
    /// There is no bound.
    Unbounded {
        /// A run on which others enter again and again.
        lasso: Lasso,
        /// Whether the run is fair: then the thread may wait for ever. Otherwise every fair run ends the wait, or the entries of others; but
        /// how many of these come before is not bounded.
        is_fair: bool,
    },
}

/// Why markers cannot be judged.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ExclusionError {
    /// A thread requests or enters while it is inside, or leaves while it is not.
    #[error("thread {} does {marker:?} {} the critical section, after {} steps", .thread.index(), if *.is_inside { "inside" } else { "outside" }, path.len())]
    Misuse {
        /// The thread.
        thread: ThreadId,
        /// What it does.
        marker: Marker,
        /// Whether it is inside.
        is_inside: bool,
        /// A shortest path that ends with it.
        path: Vec<TransitionId>,
    },
    /// States have to be told apart by who waits and who is inside, and there are too many then.
    #[error("there are more than {most} states with different threads waiting or inside")]
    TooLarge {
        /// The bound.
        most: usize,
    },
}

/// Who waits and who is inside.
type Memory = (u64, u64);

impl Exclusion {
    /// Judges a graph, of which `marker` says what its transitions do. A state that is reached with other threads waiting or inside
    /// counts again; no more than `most` are looked at.
    ///
    /// # Errors
    /// If the markers are used in a wrong order, or if there are too many states.
    pub fn of(
        graph: &StateGraph,
        marker: impl Fn(TransitionId) -> Option<Marker>,
        most: usize,
    ) -> Result<Exclusion, ExclusionError> {
        let misuse: Cell<Option<(u32, TransitionId, Marker)>> = Cell::new(None);
        let watch =
            |node: u32, (waiting, inside): Memory, id: TransitionId, behind: &mut Vec<(Memory, u64)>| {
                let bit = ThreadSet::of(graph.transition(id).thread).bits();
                let marker = marker(id);
                let memory = match marker {
                    None => (waiting, inside),
                    Some(Marker::Request) if inside & bit == 0 => (waiting | bit, inside),
                    Some(Marker::Enter) if inside & bit == 0 => (waiting & !bit, inside | bit),
                    Some(Marker::Leave) if inside & bit != 0 => (waiting, inside & !bit),
                    Some(marker) => {
                        misuse.set(misuse.get().or(Some((node, id, marker))));
                        return;
                    }
                };
                behind.push((memory, 0));
            };
        let product =
            Product::explore(graph, [(0, 0)], most, watch).map_err(|_| ExclusionError::TooLarge { most })?;
        let paths = Paths::of(&product, product.roots());
        if let Some((node, id, marker)) = misuse.get() {
            let thread = graph.transition(id).thread;
            let is_inside = ThreadSet::from_bits(product.memory(node).1).contains(thread);
            let mut path = product.transitions(paths.to(node));
            path.push(id);
            return Err(ExclusionError::Misuse { thread, marker, is_inside, path });
        }
        let inside = |node: u32| ThreadSet::from_bits(product.memory(node).1);
        let violation = nodes(&product)
            .find(|&node| inside(node).len() > 1)
            .map(|node| (inside(node), product.transitions(paths.to(node))));
        let waiting = |thread: ThreadId| {
            let enters = |edge: u32| {
                let id = product.transition(edge);
                marker(id) == Some(Marker::Enter) && graph.transition(id).thread != thread
            };
            let entries: Vec<bool> = (0..edge_count(&product)).map(enters).collect();
            let wait = Wait { product: &product, thread, entries, needs_fairness: false };
            wait.judge(&paths)
        };
        let waiting = graph.all_threads().iter().map(waiting).collect();
        Ok(Exclusion { violation, waiting, is_complete: graph.is_complete() })
    }
}

fn edge_count(graph: &impl Digraph) -> u32 {
    nodes(graph).next_back().map_or(0, |last| graph.edges(last).end)
}

/// The part of a product in which one thread waits.
struct Wait<'p, 'g> {
    product: &'p Product<'g, Memory>,
    thread: ThreadId,
    /// The edges by which another thread enters.
    entries: Vec<bool>,
    /// Whether only fair cycles count.
    needs_fairness: bool,
}

impl Wait<'_, '_> {
    fn waits(&self, node: u32) -> bool {
        ThreadSet::from_bits(self.product.memory(node).0).contains(self.thread)
    }

    fn judge(mut self, paths: &Paths) -> Waiting {
        let waiting: Vec<u32> = nodes(self.product).filter(|&node| self.waits(node)).collect();
        if waiting.is_empty() {
            return Waiting::Never;
        }
        for needs_fairness in [true, false] {
            self.needs_fairness = needs_fairness;
            let mut first: Option<Vec<u32>> = None;
            let keeps = |edge: u32| self.waits(self.target(edge));
            FairSearch::new(self.nodes()).components(&self, waiting.clone(), keeps, |found| {
                let least = |nodes: &[u32]| nodes.iter().copied().min();
                if first.as_deref().is_none_or(|first| least(found.nodes) < least(first)) {
                    first = Some(found.nodes.to_vec());
                }
            });
            if let Some(mut component) = first {
                component.sort_unstable();
                let inside = |node: u32| component.binary_search(&node).is_ok();
                let cycle = fair_cycle(&self, component[0], ThreadSet::EMPTY, inside, |_| true);
                let lasso = Lasso {
                    stem: self.product.transitions(paths.to(component[0])),
                    cycle: self.product.transitions(cycle.edges),
                    is_shortest: cycle.is_shortest,
                };
                return Waiting::Unbounded { lasso, is_fair: needs_fairness };
            }
        }
        self.bounded(&waiting, paths)
    }

    /// No cycle has an entry, so the greatest number of entries from a node on is that of its component.
    fn bounded(&self, waiting: &[u32], paths: &Paths) -> Waiting {
        let mut most = vec![0_u64; self.nodes()];
        let keeps = |edge: u32| self.waits(self.target(edge));
        Search::new(self.nodes()).components(self, waiting.iter().copied(), keeps, |component| {
            // Entries inside the component would be on a cycle; and what it leads to is known.
            let edges = component.iter().flat_map(|&node| self.edges(node)).filter(|&edge| keeps(edge));
            let best =
                edges.map(|edge| most[self.target(edge) as usize] + u64::from(self.entries[edge as usize]));
            let best = best.max().unwrap_or(0);
            component.iter().for_each(|&node| most[node as usize] = best);
        });
        let greatest = waiting.iter().map(|&node| most[node as usize]).max().unwrap_or(0);
        // Nobody has entered on the way to the first node with the greatest number since the request; otherwise there were a greater one.
        let mut at =
            waiting.iter().copied().find(|&node| most[node as usize] == greatest).expect("it was found");
        let mut path = paths.to(at);
        for left in (1..=greatest).rev() {
            let counts =
                |edge: u32| self.entries[edge as usize] && most[self.target(edge) as usize] == left - 1;
            let stays = |edge: u32| keeps(edge) && most[self.target(edge) as usize] >= left - 1;
            let way = nearest(self, at, stays, counts).expect("the number was found along edges");
            at = self.target(*way.last().expect("the last edge counts"));
            path.extend(way);
        }
        Waiting::Bounded { most: greatest, path: self.product.transitions(path) }
    }
}

impl Digraph for Wait<'_, '_> {
    fn nodes(&self) -> usize {
        self.product.nodes()
    }

    fn edges(&self, node: u32) -> Range<u32> {
        self.product.edges(node)
    }

    fn target(&self, edge: u32) -> u32 {
        self.product.target(edge)
    }
}

impl Moves for Wait<'_, '_> {
    /// Without threads, every cycle is fair.
    fn threads(&self) -> ThreadSet {
        if self.needs_fairness { self.product.threads() } else { ThreadSet::EMPTY }
    }

    fn moved(&self, edge: u32) -> ThreadSet {
        self.product.moved(edge)
    }

    fn idle(&self, node: u32) -> ThreadSet {
        self.product.idle(node)
    }

    /// A cycle needs an entry of another thread.
    fn postponed(&self, edge: u32) -> u64 {
        u64::from(!self.entries[edge as usize])
    }
}
