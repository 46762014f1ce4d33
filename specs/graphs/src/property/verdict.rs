//! Whether all fair runs of a state graph have a property.
//!
//! Runs are watched by the automaton of what violates the property. A run is a path that ends where no transition leaves, or
//! an endless one on which every thread that is not blocked or ended from some point on moves again and again. Every finite path is the
//! beginning of such a run, so a path on which the automaton has no obligations left violates the property already.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;

use thiserror::Error;

use super::automaton::{Automaton, TooLong};
use super::formula::{Atoms, Formula};
use super::trace::Trace;
use crate::digraph::{Digraph, Moves, nodes};
use crate::fairness::{FairSearch, fair_cycle};
use crate::graph::{StateGraph, TransitionId};
use crate::lasso::Lasso;
use crate::path::Paths;
use crate::product::Product;
use crate::thread::ThreadSet;

/// What is known of a property of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All fair runs have it.
    Holds {
        /// The parts that do not matter: the property would hold with anything in their place. Such a property holds vacuously.
        vacuous: Vec<Formula>,
    },
    /// A run does not have it.
    Violated(Violation),
    /// The graph is not complete, and no run in its known part violates the property.
    Undecided,
}

/// A run that does not have a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The run.
    pub run: Lasso,
    /// Why the property is violated at the end of the run.
    pub reason: Reason,
    /// The step behind which the violation is observed, counted from 1 through stem and cycle; 0 is before the first. None if no step
    /// is wrong, but something never comes.
    pub step: Option<usize>,
}

/// Why a run violates a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// It has no cycle, and however it goes on, the property does not hold.
    Prefix,
    /// It has no cycle and ends, and something is missing.
    Ended,
    /// Its cycle is fair, and something never comes.
    Cycle,
}

/// Why a property cannot be checked.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CheckError {
    /// The property is too long.
    #[error(transparent)]
    TooLong(#[from] TooLong),
    /// States have to be told apart by what has been observed before them, and there are too many then.
    #[error("there are more than {most} states with different observations before them")]
    TooLarge {
        /// The bound.
        most: usize,
    },
}

/// Checks a property. `initial` is what is observed before the first step, if anything is; `observe` says what is observed
/// of a transition, if anything is. No more than `most` combinations of states and obligations are looked at.
///
/// # Errors
/// If the property is too long, or if there are too many combinations.
pub fn check(
    graph: &StateGraph,
    property: &Formula,
    initial: Option<Atoms>,
    observe: impl Fn(TransitionId) -> Option<Atoms>,
    most: usize,
) -> Result<Verdict, CheckError> {
    let view = View { graph, initial, observe: &observe, most };
    if let Some(violation) = view.violation(property)? {
        return Ok(Verdict::Violated(violation));
    }
    if !graph.is_complete() {
        return Ok(Verdict::Undecided);
    }
    let mut vacuous = Vec::new();
    for (part, stronger) in property.strengthened() {
        if view.violation(&stronger)?.is_none() {
            vacuous.push(part);
        }
    }
    Ok(Verdict::Holds { vacuous })
}

