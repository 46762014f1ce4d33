//! Confirms the count of a small program by other means than those of an exploration.

use insyn::Explorer;
use serde::Serialize;

/// So many orders of steps are tried one by one; of programs that have more, so many are tried at random.
const ORDERS: u64 = 3_000;

/// Explores a program, and runs it under every order of its threads' steps, or under many at random: both must find so
/// many sequences.
///
/// # Panics
/// If they do not.
pub fn confirm<R: Serialize + 'static>(
    sequences: u64,
    program: impl Fn() -> R + Send + Sync + Copy + 'static,
) {
    let explored = Explorer::new().explore(program).sequences;
    let tried = match Explorer::new().brute_force(ORDERS, program) {
        Some(all) => all.sequences,
        None => Explorer::new().sample(ORDERS, program).sequences,
    };
    assert_eq!((explored, tried), (sequences, sequences), "sequences explored, and those that were tried");
}
