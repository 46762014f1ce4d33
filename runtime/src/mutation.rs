//! Which mutant of the program is on. A campaign compiles all mutants into one program, each behind a switch.

use std::sync::atomic::{AtomicU32, Ordering};

/// The mutant that is on in this process; 0 is the original.
static ACTIVE: AtomicU32 = AtomicU32::new(0);

/// Whether a mutant is on. What mutants are compiled to asks this.
#[inline]
pub fn is(mutant: u32) -> bool {
    ACTIVE.load(Ordering::Relaxed) == mutant
}

/// Switches a mutant on, and every other off; 0 is the original.
pub fn switch_to(mutant: u32) {
    ACTIVE.store(mutant, Ordering::Relaxed);
}