impl Formula {
    /// Whether the property contradicts itself: no trace with an observation has it.
    ///
    /// # Errors
    /// If the property is too long, or has more than 12 atoms.
    pub fn is_contradiction(&self) -> Result<bool, TooLong> {
        if self.atoms().0.count_ones() > 12 {
            return Err(TooLong);
        }
        let mut automaton = Automaton::of(self, true)?;
        let mut observations = vec![Atoms(0)];
        for atom in (0..64).filter(|&it| self.atoms().contains(it)) {
            let with: Vec<Atoms> = observations.iter().map(|it| Atoms(it.0 | 1 << atom)).collect();
            observations.extend(with);
        }
        let mut tableau =
            Tableau { numbers: Vec::new(), ends: Vec::new(), targets: Vec::new(), postponed: Vec::new() };
        let mut place = BTreeMap::new();
        let mut at = 0;
        tableau.numbers.push(automaton.initial());
        // The initial state is before any observation: it is not where a trace may end, but may come again.
        while let Some(&state) = tableau.numbers.get(at) {
            at += 1;
            for &observed in &observations {
                for &(next, postponed) in &*automaton.next(state, observed) {
                    if automaton.accepts_end(next) {
                        return Ok(false);
                    }
                    let target = *place.entry(next).or_insert_with(|| {
                        tableau.numbers.push(next);
                        u32::try_from(tableau.numbers.len() - 1).expect("there are few")
                    });
                    tableau.targets.push(target);
                    tableau.postponed.push(postponed);
                }
            }
            tableau.ends.push(u32::try_from(tableau.targets.len()).map_err(|_| TooLong)?);
        }
        let mut is_contradiction = true;
        let all = nodes(&tableau).collect();
        FairSearch::new(tableau.nodes()).components(&tableau, all, |_| true, |_| is_contradiction = false);
        Ok(is_contradiction)
    }
}

/// What is observed of a graph.
struct View<'a, F> {
    graph: &'a StateGraph,
    initial: Option<Atoms>,
    observe: &'a F,
    most: usize,
}

/// Marks of a step that is not observed: it fulfils nothing.
const SILENT: u64 = u64::MAX;

impl<F: Fn(TransitionId) -> Option<Atoms>> View<'_, F> {
    fn violation(&self, property: &Formula) -> Result<Option<Violation>, CheckError> {
        let automaton = RefCell::new(Automaton::of(property, false)?);
        let first = automaton.borrow().initial();
        let roots = match self.initial {
            None => vec![first],
            Some(observed) => automaton.borrow_mut().next(first, observed).iter().map(|it| it.0).collect(),
        };
        let watch = |_: u32, state: u32, id: TransitionId, behind: &mut Vec<(u32, u64)>| {
            if automaton.borrow().accepts_everything(state) {
                return;
            }
            match (self.observe)(id) {
                None => behind.push((state, SILENT)),
                Some(observed) => behind.extend_from_slice(&automaton.borrow_mut().next(state, observed)),
            }
        };
        let product = Product::explore(self.graph, roots, self.most, watch)
            .map_err(|_| CheckError::TooLarge { most: self.most })?;
        let automaton = automaton.into_inner();
        let paths = Paths::of(&product, product.roots());
        let finite = |node: u32| Lasso {
            stem: product.transitions(paths.to(node)),
            cycle: Vec::new(),
            is_shortest: true,
        };
        if let Some(node) = nodes(&product).find(|&it| automaton.accepts_everything(product.memory(it))) {
            return Ok(Some(self.shown(property, finite(node), Reason::Prefix)));
        }
        let ends = |&node: &u32| {
            let state = product.state(node);
            let is_last = self.graph.range(state.0).is_empty() && !self.graph.is_open(state);
            is_last && automaton.accepts_end(product.memory(node))
        };
        if let Some(node) = nodes(&product).find(ends) {
            return Ok(Some(self.shown(property, finite(node), Reason::Ended)));
        }
        let run = endless(&product, &paths, &automaton);
        Ok(run.map(|run| self.shown(property, run, Reason::Cycle)))
    }

    fn shown(&self, property: &Formula, run: Lasso, reason: Reason) -> Violation {
        // What is observed, with the step behind which that is.
        let (mut stem, mut cycle): (Vec<_>, Vec<_>) =
            (self.initial.map(|it| (0, it)).into_iter().collect(), Vec::new());
        for (i, &id) in run.stem.iter().chain(&run.cycle).enumerate() {
            let part = if i < run.stem.len() { &mut stem } else { &mut cycle };
            part.extend((self.observe)(id).map(|it| (i + 1, it)));
        }
        let observed = |part: &[(usize, Atoms)]| part.iter().map(|it| it.1).collect::<Vec<Atoms>>();
        let trace = Trace::lasso(observed(&stem), observed(&cycle));
        // However a prefix goes on, it is its last observation that made it so.
        let position = match reason {
            Reason::Prefix => trace.observations.len().checked_sub(1),
            Reason::Ended | Reason::Cycle => trace.violation(property),
        };
        let steps: Vec<usize> = stem.iter().chain(&cycle).map(|it| it.0).collect();
        Violation { run, reason, step: position.map(|it| steps[it]) }
    }
}

