//! Which mutant of the program is on. A mutation run compiles all mutants into one program, each behind a switch.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use insyn_engine::journal;

/// The mutant that is on in this process; 0 is the original.
static ACTIVE: AtomicU32 = AtomicU32::new(0);

/// In place of a mutant: the original, while it is recorded which mutants it reaches.
const RECORDING: u32 = u32::MAX;

/// The mutants that the original has reached.
static REACHED: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// Whether a mutant is on. Called by the code that mutants are compiled to.
#[inline]
pub fn is(mutant: u32) -> bool {
    let active = ACTIVE.load(Ordering::Relaxed);
    active == mutant || (active == RECORDING && record(mutant))
}

#[cold]
#[inline(never)]
fn record(mutant: u32) -> bool {
    REACHED.lock().unwrap_or_else(PoisonError::into_inner).insert(mutant);
    false
}

/// Switches a mutant on, and every other off; 0 is the original.
pub fn switch_to(mutant: u32) {
    ACTIVE.store(mutant, Ordering::Relaxed);
    journal::switch_to(mutant);
}

/// The mutant that is on; 0 is the original.
pub(crate) fn active() -> u32 {
    ACTIVE.load(Ordering::Relaxed)
}

/// Runs a function with the original, and returns which mutants it has reached. A mutant that was not reached does the same
/// as the original.
pub(crate) fn reached<T>(work: impl FnOnce() -> T) -> (T, BTreeSet<u32>) {
    REACHED.lock().unwrap_or_else(PoisonError::into_inner).clear();
    switch_to(RECORDING);
    let result = work();
    switch_to(0);
    (result, std::mem::take(&mut *REACHED.lock().unwrap_or_else(PoisonError::into_inner)))
}
