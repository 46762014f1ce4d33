//! What all executions of a program with one input show together: the names of events, and the orders in which they come.
//!
//! For most tests this decides whether they are feasible, without an execution.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use insyn_sequences::Malformed;
use insyn_specs::Names;
use insyn_specs::spec::{Instance, Orders};
use insyn_specs::test_file::{Among, TestSequence};
use serde_json::Value as Data;

use super::error::JudgementError;
use insyn_engine::refinement::Refinement;
use insyn_explorer::body::Body;
use insyn_explorer::exploration::ended::Ended;
use insyn_explorer::explorer::Explorer;

/// If there are more orders than this, tests are forced instead.
const MOST_ORDERS: usize = 100_000;

/// See the [module](self).
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) refinement: Refinement,
    /// The orders of letters; none if there is no specification, or there are too many orders.
    orders: Option<BTreeSet<Orders>>,
}

impl Known {
    pub(super) fn new(refinement: Refinement, orders: impl IntoIterator<Item = Orders>) -> Known {
        let orders: BTreeSet<Orders> = orders.into_iter().take(MOST_ORDERS + 1).collect();
        let orders = Some(orders).filter(|it| !it.is_empty() && it.len() <= MOST_ORDERS);
        Known { refinement, orders }
    }

    /// Explores a program. None if the exploration is not complete.
    pub(super) fn explore(
        explorer: &Explorer,
        instance: Option<&Arc<Instance>>,
        program: &Body,
    ) -> Result<Option<Known>, JudgementError> {
        type Observed = (u32, BTreeSet<Orders>, Option<Malformed>);
        let observed: Arc<Mutex<Observed>> = Arc::default();
        let observer = {
            let (observed, instance) = (observed.clone(), instance.cloned());
            move |ended: &Ended<'_>| {
                let Some(orders) = instance.as_ref().filter(|_| ended.counted()).map(|it| ended.orders(it))
                else {
                    return;
                };
                let mut observed = observed.lock().unwrap_or_else(PoisonError::into_inner);
                if observed.0 != ended.round() {
                    *observed = (ended.round(), BTreeSet::new(), None);
                }
                match orders {
                    Ok(orders) if observed.1.len() <= MOST_ORDERS => drop(observed.1.insert(orders)),
                    Ok(_) => {}
                    Err(error) => observed.2 = Some(error),
                }
            }
        };
        let (exploration, refinement) = explorer.clone().observe(observer).explore_body(program);
        let (_, orders, error) =
            std::mem::take(&mut *observed.lock().unwrap_or_else(PoisonError::into_inner));
        match error {
            Some(error) => Err(error.into()),
            None => Ok(exploration.is_complete().then(|| Known::new(refinement, orders))),
        }
    }

    /// Whether a test is feasible, if these executions decide that.
    pub(super) fn classify(&self, sequence: &TestSequence) -> Option<Among> {
        sequence.among(self.orders.as_ref()?)
    }
}

/// What is known of a program, by input. Each input is explored at most once with the same bound.
#[derive(Default)]
pub(super) struct Knowledge(Vec<(Option<Data>, Known)>);

impl Knowledge {
    pub(super) fn add(&mut self, input: Option<&Data>, known: Known) {
        self.0.push((input.cloned(), known));
    }

    pub(super) fn get(&self, input: Option<&Data>) -> Option<&Known> {
        self.0.iter().find(|(with, _)| with.as_ref() == input).map(|(_, known)| known)
    }
}

/// The names of everything in the explored executions of a program, and whether the exploration was complete.
pub(super) fn names(explorer: &Explorer, program: &Body) -> (Names, bool) {
    let names: Arc<Mutex<(u32, Names)>> = Arc::default();
    let observer = {
        let names = names.clone();
        move |ended: &Ended<'_>| {
            if ended.counted() {
                let mut names = names.lock().unwrap_or_else(PoisonError::into_inner);
                if names.0 != ended.round() {
                    *names = (ended.round(), Names::default());
                }
                names.1.add(&ended.sequence());
            }
        }
    };
    let (exploration, _) = explorer.clone().observe(observer).explore_body(program);
    let names = std::mem::take(&mut names.lock().unwrap_or_else(PoisonError::into_inner).1);
    (names, exploration.is_complete())
}