/// A fair run that the automaton accepts: one on which observations never end and none of its obligations is postponed for ever, or one on
/// which they end where the automaton accepts the end.
fn endless(product: &Product<'_, u32>, paths: &Paths, automaton: &Automaton) -> Option<Lasso> {
    let mut search = FairSearch::new(product.nodes());
    let mut first: Option<(Vec<u32>, bool)> = None;
    let mut keep = |found: &[u32], is_silent: bool| {
        let least = |nodes: &[u32]| nodes.iter().copied().min();
        if first.as_ref().is_none_or(|(nodes, _)| least(found) < least(nodes)) {
            first = Some((found.to_vec(), is_silent));
        }
    };
    search.components(product, nodes(product).collect(), |_| true, |found| keep(found.nodes, false));
    let quiet = Quiet(product);
    let resting = nodes(product).filter(|&it| automaton.accepts_end(product.memory(it))).collect();
    search.components(
        &quiet,
        resting,
        |edge| product.postponed(edge) == SILENT,
        |found| keep(found.nodes, true),
    );
    let (mut component, is_silent) = first?;
    component.sort_unstable();
    let inside = |node: u32| component.binary_search(&node).is_ok();
    let start = component[0];
    let cycle = if is_silent {
        fair_cycle(&quiet, start, ThreadSet::EMPTY, inside, |edge| product.postponed(edge) == SILENT)
    } else {
        fair_cycle(product, start, ThreadSet::EMPTY, inside, |_| true)
    };
    Some(Lasso {
        stem: product.transitions(paths.to(start)),
        cycle: product.transitions(cycle.edges),
        is_shortest: cycle.is_shortest,
    })
}

/// A product whose steps postpone nothing.
struct Quiet<'p, 'g>(&'p Product<'g, u32>);

impl Digraph for Quiet<'_, '_> {
    fn nodes(&self) -> usize {
        self.0.nodes()
    }

    fn edges(&self, node: u32) -> Range<u32> {
        self.0.edges(node)
    }

    fn target(&self, edge: u32) -> u32 {
        self.0.target(edge)
    }
}

impl Moves for Quiet<'_, '_> {
    fn threads(&self) -> ThreadSet {
        self.0.threads()
    }

    fn moved(&self, edge: u32) -> ThreadSet {
        self.0.moved(edge)
    }

    fn idle(&self, node: u32) -> ThreadSet {
        self.0.idle(node)
    }
}

/// The states of an automaton and all steps between them. No threads move there, so that every cycle is fair.
struct Tableau {
    numbers: Vec<u32>,
    ends: Vec<u32>,
    targets: Vec<u32>,
    postponed: Vec<u64>,
}

impl Digraph for Tableau {
    fn nodes(&self) -> usize {
        self.numbers.len()
    }

    fn edges(&self, node: u32) -> Range<u32> {
        let node = node as usize;
        if node == 0 { 0..self.ends[0] } else { self.ends[node - 1]..self.ends[node] }
    }

    fn target(&self, edge: u32) -> u32 {
        self.targets[edge as usize]
    }
}

impl Moves for Tableau {
    fn threads(&self) -> ThreadSet {
        ThreadSet::EMPTY
    }

    fn moved(&self, _edge: u32) -> ThreadSet {
        ThreadSet::EMPTY
    }

    fn idle(&self, _node: u32) -> ThreadSet {
        ThreadSet::EMPTY
    }

    fn postponed(&self, edge: u32) -> u64 {
        self.postponed[edge as usize]
    }
}
